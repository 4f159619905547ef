"""Finds tests that are samples of the statement, and tests that nearly every program passes."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence

from microcoder_data.rows import Row, get_kind, get_tests, get_text
from microcoder_eval.audit.findings import Finding
from microcoder_eval.syntax import parse_python

from .examples import Example


def list_findings(row: Row, examples: Sequence[Example]) -> Iterator[Finding]:
    """Find tests that are the statement's samples, and tests that any program passes."""
    kind = get_kind(row)
    if kind == "assert":
        yield from _check_assertions(get_text(row, "test_code"))
    if kind != "stdin":
        return
    shown_inputs = {" ".join(example.input.split()) for example in examples}
    inputs = [" ".join(str(test.get("input")).split()) for test in get_tests(row)]
    if inputs and shown_inputs.issuperset(inputs):
        yield Finding("tests_are_samples", f"all {len(inputs)} tests are samples of the statement")


def _check_assertions(code: str) -> Iterator[Finding]:
    tree = parse_python(code)
    assertions = [node.test for node in ast.walk(tree or ast.Module([], []))
                  if isinstance(node, ast.Assert)]  # fmt: skip
    if assertions and all(map(_is_vacuous, assertions)):
        yield Finding("vacuous_tests", f'such as "assert {ast.unparse(assertions[0])[:80]}"')
    has_loop = any(isinstance(node, ast.For | ast.While) for node in ast.walk(tree or ast.Pass()))
    if len(assertions) == 1 and not has_loop:
        yield Finding("few_tests", "a single assertion")


def _is_vacuous(test: ast.expr) -> bool:
    """Whether nearly every program passes an assertion: its two sides are equal, or it checks only
    a type."""
    if isinstance(test, ast.Call):
        return getattr(test.func, "id", "") in ("isinstance", "callable")
    if isinstance(test, ast.Constant):
        return bool(test.value)
    if not isinstance(test, ast.Compare) or len(test.ops) != 1:
        return False
    other = test.comparators[0]
    is_not_none = isinstance(test.ops[0], ast.IsNot | ast.NotEq) and ast.unparse(other) == "None"
    return is_not_none or (
        isinstance(test.ops[0], ast.Eq) and ast.dump(test.left) == ast.dump(other)
    )
