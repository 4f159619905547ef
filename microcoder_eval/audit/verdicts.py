"""Findings from the verdicts of programs that are known to be right or wrong."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from operator import itemgetter
from typing import Any

from microcoder_eval.records import NEAR_LIMIT_FROM, Judgement, Limits, Verdict

from .expected_answers import ExpectedAnswers
from .findings import Finding, Severity
from .labelled_programs import Program
from .trials import Trial


def check_verdicts(
    answers: ExpectedAnswers,
    trials: Sequence[Trial],
    limits: Limits,
    get_time_scale: Callable[[str], float],
) -> Iterator[Finding]:
    """Find right programs that fail, wrong ones that pass, and those whose verdict varies.
    get_time_scale: returns the factor on the time limits of a language."""
    yield from _find_unjudgeable(trials)
    for trial in trials:
        if trial.judge_failure is not None:
            continue
        if trial.program.right and not trial.first_judgement.passed:
            yield _report_failing_reference(answers, trial)
        if not trial.program.right and trial.first_judgement.passed:
            yield _report_accepted_wrong(trial)
        yield from _find_flaky(trial)
        if trial.program.right:
            scale = get_time_scale(trial.program.solution.language)
            yield from _find_near_limit(trial, limits, scale)


def _find_unjudgeable(trials: Sequence[Trial]) -> Iterator[Finding]:
    reasons: dict[str, list[str]] = {}
    for trial in trials:
        if trial.judge_failure is not None:
            reason = trial.judge_failure.error or "the judge failed"
            reasons.setdefault(reason, []).append(trial.program.name)
    for reason, names in reasons.items():
        evidence = {"reason": reason, "solutions": names}
        yield Finding("unjudgeable", reason, evidence, Severity.ERROR)


def _report_failing_reference(answers: ExpectedAnswers, trial: Trial) -> Finding:
    judgement = trial.first_judgement
    message, evidence = locate_failure(trial.program, judgement)
    test_count = len(judgement.tests)
    pass_count = sum(t.verdict is Verdict.AC for t in judgement.tests)
    detail = find_detail(judgement) or judgement.error or ""
    detail_text = f": {detail}" if detail else ""
    score_text = f" ({pass_count} of {test_count} tests pass)" if test_count else ""
    return Finding(
        "reference_fails",
        f"{message}{score_text}{detail_text}",
        {
            **evidence,
            "label": trial.program.label or None,
            "detail": detail,
            "tests_passed": pass_count,
            "tests": test_count,
            **_describe_test(answers, evidence["test"]),
        },
        Severity.ERROR,
    )


def locate_failure(program: Program, judgement: Judgement) -> tuple[str, dict[str, Any]]:
    """Return which test a program fails first, in words and as evidence."""
    number = None if judgement.first_failure is None else judgement.first_failure[0] + 1
    location = "" if number is None else f" on test {number}"
    return f"{program.name}: {judgement.verdict}{location}", {
        "solution_id": program.name,
        "verdict": str(judgement.verdict),
        "test": number,
    }


def find_detail(judgement: Judgement) -> str | None:
    """Return the detail of the first failed test; None if no test failed or it has no detail."""
    return None if judgement.first_failure is None else judgement.first_failure[1].detail


def _describe_test(answers: ExpectedAnswers, number: int | None) -> dict[str, Any]:
    # Opaque assertions of an assert problem have no expected answer but count as tests.
    if number is None or not answers.is_complete or number > len(answers.expected):
        return {}
    return {
        "input": answers.inputs[number - 1],
        "expected": answers.format_expected(number - 1),
    }


def _report_accepted_wrong(trial: Trial) -> Finding:
    label = trial.program.label
    lenient_methods = sorted(
        {t.matched_by for t in trial.first_judgement.tests if t.matched_by} - {"exact"}
    )
    methods_text = f", by {', '.join(lenient_methods)}" if lenient_methods else ""
    return Finding(
        "wrong_accepted",
        f"{trial.program.name}: known as {label}, passes all {len(trial.first_judgement.tests)} "
        f"tests{methods_text}",
        {
            "solution_id": trial.program.name,
            "label": label,
            "tests": len(trial.first_judgement.tests),
            "matched_by": lenient_methods,
        },
        Severity.NOTE if trial.program.is_only_too_slow else Severity.WARNING,
    )


def _find_flaky(trial: Trial) -> Iterator[Finding]:
    runs = trial.judgements
    verdicts = [str(run.verdict) for run in runs]
    unstable_tests = [number for number, tests in _group_by_test(runs) if len(set(tests)) > 1]
    if len(set(verdicts)) < 2 and not unstable_tests:
        return
    is_serious = len({run.passed for run in runs}) > 1
    location = f", first on test {unstable_tests[0]}" if unstable_tests else ""
    yield Finding(
        "flaky",
        f"{trial.program.name}: {len(runs)} runs gave {', '.join(verdicts)}{location}",
        {
            "solution_id": trial.program.name,
            "verdicts": verdicts,
            "tests": unstable_tests[:20],
            "details": list(map(find_detail, runs)),
        },
        Severity.ERROR if is_serious else Severity.WARNING,
    )


def _group_by_test(runs: Sequence[Judgement]) -> Iterator[tuple[int, list[Verdict]]]:
    """Yield (number, verdicts) of each test that all runs ran."""
    for number, tests in enumerate(zip(*(run.tests for run in runs), strict=False), 1):
        verdicts = [test.verdict for test in tests if test.verdict is not None]
        if len(verdicts) == len(tests):
            yield number, verdicts


def _find_near_limit(trial: Trial, limits: Limits, time_scale: float) -> Iterator[Finding]:
    """Find a program that passes and needs most of a limit; report its worst test."""
    if not trial.first_judgement.passed:
        return
    time_s, memory_mb = limits.effective_time_s * time_scale, limits.effective_memory_mb
    tests = [
        (number, test)
        for run in trial.judgements
        for number, test in enumerate(run.tests, 1)
        if test.verdict is not None
    ]
    times = [(test.cpu_s, number, test.verdict) for number, test in tests]
    sizes = [(test.memory_mb or 0.0, number, test.verdict) for number, test in tests]
    for usages, limit, unit in ((times, time_s, "s of CPU time"), (sizes, memory_mb, "MiB")):
        usage, number, verdict = max(usages, key=itemgetter(0))
        if usage < NEAR_LIMIT_FROM * limit:
            continue
        yield Finding(
            "near_limit",
            f"{trial.program.name}: test {number} needs {usage:.3g} of {limit:g} {unit} "
            f"({100 * usage / limit:.0f} %)",
            {
                "solution_id": trial.program.name,
                "test": number,
                "used": usage,
                "limit": limit,
                "unit": unit,
                "verdict": str(verdict),
            },
        )
