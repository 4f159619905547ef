"""The output of an audit: a table of the kinds of findings, then the findings of each kind."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from microcoder_eval.audit.findings import FINDINGS, Finding, Severity
from microcoder_eval.console.streams import make_console
from microcoder_eval.formats import error_text

if TYPE_CHECKING:
    from rich.console import Console

_MAX_SHOWN = 8  # findings shown of each kind; OUT has all of them
_MAX_CHARS = 400
_COLOURS = {Severity.ERROR: "red", Severity.WARNING: "yellow", Severity.NOTE: "default"}


def show_audit(findings: Sequence[Finding], facts: dict[str, Any]) -> None:
    """Print the findings for people, on standard output."""
    out = make_console()
    out.print(_format_headline(facts))
    order = list(Severity)
    worst_first = sorted(findings, key=lambda finding: order.index(finding.severity))
    groups = {name: [f for f in worst_first if f.name == name] for name in FINDINGS}
    by_name = {name: group for name, group in groups.items() if group}
    _print_table(out, by_name)
    for name, group in by_name.items():
        if name != "no_reference":  # the table already says everything
            _print_section(out, name, group)
    has_more = any(len(group) > _MAX_SHOWN for group in by_name.values())
    if facts["output"]:
        out.print(f"\nall findings with their evidence: {facts['output']}")
    elif has_more:
        out.print("\n-o FINDINGS.jsonl writes all findings with their evidence")


def _format_headline(facts: dict[str, Any]) -> str:
    programs = facts["programs"]
    program_counts = f"{programs['right']} right and {programs['wrong']} wrong programs"
    return (
        f"problems audited: {facts['problems']}, with findings: {facts['problems_with_findings']} "
        f"({program_counts}, {facts['repeat']} runs of each, {facts['wall_s']:.1f} s"
        f"{', interrupted' if facts['interrupted'] else ''})"
    )


def _print_table(out: Console, by_name: dict[str, list[Finding]]) -> None:
    if not by_name:
        return
    from rich.text import Text

    width = max(map(len, by_name))
    out.print(f"\nproblems  {'finding':{width}}  meaning")
    for name, group in by_name.items():
        problems = len({finding.problem_id for finding in group})
        row = Text(f"{problems:8}  ").append(f"{name:{width}}", style=_COLOURS[group[0].severity])
        out.print(row.append(f"  {FINDINGS[name].text}"))


def _print_section(out: Console, name: str, findings: Sequence[Finding]) -> None:
    from rich.text import Text

    out.print()
    out.print(Text(name, style="bold").append(f": {FINDINGS[name].advice}", style="not bold"))
    for finding in findings[:_MAX_SHOWN]:
        # Names and outputs come from data and may hold control characters.
        text = error_text.shorten(f"{finding.problem_id}: {finding.detail}", _MAX_CHARS)
        line = Text(f"  {finding.severity:7} ", style=_COLOURS[finding.severity])
        out.print(line.append(text, style="default"))
    if len(findings) > _MAX_SHOWN:
        out.print(f"  and {len(findings) - _MAX_SHOWN} more")
