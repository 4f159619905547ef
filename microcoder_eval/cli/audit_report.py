"""What an audit says at its end: a table of what was found, then each finding in words."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from microcoder_eval.audit import MEANINGS, Finding, Name, Severity
from microcoder_eval.formats import words

from .streams import answering, console

if TYPE_CHECKING:
    from rich.console import Console

SHOWN = 8  # findings of each kind in words; all of them are in OUT
_LONGEST = 400
_COLOURS = {Severity.ERROR: "red", Severity.WARNING: "yellow", Severity.NOTE: "default"}


def show(found: Sequence[Finding], facts: dict[str, Any], as_json: bool) -> None:
    """Print the facts, for people or as one JSON object, on standard output."""
    with answering():
        if as_json:
            print(json.dumps(facts))
            return
        out = console()
        out.print(_headline(facts))
        by_name = {name: [f for f in found if f.name is name] for name in Name}
        _table(out, {name: some for name, some in by_name.items() if some})
        for name, some in by_name.items():
            if name is not Name.NO_REFERENCE:  # the table says it all
                _section(out, name, some)
        more = any(len(some) > SHOWN for some in by_name.values())
        if facts["output"]:
            out.print(f"\nall findings with their evidence: {facts['output']}")
        elif more:
            out.print("\n-o FINDINGS.jsonl writes all of them down, with their evidence")


def _headline(facts: dict[str, Any]) -> str:
    programs = facts["programs"]
    ran = f"{programs['right']} right and {programs['wrong']} wrong programs"
    return (
        f"{facts['problems']} problems audited, {facts['problems_with_findings']} with findings "
        f"({ran}, {facts['repeat']} runs of each, {facts['wall_s']:.1f} s"
        f"{', interrupted' if facts['interrupted'] else ''})"
    )


def _table(out: Console, by_name: dict[Name, list[Finding]]) -> None:
    if not by_name:
        return
    from rich.text import Text

    width = max(map(len, by_name))
    out.print(f"\nproblems  {'finding':{width}}  meaning")
    for name, some in by_name.items():
        problems = len({finding.problem_id for finding in some})
        row = Text(f"{problems:8}  ").append(f"{name:{width}}", style=_colour(some))
        out.print(row.append(f"  {MEANINGS[name]}"))


def _colour(some: Sequence[Finding]) -> str:
    gravest = min(some, key=lambda finding: list(Severity).index(finding.severity))
    return _COLOURS[gravest.severity]


def _section(out: Console, name: Name, some: Sequence[Finding]) -> None:
    from rich.text import Text

    if not some:
        return
    out.print()
    out.print(Text(name, style="bold"))
    order = list(Severity)
    graver = sorted(some, key=lambda finding: order.index(finding.severity))
    for finding in graver[:SHOWN]:
        # Names and outputs come from data: what they hold must not drive the terminal.
        told = words.brief(f"{finding.problem_id}: {finding.detail}", _LONGEST)
        mark = Text(f"  {finding.severity:7} ", style=_COLOURS[finding.severity])
        out.print(mark.append(told, style="default"))
    if len(some) > SHOWN:
        out.print(f"  and {len(some) - SHOWN} more")
