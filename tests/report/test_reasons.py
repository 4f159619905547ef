"""Why programs fail, in the words of the report."""

from __future__ import annotations

import pytest

from microcoder_eval.cli.failures import Failures
from microcoder_eval.formats import problem_from
from microcoder_eval.records import Solution, Verdict
from microcoder_eval.report.figures import MAX_REASONS, Figures, find_reason
from tests.files import read_table
from tests.report.making import gather, make_judgement, make_test, text_of
from tests.report.parsing import parse_page

TABLE = read_table(__file__)
AC, WA, RE, TLE = Verdict.AC, Verdict.WA, Verdict.RE, Verdict.TLE
PROGRAM = Solution("p", "s", code="x")


def reason(verdict: Verdict, detail: str | None) -> str | None:
    return find_reason(make_judgement(PROGRAM, make_test(AC), make_test(verdict, detail=detail)))


@pytest.mark.parametrize(
    ("detail", "name"),
    [
        *TABLE["run_time_errors"].items(),
        (None, "another message on standard error"),
    ],
)
def test_run_time_errors_are_grouped_by_exception(detail: str | None, name: str) -> None:
    assert reason(RE, detail) == name


@pytest.mark.parametrize(
    ("detail", "name"),
    [
        *TABLE["wrong_answers"].items(),
        (None, "something else"),
    ],
)  # fmt: skip
def test_wrong_answers_are_grouped_by_what_differs(detail: str | None, name: str) -> None:
    assert reason(WA, detail) == name


def test_other_verdicts_speak_for_themselves() -> None:
    assert reason(TLE, "7.50 s of CPU time, limit 6 s") is None
    assert reason(AC, None) is None


def test_the_page_counts_reasons_the_most_frequent_first() -> None:
    tests = [
        make_test(WA, detail="got None, expected 1"),
        make_test(RE, detail="ValueError: x"),
        make_test(RE, detail="KeyError: 1"),
        make_test(RE, detail="KeyError: 2"),
    ]
    entries = [
        (make_judgement(Solution("p", f"s{n}"), test), None, None) for n, test in enumerate(tests)
    ]
    words = "\n".join(parse_page(text_of(*gather(*entries))).texts)
    assert "Why programs are RE or WA" in words
    others = "WA\nNone is returned\n1\n25.0 %\nRE\nValueError\n1\n25.0 %"
    assert f"RE\nKeyError\n2\n50.0 %\n{others}" in words


def test_programs_that_invent_exceptions_do_not_fill_memory() -> None:
    figures = Figures()
    for number in range(MAX_REASONS + 50):
        figures.add(make_judgement(PROGRAM, make_test(RE, detail=f"Error{number}: x")))
    assert len(figures.reasons) == MAX_REASONS + 1
    assert figures.reasons["RE", "another reason"] == 50


def test_the_terminal_tells_the_value_of_an_assertion_once() -> None:
    code = "def check(candidate):\n    assert candidate(1, 2) == 3\ncheck(add)\n"
    problem = problem_from({"problem_id": "he", "entry_point": "add", "test_code": code})
    solution = Solution("he", "s", code="def add(a, b): pass")
    failures = Failures(max_shown=10)
    test = make_test(WA, detail="candidate(1, 2) == 3: got None")
    failures.add(0, make_judgement(solution, test, problem=problem), problem, solution)
    lines = failures.list_lines()
    assert lines[1:] == [
        "  input     candidate(1, 2) == 3",
        "  expected  3",
        "  got       None",
        "",
    ]
