"""Finds verdicts that depend on the comparer, and right programs whose answers differ."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import replace

from microcoder_eval.records import Kind, Problem, Verdict

from .checkers import has_failed
from .findings import Finding, Severity
from .trials import Runner, Trial

# With these, from strict to lenient, a right program that gives wrong answers is judged again.
_COMPARERS = {
    Kind.STDIN: ("lines", "tokens", "calibrated", "kattis", "floats", "case_insensitive",
                 "unordered_lines", "unordered_tokens", "lcb", "paper"),
    Kind.CALL: ("python", "unordered_tokens", "floats", "lcb", "paper"),
    Kind.ASSERT: (),
}  # fmt: skip
# Methods by which nearly every official judge would accept the answer, too.
_STRICT = frozenset({"exact", "lines", "tokens", "same_value", "python_equal"})


def check_answers(runner: Runner, problem: Problem, trials: Sequence[Trial]) -> Iterator[Finding]:
    """Find comparers that disagree, and right programs that give different answers."""
    right_trials = [
        trial for trial in trials if trial.program.right and trial.judge_failure is None
    ]
    yield from _find_disagreement(right_trials)
    if problem.checker is None and problem.interactor is None and _COMPARERS[problem.kind]:
        yield from _find_lenient_passes(right_trials)
    for trial in right_trials:
        yield from _find_better_comparers(runner, problem, trial)


def _find_disagreement(right_trials: Sequence[Trial]) -> Iterator[Finding]:
    """Find a test that one right program passes and another answers differently."""
    for number, tests in enumerate(
        zip(*(trial.first_judgement.tests for trial in right_trials), strict=False), 1
    ):
        trials = {test.verdict: trial for trial, test in zip(right_trials, tests, strict=True)}
        if Verdict.AC in trials and Verdict.WA in trials:
            passing, failing = (trials[one].program.name for one in (Verdict.AC, Verdict.WA))
            detail = trials[Verdict.WA].first_judgement.tests[number - 1].detail
            yield Finding(
                "references_disagree",
                f"test {number}: {passing} says what is expected (AC), but {failing} does not "
                f"(WA): {detail}",
                {"test": number, "solutions": [passing, failing], "detail": detail},
                Severity.ERROR,
            )
            return


def _find_lenient_passes(right_trials: Sequence[Trial]) -> Iterator[Finding]:
    """Note right programs that a stricter comparer would refuse; those with the same methods share
    a finding."""
    groups: dict[tuple[str, ...], list[str]] = defaultdict(list)
    for trial in right_trials:
        judgement = trial.first_judgement
        methods = {test.matched_by for test in judgement.tests if test.matched_by} - _STRICT
        if judgement.passed and methods:
            groups[tuple(sorted(methods))].append(trial.program.name)
    for methods_used, names in groups.items():
        more = f" and {len(names) - 1} more" if len(names) > 1 else ""
        yield Finding(
            "comparers_disagree",
            f"{names[0]}{more}, known to be right: passes, but only by "
            f"{', '.join(methods_used)}; a stricter comparer would refuse it",
            {"solutions": names, "passed": True, "matched_by": list(methods_used)},
            Severity.NOTE,
        )


def _find_better_comparers(runner: Runner, problem: Problem, trial: Trial) -> Iterator[Finding]:
    """Find the comparers with which a right program would pass that only gives wrong answers."""
    tests = trial.first_judgement.tests
    is_wrong = {test.verdict for test in tests} - {Verdict.AC, None} == {Verdict.WA}
    if problem.interactor is not None or not is_wrong or has_failed(trial.first_judgement):
        return
    others = []
    for name in _COMPARERS[problem.kind]:
        changed_problem = replace(problem, checker={"name": name})
        (changed,) = runner.run_trials(changed_problem, [trial.program], 1)
        others += [name] * changed.first_judgement.passed
    if others:
        failure = trial.first_judgement.first_failure
        assert failure is not None
        number, detail = failure[0] + 1, failure[1].detail
        yield Finding(
            "comparers_disagree",
            f"{trial.program.name}, known to be right: fails, but passes with "
            f"{', '.join(others)}: test {number}: {detail}",
            {
                "solutions": [trial.program.name],
                "passed": False,
                "others": others,
                "test": number,
                "detail": detail,
            },
        )
