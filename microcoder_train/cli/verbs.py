"""Runs a verb of ``microcoder-train``, after a look at its settings and data."""

from __future__ import annotations

import errno
import logging
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from microcoder_eval.errors import MicrocoderError
from microcoder_train.errors import ConfigError, TrainError

from .parser import PROG

if TYPE_CHECKING:
    from microcoder_train.config import Data

_EXTRA_PACKAGES = ("torch", "transformers", "tokenizers")


def run(args: Any) -> int:
    """Run a verb; returns the exit code. Raises TrainError, ConfigError, JudgeError."""
    with _translate_errors():
        return _run(args)


def _run(args: Any) -> int:
    verb = args.verb
    if verb == "plot":
        from .plot import plot

        print(plot([*map(Path, args.runs)], Path(args.out) if args.out else None))
        return 0
    if verb == "doctor":
        from .doctor import diagnose

        return diagnose()
    from microcoder_train.config_layers import load_settings

    files = [text for text in args.overrides if "=" not in text and text.endswith(".toml")]
    if len(files) > 1:
        raise ConfigError(f"two files of settings: {files[0]} and {files[1]}; one may be given")
    overrides = [text for text in args.overrides if text not in files]
    settings = load_settings(files[0] if files else None, args.preset, overrides)
    if args.show_config:
        print(settings.to_toml(), end="")
        return 0
    if verb == "run" and args.dry_run:
        from .dry_run import plan_run

        if settings.config.data.train:
            _check_data(verb, settings.config.data)
        print(plan_run(settings.config, args.gpus))
        return 0
    if verb != "run" and int(os.environ.get("WORLD_SIZE", "1")) > 1:
        raise ConfigError(f"{verb} is for one process: start it without torchrun")
    _check_data(verb, settings.config.data)
    print(f"{PROG}: loading the model", file=sys.stderr, flush=True)
    from transformers.utils import logging as transformers_logging

    transformers_logging.disable_progress_bar()
    transformers_logging.set_verbosity_error()
    # A model that is neither here nor at the hub is tried ten times.
    logging.getLogger("huggingface_hub").setLevel("ERROR")
    if verb == "probe":
        from .probe import probe

        return probe(settings, Path(args.out))
    from .commands import evaluate_model, train

    if verb == "eval":
        return evaluate_model(settings, args.samples, as_json=args.json)
    return train(settings, Path(args.out), args.resume)


@contextmanager
def _translate_errors() -> Iterator[None]:
    """Raise TrainError for a missing package and for file errors, which the user can resolve."""
    try:
        yield
    except ModuleNotFoundError as error:
        if error.name not in _EXTRA_PACKAGES:
            raise
        raise TrainError(
            f"{error.name} is not installed: pip install '.[train]' in the checkout"
        ) from error
    except MicrocoderError:
        raise
    except Exception as error:  # safetensors has a type of its own for a full disk
        if isinstance(error, OSError) and error.filename is not None:
            raise TrainError(f"{error.filename}: {error.strerror}") from error
        for reason in map(os.strerror, (errno.ENOSPC, errno.EDQUOT)):
            if reason in str(error):
                place = "where it writes, or in the folder for temporary files"
                raise TrainError(f"{reason} {place}") from error
        raise


def _check_data(verb: str, data: Data) -> None:
    """Raise ConfigError for a missing file of problems before any model is loaded."""
    from microcoder_data.source_files import is_dataset_name

    names = {"run": ("train", "eval"), "probe": ("train",), "eval": ("eval",)}[verb]
    for name in names:
        path = getattr(data, name)
        if not path and name == names[0]:
            raise ConfigError(f"data.{name} is not set: give a file of problems, data.{name}=FILE")
        # tiny: generated
        if not (path in ("", "tiny") or Path(path).exists() or is_dataset_name(path)):
            raise ConfigError(f"data.{name}: {path}: no such file")
