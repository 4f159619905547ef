"""Why test code cannot go on: it asks for what cannot be had here, or its candidate is gone."""

from __future__ import annotations


class CandidateDiedError(BaseException):
    """The candidate has ended or sends nonsense. A BaseException, so that no test catches it."""


class UnsupportedError(BaseException):
    """The test needs what only works inside the candidate's process."""


class Failures:
    """The reasons, each None until there is one. They stay set, whatever the test catches.

    death: why the candidate is gone. unsupported: what the test cannot have.
    """

    def __init__(self) -> None:
        self.death: str | None = None
        self.unsupported: str | None = None

    def refuse(self, reason: str) -> UnsupportedError:
        """Record why the test cannot run out of process. Returns the exception to raise."""
        self.unsupported = self.unsupported or reason
        return UnsupportedError(reason)

    def mark_dead(self, reason: str) -> CandidateDiedError:
        """Record why the candidate is gone. Returns the exception to raise."""
        self.death = f"the candidate is gone: {reason}"
        return CandidateDiedError(self.death)
