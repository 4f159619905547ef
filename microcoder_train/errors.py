"""Errors of training. Each message says what the user can change.

A failure of the judge on one sample raises nothing here: that sample has no reward.
"""

from __future__ import annotations

import importlib
from typing import Any

from microcoder_eval.errors import MicrocoderError


class TrainError(MicrocoderError):
    """The run cannot start or continue."""


class ConfigError(TrainError, ValueError):
    """A setting is unknown, impossible or contradicts another one."""


class ResumeError(TrainError):
    """A checkpoint is unreadable, or its settings or data differ from the run's."""


class NoSignalError(TrainError):
    """In every group of many steps, all rewards were equal, so there is nothing to learn from."""


class SyncError(TrainError):
    """The engine's log-probabilities differ from the trainer's: its weights are outdated."""


class EngineError(TrainError):
    """No server is left to sample with, or a server's reply cannot be used."""


class LostProcessError(TrainError):
    """Another process of this run ended or hangs."""


def import_extra(module: str, extra: str, setting: str) -> Any:
    """Import a module of an optional package. Raises ConfigError, which names its extra."""
    try:
        return importlib.import_module(module)
    except ImportError as error:
        raise ConfigError(
            f"{setting} needs {module}: pip install '.[{extra}]' in the checkout"
        ) from error
