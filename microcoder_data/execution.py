"""Runs one stage from its inputs to its files; resumes a run that was killed.

    sources -> RawRecord -> handle_record over cores -> ResultLog (OUT.part) -> finalize ->
    OUT, dropped, timings, manifest, renamed into place

The output bytes are the same however often a run was killed, and for any number of workers.
"""

from __future__ import annotations

import errno
import json
import sys
import time
import traceback
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

from microcoder_eval.console.progress import ProgressCounter
from microcoder_eval.errors import (
    ComparerError,
    DataError,
    JudgeError,
    MicrocoderError,
    UnjudgeableError,
)
from microcoder_eval.formats.packages import PackageError
from microcoder_eval.results.files import OutputError
from microcoder_eval.results.journal import LineExtents
from microcoder_eval.signals import interrupt_on_signals
from microcoder_eval.version import __version__

from . import source_files
from .endpoint import EndpointError
from .manifest import Files, Manifest, describe_run, read_finished_manifest, write_outputs
from .parallel import map_in_processes, map_in_threads
from .result_log import ResultLog, encode_result
from .row_reader import identify_record
from .rows import hash_bytes
from .stage import Drop, KeptProblem, RawRecord, Stage, StageResult

# Errors of the machine, which every other problem would meet too.
_MACHINE_FAILURES = (errno.ENOSPC, errno.EDQUOT, errno.EMFILE, errno.ENFILE, errno.EIO, errno.EROFS)
_MAX_ERROR_CHARACTERS = 400
_REASON_OF_ERROR: Mapping[type[MicrocoderError], str] = {
    UnjudgeableError: "unjudgeable",
    EndpointError: "endpoint_failed",
    JudgeError: "judge_failed",
}


@dataclass(frozen=True, slots=True)
class RunConfig:
    """Inputs, outputs and options of one run of a stage."""

    inputs: Sequence[str]
    out: str
    resume: bool = False
    force: bool = False
    workers: int = 1
    seed: int = 0
    max_line_mb: float = 1024.0


def run_stage(stage: Stage, config: RunConfig) -> Manifest:
    """Run a stage; returns the manifest.

    Raises MicrocoderError, and KeyboardInterrupt; finished results stay in the log.
    """
    files = Files.from_output(config.out)
    sources = source_files.find_sources(config.inputs)
    files.refuse_misuse([str(source.path) for source in sources])
    key = {
        "stage": stage.name,
        "input": hash_bytes(json.dumps([source.sha256 for source in sources]).encode()),
        "recipe": hash_bytes(json.dumps(stage.describe_settings(), sort_keys=True).encode()),
        "seed": str(config.seed),
        "version": __version__,
    }
    resume = config.resume and not config.force
    if resume and (finished_manifest := read_finished_manifest(files, key)) is not None:
        files.paths.journal.unlink(missing_ok=True)  # killed before the log was removed
        return finished_manifest
    log = ResultLog.open(files.paths, resume=resume, force=config.force)
    try:
        if resume and not log.holds_results and files.paths.results.exists():
            raise OutputError(
                f"--resume refused: {files.paths.results} is of another input, recipe or version; "
                "--force starts over"
            )
        with interrupt_on_signals():
            locations = log.open_index(key)
            try:
                _handle_missing(stage, sources, config, log, locations)
            except MicrocoderError:
                if not any(locations):  # nothing to resume
                    files.paths.journal.unlink(missing_ok=True)
                raise
            decisions = stage.finalize(_iterate_kept(log, locations))
            manifest = describe_run(stage, sources, config.seed, key)
            write_outputs(files, log, locations, decisions, manifest, stage)
            return manifest
    finally:
        log.close()


def _handle_missing(
    stage: Stage,
    sources: Sequence[source_files.Source],
    config: RunConfig,
    log: ResultLog,
    locations: LineExtents,
) -> None:
    """Log a result for every problem that has none."""
    jobs = (
        (position, record)
        for position, record in enumerate(source_files.read_records(sources, config.max_line_mb))
        if position not in locations
    )
    stage.open(config.workers)
    handle = partial(_handle_record, stage)
    if threads := stage.count_threads(config.workers):
        results = map_in_threads(handle, jobs, threads)
    else:
        results = map_in_processes(handle, jobs, config.workers)
    is_complete = False
    try:
        total = source_files.count_records(sources, config.max_line_mb)
        finished_count = sum(position in locations for position in range(total))
        with ProgressCounter(f"problems: {stage.name}", total, finished_count) as progress:
            for position, line in results:
                locations.record(position, log.append_line(line))
                progress.advance()
        is_complete = True
    finally:
        stage.close(cancel=not is_complete)


def _handle_record(stage: Stage, position: int, record: RawRecord) -> tuple[int, bytes]:
    """Return the position and the encoded result. A record that cannot be read is dropped. A record
    on which a step of the stage crashes is set aside, and the run goes on."""
    start = time.perf_counter()
    try:
        result = stage.handle_record(record)
    except (Exception, SystemExit) as error:  # a filter of the user's may exit
        if (drop := _make_drop(error, record)) is None:
            raise
        result = StageResult(identify_record(record), drop)
    timing = {"seconds": round(time.perf_counter() - start, 6), **(result.timing or {})}
    return position, encode_result(position, replace(result, timing=timing))


def _make_drop(error: BaseException, record: RawRecord) -> Drop | None:
    """Return why a problem is dropped, pending, or set aside; None for an error that every other
    problem would meet, too."""
    if isinstance(error, PackageError):
        return Drop(error.reason, error.message)
    if isinstance(error, DataError | ComparerError | RecursionError):
        detail = "nested too deeply" if isinstance(error, RecursionError) else str(error)
        evidence = {"input": record.source_index, "line": record.line} if record.line else {}
        return Drop("unreadable", detail, evidence)
    for kind, reason in _REASON_OF_ERROR.items():
        if isinstance(error, kind):
            return Drop(reason, str(error)[:_MAX_ERROR_CHARACTERS])
    is_of_machine = isinstance(error, OSError) and error.errno in _MACHINE_FAILURES
    return None if is_of_machine or isinstance(error, MicrocoderError) else _describe_crash(error)


def _describe_crash(error: BaseException) -> Drop:
    """Return the drop for a mistake in our code, a library's or a filter's of the user, with the
    innermost function of this project or of the filter."""
    frames = [
        frame
        for frame in traceback.extract_tb(error.__traceback__)
        if "microcoder_" in frame.filename
        or not frame.filename.startswith((sys.prefix, sys.base_prefix, "<"))
    ]
    name = frames[-1].filename
    step = f"{name[max(name.rfind('microcoder_'), 0) :]}:{frames[-1].name}"
    exception = f"{type(error).__name__}: {error}"[:_MAX_ERROR_CHARACTERS]
    return Drop("step_failed", f"{step}: {exception}", {"step": step, "exception": exception})


def _iterate_kept(log: ResultLog, locations: LineExtents) -> Iterator[KeptProblem]:
    for position, location in enumerate(locations):
        result = log.read_result(location)
        if result.drop is None:
            yield KeptProblem(position, result.problem_id, result.features)
