"""Finds programs that know the tests: tables of their answers, and chains of ifs on their inputs.

Such programs pass without solving the task.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from microcoder_eval.records import Problem
from microcoder_eval.syntax import parse_python

_MIN_PAIRS = 3  # of a test's input and output; an honest program may know fewer
_LONG_INPUT = 5  # characters; honest programs have tables of short words
_MIN_LONG_PAIRS = 2


def count_known_tests(code: str, problem: Problem) -> int:
    """How many tests a program knows by heart; 0 where an honest program might know as many."""
    tree = parse_python(code)
    tests = set(_list_tests(problem))
    if tree is None or not tests:
        return 0
    test_pairs = tests & set(_list_pairs(tree))
    long_count = sum(len(input_text) >= _LONG_INPUT for input_text, _ in test_pairs)
    is_table = len(test_pairs) >= max(_MIN_PAIRS, len(tests) / 2) and long_count >= _MIN_LONG_PAIRS
    return len(test_pairs) if is_table else 0


def _squeeze(text: str) -> str:
    return "".join(text.split()).replace("\\n", "").replace('"', "'").strip("'[](),")


def _list_tests(problem: Problem) -> Iterator[tuple[str, str]]:
    """Input and output of each test, as texts that a literal in a program has, too."""
    for test in problem.tests:
        yield _squeeze(repr(test.input)), _squeeze(repr(test.output))
    tree = parse_python(problem.test_code or "")
    for node in ast.walk(tree) if tree is not None else ():
        if isinstance(node, ast.Assert) and isinstance(node.test, ast.Compare):
            call, output = node.test.left, node.test.comparators[0]
            if isinstance(call, ast.Call):
                values = [*call.args, *(keyword.value for keyword in call.keywords)]
                yield _squeeze(",".join(map(ast.unparse, values))), _squeeze(ast.unparse(output))


def _list_pairs(tree: ast.AST) -> Iterator[tuple[str, str]]:
    """Yield what a program says of single values: items of dictionaries, and answers to
    comparisons."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Dict):
            for key, value in zip(node.keys, node.values, strict=True):
                if key is not None:
                    yield _squeeze(ast.unparse(key)), _squeeze(ast.unparse(value))
        elif isinstance(node, ast.If | ast.IfExp):
            body = node.body if isinstance(node.body, list) else [node.body]
            answers = [
                _squeeze(ast.unparse(value)) for part in body for value in _find_values(part)
            ]
            for key in _find_compared_values(node.test):
                yield from ((_squeeze(ast.unparse(key)), answer) for answer in answers)


def _find_values(part: ast.AST) -> Iterator[ast.expr]:
    """Yield the literals that a statement or an expression prints or returns."""
    for node in ast.walk(part):
        if isinstance(node, ast.Constant | ast.List | ast.Tuple | ast.UnaryOp):
            yield node


def _find_compared_values(test: ast.expr) -> Iterator[ast.expr]:
    for node in ast.walk(test):
        if isinstance(node, ast.Compare) and isinstance(node.ops[0], ast.Eq):
            yield from (node.left, node.comparators[0])
