"""Fingerprints of tests and of solutions."""

from __future__ import annotations

import ast
import builtins
import io
import json
import keyword
import tokenize
from collections.abc import Iterator

from microcoder_data.filter.features import list_right_programs
from microcoder_data.rows import Row, get_kind, get_tests, get_text, hash_text
from microcoder_data.similarity import pack_shingles
from microcoder_eval.syntax import parse_python

_GRAM_TOKENS = 5
_MIN_TOKENS = 40  # shorter programs are similar by chance
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


def list_solution_grams(row: Row) -> list[str]:
    """Return the packed token n-grams of each right program that is long enough, with names
    normalized."""
    token_lists = map(_tokenize, list_right_programs(row))
    return [
        pack_shingles(tokens, _GRAM_TOKENS) for tokens in token_lists if len(tokens) >= _MIN_TOKENS
    ]


def _tokenize(code: str) -> list[str]:
    """Tokens with "v" for names that are not Python's, "#" for numbers, "s" for strings."""
    tokens: list[str] = []
    try:
        for token in tokenize.generate_tokens(io.StringIO(code).readline):
            if token.type == tokenize.NAME:
                tokens.append(token.string if token.string in _PYTHON_NAMES else "v")
            elif token.type == tokenize.NUMBER:
                tokens.append("#")
            elif token.type == tokenize.STRING:
                tokens.append("s")
            elif token.type == tokenize.OP:
                tokens.append(token.string)
    except (tokenize.TokenError, SyntaxError, IndentationError, ValueError):
        return []
    return tokens
