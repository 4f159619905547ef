"""Renders the parts of the page that need no script: figures, charts and lists."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from microcoder_eval.html.markup import Markup, join_markup, tag
from microcoder_eval.html.page import draw_bar, make_card, make_note_of_more, make_table
from microcoder_eval.records import Verdict
from microcoder_eval.results.summary import SolutionList, Tally, format_percent, format_problems

from .builder import ReportBuilder
from .comparison_table import format_interval
from .excerpts import shorten
from .figures import Figures, Histogram
from .solution_rows import Row

MEANINGS = {
    Verdict.AC: "accepted",
    Verdict.WA: "wrong answer",
    Verdict.TLE: "time limit exceeded",
    Verdict.MLE: "memory limit exceeded",
    Verdict.OLE: "output limit exceeded",
    Verdict.RE: "run-time error",
    Verdict.CE: "does not compile, or no program",
    Verdict.JE: "the judge itself failed: counted nowhere else",
}
_MAX_LISTED = 20
_MAX_GROUPS = 40  # difficulties, platforms


def render_summary(builder: ReportBuilder, tally: Tally) -> Markup:
    """Render all sections above the table."""
    figures = builder.figures
    cards = (
        _render_verdicts(tally),
        _render_reasons(figures),
        *_render_groups(tally),
        *_render_distributions(figures),
        _render_methods(figures),
        *_render_attention_lists(builder, tally),
    )
    return join_markup(_render_tiles(tally), tag("div", *cards, class_="columns"))


def _render_tiles(tally: Tally) -> Markup:
    tiles = []
    for k in tally.ks:
        rate = tally.compute_pass_at_k(k)
        note = f"of {format_problems(rate.problem_count)}"
        if k == 1 and rate.problem_count:
            note += f"; 95 % interval {format_interval(tally.pass_at_1_interval)}"
        if rate.left_out_count:
            left_out = format_problems(rate.left_out_count)
            note += f"; {left_out} with fewer than {k} judged samples left out"
        tiles.append((f"pass@{k}", format_percent(rate.mean), note))
    average = format_percent(tally.compute_average())
    tiles += [
        (f"avg@{tally.format_sample_count()}", average, "of all judged samples"),
        *(
            [("points", format_percent(tally.compute_average_points()), "of the best possible")]
            if tally.scored_count
            else []
        ),
        ("solutions", f"{tally.solutions:,}", f"{tally.verdicts[str(Verdict.AC)]:,} accepted"),
        ("judge errors", f"{tally.judge_errors.count:,}", "in no figure but this one"),
        (
            "CPU time",
            _format_duration(tally.test_seconds),
            f"{_format_duration(tally.tle_cpu_seconds)} of it in tests over their time limit",
        ),
    ]
    cells = [
        tag("div", tag("dt", name), tag("dd", value), tag("dd", note, class_="note"))
        for name, value, note in tiles
    ]
    heading = tag("h2", "Summary", id="h-summary", class_="unseen")
    return tag("section", heading, tag("dl", *cells, class_="tiles"), aria_labelledby="h-summary")


def _render_verdicts(tally: Tally) -> Markup:
    rows = []
    for verdict in Verdict:
        count = tally.verdicts[str(verdict)]
        if count:
            share = count / tally.solutions
            badge = tag("span", verdict, class_=f"verdict {verdict}")
            chart = draw_bar((share, f"v-{verdict}"))
            rows.append((badge, MEANINGS[verdict], f"{count:,}", format_percent(share), chart))
    table = make_table(("verdict", "meaning", "solutions", "share", ""), rows)
    return make_card("Verdicts", table, name="verdicts")


def _render_reasons(figures: Figures) -> Markup:
    total = sum(figures.reasons.values())
    rows = [
        (
            tag("span", verdict, class_=f"verdict {verdict}"),
            shorten(reason),
            f"{count:,}",
            format_percent(count / total),
        )
        for (verdict, reason), count in figures.reasons.most_common(_MAX_LISTED)
    ]
    table = make_table(("verdict", "reason", "solutions", "share"), rows)
    note = make_note_of_more(len(figures.reasons) - len(rows))
    return make_card("Why programs are RE or WA", table, note, name="reasons")


def _render_groups(tally: Tally) -> Iterable[Markup]:
    for group, values in tally.compute_group_rates().items():
        items = list(values.items())
        rows = [
            (
                shorten(value),
                format_percent(rate.mean),
                f"{rate.problem_count:,}",
                draw_bar((rate.mean or 0.0, "good")),
            )
            for value, rate in items[:_MAX_GROUPS]
        ]
        table = make_table((group, "pass@1", "problems", ""), rows)
        note = make_note_of_more(len(items) - len(rows))
        yield make_card(f"By {group}", table, note, name=group)


def _render_distributions(figures: Figures) -> tuple[Markup, Markup]:
    time = _render_histogram("s", figures.times)
    memory = _render_histogram("MiB", figures.memory)
    unmeasured_count = figures.times.total - figures.memory.total
    note = f"{unmeasured_count:,} solutions have no measured memory." if unmeasured_count else ""
    return (
        make_card("Time: the slowest test of each solution", time, name="time"),
        make_card(
            "Memory: the largest test of each solution",
            memory,
            tag("p", note, class_="note") if note else "",
            name="space",
        ),
    )


def _render_histogram(unit: str, counts: Histogram) -> Markup:
    labels = [*(f"{edge:g} {unit}" for edge in counts.edges), f"over {counts.edges[-1]:g} {unit}"]
    bins = [(labels[index], counts.accepted[index], counts.others[index]) for index in counts.bins]
    highest = max((accepted + others for _, accepted, others in bins), default=0)
    rows = [(*row, draw_bar((row[1] / highest, "good"), (row[2] / highest, "bad"))) for row in bins]
    return make_table(("up to", "accepted", "not accepted", ""), rows)


def _render_methods(figures: Figures) -> Markup:
    total = sum(figures.methods.values())
    rows = [
        (shorten(method), f"{count:,}", format_percent(count / total))
        for method, count in figures.methods.most_common(_MAX_LISTED)
    ]
    table = make_table(("method", "tests", "share"), rows)
    return make_card("Methods that accepted answers", table, name="matched")


def _render_attention_lists(builder: ReportBuilder, tally: Tally) -> Iterable[Markup]:
    rows = builder.map_rows_by_name()
    lists: tuple[tuple[str, str, SolutionList], ...] = (
        ("honeypots", "Passed a honeypot: attacks on the judge", tally.honeypots),
        ("flaky", "Flaky: passed in some runs only", tally.flaky),
        ("near", "Near the time limit: judge these apart", tally.near_limit),
        ("je", "Not judged: the judge itself failed", tally.judge_errors),
    )
    for name, title, names in lists:
        if names.count:
            items = [
                tag("li", _make_detail_button(*rows[entry]) if entry in rows else shorten(entry))
                for entry in names.first[:_MAX_LISTED]
            ]
            note = make_note_of_more(names.count - len(items))
            yield make_card(title, tag("ul", *items, class_="names"), note, name=name)


def _make_detail_button(position: int, row: Row) -> Markup:
    """Make a button that opens a solution's detail."""
    name = f"{shorten(row.problem_id)} {shorten(row.solution_id)}"
    return tag("button", tag("bdi", name), type="button", class_="link", data_at=position)


def _format_duration(seconds: float) -> str:
    return f"{seconds:.1f} s" if seconds < 120 else f"{seconds / 60:.1f} min"


def render_facts(facts: dict[str, Any]) -> Markup:
    """Render the facts under the title: files, version, isolation, settings."""
    parts = [tag("span", join_markup(tag("b", name), " ", value)) for name, value in facts.items()]
    return tag("p", *parts, class_="facts")
