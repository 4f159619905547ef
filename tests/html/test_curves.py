"""The page of curves: everything in one file, hostile texts as texts, a bound on its size."""

from __future__ import annotations

import json
from typing import Any

from microcoder_eval.html import curves
from microcoder_eval.html.curves import Chart, Sample, Series, render_curves
from tests.report.making import WORST
from tests.report.parsing import parse_page

SERIES = Series("a", [1, 2], [0.1, 0.2], [0.0, 0.1], [0.2, 0.3])
CHART = Chart("critic/rewards/mean", "reward", [SERIES])
SAMPLE = Sample("sum", "Add them.", "print(3)", "AC", {"tokens": "4"})


def read_data(page: str, name: str) -> Any:
    return json.loads(page.partition(f'id="{name}">')[2].partition("</script>")[0])


def test_the_page_holds_its_curves_and_the_samples_of_each_step() -> None:
    page = render_curves("Runs", "A note.", [CHART], {"a": {1: [SAMPLE], 2: []}})
    assert read_data(page, "curves")[0]["series"][0]["values"] == [0.1, 0.2]
    assert read_data(page, "answers")["a"]["1"][0]["answer"] == "print(3)"


def test_the_page_loads_nothing() -> None:
    page = render_curves("Runs", "", [CHART], {"a": {1: [SAMPLE]}})
    names = {name for name, _ in parse_page(page).tags}
    assert not {"link", "img", "iframe"} & names
    assert "default-src" in page
    assert "http" not in page.replace("http://www.w3.org/2000/svg", "").replace("http-equiv", "")


def test_hostile_answers_stay_data() -> None:
    sample = Sample(WORST, WORST, WORST, WORST, {WORST: WORST})
    plain = parse_page(render_curves("Runs", "", [CHART], {"a": {1: [SAMPLE]}}))
    worst = parse_page(render_curves("Runs", "", [CHART], {"a": {1: [sample]}}))
    assert worst.names() == plain.names()
    assert len(worst.tags) == len(plain.tags)


def test_long_answers_are_cut_and_say_so() -> None:
    sample = Sample("p", "", "x" * 10_000, "WA", {})
    page = render_curves("Runs", "", [CHART], {"a": {1: [sample]}})
    assert read_data(page, "answers")["a"]["1"][0]["answer"].endswith("… (6000 more)")


def test_of_too_many_samples_every_nth_step_is_shown() -> None:
    samples = {"a": {step: [SAMPLE] for step in range(100)}}
    whole = len(read_data(render_curves("Runs", "", [], samples), "answers")["a"])
    steps = curves.thin_out(samples, max_bytes=4000)["a"]
    assert whole == 100
    assert 10 < len(steps) < 50
    assert len({b - a for a, b in zip(list(steps), list(steps)[1:], strict=False)}) == 1
