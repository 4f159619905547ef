"""The table at the end of a run, for people; ``--json`` has the same figures for programs."""

from __future__ import annotations

from typing import Any

from microcoder_eval.records import Verdict
from microcoder_eval.summary import Names, Tally

SHOWN = 10


def show(tally: Tally, facts: dict[str, Any]) -> None:
    """Print the summary on standard output."""
    from rich.console import Console
    from rich.table import Table

    table = Table(show_header=False, box=None, pad_edge=False)
    table.add_column(style="bold")
    table.add_column()
    for name, value in _rows(tally, facts):
        table.add_row(name, value)
    console = Console(highlight=False, soft_wrap=True)
    console.print(table)
    for title, names in (
        ("near the time limit, judge these apart", tally.near_limit),
        ("flaky: passed in some runs only", tally.flaky),
        ("not judged, the judge itself failed", tally.judge_errors),
    ):
        _show_names(console, title, names)


def _rows(tally: Tally, facts: dict[str, Any]) -> list[tuple[str, str]]:
    rows = [("solutions", f"{tally.solutions} ({facts['problems']} problems)")]
    for k in tally.ks:
        rate, problems, out = tally.rate(k)
        note = f" ({out} problems left out: fewer than {k} judged samples)" if out else ""
        rows.append((f"pass@{k}", f"{_percent(rate)} of {problems} problems{note}"))
    least, most = tally.samples
    several = str(most) if least == most else f"{least}..{most}"
    rows.append((f"avg@{several}", _percent(tally.average())))
    counts = [f"{v} {tally.verdicts[str(v)]}" for v in Verdict if tally.verdicts[str(v)]]
    rows.append(("verdicts", "  ".join(counts) or "none"))
    for group, values in tally.groups().items():
        for value, (rate, problems) in values.items():
            rows.append((f"{group} {value}", f"{_percent(rate)} of {problems} problems"))
    rows.append(("time lost to TLE", f"{tally.tle_seconds:.1f} s"))
    if tally.judge_errors.count:
        rows.append(("judge errors", f"{tally.judge_errors.count}, counted nowhere else"))
    if facts["bad_lines"]:
        rows.append(("bad lines", f"{facts['bad_lines']}, judged in no way"))
    speed = tally.solutions / max(facts["wall_s"], 1e-3)
    machine = f"{facts['workers']} workers, isolation level {facts['sandbox_level']}"
    rows.append(("took", f"{facts['wall_s']:.1f} s, {speed:.1f} solutions/s, {machine}"))
    rows += [(name, str(path)) for name, path in facts["paths"].items()]
    return rows


def _percent(rate: float | None) -> str:
    return "none" if rate is None else f"{100 * rate:.1f} %"


def _show_names(console: Any, title: str, names: Names) -> None:
    if not names.count:
        return
    console.print(f"{title}:", style="bold")
    for name in names.first[:SHOWN]:
        console.print(f"  {name}", markup=False)
    if names.count > SHOWN:
        console.print(f"  and {names.count - SHOWN} more")
