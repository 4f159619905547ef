"""Finds, in what a program wrote to standard error, the line that says why it failed."""

from __future__ import annotations

import re

MAX_DETAIL_CHARS = 300
# Where a runtime begins to say why it ends: behind a trace (Python) or the source (Python and Node,
# which has no caret below a long line), or before a trace. Around it are what the program wrote,
# and the rest of the message.
_REASON = re.compile(
    r"""^(?:Traceback\ .*\n(?:[ \t].*\n)*+|(?:[ \t]*+\^[ \t^~]*+|\ {99,}+)\n\n?)(\S.*)
    |^((?:Exception\ in\ thread\ "|Caused\ by:\ |Uncaught\ |panic:\ |fatal\ error:\ ).*
    |\w{0,80}Error\b.*(?=\n\ +at\ )|thread\ '.*(?:(?<=:)\n.+)?|[ ]+what\(\):.*)""",
    re.MULTILINE | re.VERBOSE,
)


def find_error_line(stderr: bytes) -> str:
    """Return the line of standard error that says why a program failed, as text: the last one that
    begins the message of a runtime, else the last one that is not empty."""
    text = stderr.decode("utf-8", "replace").replace("\r\n", "\n")
    reason = text.rstrip().rpartition("\n")[2]
    for match in _REASON.finditer(text):
        reason = (match[1] or match[2]).replace("\n", " ")
    return reason.strip()[:MAX_DETAIL_CHARS]
