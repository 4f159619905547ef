"""Decides which inputs may become tests, by running programs on them (choose.py picks).

All right programs must end cleanly with the same answer, and a validator, where there is one, must
accept the input. Witnesses are programs without a label that pass all stored tests. Within what the
problem allows nearly all of them agree with the right programs; outside, programs scatter. So where
there are enough, they decide too, and an input may go beyond what the stored ones have in common
(domain.Reach). Programs that count their steps (verify/steps.py) make the outputs, so the machine's
load does not change which inputs are kept, and a program that never ends on an invalid input costs
little. The judge runs the unchanged right programs on the few tests that are chosen.
"""

from __future__ import annotations

import ast
from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from microcoder_data.recipe import Strengthen
from microcoder_data.rows import Row
from microcoder_data.verify.limits import get_time_limit, set_counting_time_limit
from microcoder_data.verify.outputs import Output, agree, make_outputs, make_row_comparer
from microcoder_data.verify.steps import count_steps
from microcoder_eval.audit.runner import Runner
from microcoder_eval.records import Kind, Problem, Solution, Test, Verdict
from microcoder_eval.syntax import parse_python
from microcoder_sandbox import codec

from .domain import Reach

_ACCEPTING_EXITS = {"kattis": 42, "testlib": 0}
MAX_KB = 2048.0  # bound on a large input and on any added output; the usual three tests take 6 MB
_TIME_SHARE = 0.5  # a reference that needs more of the limit might fail on another machine
_MAX_DISAGREEMENTS = 5  # listed in the evidence
_MAX_DISPUTED = 12  # comparers are tried on at most this many disputed tests
_MAX_EXCERPT = 300  # characters of an input in evidence
# So many right programs, or so many witnesses, decide beyond what the stored inputs show.
_RIGHT_QUORUM, _WITNESS_QUORUM = 2, 3
# Of the witnesses, this share must agree on an input that is like the stored ones, and on another.
# Not all samples that pass are right, so one may not block a test.
_SEEN_SHARE, _SHARE = 0.5, 0.8


@dataclass(frozen=True, slots=True)
class CandidateInput:
    """An input that may become a test. value: as a row holds it. origin: how it was made. is_seen:
    whether it has what all stored inputs have in common."""

    value: Any
    origin: str
    is_seen: bool = True


@dataclass(frozen=True, slots=True)
class Candidate:
    """A test that may be added. marks: its properties: the parts of a right program that it runs
    (outputs.py), its answer and origin, the witnesses that dissent."""

    test: Test
    origin: str
    marks: frozenset[Hashable] = frozenset()


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


@dataclass(frozen=True, slots=True)
class Voters:
    """The programs whose consent an input needs; none is a copy of another."""

    references: Sequence[Solution]
    witnesses: Sequence[Solution] = ()

    @property
    def have_quorum(self) -> bool:
        """Whether they are enough to decide beyond what the stored inputs show."""
        return (
            len(find_originals(self.references)) >= _RIGHT_QUORUM
            or len(self.witnesses) >= _WITNESS_QUORUM
        )

    def find_reach(self, row: Row) -> Reach:
        """Return how far inputs may go."""
        if isinstance(row.get("validator"), dict):
            return Reach.VALIDATED
        return Reach.WITNESSED if self.have_quorum else Reach.SEEN


def make_candidates(
    runner: Runner,
    row: Row,
    problem: Problem,
    voters: Voters,
    inputs: Sequence[CandidateInput],
    recipe: Strengthen,
    steps: int,
) -> CandidateSet:
    """Return the valid inputs to which the voters consent, each within a number of steps.

    Raises what Runner.judge_programs raises.
    """
    limits = set_counting_time_limit(problem, recipe.time_scale).limits

    def run(program: Solution, items: Sequence[CandidateInput]) -> list[Output]:
        values = [item.value for item in items]
        return make_outputs(runner, row, count_steps(program, steps), values, limits)

    kept = [
        (item, output)
        for item, output in zip(inputs, run(voters.references[0], inputs), strict=True)
        if _is_answer(output) and _is_valid(runner, row, item.value)
    ]
    items = [item for item, _ in kept]
    others = {one.solution_id: run(one, items) for one in voters.references[1:]}
    votes = [run(one, items) for one in voters.witnesses]
    comparer = make_row_comparer(row)
    result = CandidateSet()
    for place, (item, answer) in enumerate(kept):

        def agrees(outputs: Sequence[Output], place: int = place, answer: Output = answer) -> bool:
            output = outputs[place]
            return output.has_ended and agree(comparer, answer.value, output.value)

        test = Test(_decode(problem, item.value), _decode(problem, answer.value))
        dissenters = {name: outputs for name, outputs in others.items() if not agrees(outputs)}
        dissent = {("dissent", voter) for voter, outputs in enumerate(votes) if not agrees(outputs)}
        share = _SEEN_SHARE if item.is_seen else _SHARE
        if not dissenters and len(votes) - len(dissent) >= share * len(votes):
            marks = answer.visits | {repr(answer.value), item.origin} | dissent
            result.candidates.append(Candidate(test, item.origin, marks))
        elif item.is_seen or isinstance(row.get("validator"), dict):  # the input is surely valid
            for name, outputs in dissenters.items():
                if outputs[place].has_ended:
                    result.add_disagreement(test, name)
    result.rejected = len(inputs) - len(result.candidates)
    return result


def _is_answer(output: Output) -> bool:
    value = output.value
    is_empty = value is None or (isinstance(value, str) and not value.strip())
    return not is_empty and len(repr(value)) <= MAX_KB * 1024


def confirm(
    runner: Runner,
    problem: Problem,
    references: Sequence[Solution],
    candidates: Sequence[Candidate],
    recipe: Strengthen,
) -> list[Candidate]:
    """Return the candidates on which each unchanged reference, run alone, passes in half of the
    time limit. Raises what Runner.judge_programs raises."""
    if not candidates:
        return []
    tests = tuple(candidate.test for candidate in candidates)
    timed = set_counting_time_limit(replace(problem, tests=tests), recipe.time_scale)
    judgements = runner.judge_programs(timed, references)
    max_seconds = _TIME_SHARE * get_time_limit(problem)
    return [
        candidate
        for place, candidate in enumerate(candidates)
        if all(
            judgement.tests
            and (test := judgement.tests[place]) is not None
            and test.verdict is Verdict.AC
            and test.cpu_s <= max_seconds
            for judgement in judgements
        )
    ]


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
