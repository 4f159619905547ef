"""What is known of a run of test code, from its first assertion to the judge."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from microcoder_sandbox.wire.runner_job import RunnerJob


class Report:
    """What is known so far; ``to_json`` gives the one frame that the judge receives.

    In a dry run all tests may be skipped, else those that were skipped there. required_sites: for
    each assertion that straight-line code reaches, the test that holds it.
    """

    def __init__(self, job: RunnerJob, is_dry: bool) -> None:
        self.expected_assertions = job.assertions
        self.needs_assertion = job.needs_assertion
        self.required_sites: list[str] = []
        self.reached_sites: set[int | str] = set()
        self.skipped: list[str] = []
        self.makers: list[str] = []
        self._may_skip = None if is_dry else job.may_skip
        self.assertions_run = 0
        self.error: str | None = None
        self.failed_assertion: str | None = None
        self.unsupported: str | None = None
        self.candidate_died = False
        self.candidate_answered = False
        self.exited = False

    def assertion_passed(self, site: int) -> None:
        """Count an assertion: the marked test code calls this after each."""
        self.reached_sites.add(site)
        self.assertions_run += 1

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
        self.assertions_run += 1

    def _expect_nothing_of(self, test: str) -> None:
        inner = f"{test}."
        others = [site for site in self.required_sites if not f"{site}.".startswith(inner)]
        self.expected_assertions -= len(self.required_sites) - len(others)
        self.required_sites = others  # a test may be skipped in several cases

    def to_json(self) -> dict[str, Any]:
        """Return the report. It says passed only if nothing failed and all expected assertions
        completed (with ``needs_assertion`` at least one)."""
        expected_count = max(int(self.needs_assertion), self.expected_assertions)
        if self.error is None and len(self.reached_sites) < expected_count:
            self.error = (
                f"only {len(self.reached_sites)} of {expected_count} assertions were reached"
            )
        if self.unsupported is not None:
            self.error = self.unsupported
        return {
            "passed": self.error is None,
            "assertions_run": self.assertions_run,
            "failed_assertion": self.failed_assertion,
            "error": self.error,
            "candidate_died": self.candidate_died,
            "candidate_answered": self.candidate_answered,
            "unsupported": self.unsupported is not None,
            "exited": self.exited,
            "skipped": self.skipped,
            "makers": self.makers,
        }
