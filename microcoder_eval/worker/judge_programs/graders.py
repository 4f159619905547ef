"""In a worker: a problem's grader, which computes a group's verdict and points from those of its
tests or subgroups. It runs as checkers do.

stdin, a line for each: CODE POINTS; stdout, one such line; exit 0. CODE: AC, WA, RTE or TLE; on
stdout also MLE or OLE. Anything else is a failure, which refuses the group, with the flag
grader_failed: the solution influences what the grader reads, by the tests that it passes and the
points that a checker gives it. The problem is at fault if its grader cannot be loaded (JE, for
every program).

Source: the problem package format, legacy, "Graders".
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from contextlib import closing
from typing import Any

from microcoder_eval.points import Grade, TestGroup, score_groups
from microcoder_eval.records import TestResult, Verdict
from microcoder_eval.solution_points import list_outcomes
from microcoder_eval.worker.text_programs import WorkerContext
from microcoder_eval.worker.verdicts import describe_end
from microcoder_sandbox import Outcome, RunRequest

from .programs import LIMITS, CheckerFailedError, JudgeProgram, get_failed_flag
from .scores import parse_float

_REFUSED = Grade("WA", 0.0)
_MAX_POINTS = 1e200  # of either sign: sums of groups stay finite
_REPLY = re.compile(rb"\s*(AC|WA|TLE|RTE|MLE|OLE|JE)\s+([-+]?[\w.+-]+)\s*")


def grade_groups(
    context: WorkerContext,
    spec: Mapping[str, Any],
    groups: Sequence[TestGroup],
    results: Sequence[TestResult | None],
    test_count: int,
) -> tuple[dict[str, Grade], tuple[str, ...]]:
    """Return what the grader makes of each group that it grades, by name, and flags; nothing for a
    program that was not compiled. spec: the problem's grader. Raises UnjudgeableError,
    SandboxError."""
    verdicts = [result.verdict for result in results if result is not None]
    if not verdicts or Verdict.CE in verdicts:
        return {}, ()
    grades: dict[str, Grade] = {}
    flags: set[str] = set()
    grader = JudgeProgram(context, spec, "grader")

    def grade(group: TestGroup, items: Sequence[Grade]) -> Grade:
        text = "".join(f"{item.code} {item.points:.15g}\n" for item in items).encode()

        def make_request() -> RunRequest:
            return grader.prepare().make_request(LIMITS, text, arguments=group.grader_args)

        try:
            grade = grader.run(make_request, _read_reply)
        except CheckerFailedError:
            flags.add(get_failed_flag(grader.role))
            grade = _REFUSED
        grades[group.name] = grade
        return grade

    with closing(grader):
        grader.prepare()  # a grader that cannot be used fails every program
        score_groups(groups, list_outcomes(results, test_count), grade=grade)
    return grades, tuple(flags)


def _read_reply(outcome: Outcome) -> Grade:
    """Return what the grader printed. Raises CheckerFailedError."""
    if not outcome.ended_well:
        raise CheckerFailedError(describe_end(outcome))
    match = _REPLY.fullmatch(outcome.stdout)
    code, points = (match[1].decode(), parse_float(match[2])) if match else ("", math.nan)
    if code in ("", "JE") or not abs(points) <= _MAX_POINTS:
        text = outcome.stdout[:60].decode("utf-8", "replace")
        raise CheckerFailedError(f"it printed {text!r}, not a verdict and a number of points")
    return Grade(code, points)
