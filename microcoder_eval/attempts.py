"""In a worker: runs that say more about the machine than about the program are made again."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from microcoder_sandbox.cage import Cage
from microcoder_sandbox.client import Interrupted
from microcoder_sandbox.outcome import CageError, CageUnavailableError, Outcome

from .verdicts import harmed_from_outside

ATTEMPTS = 3  # of a run that something outside the program ended
Concluded = TypeVar("Concluded")


def persistently(
    cage: Cage, run: Callable[[], Outcome], conclude: Callable[[Outcome], Concluded]
) -> Concluded:
    """Run, and again where a run says more about the machine than about the program: a fork
    server lost, a child that could not be confined or that something outside has harmed.

    Raises the last run's CageError; CageUnavailableError at once, as more attempts of this worker
    would not mend that.
    """
    for left in reversed(range(ATTEMPTS)):
        try:
            outcome = run()
            if not left or not harmed_from_outside(outcome):
                return conclude(outcome)
        except (Interrupted, CageUnavailableError):
            raise
        except CageError:
            cage.close()  # whatever its servers have come to: the next run has new ones
            if not left:
                raise
    raise AssertionError("unreachable")
