"""APPS and TACO: tests in "input_output", and TACO's generations.

Source: hendrycks/apps (problem_id, question, solutions, input_output, difficulty, url,
starter_code), FlagOpen/TACO (the same without a number, with time_limit and memory_limit;
generations: the problem's place in the set as task_id, and a list "output").
"""

from __future__ import annotations

from microcoder_eval.errors import DataError
from microcoder_eval.formats import error_text

from . import row_fields, units
from .format import Format, Problems, Row

_USED = {"problem_id", "id", "question", "input_output", "starter_code", "difficulty", "solutions",
         "time_limit", "memory_limit", "date", "source"}  # fmt: skip


def _holds_problem(row: Row) -> bool:
    return "input_output" in row and "question" in row


def _holds_solution(row: Row) -> bool:
    return "task_id" in row and isinstance(row.get("output"), list)


def _rewrite_problem(row: Row) -> Row:
    starter_code = row_fields.get_optional_text(row.get("starter_code"))
    return {
        "problem_id": row_fields.choose_problem_id(
            row, ("problem_id", "id"), "apps", row.get("question")
        ),
        **row_fields.read_inputs_outputs(
            row_fields.read_json(row, "input_output"), starter_code, '"input_output"'
        ),
        "statement": row.get("question"),
        "starter_code": starter_code,
        "difficulty": row.get("difficulty"),
        "platform": row_fields.get_optional_text(row.get("source")),
        "date": row_fields.get_optional_text(row.get("date")),
        "limits": units.read_limits(row.get("time_limit"), row.get("memory_limit")),
        "solutions": row_fields.read_programs(row.get("solutions")),
        "meta": row_fields.collect_unused(row, _USED),
    }


def _rewrite_solutions(row: Row, problems: Problems | None) -> list[Row]:
    responses = row.get("output")
    if not isinstance(responses, list) or not responses:
        raise DataError(
            'generations need a list "output" that is not empty, not '
            f"{error_text.describe_value(responses)} ({error_text.describe_keys(row)})"
        )
    problem_id = _find_problem_id(row.get("task_id"), problems)
    carried = row_fields.collect_unused(row, {"task_id", "output", "prompt"})
    return [{**carried, "problem_id": problem_id, "response": response} for response in responses]


def _find_problem_id(task_id: object, problems: Problems | None) -> str:
    if isinstance(task_id, str) and task_id:
        return task_id
    if not isinstance(task_id, int) or isinstance(task_id, bool) or task_id.bit_length() >= 64:
        raise DataError(
            f'"task_id" must name the problem, not {error_text.describe_value(task_id)}'
        )
    # A number is the problem's name in APPS, or its position in TACO, which has no names.
    if problems is None or str(task_id) in problems:
        return str(task_id)
    return problems.get_at(task_id).problem_id


FORMAT = Format(
    name="apps",
    id_key="problem_id",
    holds_problem=_holds_problem,
    rewrite_problem=_rewrite_problem,
    reads=frozenset(_USED),
    judges=frozenset({"input_output"}),
    ignores=frozenset(
        {
            "url",
            "name",
            "raw_tags",
            "tags",
            "skill_types",
            "picture_num",
            "Expected Auxiliary Space",
            "Expected Time Complexity",
        }
    ),
    holds_solution=_holds_solution,
    rewrite_solutions=_rewrite_solutions,
)
