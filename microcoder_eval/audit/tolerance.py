"""Measures how loose a comparer is: whether it accepts a number near the expected one."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from microcoder_eval.records import Kind, Problem
from microcoder_sandbox import record

from .expected_answers import ExpectedAnswers, format_answer
from .expected_numbers import Number, find_numbers
from .findings import Finding, Severity

_TESTS = 20  # tests checked of each problem
_MANY_DECIMALS = 5  # an exact number rarely has so many

TestNumber = tuple[int, Number]  # a test and a number in its expected answer


@record
class _Probe:
    """Another number to try in place of an expected one, and what is wrong with the comparer if it
    accepts it or, where ``is_right``, refuses it."""

    make: Callable[[Number], Any]
    meaning: str
    is_right: bool = False


_NEXT_INTEGER = _Probe(
    lambda number: number.value + 1, "the tolerance takes one whole number for another"
)
# No judge should accept an answer that is wrong by 1 %.
_ONE_PERCENT = _Probe(lambda number: number.value * 1.01, "the tolerance covers an error of 1 %")
# One more digit in a text; other last digits of a value, as another order of summation may give.
_LAST_DIGIT = _Probe(
    lambda number: number.value * (1 + 1e-12) if number.is_value else f"{number.text}1",
    "real numbers are compared to the last digit",
    is_right=True,
)


def find_suspicious_tolerance(problem: Problem, answers: ExpectedAnswers) -> Iterator[Finding]:
    """Find comparers that accept clearly wrong numbers, or refuse clearly right ones.

    Runs no program, and skips checkers given as source.
    """
    if answers.comparer is None:
        return
    numbers_by_test = [find_numbers(answer) for answer in answers.expected[:_TESTS]]
    reals = _find_largest(numbers_by_test, is_real=True)
    if problem.kind is not Kind.ASSERT:  # its comparisons are exact
        integers = _find_largest(numbers_by_test, is_real=False)
        if neighbours := _find_faults(answers, integers, _NEXT_INTEGER):
            # If other answers are real numbers, an integer may be one too.
            severity = Severity.NOTE if reals else Severity.WARNING
            yield _make_finding(answers, neighbours[0], _NEXT_INTEGER, severity)
        loose = _find_faults(answers, reals, _ONE_PERCENT)
        if len(loose) * 2 > len(reals):
            yield _make_finding(answers, loose[0], _ONE_PERCENT, Severity.WARNING)
    refusals = _find_faults(answers, reals, _LAST_DIGIT)
    if len(refusals) * 2 > len(reals):
        worst = max(refusals, key=lambda candidate: candidate[1].decimals)
        # Few digits, as in prices, are only a note; most assertions compare exact numbers (0.5).
        if worst[1].decimals >= _MANY_DECIMALS:
            yield _make_finding(answers, worst, _LAST_DIGIT, Severity.WARNING)
        elif problem.kind is not Kind.ASSERT:
            yield _make_finding(answers, worst, _LAST_DIGIT, Severity.NOTE)


def _find_largest(numbers_by_test: list[list[Number]], *, is_real: bool) -> list[TestNumber]:
    """Find each test's number with the largest absolute value: a relative tolerance allows most
    there, and an absolute tolerance least."""
    largest = []
    for test, numbers in enumerate(numbers_by_test):
        candidates = [n for n in numbers if n.is_real is is_real and (n.value or not is_real)]
        if candidates:
            largest.append((test, max(candidates, key=lambda number: abs(number.value))))
    return largest


def _find_faults(
    answers: ExpectedAnswers, candidates: list[TestNumber], probe: _Probe
) -> list[TestNumber]:
    """Return the numbers for which the comparer does with the probe what it should not."""
    return [
        (test, number)
        for test, number in candidates
        if probe.is_right
        != answers.accepts(number.replace(probe.make(number)), answers.expected[test])
    ]


def _make_finding(
    answers: ExpectedAnswers, candidate: TestNumber, probe: _Probe, severity: Severity
) -> Finding:
    test, number = candidate
    probed, comparer = str(probe.make(number)), answers.comparer
    verb = "is refused" if probe.is_right else "passes"
    assert comparer is not None
    return Finding(
        "suspicious_tolerance",
        f"{probe.meaning}: {probed} {verb} where test {test + 1} expects {number.text}",
        {
            "test": test + 1,
            "number": number.text,
            "other": probed,
            "accepted": not probe.is_right,
            "expected": format_answer(answers.expected[test]),
            "compare": comparer.name,
            "options": dict(comparer.options),
        },
        severity,
    )
