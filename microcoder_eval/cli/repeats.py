"""Joins the runs of a solution that --repeat asks for into one judgement."""

from __future__ import annotations

from dataclasses import replace

from microcoder_eval.records import Judgement, Solution, Verdict
from microcoder_eval.records.flags import FLAKY
from microcoder_sandbox import record


@record
class Run:
    """A run of a solution. position: the solution's index in the input. number: that of the run,
    with --repeat."""

    position: int
    solution: Solution
    number: int


class Repeats:
    """The runs of each solution, until all of them are judged. count: how many there are."""

    def __init__(self, count: int) -> None:
        self._count = count
        self._judgements: dict[int, dict[int, Judgement]] = {}  # by position and number

    def merge(self, run: Run, judgement: Judgement) -> Judgement | None:
        """Return the judgement of the first run, with all runs in its meta; None until all are
        judged."""
        if self._count == 1:
            return judgement
        runs = self._judgements.setdefault(run.position, {})
        runs[run.number] = judgement
        if len(runs) < self._count:
            return None
        del self._judgements[run.position]
        first, in_order = runs[0], [runs[number] for number in sorted(runs)]
        repeats = [
            {"verdict": str(r.verdict), "passed": r.passed, "score": r.score} for r in in_order
        ]
        is_flaky = len({r.passed for r in in_order if r.verdict is not Verdict.JE}) > 1
        flags = (*first.flags, FLAKY) if is_flaky else first.flags
        return replace(first, flags=flags, meta={**first.meta, "repeats": repeats})
