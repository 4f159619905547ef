"""CURE's and dLLM-RL's sets: inputs and outputs as two lists, public ones beside them.

Source: Gen-Verse/CURE (data/readme.md: CodeContests_train, LiveBench, CodeForces, …, all with
standard input and output) and Gen-Verse/dLLM-RL, which trains on the same files.
"""

from __future__ import annotations

from . import test_forms, units
from .format import Format, Row, has_keys, list_words

_INPUTS, _OUTPUTS = "test_input", "test_output"


def _read_fields(row: Row) -> Row:
    pairs = test_forms.pair_tests(row, "the row", (_INPUTS, _OUTPUTS))
    tests = [{"input": pair[_INPUTS], "output": pair[_OUTPUTS]} for pair in pairs]
    return {
        **test_forms.read_test_fields(tests, {}, f'"{_INPUTS}"'),
        "limits": units.read_limits(row.get("test_time_limit")),
    }


FORMAT = Format(
    name="cure",
    names=("task_id", "problem_id", "id"),
    named_by="question",
    holds_problem=has_keys(_INPUTS, _OUTPUTS),
    copies={"statement": "question"},
    read_fields=_read_fields,
    uses=list_words("test_time_limit"),
    judges=frozenset({_INPUTS, _OUTPUTS}),
    repeats=list_words("example_input example_output"),
)
