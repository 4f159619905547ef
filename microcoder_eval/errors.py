"""The exceptions of this package. The failure of a judged program is a verdict, not an exception.

MicrocoderError
├── DataError          a line or a file of the user's cannot be read
├── ComparerError      a comparer or one of its options does not exist
├── UnjudgeableError   this judge cannot judge the problem (JE, not a wrong answer)
├── CompileError       a program does not compile
└── JudgeError         the judge cannot start or has failed (never a wrong answer)
UsageError             the arguments of a command are wrong
"""

from __future__ import annotations

TYPE_CHECKING = False  # a command imports this before it starts a worker
if TYPE_CHECKING:
    from collections.abc import Iterable


class MicrocoderError(Exception):
    """Base class of the exceptions of this package."""


class DataError(MicrocoderError, ValueError):
    """A problem or solution cannot be used; the message says why, and what to do.

    where: "file:line" if the data comes from a file, else empty.
    """

    def __init__(self, message: str, where: str = "") -> None:
        super().__init__(f"{where}: {message}" if where else message)
        self.message = message
        self.where = where


class ComparerError(MicrocoderError, ValueError):
    """An unknown comparer or option; the message lists the known ones."""


class UnjudgeableError(MicrocoderError):
    """The problem's tests need something that this judge cannot do; the message says what."""


class CompileError(MicrocoderError):
    """The program does not compile; the message is the compiler's first error."""


class JudgeError(MicrocoderError, RuntimeError):
    """The judge cannot start or has failed. A failure on one solution is a JE instead."""


class UsageError(Exception):
    """The command line is wrong; the message names the argument at fault and what is allowed."""


def guess_name(name: str, known_names: Iterable[str]) -> str:
    """Return '; did you mean "x"?' if a known name is similar, else ""."""
    import difflib  # late: workers import this module

    close = difflib.get_close_matches(name[:80].lower(), list(known_names), n=1, cutoff=0.7)
    return f'; did you mean "{close[0]}"?' if close else ""


def suggest(name: str, known_names: Iterable[str], aliases: Iterable[str] = ()) -> str:
    """Return '; did you mean "x"? known: ...', without the question if neither a name nor an alias
    is similar."""
    names = list(known_names)
    return f"{guess_name(name, [*names, *aliases]) or ';'} known: {', '.join(names)}"
