"""The shared comparison cases, each labelled with what an official judge says."""

from __future__ import annotations

import json
from typing import Any

import pytest

from microcoder_eval.compare import make_comparer
from tests.files import SHARED, read_jsonl

CASES = SHARED / "compare_cases.jsonl"
# Two rows stand for 5001-digit integers, which the file does not spell out.
LONG = "1" * 5001
CONSTANTS = {"nan": float("nan"), "NaN": float("nan")}


def rows(kind: str) -> list[Any]:
    if not CASES.exists():
        reason = f"THE SHARED COMPARISON CASES ARE NOT THERE ({CASES.name}): nothing was compared"
        return [pytest.param(None, marks=pytest.mark.skip(reason=reason))]
    return [
        pytest.param(case, id=f"{case.get('checker', 'calibrated')}-{case['why'][:50]}")
        for case in read_jsonl(CASES)
        if case["kind"] == kind and case["certain"]
    ]


def spec_of(case: dict[str, Any]) -> dict[str, Any]:
    spec: dict[str, Any] = {"name": case.get("checker", "calibrated")}
    flags = iter(case.get("args", ()))
    for flag in flags:
        spec[flag] = next(flags) if "tolerance" in flag else True
    return spec


def output_of(case: dict[str, Any], key: str) -> bytes:
    text: str = case[key]
    if "5001-digit" in case["why"]:
        wrong = key == "output" and "wrong" in case["why"]
        text = LONG[:-1] + "2" if wrong else LONG
    # The checkers' own files were read byte by byte.
    return text.encode("latin-1" if "checker" in case else "utf-8")


@pytest.mark.parametrize("case", rows("stdin"))
def test_text_is_judged_as_the_label_says(case: dict[str, Any]) -> None:
    match = make_comparer(spec_of(case)).compare_text(
        output_of(case, "output"), output_of(case, "expected")
    )
    assert (match.method is not None) == case["accept"], match


@pytest.mark.parametrize("case", rows("call"))
def test_values_are_judged_as_the_label_says(case: dict[str, Any]) -> None:
    output = case["output"]
    if "Evil" in output:
        pytest.skip("the codec refuses such an object before anything is compared")
    if output.startswith("np."):
        output = output[output.index("(") + 1 : -1]  # the codec gives a plain number
    actual = CONSTANTS[output] if output in CONSTANTS else eval(output, {"__builtins__": {}})
    match = make_comparer(spec_of(case)).compare_value(actual, json.loads(case["expected"]))
    assert (match.method is not None) == case["accept"], match
