"""APPS and TACO: tests in "input_output", and TACO's generations.

Source: hendrycks/apps (problem_id, question, solutions, input_output, difficulty, url,
starter_code), FlagOpen/TACO (the same without a number, with time_limit and memory_limit;
generations: the problem's place in the set as task_id, and a list "output").
"""

from __future__ import annotations

from microcoder_eval.errors import DataError
from microcoder_eval.formats import inouts, units, words
from microcoder_eval.formats.format import Format, Problems, Row

_USED = {"problem_id", "id", "question", "input_output", "starter_code", "difficulty", "solutions",
         "time_limit", "memory_limit", "date", "source"}  # fmt: skip


def _holds_problem(row: Row) -> bool:
    return "input_output" in row and "question" in row


def _holds_solution(row: Row) -> bool:
    return "task_id" in row and isinstance(row.get("output"), list)


def _problem(row: Row) -> Row:
    starter = inouts.optional_text(row.get("starter_code"))
    return {
        "problem_id": inouts.name_of(row, ("problem_id", "id"), "apps", row.get("question")),
        **inouts.tests_of(inouts.object_in(row, "input_output"), starter, '"input_output"'),
        "statement": row.get("question"),
        "starter_code": starter,
        "difficulty": row.get("difficulty"),
        "platform": inouts.optional_text(row.get("source")),
        "date": inouts.optional_text(row.get("date")),
        "limits": units.limits(row.get("time_limit"), row.get("memory_limit")),
        "solutions": inouts.programs(row.get("solutions")),
        "meta": inouts.rest(row, _USED),
    }


def _solutions(row: Row, problems: Problems | None) -> list[Row]:
    answers = row.get("output")
    if not isinstance(answers, list) or not answers:
        raise DataError(
            'generations need a list "output" that is not empty, not '
            f"{words.described(answers)} ({words.keys_of(row)})"
        )
    name = _name(row.get("task_id"), problems)
    rest = inouts.rest(row, {"task_id", "output", "prompt"})
    return [{**rest, "problem_id": name, "response": answer} for answer in answers]


def _name(task: object, problems: Problems | None) -> str:
    if isinstance(task, str) and task:
        return task
    if not isinstance(task, int) or isinstance(task, bool) or task.bit_length() >= 64:
        raise DataError(f'"task_id" must name the problem, not {words.described(task)}')
    # A number is APPS's name of the problem, or its place in TACO, which has no names.
    if problems is None or str(task) in problems:
        return str(task)
    return problems.at(task).problem_id


FORMAT = Format(
    name="apps",
    id_key="problem_id",
    holds_problem=_holds_problem,
    problem=_problem,
    holds_solution=_holds_solution,
    solutions=_solutions,
)
