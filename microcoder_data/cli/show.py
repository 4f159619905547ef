"""``microcoder-data show``: what the stages did to a problem."""

from __future__ import annotations

import difflib
import json
from collections.abc import Iterator
from dataclasses import asdict
from typing import Any

from rich.table import Table
from rich.text import Text

from microcoder_data.history import Step, find_steps
from microcoder_data.row_reader import read_findings
from microcoder_data.rows import Row, get_text
from microcoder_eval.console.streams import make_console, print_facts


def run(args: Any) -> int:
    """Print what each stage did to a problem, then its source beside its output; returns 0."""
    steps = find_steps(args.out, args.problem_id)
    print_facts([asdict(step) for step in steps], args.json, lambda: _print_steps(steps))
    return 0


def _print_steps(steps: list[Step]) -> None:
    out = make_console()
    for step in steps:
        drop = step.drop
        out.print(f"{step.stage}: {'kept' if drop is None else 'dropped'}", style="bold")
        if drop is not None:
            out.print(f"  {drop['reason']}: {drop['detail']}")
        for key, value in (drop or {}).get("evidence", {}).items():
            out.print(f"  {key}: {json.dumps(value, ensure_ascii=False)[:1000]}")
        for line in _describe_changes(step.before or step.after, step.after):
            style = {"+": "green", "-": "red"}.get(line[:1], "")
            out.print(Text(f"  {line}", style))
    table = Table(expand=True)
    for title in ("source", "output"):
        table.add_column(title, ratio=1, overflow="fold")
    source = steps[0].before or steps[0].after
    table.add_row(*(Text(get_text(row, "statement")) for row in (source, steps[-1].after)))
    out.print(table)


def _describe_changes(before: Row, after: Row) -> Iterator[str]:
    if new := sorted(set(read_findings(after)) - set(read_findings(before))):
        yield f"found: {', '.join(new)}"
    old, new_text = (get_text(row, "statement").splitlines() for row in (before, after))
    if changed := sorted(key for key in before.keys() | after.keys() - {"findings"}
                         if before.get(key) != after.get(key)):  # fmt: skip
        yield f"changed: {', '.join(changed)}"
    yield from list(difflib.unified_diff(old, new_text, lineterm="", n=1))[2:]
