"""Parses test code without running it: whether it asserts anything, and in which style."""

from __future__ import annotations

import ast
import re

from microcoder_eval.errors import DataError
from microcoder_eval.syntax import parse_program
from microcoder_sandbox import source_analysis

# A syntax tree takes hundreds of bytes for each character, and HumanEval+ has tests of megabytes,
# mostly lists of inputs. Regular expressions decide on larger code.
MAX_PARSED_CHARS = 1 << 20
_ASSERTION_WORD = re.compile(r"\bassert|\braise\b|\b(?:fail|raises|_?exit|quit|SystemExit)\s*\(")
_STYLE_WORDS = (
    ("unittest", re.compile(r"^class\s+\w+\([^)]*TestCase\s*\)", re.MULTILINE)),
    ("check", re.compile(r"^def\s+check\b", re.MULTILINE)),
    ("pytest", re.compile(r"^\s*def\s+test", re.MULTILINE)),
)
_NO_ASSERTION = (
    "test_code has no assertion, so every program would pass; "
    "write `assert`, `raise`, a unittest method, a pytest check or an exit status"
)


def detect_test_style(test_code: str) -> str:
    """Detect the test_style of code. Raises DataError if it has no assertion or does not compile.

    A label that is kept and hashed. It decides nothing: the planner asks
    ``source_analysis.find_layout``.
    check: defines check(). unittest: has a class with a TestCase among its bases. pytest: has
    functions or methods named test_... . assert: anything else.
    """
    if len(test_code) > MAX_PARSED_CHARS:
        return _detect_style_of_long_code(test_code)
    try:
        tree = parse_program(test_code, MAX_PARSED_CHARS)
    except SyntaxError as error:
        raise DataError(f"test_code does not compile (line {error.lineno}: {error.msg})") from None
    nodes = source_analysis.walk(tree)
    if not any(map(_is_assertion, nodes)):
        raise DataError(_NO_ASSERTION)
    if any(isinstance(node, ast.ClassDef) and _is_test_case(node) for node in nodes):
        return "unittest"
    functions = {n.name for n in nodes if isinstance(n, ast.FunctionDef | ast.AsyncFunctionDef)}
    if "check" in functions:
        return "check"
    return "pytest" if any(name.startswith("test") for name in functions) else "assert"


def _detect_style_of_long_code(test_code: str) -> str:
    if not _ASSERTION_WORD.search(test_code):
        raise DataError(_NO_ASSERTION)
    return next((style for style, word in _STYLE_WORDS if word.search(test_code)), "assert")


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


def _is_test_case(node: ast.ClassDef) -> bool:
    return any(ast.unparse(base).endswith("TestCase") for base in node.bases)
