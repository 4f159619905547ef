"""Finds, in what a program wrote to standard error, the line that says why it failed."""

from __future__ import annotations

import re

MAX_DETAIL_CHARS = 300
# Where a runtime begins to say why it ends: after a trace (Python), after the source (Python and
# Node, which has no caret below a long line), or before a trace. What the program wrote and the
# rest of the message are around it.
_REASON = re.compile(
    r"""^(?:Traceback\ .*\n(?:[ \t].*\n)*+|(?:[ \t]*+\^[ \t^~]*+|\ {99,}+)\n\n?)(\S.*)
    |^((?:Exception\ in\ thread\ "|Caused\ by:\ |Uncaught\ |panic:\ |fatal\ error:\ ).*
    |\w{0,80}Error\b.*(?=\n\ +at\ )|thread\ '.*(?:(?<=:)\n.+)?|[ ]+what\(\):.*)""",
    re.MULTILINE | re.VERBOSE,
)


def find_error_line(stderr: bytes) -> str:
    """Return, as text, the line of standard error that says why a program failed: the last one that
    begins a runtime's message, else the last one that is not empty."""
    text = stderr.decode("utf-8", "replace").replace("\r\n", "\n")
    reason = text.rstrip().rpartition("\n")[2]
    for match in _REASON.finditer(text):
        reason = (match[1] or match[2]).replace("\n", " ")
    return reason.strip()[:MAX_DETAIL_CHARS]
