"""Figures of a report, on judgements made by hand."""

from __future__ import annotations

from microcoder_eval.records import Solution, TestResult, Verdict
from microcoder_eval.report.figures import SECONDS, Figures
from tests.report.making import a_test, judged

AC, WA, TLE, JE = Verdict.AC, Verdict.WA, Verdict.TLE, Verdict.JE


def solution(number: int, problem_id: str = "p") -> Solution:
    return Solution(problem_id, f"s{number}", code="x")


def test_a_solution_counts_in_the_bin_of_its_slowest_test() -> None:
    figures = Figures()
    figures.add(judged(solution(0), a_test(AC, 0.01), a_test(AC, 0.4)))
    figures.add(judged(solution(1), a_test(AC, 0.5), a_test(TLE, 99.0)))
    assert figures.times.accepted[SECONDS.index(0.5)] == 1
    assert figures.times.others[-1] == 1
    assert figures.times.total == 2


def test_memory_that_was_not_measured_is_not_counted() -> None:
    figures = Figures()
    figures.add(judged(solution(0), a_test(AC, memory_mb=None)))
    figures.add(judged(solution(1), a_test(AC, memory_mb=None), a_test(AC, memory_mb=3.0)))
    assert figures.memory.total == 1


def test_the_failures_and_runs_of_each_test_are_counted() -> None:
    figures = Figures()
    figures.add(judged(solution(0), a_test(AC), a_test(WA), a_test(WA)))
    figures.add(judged(solution(1), a_test(AC), a_test(AC), a_test(TLE)))
    figures.add(judged(solution(2), a_test(AC), a_test(WA), TestResult(None)))  # stopped there
    figures.add(judged(solution(3, "other"), a_test(WA)))
    assert [(name, [*p.failures], [*p.runs]) for name, p in figures.problems.items()] == [
        ("p", [0, 2, 2], [3, 3, 2]),
        ("other", [1], [1]),
    ]


def test_what_the_judge_failed_at_is_in_no_figure() -> None:
    figures = Figures()
    figures.add(judged(solution(0), a_test(JE, 5.0), a_test(AC), verdict=JE))
    figures.add(judged(solution(1), verdict=Verdict.CE))
    assert figures.times.total == 0


def test_methods_that_accepted_are_counted_by_test() -> None:
    figures = Figures()
    figures.add(judged(solution(0), a_test(AC), a_test(AC, matched_by="tokens"), a_test(WA)))
    assert figures.methods == {"exact": 1, "tokens": 1}
