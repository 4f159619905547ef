"""In a worker: assert problems. Literal comparisons are calls; the rest is two processes.

candidate's child  <== pipes ==>  test code's child (another fork server, which never runs
(serves calls)                    solutions) -> one report frame -> here
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from microcoder_sandbox import codec
from microcoder_sandbox.cage import Program
from microcoder_sandbox.outcome import CageError, Killed, Outcome, ResourceLimits

from . import batching
from .asserts import AssertPlan, CallTest, Relation, plan
from .batching import Item
from .errors import UnjudgeableError
from .records import Verdict
from .verdicts import Answer, Ruling, ValueAnswer, harmed_from_outside, require_confined

if TYPE_CHECKING:
    from .judging import PreparedProblem, Run

_FRAME_HEADER = 4
NOT_POSSIBLE = "test needs in-process access"


@lru_cache(maxsize=64)
def _plan(test_code: str, entry: str | None, starter: str, style: str | None) -> AssertPlan:
    return plan(test_code, entry, starter, style)


def plan_of(problem: PreparedProblem) -> AssertPlan:
    """The plan of a problem. Raises UnjudgeableError when it cannot be judged out of process."""
    style = problem.test_style if problem.test_style in ("pytest", "unittest") else None
    made = _plan(problem.test_code or "", problem.entry, problem.starter, style)
    if made.unsupported is not None:
        raise UnjudgeableError(f"{NOT_POSSIBLE}: {made.unsupported}")
    return made


def count(problem: PreparedProblem) -> int:
    """How many tests the problem has."""
    made = plan_of(problem)
    return len(made.tests) + (made.opaque is not None)


def rulings(run: Run, program: Program, source: bytes) -> Iterator[Ruling]:
    """One ruling per call, then one for the opaque part."""
    made = plan_of(run.problem)

    def make(index: int) -> Item:
        return _item(run, program, index, made.tests[index])

    yield from batching.rulings(run, program, make, len(made.tests), call=True)
    if made.opaque is not None:
        yield _opaque(run, program, made)


def _item(run: Run, program: Program, index: int, test: CallTest) -> Item:
    job = {
        "entry": test.entry.replace("()", ""),
        "class_first": "class Solution" in run.problem.starter or "." in test.entry,
        "args": list(test.args),
        "kwargs": dict(test.kwargs),
        "assertion": True,
        "truth": test.relation in (Relation.TRUTHY, Relation.FALSY),
    }
    return run.call_item(program, index, job, RelationAnswer(test))


def _opaque(run: Run, program: Program, made: AssertPlan) -> Ruling:
    problem = run.problem
    limits = problem.limits(0, run.alone)
    tests_limits = ResourceLimits(
        cpu_seconds=2 * limits.cpu_seconds + 5,
        wall_seconds=limits.wall_seconds + 5,
        memory_bytes=1 << 30,
        output_bytes=limits.output_bytes,
    )
    job = {
        "source": made.opaque,
        "assertions": made.opaque_assertions,
        "style": made.style,
        "entry": problem.entry,
    }
    answer = ReportAnswer()

    def attempt() -> Outcome:
        candidate, answer.tests = run.cage.run_pair(program, job, limits, tests_limits)
        require_confined(answer.tests)
        if harmed_from_outside(answer.tests):
            raise CageError("the test code's process was ended from outside")
        return candidate

    return run.attempt(attempt, limits, answer)


class RelationAnswer(ValueAnswer):
    """A value that must stand in the relation an assertion wrote down."""

    def __init__(self, test: CallTest) -> None:
        self._test = test

    def accept(self, actual: Any) -> tuple[Verdict, str | None, str | None]:
        """Verdict, detail and the method that accepted."""
        if self._test.holds(actual):
            return Verdict.AC, None, f"python_{self._test.relation}"
        shown = _short(actual)
        return Verdict.WA, f"{self._test.source}: got {shown}", None


def _short(value: Any) -> str:
    try:
        text = json.dumps(codec.to_json(value))
    except (ValueError, TypeError):
        text = type(value).__name__
    return text if len(text) <= 100 else f"{text[:100]}…"


class ReportAnswer(Answer):
    """The report of the test code's process, for a candidate that ended without a fault."""

    needs_result = True

    def __init__(self) -> None:
        self.tests: Outcome | None = None

    def compare(self, outcome: Outcome) -> tuple[Verdict, str | None, str | None]:
        """Verdict, detail and the method that accepted."""
        tests = self.tests
        assert tests is not None
        report = _report(tests.result)
        if report is None:
            # Trusted code, so what it choked on is what the program gave it.
            if tests.killed in (Killed.CPU, Killed.WALL):
                return Verdict.TLE, "the test code did not come to an end", None
            if tests.killed is Killed.OUTPUT:
                return Verdict.OLE, "the test code printed too much of the results", None
            if tests.killed is Killed.MEMORY or tests.refused_memory:
                return Verdict.MLE, "the test code ran out of memory over the results", None
            raise UnjudgeableError(f"the test code's process failed: {_last_words(tests)}")
        if report["unsupported"]:
            raise UnjudgeableError(str(report["error"]))
        if report["passed"]:
            return Verdict.AC, None, "assertions"
        error = str(report["error"])
        if report["candidate_died"]:
            return Verdict.RE, "the program ended before its tests did", None
        where = report["failed_assertion"]
        detail = f"{where}: {error}" if where else error
        failed = error.startswith("AssertionError")
        return (Verdict.WA if failed else Verdict.RE), detail, None


def _report(result: bytes) -> dict[str, Any] | None:
    try:
        value = json.loads(result[_FRAME_HEADER:])
    except ValueError:
        return None
    return value if isinstance(value, dict) else None


def _last_words(outcome: Outcome) -> str:
    lines = outcome.stderr[-1000:].decode("utf-8", "replace").strip().splitlines()
    return lines[-1] if lines else f"status {outcome.status}"
