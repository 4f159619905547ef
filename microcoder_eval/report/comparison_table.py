"""The comparison of runs as a table, as sentences about what it leaves out, and as JSON."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterator, Sequence
from typing import Any

from microcoder_eval.formats import error_text
from microcoder_eval.results.run_comparison import Difference, ProblemChange, RunComparison
from microcoder_eval.results.statistics import Interval
from microcoder_eval.results.summary import format_problems, sort_groups

_MAX_NAMES = 20  # of problems of each kind, shared by the runs
_MAX_CHARS = 200  # of a cell: names of runs and groups have any length
_LATEX = str.maketrans(
    {c: f"\\{c}" for c in "&%$#_{}"}
    | {"\\": r"\textbackslash{}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}"}
)


def make_table(comparison: RunComparison) -> list[list[str]]:
    """Return a row of headings, and a row for each run: its rates, by group, and its difference
    from the first. The cells are printable: nothing in a name reaches a terminal as a command."""
    first = comparison.standings[0]
    groups = sort_groups(set().union(*(standing.groups for standing in comparison.standings)))
    pass_at_1, *others = (f"pass@{k}" for k in first.rates)
    head = ["run", pass_at_1, "95 %", *others, *groups]
    rows = [[*head, f"against {first.name}", "95 %", "p"]]
    for standing in comparison.standings:
        rate, *rates = (_format_rate(rate) for rate in standing.rates.values())
        by_group = [_format_rate(standing.groups.get(name, (None, 0))[0]) for name in groups]
        against = ["", "", ""]
        if (difference := standing.difference) is not None:
            low, high = (100 * bound for bound in difference.interval)
            change = f"{100 * difference.change:+.1f}"
            against = [change, f"{low:+.1f} to {high:+.1f}", f"{difference.p_value:.2g}"]
        interval = format_interval(standing.interval)
        rows.append([standing.name, rate, interval, *rates, *by_group, *against])
    return [[error_text.shorten(cell, _MAX_CHARS) for cell in row] for row in rows]


def _format_rate(rate: float | None) -> str:
    """Format a share in percent; None becomes "-"."""
    return "-" if rate is None else f"{100 * rate:.1f}"


def format_interval(interval: Interval) -> str:
    """Format an interval of a share in percent."""
    return f"{100 * interval[0]:.1f} to {100 * interval[1]:.1f}"


def render_table(rows: Sequence[Sequence[str]], form: str) -> str:
    """Render the table as "text", "md", "latex" or "csv", without a newline at its end."""
    if form == "csv":
        file = io.StringIO()
        csv.writer(file, lineterminator="\n").writerows(rows)
        return file.getvalue().rstrip("\n")
    if form == "md":
        rows = [[cell.replace("|", "\\|") for cell in row] for row in rows]
        rule = ["---", *["---:"] * (len(rows[0]) - 1)]
        return "\n".join(f"| {' | '.join(row)} |" for row in (rows[0], rule, *rows[1:]))
    if form == "latex":
        lines = [" & ".join(cell.translate(_LATEX) for cell in row) + r" \\" for row in rows]
        body = "\n".join([lines[0], r"\midrule", *lines[1:]])
        columns = f"l{'r' * (len(rows[0]) - 1)}"
        return f"\\begin{{tabular}}{{{columns}}}\n\\toprule\n{body}\n\\bottomrule\n\\end{{tabular}}"
    return _align(rows)


def _align(rows: Sequence[Sequence[str]]) -> str:
    rows = [[error_text.shorten(row[0], 60), *row[1:]] for row in rows]  # a name has any length
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return "\n".join(
        "  ".join(
            cell.ljust(width) if place == 0 else cell.rjust(width)
            for place, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in rows
    )


def describe_comparison(comparison: RunComparison, *, max_names: int = _MAX_NAMES) -> Iterator[str]:
    """Describe in sentences what the table leaves out: how much was compared, and how many problems
    changed. max_names: how many of each kind are named, of all runs together."""
    counts = list(dict.fromkeys(f"{standing.samples:,}" for standing in comparison.standings))
    samples = f"{' and '.join(counts)} samples" + " in each run" * (len(counts) == 1)
    yield f"{format_problems(len(comparison.problem_ids))}, {samples}; rates in percent"
    if comparison.left_out:
        yield f"{format_problems(comparison.left_out)} left out: not judged in all files"
    for k in comparison.standings[0].rates:
        if any(standing.rates[k] is None for standing in comparison.standings):
            yield f'pass@{k} needs {k} samples of each problem: "-" where a problem has fewer'
    max_names = max_names and (max_names // (len(comparison.standings) - 1) or 1)
    for standing in comparison.standings:
        if standing.difference is not None:
            yield from _describe_difference(standing.name, standing.difference, max_names)


def _describe_difference(name: str, difference: Difference, max_names: int) -> Iterator[str]:
    direction = "better" if difference.change > 0 else "worse"
    sign = f"significantly {direction}" if difference.is_significant else "may be chance"
    count = len(difference.regressions) + len(difference.gains)
    if not count:
        yield f"{name}: every problem passes as often as before"
    else:
        yield (
            f"{name}: {sign}, p = {difference.p_value:.2g} (exact paired test over the {count:,} "
            f"problems that differ: {len(difference.regressions):,} worse, "
            f"{len(difference.gains):,} better)"
        )
    if max_names:
        yield from _list_names(
            "worse", [str(change) for change in difference.regressions], max_names
        )
        yield from _list_names("better", [str(change) for change in difference.gains], max_names)
    programs = [" ".join(key) for key in difference.changed_verdicts]
    yield from _list_names("the same program, another verdict", programs, max_names)


def _list_names(title: str, names: Sequence[str], max_names: int) -> Iterator[str]:
    if names and not max_names:
        yield f"{title}: {len(names):,}"
    elif names:
        yield f"{title} ({len(names):,}):"
        for name in names[:max_names]:
            yield f"  {error_text.shorten(name, 200)}"
        if len(names) > max_names:
            yield f"  and {len(names) - max_names:,} more (--format json lists all)"


def render_json(comparison: RunComparison, bad_line_count: int) -> str:
    """Return the whole comparison as a JSON object."""
    return json.dumps(
        {
            "problems": len(comparison.problem_ids),
            "problems_left_out": comparison.left_out,
            "unlike_tests": dict(comparison.unlike_tests),
            "unlike_settings": {k: list(v) for k, v in comparison.unlike_settings.items()},
            "runs": [
                {
                    "name": standing.name,
                    "samples": standing.samples,
                    "pass_at_k": {str(k): rate for k, rate in standing.rates.items()},
                    "pass_at_1_95": list(standing.interval),
                    "groups": {
                        name: {"pass_at_1": rate, "problems": count}
                        for name, (rate, count) in standing.groups.items()
                    },
                    "difference": _list_difference_facts(standing.difference),
                }
                for standing in comparison.standings
            ],
            "bad_lines": bad_line_count,
        }
    )


def _list_difference_facts(difference: Difference | None) -> dict[str, Any] | None:
    if difference is None:
        return None
    return {
        "change": difference.change,
        "change_95": list(difference.interval),
        "p_value": difference.p_value,
        "significant": difference.is_significant,
        "regressions": [_list_change_facts(change) for change in difference.regressions],
        "gains": [_list_change_facts(change) for change in difference.gains],
        "changed_verdicts": [list(key) for key in difference.changed_verdicts],
    }


def _list_change_facts(change: ProblemChange) -> dict[str, Any]:
    return {
        "problem_id": change.problem_id,
        "before": [change.before.passed, change.before.judged],
        "after": [change.after.passed, change.after.judged],
    }
