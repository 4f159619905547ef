"""Drawings as SVG with a table of the same numbers beside each, for whoever cannot see them."""

from __future__ import annotations

from collections.abc import Sequence

from .figures import Histogram
from .markup import Markup, joined, tag

_WIDTH, _HEIGHT, _FOOT, _HEAD = 560, 170, 34, 18


def histogram(name: str, title: str, unit: str, counts: Histogram) -> Markup:
    """Stacked columns, accepted below others. name: of the elements' ids."""
    labels = _labels(counts.edges, unit)
    first, last = _used(counts)
    bins = range(first, last + 1)
    most = max((counts.accepted[at] + counts.others[at] for at in bins), default=0) or 1
    step = _WIDTH / max(1, len(bins))
    parts: list[object] = [tag("title", f"{title}, {counts.counted} solutions", id=f"{name}-t")]
    for place, at in enumerate(bins):
        tick = labels[at].removesuffix(f" {unit}")  # thirteen units side by side would overlap
        parts.append(
            _column(place * step, step, counts.accepted[at], counts.others[at], most, tick)
        )
    parts.append(
        tag("line", x1=0, x2=_WIDTH, y1=_HEIGHT - _FOOT, y2=_HEIGHT - _FOOT, class_="axis")
    )
    drawing = tag(
        "svg",
        *parts,
        viewBox=f"0 0 {_WIDTH} {_HEIGHT}",
        role="img",
        aria_labelledby=f"{name}-t",
        class_="chart",
    )
    rows = [(labels[at], counts.accepted[at], counts.others[at]) for at in bins]
    return joined(drawing, _legend(unit), _as_table(("up to", "accepted", "not accepted"), rows))


def _column(left: float, step: float, accepted: int, others: int, most: int, label: str) -> Markup:
    room = _HEIGHT - _FOOT - _HEAD
    low, high = room * accepted / most, room * others / most
    base, middle = _HEIGHT - _FOOT, left + step / 2
    x, width = f"{left + step * 0.12:.1f}", f"{step * 0.76:.1f}"
    parts = [
        tag("rect", x=x, width=width, y=f"{base - low:.1f}", height=f"{low:.1f}", class_="good"),
        tag(
            "rect", x=x, width=width, y=f"{base - low - high:.1f}", height=f"{high:.1f}",
            class_="bad",
        ),
        tag("text", label, x=f"{middle:.1f}", y=_HEIGHT - 16, class_="tick"),
    ]  # fmt: skip
    if accepted + others:
        top = f"{base - low - high - 4:.1f}"
        parts.append(tag("text", accepted + others, x=f"{middle:.1f}", y=top, class_="count"))
    return joined(*parts)


def _legend(unit: str) -> Markup:
    return tag(
        "p",
        tag("span", class_="key good", aria_hidden="true"),
        " accepted ",
        tag("span", class_="key bad", aria_hidden="true"),
        f" not accepted · each column: up to so many {unit}",
        class_="legend",
    )


def bar(share: float, kind: str) -> Markup:
    """A bar within a table's cell; the number stands beside it."""
    width = f"{100 * min(1.0, max(0.0, share)):.2f}"
    return tag(
        "svg",
        tag("rect", x=0, y=0, width=100, height=10, class_="track"),
        tag("rect", x=0, y=0, width=width, height=10, class_=kind),
        viewBox="0 0 100 10",
        preserveAspectRatio="none",
        aria_hidden="true",
        class_="bar",
    )


def _as_table(head: Sequence[str], rows: Sequence[Sequence[object]]) -> Markup:
    return tag(
        "details",
        tag("summary", "as a table"),
        tag("table", *table_parts(head, rows)),
    )


def table_parts(head: Sequence[str], rows: Sequence[Sequence[object]]) -> tuple[Markup, Markup]:
    """Head and body of a table; the first cell of each row is its heading."""
    top = tag("thead", tag("tr", *(tag("th", name, scope="col") for name in head)))
    body = [
        tag("tr", tag("th", row[0], scope="row"), *(tag("td", cell) for cell in row[1:]))
        for row in rows
    ]
    return top, tag("tbody", *body)


def _labels(edges: Sequence[float], unit: str) -> list[str]:
    return [*(f"{edge:g} {unit}" for edge in edges), f"> {edges[-1]:g}"]


def _used(counts: Histogram) -> tuple[int, int]:
    """The first and the last bin worth showing."""
    used = [
        at for at, (a, b) in enumerate(zip(counts.accepted, counts.others, strict=True)) if a + b
    ]
    return (max(0, used[0] - 1), min(len(counts.accepted) - 1, used[-1] + 1)) if used else (0, 0)
