"""In a worker: repeats runs whose outcome was caused by the machine, not the program."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from microcoder_eval import retries
from microcoder_sandbox import (
    Interrupted,
    Outcome,
    RunRequest,
    Sandbox,
    SandboxError,
    SandboxUnavailableError,
)

from .verdicts import TestRun, was_killed_externally

Conclusion = TypeVar("Conclusion")


def run_with_retries(
    sandbox: Sandbox,
    make_request: Callable[[], RunRequest],
    conclude: Callable[[Outcome], Conclusion],
) -> Conclusion:
    """Return what ``conclude`` makes of a run that is repeated as in ``retry_test``."""
    return retry_test(
        sandbox,
        lambda: TestRun(sandbox.run(make_request())),
        lambda test_run: conclude(test_run.outcome),
    )


def retry_test(
    sandbox: Sandbox, run: Callable[[], TestRun], conclude: Callable[[TestRun], Conclusion]
) -> Conclusion:
    """Return what ``conclude`` makes of a run. The run is repeated (retries.RUN) if its outcome was
    caused by the machine, not the program: a fork server was lost, a child could not be confined
    or was killed externally.

    Raises the last SandboxError; SandboxUnavailableError at once, since this worker cannot mend
    that by trying again.
    """
    last_attempt = retries.RUN
    for attempt in range(1, last_attempt + 1):
        try:
            test_run = run()
            if attempt == last_attempt or not was_killed_externally(test_run.outcome):
                return conclude(test_run)
        except (Interrupted, SandboxUnavailableError):
            raise
        except SandboxError:
            sandbox.close()  # its servers may be in any state: the next run starts new ones
            if attempt == last_attempt:
                raise
    raise AssertionError("unreachable")
