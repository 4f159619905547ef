"""Finds passes that prove nothing: programs that contain the tests."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator, Sequence

from microcoder_data.rows import list_nodes
from microcoder_eval.audit.findings import Finding
from microcoder_eval.audit.programs import Program
from microcoder_eval.records import Kind, Problem
from microcoder_eval.syntax import parse_python

_LONG_KEY = 12  # a longer key of a dictionary is a hash or an input, not a word
_MIN_INPUT_CHARACTERS = 5  # shorter inputs may occur in any program
_MAX_CONTAINED = 3  # inputs or outputs that an honest program may contain
_MIN_PAIRS = 3  # an honest program may contain fewer (input, output) pairs of tests
_LONG_INPUT = 5  # characters; honest programs may have tables with shorter keys
_MIN_LONG_PAIRS = 2


def find_hard_coded(problem: Problem, programs: Sequence[Program]) -> Finding | None:
    """Return a finding on the first program that contains most inputs or a table of outputs; None
    if there is none."""
    for program in programs:
        content = _describe_known_tests(problem, program.solution.code or "")
        if content is not None:
            detail = f"{program.name} holds {content}"
            return Finding("hard_coded_reference", detail, {"solution_id": program.name})
    return None


def _describe_known_tests(problem: Problem, code: str) -> str | None:
    """Describe which part of the tests a program contains; None if an honest program might contain
    as much."""
    if count := count_known_tests(code, problem):
        return f"the answers of {count} tests"
    if problem.kind is Kind.ASSERT:
        return None
    inputs = {_squeeze(repr(test.input)) for test in problem.tests}
    inputs = {text for text in inputs if len(text) >= _MIN_INPUT_CHARACTERS}
    normalized_code = _normalize_code(code)
    input_count = sum(text in normalized_code for text in inputs)
    if input_count > max(_MAX_CONTAINED, len(inputs) / 2):
        return f"{input_count} of {len(problem.tests)} inputs"
    outputs = Counter(_squeeze(repr(test.output)) for test in problem.tests)
    output_count = _count_table_outputs(code, outputs) if len(outputs) > _MAX_CONTAINED else 0
    return f"a table of {output_count} of {len(problem.tests)} outputs" if output_count else None


def _count_table_outputs(code: str, outputs: Counter[str]) -> int:
    """Return how many outputs are in one dictionary that consists mostly of outputs; 0 if there is
    none."""
    for node in list_nodes(code):
        if isinstance(node, ast.Dict) and all(map(_is_from_input, node.keys)):
            values = Counter(_squeeze(ast.unparse(value)) for value in node.values)
            count = (values & outputs).total()
            if count > max(_MAX_CONTAINED, outputs.total() / 2, values.total() / 2):
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


def count_known_tests(code: str, problem: Problem) -> int:
    """Return how many tests a program has hard-coded; 0 if an honest program might have as many."""
    tests = set(_list_tests(problem))
    test_pairs = tests.intersection(_list_pairs(code))
    long_count = sum(len(input_text) >= _LONG_INPUT for input_text, _ in test_pairs)
    is_table = len(test_pairs) >= max(_MIN_PAIRS, len(tests) / 2) and long_count >= _MIN_LONG_PAIRS
    return len(test_pairs) if is_table else 0


def _list_tests(problem: Problem) -> Iterator[tuple[str, str]]:
    """Yield input and output of each test, in the form that ``_list_pairs`` gives literals of a
    program."""
    for test in problem.tests:
        yield _squeeze(repr(test.input)), _squeeze(repr(test.output))
    for node in list_nodes(problem.test_code or ""):
        if isinstance(node, ast.Assert) and isinstance(node.test, ast.Compare):
            call, output = node.test.left, node.test.comparators[0]
            if isinstance(call, ast.Call):
                values = [*call.args, *(keyword.value for keyword in call.keywords)]
                yield _squeeze(",".join(map(ast.unparse, values))), _squeeze(ast.unparse(output))


def _list_pairs(code: str) -> Iterator[tuple[str, str]]:
    """Yield (key, answer) pairs in a program: items of dictionaries, and literals below ``if key ==
    …``."""
    for node in list_nodes(code):
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
