"""``microcoder-eval calibrate``: derives time limits from the right programs of each problem.

problems, right programs -> each program run several times -> problems with ``limits.time_s``
"""

from __future__ import annotations

import statistics
from collections import Counter
from typing import Any

from microcoder_eval.audit.calibration import Calibration, calibrate_problem
from microcoder_eval.audit.trials import Runner
from microcoder_eval.cli.options import make_judge
from microcoder_eval.console.guard import EXIT_INTERRUPTED, EXIT_USAGE
from microcoder_eval.console.streams import print_facts, print_note
from microcoder_eval.formats import ProblemSet
from microcoder_eval.formats.writing import encode_problem
from microcoder_eval.judgements import LIMITS_DERIVED
from microcoder_eval.records import Problem
from microcoder_eval.results.files import Paths, write_atomically
from microcoder_eval.signals import interrupt_on_signals

from .problem_jobs import Inputs, open_inputs, refuse_misuse, run_jobs

# By name, each problem with its new limit; or None, and why it keeps its limit.
Results = dict[str, tuple[Problem | None, str]]


def run(args: Any) -> int:
    """Calibrate all problems; return the exit code."""
    paths = Paths.from_output(args.output)
    refuse_misuse(args, paths)
    with open_inputs(args, paths) as inputs:
        try:
            with interrupt_on_signals():
                results = _calibrate(args, inputs)
        except KeyboardInterrupt:
            print_note("stopped: nothing was written")
            return EXIT_INTERRUPTED
        _write(paths, inputs.problems, results)
    _show(args, paths, results)
    return EXIT_USAGE if inputs.bad_lines.count else 0


def _calibrate(args: Any, inputs: Inputs) -> Results:
    """Run the right programs of all problems."""
    calibration = Calibration(args.factor, args.floor)
    judge = make_judge(args, stop="never", reuse=False)

    def calibrate(runner: Runner, name: str) -> tuple[Problem | None, str]:
        problem = inputs.problems.get(name)
        if LIMITS_DERIVED in problem.meta:
            return None, "limits derived before"
        right = [p for p in inputs.programs.select_programs(problem)[0] if p.right]
        if not right:
            return None, "no right program"
        result = calibrate_problem(runner, problem, right, calibration, args.repeat)
        return result, "no right program passes"

    return dict(run_jobs(judge, calibrate, list(inputs.problems), "problems calibrated"))


def _write(paths: Paths, problems: ProblemSet, results: Results) -> None:
    """Write all problems, in their order; an existing file stays if that fails."""
    with write_atomically(paths.results) as file:
        for name in problems:
            file.write(encode_problem(results[name][0] or problems.get(name)) + b"\n")


def _show(args: Any, paths: Paths, results: Results) -> None:
    seconds = [problem.limits.time_s or 0.0 for problem, _ in results.values() if problem]
    unchanged = Counter(reason for problem, reason in results.values() if problem is None)
    median = statistics.median(seconds) if seconds else None
    facts = {
        "calibrated": len(seconds),
        "unchanged": dict(unchanged),
        "median_s": median,
        "output": str(paths.results),
    }

    def print_text() -> None:
        print_note(f"{len(seconds)} problems calibrated, written to {paths.results}")
        if seconds:
            print_note(
                f"time limits from {min(seconds):g} to {max(seconds):g} s, half of them at most "
                f"{median:g} s"
            )
        for reason, count in unchanged.items():
            print_note(f"{count} keep their limit: {reason}")

    print_facts(facts, args.json, print_text)
