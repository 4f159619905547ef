"""Python as a tree, where a text is Python."""

from __future__ import annotations

import ast


def parsed(code: str) -> ast.Module | None:
    """The tree of a program; None where it cannot be read, for its syntax, size or depth."""
    try:
        return ast.parse(code)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
