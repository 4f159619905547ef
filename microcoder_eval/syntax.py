"""Parses Python without raising, and knows which statements of a module must stay first."""

from __future__ import annotations

import ast

# Appended to starter code to make it a program: a body indented deeper than any in it, or the rest
# of a line.
_BODY = "\n" + 80 * " " + "pass"
_LINE_ENDS = ("0", " 0)", " 0]", "0}")


def parse_python(code: str) -> ast.Module | None:
    """Return the syntax tree of a program; None where its syntax, size or depth prevents
    parsing."""
    try:
        return ast.parse(code)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def parse_starter_code(code: str) -> ast.Module | None:
    """Return the syntax tree of starter code, which may end where its function's body begins, or
    within a line; None where no program in Python starts so."""
    texts = (code, code.rstrip() + _BODY, *(code + end for end in _LINE_ENDS))
    return next((tree for text in texts if (tree := parse_python(text)) is not None), None)


def count_leading(tree: ast.Module) -> int:
    """Return how many statements must stay first: the docstring, imports from __future__."""
    count = 0
    for statement in tree.body:
        is_docstring = count == 0 and ast.get_docstring(tree, clean=False) is not None
        if not (is_docstring or is_of_the_compiler(statement)):
            break
        count += 1
    return count


def is_of_the_compiler(statement: ast.stmt) -> bool:
    """Whether it imports from __future__."""
    return isinstance(statement, ast.ImportFrom) and statement.module == "__future__"
