"""The verdicts, statuses and kinds of problems."""

from __future__ import annotations

from enum import StrEnum


class Verdict(StrEnum):
    """The verdicts. JE is a failure of the judge: it has no score and counts in no denominator."""

    AC = "AC"
    WA = "WA"
    TLE = "TLE"
    MLE = "MLE"
    OLE = "OLE"
    RE = "RE"
    CE = "CE"
    JE = "JE"


class Status(StrEnum):
    """The status of a judgement. INCOMPLETE: the model's answer was cut off or has no program."""

    CORRECT = "correct"
    INCORRECT = "incorrect"
    INCOMPLETE = "incomplete"
    ERROR = "error"


class Kind(StrEnum):
    """The kind of a problem's tests: texts in and out, function calls, or test code."""

    STDIN = "stdin"
    CALL = "call"
    ASSERT = "assert"
