"""Guesses from its first row what a file holds, to tell users of swapped arguments."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Literal

from microcoder_eval.errors import DataError
from microcoder_eval.formats import jsontext
from microcoder_eval.formats.datasets import registry
from microcoder_eval.formats.source import open_source

Contents = Literal["problems", "solutions", "results"]
_MAX_BYTES = 64 << 20


def detect_contents(path: str) -> Contents | None:
    """Return what a regular file seems to hold; None for no such file, and for all else."""
    if not os.path.isfile(path):
        return None
    try:
        with open_source(path) as source:
            row = next(iter(source.read_rows(_MAX_BYTES)), None)
        value = None if row is None or row.fault else jsontext.parse(row.raw)
    except DataError:
        return None
    if not isinstance(value, Mapping):
        return None
    if {"verdict", "passed", "tests_sha256"} <= value.keys():
        return "results"
    if any(row_format.holds_problem(value) for row_format in registry.FORMATS):
        return "problems"
    if any(row_format.holds_solution(value) for row_format in registry.FORMATS):
        return "solutions"
    return None
