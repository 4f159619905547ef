"""The parts of the page that need no script: figures, charts and lists."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from microcoder_eval.records import Verdict
from microcoder_eval.summary import Names, Tally

from .charts import bar, histogram, table_parts
from .figures import Figures
from .gather import Gathering, Row, shortened
from .markup import Markup, joined, tag

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
_LISTED = 20
_GROUPS = 40  # difficulties, platforms


def summary(gathering: Gathering, tally: Tally) -> Markup:
    """All sections above the table."""
    return joined(
        _tiles(tally),
        tag("div", _verdicts(tally), tag("div", *_groups(tally)), class_="columns"),
        _distributions(gathering.figures),
        tag("div", _slowest(gathering), _failed_tests(gathering.figures), class_="columns"),
        tag("div", _matched(gathering.figures), tag("div", *_attention(tally)), class_="columns"),
    )


def _section(name: str, title: str, *content: object) -> Markup:
    heading = tag("h2", title, id=f"h-{name}")
    return tag("section", heading, *content, aria_labelledby=f"h-{name}", class_="card")


def _table(head: Sequence[str], rows: Sequence[Sequence[object]], kind: str = "") -> Markup:
    return tag(
        "div", tag("table", *table_parts(head, rows), class_=kind or None), class_="scrolled"
    )


def _tiles(tally: Tally) -> Markup:
    tiles = []
    for k in tally.ks:
        rate, problems, out = tally.rate(k)
        note = f"of {_problems(problems)}"
        if out:
            note += f"; {_problems(out)} with fewer than {k} judged samples left out"
        tiles.append((f"pass@{k}", percent(rate), note))
    least, most = tally.samples
    several = str(most) if least == most else f"{least}..{most}"
    tiles += [
        (f"avg@{several}", percent(tally.average()), "of all judged samples"),
        ("solutions", f"{tally.solutions:,}", f"{tally.verdicts[str(Verdict.AC)]:,} accepted"),
        ("judge errors", f"{tally.judge_errors.count:,}", "in no figure but this one"),
        ("CPU time", _duration(tally.test_seconds), f"{_duration(tally.tle_seconds)} lost to TLE"),
    ]
    cells = [
        tag("div", tag("dt", name), tag("dd", value), tag("dd", note, class_="note"))
        for name, value, note in tiles
    ]
    heading = tag("h2", "Summary", id="h-summary", class_="unseen")
    return tag("section", heading, tag("dl", *cells, class_="tiles"), aria_labelledby="h-summary")


def _verdicts(tally: Tally) -> Markup:
    rows = []
    for verdict in Verdict:
        count = tally.verdicts[str(verdict)]
        if count:
            share = count / tally.solutions
            letters = tag("span", verdict, class_=f"verdict {verdict}")
            bars = bar(share, f"v-{verdict}")
            rows.append((letters, MEANINGS[verdict], f"{count:,}", percent(share), bars))
    return _section(
        "verdicts", "Verdicts", _table(("verdict", "meaning", "solutions", "share", ""), rows)
    )


def _groups(tally: Tally) -> Iterable[Markup]:
    for group, values in tally.groups().items():
        named = list(values.items())
        rows = [
            (shortened(value), percent(rate), f"{problems:,}", bar(rate or 0.0, "good"))
            for value, (rate, problems) in named[:_GROUPS]
        ]
        more = _more(len(named) - len(rows))
        yield _section(group, f"By {group}", _table((group, "pass@1", "problems", ""), rows), more)


def _distributions(figures: Figures) -> Markup:
    time = histogram("times", "CPU time of the slowest test", "s", figures.times)
    memory = histogram("memory", "Memory of the largest test", "MiB", figures.memory)
    unmeasured = figures.times.counted - figures.memory.counted
    note = f"{unmeasured:,} solutions without a measured memory." if unmeasured else ""
    return tag(
        "div",
        _section("time", "Time: the slowest test of each solution", time),
        _section(
            "space", "Memory: the largest test of each solution", memory,
            tag("p", note, class_="note") if note else "",
        ),
        class_="columns",
    )  # fmt: skip


def _slowest(gathering: Gathering) -> Markup:
    rows = []
    for position, seconds in gathering.figures.slowest():
        row = gathering.rows.get(position)
        if row is not None:
            letters = tag("span", row.verdict, class_=f"verdict {_known(row.verdict)}")
            rows.append((opener(position, row), letters, f"{seconds:.3f} s"))
    return _section("slowest", "Slowest solutions", _or_none(("solution", "", "CPU time"), rows))


def _failed_tests(figures: Figures) -> Markup:
    rows = [
        (
            joined(tag("bdi", shortened(test.problem_id)), f" test {test.number}"),
            f"{test.failed:,} of {test.ran:,}",
            percent(test.failed / test.ran),
        )
        for test in figures.most_failed()
    ]
    head = ("test", "programs that failed it", "share")
    return _section("failed", "Tests that failed most programs", _or_none(head, rows))


def _matched(figures: Figures) -> Markup:
    total = sum(figures.matched.values())
    rows = [
        (shortened(method), f"{count:,}", percent(count / total))
        for method, count in figures.matched.most_common(_LISTED)
    ]
    head = ("method", "tests", "share")
    return _section("matched", "What accepted answers were matched by", _or_none(head, rows))


def _attention(tally: Tally) -> Iterable[Markup]:
    lists: tuple[tuple[str, str, Names], ...] = (
        ("flaky", "Flaky: passed in some runs only", tally.flaky),
        ("near", "Near the time limit: judge these apart", tally.near_limit),
        ("je", "Not judged: the judge itself failed", tally.judge_errors),
    )
    for name, title, names in lists:
        if names.count:
            items = [tag("li", tag("bdi", shortened(one))) for one in names.first[:_LISTED]]
            rest = _more(names.count - len(items))
            yield _section(name, title, tag("ul", *items, class_="names"), rest)


def opener(position: int, row: Row) -> Markup:
    """A button that opens a solution's detail."""
    name = f"{shortened(row.problem_id)} {shortened(row.solution_id)}"
    return tag("button", tag("bdi", name), type="button", class_="link", data_at=position)


def _or_none(head: Sequence[str], rows: Sequence[Sequence[object]]) -> Markup:
    return _table(head, rows) if rows else tag("p", "None.", class_="note")


def _known(verdict: str) -> str:
    return verdict if verdict in set(Verdict) else "JE"


def _more(count: int) -> Markup:
    return tag("p", f"and {count:,} more", class_="note") if count > 0 else Markup("")


def _problems(count: int) -> str:
    return "1 problem" if count == 1 else f"{count:,} problems"


def percent(rate: float | None) -> str:
    """A share in words."""
    return "none" if rate is None else f"{100 * rate:.1f} %"


def _duration(seconds: float) -> str:
    minutes: Callable[[float], str] = lambda s: f"{s / 60:.1f} min"  # noqa: E731
    return f"{seconds:.1f} s" if seconds < 120 else minutes(seconds)


def facts_line(facts: dict[str, Any]) -> Markup:
    """What was judged with what, under the title."""
    parts = [tag("span", joined(tag("b", name), " ", value)) for name, value in facts.items()]
    return tag("p", *parts, class_="facts")
