"""Why programs fail, in the words of the report."""

from __future__ import annotations

import pytest

from microcoder_eval.cli.failures import Failures
from microcoder_eval.formats import problem_from
from microcoder_eval.records import Solution, Verdict
from microcoder_eval.records.details import PROMPT_NOTE
from microcoder_eval.report.figures import MAX_REASONS, Figures, find_reason
from tests.report.making import a_test, gathered, judged, text_of
from tests.report.parsing import parsed

AC, WA, RE, TLE = Verdict.AC, Verdict.WA, Verdict.RE, Verdict.TLE
PROGRAM = Solution("p", "s", code="x")


def reason(verdict: Verdict, detail: str | None) -> str | None:
    return find_reason(judged(PROGRAM, a_test(AC), a_test(verdict, detail=detail)))


@pytest.mark.parametrize(
    ("detail", "found"),
    [
        ("IndexError: list index out of range", "IndexError"),
        ("IndexError: pop from empty list", "IndexError"),
        ("json.decoder.JSONDecodeError: Expecting value", "json.decoder.JSONDecodeError"),
        ("AssertionError", "AssertionError"),
        ("Uncaught ReferenceError: x is not defined", "ReferenceError"),
        ('Exception in thread "main" java.lang.StackOverflowError', "java.lang.StackOverflowError"),
        ("Caused by: a.B$C: x", "a.B$C"),
        ("panic: runtime error: x", "panic"),
        ("assert f(x) == {1: 2}[x]: KeyError: 3", "KeyError"),
        ("exit status 3", "exit status 3"),
        ("signal 11 (SIGSEGV)", "signal 11 (SIGSEGV)"),
        ("signal 6 (SIGABRT): what():  x", "signal 6 (SIGABRT)"),
        ("the result cannot be compared: it is a generator", "the result cannot be compared"),
        ("what a program says before exit(1)", "another message on standard error"),
        (None, "another message on standard error"),
    ],
)
def test_run_time_errors_are_grouped_by_exception(detail: str | None, found: str) -> None:
    assert reason(RE, detail) == found


@pytest.mark.parametrize(
    ("detail", "found"),
    [
        ('no output, expected "4"', "no output"),
        ('the output ends too early, expected "3" next', "the output ends too early"),
        ('line 4, token 1: "4" is more than is expected', "more output than expected"),
        ('line 1, token 1: got "5", expected "4"', "another number"),
        ('line 1, token 1: got "four", expected "4"', "text in place of a number"),
        ('line 1, token 1: got "YES", expected "Yes"', "upper and lower case"),
        ('line 1, token 1: got "no", expected "yes"', "another text"),
        ('only white space differs: line 1: "a  b", not "a b"', "only the layout differs"),
        (f'line 1, token 1: got "N:", expected "4"{PROMPT_NOTE}',
         "only the prompt of input() is too much"),
        ("got None, expected [1]", "None is returned"),
        ("candidate(1, 2) == 3: got None", "None is returned"),
        ("candidate(1, 2) == 3: got -1", "another value"),
        ("got 5, expected -3", "another value"),
        ("got False, expected True", "another value"),
        ("got '5', expected 5", "another type"),
        ('assert cache.get("b") is None: AssertionError: ', "an assertion"),
        ("AssertionError: 3 != 4", "an assertion"),
        ("what a checker says", "something else"),
        (None, "something else"),
    ],
)  # fmt: skip
def test_wrong_answers_are_grouped_by_what_differs(detail: str | None, found: str) -> None:
    assert reason(WA, detail) == found


def test_other_verdicts_speak_for_themselves() -> None:
    assert reason(TLE, "7.50 s of CPU time, limit 6 s") is None
    assert reason(AC, None) is None


def test_the_page_counts_reasons_the_most_frequent_first() -> None:
    tests = [
        a_test(WA, detail="got None, expected 1"),
        a_test(RE, detail="ValueError: x"),
        a_test(RE, detail="KeyError: 1"),
        a_test(RE, detail="KeyError: 2"),
    ]
    found = [(judged(Solution("p", f"s{n}"), test), None, None) for n, test in enumerate(tests)]
    words = "\n".join(parsed(text_of(*gathered(*found))).texts)
    assert "Why programs are RE or WA" in words
    others = "WA\nNone is returned\n1\n25.0 %\nRE\nValueError\n1\n25.0 %"
    assert f"RE\nKeyError\n2\n50.0 %\n{others}" in words


def test_programs_that_invent_exceptions_do_not_fill_memory() -> None:
    figures = Figures()
    for number in range(MAX_REASONS + 50):
        figures.add(judged(PROGRAM, a_test(RE, detail=f"Error{number}: x")))
    assert len(figures.reasons) == MAX_REASONS + 1
    assert figures.reasons["RE", "another reason"] == 50


def test_the_terminal_tells_the_value_of_an_assertion_once() -> None:
    code = "def check(candidate):\n    assert candidate(1, 2) == 3\ncheck(add)\n"
    problem = problem_from({"problem_id": "he", "entry_point": "add", "test_code": code})
    solution = Solution("he", "s", code="def add(a, b): pass")
    failures = Failures(max_shown=10)
    test = a_test(WA, detail="candidate(1, 2) == 3: got None")
    failures.add(0, judged(solution, test, problem=problem), problem, solution)
    lines = failures.list_lines()
    assert lines[1:] == [
        "  input     candidate(1, 2) == 3",
        "  expected  3",
        "  got       None",
        "",
    ]
