"""Makes candidate tests: proposed inputs that are valid, with the output on which references agree.

Programs that make outputs count their steps (verify/steps.py), so that the same inputs are kept on
a quiet and on a busy machine.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice
from typing import Any

from microcoder_data.recipe import Strengthen
from microcoder_data.rows import Row, get_tests
from microcoder_data.verify.limits import get_time_limit, set_counting_time_limit
from microcoder_data.verify.steps import count_steps, count_visits
from microcoder_eval.audit.runner import Runner
from microcoder_eval.records import Kind, Problem, Solution, Test, Verdict
from microcoder_sandbox import codec

from .large import CandidateInput, LargeInputs
from .outputs import AnswerKinds, make_outputs

_ACCEPTING_EXITS = {"kattis": 42, "testlib": 0}
_TIME_SHARE = 0.5  # of the limit: a reference that needs more might fail on another machine
_MAX_DISAGREEMENTS = 5  # that evidence names
_MAX_DISPUTED = 12  # tests that comparers are tried on
_MAX_EXCERPT = 300  # characters of an input in evidence
_MAX_SHRINKS = 5  # of large inputs, until right programs end in time
_SHRINK = 0.25
_MAX_STEP_FACTOR = 2.5  # of a reference's steps, where the time limit is long


@dataclass(frozen=True, slots=True)
class Candidate:
    """A test that may be added. origin: how its input was made. visits: where a right program goes
    on it (outputs.py)."""

    test: Test
    origin: str
    visits: frozenset[tuple[int, int]] = frozenset()


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
    """Return the valid inputs with their outputs. Raises what Runner.judge_programs raises."""
    timed_problem = set_counting_time_limit(problem, recipe.time_scale)
    counting_program = count_visits(count_steps(references[0], recipe.reference_steps))
    result = _make_tests(runner, row, problem, counting_program, inputs, recipe)
    max_seconds = _TIME_SHARE * get_time_limit(problem)
    _compare_references(runner, timed_problem, references, result, max_seconds)
    return result


def make_large_candidates(
    runner: Runner,
    row: Row,
    problem: Problem,
    references: Sequence[Solution],
    large: LargeInputs,
    recipe: Strengthen,
) -> list[Candidate]:
    """Return at most ``recipe.large`` large tests, of the first shapes that give different valid
    ones.

    Sizes shrink until every reference ends within a number of steps, which is the same in every
    run; whether it ends in half of the time limit is asked last, as of all candidates. An input on
    which references disagree is left out and is no evidence: it may break an unknown bound.
    """
    share = large.find_share() if recipe.large else None
    if share is None:
        return []
    seconds = get_time_limit(problem)
    steps = int(recipe.reference_steps * min(_MAX_STEP_FACTOR, max(0.5, seconds / 2)))
    counting = [count_steps(program, steps) for program in references]
    timed_problem = set_counting_time_limit(problem, recipe.time_scale)
    candidates: list[Candidate] = []
    for _ in range(_MAX_SHRINKS):
        first = list(islice(large.list_inputs(share), 1))
        if not first:
            break
        probe = _make_tests(runner, row, problem, counting[0], first, recipe)
        _compare_references(runner, timed_problem, counting[1:], probe, math.inf)
        inputs = large.list_inputs(share)
        while probe.candidates and len(candidates) < recipe.large:
            batch = list(islice(inputs, recipe.large - len(candidates)))
            if not batch:
                break
            result = _make_tests(runner, row, problem, counting[0], batch, recipe)
            _compare_references(runner, timed_problem, references, result, _TIME_SHARE * seconds)
            candidates += result.candidates
        if candidates:
            return candidates
        share *= _SHRINK
    return []


def _make_tests(
    runner: Runner,
    row: Row,
    problem: Problem,
    counting_program: Solution,
    inputs: Iterable[CandidateInput],
    recipe: Strengthen,
) -> CandidateSet:
    """Return the inputs that may be tests, with the outputs of a program that counts its steps."""
    inputs = list(inputs)
    limits = set_counting_time_limit(problem, recipe.time_scale).limits
    values = [item.value for item in inputs]
    outputs = make_outputs(runner, row, counting_program, values, limits)
    result = CandidateSet()
    kinds = AnswerKinds(test["output"] for test in get_tests(row) if "output" in test)
    for item, output in zip(inputs, outputs, strict=True):
        value = output.value
        is_empty = value is None or (isinstance(value, str) and not value.strip())
        is_strange = is_empty or not kinds.include(value)
        is_long = len(repr(value)) > recipe.large_kb * 1024
        if is_strange or is_long or not _is_valid(runner, row, problem, item.value):
            result.rejected += 1
            continue
        test = Test(_decode(problem, item.value), _decode(problem, value))
        result.candidates.append(Candidate(test, item.origin, output.visits))
    return result


def _decode(problem: Problem, value: Any) -> Any:
    return value if problem.kind is Kind.STDIN else codec.from_json(value)


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
    runner: Runner,
    timed_problem: Problem,
    programs: Sequence[Solution],
    result: CandidateSet,
    max_seconds: float,
) -> None:
    """Remove the candidates on which a reference, run alone, fails, is slow or disagrees."""
    if not result.candidates:
        return
    tests = tuple(candidate.test for candidate in result.candidates)
    judgements = runner.judge_programs(replace(timed_problem, tests=tests), programs)
    unusable: set[int] = set()
    for number, (program, judgement) in enumerate(zip(programs, judgements, strict=True)):
        for position, test in enumerate(judgement.tests):
            if test is not None and test.verdict is Verdict.AC and test.cpu_s <= max_seconds:
                continue
            unusable.add(position)
            # The first program made the output: where it differs, it does not repeat itself.
            if number and test is not None and test.verdict is Verdict.WA:
                disagreement = Disagreement(
                    codec.to_json(tests[position].input),
                    codec.to_json(tests[position].output),
                    program.solution_id,
                )
                result.add_disagreement(disagreement, tests[position])
        if not judgement.tests:
            unusable.update(range(len(tests)))
    result.rejected += len(unusable)
    result.candidates = [
        candidate for place, candidate in enumerate(result.candidates) if place not in unusable
    ]
