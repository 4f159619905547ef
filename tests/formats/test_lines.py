"""What a value of a line may be, and how a wrong one is worded."""

from __future__ import annotations

from typing import Any

import pytest

from microcoder_eval.errors import DataError
from microcoder_eval.formats import problem_from, solution_from

NUMBERS = (0, 1, True, 1.5, -1.0, float("nan"), float("inf"), 10**5000)
OTHERS: tuple[Any, ...] = ({}, {1: "x"}, (), set[str](), b"x")
TEST = {"input": "", "output": ""}
RIGHT: dict[str, tuple[Any, ...]] = {
    "kind": ("stdin",),
    "tests": ([TEST], (TEST,)),
    "statement": ("", "x", "é", type("Text", (str,), {})("x")),
    "starter_code": ("x", {}, {"python": "x"}),
    "limits": ({}, {"time_s": 1}, {"time_s": 1.5}, {"memory_mb": None}, {"wall_s": 1e9}),
    "difficulty": ("x", 0, -1.0, 10**5000),
    "other": ("x", 0, [1], {"a": 1}),
}
WRONG: dict[str, tuple[tuple[Any, ...], str]] = {
    "problem_id": ((None, 1.5, -1.0, *OTHERS), '"problem_id" must be a string, not'),
    "kind": (("", "x", *NUMBERS, *OTHERS), "\"kind\" must be 'stdin', 'call' or 'assert', not"),
    "test_style": (("max", *NUMBERS), "\"test_style\" must be 'assert', 'check', 'pytest' or"),
    "tests": (("x", *NUMBERS, {}), '"tests" must be a list, not'),
    "statement": ((*NUMBERS, *OTHERS, ["x"]), '"statement" must be a string, not'),
    "starter_code": ((*NUMBERS, ["x"]), '"starter_code" must be a string, or an object of'),
    "limits": (("x", *NUMBERS, ["x"]), '"limits" must be an object, not'),
}
WRONG_VALUES: tuple[tuple[str, Any, str], ...] = (
    ("statement", "\ud800", '"statement" has half of a surrogate pair'),
    ("checker", "\ud800", '"checker" has half of a surrogate pair'),
    ("starter_code", {"python": 1}, 'starter_code: "python" must be a string, not the number 1'),
    ("starter_code", {"python": "\ud800"}, '"starter_code" has half of a surrogate pair'),
    ("tests", '[{"input": 1}]', "it is a JSON text; write what it holds"),
    ("limits", {1: 1}, 'limits: unknown key "1"'),
    (
        "limits",
        {"memory_mb": True},
        "limits: memory_mb must be a number above 0 and at most",
    ),
    *(
        ("limits", {"time_s": value}, "time_s must be a number above 0 and at most 1e+09, not")
        for value in (0, -1, 2e9, 10**400, float("nan"), float("inf"))
    ),
    (7, "x", "7: a key must be a string"),
    ("\ud800", "x", "half of a surrogate pair"),
)


@pytest.mark.parametrize("key", RIGHT)
def test_right_values_are_read(key: str) -> None:
    for value in RIGHT[key]:
        assert problem_from({"problem_id": "p", "tests": [TEST], key: value})


@pytest.mark.parametrize("key", WRONG)
def test_wrong_types_are_refused(key: str) -> None:
    values, message = WRONG[key]
    for value in values:
        with pytest.raises(DataError) as caught:
            problem_from({"problem_id": "p", "tests": [TEST], key: value})
        assert message in str(caught.value)


@pytest.mark.parametrize(("key", "value", "message"), WRONG_VALUES)
def test_wrong_values_are_refused(key: Any, value: object, message: str) -> None:
    with pytest.raises(DataError) as caught:
        problem_from({"problem_id": "p", "tests": [TEST], key: value})
    assert message in str(caught.value)


def test_null_is_as_good_as_no_key() -> None:
    nulls = dict.fromkeys(("code", "language", "file", "files", "solution_id"))
    named = {"problem_id": "p", "response": "x"}
    assert solution_from({**nulls, **named}, default_id="i") == solution_from(named, default_id="i")
