"""Right programs must pass every test, in time, and so must the examples of the statement."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from microcoder_eval.audit import Program
from microcoder_eval.data.reasons import Found
from microcoder_eval.data.recipe import Verify
from microcoder_eval.data.rows import Row, kind_of
from microcoder_eval.records import Judgement, Kind, Problem, Test, Verdict
from microcoder_sandbox import codec

from .runner import Runner, first_failure, most_seconds, time_limit, with_room


@dataclass(slots=True)
class Checked:
    """What references showed. timing: CPU seconds of each, for the timings."""

    found: list[Found] = field(default_factory=list)
    passing: list[Program] = field(default_factory=list)
    timing: dict[str, Any] = field(default_factory=dict)


def check(runner: Runner, problem: Problem, programs: Sequence[Program], recipe: Verify) -> Checked:
    """Judge right programs. Raises as Runner.judged."""
    roomy = with_room(problem, recipe)
    limit = time_limit(problem) * recipe.time_scale  # as the judge scales it, too
    judgements = runner.judged(roomy, [program.solution for program in programs])
    checked = Checked()
    failed: list[tuple[Program, Judgement]] = []
    for program, judgement in zip(programs, judgements, strict=True):
        used = most_seconds(judgement)
        if judgement.passed or judgement.verdict is Verdict.TLE:
            slowest = _fastest_of(runner, roomy, program, used, limit, recipe)
            _note_time(checked, program, slowest, limit, recipe)
        if judgement.passed:
            checked.passing.append(program)
        elif judgement.verdict is not Verdict.TLE:
            failed.append((program, judgement))
    checked.found += [_failure(program, judgement, judgements) for program, judgement in failed]
    return checked


def _fastest_of(
    runner: Runner, problem: Problem, program: Program, first: float, limit: float, recipe: Verify
) -> float:
    """The CPU seconds of its slowest test: the least of some runs where that matters."""
    if first < recipe.near_from * limit:
        return first
    again = [
        most_seconds(runner.judged(problem, [program.solution])[0]) for _ in range(recipe.runs - 1)
    ]
    return min([first, *again])


def _note_time(
    checked: Checked, program: Program, used: float, limit: float, recipe: Verify
) -> None:
    checked.timing[program.name] = round(used, 4)
    if used >= recipe.slow_from * limit:
        told = f"{program.name} needs more than {recipe.slow_from:g} times the limit of {limit:g} s"
        checked.found.append(Found("reference_too_slow", told, {"solution_id": program.name}))
    elif used >= recipe.near_from * limit:
        checked.timing["near_limit"] = True  # here and not in OUT: the next run may differ


def _failure(program: Program, judgement: Judgement, all_: Sequence[Judgement]) -> Found:
    """A right program that does not pass: alone in that, or not."""
    number = first_failure(judgement)
    test = None if number is None else judgement.tests[number]
    detail = (test.detail if test is not None else judgement.error) or ""
    evidence: dict[str, Any] = {
        "solution_id": program.name,
        "verdict": str(judgement.verdict),
        "test": None if number is None else number + 1,
    }
    others_pass = any(number is not None and one.passed and number < len(one.tests) for one in all_)
    name = "references_disagree" if others_pass else "reference_fails"
    where = f" on test {number + 1}" if number is not None else ""
    said = f"{program.name}: {judgement.verdict}{where}"
    # Details may tell times and addresses; a comparison's words are the same in every run.
    return Found(name, f"{said}: {detail}" if judgement.verdict is Verdict.WA else said, evidence)


def examples_hold(
    runner: Runner, row: Row, problem: Problem, programs: Sequence[Program]
) -> Found | None:
    """What the statement's examples say, asked of right programs; None where all is well."""
    shown = _examples(row, problem)
    if not shown or not programs:
        return None
    kind = Kind.STDIN if kind_of(row) == "stdin" else Kind.CALL
    asked = replace(problem, kind=kind, tests=tuple(shown), test_code=None, test_style=None)
    judgements = runner.judged(asked, [program.solution for program in programs])
    if any(one.passed for one in judgements):
        return None
    number = first_failure(judgements[0])
    if number is None or any(one.verdict is not Verdict.WA for one in judgements):
        return None  # it was not read as it was meant: what is no input of the program fails
    test = judgements[0].tests[number]
    detail = test.detail if test is not None else ""
    told = f"example {number + 1}: {detail}"
    return Found("example_fails", told, {"solution_id": programs[0].name})


def _examples(row: Row, problem: Problem) -> list[Test]:
    """Examples that are no tests."""
    given = row.get("examples")
    known = {repr(test.input) for test in problem.tests}
    found: list[Test] = []
    for one in given if isinstance(given, list) else []:
        if isinstance(one, Mapping) and "input" in one and "output" in one:
            value, answer = codec.from_json(one["input"]), codec.from_json(one["output"])
            if repr(value) not in known:
                found.append(Test(value, answer))
    return found
