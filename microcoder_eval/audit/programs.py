"""The programs an audit runs, and what is known of each: right or wrong."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from microcoder_eval.errors import DataError
from microcoder_eval.formats import BadLine, solution_from, words
from microcoder_eval.records import Problem, Solution


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


# The first of these keys that a line carries is its label.
LABEL_KEYS = ("accept", "expected_verdict", "verdict", "graded")
_RIGHT = _words("ac accept accepted ok correct right pass passed true 1")
_WRONG = _words(
    "wa tle mle ole re ce rte pe wrong wrong_answer presentation_error time_limit_exceeded "
    "memory_limit_exceeded output_limit_exceeded runtime_error run_time_error compile_error "
    "compilation_error partial partially_accepted incorrect reject rejected fail failed false 0 "
    "crashed challenged hacked"
)
_OF_RESOURCES = _words("tle mle time_limit_exceeded memory_limit_exceeded")


@dataclass(frozen=True, slots=True)
class Program:
    """A solution and what is known of it.

    right: whether it should pass. label: the word that says so; empty: it was not labelled, and
    who hands a program to an audit without a word hands it over as a reference.
    """

    solution: Solution
    right: bool = True
    label: str = ""

    @property
    def name(self) -> str:
        """What it is called in findings."""
        return self.solution.solution_id

    @property
    def only_too_slow(self) -> bool:
        """Whether it is known to fail by time or memory alone, which machines differ in."""
        return _word(self.label) in _OF_RESOURCES


def labelled(solution: Solution) -> Program:
    """The solution with the label it carries. Raises DataError for a label that says nothing."""
    for key in LABEL_KEYS:
        value = solution.meta.get(key)
        if value is None:
            continue
        word = _word(value)
        if word in _RIGHT or word in _WRONG:
            return Program(solution, word in _RIGHT, str(value))
        raise DataError(
            f'"{key}" must say whether the program is right, not {words.described(value)}; '
            'write "AC", "WA", "TLE", true or false, or leave it out for a right program'
        )
    return Program(solution)


def _word(value: object) -> str:
    return str(value).strip().lower().replace(" ", "_").replace("-", "_")


@dataclass(slots=True)
class Programs:
    """Programs by problem: those of a file of solutions, and those that problems carry."""

    given: dict[str, list[Program]] = field(default_factory=lambda: defaultdict(list))

    def read(self, solutions: Iterator[Solution | BadLine], path: str) -> Iterator[BadLine]:
        """Take all solutions of a file; yields the lines that cannot be used."""
        for solution in solutions:
            if isinstance(solution, BadLine):
                yield solution
                continue
            try:
                self.given[solution.problem_id].append(labelled(solution))
            except DataError as error:
                name = words.brief(solution.solution_id, 80)
                yield BadLine(path, 0, f'solution "{name}": {error.message}', "")

    def of(self, problem: Problem) -> tuple[list[Program], list[str]]:
        """What there is to run: the problem's own solutions, then those of the file.

        And why some of its own cannot be used, such as a language that is not supported.
        """
        own: list[Program] = []
        unusable: list[str] = []
        for number, line in enumerate(problem.solutions, 1):
            try:
                own.append(labelled(_solution(problem, number, line)))
            except DataError as error:
                unusable.append(error.message)
        return [*own, *self.given.get(problem.problem_id, ())], unusable


def _solution(problem: Problem, number: int, line: Mapping[str, Any]) -> Solution:
    name = f"{problem.problem_id}#own{number}"
    given = {"solution_id": name, **line, "problem_id": problem.problem_id}
    return solution_from(given, format="native")
