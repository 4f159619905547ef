"""Decides which inputs become tests, by running right programs on them.

An input is kept if a validator accepts it and every right program ends cleanly, in time, with the
same answer. The more right programs agree, the more risk (domain.py) an input may take. Programs
that count their steps (verify/steps.py) make the outputs, so the machine's load does not change
which inputs are kept.
"""

from __future__ import annotations

import ast
import math
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from microcoder_data.recipe import Strengthen
from microcoder_data.rows import Row, get_tests
from microcoder_data.verify.limits import get_time_limit, set_counting_time_limit
from microcoder_data.verify.steps import count_steps, count_visits
from microcoder_eval.audit.runner import Runner
from microcoder_eval.records import Kind, Problem, Solution, Test, Verdict
from microcoder_eval.syntax import parse_python
from microcoder_sandbox import codec

from .outputs import AnswerKinds, make_outputs

_ACCEPTING_EXITS = {"kattis": 42, "testlib": 0}
REFERENCE_STEPS = 2_000_000  # loop iterations and calls of a right program on an input
MAX_KB = 2048.0  # bound on a large input and on any added output; the usual three tests take 6 MB
_TIME_SHARE = 0.5  # a reference that needs more of the limit might fail on another machine
_MAX_DISAGREEMENTS = 5  # listed in the evidence
_MAX_DISPUTED = 12  # comparers are tried on at most this many disputed tests
_MAX_EXCERPT = 300  # characters of an input in evidence
_RISK_OF_VALIDATED = 6  # allowed if the problem has a validator, which then decides


@dataclass(frozen=True, slots=True)
class CandidateInput:
    """An input that may become a test. value: as a row holds it. origin: how it was made."""

    value: Any
    origin: str
    risk: int = 0


@dataclass(frozen=True, slots=True)
class Candidate:
    """A test that may be added. visits: which parts of a right program it runs (outputs.py).

    is_sure: its input is certainly valid, so a disagreement means that there are several right
    answers.
    """

    test: Test
    origin: str
    visits: frozenset[tuple[int, int]] = frozenset()
    is_sure: bool = True


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
    """Candidates, and the disagreements found while making them.

    disputed: tests on which right programs disagree. rejected: how many inputs cannot become tests.
    """

    candidates: list[Candidate] = field(default_factory=list)
    disagreements: list[Disagreement] = field(default_factory=list)
    disputed: list[Test] = field(default_factory=list)
    rejected: int = 0

    def add_disagreement(self, test: Test, program: str) -> None:
        """Note a test on which right programs disagree. Beyond a limit, further ones are
        ignored."""
        if len(self.disagreements) < _MAX_DISAGREEMENTS:
            values = codec.to_json(test.input), codec.to_json(test.output)
            self.disagreements.append(Disagreement(*values, program))
        if test not in self.disputed and len(self.disputed) < _MAX_DISPUTED:
            self.disputed.append(test)


def find_originals(programs: Sequence[Solution]) -> list[Solution]:
    """Return programs without copies. A copy differs from an earlier program in names and layout
    only."""
    known: dict[str, Solution] = {}
    for program in programs:
        tree = parse_python(program.code or "")
        key = program.code or ""
        if tree is not None:
            names: dict[str, str] = {}
            for node in ast.walk(tree):
                for key_name in ("id", "arg", "name"):
                    if isinstance(name := getattr(node, key_name, None), str):
                        setattr(node, key_name, names.setdefault(name, f"n{len(names)}"))
            key = ast.dump(tree)
        known.setdefault(key, program)
    return list(known.values())


def find_allowed_risk(row: Row, originals: int, recipe: Strengthen) -> int:
    """Return the risk that an input may take if this many original right programs agree on its
    answer."""
    if isinstance(row.get("validator"), dict):
        return _RISK_OF_VALIDATED
    return recipe.risks[min(originals, len(recipe.risks)) - 1]


def make_candidates(
    runner: Runner,
    row: Row,
    problem: Problem,
    references: Sequence[Solution],
    inputs: Sequence[CandidateInput],
    recipe: Strengthen,
    max_risk: int,
    *,
    steps: int = REFERENCE_STEPS,
) -> CandidateSet:
    """Return the valid inputs with their outputs. steps: of a reference.

    Raises what Runner.judge_programs raises.
    """
    timed = set_counting_time_limit(problem, recipe.time_scale)
    result = _answer_inputs(runner, row, problem, references[0], inputs, recipe, max_risk, steps)
    if steps > REFERENCE_STEPS:  # large inputs: each reference must stay within its steps
        counting = [count_steps(program, steps) for program in references[1:]]
        _compare_references(runner, timed, counting, result, math.inf)
    _compare_references(runner, timed, references, result, _TIME_SHARE * get_time_limit(problem))
    return result


def _answer_inputs(
    runner: Runner,
    row: Row,
    problem: Problem,
    reference: Solution,
    inputs: Sequence[CandidateInput],
    recipe: Strengthen,
    max_risk: int,
    steps: int,
) -> CandidateSet:
    """Return the inputs that may be tests, with the outputs of a program that counts its steps."""
    counting_program = count_visits(count_steps(reference, steps))
    limits = set_counting_time_limit(problem, recipe.time_scale).limits
    values = [item.value for item in inputs]
    outputs = make_outputs(runner, row, counting_program, values, limits)
    result = CandidateSet()
    kinds = AnswerKinds(test["output"] for test in get_tests(row) if "output" in test)
    for item, output in zip(inputs, outputs, strict=True):
        value = output.value
        is_empty = value is None or (isinstance(value, str) and not value.strip())
        risk = item.risk + (not is_empty and not kinds.include(value))
        is_long = len(repr(value)) > MAX_KB * 1024
        if is_empty or risk > max_risk or is_long or not _is_valid(runner, row, item.value):
            result.rejected += 1
            continue
        test = Test(_decode(problem, item.value), _decode(problem, value))
        origin = f"{item.origin}, risk {risk}" if risk else item.origin
        is_sure = not risk or isinstance(row.get("validator"), dict)
        result.candidates.append(Candidate(test, origin, output.visits, is_sure))
    return result


def _decode(problem: Problem, value: Any) -> Any:
    return value if problem.kind is Kind.STDIN else codec.from_json(value)


def _is_valid(runner: Runner, row: Row, value: Any) -> bool:
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
            # The first program made the expected output. If it differs now, it is not
            # deterministic, and this is no disagreement.
            is_answer = test is not None and test.verdict is Verdict.WA
            if number and is_answer and result.candidates[position].is_sure:
                result.add_disagreement(tests[position], program.solution_id)
        if not judgement.tests:
            unusable.update(range(len(tests)))
    result.rejected += len(unusable)
    result.candidates = [
        candidate for place, candidate in enumerate(result.candidates) if place not in unusable
    ]
