"""Figures of a report, on judgements made by hand."""

from __future__ import annotations

from microcoder_eval.records import Solution, TestResult, Verdict
from microcoder_eval.report.figures import LIST_LENGTH, SECONDS, FailedTest, Figures
from tests.report.making import a_test, judged

AC, WA, TLE, JE = Verdict.AC, Verdict.WA, Verdict.TLE, Verdict.JE


def solution(number: int, problem_id: str = "p") -> Solution:
    return Solution(problem_id, f"s{number}", code="x")


def test_a_solution_counts_in_the_bin_of_its_slowest_test() -> None:
    figures = Figures()
    figures.add(0, judged(solution(0), a_test(AC, 0.01), a_test(AC, 0.4)))
    figures.add(1, judged(solution(1), a_test(AC, 0.5), a_test(TLE, 99.0)))
    assert figures.times.accepted[SECONDS.index(0.5)] == 1
    assert figures.times.others[-1] == 1
    assert figures.times.total == 2


def test_memory_that_was_not_measured_is_not_counted() -> None:
    figures = Figures()
    figures.add(0, judged(solution(0), a_test(AC, memory_mb=None)))
    figures.add(1, judged(solution(1), a_test(AC, memory_mb=None), a_test(AC, memory_mb=3.0)))
    assert figures.memory.total == 1


def test_the_slowest_come_first_and_of_equals_the_first_in_the_file() -> None:
    figures = Figures()
    for position in range(3 * LIST_LENGTH):
        figures.add(position, judged(solution(position), a_test(AC, float(position % 3))))
    slowest = figures.list_slowest()
    assert slowest == [(2 + 3 * n, 2.0) for n in range(LIST_LENGTH)]


def test_tests_are_listed_by_how_many_programs_failed_them() -> None:
    figures = Figures()
    figures.add(0, judged(solution(0), a_test(AC), a_test(WA), a_test(WA)))
    figures.add(1, judged(solution(1), a_test(AC), a_test(AC), a_test(TLE)))
    figures.add(2, judged(solution(2), a_test(AC), a_test(WA), TestResult(None)))  # stopped there
    figures.add(3, judged(solution(3, "other"), a_test(WA)))
    assert figures.list_most_failed() == [
        FailedTest("p", 3, failures=2, runs=2),
        FailedTest("p", 2, failures=2, runs=3),
        FailedTest("other", 1, failures=1, runs=1),
    ]


def test_what_the_judge_failed_at_is_in_no_figure() -> None:
    figures = Figures()
    figures.add(0, judged(solution(0), a_test(JE, 5.0), a_test(AC), verdict=JE))
    figures.add(1, judged(solution(1), verdict=Verdict.CE))
    assert (figures.times.total, figures.list_slowest(), figures.list_most_failed()) == (0, [], [])


def test_methods_that_accepted_are_counted_by_test() -> None:
    figures = Figures()
    figures.add(0, judged(solution(0), a_test(AC), a_test(AC, matched_by="tokens"), a_test(WA)))
    assert figures.methods == {"exact": 1, "tokens": 1}
