"""The right and wrong programs of problems, from their own lines and from files with labels."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from microcoder_eval.audit import Program, Programs
from microcoder_eval.data.reading import object_at
from microcoder_eval.errors import DataError
from microcoder_eval.formats import BadLine, read_solutions
from microcoder_eval.formats.source import open_source
from microcoder_eval.records import Kind, Problem, Solution

# What a label's "validation" must say for a program to decide anything: others may be mistaken, or
# need another machine (data/README of the shared corpus).
_TRUSTED = frozenset({None, "confirmed", "not_run"})


@dataclass(slots=True)
class Shelf:
    """All programs there are. Held in memory, as the audit holds them.

    languages: those of others are left out.
    """

    languages: Collection[str] = ("python",)
    programs: Programs = field(default_factory=Programs)
    left_out: Counter[str] = field(default_factory=Counter)

    def read(self, solutions: str, labels: str | None) -> None:
        """Take the programs of a file. Raises DataError for one that cannot be read."""
        told = _labels(labels) if labels is not None else {}
        for bad in self.programs.read(self._labelled(solutions, told), solutions):
            self.left_out[bad.reason.partition(";")[0][:60]] += 1

    def _labelled(self, path: str, told: Mapping[str, Mapping[str, Any]]) -> Iterator[Any]:
        for solution in read_solutions(path, None):
            if isinstance(solution, BadLine):
                self.left_out[_kind_of(solution.reason)] += 1
                continue
            if solution.language not in self.languages:
                self.left_out[f"in {solution.language}, which the recipe does not name"] += 1
                continue
            label = told.get(solution.solution_id)
            if told and label is None:
                self.left_out["no label"] += 1
            elif label is not None and label.get("validation") not in _TRUSTED:
                self.left_out[f"label is {label['validation']}"] += 1
            else:
                yield _with(solution, label)

    def of(self, problem: Problem) -> tuple[list[Program], list[Program], int]:
        """The right and the wrong programs of a problem, in their order, and how many of its own
        cannot be used: of another language, or with a label that says nothing."""
        every, unreadable = self.programs.of(problem)
        programs = [program for program in every if self._usable(program, problem)]
        unusable = len(unreadable) + len(every) - len(programs)
        right = [program for program in programs if program.right]
        return right, [program for program in programs if not program.right], unusable

    def _usable(self, program: Program, problem: Problem) -> bool:
        language = program.solution.language
        return language in self.languages and (language == "python" or problem.kind is Kind.STDIN)


def _with(solution: Solution, label: Mapping[str, Any] | None) -> Solution:
    """The solution with its verdict as the label says it (the word, where there is one)."""
    if label is None:
        return solution
    word = label.get("verdict", label.get("accept"))
    if label.get("accept") is True:
        word = "AC"
    elif label.get("accept") is False and word in (None, "AC", True):
        word = "WA"
    meta = {key: value for key, value in solution.meta.items() if key != "accept"}
    return replace(solution, meta={**meta, "expected_verdict": word})


def _kind_of(reason: str) -> str:
    return "language not judged here" if reason.startswith("language ") else reason[:60]


def _labels(path: str) -> dict[str, Mapping[str, Any]]:
    """Labels by solution_id. Raises DataError for a line that is none."""
    labels: dict[str, Mapping[str, Any]] = {}
    with open_source(path) as source:
        for row in source.rows(1 << 30):
            value = object_at(row, path)
            if not isinstance(value.get("solution_id"), str):
                raise DataError('a label needs "solution_id"', f"{path}:{row.line}")
            if "accept" not in value and "verdict" not in value:
                raise DataError('a label needs "accept" or "verdict"', f"{path}:{row.line}")
            labels[value["solution_id"]] = value
    return labels
