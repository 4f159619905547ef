"""No program gets a pass for anything but the right answer, whatever it writes and where."""

from __future__ import annotations

from itertools import product
from typing import Any

import pytest

from microcoder_eval import Verdict
from tests.files import read_table, shared_rows
from tests.judge.conftest import Judging
from tests.judges import SharedJudge

TABLE = read_table(__file__)
# Rows that may be accepted, each because it does compute the sum that is asked for.
COMPUTES = {
    "X5": "sleeps for six seconds, then prints the sum: right unless the clock's limit is shorter",
    "X7": "touches 600 MB, below the default limit of 1024 MB, then prints the sum",
}
FRAMES = (
    b'V4', b'V 4', b'V4\n', b'4', b'"4"', b'{"result": 4}', b'\x02\x00\x00\x00V4',
    b'\x00\x00\x00\x02V4', b'{"passed": true, "unsupported": false}',
    b'\x00\x00\x00\x26{"passed": true, "unsupported": false}',
)  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("row", shared_rows("exploits.jsonl"))
def test_no_known_exploit_is_accepted_unless_it_computes_the_answer(
    row: dict[str, Any],
) -> None:
    with SharedJudge(workers=1, stop="never") as judge:  # default limits: they decide on X5 and X7
        judgement = judge.judge({"code": row.pop("code")}, row)
    allowed = {"AC", "TLE"} if row["name"].split()[0] in COMPUTES else {"WA", "RE"}
    assert str(judgement.verdict) in allowed, judgement.tests


# Every descriptor but the standard streams, before, during and after the call.
FORGE = TABLE["forge"]


@pytest.mark.parametrize("frame", FRAMES)
@pytest.mark.parametrize(
    "place",
    [
        "def f(n):\n    return 5\nforge(); os._exit(0)",
        "def f(n):\n    forge()\n    os._exit(0)",
    ],
)
def test_a_forged_value_that_is_not_the_answer_is_not_accepted(
    call: Judging, frame: bytes, place: str
) -> None:
    # The program cannot know the answer (9): a whole, well-formed frame is only a value.
    code = FORGE.format(frames=(frame,), place=place)
    assert call(code, ([2], 9)).verdict in ("WA", "RE", "CE")


@pytest.mark.parametrize("frame", FRAMES)
def test_a_forged_report_of_passed_assertions_is_not_accepted(
    asserts: Judging, frame: bytes
) -> None:
    place = "def f(n):\n    forge()\n    os._exit(0)\nforge()"
    judgement = asserts(FORGE.format(frames=(frame,), place=place), "r = f(2)\nassert r == 9")
    assert judgement.verdict in ("WA", "RE", "CE", "TLE")


EQUAL = TABLE["equal"]
BASES = ["", "(int)", "(float)", "(str)", "(list)", "(dict)", "(tuple)", "(set)", "(bytes)"]


WITHIN: dict[str, Any] = {"A()": 9, "[A()]": [9], "{1: A()}": {"$dict": [[1, 9]]}}
ASSERTIONS = TABLE["assertions"]


# How a value is sent depends on its base, how it is compared on the test: not each with each.
@pytest.mark.parametrize(
    ("base", "value"),
    [*product(BASES, ["A()"]), *product(["", "(int)"], ["[A()]", "{1: A()}"])],
)
def test_an_object_equal_to_everything_equals_nothing(call: Judging, base: str, value: str) -> None:
    code = EQUAL.format(base=base, value=value)
    assert call(code, ([2], WITHIN[value])).verdict in ("WA", "RE")


@pytest.mark.parametrize(
    ("base", "test_code"),
    [*product(BASES, ASSERTIONS[:2]), *product(["", "(int)"], ASSERTIONS[2:])],
)
def test_an_object_equal_to_everything_satisfies_no_assertion(
    asserts: Judging, base: str, test_code: str
) -> None:
    judgement = asserts(EQUAL.format(base=base, value="A()"), test_code)
    assert judgement.verdict in ("WA", "RE", "JE"), judgement.tests


@pytest.mark.parametrize("spoil", TABLE["patches"])
def test_patching_the_interpreter_passes_no_test(
    call: Judging, asserts: Judging, spoil: str
) -> None:
    code = f"{spoil}\ndef f(n): return 5"
    assert call(code, ([2], 9)).verdict in ("WA", "RE")
    assert asserts(code, "assert f(2) == 9").verdict in ("WA", "RE")
    assert asserts(code, "r = f(2)\nassert r == 9").verdict in ("WA", "RE")


@pytest.mark.parametrize("code", TABLE["early_ends"])
def test_ending_early_or_talking_to_the_judge_prints_no_answer(stdin: Judging, code: str) -> None:
    assert stdin(code, ("2", "9")).verdict in ("WA", "RE")


@pytest.mark.parametrize("ending", ["exit()", "quit()", "import os; os._exit(0)"])
def test_a_program_that_ends_while_it_is_defined_passes_no_call(
    call: Judging, asserts: Judging, ending: str
) -> None:
    code = f"def f(n): return 9\n{ending}"
    assert call(code, ([2], 9)).verdict is Verdict.RE
    assert asserts(code, "assert f(2) == 9").verdict is Verdict.RE
    assert asserts(code, "r = f(2)\nassert r == 9").verdict is Verdict.RE
