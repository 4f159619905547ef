"""Renders the parts of the page that need no script: figures, charts and lists."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from microcoder_eval.html import Markup, draw_bar, draw_histogram, join_markup, table_parts, tag
from microcoder_eval.records import Verdict
from microcoder_eval.results.summary import SolutionList, Tally

from .builder import ReportBuilder, Row, shorten
from .comparison_table import format_interval
from .figures import Figures

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
    columns = (
        (tag("div", _render_verdicts(tally), *_render_groups(tally)), _render_reasons(figures)),
        _render_distributions(figures),
        (_render_slowest(builder), _render_failed_tests(figures)),
        (_render_methods(figures), tag("div", *_render_attention_lists(builder, tally))),
    )
    return join_markup(
        _render_tiles(tally), *(tag("div", *sections, class_="columns") for sections in columns)
    )


def _make_section(name: str, title: str, *content: object) -> Markup:
    heading = tag("h2", title, id=f"h-{name}")
    return tag("section", heading, *content, aria_labelledby=f"h-{name}", class_="card")


def _make_table(head: Sequence[str], rows: Sequence[Sequence[object]]) -> Markup:
    if not rows:
        return tag("p", "None.", class_="note")
    return tag("div", tag("table", *table_parts(head, rows)), class_="scrolled")


def _render_tiles(tally: Tally) -> Markup:
    tiles = []
    for k in tally.ks:
        rate = tally.compute_pass_at_k(k)
        note = f"of {_format_problems(rate.problem_count)}"
        if k == 1 and rate.problem_count:
            note += f"; 95 % interval {format_interval(tally.pass_at_1_interval)}"
        if rate.left_out_count:
            left_out = _format_problems(rate.left_out_count)
            note += f"; {left_out} with fewer than {k} judged samples left out"
        tiles.append((f"pass@{k}", _format_percent(rate.mean), note))
    average = _format_percent(tally.average())
    tiles += [
        (f"avg@{tally.format_sample_count()}", average, "of all judged samples"),
        *(
            [("points", _format_percent(tally.average_points()), "of the best possible")]
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
            chart = draw_bar(share, f"v-{verdict}")
            rows.append((badge, MEANINGS[verdict], f"{count:,}", _format_percent(share), chart))
    table = _make_table(("verdict", "meaning", "solutions", "share", ""), rows)
    return _make_section("verdicts", "Verdicts", table)


def _render_reasons(figures: Figures) -> Markup:
    total = sum(figures.reasons.values())
    rows = [
        (
            tag("span", verdict, class_=f"verdict {verdict}"),
            shorten(reason),
            f"{count:,}",
            _format_percent(count / total),
        )
        for (verdict, reason), count in figures.reasons.most_common(_MAX_LISTED)
    ]
    table = _make_table(("verdict", "reason", "solutions", "share"), rows)
    note = _note_more(len(figures.reasons) - len(rows))
    return _make_section("reasons", "Why programs are RE or WA", table, note)


def _render_groups(tally: Tally) -> Iterable[Markup]:
    for group, values in tally.groups().items():
        items = list(values.items())
        rows = [
            (
                shorten(value),
                _format_percent(rate.mean),
                f"{rate.problem_count:,}",
                draw_bar(rate.mean or 0.0, "good"),
            )
            for value, rate in items[:_MAX_GROUPS]
        ]
        table = _make_table((group, "pass@1", "problems", ""), rows)
        yield _make_section(group, f"By {group}", table, _note_more(len(items) - len(rows)))


def _render_distributions(figures: Figures) -> tuple[Markup, Markup]:
    time = draw_histogram("times", "CPU time of the slowest test", "s", figures.times)
    memory = draw_histogram("memory", "Memory of the largest test", "MiB", figures.memory)
    unmeasured_count = figures.times.total - figures.memory.total
    note = f"{unmeasured_count:,} solutions have no measured memory." if unmeasured_count else ""
    return (
        _make_section("time", "Time: the slowest test of each solution", time),
        _make_section(
            "space", "Memory: the largest test of each solution", memory,
            tag("p", note, class_="note") if note else "",
        ),
    )  # fmt: skip


def _render_slowest(builder: ReportBuilder) -> Markup:
    rows = []
    for position, seconds in builder.figures.list_slowest():
        row = builder.rows.get(position)
        if row is not None:
            badge = tag("span", row.verdict, class_=f"verdict {_known_verdict(row.verdict)}")
            rows.append((make_detail_button(position, row), badge, f"{seconds:.3f} s"))
    table = _make_table(("solution", "", "CPU time"), rows)
    return _make_section("slowest", "Slowest solutions", table)


def _render_failed_tests(figures: Figures) -> Markup:
    rows = [
        (
            join_markup(tag("bdi", shorten(test.problem_id)), f" test {test.number}"),
            f"{test.failures:,} of {test.runs:,}",
            _format_percent(test.failures / test.runs),
        )
        for test in figures.list_most_failed()
    ]
    table = _make_table(("test", "programs that failed it", "share"), rows)
    return _make_section("failed", "Tests that most programs failed", table)


def _render_methods(figures: Figures) -> Markup:
    total = sum(figures.methods.values())
    rows = [
        (shorten(method), f"{count:,}", _format_percent(count / total))
        for method, count in figures.methods.most_common(_MAX_LISTED)
    ]
    table = _make_table(("method", "tests", "share"), rows)
    return _make_section("matched", "Methods that accepted answers", table)


def _render_attention_lists(builder: ReportBuilder, tally: Tally) -> Iterable[Markup]:
    rows = builder.rows_by_name()
    lists: tuple[tuple[str, str, SolutionList], ...] = (
        ("flaky", "Flaky: passed in some runs only", tally.flaky),
        ("near", "Near the time limit: judge these apart", tally.near_limit),
        ("je", "Not judged: the judge itself failed", tally.judge_errors),
    )
    for name, title, names in lists:
        if names.count:
            items = [
                tag("li", make_detail_button(*rows[entry]) if entry in rows else shorten(entry))
                for entry in names.first[:_MAX_LISTED]
            ]
            note = _note_more(names.count - len(items))
            yield _make_section(name, title, tag("ul", *items, class_="names"), note)


def make_detail_button(position: int, row: Row) -> Markup:
    """Make a button that opens a solution's detail."""
    name = f"{shorten(row.problem_id)} {shorten(row.solution_id)}"
    return tag("button", tag("bdi", name), type="button", class_="link", data_at=position)


def _known_verdict(verdict: str) -> str:
    return verdict if verdict in set(Verdict) else "JE"


def _note_more(count: int) -> Markup:
    return tag("p", f"and {count:,} more", class_="note") if count > 0 else Markup("")


def _format_problems(count: int) -> str:
    return "1 problem" if count == 1 else f"{count:,} problems"


def _format_percent(rate: float | None) -> str:
    """Format a share; None: "none"."""
    return "none" if rate is None else f"{100 * rate:.1f} %"


def _format_duration(seconds: float) -> str:
    return f"{seconds:.1f} s" if seconds < 120 else f"{seconds / 60:.1f} min"


def render_facts(facts: dict[str, Any]) -> Markup:
    """Render the facts under the title: files, version, isolation, settings."""
    parts = [tag("span", join_markup(tag("b", name), " ", value)) for name, value in facts.items()]
    return tag("p", *parts, class_="facts")
