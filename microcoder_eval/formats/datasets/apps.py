"""APPS and TACO: tests in "input_output", and TACO's generations.

Source: hendrycks/apps (problem_id, question, solutions, input_output, difficulty, url,
starter_code), FlagOpen/TACO (the same without a number, with time_limit and memory_limit;
generations: the problem's place in the set as task_id, and a list "output").
"""

from __future__ import annotations

from microcoder_eval.formats import error_text

from . import row_fields, test_forms, units
from .format import Format, Problems, Row, has_keys, is_integer_name, list_words


def _holds_solution(row: Row) -> bool:
    return "task_id" in row and isinstance(row.get("output"), list)


def _read_fields(row: Row) -> Row:
    tests = row_fields.read_json(row, "input_output")
    return {
        **test_forms.read_inputs_outputs(tests, row, '"input_output"'),
        "limits": units.read_limits(row.get("time_limit"), row.get("memory_limit")),
        "solutions": row_fields.read_programs(row.get("solutions")),
    }


def _rewrite_solutions(row: Row, problems: Problems | None) -> list[Row]:
    responses = row.get("output")
    if not isinstance(responses, list) or not responses:
        requirement = 'generations need a list "output" that is not empty'
        raise error_text.wrong_value(requirement, responses, row=row)
    problem_id = _find_problem_id(row.get("task_id"), problems)
    carried = row_fields.collect_unused(row, {"task_id", "output", "prompt"})
    return [{**carried, "problem_id": problem_id, "response": response} for response in responses]


def _find_problem_id(task_id: object, problems: Problems | None) -> str:
    if isinstance(task_id, str) and task_id:
        return task_id
    if not is_integer_name(task_id):
        raise error_text.wrong_value('"task_id" must name the problem', task_id)
    # A number is the problem's name in APPS, or its position in TACO, which has no names.
    if problems is None or str(task_id) in problems:
        return str(task_id)
    return problems.get_at(task_id).problem_id


FORMAT = Format(
    name="apps",
    names=("problem_id", "id"),
    named_by="question",
    holds_problem=has_keys("input_output", "question"),
    copies={"statement": "question", "difficulty": "difficulty"},
    texts={"starter_code": "starter_code", "platform": "source", "date": "date"},
    read_fields=_read_fields,
    uses=list_words("solutions time_limit memory_limit"),
    judges=list_words("input_output"),
    holds_solution=_holds_solution,
    rewrite_solutions=_rewrite_solutions,
)
