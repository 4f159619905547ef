"""Makes candidate tests: proposed inputs that are valid, with the output on which references agree.

Programs that make outputs count their steps (verify/steps.py), so that the same inputs are kept on
a quiet and on a busy machine.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from microcoder_data.recipe import Strengthen
from microcoder_data.rows import Row
from microcoder_data.verify.generate import run_reference
from microcoder_data.verify.runner import Runner, set_counting_time_limit
from microcoder_data.verify.steps import count_steps
from microcoder_eval.records import Kind, Problem, Solution, Test, Verdict
from microcoder_sandbox import codec

from .inputs import CandidateInput

_ACCEPTING_EXITS = {"kattis": 42, "testlib": 0}
_MAX_DISAGREEMENTS = 5  # that evidence names
_MAX_DISPUTED = 12  # tests that comparers are tried on
_MAX_EXCERPT = 300  # characters of an input in evidence


@dataclass(frozen=True, slots=True)
class Candidate:
    """A test that may be added. origin: how its input was made."""

    test: Test
    origin: str


@dataclass(frozen=True, slots=True)
class Disagreement:
    """Right programs that give different answers to one input."""

    input: Any
    output: Any
    other_program: str

    def describe(self) -> dict[str, Any]:
        """As JSON holds it."""
        text = self.input if isinstance(self.input, str) else repr(self.input)
        output = self.output if isinstance(self.output, str) else repr(self.output)
        return {
            "input": text[:_MAX_EXCERPT],
            "output": output[:_MAX_EXCERPT],
            "other_program": self.other_program,
        }


@dataclass(slots=True)
class CandidateSet:
    """Candidates, and what was learnt on the way.

    disputed: tests on which right programs disagree. rejected: how many inputs are no tests.
    """

    candidates: list[Candidate] = field(default_factory=list)
    disagreements: list[Disagreement] = field(default_factory=list)
    disputed: list[Test] = field(default_factory=list)
    rejected: int = 0

    def add_disagreement(self, disagreement: Disagreement, test: Test) -> None:
        """Note a test on which right programs disagree; after some, more tell nothing new."""
        if len(self.disagreements) < _MAX_DISAGREEMENTS:
            self.disagreements.append(disagreement)
        if test not in self.disputed and len(self.disputed) < _MAX_DISPUTED:
            self.disputed.append(test)


def make_candidates(
    runner: Runner,
    row: Row,
    problem: Problem,
    references: Sequence[Solution],
    inputs: Sequence[CandidateInput],
    recipe: Strengthen,
) -> CandidateSet:
    """The valid inputs with their outputs. Raises what Runner.judge_programs raises."""
    timed_problem = set_counting_time_limit(problem, recipe.time_scale)
    programs = [count_steps(reference, recipe.reference_steps) for reference in references]
    result = CandidateSet()
    for item in inputs:
        outputs = list(_make_output(runner, row, timed_problem, programs[0], item.value))
        if not outputs or not _is_valid(runner, row, problem, item.value):
            result.rejected += 1
            continue
        value = item.value if problem.kind is Kind.STDIN else codec.from_json(item.value)
        result.candidates.append(Candidate(Test(value, outputs[0]), item.origin))
    _compare_references(runner, timed_problem, programs, result)
    return result


def _make_output(
    runner: Runner, row: Row, problem: Problem, program: Solution, value: Any
) -> Iterator[Any]:
    """The output of the first reference; nothing where it fails or prints nothing."""
    for output in run_reference(runner, row, value, program, problem.limits):
        if not isinstance(output, str) or problem.kind is not Kind.STDIN or output.strip():
            yield output


def _is_valid(runner: Runner, row: Row, problem: Problem, value: Any) -> bool:
    """Whether the problem's own validator accepts an input; True where it has none.

    The validator is a program that reads the input: it exits with 42 ("kattis") or 0 ("testlib").
    """
    validator = row.get("validator")
    if not isinstance(validator, dict) or not isinstance(value, str):
        return True
    outcome = runner.run_outcome(
        str(validator.get("source", "")), value, str(validator.get("language", "python"))
    )
    accepting_exit = _ACCEPTING_EXITS.get(str(validator.get("protocol", "testlib")), 0)
    return bool(outcome.exit == accepting_exit and outcome.killed is None)


def _compare_references(
    runner: Runner, problem: Problem, programs: Sequence[Solution], result: CandidateSet
) -> None:
    """Remove the candidates on which another reference fails or disagrees."""
    if len(programs) < 2 or not result.candidates:
        return
    tests = tuple(candidate.test for candidate in result.candidates)
    judgements = runner.judge_programs(replace(problem, tests=tests), programs[1:])
    unusable: set[int] = set()
    for program, judgement in zip(programs[1:], judgements, strict=True):
        for position, test in enumerate(judgement.tests):
            if test is not None and test.verdict is Verdict.AC:
                continue
            unusable.add(position)
            if test is not None and test.verdict is Verdict.WA:
                disagreement = Disagreement(
                    codec.to_json(tests[position].input),
                    codec.to_json(tests[position].output),
                    program.solution_id,
                )
                result.add_disagreement(disagreement, tests[position])
    result.rejected += len(unusable)
    result.candidates = [
        candidate for place, candidate in enumerate(result.candidates) if place not in unusable
    ]
