"""Looks at tests without running anything: the same asked twice, answers that say nothing."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from microcoder_eval.records import Kind, Problem

from .answers import Answers
from .findings import Finding, Name, Severity

_LISTED = 10
_CONSTANTS = 5  # expected answers tried against all tests


def repeated_tests(problem: Problem, answers: Answers) -> Iterator[Finding]:
    """Tests with the same input: contradictory when no answer passes both, else duplicates."""
    contradictory: list[tuple[int, int]] = []
    for first, *others in answers.same:
        if answers.comparer is not None:
            contradictory += [(first, other) for other in others if not answers.alike(first, other)]
    if contradictory:
        one, other = contradictory[0]
        yield Finding(
            problem.problem_id,
            Name.CONTRADICTORY_TESTS,
            Severity.ERROR,
            f"tests {one + 1} and {other + 1} have the same input {answers.inputs[one]}, but "
            f"expect {answers.told(one)} and {answers.told(other)}{_and_more(len(contradictory))}",
            {
                "tests": [[a + 1, b + 1] for a, b in contradictory[:_LISTED]],
                "pairs": len(contradictory),
                "input": answers.inputs[one],
                "expected": [answers.told(one), answers.told(other)],
            },
        )
    against = {test for pair in contradictory for test in pair}
    groups = [group for group in answers.same if not against.intersection(group)]
    if groups:
        extra = sum(len(group) - 1 for group in groups)
        named = ", ".join(str(test + 1) for test in groups[0][:_LISTED])
        yield Finding(
            problem.problem_id,
            Name.DUPLICATE_TESTS,
            Severity.NOTE,
            f"tests {named} have the same input {answers.inputs[groups[0][0]]}; "
            f"{extra} of {len(answers.expected)} tests add nothing",
            {
                "tests": [[test + 1 for test in group] for group in groups[:_LISTED]],
                "superfluous": extra,
                "input": answers.inputs[groups[0][0]],
            },
        )


def _and_more(count: int) -> str:
    if count == 1:
        return ""
    return f"; {count - 1} more pair{'s' if count > 2 else ''} like this"


def trivial_tests(problem: Problem, answers: Answers) -> Iterator[Finding]:
    """Every test expects the same answer, so a program that prints it passes without reading.

    Nothing is said of a single test, nor of programs that have no input.
    """
    count = len(answers.expected)
    if count < 2 or not answers.whole or _has_no_input(problem):
        return
    if any(answer != answers.expected[0] for answer in answers.expected):
        return
    yield Finding(
        problem.problem_id,
        Name.TRIVIAL_TESTS,
        Severity.WARNING,
        f"all {count} tests expect {answers.told(0)}: a program that reads nothing passes",
        {"tests": count, "answer": answers.told(0)},
    )


def _has_no_input(problem: Problem) -> bool:
    return problem.kind is not Kind.ASSERT and not any(
        test.input.strip() if problem.kind is Kind.STDIN else test.input for test in problem.tests
    )


def constant_that_passes(answers: Answers) -> int | None:
    """A test whose expected answer passes all tests though they expect different ones."""
    if answers.comparer is None or len(answers.expected) < 2:
        return None
    if all(answer == answers.expected[0] for answer in answers.expected):
        return None
    if answers.texts and len({answer.strip() for answer in answers.expected}) == 1:
        return None
    for test in _candidates(answers.expected):
        answer = answers.expected[test]
        if all(answers.accepts(answer, other) for other in answers.expected):
            return test
    return None


def _candidates(expected: tuple[Any, ...]) -> list[int]:
    """A few tests spread over all of them."""
    step = max(1, len(expected) // _CONSTANTS)
    return list(range(0, len(expected), step))[:_CONSTANTS]
