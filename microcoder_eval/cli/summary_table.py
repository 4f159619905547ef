"""The table at the end of a run, for people; ``--json`` has the same figures for programs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from microcoder_eval.formats import words
from microcoder_eval.records import Verdict
from microcoder_eval.summary import Names, Tally

from .streams import console

if TYPE_CHECKING:
    from rich.console import Console

SHOWN = 10


def show(tally: Tally, facts: dict[str, Any]) -> None:
    """Print the summary on standard output."""
    from rich.table import Table
    from rich.text import Text

    table = Table(show_header=False, box=None, pad_edge=False)
    table.add_column(style="bold")
    table.add_column()
    for name, value in _rows(tally, facts):
        table.add_row(Text(_shown(name)), Text(_shown(value)))
    out = console()
    out.print(table)
    for title, names in (
        ("near the time limit, judge these apart", tally.near_limit),
        ("flaky: passed in some runs only", tally.flaky),
        ("not judged, the judge itself failed", tally.judge_errors),
    ):
        _show_names(out, title, names)


def _rows(tally: Tally, facts: dict[str, Any]) -> list[tuple[str, str]]:
    rows = [("solutions", f"{tally.solutions} ({_problems(facts['problems'])})")]
    for k in tally.ks:
        rate, problems, out = tally.rate(k)
        note = f" ({_problems(out)} left out: fewer than {k} judged samples)" if out else ""
        rows.append((f"pass@{k}", f"{_percent(rate)} of {_problems(problems)}{note}"))
    least, most = tally.samples
    several = str(most) if least == most else f"{least}..{most}"
    rows.append((f"avg@{several}", _percent(tally.average())))
    counts = [f"{v} {tally.verdicts[str(v)]}" for v in Verdict if tally.verdicts[str(v)]]
    rows.append(("verdicts", "  ".join(counts) or "none"))
    for group, values in tally.groups().items():
        for value, (rate, problems) in values.items():
            rows.append((f"{group} {value}", f"{_percent(rate)} of {_problems(problems)}"))
    rows.append(("time lost to TLE", f"{tally.tle_seconds:.1f} s"))
    if tally.judge_errors.count:
        rows.append(("judge errors", f"{tally.judge_errors.count}, counted nowhere else"))
    if facts["resumed"]:
        rows.append(("from earlier runs", str(facts["resumed"])))
    if facts["bad_lines"]:
        rows.append(("bad lines", f"{facts['bad_lines']}, not judged"))
    speed = (tally.solutions - facts["resumed"]) / max(facts["wall_s"], 1e-3)
    machine = f"{facts['workers']} workers, isolation level {facts['sandbox_level']}"
    rows.append(("took", f"{facts['wall_s']:.1f} s, {speed:.1f} solutions/s, {machine}"))
    rows += [(name, str(path)) for name, path in facts["paths"].items()]
    return rows


def _shown(text: str) -> str:
    # Names come from data: one that holds control characters must not drive the terminal.
    return words.brief(text, 300)


def _problems(count: int) -> str:
    return f"{count} problem" if count == 1 else f"{count} problems"


def _percent(rate: float | None) -> str:
    return "none" if rate is None else f"{100 * rate:.1f} %"


def _show_names(out: Console, title: str, names: Names) -> None:
    if not names.count:
        return
    out.print(f"{title}:", style="bold")
    for name in names.first[:SHOWN]:
        out.print(f"  {_shown(name)}")
    if names.count > SHOWN:
        out.print(f"  and {names.count - SHOWN} more")
