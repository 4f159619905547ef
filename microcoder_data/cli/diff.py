"""``microcoder-data diff``: what two runs did differently."""

from __future__ import annotations

from collections import Counter
from dataclasses import asdict
from typing import Any

from rich.text import Text

from microcoder_data.comparison import Difference, compare_files
from microcoder_eval.console.streams import make_console, print_facts

_EXIT_DIFFERENT = 1
_MAX_NAMES = 10  # names of problems shown for each kind of difference


def run(args: Any) -> int:
    """Print how two outputs differ; returns 1 if they do, else 0."""
    difference = compare_files(args.first, args.second)
    names = (args.first, args.second)
    print_facts(asdict(difference), args.json, lambda: _print_difference(difference, names))
    return _EXIT_DIFFERENT if difference.changed or any(difference.only) else 0


def _print_difference(difference: Difference, names: tuple[str, str]) -> None:
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
