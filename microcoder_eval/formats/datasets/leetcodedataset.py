"""LeetCodeDataset: HumanEval's keys, and a description and starter code.

Releases before 0.3 hold the description as "question_title" and the starter code as "lang_code" in
"meta". Source: the data card of newfacade/LeetCodeDataset. ``humaneval`` reads its samples
(task_id, completion), which continue the "prompt": imports and the classes of nodes.
"""

from __future__ import annotations

from collections.abc import Mapping

from . import row_fields
from .format import Format, Row, choose_problem_id, get_optional_text, list_words

_USED = {"task_id", "test", "entry_point", "problem_description", "starter_code", "difficulty",
         "estimated_date", "completion"}  # fmt: skip


_OLDER_KEYS = {"question_title": "problem_description", "lang_code": "starter_code"}  # of "meta"


def _holds_problem(row: Row) -> bool:
    is_described = "problem_description" in row or "question_title" in _read_meta(row)
    return "entry_point" in row and "test" in row and is_described


def _read_meta(row: Row) -> Mapping[str, object]:
    meta = row.get("meta")
    return meta if isinstance(meta, Mapping) else {}


def _modernize_row(row: Row) -> Row:
    """Return the row with the keys of "meta" at its top, under their newer names."""
    meta = {_OLDER_KEYS.get(key, key): value for key, value in _read_meta(row).items()}
    return {**meta, **{key: value for key, value in row.items() if key != "meta"}}


def _complete_program(row: Row) -> object:
    """Return the reference: it uses names that the prompt imports or defines."""
    prompt, completion = row.get("prompt"), row.get("completion")
    if isinstance(prompt, str) and isinstance(completion, str):
        return f"{prompt.rstrip()}\n\n\n{completion}"
    return completion


def _read_fields(row: Row) -> Row:
    row = _modernize_row(row)
    test, entry = row_fields.read_text(row, "test"), row_fields.read_text(row, "entry_point")
    return {
        "problem_id": choose_problem_id(row, ("task_id", "question_id"), "leetcode", test),
        "kind": "assert",
        "test_style": "check",
        "entry_point": entry,
        "test_code": f"{test}\n\ncheck({entry})\n",
        "statement": row.get("problem_description"),
        "starter_code": get_optional_text(row.get("starter_code")),
        "platform": "leetcode",
        "difficulty": row.get("difficulty"),
        "date": get_optional_text(row.get("estimated_date")),
        "solutions": row_fields.read_programs([_complete_program(row)]),
        "meta": row_fields.collect_unused(row, _USED),
    }


FORMAT = Format(
    name="leetcodedataset",
    names=("task_id",),
    holds_problem=_holds_problem,
    read_fields=_read_fields,
    uses=frozenset(_USED),
    judges=list_words("test"),
    repeats=list_words("input_output"),
)
