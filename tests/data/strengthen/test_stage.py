"""The stage adds tests that kill, keeps the old ones, and says where several answers are right."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from microcoder_data.recipe import Strengthen
from microcoder_data.strengthen.stage import StrengthenStage
from microcoder_eval.api import Judge
from microcoder_eval.formats import problem_from
from microcoder_eval.records import Verdict
from tests.commands import Command
from tests.data.lines import Row, Run, read, write
from tests.files import read_table

pytestmark = pytest.mark.slow

PROGRAMS = read_table(__file__)
RIGHT, ALSO_RIGHT = PROGRAMS["right"], PROGRAMS["also_right"]
LAST_INSTEAD_OF_FIRST = PROGRAMS["last_instead_of_first"]

QUICK = Strengthen(proposals=100, candidates=24)


def program(code: str, verdict: str = "AC") -> dict[str, str]:
    """One of a problem's own programs."""
    return {"code": code, "verdict": verdict}


def greatest(*programs: dict[str, str], **changes: Any) -> Row:
    """A problem: print the greatest number and the first place where it stands."""
    return {
        "problem_id": "greatest",
        "kind": "stdin",
        "statement": "Print the greatest number and its first place.",
        "tests": [
            {"input": "3\n1 5 2\n", "output": "5 2\n"},
            {"input": "4\n4 3 9 1\n", "output": "9 3\n"},
            {"input": "2\n2 20\n", "output": "20 2\n"},
        ],
        "solutions": list(programs),
        **changes,
    }


def add_tests(run: Run, row: Row, recipe: Strengthen = QUICK, seed: int = 0) -> Row:
    """The row as the stage writes it."""
    rows, dropped, _ = run(StrengthenStage(recipe, seed), row)
    assert dropped == {}
    return rows[0]


TWO_RIGHT = program(RIGHT), program(ALSO_RIGHT)


def test_old_tests_stay_and_new_ones_kill_an_unseen_program_and_say_how_they_were_made(
    run: Run, judge: Judge
) -> None:
    row = greatest(*TWO_RIGHT)
    strong_row = add_tests(run, row)
    old, new = problem_from(row), problem_from(strong_row)
    assert judge.judge(LAST_INSTEAD_OF_FIRST, old).passed
    assert not judge.judge(LAST_INSTEAD_OF_FIRST, new).passed
    assert judge.judge(RIGHT, new).passed
    old_count = len(row["tests"])
    assert strong_row["tests"][:old_count] == row["tests"]
    new_tests = strong_row["tests"][old_count:]
    assert len(new_tests) == strong_row["strengthened"]["added"] > 0
    assert all(test["origin"].startswith("strengthen: ") for test in new_tests)
    assert "single_reference" not in strong_row.get("findings", [])


def test_samples_without_a_label_decide_nothing_beside_a_right_program(
    run: Run, tmp_path: Path
) -> None:
    line = {"problem_id": "greatest", "solution_id": "s", "code": LAST_INSTEAD_OF_FIRST}
    solutions = str(write(tmp_path / "samples.jsonl", [line]))
    rows, _, _ = run(StrengthenStage(QUICK, solutions=solutions), greatest(program(RIGHT)))
    assert rows[0] == add_tests(run, greatest(program(RIGHT)))


def test_another_seed_gives_other_tests(run: Run) -> None:
    row = greatest(*TWO_RIGHT)
    assert add_tests(run, row) != add_tests(run, row, seed=1)


def test_an_input_on_which_right_programs_disagree_is_no_test_but_evidence(run: Run) -> None:
    row = greatest(program(RIGHT), program(LAST_INSTEAD_OF_FIRST))
    strong_row = add_tests(run, row)
    assert "needs_checker" in strong_row["findings"]
    evidence = strong_row["strengthened"]["needs_checker"]
    assert evidence["disagreements"][0]["other_program"] == "greatest#own2"
    for test in strong_row["tests"]:
        numbers = list(map(int, test["input"].split("\n")[1].split()))
        assert numbers.count(max(numbers)) == 1


def test_a_validator_decides_which_inputs_are_tests(run: Run) -> None:
    only_odd = "n = int(input())\na = input().split()\nexit(42 if n % 2 and len(a) == n else 43)"
    validator = {"source": only_odd, "language": "python", "protocol": "kattis"}
    strong_row = add_tests(run, greatest(program(RIGHT), validator=validator))
    new_tests = [test for test in strong_row["tests"] if "origin" in test]
    assert new_tests
    assert all(int(test["input"].split()[0]) % 2 for test in new_tests)


COUNT = "class Solution:\n    def count(self, nums, k):\n        return sum(x < k for x in nums)"
BELOW = {
    "problem_id": "below",
    "kind": "call",
    "statement": "Return it.",
    "entry_point": "count",
    "tests": [{"input": [[1, 5, 3], 4], "output": 2}, {"input": [[2, 9], 2], "output": 0}],
    "solutions": [program(COUNT)],
}


def test_a_validator_of_texts_decides_nothing_about_calls(run: Run) -> None:
    row = BELOW | {"statement": "Return how many numbers are below k."}
    validator = {"source": "exit(0)", "language": "python", "protocol": "testlib"}
    assert add_tests(run, row | {"validator": validator})["tests"] == add_tests(run, row)["tests"]


def test_a_call_gets_tests_too(run: Run) -> None:
    new_tests = [test for test in add_tests(run, BELOW)["tests"] if "origin" in test]
    assert new_tests
    for test in new_tests:
        numbers, bound = test["input"]
        assert test["output"] == sum(x < bound for x in numbers)


def test_the_greatest_magnitudes_are_among_the_added_tests(run: Run, judge: Judge) -> None:
    """A recursion that is too deep fails on the greatest numbers only."""
    row = {
        "problem_id": "sum",
        "kind": "call",
        "entry_point": "f",
        "statement": "Return the sum of the numbers from 1 to n.",
        "tests": [{"input": [n], "output": n * (n + 1) // 2} for n in (30, 100, 5, 10, 1)],
        "solutions": [program("def f(n):\n    return sum(range(n + 1))")],
    }
    strong_row = add_tests(run, row, Strengthen(proposals=100, large=0))
    recursive = "def f(n):\n    return n + f(n - 1) if n > 1 else n"
    assert judge.judge(recursive, problem_from(row)).passed
    assert not judge.judge(recursive, problem_from(strong_row)).passed


PRIME = PROGRAMS["prime"]
RANDOM_PRIME = PRIME.replace("all(", "random.random() < 2 and all(")
GUESS = PRIME.replace("all(", "(n < 20 or random.random() < 0.5) and all(")


@pytest.mark.parametrize(("code", "most"), [(RANDOM_PRIME, 10**6), (GUESS, 19)])
def test_a_right_program_may_draw_random_numbers_that_do_not_change_its_answers(
    run: Run, code: str, most: int
) -> None:
    row = {
        "problem_id": "prime",
        "kind": "call",
        "entry_point": "f",
        "statement": "Whether n is a prime.",
        "tests": [{"input": [n], "output": n in (7, 11)} for n in (7, 9, 11, 12, 15)],
        "solutions": [program(code)],
    }
    strong_row = add_tests(run, row)
    added = [test["input"][0] for test in strong_row["tests"][5:]]
    primes = [n for n in added if n > 1 and all(n % d for d in range(2, n))]
    assert primes
    assert max(primes) <= most
    assert strong_row["strengthened"]["references"] == 1
    assert add_tests(run, row) == strong_row


def test_a_right_program_that_is_too_slow_for_a_stored_test_vouches_for_smaller_ones(
    run: Run,
) -> None:
    slow = RIGHT + "while n > 5: pass\n"
    tests = [*greatest()["tests"], {"input": "6\n1 2 3 4 5 7\n", "output": "7 6\n"}]
    row = greatest(program(slow), tests=tests, limits={"time_s": 0.5})
    strong_row = add_tests(run, row)
    added = strong_row["tests"][len(tests) :]
    assert added
    assert all(int(test["input"].split()[0]) < 6 for test in added)


def test_one_right_program_is_enough_and_is_told_even_if_it_opens_descriptor_0(run: Run) -> None:
    code = "n, *a = map(int, open(0).read().split())\nprint(max(a), a.index(max(a)) + 1)"
    strong_row = add_tests(run, greatest(program(code)))
    assert strong_row["strengthened"]["added"] > 0
    assert "single_reference" in strong_row["findings"]


def test_statement_bounds_widen_what_was_seen(run: Run) -> None:
    row = {
        "problem_id": "double",
        "kind": "stdin",
        "statement": "The first line has n.\n\n1 ≤ n ≤ 100\n",
        "tests": [{"input": "5\n", "output": "10\n"}, {"input": "7\n", "output": "14\n"}],
        "solutions": [program("print(2 * int(input()))")],
    }
    numbers = [int(test["input"]) for test in add_tests(run, row)["tests"]]
    assert max(numbers) > 7
    assert all(1 <= number <= 100 for number in numbers)


def test_a_program_that_is_only_too_slow_fails_on_a_large_test(run: Run, judge: Judge) -> None:
    read_at_once = "n, *a = map(int, open(0).read().split())\nprint(max(a), a.index(max(a)) + 1)"
    statement = "The first line has n (1 ≤ n ≤ 10^5). Print the greatest number and its place."
    row = greatest(program(read_at_once), *TWO_RIGHT, statement=statement)
    strong_row = add_tests(run, row)
    large = [test for test in strong_row["tests"] if "large" in test.get("origin", "")]
    assert 0 < len(large) == strong_row["strengthened"]["large"] <= 3
    assert all(10_000 < len(test["input"]) <= 2048 * 1024 for test in large)
    problem = problem_from({**strong_row, "limits": {"time_s": 1.0}})
    assert judge.judge(PROGRAMS["slow"], problem_from(row)).passed
    judgement = judge.judge(PROGRAMS["slow"], problem)
    assert judgement.first_failure is not None
    assert strong_row["tests"][judgement.first_failure[0]] in large


TOO_SLOW = read(Path(__file__).parent / "too_slow.jsonl")
# Random values break their rules, so no large input is valid; docs/strengthen.md says so.
NOT_REACHED = {
    "range-sums": "its list has no name, so the bounds of l and r are not found",
}
CASES = [
    pytest.param(
        case,
        id=case["problem_id"],
        marks=[pytest.mark.xfail(strict=True, reason=NOT_REACHED[case["problem_id"]])]
        if case["problem_id"] in NOT_REACHED
        else [],
    )
    for case in TOO_SLOW
]


@pytest.mark.parametrize("case", CASES)
def test_programs_that_are_too_slow_for_the_bounds_of_a_statement_are_refused(
    run: Run, case: Row, judge: Judge
) -> None:
    """Each problem has few small tests, which its slow program passes."""
    row = dict(case)
    slow = row.pop("slow")
    strong_row = add_tests(run, row, Strengthen(proposals=0, large=1))
    large = [test for test in strong_row["tests"] if "large" in test.get("origin", "")]
    assert large
    assert judge.judge(slow, problem_from(row)).passed
    one_second = {**row, "tests": large, "limits": {"time_s": 1.0}}  # less than the problem's own
    judgement = judge.judge(slow, problem_from(one_second))
    assert judgement.verdict is Verdict.TLE
    for solution in row["solutions"]:
        assert judge.judge(solution["code"], problem_from(strong_row)).passed


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"solutions": []}, "no program is known to be right"),
        ({"tests": [{"input": "1\n3\n"}]}, "a test has no output; verify makes it"),
        (
            {"statement": "Print the greatest. It is guaranteed that it is odd."},
            "nothing checks a promise of the statement: It is guaranteed that it is odd.",
        ),
        ({"statement": ""}, "without a statement, nothing says what an input may be"),
    ],
)
def test_a_problem_that_cannot_be_strengthened_passes_unchanged(
    run: Run, changes: Row, reason: str
) -> None:
    row = greatest(program(RIGHT), **changes)
    strong_row = add_tests(run, row)
    assert strong_row.pop("strengthened") == {"skipped": reason}
    assert strong_row["tests"] == row["tests"]


def test_no_comparer_is_proposed_that_a_wrong_program_passes(run: Run) -> None:
    lines = "n = int(input())\na = list(map(int, input().split()))\n"
    row = {
        "problem_id": "reverse",
        "kind": "stdin",
        "statement": "Print the numbers in any order.",
        "tests": [
            {"input": "1\n4\n", "output": "4\n"},
            {"input": "3\n1 2 3\n", "output": "3\n2\n1\n"},
        ],
        "solutions": [
            program(lines + "for x in a[::-1]: print(x)"),
            program(lines + "for x in sorted(a): print(x)"),
            program(lines + "for x in a: print(x)", "WA"),
        ],
    }
    evidence = add_tests(run, row)["strengthened"]["needs_checker"]
    assert "checker" not in evidence


def test_the_command_resumes_and_the_same_seed_gives_the_same_bytes(command: Command) -> None:
    rows = [greatest(program(RIGHT), problem_id=f"greatest{number}") for number in range(3)]
    write(Path("in.jsonl"), rows)
    Path("r.toml").write_text("[strengthen]\ncandidates = 10\n")
    words = ("strengthen", "in.jsonl", "--recipe", "r.toml", "--workers", "1", "-o")
    assert command(*words, "a.jsonl")[0] == 0
    assert command(*words, "b.jsonl", "--resume")[0] == 0
    assert Path("a.jsonl").read_bytes() == Path("b.jsonl").read_bytes()
    assert len(read(Path("a.jsonl"))) == 3
