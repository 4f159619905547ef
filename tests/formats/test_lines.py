"""What a value of a line may be, and how a wrong one is worded."""

from __future__ import annotations

from typing import Any

import pytest

from microcoder_eval.errors import DataError
from microcoder_eval.formats.lines import problem_lines, solution_lines

TEXTS = ("", "x", "é", type("Text", (str,), {})("x"))
NUMBERS = (0, 1, True, 1.5, -1.0, float("nan"), float("inf"), 10**5000)
OTHERS: tuple[Any, ...] = ({}, {1: "x"}, (), set[str](), b"x")
RIGHT: dict[str, tuple[Any, ...]] = {
    "kind": ("stdin", "call", "assert"),
    "tests": ([], ["x"], ("x",)),
    "statement": TEXTS,
    "starter_code": (*TEXTS, {}, {"python": "x"}),
    "limits": ({}, {"time_s": 1}, {"time_s": 1.5}, {"memory_mb": None}, {"wall_s": 1e9}),
    "difficulty": (*TEXTS, *NUMBERS),
    "other": (*TEXTS, *NUMBERS, *OTHERS),
}
WRONG: dict[str, tuple[tuple[Any, ...], str]] = {
    "problem_id": ((None, *NUMBERS, *OTHERS), '"problem_id" must be a string, not'),
    "kind": (("", "x", *NUMBERS, *OTHERS), "\"kind\" must be 'stdin', 'call' or 'assert', not"),
    "test_style": (("max", *NUMBERS), "\"test_style\" must be 'assert', 'check', 'pytest' or"),
    "tests": (("x", *NUMBERS, {}), '"tests" must be a list, not'),
    "statement": ((*NUMBERS, *OTHERS, ["x"]), '"statement" must be a string, not'),
    "starter_code": ((*NUMBERS, ["x"]), '"starter_code" must be a string, or an object of'),
    "limits": (("x", *NUMBERS, ["x"]), '"limits" must be an object, not'),
}
WRONG_VALUES: tuple[tuple[str, Any, str], ...] = (
    ("problem_id", "", '"problem_id" is empty'),
    ("statement", "\ud800", '"statement" has half of a surrogate pair'),
    ("checker", "\ud800", '"checker" has half of a surrogate pair'),
    ("starter_code", {"python": 1}, 'starter_code: "python" must be a string, not the number 1'),
    ("starter_code", {"python": "\ud800"}, '"starter_code" has half of a surrogate pair'),
    ("tests", '[{"input": 1}]', "it is a JSON text; write what it holds"),
    ("tests", {"inputs": [], "outputs": []}, 'write its "inputs" and "outputs" beside'),
    ("limits", {"tme_s": 1}, 'limits: unknown key "tme_s"; did you mean "time_s"?'),
    ("limits", {1: 1}, 'limits: unknown key "1"'),
    ("limits", {"time_s": "1"}, 'limits: "time_s" must be a number of seconds, not the string "1"'),
    ("limits", {"memory_mb": True}, 'limits: "memory_mb" must be a number of MiB, not true'),
    *(
        ("limits", {"time_s": value}, "greater than 0 and at most 1000000000, not")
        for value in (0, -1, 2e9, 10**400, float("nan"), float("inf"))
    ),
)


@pytest.mark.parametrize("key", RIGHT)
def test_right_values_are_read(key: str) -> None:
    for value in RIGHT[key]:
        line = problem_lines.read({"problem_id": "p", key: value}, "")
        read_value = line.extra[key] if key == "other" else getattr(line, key)
        assert read_value is value


@pytest.mark.parametrize("key", WRONG)
def test_wrong_types_are_refused(key: str) -> None:
    values, message = WRONG[key]
    for value in values:
        with pytest.raises(DataError) as caught:
            problem_lines.read({"problem_id": "p", key: value}, "")
        assert str(caught.value).startswith(message)


@pytest.mark.parametrize(("key", "value", "message"), WRONG_VALUES)
def test_wrong_values_are_refused(key: str, value: object, message: str) -> None:
    with pytest.raises(DataError) as caught:
        problem_lines.read({"problem_id": "p", key: value}, "")
    assert message in str(caught.value)


def test_a_row_needs_a_name_and_keys_of_text() -> None:
    with pytest.raises(DataError, match=r'no "problem_id" \(keys found: code\); a requirement'):
        solution_lines.read({"code": 5}, "a requirement")
    with pytest.raises(DataError, match="7: a key must be a string"):
        solution_lines.read({"problem_id": "p", 7: "x"}, "")  # type: ignore[dict-item]
    with pytest.raises(DataError, match="half of a surrogate pair"):
        solution_lines.read({"problem_id": "p", "\ud800": "x"}, "")


def test_null_is_as_good_as_no_key() -> None:
    line = problem_lines.read(dict.fromkeys(problem_lines.keys) | {"problem_id": "p"}, "")
    assert line == problem_lines.read({"problem_id": "p"}, "")
