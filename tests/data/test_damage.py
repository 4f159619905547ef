"""Damage that a problem shows by itself is told by name, and what only looks like it is kept."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from microcoder_data.process.bounds import check_bounds
from microcoder_data.process.stage import ProcessStage
from microcoder_data.recipe import Process
from tests.data.clean import problems
from tests.data.lines import Row, Run

PROGRAM = next(row for row in problems(40) if row["kind"] == "stdin")
FUNCTION = next(row for row in problems(40) if row["kind"] == "call")
ENTRY = FUNCTION["entry_point"]


def with_test(row: Row, number: int = 3, **changes: Any) -> Row:
    """The row with one test changed."""
    tests = list(row["tests"])
    tests[number] = {**tests[number], **changes}
    return {**row, "tests": tests}


def outcome(run: Run, row: Row) -> str | list[str]:
    """Why it was dropped, or its flags."""
    rows, dropped, _ = run(ProcessStage(Process()), row)
    return rows[0].get("findings", []) if rows else dropped[row["problem_id"]]


@pytest.mark.parametrize(
    ("row", "reason"),
    [
        (with_test(PROGRAM, input="5\n1 2 3 ...\n"), "damaged_test"),
        (with_test(PROGRAM, output="12, 13, 14…"), "damaged_test"),
        (with_test(PROGRAM, input="5\n1 2 3 [truncated]"), "damaged_test"),
        (with_test(PROGRAM, output="Traceback (most recent call last):\n  ..."), "damaged_test"),
        (with_test(PROGRAM, output="Time limit exceeded\n"), "damaged_test"),
        (with_test(FUNCTION, output="<generator object f at 0x7f3a2c0b>"), "damaged_test"),
        (with_test(PROGRAM, input="2\n1\x002\n"), "damaged_test"),
        (with_test(PROGRAM, input="\ufeff2\n1 2\n"), "damaged_test"),
        ({**PROGRAM, "tests": [{"input": f"/data/{n}.in", "output": f"{n}"} for n in range(4)]},
         "damaged_test"),
        ({**PROGRAM, "tests": [{**one, "input": one["input"] + one["output"]}
                               for one in PROGRAM["tests"]]}, "answer_in_input"),
        ({**PROGRAM, "limits": {"time_s": 2000}}, "implausible_limits"),
        ({**PROGRAM, "limits": {"memory_mb": 268435456}}, "implausible_limits"),
        ({**PROGRAM, "limits": {"memory_mb": 1}}, "implausible_limits"),
        ({**FUNCTION, "starter_code": f"def {ENTRY}(a:\n    return (("}, "broken_starter"),
        ({**FUNCTION, "starter_code": f"public int {ENTRY}(int[] a) {{\n}}"}, "broken_starter"),
        ({**FUNCTION, "starter_code": FUNCTION["solutions"][0]["code"]}, "solution_in_statement"),
        ({**PROGRAM, "statement": PROGRAM["statement"].replace("n ≤ 1000", "n ≤ 9")},
         "tests_break_limits"),
    ],
)  # fmt: skip
def test_damage_drops_by_name(run: Run, row: Row, reason: str) -> None:
    assert outcome(run, row) == reason


GRIDS = [{"input": f"2 3\n{dots}\n...\n", "output": f"{n}"}
         for n, dots in enumerate(["#..", ".#.", "..#", "..."])]  # fmt: skip
ECHO = [{"input": f"2\n{n}\n{n + 1}\n", "output": f"{n + 1}\n"} for n in range(5)]
LAST = ("A clerk reads n numbers, each in a line of its own after n itself. Print the last one.\n\n"
        "## Sample Input 1\n\n```\n2\n7\n9\n```\n\n## Sample Output 1\n\n```\n9\n```")  # fmt: skip


@pytest.mark.parametrize(
    "row",
    [
        {**PROGRAM, "statement": "Count the dots of a grid and print how many.", "tests": GRIDS},
        {**PROGRAM, "statement": "Print Loading and three dots, n times.",
         "tests": [{"input": f"{n}\n", "output": "Loading...\n" * n} for n in (1, 2, 3)]},
        {**PROGRAM, "statement": LAST, "tests": ECHO},
        {**PROGRAM, "statement": f"{LAST}\n\n## Sample Input 2\n\n```\n1\nabcd\n```\n\n"
         "## Sample Output 2\n\n```\nabc...\n```",
         "tests": [*ECHO, {"input": "1\nabcd\n", "output": "abc...\n"}]},
        {**PROGRAM, "statement": "Print how the dominoes fall.", "tests": [
            {"input": text, "output": text} for text in ("R.L", ".L.R", "L.", "RL...")]},
        {**FUNCTION, "starter_code": f"def {ENTRY}(a):\n    "},
        {**FUNCTION, "starter_code": f"def {ENTRY}(a):\n    return "},
        {**PROGRAM, "limits": {"time_s": 60, "memory_mb": 4096}},
        {**PROGRAM, "statement": "\u200b".join(PROGRAM["statement"])},
    ],
)  # fmt: skip
def test_what_only_looks_like_damage_is_kept(run: Run, row: Row) -> None:
    assert isinstance(outcome(run, row), list)


@pytest.mark.parametrize(
    ("shown", "exact", "is_same"),
    [
        (0.33333, 1 / 3, True),
        ([1.33333, 0.5, -1.0], [4 / 3, 0.5, -1.0], True),
        (0.79688, 0.796875, True),
        (0.34, 1 / 3, False),
        (0.3, 1 / 3, False),  # one digit may be another number
        ([0.33333], [1 / 3, 2], False),
    ],
)
def test_an_example_may_show_fewer_digits(run: Run, shown: Any, exact: Any, is_same: bool) -> None:
    tests = [{"input": [n], "output": exact} for n in range(3)] + [{"input": [9], "output": 0.25}]
    row = {"statement": f"Compute the share.\n\n>>> share(1)\n{shown}", "entry_point": "share",
            "starter_code": "def share(n):\n    pass", "tests": tests}  # fmt: skip
    result = outcome(run, {"problem_id": "p", "kind": "call", **row})
    assert (result == "example_contradicts_tests") != is_same
    words = [{"input": f"{n}\n", "output": f"{exact}\n"} for n in range(3)]
    sample = f"Input:\n\n```\n1\n```\n\nOutput:\n\n```\n{shown}\n```"
    row = {"statement": f"Print the share.\n\n{sample}",
            "tests": [*words, {"input": "9\n", "output": "0.25\n"}]}  # fmt: skip
    result = outcome(run, {"problem_id": "p", "kind": "stdin", **row})
    if isinstance(shown, float):
        assert (result == "example_contradicts_tests") != is_same


@pytest.mark.parametrize(
    ("statement", "first", "holds"),
    [
        ("The first line contains an integer t (1 ≤ t ≤ 10^4), how many cases.", "10000", True),
        ("The first line contains an integer t (1 ≤ t ≤ 10^4), how many cases.", "10001", False),
        ("The first line has n and m (1 ≤ n, m ≤ 2·10^5).", "5 200000", True),
        ("The first line has n (2 ≤ n ≤ 2.5 × 10^5).", "5", True),
        ("The first line has n (1 ≤ n ≤ 3⋅10^5).", "4", True),
        ("The first line has n and m (1 ≤ n, m ≤ 2·10^5).", "5 200001", False),
        ("The first line has `x` with -5 < x < 5.", "-5", False),
        ("The first line has `x` with -5 < x < 5.", "-4", True),
        ("It holds that 1 ≤ N ≤ 100.\n\nThe input has the format:\n\n```\nN\nA_1 A_2\n```",
         "101", False),
        # Which number is which, or how large it may be, is not plain.
        ("The first line has a string s of n digits (1 ≤ n ≤ 9).", "12345", True),
        ("The first line has n integers, 1 ≤ n ≤ 9.", "12", True),
        ("The first line has a number. It holds that 1 ≤ a ≤ 9.", "12", True),
        ("The first line has n, 1 ≤ n ≤ 9. In half of the tests 1 ≤ n ≤ 5.", "12", True),
        ("The first line has n (1 ≤ n ≤ 2^31 - 1).", "99", True),
        ("The first line has n (1 ≤ n ≤ 100 000).", "99999", True),
        ("The first line has n and the weight (1 ≤ n ≤ 9).", "3 1000", True),
        # A bound counts where it is read whole.
        ("The first line has one number n (1 ≤ n ≤ 1 000). Print it.", "722", True),
        ("The first line has one number n (1 ≤ n ≤ 60 000). Print it.", "722", True),
        ("The first line has one number n (-10^4 ≤ n ≤ 10^4). Print it.", "5", True),
        ("The first line has one number n (−10^4 ≤ n ≤ 10^4). Print it.", "-5", True),
        ("The first line has one number n (1 ≤ n ≤ 60). Print it.", "722", False),
    ],
)  # fmt: skip
def test_first_lines_are_held_against_their_limits(statement: str, first: str, holds: bool) -> None:
    row = {"kind": "stdin", "tests": [{"input": f"{first}\n1 2 3\n", "output": "1\n"}]}
    assert (check_bounds(row, statement, []) is None) == holds


@given(low=st.integers(-99, 99), size=st.integers(1, 9), number=st.integers(-120, 120))
def test_a_number_within_its_limits_breaks_none(low: int, size: int, number: int) -> None:
    statement = f"The first line has k ({low} ≤ k ≤ {low + size})."
    row = {"kind": "stdin", "tests": [{"input": f"{number}\n", "output": "1\n"}]}
    assert (check_bounds(row, statement, []) is None) == (low <= number <= low + size)
