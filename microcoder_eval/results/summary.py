"""Figures over many judgements: pass@k, counts of verdicts, solutions worth a look."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from microcoder_eval.records import Judgement, Problem, Status, Verdict
from microcoder_eval.records.flags import FLAKY, NEAR_LIMIT
from microcoder_sandbox import record

from .statistics import Interval, compute_rate_interval

_MAX_LISTED = 1000  # names in each list of the summary; the counts include all


def pass_at_k(sample_count: int, pass_count: int, k: int) -> float:
    """Estimate without bias the probability that at least one of k samples passes.

    It is 1 - C(n-c, k) / C(n, k) for c passes of n samples, computed in whole numbers: they neither
    overflow nor cancel. Raises ValueError unless 1 <= k <= n.
    Source: Chen et al., Evaluating Large Language Models Trained on Code (2107.03374), eq. 1.
    """
    if not 1 <= k <= sample_count:
        raise ValueError(f"pass@{k} needs at least {k} judged samples, there are {sample_count}")
    all_draws = math.comb(sample_count, k)
    misses = math.comb(sample_count - pass_count, k)
    return (all_draws - misses) / all_draws  # one rounding: 7 of 10 must satisfy --fail-under 0.7


@record
class PassAtK:
    """pass@k of several problems.

    mean: over the counted problems; None if there are none. left_out_count: problems with fewer
    than k samples.
    """

    mean: float | None
    problem_count: int
    left_out_count: int


@dataclass(slots=True)
class ProblemSamples:
    """The judged samples of one problem."""

    passed: int = 0
    judged: int = 0

    def add(self, judgement: Judgement) -> None:
        """Count one sample."""
        self.passed += judgement.passed
        self.judged += 1

    def __str__(self) -> str:
        return f"{self.passed}/{self.judged}"


def average_pass_at_k(problems: Iterable[ProblemSamples], k: int) -> PassAtK:
    """Return pass@k of several problems."""
    problems = list(problems)
    rates = [pass_at_k(p.judged, p.passed, k) for p in problems if p.judged >= k]
    mean = math.fsum(rates) / len(rates) if rates else None
    return PassAtK(mean, len(rates), len(problems) - len(rates))


@dataclass(slots=True)
class SolutionList:
    """The first _MAX_LISTED of some solutions, and how many there are."""

    count: int = 0
    first: list[str] = field(default_factory=list)

    def add(self, name: str) -> None:
        """Add one solution."""
        self.count += 1
        if len(self.first) < _MAX_LISTED:
            self.first.append(name)


def _depends_on_time(judgement: Judgement) -> bool:
    """Whether a slower or faster machine could change the value of a judgement: the points of some
    tests, or a verdict for which only time decides."""
    reasons = {test.verdict for test in judgement.tests} - {None, Verdict.AC, Verdict.TLE}
    return bool(judgement.groups) or not reasons


@dataclass(slots=True)
class Tally:
    """Counts of judgements; its memory grows with the number of problems only.

    ks: the values of k in pass@k.
    tle_seconds, tle_cpu_seconds: wall and CPU time of tests over the time limit.
    test_seconds: CPU time of all tests.
    near_limit: results that another machine may change.
    honeypots: programs that passed a problem which no honest program passes.
    judge_error_examples: the first solution of each reason.
    scored_count: judgements of problems with points; points_shares: the sum of their shares of the
        best possible points.
    """

    ks: tuple[int, ...] = (1,)
    solutions: int = 0
    judged_count: int = 0
    passed_count: int = 0
    verdicts: Counter[str] = field(default_factory=Counter)
    statuses: Counter[str] = field(default_factory=Counter)
    tle_seconds: float = 0.0
    tle_cpu_seconds: float = 0.0
    test_seconds: float = 0.0
    points_shares: float = 0.0
    scored_count: int = 0
    judge_errors: SolutionList = field(default_factory=SolutionList)
    judge_error_reasons: Counter[str] = field(default_factory=Counter)
    judge_error_examples: dict[str, str] = field(default_factory=dict)
    near_limit: SolutionList = field(default_factory=SolutionList)
    flaky: SolutionList = field(default_factory=SolutionList)
    honeypots: SolutionList = field(default_factory=SolutionList)
    _problems: dict[str, ProblemSamples] = field(
        default_factory=lambda: defaultdict(ProblemSamples)
    )
    _groups: dict[str, dict[str, set[str]]] = field(
        default_factory=lambda: {"difficulty": defaultdict(set), "platform": defaultdict(set)}
    )

    def add(self, judgement: Judgement, problem: Problem | None = None) -> None:
        """Count one judgement."""
        name = f"{judgement.problem_id} {judgement.solution_id}"
        self.solutions += 1
        self.verdicts[str(judgement.verdict)] += 1
        self.statuses[str(judgement.status)] += 1
        for test in judgement.tests:
            self.test_seconds += test.cpu_s
            if test.verdict is Verdict.TLE:
                self.tle_seconds += test.wall_s
                self.tle_cpu_seconds += test.cpu_s
        if judgement.status is Status.ERROR:
            self.judge_errors.add(f"{name}: {judgement.error}")
            reason = judgement.error or "no reason"
            self.judge_error_reasons[reason] += 1
            self.judge_error_examples.setdefault(reason, name)
            return
        if NEAR_LIMIT in judgement.flags and _depends_on_time(judgement):
            self.near_limit.add(name)
        if FLAKY in judgement.flags:
            self.flaky.add(name)
        if judgement.passed and problem is not None and problem.meta.get("honeypot"):
            self.honeypots.add(name)
        if judgement.groups:
            self.scored_count += 1
            self.points_shares += judgement.points_share or 0.0
        self.judged_count += 1
        self.passed_count += judgement.passed
        self._problems[judgement.problem_id].add(judgement)
        if problem is not None:
            for group, value in (
                ("difficulty", problem.difficulty),
                ("platform", problem.platform),
            ):
                if value is not None:
                    self._groups[group][value].add(judgement.problem_id)

    def compute_pass_at_k(self, k: int) -> PassAtK:
        """Return pass@k over all problems."""
        return average_pass_at_k(self._problems.values(), k)

    @property
    def problem_count(self) -> int:
        """How many problems have a judged solution."""
        return len(self._problems)

    @property
    def pass_at_1_standard_error(self) -> float | None:
        """Standard error of pass@1, over problems; None for fewer than two problems."""
        rates = self._list_rates()
        if len(rates) < 2:
            return None
        mean = math.fsum(rates) / len(rates)
        variance = math.fsum((rate - mean) ** 2 for rate in rates) / (len(rates) - 1)
        return math.sqrt(variance / len(rates))

    @property
    def pass_at_1_interval(self) -> Interval:
        """The 95 % interval of pass@1, over problems."""
        return compute_rate_interval(self._list_rates())

    def _list_rates(self) -> list[float]:
        return [problem.passed / problem.judged for problem in self._problems.values()]

    @property
    def sample_count_range(self) -> tuple[int, int]:
        """The smallest and the largest number of judged samples of a problem."""
        counts = [problem.judged for problem in self._problems.values()]
        return (min(counts), max(counts)) if counts else (0, 0)

    def format_sample_count(self) -> str:
        """Return the number of samples of a problem: "8", or "1..8" where problems differ."""
        smallest, largest = self.sample_count_range
        return str(largest) if smallest == largest else f"{smallest}..{largest}"

    def compute_average(self) -> float | None:
        """Return avg@n: the share of all judged samples that pass."""
        return self.passed_count / self.judged_count if self.judged_count else None

    def compute_average_points(self) -> float | None:
        """Return the mean share of the best possible points; None if no problem has points."""
        return self.points_shares / self.scored_count if self.scored_count else None

    def compute_group_rates(self) -> dict[str, dict[str, PassAtK]]:
        """Return {"difficulty" | "platform": {value: pass@1}}."""
        return {
            group: {
                value: average_pass_at_k((self._problems[p] for p in values[value]), 1)
                for value in sort_groups(values)
            }
            for group, values in self._groups.items()
            if values
        }

    def as_json(self) -> dict[str, Any]:
        """Return the figures as a JSON object."""
        rates = {str(k): self.compute_pass_at_k(k) for k in self.ks}
        return {
            "solutions": self.solutions,
            "problems": self.problem_count,
            "judged": self.judged_count,
            "passed": self.passed_count,
            "pass_at_k": {k: rate.mean for k, rate in rates.items()},
            "pass_at_k_problems_left_out": {
                k: rate.left_out_count for k, rate in rates.items() if rate.left_out_count
            },
            "pass_at_1_standard_error": self.pass_at_1_standard_error,
            "avg_at_n": self.compute_average(),
            **({"points_share": self.compute_average_points()} if self.scored_count else {}),
            "samples_per_problem": list(self.sample_count_range),
            "verdicts": {str(v): self.verdicts[str(v)] for v in Verdict if self.verdicts[str(v)]},
            "statuses": dict(self.statuses),
            "by": {
                group: {
                    value: {"pass_at_1": rate.mean, "problems": rate.problem_count}
                    for value, rate in values.items()
                }
                for group, values in self.compute_group_rates().items()
            },
            "cpu_s": round(self.test_seconds, 3),
            "time_lost_to_tle_s": round(self.tle_seconds, 3),
            "judge_errors": self.judge_errors.count,
            "judge_error_reasons": dict(self.judge_error_reasons.most_common(_MAX_LISTED)),
            "judge_error_list": self.judge_errors.first,
            "near_limit": self.near_limit.first,
            "flaky": self.flaky.first,
            "honeypots": self.honeypots.first,
        }


def sort_groups(names: Iterable[str]) -> list[str]:
    """Sort by name, but easy, medium and hard by difficulty."""
    order = {"easy": 0, "medium": 1, "hard": 2}
    return sorted(names, key=lambda name: (order.get(name.lower(), 3), name))


def format_problems(count: int) -> str:
    """Return "1 problem" or "2 problems"."""
    return "1 problem" if count == 1 else f"{count:,} problems"


def format_percent(rate: float | None) -> str:
    """Format a share; None becomes "none"."""
    return "none" if rate is None else f"{100 * rate:.1f} %"
