"""From host to test runner: the test code to run."""

from __future__ import annotations

from collections.abc import Sequence

from .light_record import LightRecord


class RunnerJob(LightRecord):
    """Test code to run against a candidate, or without one (a dry run).

    required_assertions: how many must be completed.
    needs_assertion: at least one, if there is any.
    may_skip, makers: what the dry run found, the qualified names of skipped tests, and the names by
        whose calls the test makes objects.
    """

    source: str
    required_assertions: int
    entry: str | None = None
    needs_assertion: bool = True
    may_skip: Sequence[str] = ()
    makers: Sequence[str] = ()
