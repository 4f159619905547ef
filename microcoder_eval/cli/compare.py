"""``microcoder-eval compare``: what the judge would say to an output."""

from __future__ import annotations

import json
import sys
from typing import Any

from microcoder_eval.compare import comparer
from microcoder_eval.errors import DataError

from .parser import UsageError
from .streams import answering


def run(args: Any) -> int:
    """Compare two files; 0 accepted, 1 not."""
    if args.actual == args.expected == "-":
        raise UsageError("only one of the two can be standard input")
    chosen = comparer(args.compare)
    match = chosen.text(_content(args.actual), _content(args.expected))
    accepted = match.method is not None
    if args.json:
        answer = {
            "accepted": accepted,
            "compare": chosen.name,
            "matched_by": match.method,
            "detail": match.detail,
        }
        text = json.dumps(answer)
    elif accepted:
        text = f"accepted by {chosen.name}, method {match.method}"
    else:
        text = f"not accepted by {chosen.name}: {match.detail}"
    with answering():
        print(text)
    return 0 if accepted else 1


def _content(name: str) -> bytes:
    if name == "-":
        return sys.stdin.buffer.read()
    try:
        with open(name, "rb") as file:
            return file.read()
    except OSError as error:
        raise DataError(f"cannot be read: {error.strerror}", name) from error
