"""Measures how loose a comparer is: whether it accepts a number near the expected one."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from microcoder_eval.records import Kind, Problem

from .expected_answers import ExpectedAnswers, format_answer
from .expected_numbers import Number, find_numbers
from .findings import Finding, Severity

_TESTS = 20  # tests checked of each problem
_WRONG_FACTOR = 1.01  # an answer wrong by 1 %, which no judge should accept
_MANY_DECIMALS = 5  # an exact number rarely has so many
_LAST_DIGITS_FACTOR = 1 + 1e-12  # changes the last digits, as another order of summation may

TestNumber = tuple[int, Number]  # a test and a number in its expected answer
Probe = Callable[[Number], Any]  # returns another number to try


def find_suspicious_tolerance(problem: Problem, answers: ExpectedAnswers) -> Iterator[Finding]:
    """Find comparers that accept clearly wrong numbers, or refuse clearly right ones.

    Runs no program, and skips checkers given as source.
    """
    if answers.comparer is None:
        return
    numbers_by_test = [find_numbers(answer) for answer in answers.expected[:_TESTS]]
    integers = _find_largest(numbers_by_test, is_real=False)
    reals = _find_largest(numbers_by_test, is_real=True)
    if problem.kind is not Kind.ASSERT:  # its comparisons are exact
        yield from _find_too_loose(answers, integers, reals)
    yield from _find_too_strict(problem, answers, reals)


def _find_too_strict(
    problem: Problem, answers: ExpectedAnswers, reals: list[TestNumber]
) -> Iterator[Finding]:
    """Find comparers that refuse an answer with one more digit. Few digits, as in prices, give only
    a note."""
    refusals = [c for c in reals if not _passes(answers, c, _add_digit)]
    refusals.sort(key=lambda candidate: -candidate[1].decimals)
    if len(refusals) * 2 > len(reals):
        has_many_decimals = refusals[0][1].decimals >= _MANY_DECIMALS
        if problem.kind is Kind.ASSERT and not has_many_decimals:
            return  # most assertions compare exact numbers such as 0.5
        yield _make_finding(
            answers, refusals[0], _add_digit,
            Severity.WARNING if has_many_decimals else Severity.NOTE, "is refused where",
            "real numbers are compared to the last digit",
        )  # fmt: skip


def _find_too_loose(
    answers: ExpectedAnswers,
    integers: list[TestNumber],
    reals: list[TestNumber],
) -> Iterator[Finding]:
    neighbours = [candidate for candidate in integers if _passes(answers, candidate, _add_one)]
    if neighbours:
        # If other answers are real numbers, an integer may be one too.
        severity = Severity.NOTE if reals else Severity.WARNING
        yield _make_finding(
            answers, neighbours[0], _add_one, severity, "passes where",
            "the tolerance takes one whole number for another",
        )  # fmt: skip
    loose = [candidate for candidate in reals if _passes(answers, candidate, _add_one_percent)]
    if len(loose) * 2 > len(reals):
        yield _make_finding(
            answers, loose[0], _add_one_percent, Severity.WARNING, "passes where",
            "the tolerance covers an error of 1 %",
        )  # fmt: skip


def _find_largest(numbers_by_test: list[list[Number]], *, is_real: bool) -> list[TestNumber]:
    """Find each test's number with the largest absolute value: a relative tolerance allows most
    there, and an absolute tolerance least."""
    largest = []
    for test, numbers in enumerate(numbers_by_test):
        candidates = [n for n in numbers if n.is_real is is_real and (n.value or not is_real)]
        if candidates:
            largest.append((test, max(candidates, key=lambda number: abs(number.value))))
    return largest


def _add_one(number: Number) -> Any:
    assert isinstance(number.value, int)
    return number.value + 1


def _add_one_percent(number: Number) -> float:
    return number.value * _WRONG_FACTOR


def _add_digit(number: Number) -> Any:
    """Add a digit to a number in text; change the last digits of a value."""
    return number.value * _LAST_DIGITS_FACTOR if number.is_value else f"{number.text}1"


def _passes(answers: ExpectedAnswers, candidate: TestNumber, probe: Probe) -> bool:
    test, number = candidate
    return answers.accepts(number.replace(probe(number)), answers.expected[test])


def _make_finding(
    answers: ExpectedAnswers,
    candidate: TestNumber,
    probe: Probe,
    severity: Severity,
    verb: str,
    meaning: str,
) -> Finding:
    test, number = candidate
    probed = str(probe(number))
    comparer = answers.comparer
    assert comparer is not None
    return Finding(
        "suspicious_tolerance",
        f"{meaning}: {probed} {verb} test {test + 1} expects {number.text}",
        {
            "test": test + 1,
            "number": number.text,
            "other": probed,
            "accepted": verb.startswith("passes"),
            "expected": format_answer(answers.expected[test]),
            "compare": comparer.name,
            "options": dict(comparer.options),
        },
        severity,
    )
