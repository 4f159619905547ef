"""The page of a comparison: runs side by side, and the problems where they differ most."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from microcoder_eval.html import page
from microcoder_eval.html.markup import Markup, join_markup, tag
from microcoder_eval.results.run_comparison import RunComparison
from microcoder_eval.results.summary import ProblemSamples

from .comparison_table import describe_comparison, make_table
from .excerpts import shorten
from .results_page import MARK

MAX_PROBLEMS = 500  # of the problems that differ, with the largest spread first
# On a phone a table is wider than the page and scrolls; its names stay whole.
_STYLE = ".scrolled :is(td, th) { white-space: nowrap; overflow-wrap: normal; min-width: 4em; }\n"


def render_comparison(comparison: RunComparison, *, title: str | None) -> Iterator[str]:
    """Return the page in parts. title: the title of the page."""
    names = [shorten(standing.name) for standing in comparison.standings]
    head, *rows = ([*map(shorten, row)] for row in make_table(comparison))
    texts = describe_comparison(comparison, max_names=0)  # the table of problems has the names
    sentences = [tag("p", sentence, class_="note") for sentence in texts]
    cards = [page.make_card("Runs", page.make_table(head, rows), *sentences)]
    if comparison.unlike_settings:
        settings = [
            (name, *map(shorten, values)) for name, values in comparison.unlike_settings.items()
        ]
        settings_table = page.make_table(["setting", *names], settings)
        cards.append(page.make_card("Judged with other settings", settings_table))
    problems = _render_problems(names, comparison)
    cards.append(page.make_card("Problems where the runs differ most", problems))
    parts = (page.render_header(shorten(title or "Comparison of runs")), tag("main", *cards))
    name = shorten(title or "MicroCoder: comparison of runs")
    return page.render_page(name, parts, style=_STYLE, script="", mark=MARK)


def _render_problems(names: Sequence[str], comparison: RunComparison) -> Markup:
    unlike = comparison.unlike_problems
    if not unlike:
        return tag("p", "None: each problem passes at the same rate in all runs.", class_="note")
    rows = [(shorten(name), *map(_render_samples, sets)) for name, sets in unlike[:MAX_PROBLEMS]]
    table = page.make_table(["problem", *names], rows)
    return join_markup(table, page.make_note_of_more(len(unlike) - len(rows)))


def _render_samples(samples: ProblemSamples) -> Markup:
    return join_markup(page.draw_bar((samples.passed / samples.judged, "good")), f" {samples}")
