"""Finds passes that prove nothing: programs that contain the tests."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator, Sequence

from microcoder_data.rows import list_nodes
from microcoder_eval.audit.findings import Finding
from microcoder_eval.audit.labelled_programs import Program
from microcoder_eval.records import Problem
from microcoder_eval.syntax import parse_python

_LONG_KEY = 12  # a longer key of a dictionary is a hash or an input, not a word
_LONG_INPUT = 5  # characters; shorter inputs may occur in any program
_MAX_INPUTS = 2  # that an honest program may contain
_MAX_OUTPUTS = 3


def find_hard_coded(problem: Problem, programs: Sequence[Program]) -> Finding | None:
    """Return a finding on the first program that contains most inputs or a table of outputs; None
    if there is none."""
    tests = list(_list_tests(problem))
    outputs = Counter(output for _, output in tests)
    for program in programs:
        code = program.solution.code or ""
        if count := count_known_tests(code, problem):
            content = f"{count} of {len(tests)} inputs"
        elif len(outputs) > _MAX_OUTPUTS and (count := _count_table_outputs(code, outputs)):
            content = f"a table of {count} of {len(tests)} outputs"
        else:
            continue
        detail = f"{program.name} holds {content}"
        return Finding("hard_coded_reference", detail, {"solution_id": program.name})
    return None


def count_known_tests(code: str, problem: Problem) -> int:
    """Return how many inputs a program contains; 0 if an honest program might contain as many.

    A short input counts only as a whole literal, and only besides long ones.
    """
    text = _normalize_code(code)
    literals = {_squeeze(ast.unparse(node)) for node in list_nodes(code) if _is_literal(node)}
    inputs = {given for given, _ in _list_tests(problem)}
    long = sum(len(given) >= _LONG_INPUT and given in text for given in inputs)
    short = sum(len(given) < _LONG_INPUT and given in literals for given in inputs)
    is_most = long + short > max(_MAX_INPUTS, len(inputs) / 2)
    return long + short if is_most and long > 1 else 0


def _is_literal(node: ast.AST) -> bool:
    return isinstance(node, ast.Constant | ast.List | ast.Tuple | ast.UnaryOp)


def _list_tests(problem: Problem) -> Iterator[tuple[str, str]]:
    """Yield input and output of each test as they would stand in a program."""
    for test in problem.tests:
        yield _squeeze(repr(test.input)), _squeeze(repr(test.output))
    for node in list_nodes(problem.test_code or ""):
        if isinstance(node, ast.Assert) and isinstance(node.test, ast.Compare):
            call, output = node.test.left, node.test.comparators[0]
            if isinstance(call, ast.Call):
                values = [*call.args, *(keyword.value for keyword in call.keywords)]
                yield _squeeze(",".join(map(ast.unparse, values))), _squeeze(ast.unparse(output))


def _count_table_outputs(code: str, outputs: Counter[str]) -> int:
    """Return how many outputs are in one dictionary that consists mostly of outputs; 0 if there is
    none."""
    for node in list_nodes(code):
        if isinstance(node, ast.Dict) and all(map(_is_from_input, node.keys)):
            values = Counter(_squeeze(ast.unparse(value)) for value in node.values)
            count = (values & outputs).total()
            if count > max(_MAX_OUTPUTS, outputs.total() / 2, values.total() / 2):
                return count
    return 0


def _is_from_input(key: ast.expr | None) -> bool:
    """Whether a key of a dictionary may be computed from an input: a long text, or a tuple."""
    if isinstance(key, ast.Constant):
        return isinstance(key.value, str | bytes) and len(key.value) > _LONG_KEY
    return isinstance(key, ast.Tuple) and len(key.elts) > 1


def _squeeze(text: str) -> str:
    """Return a text without what may differ between an input and a literal in a program."""
    return "".join(text.split()).replace("\\n", "").replace('"', "'").strip("'[](),")


def _normalize_code(code: str) -> str:
    """Return the code without comments, docstrings and white space; empty where it does not
    parse."""
    tree = parse_python(code)
    if tree is None:
        return ""
    for node in ast.walk(tree):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            node.value = ast.Constant(None)
    return _squeeze(ast.unparse(tree))
