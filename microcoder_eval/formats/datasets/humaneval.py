"""HumanEval and HumanEval+ problems, and samples in the form of HumanEval and EvalPlus.

Source: openai/human-eval (README: task_id, prompt, entry_point, test, canonical_solution; samples
task_id, completion) and evalplus/evalplus (samples with ``solution``, a whole program). The samples
of MBPP and LeetCodeDataset have the same keys.
"""

from __future__ import annotations

import ast

from microcoder_eval.errors import DataError
from microcoder_eval.extract import syntax_tree
from microcoder_eval.formats import inouts, words
from microcoder_eval.formats.format import Format, Problems, Row
from microcoder_eval.records import Problem

_PROBLEM_KEYS = ("task_id", "prompt", "entry_point", "test")
_MAX_PROMPT_CHARS = 1 << 16


def _holds_problem(row: Row) -> bool:
    told_otherwise = "problem_description" in row or "test_list" in row
    named = "task_id" in row and "prompt" in row and "entry_point" in row
    return named and ("test" in row or "plus_input" in row) and not told_otherwise


def _holds_solution(row: Row) -> bool:
    return "task_id" in row and ("completion" in row or "solution" in row)


def _problem(row: Row) -> Row:
    if "test" not in row and "plus_input" in row:
        raise DataError(
            "EvalPlus's own file has inputs and no expected outputs (its judge runs the reference "
            'to make them); take the published table, which has them in "test"'
        )
    for key in _PROBLEM_KEYS:
        if not isinstance(row.get(key), str):
            raise DataError(
                f'a HumanEval problem needs text in "{key}", not {words.described(row.get(key))} '
                f"({words.keys_of(row)})"
            )
    return {
        "problem_id": row["task_id"],
        "kind": "assert",
        "test_style": "check",
        "entry_point": row["entry_point"],
        "test_code": f"{row['test']}\n\ncheck({row['entry_point']})\n",
        "statement": row["prompt"],
        "meta": inouts.rest(row, set(_PROBLEM_KEYS)),  # canonical_solution among it
    }


def _solutions(row: Row, problems: Problems | None) -> list[Row]:
    """The one solution of a sample. A completion needs its problem, whose prompt it continues."""
    name = _name(row)
    used = {"task_id", "solution"}
    whole = row.get("solution")
    if whole is None:
        completion = row.get("completion")
        if not isinstance(completion, str):
            raise DataError(
                'a sample needs text in "completion" (to follow the prompt) or "solution" '
                f"(a whole program) ({words.keys_of(row)})"
            )
        whole = _prompt(name, problems) + completion
        used.add("completion")
    return [{**inouts.rest(row, used), "problem_id": name, "code": whole}]


def _name(row: Row) -> str:
    name = row.get("task_id")
    if isinstance(name, int) and not isinstance(name, bool) and name.bit_length() < 64:
        return f"Mbpp/{name}"  # of the sets whose samples look like this, MBPP alone has numbers
    if not isinstance(name, str) or not name:
        raise DataError(
            f'"task_id" must name the problem, not {words.described(name)} ({words.keys_of(row)})'
        )
    return name


def _prompt(name: str, problems: Problems | None) -> str:
    """What a completion continues. A problem told in words leaves nothing to continue."""
    if problems is None:
        raise DataError(
            '"completion" continues the problem\'s prompt, so the problems must be given too; '
            'or give the whole program as "solution"'
        )
    problem = problems.get(name)
    prompt = problem.meta.get("prompt")  # LeetCodeDataset's, beside its description
    if isinstance(prompt, str):
        return prompt
    if problem.statement is None:
        raise DataError(
            f'problem "{words.brief(name, 80)}" has no "statement", and "completion" continues it; '
            'give the whole program as "solution"'
        )
    return problem.statement if _is_program(problem) else ""


def _is_program(problem: Problem) -> bool:
    text, entry = problem.statement or "", problem.entry_point or ""
    try:
        tree = syntax_tree(text, _MAX_PROMPT_CHARS)
    except SyntaxError:
        # A prompt may also stop after its signature, where its body must follow.
        return f"def {entry}" in text
    return any(not isinstance(node, ast.Expr) for node in tree.body)


FORMAT = Format(
    name="humaneval",
    id_key="task_id",
    holds_problem=_holds_problem,
    problem=_problem,
    holds_solution=_holds_solution,
    solutions=_solutions,
    integer_names="Mbpp/",
)
