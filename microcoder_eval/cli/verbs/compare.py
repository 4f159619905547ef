"""``microcoder-eval compare``: says whether the judge would accept an output, and why."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from itertools import groupby
from typing import Any

from microcoder_eval.compare import Comparer, Match, make_comparer
from microcoder_eval.compare.blocks import count_common_prefix
from microcoder_eval.compare.difference import Difference
from microcoder_eval.console.streams import make_console, print_facts
from microcoder_eval.errors import DataError, UsageError
from microcoder_sandbox import record

_WINDOW = 36  # characters shown on each side of the first difference
_VISIBLE = {" ": "·", "\t": "→", "\r": "␍", "\n": "⏎", "\ufeff": "[BOM]", "\xa0": "⍽"}


def run(args: Any) -> int:
    """Compare two files; return 0 if the output is accepted, else 1."""
    if args.actual == args.expected == "-":
        raise UsageError("only one of the two files can be standard input")
    comparer = make_comparer(args.compare)
    actual, expected = _read_input(args.actual), _read_input(args.expected)
    match = comparer.compare_text(actual, expected)
    objections = list_objections(comparer, actual, expected)
    facts = {
        "accepted": match.method is not None,
        "compare": comparer.name,
        "matched_by": match.method,
        "detail": match.detail,
        "objections": [{"method": o.method, "reason": o.reason} for o in objections],
    }
    print_facts(facts, args.json, lambda: _print_explanation(comparer.name, match, objections))
    return 0 if match.method is not None else 1


def _print_explanation(name: str, match: Match, objections: Sequence[Objection]) -> None:
    from rich.text import Text

    out = make_console()
    if match.method is not None:
        out.print(Text(f"accepted by {name}, method {match.method}", style="green"))
    else:
        out.print(Text(f"not accepted by {name}: {match.detail}", style="red"), soft_wrap=True)
    groups = [
        (", ".join(o.method for o in group), reason, view)
        for (reason, view), group in groupby(objections, lambda o: (o.reason, o.view))
    ]
    width = max((len(methods) for methods, _, _ in groups), default=0)
    for methods, reason, view in groups:
        line = Text(f"  {methods:{width}}  ", style="bold")
        out.print(line.append(reason, style="not bold"), soft_wrap=True)
        if view is not None:
            indent = " " * (width + 4)
            out.print(Text(f"{indent}got       {view.actual}"), soft_wrap=True)
            out.print(Text(f"{indent}expected  {view.expected}"), soft_wrap=True)
            out.print(Text(f"{indent}          {' ' * view.caret}^", style="red"), soft_wrap=True)


def _read_input(name: str) -> bytes:
    if name == "-":
        return sys.stdin.buffer.read()
    try:
        with open(name, "rb") as file:
            return file.read()
    except OSError as error:
        raise DataError(f"cannot be read: {error.strerror}", name) from error


@record
class LinePair:
    """Two lines with visible white space. caret: the column of their first difference."""

    actual: str
    expected: str
    caret: int


@record
class Objection:
    """Why a method refused the output. view: the place, if there is a single one."""

    method: str
    reason: str
    view: LinePair | None = None


def list_objections(comparer: Comparer, actual: bytes, expected: bytes) -> list[Objection]:
    """Return the objection of each method before the first that accepts."""
    texts = comparer.remove_boms(actual, expected)
    return [
        Objection(name, difference.message, _make_view(*texts, difference))
        for name, difference in comparer.collect_objections(actual, expected)
        if difference is not None
    ]


def _make_view(actual: bytes, expected: bytes, difference: Difference) -> LinePair | None:
    """Show the lines that differ; None where one of the texts lacks what differs."""
    spans = difference.actual, difference.expected
    if not all(span is not None and span[0] < span[1] for span in spans):
        return None
    left, right = (
        _cut_line(data, span[0])
        for data, span in zip((actual, expected), spans, strict=True)
        if span
    )
    column = count_common_prefix(left, right)
    start, end = max(0, column - _WINDOW), column + _WINDOW
    prefix = "…" if start else ""
    got, wanted = (
        prefix + _make_visible(line[start:end]) + ("…" if len(line) > end else "")
        for line in (left, right)
    )
    return LinePair(got, wanted, caret=len(prefix + _make_visible(left[start:column])))


def _cut_line(data: bytes, position: int) -> bytes:
    end = data.find(b"\n", position)
    return data[data.rfind(b"\n", 0, position) + 1 : end if end >= 0 else len(data)]


def _make_visible(part: bytes) -> str:
    text = part.decode("utf-8", "backslashreplace")
    return "".join(_VISIBLE.get(c, c if c.isprintable() else repr(c)[1:-1]) for c in text)
