"""What can go wrong outside the judged program, named after the boundary crossed.

    MicrocoderError
    ├── DataError          a line or a file cannot be read as what it should be (the user's data)
    ├── ComparerError      a comparer or one of its options does not exist
    ├── UnjudgeableError   this problem cannot be judged by this judge (JE, not a wrong answer)
    └── JudgeError         the judge itself cannot start or has failed (never a wrong answer)

A judged program that fails is never an exception: it is a verdict.
"""

from __future__ import annotations


class MicrocoderError(Exception):
    """Root of everything this package raises on purpose."""


class DataError(MicrocoderError, ValueError):
    """A problem or solution is not usable as written: what is wrong and what to do about it.

    ``where`` is "file:line" when the data came from a file, else empty.
    """

    def __init__(self, message: str, where: str = "") -> None:
        super().__init__(f"{where}: {message}" if where else message)
        self.message = message
        self.where = where


class ComparerError(MicrocoderError, ValueError):
    """No comparer of that name, or an option it does not take; the message lists what exists."""


class UnjudgeableError(MicrocoderError):
    """The problem's tests ask for what this judge cannot do; the message says what."""


class JudgeError(MicrocoderError, RuntimeError):
    """The judge cannot work at all here. In batch use a failure is a Judgement with verdict JE."""
