"""Fingerprints of tests."""

from __future__ import annotations

import ast
import builtins
import json
import keyword
from collections.abc import Iterator

from microcoder_data.rows import Row, get_kind, get_tests, get_text, hash_text
from microcoder_eval.syntax import parse_python

_PYTHON_NAMES = frozenset(dir(builtins)) | frozenset(keyword.kwlist)


def hash_tests(row: Row) -> dict[str, int]:
    """Return a hash of each test, with white space collapsed, and its length in characters."""
    if get_kind(row) == "assert":
        texts = list(_list_assertions(get_text(row, "test_code")))
    else:
        texts = [
            _format_value(test.get("input")) + "\x1f" + _format_value(test.get("output"))
            for test in get_tests(row)
        ]
    return {hash_text(text): len(text) for text in texts}


def _list_assertions(code: str) -> Iterator[str]:
    """Each assertion, with "candidate" for the names of called functions."""
    tree = parse_python(code)
    if tree is None:
        return
    for node in ast.walk(tree):
        if isinstance(node, ast.Assert):
            yield ast.unparse(_CallRenamer().visit(node.test))


class _CallRenamer(ast.NodeTransformer):
    """Calls every function that is not Python's "candidate". Texts and other names stay."""

    def visit_Call(self, node: ast.Call) -> ast.AST:
        self.generic_visit(node)
        if isinstance(node.func, ast.Name) and node.func.id not in _PYTHON_NAMES:
            node.func = ast.Name("candidate", ast.Load())
        return node


def _format_value(value: object) -> str:
    """Return a text with white space collapsed; another value as JSON."""
    return " ".join(value.split()) if isinstance(value, str) else json.dumps(value, sort_keys=True)
