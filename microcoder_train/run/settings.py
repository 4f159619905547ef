"""Settings that depend on the folder of the run, and the versions that its results depend on."""

from __future__ import annotations

import json
import platform
from pathlib import Path

import torch
import transformers

from microcoder_eval import __version__
from microcoder_train import parallel
from microcoder_train.config import Config
from microcoder_train.errors import ConfigError

from .tiny import write_tiny


def resolve_tiny(config: Config, out: Path) -> Config:
    """Replace "tiny" by the paths of a generated model and data."""
    data, folder = config.data, out / "tiny"
    if "tiny" not in (config.model.path, data.train, data.eval):
        return config
    if parallel.rank() == 0:
        write_tiny(folder, config.train.seed)
    parallel.barrier()
    files = {name: folder / f"{name}.jsonl" for name in ("train", "eval")}
    paths = {name: str(file) for name, file in files.items() if getattr(data, name) == "tiny"}
    path = str(folder / "model") if config.model.path == "tiny" else config.model.path
    return config.model_copy(
        update={
            "model": config.model.model_copy(update={"path": path}),
            "data": data.model_copy(update=paths),
        }
    )


def resolve_temperature(config: Config, out: Path) -> Config:
    """Replace "probe" by the temperature in OUT/probe.json. Raises ConfigError without one."""
    if config.rollout.temperature != "probe":
        return config
    file = out / "probe.json"
    choice = "or set rollout.temperature to a number (the paper's is 1.2)"
    if not file.exists():
        raise ConfigError(
            f"rollout.temperature=probe, and there is no {file}: run `microcoder-train probe` with "
            "the same settings and --out first (3,072 responses: 64 prompts, 8 each, at six "
            f"temperatures), {choice}"
        )
    try:
        temperature = json.loads(file.read_text())["temperature"]
    except (ValueError, LookupError, TypeError) as error:
        raise ConfigError(f"{file} is no result of probe: run it again, {choice}") from error
    if temperature is None:
        raise ConfigError(f"{file} holds no temperature: read the reason there, {choice}")
    rollout = config.rollout.model_copy(update={"temperature": temperature})
    return config.model_copy(update={"rollout": rollout})


def list_versions() -> dict[str, str]:
    """Return the versions of the packages that a run's results depend on."""
    return {
        "microcoder": __version__, "torch": torch.__version__,
        "transformers": transformers.__version__, "python": platform.python_version(),
    }  # fmt: skip
