"""Which line of a compiler's messages says why a program does not compile.

Compilers, assemblers and linkers write one problem a line, as ``place: severity: text``, ``place:
text`` or ``severity: text``, in the order in which they find them; lines that end with a colon are
headings, and so are Go's, which begin with ``# ``. A front end also reports the exit status of a
program that it started. This line comes last or, with rustc, before that program's messages. It
says that something failed, never why.
"""

from __future__ import annotations

import re

_MAX_CHARS = 300
_NO_MESSAGE = "no message"
# Folders of a path, removed from messages: they are those of the judge's machine.
_FOLDERS = re.compile(r"(?<![\w./:])/(?:[\w.+@~-]+/)+")
_DECORATION = re.compile(r"^\s*(?:= note:)?\s*")
# A file, a line, a program; the assembler calls its input {standard input}.
# Atomic: a program can name its file as it likes (#line), and there must be one way to read it.
_PLACES = r"^(?>(?:\{[^{}]*\})?[^\s'\"]*: )*"
_ERROR = re.compile(_PLACES + r"(?:[Ff]atal )?(?:error|Error|[A-Z]\w*Error)(?:\[\w+\])?: ")
_MINOR = re.compile(_PLACES + r"(?:[Ww]arning|[Nn]ote|NOTE|[Ii]nfo)(?:\[\w+\])?: ")
_PLACED = re.compile(r"^(?>(?:\{[^{}]*\})?[^\s'\"]*: ).*[^:\s]\s*$")  # not a heading
_EXIT_STATUS = re.compile(r"exit (?:status|code)(?::? \d+)?\s*$")
_RUST_PLACE = "--> "


def find_reason(output: str) -> str:
    """Return the first line that says why, without folders of this machine, shortened."""
    lines = [line for line in output.splitlines() if line.strip() and line[:2] != "# "]
    if not lines:
        return _NO_MESSAGE
    index = _find_line(_ERROR, lines)
    if index is None or _EXIT_STATUS.search(lines[index]):
        reasons = ["" if _EXIT_STATUS.search(line) else _undecorate(line) for line in lines]
        index = _find_line(_PLACED, reasons)
    index = index or 0
    place = lines[index + 1].strip() if index + 1 < len(lines) else ""
    rust_place = place.removeprefix("-->") if place.startswith(_RUST_PLACE) else ""
    reason = _undecorate(lines[index]) + rust_place
    return _FOLDERS.sub("", reason)[:_MAX_CHARS]


def _undecorate(line: str) -> str:
    """Return a line without the indentation and the "= note:" that rustc puts before it."""
    return _DECORATION.sub("", line)


def _find_line(shape: re.Pattern[str], lines: list[str]) -> int | None:
    """Return the index of the first line of this shape that is no warning and no note."""
    return next(
        (i for i, line in enumerate(lines) if shape.match(line) and not _MINOR.match(line)), None
    )
