"""Problems that show whether rewards are earned: honeypots, and tests that are held back.

A honeypot is a problem whose expected outputs are replaced by secrets. No program can know them, so
a program that passes has attacked the judge. Hard-coded answers pass no honeypot; the tests that
never give reward find those.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from microcoder_eval.records import Kind, Problem
from microcoder_train.algorithm import counter

from .prompts import Prompt


def choose_honeypots(
    prompts: Sequence[Prompt], batch: Sequence[Prompt], share: float, seed: int, step: int
) -> list[Prompt]:
    """Return the honeypots of a step, made of problems that are not in its batch.

    share: how many, as a share of the batch. A fraction of a prompt is the probability of one more.
    """
    count = int(share * len(batch) + counter.uniform(seed, "honeypots", step))
    if not count:
        return []
    names = {prompt.problem.problem_id for prompt in batch}
    usable = [
        prompt
        for prompt in counter.shuffle(prompts, seed, "honeypots", step)
        if prompt.problem.problem_id not in names and _has_plain_tests(prompt.problem)
    ]
    return [replace(prompt, problem=_make_honeypot(prompt.problem)) for prompt in usable[:count]]


def hold_back_tests(problem: Problem, share: float) -> tuple[Problem, Problem | None]:
    """Split a problem into the tests that give reward and those that never do.

    The second is None if the problem has too few tests, or if its tests cannot be split. The choice
    depends only on the problem's name and the tests' positions, so every run holds back the same
    tests.
    """
    tests = problem.tests
    count = min(int(share * len(tests) + 0.5), len(tests) - 1)
    if count < 1 or not _has_plain_tests(problem):
        return problem, None
    order = counter.permutation(len(tests), "held back", problem.problem_id)
    hidden, visible = (
        problem.with_tests(tests[i] for i in sorted(part))
        for part in (order[:count], order[count:])
    )
    return visible, hidden


def _has_plain_tests(problem: Problem) -> bool:
    """Whether the problem's verdict follows from its tests alone, each compared with its expected
    output."""
    parts = (problem.checker, problem.interactor, problem.grader, problem.groups, problem.test_code)
    return bool(problem.tests) and problem.kind in (Kind.STDIN, Kind.CALL) and not any(parts)


def _make_honeypot(problem: Problem) -> Problem:
    def make_secret(i: int) -> str:
        numbers = (counter.seed_for("secret", problem.problem_id, i, part) for part in range(2))
        return "secret " + "-".join(f"{number:x}" for number in numbers)

    tests = (replace(test, output=make_secret(i)) for i, test in enumerate(problem.tests))
    return replace(problem, tests=tuple(tests))
