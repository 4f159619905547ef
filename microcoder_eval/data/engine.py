"""Runs one stage from its inputs to its files, and goes on where a killed run stopped.

    sources -> Given -> work over cores -> pages (OUT.part) -> settle -> OUT, dropped, timings,
    manifest, renamed into place

What a run leaves is the same bytes however often it was killed, and for any number of workers.
"""

from __future__ import annotations

import json
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from microcoder_eval.cli.counting import Counting
from microcoder_eval.ending import ending_cleanly
from microcoder_eval.errors import ComparerError, DataError, MicrocoderError
from microcoder_eval.journal_index import Places
from microcoder_eval.outputs import OutputError
from microcoder_eval.version import __version__

from . import inputs
from .manifest import Files, Manifest, finished_before, write_all
from .pages import Pages, page_line
from .parallel import mapped
from .rows import digest
from .stage import Drop, Given, Kept, Page, Stage


@dataclass(frozen=True, slots=True)
class Order:
    """What to run a stage on, and how. seed: part of what decides the output."""

    inputs: Sequence[str]
    out: str
    manifest: str | None = None
    resume: bool = False
    force: bool = False
    workers: int = 1
    seed: int = 0
    max_line_mb: float = 1024.0


def run_stage(stage: Stage, order: Order) -> dict[str, Any]:
    """Do it all; the manifest. Raises MicrocoderError, and KeyboardInterrupt with pages kept."""
    files = Files.of(order.out, order.manifest)
    sources = inputs.sources_of(order.inputs)
    files.refuse_misuse([str(source.path) for source in sources])
    key = {
        "stage": stage.name,
        "input": digest(json.dumps([source.sha256 for source in sources]).encode()),
        "recipe": digest(json.dumps(stage.settings(), sort_keys=True).encode()),
        "seed": str(order.seed),
        "version": __version__,
    }
    resume = order.resume and not order.force
    if resume and (done := finished_before(files, key)) is not None:
        files.paths.journal.unlink(missing_ok=True)  # killed between its last two acts
        return done
    pages = Pages.open(files.paths, resume=resume, force=order.force)
    assert isinstance(pages, Pages)
    try:
        if resume and not pages.holds_results and files.paths.results.exists():
            raise OutputError(
                f"--resume refused: {files.paths.results} is of another input, recipe or version; "
                "--force starts anew"
            )
        with ending_cleanly():
            places = pages.begin(key)
            try:
                _work(stage, sources, order, pages, places)
            except MicrocoderError:
                if not any(places):  # nothing that --resume could go on from
                    files.paths.journal.unlink(missing_ok=True)
                raise
            settled = stage.settle(_kept(pages, places))
            manifest = Manifest.of(stage, sources, order.seed, key)
            return write_all(files, pages, places, settled, manifest, stage)
    finally:
        pages.close()


def _work(
    stage: Stage, sources: Sequence[inputs.Source], order: Order, pages: Pages, places: Places
) -> None:
    """A page for every problem that has none."""
    missing = (
        (position, given)
        for position, given in enumerate(inputs.given(sources, order.max_line_mb))
        if position not in places
    )
    stage.open(order.workers)
    done = False
    try:
        with Counting(f"problems: {stage.name}", None) as progress:
            for position, line in mapped(
                partial(_page, stage), missing, order.workers, stage.engine
            ):
                places.put(position, pages.append_page(line))
                progress.advance()
        done = True
    finally:
        stage.close(cancel=not done)


def _page(stage: Stage, job: tuple[int, Given]) -> tuple[int, bytes]:
    position, given = job
    started = time.perf_counter()
    try:
        if given.fault is not None:
            raise DataError(given.fault)
        page = stage.work(given)
    except (DataError, ComparerError, RecursionError) as error:
        said = "nested too deeply" if isinstance(error, RecursionError) else str(error)
        place = {"input": given.source, "line": given.line} if given.line else {}
        page = Page(None, Drop("unreadable", said, place))
    timing = {"seconds": round(time.perf_counter() - started, 6), **(page.timing or {})}
    return position, page_line(position, replace(page, timing=timing))


def _kept(pages: Pages, places: Places) -> Iterator[Kept]:
    for position, place in enumerate(places):  # every position has a page by now
        page = pages.page(place)
        if page.get("drop") is None:
            yield Kept(position, page["problem_id"], page.get("features"))
