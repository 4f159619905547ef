"""The files of a run and the services that also get its metrics.

OUT/metrics.jsonl    one object per step      OUT/problems.jsonl   pass rates by problem
OUT/samples/         prompts, responses, judgements and advantages
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from microcoder_eval.results.files import make_write_error, replace_file
from microcoder_train.config import Config
from microcoder_train.errors import import_extra

METRICS, PROBLEMS, SAMPLES = "metrics.jsonl", "problems.jsonl", "samples"


@dataclass(frozen=True, slots=True)
class Sink:
    """A service that draws curves. log: takes a step and its metrics."""

    log: Callable[[int, Mapping[str, float]], None]
    close: Callable[[], None]


def open_sinks(config: Config, out: Path) -> list[Sink]:
    """Open the services of ``log.sinks``. Raises ConfigError that names a missing extra."""
    return [
        _open_tensorboard(out) if name == "tensorboard" else _open_tracker(name, out, config)
        for name in config.log.sinks
    ]


def _open_tensorboard(out: Path) -> Sink:
    module = import_extra("torch.utils.tensorboard", "tensorboard", "log.sinks")
    writer = module.SummaryWriter(str(out / "tensorboard"))

    def log(step: int, metrics: Mapping[str, float]) -> None:
        for name, value in metrics.items():
            writer.add_scalar(name, value, step)

    return Sink(log, writer.close)


def _open_tracker(name: str, out: Path, config: Config) -> Sink:
    """Open Weights & Biases, or trackio, which has the same functions."""
    module = import_extra(name, name, "log.sinks")
    module.init(project=config.log.project, name=out.name, config=config.model_dump())
    return Sink(lambda step, metrics: module.log(dict(metrics), step=step), module.finish)


def write_lines(file: Path, lines: Iterable[Mapping[str, Any]], *, appends: bool = False) -> None:
    """Write objects to a JSONL file, NaN and infinity as null. appends: after what is there.

    Raises OutputError, for a full disk say.
    """
    try:
        with file.open("a" if appends else "w", encoding="utf-8") as out:
            out.writelines(json.dumps(replace_nan(line)) + "\n" for line in lines)
    except OSError as error:
        raise make_write_error(file, error) from error


def replace_nan(values: Mapping[str, Any]) -> dict[str, Any]:
    """Return the values with None for NaN and infinity, which JSON lacks."""
    return {
        key: None if isinstance(value, float) and not math.isfinite(value) else value
        for key, value in values.items()
    }


def read_lines(file: Path) -> Iterator[dict[str, Any]]:
    """Yield the objects of a JSONL file, if there is one, up to a partially written line."""
    for text in file.read_text(encoding="utf-8").splitlines() if file.exists() else ():
        try:
            yield json.loads(text)
        except ValueError:
            return


def remove_lines_after(file: Path, step: int) -> None:
    """Remove the lines of a JSONL file after a step, atomically."""
    if not file.exists():
        return
    lines = [json.dumps(line) for line in read_lines(file) if line["step"] <= step]
    with replace_file(file) as temporary_path:
        temporary_path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")


def read_metrics(out: Path) -> list[dict[str, Any]]:
    """Return the lines of a run's metrics.jsonl, with NaN for null."""
    return [
        {name: math.nan if value is None else value for name, value in line.items()}
        for line in read_lines(out / METRICS)
    ]


def read_lengths(out: Path) -> dict[str, float]:
    """Return, for each problem of a run, the length of the longest answer when it was last
    sampled."""
    lengths: dict[str, float] = {}
    for line in read_lines(out / PROBLEMS):
        lengths |= line.get("longest", {})
    return lengths


def select_curve(lines: Sequence[Mapping[str, Any]], name: str) -> dict[int, float]:
    """Return a metric by step, without steps where it is missing or NaN."""
    return {line["step"]: line[name] for line in lines if not math.isnan(line.get(name, math.nan))}
