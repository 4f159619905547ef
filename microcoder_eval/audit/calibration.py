"""Time limits that fit a problem: from its slowest right program on this machine.

A limit of the source is made for its own machines and languages, or is a default of many seconds:
a program that loops for ever then costs all of it. A limit some times the slowest right program
costs less and refuses nothing that is right.
"""

from __future__ import annotations

import platform
from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace
from typing import Any

from microcoder_eval.conversion import LIMITS_DERIVED
from microcoder_eval.records import DEFAULT_TIME_S, Judgement, Problem, Verdict
from microcoder_sandbox import record

from .programs import Program
from .trial_runner import Trial, TrialRunner

_DIGITS = 3  # of a limit, in seconds after the point


@record
class Calibration:
    """How a limit follows from the slowest right program.

    multiplier: limit per CPU second of that program on its slowest test. floor_s: the least limit.
    """

    multiplier: float = 10.0
    floor_s: float = 1.0

    def derive_time_limit(self, slowest_s: float, highest_s: float) -> float:
        """Return the limit in seconds, never above ``highest_s``, the limit that holds now."""
        return min(highest_s, round(max(self.floor_s, self.multiplier * slowest_s), _DIGITS))


@record
class SlowestProgram:
    """The right program of a problem that took longest. cpu_s: on its slowest test, in the fastest
    of its runs."""

    name: str
    cpu_s: float


def find_slowest_program(trials: Sequence[Trial]) -> SlowestProgram | None:
    """Return the slowest of the programs that pass all tests in each run; None: there is none."""
    programs = [
        SlowestProgram(trial.program.name, min(map(_measure_cpu, trial.judgements)))
        for trial in trials
        if all(judgement.verdict is Verdict.AC for judgement in trial.judgements)
    ]
    return max(programs, key=lambda program: program.cpu_s, default=None)


def _measure_cpu(judgement: Judgement) -> float:
    return max((test.cpu_s for test in judgement.tests if test is not None), default=0.0)


def calibrate_problem(
    trial_runner: TrialRunner,
    problem: Problem,
    programs: Sequence[Program],
    calibration: Calibration,
    machine: str,
) -> Problem | None:
    """Return the problem with a time limit from its right programs, marked LIMITS_DERIVED; None
    where none of them passes. machine: what they are measured on, in words."""
    slowest = find_slowest_program(trial_runner.run_trials(problem, programs))
    if slowest is None:
        return None
    highest_s = trial_runner.get_limits(problem).time_s or DEFAULT_TIME_S
    limits = replace(problem.limits, time_s=calibration.derive_time_limit(slowest.cpu_s, highest_s))
    mark = make_mark(calibration, slowest, machine)
    return replace(problem, limits=limits, meta={**problem.meta, LIMITS_DERIVED: mark})


def make_mark(calibration: Calibration, slowest: SlowestProgram, machine: str) -> Mapping[str, Any]:
    """How a limit was derived, for the problem's meta under LIMITS_DERIVED."""
    return {
        "from": "right programs",
        **asdict(calibration),
        "slowest_s": round(slowest.cpu_s, 6),
        "program": slowest.name,
        "machine": machine,
    }


def describe_machine() -> str:
    """Processor and interpreter, which measured times depend on."""
    try:
        with open("/proc/cpuinfo") as file:
            models = [line.partition(":")[2].strip() for line in file if "model name" in line]
    except OSError:
        models = []
    model = models[0] if models else platform.machine()
    return f"{model}, {platform.python_implementation()} {platform.python_version()}"
