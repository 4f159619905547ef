"""LeetCodeDataset: HumanEval's keys, with a description and starter code of its own.

Source: the data card of newfacade/LeetCodeDataset. Its samples (task_id, completion) are read as
HumanEval's are: what they continue is in "prompt", imports and the classes of nodes.
"""

from __future__ import annotations

from microcoder_eval.formats import inouts
from microcoder_eval.formats.format import Format, Row

_USED = {"task_id", "test", "entry_point", "problem_description", "starter_code", "difficulty",
         "estimated_date", "completion"}  # fmt: skip


def _holds_problem(row: Row) -> bool:
    return "entry_point" in row and "test" in row and "problem_description" in row


def _problem(row: Row) -> Row:
    test, entry = inouts.text_in(row, "test"), inouts.text_in(row, "entry_point")
    return {
        "problem_id": inouts.name_of(row, ("task_id", "question_id"), "leetcode", test),
        "kind": "assert",
        "test_style": "check",
        "entry_point": entry,
        "test_code": f"{test}\n\ncheck({entry})\n",
        "statement": row.get("problem_description"),
        "starter_code": inouts.optional_text(row.get("starter_code")),
        "platform": "leetcode",
        "difficulty": row.get("difficulty"),
        "date": inouts.optional_text(row.get("estimated_date")),
        "solutions": inouts.programs([row.get("completion")]),
        "meta": inouts.rest(row, _USED),
    }


FORMAT = Format(
    name="leetcodedataset",
    id_key="task_id",
    holds_problem=_holds_problem,
    problem=_problem,
)
