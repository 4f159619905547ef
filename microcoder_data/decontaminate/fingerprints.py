"""Fingerprints of tests and of solutions."""

from __future__ import annotations

import ast
import builtins
import hashlib
import io
import json
import keyword
import tokenize
from collections.abc import Iterator

from microcoder_eval.data.filter.features import right_programs
from microcoder_eval.data.rows import Row, kind_of, tests_of, text_of
from microcoder_eval.data.similarity import shingles
from microcoder_eval.data.syntax import parsed

_GRAM = 5  # tokens
_FEW_TOKENS = 40  # shorter programs are alike by chance
_KNOWN = frozenset(dir(builtins)) | frozenset(keyword.kwlist)


def test_prints(row: Row) -> frozenset[str]:
    """A hash of each test, blanks aside."""
    if kind_of(row) == "assert":
        return frozenset(_digest(line) for line in _assertions(text_of(row, "test_code")))
    return frozenset(
        _digest(_blank_free(test.get("input")) + "\x1f" + _blank_free(test.get("output")))
        for test in tests_of(row)
    )


def _assertions(code: str) -> Iterator[str]:
    """Each assertion without the name of what is called."""
    tree = parsed(code)
    if tree is None:
        return
    for node in ast.walk(tree):
        if isinstance(node, ast.Assert):
            text = ast.unparse(node.test)
            for inner in ast.walk(node.test):
                if isinstance(inner, ast.Call) and isinstance(inner.func, ast.Name):
                    text = text.replace(f"{inner.func.id}(", "candidate(", 1)
            yield text


def _blank_free(value: object) -> str:
    return " ".join(value.split()) if isinstance(value, str) else json.dumps(value, sort_keys=True)


def _digest(text: str) -> str:
    return hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=12).hexdigest()


def solution_prints(row: Row) -> list[set[str]]:
    """The token n-grams of each right program that is long enough, with names levelled."""
    found = []
    for code in right_programs(row):
        tokens = _tokens(code)
        if len(tokens) >= _FEW_TOKENS:
            found.append(shingles(tokens, _GRAM))
    return found


def _tokens(code: str) -> list[str]:
    """Tokens with "v" for names of its own, "#" for numbers, "s" for texts."""
    found: list[str] = []
    try:
        for token in tokenize.generate_tokens(io.StringIO(code).readline):
            if token.type == tokenize.NAME:
                found.append(token.string if token.string in _KNOWN else "v")
            elif token.type == tokenize.NUMBER:
                found.append("#")
            elif token.type == tokenize.STRING:
                found.append("s")
            elif token.type == tokenize.OP:
                found.append(token.string)
    except (tokenize.TokenError, SyntaxError, IndentationError, ValueError):
        return []
    return found
