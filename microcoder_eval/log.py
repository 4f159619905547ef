"""The library's loggers, below "microcoder". They are silent until configured."""

from __future__ import annotations

import logging

_root_logger = logging.getLogger("microcoder")
_root_logger.addHandler(logging.NullHandler())


def get_logger(name: str) -> logging.Logger:
    """Return the logger ``microcoder.NAME``, of one part of the judge."""
    return _root_logger.getChild(name)
