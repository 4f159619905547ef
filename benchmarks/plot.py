"""Plots as SVG text, without dependencies: lines with bands, and lanes of a time line."""

from __future__ import annotations

import statistics
from collections.abc import Callable, Mapping, Sequence
from html import escape

COLOURS = ("#26a", "#b22", "#c80", "#777", "#283", "#727")
BAR, GAP, LEFT, RIGHT, WIDTH, HEIGHT, TOP = 15, 14, 210, 110, 420, 300, 52


def draw_lines(
    title: str,
    series: Mapping[str, Sequence[tuple[float, float]]],
    *,
    x: str,
    y: str,
    bands: Mapping[str, Sequence[tuple[float, float, float]]],
) -> str:
    """Draw points joined by lines; axes are marked at the points.

    bands: (x, low, high) by series, drawn behind the lines.
    """
    edges = [(a, b) for band in bands.values() for a, *ends in band for b in ends]
    points = [*(point for line in series.values() for point in line), *edges]
    across = make_scale([point[0] for point in points], WIDTH)
    up = make_scale([point[1] for point in points], HEIGHT)
    bottom = TOP + HEIGHT
    parts = [
        f'<path d="M{LEFT} {TOP}V{bottom}H{LEFT + WIDTH}" fill="none" stroke="#999"/>',
        draw_text(LEFT + WIDTH / 2, bottom + 36, x, anchor="middle"),
        draw_text(8, TOP + HEIGHT / 2, y),
    ]
    for value in sorted({point[0] for point in points}):
        parts.append(draw_text(LEFT + across(value), bottom + 18, f"{value:,.9g}", "middle", 11))
    for value in (min(p[1] for p in points), max(p[1] for p in points)):
        parts.append(draw_text(LEFT - 6, bottom - up(value) + 4, f"{value:,.4g}", "end", 11))
    for index, name in enumerate(series):
        band = bands.get(name, ())
        outline = [(a, high) for a, _, high in band] + [(a, low) for a, low, _ in reversed(band)]
        path = " ".join(f"{LEFT + across(a):.1f},{bottom - up(b):.1f}" for a, b in outline)
        parts.append(f'<polygon points="{path}" fill="{choose_colour(index)}" fill-opacity=".12"/>')
    for index, line in enumerate(series.values()):
        colour = choose_colour(index)
        places = [(LEFT + across(a), bottom - up(b)) for a, b in line]
        path = " ".join(f"{a:.1f},{b:.1f}" for a, b in places)
        parts.append(f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="2"/>')
        parts += [f'<circle cx="{a:.1f}" cy="{b:.1f}" r="3" fill="{colour}"/>' for a, b in places]
    return _page(title, list(series), parts, bottom + 50)


def accuracy_by_step(curves: Mapping[str, Sequence[Mapping[int, float]]]) -> str:
    """Draw the held-out accuracy of each arm: means over its runs, in bands from the least to the
    most."""
    means: dict[str, list[tuple[float, float]]] = {}
    bands: dict[str, list[tuple[float, float, float]]] = {}
    for arm, runs in curves.items():
        points = [(step, [run[step] for run in runs]) for step in runs[0]]
        means[arm] = [(step, statistics.mean(values)) for step, values in points]
        bands[arm] = [(step, min(values), max(values)) for step, values in points]
    title = "Held-out accuracy: mean and range over the seeds"
    return draw_lines(title, means, x="step", y="accuracy", bands=bands)


def draw_lanes(title: str, rows: Mapping[str, Sequence[tuple[float, float]]], length: float) -> str:
    """Draw a time line: a lane for each row, filled from the start to the end of its intervals."""
    height, width = 2 * BAR, 2 * WIDTH
    place = make_scale([0.0, length], width)
    parts, y = [], TOP
    for index, (name, intervals) in enumerate(rows.items()):
        total = sum(stop - start for start, stop in intervals)
        parts.append(draw_text(LEFT - 8, y + height / 2 + 4, f"{name}, {total:,.0f}", anchor="end"))
        parts.append(f'<path d="M{LEFT} {y + height}h{width}" stroke="#ddd"/>')
        parts += [
            f'<rect x="{LEFT + place(start):.2f}" y="{y}" height="{height}" '
            f'width="{max(place(stop) - place(start), 0.3):.2f}" fill="{choose_colour(index)}"/>'
            for start, stop in intervals
        ]
        y += height + GAP
    for k in range(6):
        x = LEFT + width * k / 5
        parts.append(f'<path d="M{x:.1f} {TOP}V{y}" stroke="#999" stroke-dasharray="1 4"/>')
        parts.append(draw_text(x, y + 16, f"{length * k / 5:,.0f}", "middle", 11))
    return _page(title, [], parts, y + 26, width=LEFT + width + GAP * 2)


def make_scale(values: Sequence[float], length: int) -> Callable[[float], float]:
    """Return a function from a value to its distance from the start of an axis of ``length``."""
    low, high = min(values), max(values)
    return lambda value: length * (value - low) / ((high - low) or 1.0)


def choose_colour(index: int) -> str:
    """Return the colour of a series by its number."""
    return COLOURS[index % len(COLOURS)]


def draw_text(x: float, y: float, words: str, anchor: str = "start", size: int = 12) -> str:
    """Make a line of text."""
    return (
        f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" font-size="{size}">'
        f"{escape(words)}</text>"
    )


def _page(
    title: str,
    names: Sequence[str],
    parts: Sequence[str],
    height: float,
    width: float = LEFT + WIDTH + RIGHT,
) -> str:
    legend, x = [], 8.0
    for index, name in enumerate(names):
        legend.append(
            f'<rect x="{x}" y="28" width="11" height="11" fill="{choose_colour(index)}"/>'
        )
        legend.append(draw_text(x + 15, 38, name))
        x += 30 + 7.0 * len(name)
    width = max(width, x)
    head = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:.0f}" height="{height:.0f}" '
        'font-family="sans-serif">',
        '<rect width="100%" height="100%" fill="white"/>',
        draw_text(8, 18, title, size=14),
    ]
    return "\n".join([*head, *legend, *parts, "</svg>\n"])
