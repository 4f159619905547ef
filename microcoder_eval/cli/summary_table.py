"""The summary table at the end of a run; ``--json`` prints the same figures for programs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from microcoder_eval.console.streams import make_console
from microcoder_eval.formats import error_text
from microcoder_eval.records import Verdict
from microcoder_eval.results.summary import SolutionList, Tally, format_percent, format_problems

if TYPE_CHECKING:
    from rich.console import Console

MAX_SHOWN = 10


def show_summary(tally: Tally, facts: dict[str, Any]) -> None:
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
    for sentence in facts["hints"]:
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
    for reason, count in tally.judge_error_reasons.most_common(MAX_SHOWN):
        example = tally.judge_error_examples[reason]
        subject = example if count == 1 else f"{count} solutions, the first {example}"
        out.print(f"  {_make_printable(f'{subject}: {reason}')}")
    if (others := len(tally.judge_error_reasons) - MAX_SHOWN) > 0:
        out.print(f"  and {others} more reasons")


def _make_rows(tally: Tally, facts: dict[str, Any]) -> list[tuple[str, str]]:
    if not tally.solutions:
        rows = [("solutions", "none was judged")]
        return [*rows, *_make_file_rows(facts)]
    rows = [("solutions", f"{tally.solutions} ({format_problems(facts['problems'])})")]
    for k in tally.ks:
        rate = tally.compute_pass_at_k(k)
        left_out = rate.left_out_count
        if not rate.problem_count and not left_out:
            continue  # the judge failed on every sample
        if not rate.problem_count:
            rows.append((f"pass@{k}", f"no problem has {k} judged samples"))
            continue
        error = tally.pass_at_1_error
        spread = f" ± {100 * error:.1f} (standard error)" if error is not None and k == 1 else ""
        text = f"{format_percent(rate.mean)}{spread} of {format_problems(rate.problem_count)}"
        if k > 1:
            text += f": one of {k} samples passes"
        if left_out:
            text += f" ({format_problems(left_out)} left out: fewer than {k} judged samples)"
        rows.append((f"pass@{k}", text))
    if tally.samples[1] > 1:
        share = f"{format_percent(tally.average())} of all samples pass"
        rows.append((f"avg@{tally.format_sample_count()}", share))
    if tally.scored_count:
        share = format_percent(tally.average_points())
        rows.append(("points", f"{share} of the best possible, {tally.scored_count} solutions"))
    counts = [f"{v} {tally.verdicts[str(v)]}" for v in Verdict if tally.verdicts[str(v)]]
    rows.append(("verdicts", "  ".join(counts) or "none"))
    for group, values in tally.groups().items():
        if len(values) < 2:
            continue  # this line would repeat pass@1
        for value, rate in values.items():
            text = f"{format_percent(rate.mean)} of {format_problems(rate.problem_count)}"
            rows.append((f"{group} {value}", text))
    if tally.tle_seconds >= 0.05:
        rows.append(("time lost to TLE", f"{tally.tle_seconds:.1f} s, summed over all workers"))
    if tally.judge_errors.count:
        rows.append(("judge errors", f"{tally.judge_errors.count}, counted nowhere else"))
    for package, count in tally.missing_packages.items():
        programs = "1 program" if count == 1 else f"{count} programs"
        rows.append(
            (
                "missing package",
                f"{package} is not installed, and {programs} failed to import it: "
                f"pip install {package}, then judge these again",
            )
        )
    if facts["resumed"]:
        rows.append(("from earlier runs", str(facts["resumed"])))
    if "looked_up" in facts:
        rows.append(("looked up", f"{facts['looked_up']}: verdicts of earlier runs (--cache)"))
    speed = (tally.solutions - facts["resumed"]) / max(facts["wall_s"], 1e-3)
    machine = f"{facts['workers']} workers, isolation level {facts['sandbox_level']}"
    rows.append(("took", f"{facts['wall_s']:.1f} s, {speed:.1f} solutions/s, {machine}"))
    return [*rows, *_make_file_rows(facts)]


def _make_file_rows(facts: dict[str, Any]) -> list[tuple[str, str]]:
    files = [f"{count} in {file}" for file, count in facts["bad_lines_by_file"].items()]
    rows = [("bad lines", f"{', '.join(files)}: not used")] if files else []
    return rows + [(name, str(path)) for name, path in facts["paths"].items()]


def _make_printable(text: str) -> str:
    # Names come from data and may hold control characters.
    return error_text.shorten(text, 300)


def _print_names(out: Console, title: str, names: SolutionList) -> None:
    if not names.count:
        return
    out.print(f"{title}:", style="bold")
    for name in names.first[:MAX_SHOWN]:
        out.print(f"  {_make_printable(name)}")
    if names.count > MAX_SHOWN:
        out.print(f"  and {names.count - MAX_SHOWN} more")
