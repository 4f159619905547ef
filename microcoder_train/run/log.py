"""Where a run's figures and samples go: metrics.jsonl always, other services behind one sink.

OUT/metrics.jsonl    one object a step        OUT/problems.jsonl   pass rates by problem
OUT/samples/         what was asked, answered, judged, and the advantage it got
"""

from __future__ import annotations

import importlib
import json
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from microcoder_train.config import Config
from microcoder_train.credit import Credit
from microcoder_train.data import Prompt
from microcoder_train.errors import ConfigError, TrainError
from microcoder_train.samples import Graded

METRICS, PROBLEMS, SAMPLES = "metrics.jsonl", "problems.jsonl", "samples"


@dataclass(frozen=True, slots=True)
class Sink:
    """A service that draws curves. log: one step's figures. close: no more will come."""

    log: Callable[[int, Mapping[str, float]], None]
    close: Callable[[], None]


def open_sinks(config: Config, out: Path) -> list[Sink]:
    """The services asked for. Raises ConfigError naming the extra that is not installed."""
    return [
        _tensorboard(out) if name == "tensorboard" else _tracker(name, out, config)
        for name in config.log.sinks
    ]


def _tensorboard(out: Path) -> Sink:
    module = _imported("torch.utils.tensorboard", "tensorboard")
    writer = module.SummaryWriter(str(out / "tensorboard"))

    def log(step: int, metrics: Mapping[str, float]) -> None:
        for name, value in metrics.items():
            writer.add_scalar(name, value, step)

    return Sink(log, writer.close)


def _tracker(name: str, out: Path, config: Config) -> Sink:
    """Weights & Biases, or trackio, which has the same functions."""
    module = _imported(name, name)
    module.init(project=config.log.project, name=out.name, config=config.model_dump())
    return Sink(lambda step, metrics: module.log(dict(metrics), step=step), module.finish)


def append(file: Path, line: Mapping[str, Any]) -> None:
    """One object more, NaN as null. Raises TrainError when the disk is full."""
    plain = {k: None if isinstance(v, float) and math.isnan(v) else v for k, v in line.items()}
    try:
        with file.open("a", encoding="utf-8") as out:
            out.write(json.dumps(plain) + "\n")
    except OSError as error:
        raise TrainError(f"{file} cannot be written: {error.strerror}") from error


def read_lines(file: Path) -> Iterator[dict[str, Any]]:
    """Its objects, but for a line that was being written when the run was killed."""
    for text in file.read_text(encoding="utf-8").splitlines():
        try:
            yield json.loads(text)
        except ValueError:
            return


def read_metrics(out: Path) -> list[dict[str, Any]]:
    """The lines of a run's metrics.jsonl, null as NaN."""
    return [
        {name: math.nan if value is None else value for name, value in line.items()}
        for line in read_lines(out / METRICS)
    ]


def write_table(
    file: Path, prompts: Sequence[Prompt], groups: Sequence[Sequence[Graded]], credit: Credit
) -> None:
    """The prompts' groups for reading: answer, verdict, what accepted it, advantage, masked."""
    with file.open("w", encoding="utf-8") as out:
        advantages, masked = credit.advantages_PG.tolist(), credit.masked_PG.tolist()
        rows = zip(prompts, groups, advantages, masked, strict=False)  # some prompts of many
        for prompt, group, scales, hidden in rows:
            for graded, advantage, mask in zip(group, scales, hidden, strict=True):
                judgement = graded.judgement
                tests = [test for test in judgement.tests if test is not None]
                line = {
                    "problem_id": judgement.problem_id,
                    "prompt": prompt.text,
                    "answer": graded.text,
                    "verdict": str(judgement.verdict),
                    "status": str(judgement.status),
                    "matched_by": tests[-1].matched_by if tests else None,
                    "flags": list(judgement.flags),
                    "tokens": len(graded.sample.ids),
                    "advantage": round(advantage, 4),
                    "masked": mask,
                }
                out.write(json.dumps(line) + "\n")


def _imported(module: str, extra: str) -> Any:
    try:
        return importlib.import_module(module)
    except ImportError as error:
        raise ConfigError(
            f"log.sinks names {extra}, which is not installed: pip install 'microcoder[{extra}]'"
        ) from error
