"""The right and wrong programs that ``audit`` and ``calibrate`` run."""

from __future__ import annotations

from typing import Any

from microcoder_eval.audit import Programs
from microcoder_eval.cli.bad_lines import BadLines
from microcoder_eval.formats import ProblemSet, read_solutions


def read_programs(
    path: str | None, problems: ProblemSet, bad_lines: BadLines, **options: Any
) -> Programs:
    """Return the programs of a file (None: only those of the problems); lines that cannot be used,
    of both files, go to ``bad_lines``. options: as of ``read_solutions``."""
    programs = Programs()
    for line in problems.bad:
        bad_lines.add(line)
    if path is not None:
        for line in programs.read(read_solutions(path, problems, **options), path):
            bad_lines.add(line)
    return programs
