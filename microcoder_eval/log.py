"""Where the library says what happens: loggers below "microcoder", silent until configured."""

from __future__ import annotations

import logging

_root_logger = logging.getLogger("microcoder")
_root_logger.addHandler(logging.NullHandler())


def get_logger(name: str) -> logging.Logger:
    """Return that of one part of the judge, ``microcoder.NAME``."""
    return _root_logger.getChild(name)
