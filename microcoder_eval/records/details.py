"""What differs in a wrong answer, as the detail of its result says."""

from __future__ import annotations

import re

from microcoder_sandbox import record

_MISMATCH = re.compile(r"(line \d+(?:, (?:token|column) \d+)?: )?got (.*?), expected (.*)", re.S)


@record
class Mismatch:
    """What differs, as the detail of a wrong answer says. place: "line 3, token 2: ", "line 3: ",
    or "" for values. actual, expected: excerpts; those of an output in quotes."""

    place: str
    actual: str
    expected: str


def parse_mismatch(detail: str | None) -> Mismatch | None:
    """Return the parts of a detail that a comparer wrote; None for any other detail."""
    match = _MISMATCH.fullmatch(detail or "")
    return None if match is None else Mismatch(match[1] or "", match[2], match[3])
