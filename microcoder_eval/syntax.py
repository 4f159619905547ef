"""Decides whether a text is a Python program, and parses it.

Programs are hostile text, and callers are threads of a trainer: parsing changes no global state.
"""

from __future__ import annotations

import ast
import re
import warnings
from functools import lru_cache
from typing import Literal, overload

from .forksafe import ForkSafeLock

# Four times what contests accept. A syntax tree takes at most some 500 bytes for each character.
MAX_COMPILED_CHARS = 256 * 1024
_ESCAPE = re.compile(r"\\(.)", re.DOTALL)
_KNOWN_ESCAPES = frozenset("\n\\'\"abfnrtv01234567xNuU")
_LONG_NUMBER = re.compile(r"(?<![\w.])\d[\d_]{999,}")
_GLUED_NUMBER = re.compile(
    r"((?<![\w.])0[xX][\da-fA-F_]++|(?<![\w.])0[bBoO][\d_]++"
    r"|(?:(?<![\w.])\d[\d_]*+\.?[\d_]*+|\.\d[\d_]*+)(?:[eE][+-]?\d[\d_]*+)?+[jJ]?+)"
    r"(?=if|else|and|or|in|is|for|not)"  # Python warns of 1isx, too, before it refuses it
)

# Appended to starter code to make it a program: a body indented deeper than any in it, or the rest
# of a line.
_BODY = "\n" + 80 * " " + "pass"
_LINE_ENDS = ("0", " 0)", " 0]", "0}")


def parse_python(code: str) -> ast.Module | None:
    """Return the syntax tree of a program of ours, or of a test; None if it is no Python.

    Unlike ``parse_structure`` it keeps all constants, and is not for threads of a caller.
    """
    safe_text = _make_safe(code)
    try:
        tree = _parse(safe_text)
        if safe_text == code:
            return tree
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return parse_tree(code)
    except SyntaxError:
        return None


# For reading only: several look for several things in the starter code of a problem.
parse_python_cached = lru_cache(maxsize=4)(parse_python)


def parse_starter_code(code: str) -> ast.Module | None:
    """Return the syntax tree of starter code, which may end where its function's body begins, or
    within a line; None where no program in Python starts so. The tree is for reading only."""
    texts = (code, code.rstrip() + _BODY, *(code + end for end in _LINE_ENDS))
    return next((tree for text in texts if (tree := parse_python_cached(text)) is not None), None)


def find_starter_function(code: str, name: str) -> ast.FunctionDef | None:
    """Return the function of this name in starter code; None where there is none, or the code does
    not parse."""
    nodes = ast.walk(parse_starter_code(code) or ast.Module([], []))
    return next((n for n in nodes if isinstance(n, ast.FunctionDef) and n.name == name), None)


def count_leading(tree: ast.Module) -> int:
    """Return how many statements must stay first: the docstring, imports from __future__."""
    count = 0
    for statement in tree.body:
        is_docstring = count == 0 and ast.get_docstring(tree, clean=False) is not None
        if not (is_docstring or is_future_import(statement)):
            break
        count += 1
    return count


def is_future_import(statement: ast.stmt) -> bool:
    """Whether it imports from __future__."""
    return isinstance(statement, ast.ImportFrom) and statement.module == "__future__"


def compiles(text: str) -> bool:
    """Whether ``text`` is a Python program with at least one statement."""
    return find_syntax_error(text) is None


def find_syntax_error(text: str) -> str | None:
    """Return why ``text`` is no Python program with a statement, with the line; else None."""
    try:
        tree = parse_structure(text)
    except SyntaxError as error:
        return f"SyntaxError: {error.msg}" + (f" (line {error.lineno})" if error.lineno else "")
    if not tree.body:
        return "the program is empty"
    if (statement := _find_misplaced_statement(tree)) is not None:
        word = "return" if isinstance(statement, ast.Return) else "yield"
        return f"SyntaxError: '{word}' outside function (line {statement.lineno})"
    return None


def parse_structure(text: str, max_chars: int = MAX_COMPILED_CHARS) -> ast.Module:
    """Parse a program without warnings. Raises SyntaxError if Python cannot parse it.

    It changes texts for which Python would warn or raise for reasons other than syntax, so
    constants in the tree may differ from the text: use the tree for its structure only.
    """
    if len(text) > max_chars:
        raise SyntaxError(f"longer than {max_chars} characters")
    return _parse(_make_safe(text))


def _make_safe(text: str) -> str:
    """Change what Python would warn of, or refuse for reasons other than syntax."""
    # Warning filters are global and may turn warnings into errors, so nothing may warn. "?" is
    # valid in a string, and an error outside, as the escape was.
    safe_text = _ESCAPE.sub(_replace_unknown_escape, text)
    safe_text = _GLUED_NUMBER.sub(r"\1 ", safe_text)
    # Programs run without Python's limit on the digits of an integer; this process may have one.
    return _LONG_NUMBER.sub("1", safe_text)


def _parse(text: str) -> ast.Module:
    try:
        return parse_tree(text)
    except (ValueError, RecursionError, MemoryError, OverflowError) as error:
        raise SyntaxError(f"cannot be parsed ({type(error).__name__})") from None


@overload
def parse_tree(text: str) -> ast.Module: ...
@overload
def parse_tree(text: str, mode: Literal["eval"]) -> ast.Expression: ...
def parse_tree(text: str, mode: str = "exec") -> ast.AST:
    """Parse as ``ast.parse`` does, and raise what it raises, in any number of threads."""
    for _ in range(_PARSE_ATTEMPTS):
        try:
            with _parse_lock:
                return ast.parse(text, mode=mode)
        except SystemError:  # a thread outside this lock was parsing at the same time
            continue
    raise SyntaxError("cannot be parsed (SystemError)")


# CPython 3.11 and 3.12 have one counter for the depth of trees that threads make at the same time
# (https://github.com/python/cpython/issues/106905), and raise SystemError if it does not match.
_parse_lock = ForkSafeLock()
_PARSE_ATTEMPTS = 20


def _replace_unknown_escape(match: re.Match[str]) -> str:
    return match[0] if match[1] in _KNOWN_ESCAPES else "?" + match[1]


def _find_misplaced_statement(
    tree: ast.Module,
) -> ast.Return | ast.Yield | ast.YieldFrom | None:
    """Return a return or yield outside a function, which parsing does not detect."""
    pending: list[ast.AST] = [tree]
    while pending:
        node = pending.pop()
        if isinstance(node, ast.Return | ast.Yield | ast.YieldFrom):
            return node
        if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
            pending.extend(ast.iter_child_nodes(node))
    return None
