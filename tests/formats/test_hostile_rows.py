"""Whatever a row holds, in whatever format it is read: a record or a reason, nothing else."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from microcoder_eval.errors import DataError
from microcoder_eval.formats import native, problem_from, registry
from microcoder_eval.formats.writing import encode_problem, encode_solution
from tests.formats.shapes import BIGCODEBENCH, SHAPES

ROWS = [*(shape.row for shape in SHAPES), BIGCODEBENCH]
NAMES = [known.name for known in registry.FORMATS]
# What turns up where something else is expected: each has broken a reader of some set.
ODD = [None, True, 0, -1, 1.5, 10**30, 10**5000, float("nan"), "", "x", "[", "[]", "{}", "[1]",
       '{"a": 1}', "\ud800", [], [None], [[]], ["x"], [{}], {}, {"inputs": [None], "outputs": [1]},
       {"inputs": ["1"], "outputs": [[]], "fn_name": "f"}, {"input": ["1"], "output": ["1"]},
       {"seconds": "x"}, {"language": [[1]], "solution": ["x"]}, [{"input": 1}], [{"fn_name": []}],
       [{"type": "function_call", "input": {}, "output": None}], {"test_cases": [{"fn_name": 3}]},
       [{"metadata": {"func_name": 3}}], {"ground_truth": 3}, {"$tuple": 3},
       [[{"$set": [[]]}]]]  # fmt: skip

odd_values = st.sampled_from(ODD) | st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner),
    max_leaves=5,
)


@st.composite
def changed_rows(draw: st.DrawFn) -> dict[str, Any]:
    row = dict(draw(st.sampled_from(ROWS)))
    for key in draw(st.lists(st.sampled_from(sorted(row)), min_size=1, max_size=3, unique=True)):
        if draw(st.booleans()):
            row[key] = draw(odd_values)
        else:
            del row[key]
    return row


@pytest.mark.slow
@given(changed_rows(), st.none() | st.sampled_from(NAMES))
def test_a_row_is_a_problem_or_a_data_error(row: dict[str, Any], name: str | None) -> None:
    try:
        line = encode_problem(problem_from(row, format=name))
    except DataError:
        return
    assert b"\n" not in line


@pytest.mark.slow
@given(changed_rows(), st.sampled_from(NAMES))
def test_a_row_is_solutions_or_a_data_error(row: dict[str, Any], name: str) -> None:
    try:
        solutions = registry.get_format(name).rewrite_solutions(row, None)
        lines = [encode_solution(native.parse_solution(one, "id")) for one in solutions]
    except DataError:
        return
    assert not any(b"\n" in line for line in lines)
