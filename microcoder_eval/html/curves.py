"""A page of curves by step, with the samples behind each step: one file that loads nothing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict

from microcoder_sandbox import record

from .markup import Markup, tag
from .page import encode_json, make_data_element, read_asset, render_header, render_page

_MAX_SAMPLE_BYTES = 24 << 20  # of all samples; if there are more, steps are left out evenly
_MAX_TEXT_CHARS = 4000  # shown of a prompt and of an answer


Curve = dict[int, float]  # a quantity by step


@record
class Series:
    """A curve. low, high: the range of several runs at each step; empty for one run."""

    name: str
    steps: Sequence[int]
    values: Sequence[float]
    low: Sequence[float] = ()
    high: Sequence[float] = ()


@record
class Chart:
    """Curves of one quantity. name: the metric's name. title: its title for people."""

    name: str
    title: str
    series: Sequence[Series]


@record
class Sample:
    """An answer of a model and its result. facts: shown beside it, by name."""

    problem: str
    prompt: str
    answer: str
    verdict: str
    facts: Mapping[str, str]


def smooth_curve(curve: Curve, window: int) -> Curve:
    """Return the running mean over the last ``window`` steps that have a value."""
    steps = sorted(curve)
    windows = {step: steps[max(0, i + 1 - window) : i + 1] for i, step in enumerate(steps)}
    return {s: sum(curve[w] for w in near) / len(near) for s, near in windows.items()}


def average_curves(name: str, curves: Sequence[Curve]) -> Series:
    """Return the mean and the range of the curves of a run's seeds, at the steps that all of them
    have."""
    steps = sorted(set.intersection(*map(set, curves)))
    columns = [[curve[step] for curve in curves] for step in steps]
    means = [sum(values) / len(values) for values in columns]
    if len(curves) == 1:
        return Series(name, steps, means)
    low, high = [min(values) for values in columns], [max(values) for values in columns]
    return Series(f"{name} ({len(curves)} seeds)", steps, means, low, high)


def render_curves(
    title: str,
    note: str,
    charts: Sequence[Chart],
    samples: Mapping[str, Mapping[int, Sequence[Sample]]],
    details: Sequence[Markup] = (),
) -> str:
    """Render the page.

    samples: the samples by run and step. details: what the end of the page shows.
    """
    runs = [tag("option", run, value=run) for run in samples]
    picker = tag(
        "p",
        tag("label", "Run ", tag("select", *runs, id="run")),
        tag("label", "Step ", tag("input", type="range", id="step", min=0, max=0)),
        tag("button", "Previous", type="button", id="before"),
        tag("button", "Next", type="button", id="after"),
        tag("span", id="place", role="status"),
        class_="picker",
    )
    body = (
        render_header(title),
        tag(
            "main",
            tag("p", note, class_="note"),
            tag("noscript", "The curves and the samples need JavaScript."),
            tag("div", id="charts"),
            tag("section", tag("h2", "Samples"), picker, tag("div", id="samples"), class_="card"),
            *details,
        ),
        make_data_element("curves", encode_json([asdict(chart) for chart in charts])),
        make_data_element("answers", encode_json(thin_out(samples))),
    )
    style = read_asset(__package__, "curves.css")
    script = read_asset(__package__, "curves.js")
    return "".join(render_page(title, body, style=style, script=script))


def thin_out(
    samples: Mapping[str, Mapping[int, Sequence[Sample]]], max_bytes: int = _MAX_SAMPLE_BYTES
) -> dict[str, dict[int, list[dict[str, object]]]]:
    """Encode samples; of more than ``max_bytes`` only every n-th step."""
    encoded = {
        run: {step: [_encode_sample(sample) for sample in group] for step, group in steps.items()}
        for run, steps in samples.items()
    }
    every = -(-len(encode_json(encoded)) // max_bytes)
    return {run: dict(list(steps.items())[::every]) for run, steps in encoded.items()}


def _encode_sample(sample: Sample) -> dict[str, object]:
    """Encode a sample, its texts cut."""
    fields: dict[str, object] = {**asdict(sample), "facts": dict(sample.facts)}
    for name in ("prompt", "answer"):
        text = getattr(sample, name)
        if len(text) > _MAX_TEXT_CHARS:
            fields[name] = f"{text[:_MAX_TEXT_CHARS]}… ({len(text) - _MAX_TEXT_CHARS} more)"
    return fields
