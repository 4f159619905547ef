"""``microcoder-eval compare``: says whether the judge would accept an output, and why."""

from __future__ import annotations

import json
import sys
from itertools import groupby
from typing import Any

from microcoder_eval.compare import make_comparer
from microcoder_eval.compare.explain import Explanation, View, explain
from microcoder_eval.console.streams import make_console, tolerate_closed_stdout
from microcoder_eval.errors import DataError, UsageError


def run(args: Any) -> int:
    """Compare two files; return 0 if the output is accepted, else 1."""
    if args.actual == args.expected == "-":
        raise UsageError("only one of the two files can be standard input")
    text_comparer = make_comparer(args.compare)
    actual, expected = _read_input(args.actual), _read_input(args.expected)
    match = text_comparer.compare_text(actual, expected)
    explanation = explain(text_comparer, actual, expected)
    with tolerate_closed_stdout():
        if args.json:
            print(json.dumps(_collect_facts(text_comparer.name, match.detail, explanation)))
        else:
            _print_explanation(text_comparer.name, match.detail, explanation)
    return 0 if match.method is not None else 1


def _collect_facts(name: str, detail: str | None, explanation: Explanation) -> dict[str, Any]:
    return {
        "accepted": explanation.matched_by is not None,
        "compare": name,
        "matched_by": explanation.matched_by,
        "detail": detail,
        "objections": [{"method": o.method, "reason": o.reason} for o in explanation.objections],
    }


def _print_explanation(name: str, detail: str | None, explanation: Explanation) -> None:
    from rich.text import Text

    out = make_console()
    if explanation.matched_by is not None:
        out.print(Text(f"accepted by {name}, method {explanation.matched_by}", style="green"))
    else:
        out.print(Text(f"not accepted by {name}: {detail}", style="red"), soft_wrap=True)
    groups = [
        (", ".join(o.method for o in group), reason, view)
        for (reason, view), group in groupby(explanation.objections, lambda o: (o.reason, o.view))
    ]
    width = max((len(methods) for methods, _, _ in groups), default=0)
    for methods, reason, view in groups:
        line = Text(f"  {methods:{width}}  ", style="bold")
        out.print(line.append(reason, style="not bold"), soft_wrap=True)
        for row in _format_view(view, width):
            out.print(row, soft_wrap=True)


def _format_view(view: View | None, width: int) -> list[Any]:
    from rich.text import Text

    if view is None:
        return []
    indent = " " * (width + 4)
    return [
        Text(f"{indent}got       {view.actual}"),
        Text(f"{indent}expected  {view.expected}"),
        Text(f"{indent}          {' ' * view.caret}^", style="red"),
    ]


def _read_input(name: str) -> bytes:
    if name == "-":
        return sys.stdin.buffer.read()
    try:
        with open(name, "rb") as file:
            return file.read()
    except OSError as error:
        raise DataError(f"cannot be read: {error.strerror}", name) from error
