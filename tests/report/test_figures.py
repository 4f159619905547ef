"""Figures of a report, on judgements made by hand."""

from __future__ import annotations

from microcoder_eval.records import Solution, TestResult, Verdict
from microcoder_eval.report.figures import SECONDS, Figures
from tests.report.making import make_judgement, make_test

AC, WA, TLE, JE = Verdict.AC, Verdict.WA, Verdict.TLE, Verdict.JE


def solution(number: int, problem_id: str = "p") -> Solution:
    return Solution(problem_id, f"s{number}", code="x")


def test_a_solution_counts_in_the_bin_of_its_slowest_test() -> None:
    figures = Figures()
    figures.add(make_judgement(solution(0), make_test(AC, 0.01), make_test(AC, 0.4)))
    figures.add(make_judgement(solution(1), make_test(AC, 0.5), make_test(TLE, 99.0)))
    assert figures.times.accepted[SECONDS.index(0.5)] == 1
    assert figures.times.others[-1] == 1
    assert figures.times.total == 2


def test_memory_that_was_not_measured_is_not_counted() -> None:
    figures = Figures()
    figures.add(make_judgement(solution(0), make_test(AC, memory_mb=None)))
    figures.add(
        make_judgement(solution(1), make_test(AC, memory_mb=None), make_test(AC, memory_mb=3.0))
    )
    assert figures.memory.total == 1


def test_the_failures_and_runs_of_each_test_are_counted() -> None:
    figures = Figures()
    figures.add(make_judgement(solution(0), make_test(AC), make_test(WA), make_test(WA)))
    figures.add(make_judgement(solution(1), make_test(AC), make_test(AC), make_test(TLE)))
    figures.add(
        make_judgement(solution(2), make_test(AC), make_test(WA), TestResult(None))
    )  # stopped there
    figures.add(make_judgement(solution(3, "other"), make_test(WA)))
    assert [(name, [*p.failures], [*p.runs]) for name, p in figures.problems.items()] == [
        ("p", [0, 2, 2], [3, 3, 2]),
        ("other", [1], [1]),
    ]


def test_what_the_judge_failed_at_is_in_no_figure() -> None:
    figures = Figures()
    figures.add(make_judgement(solution(0), make_test(JE, 5.0), make_test(AC), verdict=JE))
    figures.add(make_judgement(solution(1), verdict=Verdict.CE))
    assert figures.times.total == 0


def test_methods_that_accepted_are_counted_by_test() -> None:
    figures = Figures()
    figures.add(
        make_judgement(
            solution(0), make_test(AC), make_test(AC, matched_by="tokens"), make_test(WA)
        )
    )
    assert figures.methods == {"exact": 1, "tokens": 1}
