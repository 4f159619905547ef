"""Parses test code without running it: whether it asserts anything."""

from __future__ import annotations

import ast
import re

from microcoder_eval.errors import DataError
from microcoder_eval.syntax import parse_structure
from microcoder_sandbox import source_analysis

# A syntax tree takes hundreds of bytes for each character, and HumanEval+ has tests of megabytes,
# mostly lists of inputs. Regular expressions decide on larger code.
_MAX_PARSED_CHARS = 1 << 20
_ASSERTION_WORD = re.compile(r"\bassert|\braise\b|\b(?:fail|raises|_?exit|quit|SystemExit)\s*\(")


def require_assertion(test_code: str) -> None:
    """Raise DataError if test code has no assertion, or does not compile."""
    if len(test_code) > _MAX_PARSED_CHARS:
        has_assertion = _ASSERTION_WORD.search(test_code) is not None
    else:
        try:
            tree = parse_structure(test_code, _MAX_PARSED_CHARS)
        except SyntaxError as error:
            line = f"line {error.lineno}: " if error.lineno else ""  # a null byte has none
            raise DataError(f"test_code does not compile ({line}{error.msg})") from None
        has_assertion = any(map(_is_assertion, source_analysis.walk(tree)))
    if not has_assertion:
        raise DataError(
            "test_code has no assertion, so every program would pass; "
            "write `assert`, `raise`, a unittest method, a pytest check or an exit status"
        )


def _is_assertion(node: ast.AST) -> bool:
    if isinstance(node, ast.Assert):
        return not _always_true(node.test)
    if isinstance(node, ast.Call):
        # assertEqual, assert_allclose, pytest.raises, pytest.fail: by name, on any object.
        name = source_analysis.get_called_name(node)
        if name in ("exit", "quit", "_exit", "SystemExit"):
            return any(ast.unparse(status) not in ("0", "None") for status in node.args)
        return name.lower().startswith("assert") or name in ("fail", "raises", "warns")
    return isinstance(node, ast.Raise)


def _always_true(test: ast.expr) -> bool:
    # `assert True` and `assert (x == 1, "message")` look like tests and accept everything.
    if isinstance(test, ast.Constant):
        return bool(test.value)
    return isinstance(test, ast.Tuple) and bool(test.elts)
