"""Computes what differs between runs over the same problems, and whether chance explains it.

The unit is the problem, not the sample: sample 2 of one model does not correspond to sample 2 of
another, and samples of one problem are not independent. A problem's rate is the share of its judged
samples that pass.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from microcoder_eval.records import Judgement, Problem, Status
from microcoder_sandbox import record

from .statistics import (
    Interval,
    compute_difference_interval,
    compute_paired_p_value,
    compute_rate_interval,
)
from .summary import ProblemSamples, average_pass_at_k, sort_groups

Key = tuple[str, str]  # problem_id, solution_id
DEFAULT = "default"


@dataclass(slots=True)
class Run:
    """What a comparison keeps of a file of results.

    tests: (tests_sha256, number) of each problem's tests.
    programs: (code_sha256, verdict) of each solution.
    settings: the values of each setting, as text; settings at their default are left out.
    groups: the samples of each problem by group, for --by.
    """

    name: str
    problems: dict[str, ProblemSamples] = field(default_factory=lambda: defaultdict(ProblemSamples))
    tests: dict[str, tuple[str, int]] = field(default_factory=dict)
    programs: dict[Key, tuple[str, str]] = field(default_factory=dict)
    settings: dict[str, set[str]] = field(default_factory=lambda: defaultdict(set))
    groups: dict[str, dict[str, ProblemSamples]] = field(
        default_factory=lambda: defaultdict(lambda: defaultdict(ProblemSamples))
    )

    def add(
        self, judgement: Judgement, by: str | None = None, problem: Problem | None = None
    ) -> None:
        """Add one result. Results on which the judge failed are ignored.

        by: the key of ``problem`` or of the result's meta whose value groups samples.
        """
        if judgement.status is Status.ERROR:
            return
        self.problems[judgement.problem_id].add(judgement)
        tests = judgement.tests_sha256, len(judgement.tests)
        self.tests.setdefault(judgement.problem_id, tests)
        key = judgement.problem_id, judgement.solution_id
        self.programs[key] = judgement.code_sha256, str(judgement.verdict)
        for name, value in flatten_settings(judgement.settings):
            self.settings[name].add(value)
        for name, version in (("version", judgement.version), *judgement.versions.items()):
            self.settings[f"version of {name}" if name != "version" else name].add(version)
        if by is not None and (group := _find_group(by, judgement, problem)) is not None:
            self.groups[group][judgement.problem_id].add(judgement)


def flatten_settings(settings: Mapping[str, Any], prefix: str = "") -> Iterable[tuple[str, str]]:
    """Yield (name, value) of the settings of a result: "limits.time_s", "9.0"."""
    for name, value in settings.items():
        if isinstance(value, Mapping):
            yield from flatten_settings(value, f"{prefix}{name}.")
        else:
            yield f"{prefix}{name}", str(value)


def _find_group(by: str, judgement: Judgement, problem: Problem | None) -> str | None:
    sources = [judgement.meta]
    if problem is not None:
        columns = {"difficulty": problem.difficulty, "platform": problem.platform}
        sources = [columns, {"date": problem.date}, problem.meta, judgement.meta]
    value = next((source[by] for source in sources if source.get(by) is not None), None)
    return None if value is None else str(value)


@record
class ProblemChange:
    """A problem that passes at another rate in a later run than in the first."""

    problem_id: str
    before: ProblemSamples
    after: ProblemSamples

    def __str__(self) -> str:
        return f"{self.problem_id} ({self.before} -> {self.after})"


@record
class Difference:
    """A later run against the first.

    change: the change of pass@1.
    interval: its 95 % interval.
    p_value: the two-sided p-value of the exact paired test over problems.
    regressions, gains: largest change first.
    changed_verdicts: solutions with the same program but another verdict; the judge, the machine or
        the settings changed.
    """

    change: float
    interval: Interval
    p_value: float
    regressions: Sequence[ProblemChange]
    gains: Sequence[ProblemChange]
    changed_verdicts: Sequence[Key]

    @property
    def is_significant(self) -> bool:
        """Whether the p-value is below 0.05."""
        return self.p_value < 0.05


@record
class Standing:
    """A run over the problems that all runs judged.

    rates: pass@k by k; None if a problem has fewer than k samples.
    interval: the 95 % interval of pass@1.
    groups: (pass@1, problems) by group.
    difference: the difference from the first run, None for that run itself.
    """

    name: str
    samples: int
    rates: Mapping[int, float | None]
    interval: Interval
    groups: Mapping[str, tuple[float, int]]
    difference: Difference | None


@record
class RunComparison:
    """Several runs over the problems that all of them judged.

    left_out: problems that only some runs judged.
    unlike_tests: problems whose runs had different tests, with what differs.
    unlike_settings: settings that differ, with the value of each run.
    unlike_problems: problems whose rate differs between runs, with the samples of each run, the
        largest spread first.
    """

    problem_ids: Sequence[str]
    left_out: int
    unlike_tests: Mapping[str, str]
    unlike_settings: Mapping[str, Sequence[str]]
    unlike_problems: Sequence[tuple[str, Sequence[ProblemSamples]]]
    standings: Sequence[Standing]


def compare_runs(runs: Sequence[Run], ks: Sequence[int] = (1,)) -> RunComparison:
    """Compare each run with the first; pass@1 is always among the rates, first. Raises ValueError
    if the runs have no problem in common."""
    ks = list(dict.fromkeys((1, *ks)))
    first = runs[0]
    shared = [name for name in first.problems if all(name in run.problems for run in runs)]
    if not shared:
        raise ValueError("the files have no judged problem in common")
    return RunComparison(
        problem_ids=shared,
        left_out=len(set().union(*(run.problems for run in runs))) - len(shared),
        unlike_tests=_find_unlike_tests(runs, shared),
        unlike_settings=_find_unlike_settings(runs),
        unlike_problems=_find_unlike_problems(runs, shared),
        standings=[
            _make_standing(run, shared, ks, None if run is first else _compare(first, run, shared))
            for run in runs
        ],
    )


def _find_unlike_tests(runs: Sequence[Run], problem_ids: Iterable[str]) -> dict[str, str]:
    unlike = {}
    for problem_id in problem_ids:
        hashes, counts = zip(*(run.tests[problem_id] for run in runs), strict=True)
        if len(set(hashes)) > 1:
            unlike[problem_id] = (
                f"{counts[0]} tests in each, but not the same contents, limits or checker"
                if len(set(counts)) == 1
                else " and ".join(map(str, counts)) + " tests"
            )
    return unlike


def _find_unlike_settings(runs: Sequence[Run]) -> dict[str, list[str]]:
    names = sorted(set().union(*(run.settings for run in runs)))
    values = {
        name: [", ".join(sorted(run.settings.get(name, {DEFAULT}))) for run in runs]
        for name in names
    }
    return {name: texts for name, texts in values.items() if len(set(texts)) > 1}


def _find_unlike_problems(
    runs: Sequence[Run], problem_ids: Iterable[str]
) -> list[tuple[str, Sequence[ProblemSamples]]]:
    unlike_problems = []
    for problem_id in problem_ids:
        sets = [run.problems[problem_id] for run in runs]
        rates = [*map(_compute_rate, sets)]
        if spread := max(rates) - min(rates):
            unlike_problems.append((spread, problem_id, sets))
    return [(name, sets) for _, name, sets in sorted(unlike_problems, key=lambda entry: -entry[0])]


def _make_standing(
    run: Run, problem_ids: Sequence[str], ks: Sequence[int], difference: Difference | None
) -> Standing:
    sets = [run.problems[name] for name in problem_ids]
    rates = {k: average_pass_at_k(sets, k) for k in ks}
    members = {
        group: [samples[name] for name in problem_ids if name in samples]
        for group, samples in run.groups.items()
    }
    return Standing(
        name=run.name,
        samples=sum(samples.judged for samples in sets),
        rates={k: None if rate.left_out_count else rate.mean for k, rate in rates.items()},
        interval=compute_rate_interval([*map(float, map(_compute_rate, sets))]),
        groups={
            name: (rate.mean, rate.problem_count)
            for name in sort_groups(members)
            if (rate := average_pass_at_k(members[name], 1)).mean is not None
        },
        difference=difference,
    )


def _compare(first: Run, later: Run, problem_ids: Sequence[str]) -> Difference:
    changes = [
        ProblemChange(name, first.problems[name], later.problems[name]) for name in problem_ids
    ]
    differences = [_compute_rate(change.after) - _compute_rate(change.before) for change in changes]
    by_size = sorted(
        ((d, change) for d, change in zip(differences, changes, strict=True) if d),
        key=lambda pair: -abs(pair[0]),
    )
    p_value = compute_paired_p_value(differences)
    samples = min(min(one.before.judged, one.after.judged) for one in changes)
    low, high = compute_difference_interval([float(d) for d in differences], samples)
    # The test is exact and the interval is approximate, so the interval must not claim more than
    # the test.
    if p_value >= 0.05:
        low, high = min(low, 0.0), max(high, 0.0)
    return Difference(
        change=float(sum(differences) / len(differences)),
        interval=(low, high),
        p_value=p_value,
        regressions=[change for d, change in by_size if d < 0],
        gains=[change for d, change in by_size if d > 0],
        changed_verdicts=[
            key
            for key, (code, verdict) in later.programs.items()
            if code and key in first.programs and first.programs[key][0] == code
            and first.programs[key][1] != verdict
        ],
    )  # fmt: skip


def _compute_rate(samples: ProblemSamples) -> Fraction:
    return Fraction(samples.passed, samples.judged)
