"""Finds, in what a program wrote, why it failed: the line, or a failed assertion of tests."""

from __future__ import annotations

import re

MAX_DETAIL_CHARS = 300
# Where a runtime begins to say why it ends: after a trace (Python), after the source (Python and
# Node, which has no caret below a long line), or before a trace. What the program wrote and the
# rest of the message are around it.
_REASON = re.compile(
    r"""^(?:Traceback\ .*\n(?:[ \t].*\n)*+|(?:[ \t]*+\^[ \t^~]*+|\ {99,}+)\n\n?
    |\ \ \+\ Exception\ Group\ Traceback\ .*\n(?:\ \ \|\ \ .*\n)*+\ \ \|\ )(\S.*)
    |^((?:Exception\ in\ thread\ "|Caused\ by:\ |Uncaught\ |panic:\ |fatal\ error:\ ).*
    |\w{0,80}Error\b.*(?=\n\ +at\ )|thread\ '.*(?:(?<=:)\n.+)?|[ ]+what\(\):.*)""",
    re.MULTILINE | re.VERBOSE,
)


# How runtimes and libraries of tests report a failed assertion, up to the trace.
_ASSERTION = re.compile(
    r"""^(?:Assertion\ failed|.*:\ Assertion\ `|[ ]*(?:name:\ ')?AssertionError\b|---\ FAIL
    |Exception\ in\ thread\ "[^"\n]*"\ java\.lang\.AssertionError)
    (?:(?!\n[ \t]{1,9}(?:at|stack:)\ )[\s\S])*+""",
    re.MULTILINE | re.VERBOSE,
)


def find_error_line(stderr: bytes) -> str:
    """Return, as text, the line of standard error that says why a program failed: the last one that
    begins a runtime's message, else the last one that is not empty."""
    text = _decode(stderr)
    match = _match_reason(text)
    reason = match[match.lastindex or 0] if match else text.rstrip().rpartition("\n")[2]
    return reason.replace("\n", " ").strip()[:MAX_DETAIL_CHARS]


def find_failed_assertion(stderr: bytes, stdout: bytes) -> str:
    """Return, as text, what a failed assertion of tests says; "" if the program failed otherwise.
    What a runtime says last decides; if none says why, what a library of tests prints."""
    text = _decode(stderr)
    reason = _match_reason(text)
    match = _ASSERTION.search(text, reason.start(reason.lastindex or 0) if reason else 0)
    if match is None and reason is None:
        match = _ASSERTION.search(_decode(stdout))
    return " ".join(match[0].split())[:MAX_DETAIL_CHARS] if match else ""


def _decode(data: bytes) -> str:
    return data.decode("utf-8", "replace").replace("\r\n", "\n")


def _match_reason(text: str) -> re.Match[str] | None:
    """Return the last place where a runtime says why a program ends: the only group that is set."""
    return [None, *_REASON.finditer(text)][-1]
