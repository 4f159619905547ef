"""Stores the right and wrong programs of problems, from their rows and from files with labels."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from microcoder_data.row_reader import read_objects
from microcoder_eval.audit.labelled_programs import LABEL_KEYS, Program, Programs
from microcoder_eval.errors import DataError
from microcoder_eval.formats import BadLine, error_text, read_solutions
from microcoder_eval.records import Kind, Problem, Solution

# Labels with another "validation" may be wrong or depend on the machine, and are ignored.
_TRUSTED = frozenset({None, "confirmed", "not_run"})


@dataclass(slots=True)
class ProgramStore:
    """All programs, in memory. languages: programs in others are ignored.

    left_out: how many programs of files are ignored, by reason.
    """

    languages: Collection[str] = ("python",)
    programs: Programs = field(default_factory=Programs)
    left_out: Counter[str] = field(default_factory=Counter)

    def read_file(self, solutions: str, labels: str | None) -> None:
        """Read the programs of a file and their labels. Raises DataError for an unreadable file."""
        label_by_id = None if labels is None else _read_labels(labels)
        for bad_line in self.programs.read(self._read_trusted(solutions, label_by_id), solutions):
            self.left_out[_summarize_reason(bad_line.reason)] += 1

    def _read_trusted(
        self, path: str, label_by_id: Mapping[str, Mapping[str, Any]] | None
    ) -> Iterator[Any]:
        for solution in read_solutions(path, None):
            if isinstance(solution, BadLine):
                yield solution  # which read_file counts
                continue
            code = solution.find_code()
            # Not the answer that holds it: stages change and compare the code.
            solution = replace(solution, code=code, response=None)
            if solution.language not in self.languages:
                self.left_out[f"in {solution.language}, which this stage does not run"] += 1
            elif code is None:
                self.left_out["the answer holds no program"] += 1
            elif label_by_id is None:  # there is no file of labels
                yield solution
            elif (label := label_by_id.get(solution.solution_id)) is not None:
                if label.get("validation") in _TRUSTED:
                    yield _apply_label(solution, label)
                else:
                    self.left_out[f"label is {label['validation']}"] += 1
            else:
                self.left_out["no label"] += 1

    def select_programs(self, problem: Problem) -> tuple[list[Program], list[Program], int]:
        """Return the right and the wrong programs of a problem, in order, and the number of
        unusable programs: those in another language or without a known verdict."""
        all_programs, unreadable = self.programs.select_programs(problem)
        programs = [program for program in all_programs if self._is_usable(program, problem)]
        unusable = len(unreadable) + len(all_programs) - len(programs)
        right_programs = [program for program in programs if program.right]
        return right_programs, [program for program in programs if not program.right], unusable

    def select_known(self, problem: Problem) -> tuple[list[Program], list[Program]]:
        """Return the right and the wrong programs of a problem. A program of a file without a
        label, such as a sample of a model, counts as right only if there is no other right one."""
        right, wrong, _ = self.select_programs(problem)
        of_file = self.programs.by_problem.get(problem.problem_id, ())
        known = [program for program in right if program.label or program not in of_file]
        return known or right, wrong

    def _is_usable(self, program: Program, problem: Problem) -> bool:
        language = program.solution.language
        return language in self.languages and (language == "python" or problem.kind is Kind.STDIN)


def _apply_label(solution: Solution, label: Mapping[str, Any]) -> Solution:
    """Return the solution with the label's verdict; "accept" overrides a verdict that contradicts
    it."""
    verdict = label.get("verdict", label.get("accept"))
    if label.get("accept") is True:
        verdict = "AC"
    elif label.get("accept") is False and verdict in (None, "AC", True):
        verdict = "WA"
    return replace(solution, meta={**_remove_labels(solution.meta), "expected_verdict": verdict})


def _remove_labels(meta: Mapping[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in meta.items() if key not in LABEL_KEYS}


def _summarize_reason(reason: str) -> str:
    if reason.startswith("language "):
        return "language not judged here"
    return error_text.shorten(reason.partition(";")[0], 200)


def _read_labels(path: str) -> dict[str, Mapping[str, Any]]:
    """Labels by solution_id. Raises DataError for a line that is not a label."""
    labels: dict[str, Mapping[str, Any]] = {}
    for place, value in read_objects(path):
        if not isinstance(value.get("solution_id"), str):
            raise DataError('a label needs "solution_id"', place)
        if "accept" not in value and "verdict" not in value:
            raise DataError('a label needs "accept" or "verdict"', place)
        labels[value["solution_id"]] = value
    return labels
