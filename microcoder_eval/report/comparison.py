"""The page of a comparison: runs side by side, and the problems where they differ most."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from microcoder_eval import html
from microcoder_eval.html import Markup, draw_bar, join_markup, render_header, table_parts, tag
from microcoder_eval.results.difference import Comparison, ProblemSamples, Standing

from .builder import shorten
from .html_page import MARK
from .sections import format_interval, format_percent, render_facts

MAX_PROBLEMS = 500  # of the problems that differ, with the largest spread first
MAX_NAMED = 20
# On a phone a table is wider than the page and scrolls; its names stay whole.
_STYLE = ".scrolled :is(td, th) { white-space: nowrap; overflow-wrap: normal; min-width: 4em; }\n"


def render_comparison(comparison: Comparison, *, title: str | None = None) -> Iterator[str]:
    """Return the page in parts. title: of the page."""
    names = [standing.name for standing in comparison.standings]
    facts = {
        "problems": f"{len(comparison.problem_ids):,}",
        "left out, since some runs lack them": f"{comparison.left_out:,}",
        "judged with other tests": f"{len(comparison.unlike_tests):,}",
    }
    body = tag(
        "main",
        _render_card("Runs", _render_standings(comparison.standings)),
        *_render_settings(names, comparison),
        *_render_groups(comparison.standings),
        _render_card("Problems where the runs differ most", _render_problems(names, comparison)),
    )
    parts = (render_header(shorten(title or "Comparison of runs"), render_facts(facts)), body)
    # The header's choice of colours needs the helpers, which are only included with a script.
    name = shorten(title or "MicroCoder: comparison of runs")
    return html.render_page(name, parts, style=_STYLE, script="\n", mark=MARK)


def _render_card(title: str, *content: object) -> Markup:
    return tag("section", tag("h2", title), *content, class_="card")


def _render_table(head: Sequence[str], rows: Sequence[Sequence[object]]) -> Markup:
    return tag("div", tag("table", *table_parts(head, rows)), class_="scrolled")


def _render_standings(standings: Sequence[Standing]) -> Markup:
    ks = list(standings[0].rates)
    head = ["run", *(f"pass@{k}" for k in ks), "95 % interval", "", "samples"]
    head += [f"against {shorten(standings[0].name)}", "95 % interval", "p", "worse", "better"]
    rows = []
    for standing in standings:
        rates = [format_percent(rate) for rate in standing.rates.values()]
        bar = draw_bar(standing.rates.get(1) or 0.0, "good")
        cells = [
            shorten(standing.name),
            *rates,
            format_interval(standing.interval),
            bar,
            f"{standing.samples:,}",
        ]
        rows.append([*cells, *_list_difference_cells(standing)])
    return _render_table(head, rows)


def _list_difference_cells(standing: Standing) -> Sequence[str]:
    difference = standing.difference
    if difference is None:
        return [""] * 5
    low, high = (f"{100 * bound:+.1f}" for bound in difference.interval)
    sign = "" if difference.is_significant else " (may be chance)"
    return [
        f"{100 * difference.change:+.1f} points",
        f"{low} to {high}",
        f"{difference.p_value:.2g}{sign}",
        f"{len(difference.regressions):,}",
        f"{len(difference.gains):,}",
    ]


def _render_settings(names: Sequence[str], comparison: Comparison) -> Iterator[Markup]:
    if comparison.unlike_settings:
        rows = [
            (name, *map(shorten, values)) for name, values in comparison.unlike_settings.items()
        ]
        head = ["setting", *map(shorten, names)]
        yield _render_card("Judged with other settings", _render_table(head, rows))
    for standing in comparison.standings:
        if standing.difference is not None and standing.difference.changed_verdicts:
            changed = standing.difference.changed_verdicts
            named = [tag("li", shorten(" ".join(key))) for key in changed[:MAX_NAMED]]
            title = (
                f"{shorten(standing.name)}: the same program, another verdict ({len(changed):,})"
            )
            yield _render_card(title, tag("ul", *named, class_="names"))


def _render_groups(standings: Sequence[Standing]) -> Iterator[Markup]:
    groups = sorted(set().union(*(standing.groups for standing in standings)))
    if not groups:
        return
    rows = []
    for name in groups:
        rates = [standing.groups.get(name) for standing in standings]
        count = max(entry[1] for entry in rates if entry is not None)
        cells = [format_percent(entry[0] if entry else None) for entry in rates]
        rows.append((shorten(name), f"{count:,}", *cells))
    head = ["group", "problems", *(shorten(standing.name) for standing in standings)]
    yield _render_card("pass@1 by group", _render_table(head, rows))


def _render_problems(names: Sequence[str], comparison: Comparison) -> Markup:
    problems = comparison.unlike_problems
    if not problems:
        return tag("p", "None: each problem passes at the same rate in all runs.", class_="note")
    rows = [(shorten(name), *map(_render_samples, sets)) for name, sets in problems[:MAX_PROBLEMS]]
    table = _render_table(["problem", *map(shorten, names)], rows)
    more = len(problems) - len(rows)
    note = tag("p", f"and {more:,} more", class_="note") if more else ""
    return join_markup(table, note)


def _render_samples(samples: ProblemSamples) -> Markup:
    return join_markup(draw_bar(float(samples.rate), "good"), f" {samples}")
