"""Decides by a vote of programs which inputs may become tests (`strengthener` picks).

All right programs must end cleanly with the same answer, and a validator, where there is one, must
accept the input. Programs that count their steps (verify/steps.py) make the outputs, so the
machine's load does not change which inputs are kept, and a program that never ends on an invalid
input costs little. The judge runs the unchanged right programs on the few tests that are chosen.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from math import fsum
from typing import Any

from microcoder_data.fingerprints import normalize_program
from microcoder_data.recipe import Strengthen
from microcoder_data.rows import Row, get_tests
from microcoder_data.verify.limits import (
    COUNTING_SECONDS,
    with_counting_time_limit,
    with_time_limit,
)
from microcoder_data.verify.outputs import Output, make_outputs
from microcoder_data.verify.steps import count_steps
from microcoder_eval.audit.trials import Runner
from microcoder_eval.records import Kind, Limits, Problem, Solution, Test, TestResult, Verdict
from microcoder_sandbox import codec

_ACCEPTING_EXITS = {"kattis": 42, "testlib": 0}
MAX_KB = 2048.0  # bound on a large input and on any added output; the usual three tests take 6 MB
_TIME_SHARE = 0.5  # a reference that needs more of the limit might fail on another machine
_MAX_DISPUTED = 12  # tests that the evidence lists, and that comparers are tried on
_MAX_EXCERPT = 300  # characters of an input in evidence


@dataclass(frozen=True, slots=True)
class Candidate:
    """An input that may become a test. value, output: as a row holds them. origin: how it was made.

    departures: how many of its values and relations lack something that all stored inputs have in
        common.
    output, marks: the answer of a right program that ran on it, and its properties
        (``_list_marks``).
    """

    value: Any
    origin: str
    departures: int = 0
    output: Any = None
    marks: frozenset[Hashable] = frozenset()


@dataclass(slots=True)
class CandidateSet:
    """Candidates, and the disagreements found while making them.

    disagreements: the evidence for each disputed test.
    rejected: how many inputs cannot become tests.
    """

    candidates: list[Candidate] = field(default_factory=list)
    disagreements: list[dict[str, str]] = field(default_factory=list)
    disputed: list[Test] = field(default_factory=list)
    rejected: int = 0

    def add_disagreement(self, test: Test, program: str) -> None:
        """Note a test on which right programs disagree, once. Beyond a limit, further ones are
        ignored."""
        if test in self.disputed or len(self.disputed) >= _MAX_DISPUTED:
            return
        self.disputed.append(test)
        input_text, output_text = (
            str(codec.to_json(value))[:_MAX_EXCERPT] for value in (test.input, test.output)
        )
        evidence = {"input": input_text, "output": output_text, "other_program": program}
        self.disagreements.append(evidence)


def find_originals(programs: Sequence[Solution]) -> list[Solution]:
    """Return programs without copies. A copy differs from an earlier program in names and layout
    only."""
    known: dict[str, Solution] = {}
    for program in programs:
        code = program.code or ""
        known.setdefault(normalize_program(code) or code, program)
    return list(known.values())


@dataclass(frozen=True, slots=True)
class Voters:
    """The right programs, which must agree on an input of a problem. Two with the same name are one
    program with two seeds."""

    runner: Runner
    recipe: Strengthen
    row: Row
    problem: Problem
    references: Sequence[Solution]

    def count_right(self) -> int:
        """Return how many different right programs there are."""
        return len({program.solution_id for program in find_originals(self.references)})

    @property
    def have_validator(self) -> bool:
        """Whether a program of the problem decides which inputs are valid."""
        is_text = self.problem.kind is Kind.STDIN  # a validator reads no arguments of a call
        return is_text and isinstance(self.row.get("validator"), dict)

    def make_tests(self, candidates: Iterable[Candidate]) -> tuple[Test, ...]:
        """Return the tests of candidates that a right program ran on."""
        decode = str if self.problem.kind is Kind.STDIN else codec.from_json
        return tuple(Test(decode(one.value), decode(one.output)) for one in candidates)

    def select(self, inputs: Sequence[Candidate], *, steps: int, limit: int) -> CandidateSet:
        """Return the valid inputs on which the voters agree, each within a number of steps, in the
        order of novelty. limit: of the inputs that more than one right program runs on. Raises what
        Runner.judge_programs raises.
        """
        # If several inputs are too slow, no greater ones are tried.
        inputs = sorted(inputs, key=lambda item: (len(repr(item.value)), repr(item.value)))
        if self.problem.kind is Kind.STDIN and not self.have_validator:
            # The statement of a contest has bounds for its texts: what is not read may be one.
            inputs = [item for item in inputs if not item.departures]
        first, *others = (count_steps(one, steps) for one in self.references)
        timed = with_counting_time_limit(self.problem, self.recipe.time_scale, steps)
        values = [item.value for item in inputs]
        outputs = make_outputs(self.runner, self.row, first, values, timed.limits)
        need_branches = any(item.departures for item in inputs) and not self.have_validator
        known = self._list_stored_places(first, timed.limits) if need_branches else set[int]()
        candidates = [
            replace(item, output=answer.value, marks=_list_marks(item.value, answer))
            for item, answer in zip(inputs, outputs, strict=True)
            if _is_answer(answer) and self._may_come(item, answer, known)
        ]
        result = self._vote(order_by_novelty(candidates)[:limit], timed, others)
        result.rejected = len(inputs) - len(result.candidates)
        return result

    def _may_come(self, item: Candidate, answer: Output, known: set[int]) -> bool:
        """Whether an input is valid: the validator accepts it or, without one, it is like the
        stored ones, or the right program that gave the answer has a branch for it, which is not
        among the ``known`` places, those that stored inputs reach.

        An author writes a branch only for inputs that may come. It speaks for one departure: an
        input with two may take it for the other.
        """
        if self.have_validator:
            return self._is_accepted(item.value)
        return not item.departures or (
            item.departures == 1 and bool(_list_places([answer]) - known)
        )

    def _vote(
        self, candidates: Sequence[Candidate], timed: Problem, others: Sequence[Solution]
    ) -> CandidateSet:
        """Return the candidates on which the other right programs agree, and the disagreements.
        timed: the problem with the limit for programs that count their steps."""
        result = CandidateSet()
        tests = self.make_tests(candidates)
        judgements = self.runner.judge_programs(timed.with_tests(tests), others) if tests else []
        for place, (candidate, test) in enumerate(zip(candidates, tests, strict=True)):
            verdicts = [judgement.tests[place].verdict for judgement in judgements]
            if set(verdicts) <= {Verdict.AC}:
                result.candidates.append(candidate)
            for reference, verdict in zip(others, verdicts, strict=True):
                if verdict is Verdict.WA:
                    result.add_disagreement(test, reference.solution_id)
        return result

    def confirm(self, candidates: Sequence[Candidate]) -> list[Candidate]:
        """Return the candidates on which each unchanged reference, run alone, passes in half of the
        time limit. Raises what Runner.judge_programs raises."""
        if not candidates:
            return []
        seconds = COUNTING_SECONDS / self.recipe.time_scale
        timed = with_time_limit(self.problem.with_tests(self.make_tests(candidates)), seconds)
        limit = self.problem.limits.effective_time_s * self.recipe.time_scale
        max_seconds = _TIME_SHARE * limit
        judgements = self.runner.judge_programs(timed, self.references)
        return [
            candidate
            for place, candidate in enumerate(candidates)
            if all(_passes_in(judgement.tests[place], max_seconds) for judgement in judgements)
        ]

    def _list_stored_places(self, program: Solution, limits: Limits) -> set[int]:
        """Return the places of a program that the stored inputs reach."""
        stored = [test["input"] for test in get_tests(self.row)]
        return _list_places(make_outputs(self.runner, self.row, program, stored, limits))

    def _is_accepted(self, value: Any) -> bool:
        """Whether the problem's own validator accepts an input: it is a program that reads the
        input, and exits with 42 ("kattis") or 0 ("testlib")."""
        validator = self.row["validator"]
        code, language = str(validator.get("source", "")), str(validator.get("language", "python"))
        outcome = self.runner.judge.run(code, value, language=language)
        accepting_exit = _ACCEPTING_EXITS.get(str(validator.get("protocol", "testlib")), 0)
        return bool(outcome.exit == accepting_exit and outcome.killed is None)


def _list_places(outputs: Sequence[Output]) -> set[int]:
    """Return the places of a program that it reached while it made the outputs."""
    return {place for output in outputs for place, _ in output.visits}


def _passes_in(result: TestResult, max_seconds: float) -> bool:
    return result.verdict is Verdict.AC and result.cpu_s <= max_seconds


def order_by_novelty(candidates: Iterable[Candidate]) -> list[Candidate]:
    """Return the candidates in another order: each next one has most marks that those before it
    lack; a mark that n of them have counts 1 / (1 + n)^2. Among equals, the first comes first."""
    counts: Counter[Hashable] = Counter()
    left = dict(enumerate(candidates))
    ordered = []
    while left:
        gains = {
            place: fsum((1 + counts[mark]) ** -2 for mark in one.marks)
            for place, one in left.items()
        }
        ordered.append(left.pop(max(gains, key=gains.__getitem__)))
        counts.update(ordered[-1].marks)
    return ordered


def _list_marks(value: Any, answer: Output) -> frozenset[Hashable]:
    """Return the parts of a program that an input runs, its answer, and features that programs may
    treat in a way of their own: the magnitudes of its length and of its greatest number, and
    special values."""
    text = repr(value)
    digits = max(map(len, re.findall(r"\d+", text)), default=0)
    special = re.findall(r"True|False|None|''|\[\]|-|\b0\b", text)
    features = {("length", len(text).bit_length()), ("digits", digits), *special}
    return answer.visits | {repr(answer.value), *features}


def _is_answer(output: Output) -> bool:
    value = output.value if output.has_ended else None
    is_empty = value is None or (isinstance(value, str) and not value.strip())
    return not is_empty and len(repr(value)) <= MAX_KB * 1024
