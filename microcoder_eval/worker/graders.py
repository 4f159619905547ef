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
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from microcoder_eval.errors import CompileError, UnjudgeableError
from microcoder_eval.languages import PYTHON, find_language
from microcoder_eval.points import Grade, TestGroup, score_groups
from microcoder_eval.records import TestResult, Verdict
from microcoder_eval.results.scoring import list_outcomes
from microcoder_sandbox import (
    CHECKER,
    NATIVE_CHECKER,
    Outcome,
    RunRequest,
    make_binary_request,
    make_script_request,
)

from .checkers import LIMITS, WorkerContext, describe_failure, escape_braces
from .program_files import gather_files
from .retry import with_retries
from .scores import CheckerFailedError
from .verdicts import require_confined

_REFUSED = Grade("WA", 0.0)
MakeRequest = Callable[[Sequence[str], bytes], RunRequest]

FAILED_FLAG = "grader_failed"
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
    with _prepare_grader(context, spec) as make_request:

        def grade(group: TestGroup, items: Sequence[Grade]) -> Grade:
            try:
                grade = _run_grader(context, make_request, group, items)
            except CheckerFailedError:
                flags.add(FAILED_FLAG)
                grade = _REFUSED
            grades[group.name] = grade
            return grade

        score_groups(groups, list_outcomes(results, test_count), grade=grade)
    return grades, tuple(flags)


def _run_grader(
    context: WorkerContext, make_request: MakeRequest, group: TestGroup, items: Sequence[Grade]
) -> Grade:
    text = "".join(f"{item.code} {item.points:.15g}\n" for item in items).encode()

    def run() -> Outcome:
        return context.sandbox.run(make_request(group.grader_args, text))

    def conclude(outcome: Outcome) -> Grade:
        require_confined(outcome)
        return _read_reply(outcome)

    return with_retries(context.sandbox, run, conclude)


@contextmanager
def _prepare_grader(context: WorkerContext, spec: Mapping[str, Any]) -> Iterator[MakeRequest]:
    """Yield what makes the request of one run, of the grader's arguments and input."""
    language = find_language(str(spec.get("language") or "python")) or PYTHON
    files = gather_files(language, spec["source"], spec.get("file") or "", spec.get("files"))
    if language is PYTHON:
        program = context.loader.load(files, "grader")
        try:
            yield lambda arguments, text: make_script_request(
                program, text, LIMITS, profile=CHECKER, arguments=arguments
            )
        finally:
            program.close()
        return
    try:
        binary = context.binaries.get(files.source, language, files.others, files.main)
    except CompileError as error:
        raise UnjudgeableError(f"the grader does not compile: {error}") from error
    yield lambda arguments, text: make_binary_request(
        binary, list(map(escape_braces, arguments)), text, LIMITS, profile=NATIVE_CHECKER
    )


def _read_reply(outcome: Outcome) -> Grade:
    """Return what the grader printed. Raises CheckerFailedError."""
    if outcome.killed is not None or outcome.exit_code != 0:
        raise CheckerFailedError(describe_failure(outcome))
    match = _REPLY.fullmatch(outcome.stdout)
    code, points = (match[1].decode(), _parse_points(match[2])) if match else ("", math.nan)
    if code in ("", "JE") or not abs(points) <= _MAX_POINTS:
        text = outcome.stdout[:60].decode("utf-8", "replace")
        raise CheckerFailedError(f"it printed {text!r}, not a verdict and a number of points")
    return Grade(code, points)


def _parse_points(text: bytes) -> float:
    try:
        return float(text)
    except ValueError:
        return math.nan
