"""Parses test code without running it: whether it asserts anything."""

from __future__ import annotations

import ast
import re

from microcoder_eval.errors import DataError
from microcoder_eval.languages import TEST_LANGUAGES
from microcoder_eval.syntax import parse_structure
from microcoder_sandbox import source_analysis

# A syntax tree takes hundreds of bytes for each character, and HumanEval+ has tests of megabytes,
# mostly lists of inputs. Regular expressions decide on larger code.
_MAX_PARSED_CHARS = 1 << 20
_ASSERTION_WORD = re.compile(r"\bassert|\braise\b|\b(?:fail|raises|_?exit|quit|SystemExit)\s*\(")
_CATCHING_NAMES = {"AssertionError", "Exception", "BaseException"}  # of failed assertions


def require_assertion(test_code: str) -> None:
    """Raise DataError if test code has no assertion, or does not compile."""
    if len(test_code) > _MAX_PARSED_CHARS:
        has_assertion = _ASSERTION_WORD.search(test_code) is not None
    else:
        try:
            tree = parse_structure(test_code, _MAX_PARSED_CHARS)
        except SyntaxError as error:
            line = f"line {error.lineno}: " if error.lineno else ""  # a null byte has none
            raise DataError(
                f"test_code does not compile as Python ({line}{error.msg}); tests in another "
                f'language need "test_language", one of {", ".join(TEST_LANGUAGES)}'
            ) from None
        nodes = source_analysis.walk(tree)
        blocks = [node for node in nodes if isinstance(node, ast.Try)]
        unseen = {part for block in blocks for part in _list_unseen(block)}
        has_assertion = any(_is_assertion(node) for node in nodes if node not in unseen)
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


def _list_unseen(block: ast.Try) -> list[ast.AST]:
    """Return the assertions of a ``try`` whose failure is at most printed. What raises in another
    way counts, as it may pass the handler."""
    if not any(map(_only_prints, block.handlers)):
        return []
    parts = [part for statement in block.body for part in source_analysis.walk(statement)]
    if any(isinstance(part, source_analysis.DEFINITIONS) for part in parts):
        return []  # which may be called elsewhere
    return [
        part
        for part in parts
        if isinstance(part, ast.Assert)
        or (isinstance(part, ast.Call) and source_analysis.get_called_name(part)[:6] == "assert")
    ]


def _only_prints(handler: ast.ExceptHandler) -> bool:
    """Whether a handler catches failed assertions, and does no more than to print."""
    exception_names = source_analysis.find_names(handler.type) if handler.type else _CATCHING_NAMES
    return not _CATCHING_NAMES.isdisjoint(exception_names) and all(
        isinstance(statement, (ast.Pass, ast.Continue))
        or (
            isinstance(statement, ast.Expr)
            and isinstance(statement.value, ast.Call)
            and source_analysis.get_called_name(statement.value) == "print"
        )
        for statement in handler.body
    )


def _always_true(test: ast.expr) -> bool:
    # `assert True` and `assert (x == 1, "message")` look like tests and accept everything.
    if isinstance(test, ast.Constant):
        return bool(test.value)
    return isinstance(test, ast.Tuple) and bool(test.elts)
