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
    firsts = runner.judged(roomy, [program.solution for program in programs])
    judgements = [
        _best_of(runner, roomy, program, first, recipe.near_from * limit, recipe.runs)
        for program, first in zip(programs, firsts, strict=True)
    ]
    checked = Checked()
    for program, judgement in zip(programs, judgements, strict=True):
        if judgement.passed:
            checked.passing.append(program)
            _note_time(checked, program, most_seconds(judgement), limit, recipe)
        elif judgement.verdict is Verdict.TLE:
            _too_slow(checked, program, limit, recipe)
        else:
            checked.found.append(_failure(program, judgement, judgements))
    return checked


def _best_of(
    runner: Runner, problem: Problem, program: Program, first: Judgement, near: float, runs: int
) -> Judgement:
    """The quickest of some runs that pass, where time matters. near: CPU seconds from which it
    does."""
    if most_seconds(first) < near or first.verdict not in (Verdict.AC, Verdict.TLE):
        return first
    every = [first, *(runner.judged(problem, [program.solution])[0] for _ in range(runs - 1))]
    return min((one for one in every if one.passed), key=most_seconds, default=first)


def _note_time(
    checked: Checked, program: Program, used: float, limit: float, recipe: Verify
) -> None:
    checked.timing[program.name] = round(used, 4)
    if used >= recipe.slow_from * limit:
        _too_slow(checked, program, limit, recipe)
    elif used >= recipe.near_from * limit:
        checked.timing["near_limit"] = True  # here and not in OUT: the next run may differ


def _too_slow(checked: Checked, program: Program, limit: float, recipe: Verify) -> None:
    told = f"{program.name} needs more than {recipe.slow_from:g} times the limit of {limit:g} s"
    checked.found.append(Found("reference_too_slow", told, {"solution_id": program.name}))


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
    answered = judgement.verdict is Verdict.WA  # one that crashes says nothing against the others
    disagrees = answered and any(one.passed for one in all_)
    name = "references_disagree" if disagrees else "reference_fails"
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
