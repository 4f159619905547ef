"""What can go wrong in training, named after who can mend it.

    MicrocoderError
    └── TrainError          the run cannot start or go on; the message says what to change
        ├── ConfigError     a setting is unknown, impossible or does not fit another
        ├── ResumeError     a checkpoint belongs to another run, or none can be read
        ├── NoSignalError   nothing can be learned from what is sampled
        ├── SyncError       the engine samples from other weights than the trainer's
        ├── EngineError     nothing is left that samples, or what it answers cannot be used
        └── LostProcessError  another process of the run ended or hangs

A judge's failure is never an exception here: it is a sample without a reward.
"""

from __future__ import annotations

from microcoder_eval.errors import MicrocoderError


class TrainError(MicrocoderError):
    """The run cannot start or go on."""


class ConfigError(TrainError, ValueError):
    """A setting is unknown, impossible or does not fit another one."""


class ResumeError(TrainError):
    """A checkpoint is unreadable or belongs to other settings or data."""


class NoSignalError(TrainError):
    """Every group's rewards are equal for many steps: there is nothing to learn from."""


class SyncError(TrainError):
    """The engine's log-probabilities are not the trainer's: its weights are stale or half new."""


class EngineError(TrainError):
    """No server is left to sample with, or one answers what cannot be used."""


class LostProcessError(TrainError):
    """Another of the processes that train together ended or hangs."""
