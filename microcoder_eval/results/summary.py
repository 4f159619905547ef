"""Figures over many judgements: pass@k, verdict counts, what to look at. No printing here."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from .records import Judgement, Problem, Status, Verdict

LISTED = 1000  # names kept for each list of the summary; the counts are always whole


def pass_at_k(judged: int, passed: int, k: int) -> float:
    """Chance that at least one of k samples passes, estimated without bias from n = judged.

    1 - C(n-c, k) / C(n, k), as a product that neither overflows nor cancels. Needs k <= n.
    Source: Chen et al., Evaluating Large Language Models Trained on Code (2107.03374), eq. 1.
    """
    if not 1 <= k <= judged:
        raise ValueError(f"pass@{k} needs at least {k} judged samples, there are {judged}")
    if k == 1:
        return passed / judged  # exact: --fail-under 0.7 must hold for 7 of 10
    if judged - passed < k:
        return 1.0
    miss = 1.0
    for n in range(judged - passed + 1, judged + 1):
        miss *= 1.0 - k / n
    return 1.0 - miss


@dataclass(slots=True)
class Names:
    """A list of solutions with a bound, and how many there really were."""

    count: int = 0
    first: list[str] = field(default_factory=list)

    def add(self, name: str) -> None:
        """One more."""
        self.count += 1
        if len(self.first) < LISTED:
            self.first.append(name)


@dataclass(slots=True)
class Tally:
    """Counts as judgements come in; memory grows with the number of problems only."""

    ks: tuple[int, ...] = (1,)
    solutions: int = 0
    verdicts: Counter[str] = field(default_factory=Counter)
    statuses: Counter[str] = field(default_factory=Counter)
    tle_seconds: float = 0.0
    test_seconds: float = 0.0
    judge_errors: Names = field(default_factory=Names)
    near_limit: Names = field(default_factory=Names)
    flaky: Names = field(default_factory=Names)
    _judged: Counter[str] = field(default_factory=Counter)
    _passed: Counter[str] = field(default_factory=Counter)
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
            if test is not None:
                self.test_seconds += test.cpu_s
                self.tle_seconds += test.wall_s if test.verdict is Verdict.TLE else 0.0
        if judgement.status is Status.ERROR:
            self.judge_errors.add(f"{name}: {judgement.error}")
            return
        if "near_limit" in judgement.flags:
            self.near_limit.add(name)
        if "flaky" in judgement.flags:
            self.flaky.add(name)
        self._judged[judgement.problem_id] += 1
        self._passed[judgement.problem_id] += judgement.passed
        if problem is not None:
            for group, value in (
                ("difficulty", problem.difficulty),
                ("platform", problem.platform),
            ):
                if value is not None:
                    self._groups[group][value].add(judgement.problem_id)

    def rate(self, k: int, problems: Iterable[str] | None = None) -> tuple[float | None, int, int]:
        """(mean pass@k, problems counted, problems left out for having fewer than k samples)."""
        chosen = list(self._judged if problems is None else problems)
        counted = [p for p in chosen if self._judged[p] >= k]
        if not counted:
            return None, 0, len(chosen)
        total = math.fsum(pass_at_k(self._judged[p], self._passed[p], k) for p in counted)
        return total / len(counted), len(counted), len(chosen) - len(counted)

    @property
    def pass_at_1(self) -> float | None:
        """Mean over problems of the share of samples that pass; None when nothing was judged."""
        return self.rate(1)[0]

    @property
    def samples(self) -> tuple[int, int]:
        """The fewest and the most judged samples of a problem."""
        counts = self._judged.values()
        return (min(counts), max(counts)) if counts else (0, 0)

    def average(self) -> float | None:
        """avg@n: the share of all judged samples that pass."""
        judged = sum(self._judged.values())
        return sum(self._passed.values()) / judged if judged else None

    def groups(self) -> dict[str, dict[str, tuple[float | None, int]]]:
        """{"difficulty" | "platform": {value: (pass@1, problems)}} for what problems tell."""
        return {
            group: {value: self.rate(1, ids)[:2] for value, ids in sorted(values.items())}
            for group, values in self._groups.items()
            if values
        }

    def as_json(self) -> dict[str, Any]:
        """The figures as one JSON object."""
        rates = {str(k): self.rate(k) for k in self.ks}
        return {
            "solutions": self.solutions,
            "problems": len(self._judged),
            "judged": sum(self._judged.values()),
            "passed": sum(self._passed.values()),
            "pass_at_k": {k: rate for k, (rate, _, _) in rates.items()},
            "pass_at_k_problems_left_out": {k: out for k, (_, _, out) in rates.items() if out},
            "avg_at_n": self.average(),
            "samples_per_problem": list(self.samples),
            "verdicts": {str(v): self.verdicts[str(v)] for v in Verdict if self.verdicts[str(v)]},
            "statuses": dict(self.statuses),
            "by": {
                group: {value: {"pass_at_1": r, "problems": n} for value, (r, n) in rows.items()}
                for group, rows in self.groups().items()
            },
            "cpu_s": round(self.test_seconds, 3),
            "time_lost_to_tle_s": round(self.tle_seconds, 3),
            "judge_errors": self.judge_errors.count,
            "judge_error_list": self.judge_errors.first,
            "near_limit": self.near_limit.first,
            "flaky": self.flaky.first,
        }
