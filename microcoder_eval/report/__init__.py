"""The report: one HTML file to look at results in, which loads nothing and trusts nothing.

judgements -> Gathering (figures, rows, details on disk) -> page -> the file, whole or not at all
"""

from __future__ import annotations

from .gather import Gathering
from .page import page
from .writing import refuse_misuse, write

__all__ = ["Gathering", "page", "refuse_misuse", "write"]
