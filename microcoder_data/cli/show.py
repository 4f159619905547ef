"""``microcoder-data show`` and ``diff``: what the stages did to a problem, and what two runs did
differently."""

from __future__ import annotations

import difflib
import json
from collections import Counter
from collections.abc import Iterator
from dataclasses import asdict
from typing import Any

from rich.table import Table
from rich.text import Text

from microcoder_data.history import Step, compare_files, find_steps
from microcoder_data.reading import read_findings
from microcoder_data.rows import Row, get_text
from microcoder_eval.console.streams import make_console, tolerate_closed_stdout

_EXIT_DIFFERENT = 1
_MAX_NAMES = 10  # names of problems shown for each kind of difference


def run_show(args: Any) -> int:
    """Print what each stage did to a problem, then its source beside its output; returns 0."""
    steps = find_steps(args.out, args.problem_id)
    with tolerate_closed_stdout():
        if args.json:
            print(json.dumps([asdict(step) for step in steps]))
        else:
            _print_steps(steps)
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


def run_diff(args: Any) -> int:
    """Print how two outputs differ; returns 1 if they do, else 0."""
    difference = compare_files(args.first, args.second)
    with tolerate_closed_stdout():
        if args.json:
            print(json.dumps(asdict(difference)))
        else:
            _print_difference(difference, (args.first, args.second))
    return _EXIT_DIFFERENT if difference.changed or any(difference.only) else 0


def _print_difference(difference: Any, names: tuple[str, str]) -> None:
    out = make_console()
    out.print(f"{difference.equal} problems are equal")
    _print_groups("different", difference.changed)
    for number, problems in enumerate(difference.only):
        title = f"only in {names[number]}; in {names[1 - number]}"
        _print_groups(title, {name: [reason] for name, reason in problems.items()})


def _print_groups(title: str, problems: dict[str, list[str]]) -> None:
    if not problems:
        return
    out = make_console()
    out.print(f"\n{len(problems)} problems: {title}", style="bold")
    for label, count in Counter(label for labels in problems.values() for label in labels).items():
        examples = [name for name, labels in problems.items() if label in labels]
        more = ", …" if count > _MAX_NAMES else ""
        out.print(Text(f"  {label}: {count} ({', '.join(examples[:_MAX_NAMES])}{more})"))
