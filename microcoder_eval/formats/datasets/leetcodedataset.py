"""LeetCodeDataset: HumanEval's keys, and a description and starter code.

Source: the data card of newfacade/LeetCodeDataset. ``humaneval`` reads its samples (task_id,
completion), which continue the "prompt": imports and the classes of nodes.
"""

from __future__ import annotations

from . import row_fields
from .format import Format, Row

_USED = {"task_id", "test", "entry_point", "problem_description", "starter_code", "difficulty",
         "estimated_date", "completion"}  # fmt: skip


def _holds_problem(row: Row) -> bool:
    return "entry_point" in row and "test" in row and "problem_description" in row


def _rewrite_problem(row: Row) -> Row:
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
