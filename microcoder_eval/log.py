"""The library's loggers, below "microcoder", which are silent until configured; warnings."""

from __future__ import annotations

import logging
import sys
import warnings

_OUR_MODULES = ("microcoder_eval", "contextlib")
_root_logger = logging.getLogger("microcoder")
_root_logger.addHandler(logging.NullHandler())


def get_logger(name: str) -> logging.Logger:
    """Return the logger ``microcoder.NAME``, of one part of the judge."""
    return _root_logger.getChild(name)


def warn_caller(text: str) -> None:
    """Warn, with the line of the caller's own code, whatever of this package it has called."""
    level, frame = 1, sys._getframe()
    while frame.f_back is not None and frame.f_globals["__name__"].startswith(_OUR_MODULES):
        level, frame = level + 1, frame.f_back
    warnings.warn(text, stacklevel=level)
