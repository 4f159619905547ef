"""Kinds of faults by what is damaged; importing this enters all of them in ``FAULTS``."""

from . import copies, metadata, programs, replaced_fields, statements, test_data
from .kinds import FAULTS, Row

__all__ = [
    "FAULTS", "Row", "copies", "metadata", "programs", "replaced_fields", "statements", "test_data"
]  # fmt: skip
