"""Checks tests without running a program: repeated inputs, answers that are all the same."""

from __future__ import annotations

from collections.abc import Iterator

from microcoder_eval.records import Kind, Problem

from .expected_answers import ExpectedAnswers
from .findings import Finding, Severity

_LISTED = 10


def find_repeated_tests(answers: ExpectedAnswers) -> Iterator[Finding]:
    """Find tests with the same input. They are contradictory if no answer passes both, else
    duplicates."""
    contradictory: list[tuple[int, int]] = []
    for first, *other_tests in answers.same_inputs:
        if answers.comparer is not None:
            contradictory += [
                (first, other_test)
                for other_test in other_tests
                if not answers.have_common_answer(first, other_test)
            ]
    if contradictory:
        pairs = [[first + 1, other + 1] for first, other in contradictory[:_LISTED]]
        expected = list(map(answers.format_expected, contradictory[0]))
        repeated_input, count = answers.inputs[contradictory[0][0]], len(contradictory) - 1
        more = f"; {count} more pair{'s' * (count > 1)} like this" if count else ""
        yield Finding(
            "contradictory_tests",
            f"tests {pairs[0][0]} and {pairs[0][1]} have the same input {repeated_input}, but "
            f"expect {expected[0]} and {expected[1]}{more}",
            {
                "tests": pairs,
                "pairs": len(contradictory),
                "input": repeated_input,
                "expected": expected,
            },
            Severity.ERROR,
        )
    contradicted = {test for pair in contradictory for test in pair}
    groups = [group for group in answers.same_inputs if not contradicted.intersection(group)]
    if groups:
        extra_count = sum(len(group) - 1 for group in groups)
        test_numbers = ", ".join(str(test + 1) for test in groups[0][:_LISTED])
        yield Finding(
            "duplicate_tests",
            f"tests {test_numbers} have the same input {answers.inputs[groups[0][0]]}; "
            f"{extra_count} of {len(answers.expected)} tests add nothing",
            {
                "tests": [[test + 1 for test in group] for group in groups[:_LISTED]],
                "superfluous": extra_count,
                "input": answers.inputs[groups[0][0]],
            },
            Severity.NOTE,
        )


def find_trivial_tests(problem: Problem, answers: ExpectedAnswers) -> Iterator[Finding]:
    """Find problems whose tests all expect one answer: printing it passes without reading.

    Problems with a single input or without input are left out, and those whose answers a program
    judges.
    """
    count = len(answers.expected)
    repeated_count = sum(len(group) - 1 for group in answers.same_inputs)
    if problem.interactor is not None or answers.comparer is None:
        return
    if count - repeated_count < 2 or not answers.is_complete or _has_no_input(problem):
        return
    if any(answer != answers.expected[0] for answer in answers.expected):
        return
    yield Finding(
        "trivial_tests",
        f"all {count} tests expect {answers.format_expected(0)}: a program that reads "
        "nothing passes",
        {"tests": count, "answer": answers.format_expected(0)},
    )


def _has_no_input(problem: Problem) -> bool:
    return problem.kind is not Kind.ASSERT and not any(
        test.input.strip() if problem.kind is Kind.STDIN else test.input for test in problem.tests
    )
