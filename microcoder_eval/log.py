"""The library's loggers, below "microcoder", which are silent until configured; warnings."""

from __future__ import annotations

import logging
import sys
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager

_OUR_MODULES = ("microcoder_", "contextlib")
_root_logger = logging.getLogger("microcoder")
_root_logger.addHandler(logging.NullHandler())
_print_warning: Callable[[str], None] | None = None


def get_logger(name: str) -> logging.Logger:
    """Return the logger ``microcoder.NAME``, of one part of the judge."""
    return _root_logger.getChild(name)


def warn_caller(text: str) -> None:
    """Warn, with the line of the caller's own code, whatever of this package it has called."""
    if _print_warning is not None:
        _print_warning(text)
        return
    level, frame = 1, sys._getframe()
    while frame.f_back is not None and frame.f_globals["__name__"].startswith(_OUR_MODULES):
        level, frame = level + 1, frame.f_back
    warnings.warn(text, stacklevel=level)


@contextmanager
def print_warnings(print_warning: Callable[[str], None]) -> Iterator[None]:
    """Print the warnings of the block: who runs a command has no line of code to be shown."""
    global _print_warning
    _print_warning = print_warning
    try:
        yield
    finally:
        _print_warning = None
