"""LeetCodeDataset: HumanEval's keys, and a description and starter code.

Source: the data card of newfacade/LeetCodeDataset. Before version 0.3 the description, starter code
and difficulty are in "meta". ``humaneval`` reads its samples (task_id, completion), which continue
the "prompt": imports and the classes of nodes.
"""

from __future__ import annotations

from . import row_fields
from .format import Format, Row

_USED = {"task_id", "test", "entry_point", "problem_description", "starter_code", "difficulty",
         "estimated_date", "completion"}  # fmt: skip


_USED_IN_META = {"question_title", "lang_code", "difficulty"}


def _holds_problem(row: Row) -> bool:
    has_description = "problem_description" in row or "question_title" in _get_meta(row)
    return "entry_point" in row and "test" in row and has_description


def _get_meta(row: Row) -> Row:
    meta = row.get("meta")
    return meta if isinstance(meta, dict) else {}


def _move_meta(row: Row) -> Row:
    """The row with the keys of version 0.3."""
    meta = _get_meta(row)
    if "problem_description" in row or "question_title" not in meta:
        return row
    return {
        **{key: value for key, value in meta.items() if key not in _USED_IN_META},
        **{key: value for key, value in row.items() if key != "meta"},
        "problem_description": meta["question_title"],
        "starter_code": meta.get("lang_code"),
        "difficulty": meta.get("difficulty"),
    }


def _rewrite_problem(row: Row) -> Row:
    row = _move_meta(row)
    test, entry = row_fields.read_text(row, "test"), row_fields.read_text(row, "entry_point")
    return {
        "problem_id": row_fields.choose_problem_id(
            row, ("task_id", "question_id"), "leetcode", test
        ),
        "kind": "assert",
        "test_style": "check",
        "entry_point": entry,
        "test_code": f"{test}\n\ncheck({entry})\n",
        "statement": row.get("problem_description"),
        "starter_code": row_fields.get_optional_text(row.get("starter_code")),
        "platform": "leetcode",
        "difficulty": row.get("difficulty"),
        "date": row_fields.get_optional_text(row.get("estimated_date")),
        "solutions": row_fields.read_programs([row.get("completion")]),
        "meta": row_fields.collect_unused(row, _USED),
    }


FORMAT = Format(
    name="leetcodedataset",
    id_key="task_id",
    holds_problem=_holds_problem,
    rewrite_problem=_rewrite_problem,
)
