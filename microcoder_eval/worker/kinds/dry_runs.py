"""Dry runs of test code, without a candidate: they show whether it can be run beside one."""

from __future__ import annotations

from microcoder_eval.errors import UnjudgeableError
from microcoder_eval.python_tests.assert_plan import AssertPlan
from microcoder_eval.python_tests.unsupported import NEEDS_IN_PROCESS
from microcoder_eval.worker.prepared_problem import DryRun, PreparedProblem
from microcoder_eval.worker.retry import run_with_retries
from microcoder_eval.worker.solution import SolutionRun
from microcoder_eval.worker.verdicts import describe_end, require_confined
from microcoder_sandbox import (
    Outcome,
    ResourceLimits,
    RunnerJob,
    RunnerReport,
    make_dry_run_request,
)

_DRY_RUN_LIMITS = ResourceLimits(
    cpu_seconds=5.0, wall_seconds=20.0, memory_bytes=1 << 30, output_bytes=1 << 20
)
_NO_DRY_RUN = DryRun("")


def require_runnable(run: SolutionRun, assert_plan: AssertPlan) -> DryRun:
    """Return the dry run of test code. Raises UnjudgeableError where it cannot be run beside a
    candidate."""
    dry_runs, source = run.problem.dry_runs, assert_plan.test_source or ""
    if source not in dry_runs:
        job = make_test_job(run.problem, assert_plan)
        dry_runs[source] = run_with_retries(
            run.sandbox,
            lambda: make_dry_run_request(job, _DRY_RUN_LIMITS),
            lambda outcome: _read_dry_run(outcome, is_alone=not assert_plan.tests),
        )
    if dry_runs[source].error:
        raise UnjudgeableError(dry_runs[source].error)
    return dry_runs[source]


def make_test_job(
    problem: PreparedProblem, assert_plan: AssertPlan, dry_run: DryRun = _NO_DRY_RUN
) -> RunnerJob:
    """Return the job of the process that runs test code. dry_run: what its dry run has shown."""
    return RunnerJob(
        assert_plan.test_source or "",
        problem.definition.entry_point,
        needs_assertion=not assert_plan.tests,
        makers=dry_run.makers,
    )


def _read_dry_run(outcome: Outcome, is_alone: bool) -> DryRun:
    """Return what a dry run says.

    is_alone: whether the problem has no other tests. If it also has calls, test code that requests
        nothing is no fault.
    """
    require_confined(outcome)
    report = RunnerReport.decode(outcome.result)
    if report is not None and report.unsupported:
        return DryRun(f"{NEEDS_IN_PROCESS}: {report.error}")
    if report is None and (outcome.killed is not None or outcome.refused_memory):
        # It may wait for something that only a candidate does, or need more than these limits.
        return DryRun("", outcome.asked_candidate)
    is_idle = report is not None and report.passed and not is_alone
    if report is None or not (outcome.asked_candidate or is_idle):
        return DryRun(explain_unasked(outcome))
    return DryRun("", outcome.asked_candidate, report.makers)


def explain_unasked(outcome: Outcome) -> str:
    """Return why test code that requested nothing of a candidate says nothing about any."""
    report = RunnerReport.decode(outcome.result)
    if report is None:
        return f"the test code ends without a candidate: {describe_end(outcome)}"
    if report.passed:
        return "the test code never calls the program: any program would pass"
    return f"the test code fails without a candidate: {report.error}"
