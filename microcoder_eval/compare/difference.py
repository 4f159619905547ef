"""The first difference between two texts, in words a person can use."""

from __future__ import annotations

_SHOWN = 60


def quoted(data: bytes) -> str:
    """A short, printable form of some output."""
    text = data[: _SHOWN * 4].decode("utf-8", "replace")
    plain = "".join(c if c.isprintable() else repr(c)[1:-1] for c in text)
    return f'"{plain}"' if len(plain) <= _SHOWN else f'"{plain[:_SHOWN]}…"'


def first_difference(actual: bytes, expected: bytes) -> str:
    """Where two outputs part, token by token, and what stands there."""
    if not actual.strip() and expected.strip():
        return f"no output, expected {quoted(expected.strip())}"
    ours = [line.split() for line in actual.splitlines() if line.strip()]
    theirs = [line.split() for line in expected.splitlines() if line.strip()]
    for number, (left, right) in enumerate(zip(ours, theirs, strict=False), 1):
        if left != right:
            return f"line {number}, {_in_line(left, right)}"
    if len(ours) != len(theirs):
        return f"{len(ours)} lines that are not blank, expected {len(theirs)}"
    return "only white space differs"


def _in_line(left: list[bytes], right: list[bytes]) -> str:
    for number, (got, wanted) in enumerate(zip(left, right, strict=False), 1):
        if got != wanted:
            return f"token {number}: got {quoted(got)}, expected {quoted(wanted)}"
    return f"{len(left)} tokens, expected {len(right)}"
