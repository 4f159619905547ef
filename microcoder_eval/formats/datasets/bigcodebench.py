"""BigCodeBench: recognised, and refused with the reason.

Source: the data card of bigcode/bigcodebench.
"""

from __future__ import annotations

from microcoder_eval.errors import DataError

from .format import Format, Row, has_keys, list_words

_PROMPTS = ("complete_prompt", "instruct_prompt")


def _refuse(_row: Row) -> Row:
    raise DataError(
        "BigCodeBench is not supported: its tests patch modules inside the candidate's process, so "
        "a candidate could decide its own verdict, and need some seventy packages, files and "
        "processes (docs/formats.md). Leave the set out, or judge it with its own harness"
    )


FORMAT = Format(
    name="bigcodebench",
    names=("task_id",),
    holds_problem=has_keys("test", one_of=_PROMPTS),
    read_fields=_refuse,
    uses=frozenset(_PROMPTS),
    judges=list_words("test"),
)
