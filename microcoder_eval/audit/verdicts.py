"""What the verdicts of programs that are known to be right or wrong say about their problem."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from microcoder_eval.records import (
    DEFAULT_MEMORY_MB,
    DEFAULT_TIME_S,
    Judgement,
    Limits,
    Problem,
    TestResult,
    Verdict,
)

from .answers import Answers
from .bench import Trial
from .findings import Finding, Name, Severity

NEAR = 0.8  # of a limit, as for the flag near_limit of results


def from_verdicts(
    problem: Problem,
    answers: Answers,
    trials: Sequence[Trial],
    limits: Limits,
    time_scale: float,
) -> Iterator[Finding]:
    """Programs that should have passed, should not have, or cannot make up their mind."""
    yield from _unjudgeable(problem, trials)
    for trial in trials:
        if trial.failed_judge is not None:
            continue
        if trial.program.right and not trial.first.passed:
            yield _reference_fails(problem, answers, trial)
        if not trial.program.right and trial.first.passed:
            yield _wrong_accepted(problem, trial)
        yield from _flaky(problem, trial)
        if trial.program.right:
            yield from _near_limit(problem, trial, limits, time_scale)


def _unjudgeable(problem: Problem, trials: Sequence[Trial]) -> Iterator[Finding]:
    reasons: dict[str, list[str]] = {}
    for trial in trials:
        if trial.failed_judge is not None:
            reason = trial.failed_judge.error or "the judge failed"
            reasons.setdefault(reason, []).append(trial.program.name)
    for reason, names in reasons.items():
        evidence = {"reason": reason, "solutions": names}
        yield unjudgeable(problem.problem_id, reason, evidence)


def unjudgeable(problem_id: str, reason: str, evidence: dict[str, Any]) -> Finding:
    """The finding that a problem gets no verdict, for a reason."""
    return Finding(problem_id, Name.UNJUDGEABLE, Severity.ERROR, reason, evidence)


def _reference_fails(problem: Problem, answers: Answers, trial: Trial) -> Finding:
    number, test = _first_failure(trial.first)
    passed = sum(t is not None and t.verdict is Verdict.AC for t in trial.first.tests)
    where = f" on test {number}" if number else ""
    detail = (test.detail if test is not None else None) or trial.first.error or ""
    detail_told = f": {detail}" if detail else ""
    score = f" ({passed} of {len(trial.first.tests)} tests pass)" if trial.first.tests else ""
    return Finding(
        problem.problem_id,
        Name.REFERENCE_FAILS,
        Severity.ERROR,
        f"{trial.program.name}: {trial.first.verdict}{where}{score}{detail_told}",
        {
            "solution_id": trial.program.name,
            "label": trial.program.label or None,
            "verdict": str(trial.first.verdict),
            "test": number,
            "detail": detail,
            "tests_passed": passed,
            "tests": len(trial.first.tests),
            **_asked(answers, number),
        },
    )


def _asked(answers: Answers, number: int | None) -> dict[str, Any]:
    # Of an assert problem the tests are numbered otherwise where some assertions stay opaque.
    if number is None or not answers.whole or number > len(answers.expected):
        return {}
    return {"input": answers.inputs[number - 1], "expected": answers.told(number - 1)}


def _first_failure(judgement: Judgement) -> tuple[int | None, TestResult | None]:
    for number, test in enumerate(judgement.tests, 1):
        if test is not None and test.verdict is not Verdict.AC:
            return number, test
    return None, None


def _wrong_accepted(problem: Problem, trial: Trial) -> Finding:
    label = trial.program.label
    lenient = sorted({t.matched_by for t in trial.first.tests if t and t.matched_by} - {"exact"})
    how = f", by {', '.join(lenient)}" if lenient else ""
    return Finding(
        problem.problem_id,
        Name.WRONG_ACCEPTED,
        Severity.NOTE if trial.program.only_too_slow else Severity.WARNING,
        f"{trial.program.name}: known as {label}, passes all {len(trial.first.tests)} tests{how}",
        {
            "solution_id": trial.program.name,
            "label": label,
            "tests": len(trial.first.tests),
            "matched_by": lenient,
        },
    )


def _flaky(problem: Problem, trial: Trial) -> Iterator[Finding]:
    runs = trial.judgements
    verdicts = [str(run.verdict) for run in runs]
    differing = [number for number, tests in _by_test(runs) if len(set(tests)) > 1]
    if len(set(verdicts)) < 2 and not differing:
        return
    failures = [_first_failure(run) for run in runs]
    serious = len({run.passed for run in runs}) > 1
    where = f", first on test {differing[0]}" if differing else ""
    yield Finding(
        problem.problem_id,
        Name.FLAKY,
        Severity.ERROR if serious else Severity.WARNING,
        f"{trial.program.name}: {len(runs)} runs gave {', '.join(verdicts)}{where}",
        {
            "solution_id": trial.program.name,
            "verdicts": verdicts,
            "tests": differing[:20],
            "details": [test.detail if test else None for _, test in failures],
        },
    )


def _by_test(runs: Sequence[Judgement]) -> Iterator[tuple[int, list[Verdict]]]:
    """(number, verdicts) of each test that every run came to."""
    for number, tests in enumerate(zip(*(run.tests for run in runs), strict=False), 1):
        if all(test is not None for test in tests):
            yield number, [test.verdict for test in tests if test is not None]


def _near_limit(
    problem: Problem, trial: Trial, limits: Limits, time_scale: float
) -> Iterator[Finding]:
    """The worst test of a program that passes. One that fails is told as failing."""
    if not trial.first.passed:
        return
    time_s = (limits.time_s or DEFAULT_TIME_S) * time_scale
    memory_mb = limits.memory_mb or DEFAULT_MEMORY_MB
    tests = [
        (number, test)
        for run in trial.judgements
        for number, test in enumerate(run.tests, 1)
        if test is not None
    ]
    slowest = max(tests, key=lambda one: one[1].cpu_s)
    largest = max(tests, key=lambda one: one[1].memory_mb or 0.0)
    for (number, test), used, most, unit in (
        (slowest, slowest[1].cpu_s, time_s, "s of CPU time"),
        (largest, largest[1].memory_mb or 0.0, memory_mb, "MiB"),
    ):
        if used < NEAR * most:
            continue
        yield Finding(
            problem.problem_id,
            Name.NEAR_LIMIT,
            Severity.WARNING,
            f"{trial.program.name}: test {number} needs {used:.3g} of {most:g} {unit} "
            f"({100 * used / most:.0f} %)",
            {
                "solution_id": trial.program.name,
                "test": number,
                "used": used,
                "limit": most,
                "unit": unit,
                "verdict": str(test.verdict),
            },
        )
