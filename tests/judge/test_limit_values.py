"""A limit that is no number above 0 is refused where it is said, by its name."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import numpy
import pytest

from microcoder_data.recipe import Verify
from microcoder_eval import DataError, Judge, Limits
from microcoder_eval.cli import main
from microcoder_eval.formats import problem_from
from microcoder_eval.integrations.scorer import Scorer
from microcoder_eval.records import HIGHEST_LIMIT
from tests.judges import SharedJudge

NAMES = ("time_s", "wall_s", "memory_mb", "output_mb", "files_mb")
WRONG: tuple[Any, ...] = (
    0, -1, 0.0, -0.5, math.inf, -math.inf, math.nan, "1", "", True, False, [1], {}, 1j, 10**400,
    -(10**400), 1e300, HIGHEST_LIMIT * 1.01, b"1",
)  # fmt: skip
TESTS = [{"input": "3\n", "output": "9\n"}]
RIGHT = "print(int(input()) ** 2)"


@pytest.mark.parametrize("value", WRONG, ids=lambda value: repr(value)[:12])
def test_limits_and_the_factor_on_them_are_numbers_above_zero(value: Any) -> None:
    for name in NAMES:
        reason = f"{name} must be a number above 0"
        with pytest.raises(ValueError, match=reason):
            Limits(**{name: value})
        with pytest.raises(ValueError, match=reason):
            Limits.coerce({name: value})
        with pytest.raises(ValueError, match=reason):
            Judge(limits={name: value})
        with pytest.raises(ValueError, match=name):
            Scorer(limits={name: value})
        with pytest.raises(DataError, match=name):
            problem_from({"problem_id": "p", "tests": TESTS, "limits": {name: value}})
    with pytest.raises(ValueError, match="time_scale must be a number above 0"):
        Judge(time_scale=value)
    with pytest.raises(ValueError, match="time_scale"):
        Verify(time_scale=value)


@pytest.mark.parametrize("value", [{"time": 1}, {"time_s": 1, 5: 2}, "6", 6, [6.0]])
def test_limits_of_something_else_are_refused(value: Any) -> None:
    with pytest.raises(ValueError, match="limits"):
        Judge(limits=value)


@pytest.mark.parametrize("option", ["--time-limit", "--memory-limit", "--time-scale"])
def test_options_of_the_command_line_are_numbers_above_zero(
    option: str, capsys: pytest.CaptureFixture[str]
) -> None:
    for value in ("0", "-1", "inf", "nan", "1e300", "six", "", "1" * 400):
        assert main(["x.jsonl", "--tests", "y.jsonl", f"{option}={value}"]) == 2
        message = capsys.readouterr().err
        assert option in message
        assert "must be a number above 0" in message


@pytest.mark.parametrize("value", [1, 2.5, numpy.float64(3), HIGHEST_LIMIT, 1e-300])
def test_numbers_above_zero_are_limits(value: float) -> None:
    for name in NAMES:
        assert getattr(Limits(**{name: value}), name) == value


@pytest.mark.parametrize("value", [1e-300, HIGHEST_LIMIT])
@pytest.mark.filterwarnings("ignore:limits.*is very")
@pytest.mark.slow
def test_no_limit_that_is_one_makes_the_judge_fail(value: float) -> None:
    for name in NAMES:
        if (name, value) != ("files_mb", HIGHEST_LIMIT):  # a file system of that size is refused
            with SharedJudge(workers=1, limits={name: value}) as judge:
                judgement = judge.judge(RIGHT, TESTS)
                assert judgement.verdict != "JE", judgement.error
                assert value < 1 or judgement.passed
    with SharedJudge(workers=1, time_scale=value, limits=Limits(time_s=HIGHEST_LIMIT)) as judge:
        assert judge.judge(RIGHT, TESTS).verdict != "JE"


def test_other_limits_leave_the_other_options_as_they_are(tmp_path: Path) -> None:
    header = tmp_path / "testlib.h"
    header.write_text("// testlib")
    with SharedJudge(workers=1, time_scale=2.0, testlib=str(header)) as judge:
        options = judge.with_changes(limits=Limits(time_s=3.0)).options
    assert (options.limits.time_s, options.time_scale, options.testlib) == (3.0, 2.0, "// testlib")
