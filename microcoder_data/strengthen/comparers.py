"""Proposes the strictest generic comparer under which all right programs agree.

Only comparers that need to understand nothing of the problem are tried. One is proposed if every
right program passes with it, every wrong program that fails without it still fails, and so do most
mutants. The stage never sets it: the proposal and its evidence are for people, or for a recipe.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from microcoder_data.verify.runner import Runner, UnjudgeableProblemError
from microcoder_eval.records import Kind, Problem, Solution, Test, Verdict

# From strict to loose. A tolerance is tried before any order: it forgives less.
_TEXT_COMPARERS: tuple[Mapping[str, Any], ...] = (
    {"name": "tokens", "case_sensitive": False},
    {"name": "floats", "abs": 1e-9, "rel": 1e-9},
    {"name": "floats", "abs": 1e-6, "rel": 1e-6},
    {"name": "floats", "abs": 1e-4, "rel": 1e-4},
    {"name": "unordered_lines"},
    {"name": "unordered_tokens"},
)
_VALUE_COMPARERS = (*_TEXT_COMPARERS[1:4], {"name": "unordered_lines"})
_MUTANT_SHARE = 0.5  # of the mutants that fail without a comparer and must still fail with it


@dataclass(frozen=True, slots=True)
class Proposal:
    """A checker as problems hold it, and what speaks for it."""

    checker: Mapping[str, Any]
    evidence: Mapping[str, Any]


def propose_comparer(
    runner: Runner,
    problem: Problem,
    right: Sequence[Solution],
    wrong: Sequence[Solution],
    mutants: Sequence[Solution],
    disputed: Sequence[Test],
) -> Proposal | None:
    """The strictest comparer that fits all programs; None where none does.

    right, wrong: programs known as such. mutants: of right ones. disputed: tests on which right
    programs disagree. Raises JudgeError.
    """
    full_problem = replace(problem, tests=(*problem.tests, *disputed))
    failing_wrong = _list_failing(runner, full_problem, wrong)
    failing_mutants = _list_failing(runner, full_problem, mutants)
    if not failing_wrong and not failing_mutants:
        return None  # nothing would show that a comparer accepts too much
    comparers = _TEXT_COMPARERS if problem.kind is Kind.STDIN else _VALUE_COMPARERS
    for checker in comparers:
        loose_problem = replace(full_problem, checker=checker)
        try:
            if _list_failing(runner, loose_problem, right):
                continue
            still_wrong = _list_failing(runner, loose_problem, failing_wrong)
            still_mutants = _list_failing(runner, loose_problem, failing_mutants)
        except UnjudgeableProblemError:
            continue
        if len(still_wrong) < len(failing_wrong):
            return None  # looser ones accept it, too
        if len(still_mutants) < _MUTANT_SHARE * len(failing_mutants):
            return None
        evidence = {
            "right": len(right),
            "disputed_inputs": len(disputed),
            "wrong_refused": len(still_wrong),
            "mutants_refused": f"{len(still_mutants)} of {len(failing_mutants)}",
        }
        return Proposal(checker, evidence)
    return None


def _list_failing(runner: Runner, problem: Problem, programs: Sequence[Solution]) -> list[Solution]:
    """The programs that do not pass; slow ones are not counted, since time decides nothing here."""
    judgements = runner.judge_programs(problem, programs)
    return [
        program
        for program, judgement in zip(programs, judgements, strict=True)
        if not judgement.passed and judgement.verdict is not Verdict.TLE
    ]
