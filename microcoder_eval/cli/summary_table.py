"""The summary table at the end of a run; ``--json`` prints the same figures for programs."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from microcoder_eval.console.streams import make_console
from microcoder_eval.formats import error_text
from microcoder_eval.records import Verdict
from microcoder_eval.results.summary import (
    PassAtK,
    SolutionList,
    Tally,
    format_percent,
    format_problems,
)

if TYPE_CHECKING:
    from rich.console import Console

_MAX_SHOWN = 10


@dataclass(frozen=True)
class RunFacts:
    """What the summary says of a run, besides the figures of its judgements.

    resumed: solutions that an earlier run judged. looked_up: verdicts from the cache, None without
    one. wall_s: seconds. paths: the files that the run wrote, by what they hold.
    """

    hints: list[str]
    bad_lines: int
    bad_lines_by_file: dict[str, int]
    resumed: int
    looked_up: int | None
    interrupted: bool
    workers: int
    sandbox_level: int
    config_sha256: str
    wall_s: float
    paths: dict[str, str]


def show_summary(tally: Tally, facts: RunFacts) -> None:
    """Print the summary table on standard output."""
    from rich.table import Table
    from rich.text import Text

    table = Table(show_header=False, box=None, pad_edge=False)
    table.add_column(style="bold")
    table.add_column()
    for name, value in _make_rows(tally, facts):
        table.add_row(Text(_make_printable(name)), Text(_make_printable(value)))
    out = make_console()
    out.print(table)
    for sentence in facts.hints:
        out.print(f"hint: {_make_printable(sentence)}", style="bold")
    _print_names(
        out,
        "near their time limit, so another machine may decide otherwise; judge these again with "
        "--time-scale 2 to see",
        tally.near_limit,
    )
    _print_names(out, "flaky: passed in some runs only", tally.flaky)
    _print_judge_errors(out, tally)


def _print_judge_errors(out: Console, tally: Tally) -> None:
    """Print each reason once, with its number of solutions and one of them."""
    if not tally.judge_errors.count:
        return
    out.print("not judged, the judge itself failed:", style="bold")
    for reason, count in tally.judge_error_reasons.most_common(_MAX_SHOWN):
        example = tally.judge_error_examples[reason]
        subject = example if count == 1 else f"{count} solutions, the first {example}"
        out.print(f"  {_make_printable(f'{subject}: {reason}')}")
    if (others := len(tally.judge_error_reasons) - _MAX_SHOWN) > 0:
        out.print(f"  and {others} more reasons")


def _make_rows(tally: Tally, facts: RunFacts) -> Iterator[tuple[str, str]]:
    if not tally.solutions:
        yield "solutions", "none was judged"
    else:
        yield "solutions", f"{tally.solutions} ({format_problems(tally.problem_count)})"
        yield from _make_rate_rows(tally)
        counts = [f"{v} {tally.verdicts[str(v)]}" for v in Verdict if tally.verdicts[str(v)]]
        yield "verdicts", "  ".join(counts) or "none"
        yield from _make_group_rows(tally)
        yield from _make_loss_rows(tally)
        yield from _make_effort_rows(tally, facts)
    files = [f"{count} in {file}" for file, count in facts.bad_lines_by_file.items()]
    if files:
        yield "bad lines", f"{', '.join(files)}: not used"
    yield from facts.paths.items()


def _make_rate_rows(tally: Tally) -> Iterator[tuple[str, str]]:
    """Yield the rows of pass@k, avg@n and points."""
    for k in tally.ks:
        rate = tally.compute_pass_at_k(k)
        if rate.problem_count or rate.left_out_count:  # else the judge failed on every sample
            yield f"pass@{k}", _describe_rate(tally, k, rate)
    if tally.sample_count_range[1] > 1:
        share = f"{format_percent(tally.compute_average())} of all samples pass"
        yield f"avg@{tally.format_sample_count()}", share
    if tally.scored_count:
        share = format_percent(tally.compute_average_points())
        yield "points", f"{share} of the best possible, {tally.scored_count} solutions"


def _describe_rate(tally: Tally, k: int, rate: PassAtK) -> str:
    if not rate.problem_count:
        return f"no problem has {k} judged samples"
    error = tally.pass_at_1_standard_error
    spread = f" ± {100 * error:.1f} (standard error)" if error is not None and k == 1 else ""
    text = f"{format_percent(rate.mean)}{spread} of {format_problems(rate.problem_count)}"
    if k > 1:
        text += f": one of {k} samples passes"
    if rate.left_out_count:
        left_out = format_problems(rate.left_out_count)
        text += f" ({left_out} left out: fewer than {k} judged samples)"
    return text


def _make_group_rows(tally: Tally) -> Iterator[tuple[str, str]]:
    """Yield pass@1 by difficulty and platform; one value alone would repeat the row pass@1."""
    for group, values in tally.compute_group_rates().items():
        for value, rate in values.items():
            if len(values) > 1:
                share = f"{format_percent(rate.mean)} of {format_problems(rate.problem_count)}"
                yield f"{group} {value}", share


def _make_loss_rows(tally: Tally) -> Iterator[tuple[str, str]]:
    """Yield what was lost: time, solutions that the judge failed on."""
    if tally.tle_seconds >= 0.05:
        yield "time lost to TLE", f"{tally.tle_seconds:.1f} s, summed over all workers"
    if tally.judge_errors.count:
        yield "judge errors", f"{tally.judge_errors.count}, counted nowhere else"


def _make_effort_rows(tally: Tally, facts: RunFacts) -> Iterator[tuple[str, str]]:
    """Yield what earlier runs spared, and what this run took."""
    if facts.resumed:
        yield "from earlier runs", str(facts.resumed)
    if facts.looked_up is not None:
        yield "looked up", f"{facts.looked_up}: verdicts of earlier runs (--cache)"
    speed = (tally.solutions - facts.resumed) / max(facts.wall_s, 1e-3)
    machine = f"{facts.workers} workers, isolation level {facts.sandbox_level}"
    yield "took", f"{facts.wall_s:.1f} s, {speed:.1f} solutions/s, {machine}"


def _make_printable(text: str) -> str:
    # Names come from data and may hold control characters.
    return error_text.shorten(text, 300)


def _print_names(out: Console, title: str, names: SolutionList) -> None:
    if not names.count:
        return
    out.print(f"{title}:", style="bold")
    for name in names.first[:_MAX_SHOWN]:
        out.print(f"  {_make_printable(name)}")
    if names.count > _MAX_SHOWN:
        out.print(f"  and {names.count - _MAX_SHOWN} more")
