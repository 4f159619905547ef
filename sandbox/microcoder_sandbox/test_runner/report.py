"""What is known of a run of test code, from its first assertion to its end."""

from __future__ import annotations

from microcoder_sandbox.wire.runner_messages import RunnerJob, RunnerReport

from .connection import Connection


class Report:
    """What is known so far; ``make_report`` makes the report that the judge receives.

    required_count: how many assertions straight-line code reaches.
    """

    def __init__(self, job: RunnerJob) -> None:
        self.required_count = 0
        self.needs_assertion = job.needs_assertion
        self.reached_sites: set[int] = set()
        self.error: str | None = None
        self.failed_assertion: str | None = None
        self.unsupported: str | None = None
        self.exited = False

    def assertion_passed(self, site: int) -> None:
        """Count an assertion: the marked test code calls this after each."""
        self.reached_sites.add(site)

    def make_report(self, connection: Connection) -> RunnerReport:
        """Return the report. It says passed only if nothing failed and all required assertions
        completed (with ``needs_assertion`` at least one)."""
        required_count = max(int(self.needs_assertion), self.required_count)
        failures = connection.failures
        is_dead = failures.death is not None
        unsupported = self.unsupported if is_dead else failures.unsupported or self.unsupported
        error = unsupported or failures.death or self.error
        if error is None and len(self.reached_sites) < required_count:
            error = f"only {len(self.reached_sites)} of {required_count} assertions were reached"
        return RunnerReport(
            error,
            self.failed_assertion,
            unsupported is not None,
            is_dead,
            connection.is_answered,
            self.exited,
            sorted(connection.origins.makers),
        )
