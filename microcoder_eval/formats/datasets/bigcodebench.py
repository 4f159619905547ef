"""BigCodeBench: recognised, so that the reason can be said, and not read.

Source: the data card of bigcode/bigcodebench.
"""

from __future__ import annotations

from microcoder_eval.errors import DataError
from microcoder_eval.formats.format import Format, Row


def _holds_problem(row: Row) -> bool:
    return "test" in row and ("complete_prompt" in row or "instruct_prompt" in row)


def _problem(_row: Row) -> Row:
    raise DataError(
        "BigCodeBench is not judged: its tests patch modules inside the candidate's process and "
        "need some seventy packages, files and processes; a verdict that the candidate can write "
        "itself is none (docs/formats.md). Leave the set out, or judge it with its own harness"
    )


FORMAT = Format(
    name="bigcodebench",
    id_key="task_id",
    holds_problem=_holds_problem,
    problem=_problem,
)
