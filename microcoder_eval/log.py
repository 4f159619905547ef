"""Where the library says what happens: loggers below "microcoder", silent until configured."""

from __future__ import annotations

import logging

_root = logging.getLogger("microcoder")
_root.addHandler(logging.NullHandler())


def logger(name: str) -> logging.Logger:
    """That of one part of the judge, ``microcoder.NAME``."""
    return _root.getChild(name)
