"""Reads complete problems from any INPUT: what the judge reads, or a data set by name."""

from __future__ import annotations

import tempfile
from pathlib import Path

from microcoder_eval.formats import open_problems
from microcoder_eval.records import Problem

from . import inputs

_MAX_LINE_MB = 1024.0


def read_problems(path: str) -> tuple[list[Problem], list[str]]:
    """Return the problems in order, and the fault of each line that cannot be used.

    Raises DataError where there is nothing to read.
    """
    with tempfile.TemporaryDirectory() as folder:
        file = Path(path)
        if not file.exists():
            file = Path(folder, "rows.jsonl")
            # One line for each row, so that messages have the row's number.
            with file.open("wb") as lines:
                for record in inputs.read_records(inputs.find_sources([path]), _MAX_LINE_MB):
                    lines.write((record.raw or b"null").strip() + b"\n")
        with open_problems(file) as problems:
            faults = [str(line).replace(str(file), path) for line in problems.bad]
            return [problems.get(name) for name in problems.ids], faults
