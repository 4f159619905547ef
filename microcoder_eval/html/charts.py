"""Charts as SVG, each with a table of its numbers for readers who cannot see it."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence

from rich.cells import cell_len

from .markup import Markup, join_markup, tag

_WIDTH, _HEIGHT, _FOOT, _HEAD = 560, 170, 34, 18
_MAX_BARS = 25
_BAR_HEIGHT, _BAR_WIDTH, _COUNT_WIDTH = 18, 200, 70  # pixels: a phone shows them in full size
_CHARACTER_WIDTH = 7.5  # average pixels of a letter of 13 px; wide alphabets need more


class Histogram:
    """Counts of accepted solutions and of others, by a value.

    edges: the largest value of each bin; one more bin counts larger values.
    """

    def __init__(self, edges: tuple[float, ...]) -> None:
        self.edges = edges
        self.accepted = [0] * (len(edges) + 1)
        self.others = [0] * (len(edges) + 1)

    def add(self, value: float, is_accepted: bool) -> None:
        """Count one solution."""
        (self.accepted if is_accepted else self.others)[bisect_left(self.edges, value)] += 1

    @property
    def total(self) -> int:
        """The number of solutions counted."""
        return sum(self.accepted) + sum(self.others)


def draw_histogram(name: str, title: str, unit: str, counts: Histogram) -> Markup:
    """Draw stacked columns, accepted solutions below others. name: prefix of element ids."""
    labels = [*(f"{edge:g} {unit}" for edge in counts.edges), f"> {counts.edges[-1]:g}"]
    first, last = _find_occupied_range(counts)
    bins = range(first, last + 1)
    highest = max((counts.accepted[index] + counts.others[index] for index in bins), default=0) or 1
    step = _WIDTH / max(1, len(bins))
    parts: list[object] = [tag("title", f"{title}, {counts.total} solutions", id=f"{name}-t")]
    for column, index in enumerate(bins):
        tick = labels[index].removesuffix(f" {unit}")  # thirteen labels with units would overlap
        heights = counts.accepted[index], counts.others[index]
        parts.append(_draw_column(column * step, step, heights, highest, tick))
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
    rows = [(labels[index], counts.accepted[index], counts.others[index]) for index in bins]
    table = _make_table(("up to", "accepted", "not accepted"), rows)
    return join_markup(drawing, _make_legend(unit), table)


def _make_table(head: Sequence[str], rows: Sequence[Sequence[object]]) -> Markup:
    table = tag("table", *table_parts(head, rows))
    return tag("details", tag("summary", "as a table"), table)


def _draw_column(
    x_start: float, step: float, counts: tuple[int, int], highest: int, label: str
) -> Markup:
    """Draw one column; counts: (accepted, others)."""
    height = _HEIGHT - _FOOT - _HEAD
    low, high = (height * count / highest for count in counts)
    base, middle = _HEIGHT - _FOOT, x_start + step / 2
    x, width = f"{x_start + step * 0.12:.1f}", f"{step * 0.76:.1f}"
    parts = [
        tag("rect", x=x, width=width, y=f"{base - low:.1f}", height=f"{low:.1f}", class_="good"),
        tag(
            "rect", x=x, width=width, y=f"{base - low - high:.1f}", height=f"{high:.1f}",
            class_="bad",
        ),
        tag("text", label, x=f"{middle:.1f}", y=_HEIGHT - 16, class_="tick"),
    ]  # fmt: skip
    if total := sum(counts):
        top = f"{base - low - high - 4:.1f}"
        parts.append(tag("text", total, x=f"{middle:.1f}", y=top, class_="count"))
    return join_markup(*parts)


def _make_legend(unit: str) -> Markup:
    return tag(
        "p",
        tag("span", class_="key good", aria_hidden="true"),
        " accepted ",
        tag("span", class_="key bad", aria_hidden="true"),
        f" not accepted · labels: upper bound of each column in {unit}",
        class_="legend",
    )


def draw_bar(share: float, css_class: str) -> Markup:
    """Draw a bar for a cell of a table; another cell has the number."""
    width = f"{100 * min(1.0, max(0.0, share)):.2f}"
    return tag(
        "svg",
        tag("rect", x=0, y=0, width=100, height=10, class_="track"),
        tag("rect", x=0, y=0, width=width, height=10, class_=css_class),
        viewBox="0 0 100 10",
        preserveAspectRatio="none",
        aria_hidden="true",
        class_="bar",
    )


def table_parts(head: Sequence[str], rows: Sequence[Sequence[object]]) -> tuple[Markup, Markup]:
    """Make head and body of a table; the first cell of each row is its heading."""
    top = tag("thead", tag("tr", *(tag("th", name, scope="col") for name in head)))
    body = [
        tag("tr", tag("th", row[0], scope="row"), *(tag("td", cell) for cell in row[1:]))
        for row in rows
    ]
    return top, tag("tbody", *body)


def _find_occupied_range(counts: Histogram) -> tuple[int, int]:
    """Return the first and the last bin to show: one more than the non-empty ones on each side."""
    bins = [
        index
        for index, (accepted, others) in enumerate(zip(counts.accepted, counts.others, strict=True))
        if accepted + others
    ]
    return (max(0, bins[0] - 1), min(len(counts.accepted) - 1, bins[-1] + 1)) if bins else (0, 0)


def draw_bars(title: str, values: Sequence[tuple[str, int]]) -> Markup:
    """Draw a bar for each of the first names with its count, and one for all others."""
    bars = list(values[:_MAX_BARS])
    if remainder := sum(count for _, count in values[_MAX_BARS:]):
        bars.append((f"{len(values) - _MAX_BARS} more", remainder))
    largest = max((count for _, count in bars), default=0) or 1
    # Wide letters (of East Asia) take twice the room.
    start = 16 + int(_CHARACTER_WIDTH * max((cell_len(name) for name, _ in bars), default=0))
    parts = []
    for number, (name, count) in enumerate(bars):
        top = number * (_BAR_HEIGHT + 4)
        width = round(_BAR_WIDTH * count / largest, 1)
        parts += [
            tag("text", name, x=start - 8, y=top + 14, text_anchor="end"),
            tag("rect", x=start, y=top, width=width, height=_BAR_HEIGHT),
            tag("text", count, x=start + width + 6, y=top + 14),
        ]
    width, height = start + _BAR_WIDTH + _COUNT_WIDTH, len(bars) * (_BAR_HEIGHT + 4)
    size = {"width": width, "viewBox": f"0 0 {width} {height}"}
    drawing = tag("svg", *parts, **size, role="img", aria_label=title, class_="bars")
    return join_markup(drawing, _make_table((title, "problems"), bars))
