"""Derives a problem's time limit from its slowest right program on this machine.

The source's own limit suits its own machines and languages, or is a default of many seconds. A
program that loops forever then costs that whole time. A multiple of the slowest right program's
time costs less and still accepts every right program.
"""

from __future__ import annotations

import platform
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cache
from typing import Any

from microcoder_eval.judgements import LIMITS_DERIVED
from microcoder_eval.records import Problem, Verdict
from microcoder_sandbox import record

from .labelled_programs import Program
from .trials import Runner, Trial, measure_slowest

_DIGITS = 3  # of a limit, in seconds after the point


@record
class SlowestProgram:
    """The slowest right program of a problem. cpu_s: CPU seconds of its slowest test, in the
    fastest of its runs."""

    name: str
    cpu_s: float


@record
class Calibration:
    """How a limit follows from the slowest right program.

    multiplier: limit per CPU second of that program on its slowest test. floor_s: the least limit.
    """

    multiplier: float = 20.0
    floor_s: float = 2.0

    def derive_time_limit(
        self, slowest: SlowestProgram, highest_s: float
    ) -> tuple[float, Mapping[str, Any]]:
        """Return the limit in seconds, and a record of how it was derived, for the problem's meta
        under LIMITS_DERIVED. highest_s: the current limit, which the new one never exceeds."""
        limit_s = round(max(self.floor_s, self.multiplier * slowest.cpu_s), _DIGITS)
        mark = {
            "from": "right programs",
            "multiplier": self.multiplier,
            "floor_s": self.floor_s,
            "slowest_s": round(slowest.cpu_s, 6),
            "program": slowest.name,
            "machine": _describe_machine(),
        }
        return min(highest_s, limit_s), mark


def _find_slowest_program(trials: Sequence[Trial]) -> SlowestProgram | None:
    """Return the slowest of the programs that pass all tests in each run; None if there is none."""
    programs = [
        SlowestProgram(trial.program.name, min(map(measure_slowest, trial.judgements)))
        for trial in trials
        if all(judgement.verdict is Verdict.AC for judgement in trial.judgements)
    ]
    return max(programs, key=lambda program: program.cpu_s, default=None)


def calibrate_problem(
    runner: Runner,
    problem: Problem,
    programs: Sequence[Program],
    calibration: Calibration,
    repeat: int,
) -> Problem | None:
    """Return the problem with a time limit from its right programs, marked LIMITS_DERIVED; None if
    none of them passes. repeat: how often each program runs."""
    slowest = _find_slowest_program(runner.run_trials(problem, programs, repeat))
    if slowest is None:
        return None
    highest_s = runner.get_limits(problem).effective_time_s
    time_s, mark = calibration.derive_time_limit(slowest, highest_s)
    limits = replace(problem.limits, time_s=time_s)
    return replace(problem, limits=limits, meta={**problem.meta, LIMITS_DERIVED: mark})


@cache
def _describe_machine() -> str:
    """Return the processor and the interpreter, which measured times depend on."""
    with open("/proc/cpuinfo") as file:
        models = [line.partition(":")[2].strip() for line in file if "model name" in line]
    model = models[0] if models else platform.machine()
    return f"{model}, {platform.python_implementation()} {platform.python_version()}"
