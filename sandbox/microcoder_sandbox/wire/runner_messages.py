"""Between host and test runner: the test code to run, and what became of it."""

from __future__ import annotations

from collections.abc import Sequence

from . import light_json
from .frames import HEADER_BYTES
from .light_record import LightRecord


class RunnerJob(LightRecord):
    """Test code to run against a candidate, or without one (a dry run).

    needs_assertion: whether at least one must be completed, if there is any.
    makers: the names by whose calls the test makes objects, which the dry run finds.
    """

    source: str
    entry: str | None = None
    needs_assertion: bool = True
    makers: Sequence[str] = ()


class RunnerReport(LightRecord):
    """What became of test code; it travels as one frame.

    error: why the tests did not pass; None if they did.
    failed_assertion: its source, if one is the reason.
    unsupported: the test code asks for what cannot cross, or an import that is not here.
    candidate_died: the candidate ended, or sent nonsense.
    candidate_answered: it answered a request.
    exited: the test code ended itself.
    makers: the names by whose calls the test makes objects.
    """

    error: str | None
    failed_assertion: str | None
    unsupported: bool
    candidate_died: bool
    candidate_answered: bool
    exited: bool
    makers: Sequence[str]

    @property
    def passed(self) -> bool:
        """Whether nothing failed and all that had to be completed was."""
        return self.error is None

    @classmethod
    def decode(cls, frame: bytes) -> RunnerReport | None:
        """Return the report in a frame; None if there is none."""
        try:
            return cls(*light_json.loads(frame[HEADER_BYTES:].decode()))
        except (ValueError, TypeError):
            return None
