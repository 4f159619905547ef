"""What flags and details of results say, where one module writes it and another one reads it."""

from __future__ import annotations

import re

from microcoder_sandbox import record

FENCED = "fenced_code"  # the flag of a text that does not compile and holds a fence
ESCAPED = "escaped_code"  # of one whose line ends are backslash and n
OTHER_LANGUAGE = "other_language:"  # the flag of one in another language, before its name
IN_PROCESS_TESTS = "in_process_tests"  # the flag of tests that ran in the program's process
TESTS_FAILED = "tests_failed"  # of a failure, but no assertion's, that ended the test code
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
