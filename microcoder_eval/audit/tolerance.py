"""Asks the comparer itself how loose it is: does a number near the expected one pass?"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from microcoder_eval.records import Kind, Problem

from .answers import Answers, tell
from .findings import Finding, Name, Severity
from .numbers import Number, numbers_in
from .sameness import constant_that_passes

_TESTS = 20  # of a problem that are looked at
_ASIDE = 1.01  # times the right answer: no judge of real numbers means to accept that
_MANY_DECIMALS = 5  # nobody writes as many of a number that is exact
_BEYOND = 1 + 1e-12  # times a value: the last digits, where orders of summation differ

Numbered = tuple[int, Number]  # a test and a number of its expected answer
Probe = Callable[[Number], Any]  # the other number to try


def suspicious_tolerance(problem: Problem, answers: Answers) -> Iterator[Finding]:
    """Numbers that nobody would call right pass, or ones that everybody would do not.

    Nothing is run. Checkers given as source are not asked.
    """
    if answers.comparer is None:
        return
    found = [numbers_in(answer) for answer in answers.expected[:_TESTS]]
    whole = [(test, one) for test, some in enumerate(found) if (one := _largest(some, real=False))]
    reals = [(test, one) for test, some in enumerate(found) if (one := _largest(some, real=True))]
    if problem.kind is not Kind.ASSERT:  # whose comparisons are exact
        yield from _too_loose(problem, answers, whole, reals)
    yield from _too_strict(problem, answers, reals)


def _too_strict(problem: Problem, answers: Answers, reals: list[Numbered]) -> Iterator[Finding]:
    """One more digit than is expected is refused. Prices have few digits: then it is a note."""
    refused = [one for one in reals if not _passes(answers, one, _finer)]
    refused.sort(key=lambda one: -one[1].decimals)
    if len(refused) * 2 > len(reals):
        many = refused[0][1].decimals >= _MANY_DECIMALS
        if problem.kind is Kind.ASSERT and not many:
            return  # 0.5 is 0.5: most assertions are of such numbers
        yield _told(
            problem, answers, refused[0], _finer,
            Severity.WARNING if many else Severity.NOTE, "is refused where",
            "real numbers are compared to the last digit",
        )  # fmt: skip


def _too_loose(
    problem: Problem, answers: Answers, whole: list[Numbered], reals: list[Numbered]
) -> Iterator[Finding]:
    constant = constant_that_passes(answers)
    if constant is not None:
        yield Finding(
            problem.problem_id,
            Name.SUSPICIOUS_TOLERANCE,
            Severity.WARNING,
            f"the answer of test {constant + 1}, {answers.told(constant)}, passes all "
            f"{len(answers.expected)} tests, though they expect different answers",
            {"test": constant + 1, "answer": answers.told(constant), **_by(answers)},
        )
        return
    neighbours = [one for one in whole if _passes(answers, one, _next)]
    if neighbours:
        # Where other answers are real numbers, a whole one may be a real number as well.
        severity = Severity.NOTE if reals else Severity.WARNING
        yield _told(
            problem, answers, neighbours[0], _next, severity, "passes where",
            "the tolerance takes one whole number for another",
        )  # fmt: skip
    wide = [one for one in reals if _passes(answers, one, _off)]
    if len(wide) * 2 > len(reals):
        yield _told(
            problem, answers, wide[0], _off, Severity.WARNING, "passes where",
            "the tolerance covers an error of 1 %",
        )  # fmt: skip


def _largest(numbers: list[Number], *, real: bool) -> Number | None:
    """The largest in size: where a relative tolerance is widest and an absolute one narrowest."""
    some = [number for number in numbers if number.real is real and (number.value or not real)]
    return max(some, key=lambda number: abs(number.value), default=None)


def _next(number: Number) -> Any:
    assert isinstance(number.value, int)
    return number.value + 1


def _off(number: Number) -> float:
    return number.value * _ASIDE


def _finer(number: Number) -> Any:
    """A text gets one digit more, a value changes in its last ones."""
    return number.value * _BEYOND if number.is_value else f"{number.text}1"


def _passes(answers: Answers, one: Numbered, probe: Probe) -> bool:
    test, number = one
    return answers.accepts(number.put(probe(number)), answers.expected[test])


def _told(
    problem: Problem,
    answers: Answers,
    one: Numbered,
    probe: Probe,
    severity: Severity,
    verb: str,
    meaning: str,
) -> Finding:
    test, number = one
    other = str(probe(number))
    return Finding(
        problem.problem_id,
        Name.SUSPICIOUS_TOLERANCE,
        severity,
        f"{meaning}: {other} {verb} test {test + 1} expects {number.text}",
        {
            "test": test + 1,
            "number": number.text,
            "other": other,
            "accepted": verb.startswith("passes"),
            "expected": tell(answers.expected[test]),
            **_by(answers),
        },
    )


def _by(answers: Answers) -> dict[str, Any]:
    assert answers.comparer is not None
    return {"compare": answers.comparer.name, "options": dict(answers.comparer.options)}
