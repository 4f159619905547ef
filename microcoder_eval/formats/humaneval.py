"""HumanEval and HumanEval+ problems, and samples in the form of HumanEval and EvalPlus.

Source: openai/human-eval (README: task_id, prompt, entry_point, test, canonical_solution; samples
task_id, completion) and evalplus/evalplus (samples with ``solution``, a whole program).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from microcoder_eval.errors import DataError
from microcoder_eval.formats import words
from microcoder_eval.records import Problem

_PROBLEM_KEYS = ("task_id", "prompt", "entry_point", "test")


def holds_problem(row: Mapping[str, Any]) -> bool:
    """Whether the row has the keys of a problem."""
    return all(key in row for key in _PROBLEM_KEYS)


def holds_solution(row: Mapping[str, Any]) -> bool:
    """Whether the row has the keys of a sample."""
    return "task_id" in row and ("completion" in row or "solution" in row)


def problem(row: Mapping[str, Any]) -> Mapping[str, Any]:
    """The row in our own format. Raises DataError."""
    for key in _PROBLEM_KEYS:
        if not isinstance(row.get(key), str):
            raise DataError(
                f'a HumanEval problem needs text in "{key}", not {words.described(row.get(key))} '
                f"({words.keys_of(row)})"
            )
    rest = {key: value for key, value in row.items() if key not in _PROBLEM_KEYS}
    return {
        "problem_id": row["task_id"],
        "kind": "assert",
        "test_style": "check",
        "entry_point": row["entry_point"],
        "test_code": f"{row['test']}\n\ncheck({row['entry_point']})\n",
        "statement": row["prompt"],
        "meta": rest,  # canonical_solution among it
    }


def solutions(
    row: Mapping[str, Any], find: Callable[[str], Problem] | None
) -> list[Mapping[str, Any]]:
    """The one solution of a sample. A completion needs its problem, whose prompt it continues."""
    name = row.get("task_id")
    if not isinstance(name, str) or not name:
        raise DataError(
            f'"task_id" must name the problem, not {words.described(name)} ({words.keys_of(row)})'
        )
    used = {"task_id", "solution"}
    whole = row.get("solution")
    if whole is None:
        completion = row.get("completion")
        if not isinstance(completion, str):
            raise DataError(
                'a sample needs text in "completion" (to follow the prompt) or "solution" '
                f"(a whole program) ({words.keys_of(row)})"
            )
        whole = _prompt(name, find) + completion
        used.add("completion")
    rest = {key: value for key, value in row.items() if key not in used}
    return [{**rest, "problem_id": name, "code": whole}]


def _prompt(name: str, find: Callable[[str], Problem] | None) -> str:
    if find is None:
        raise DataError(
            '"completion" continues the problem\'s prompt, so the problems must be given too; '
            'or give the whole program as "solution"'
        )
    statement = find(name).statement
    if statement is None:
        raise DataError(
            f'problem "{words.brief(name, 80)}" has no "statement", and "completion" continues it; '
            'give the whole program as "solution"'
        )
    return statement
