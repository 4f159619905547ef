"""Parses Python without raising."""

from __future__ import annotations

import ast


def parse_python(code: str) -> ast.Module | None:
    """Return the syntax tree of a program; None where its syntax, size or depth prevents
    parsing."""
    try:
        return ast.parse(code)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
