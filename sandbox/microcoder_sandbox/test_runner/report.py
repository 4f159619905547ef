"""What is known of a run of test code, from its first assertion to its end."""

from __future__ import annotations

from microcoder_sandbox.wire.runner_messages import RunnerJob, RunnerReport

from .connection import Connection


class Report:
    """What is known so far; ``make_report`` makes the report that the judge receives.

    A dry run accepts every skip; a real run only those of the dry run. required_tests: for
    each assertion that straight-line code reaches, the test that holds it.
    """

    def __init__(self, job: RunnerJob, is_dry: bool) -> None:
        self.needs_assertion = job.needs_assertion
        self.required_tests: list[str] = []
        self.reached_sites: set[int | str] = set()
        self.skipped: list[str] = []
        self._may_skip = None if is_dry else job.may_skip
        self.error: str | None = None
        self.failed_assertion: str | None = None
        self.unsupported: str | None = None
        self.exited = False

    def assertion_passed(self, site: int) -> None:
        """Count an assertion: the marked test code calls this after each."""
        self.reached_sites.add(site)

    def skip(self, test: str) -> None:
        """Record that a test, or a whole class, is skipped. test: its qualified name. Raises
        AssertionError if the candidate is the cause."""
        if self._may_skip is not None and test not in self._may_skip:
            raise AssertionError(f"{test} is skipped because of what the program does")
        self.skipped.append(test)
        self._expect_nothing_of(test)

    def fail_as_expected(self, test: str) -> None:
        """Count a test that must fail, as one assertion."""
        self._expect_nothing_of(test)
        self.reached_sites.add(test)

    def _expect_nothing_of(self, test: str) -> None:
        inner = f"{test}."
        others = [site for site in self.required_tests if not f"{site}.".startswith(inner)]
        self.required_tests = others  # a test may be skipped in several cases

    def make_report(self, connection: Connection) -> RunnerReport:
        """Return the report. It says passed only if nothing failed and all required assertions
        completed (with ``needs_assertion`` at least one)."""
        required_count = max(int(self.needs_assertion), len(self.required_tests))
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
            self.skipped,
            sorted(connection.origins.makers),
        )
