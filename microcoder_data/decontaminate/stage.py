"""The stage that drops what an evaluation holds, with the shared spans as evidence."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from microcoder_data import source_files
from microcoder_data.recipe import Decontaminate
from microcoder_data.row_reader import read_row
from microcoder_data.rows import hash_bytes
from microcoder_data.similarity import agree
from microcoder_data.stage import Decisions, KeptProblem, RawRecord, Stage, StageResult
from microcoder_eval.audit.findings import Finding

from . import spans
from .index import ComparableProblem, Index, make_comparable, read_index

_MIN_SHARED_TESTS = 2
_MIN_SHARED_CHARACTERS = 12  # of shared tests in all: different problems answer 3 by 2


_load_index = cache(read_index)  # read once in each process


@dataclass(slots=True)
class DecontaminateStage(Stage):
    """Compares each problem with all problems of the evaluation."""

    recipe: Decontaminate
    max_line_mb: float
    name: str = "decontaminate"
    _against_sha256: str = field(init=False)

    def __post_init__(self) -> None:
        """Raises DataError for evaluation files that cannot be read."""
        hashes = [source.sha256 for source in source_files.find_sources(self.recipe.against)]
        self._against_sha256 = hash_bytes(json.dumps(hashes).encode())

    def describe_settings(self) -> Mapping[str, Any]:
        """See Stage."""
        return {**self.recipe.model_dump(mode="json"), "against_sha256": self._against_sha256}

    def _read_evaluation(self) -> tuple[Index, list[str]]:
        return _load_index(self.recipe, self.max_line_mb)

    def open(self, workers: int) -> None:
        """Read the evaluation. Raises DataError where it holds no problem."""
        self._read_evaluation()

    def describe_facts(self) -> Mapping[str, Any]:
        """See Stage."""
        index, unreadable = self._read_evaluation()
        facts = {"evaluation_problems": len(index.problems)}
        return {**facts, "evaluation_unreadable": unreadable} if unreadable else facts

    def handle_record(self, record: RawRecord) -> StageResult:
        """Compare one problem."""
        row, (index, _) = read_row(record), self._read_evaluation()
        problem = make_comparable(row)
        drop = self.recipe.choose_drop(find_matches(problem, index))
        if drop is not None:
            return StageResult(row, drop)
        return StageResult(row, features=spans.collect_features(problem, index))

    def finalize(self, problems: Iterator[KeptProblem]) -> Decisions:
        """Drop what shares phrases with the evaluation that are not common to many problems."""
        index, _ = self._read_evaluation()
        matches = spans.find_contaminated(list(problems), self.recipe, len(index.problems))
        drops = ((position, self.recipe.choose_drop([finding])) for position, finding in matches)
        return {position: drop for position, drop in drops if drop is not None}


def find_matches(problem: ComparableProblem, index: Index) -> Iterator[Finding]:
    """Yield what a problem shares with the evaluation, phrases apart: one match of each kind."""
    yield from _match_statement(problem, index)
    for number, count in index.count_shared_tests(problem.tests).most_common():
        other = index.problems[number]
        share = count / min(len(problem.tests), len(other.tests))
        size = sum(problem.tests[key] for key in problem.tests.keys() & other.tests.keys())
        is_certain = count >= _MIN_SHARED_TESTS and size >= _MIN_SHARED_CHARACTERS
        is_certain = is_certain and agree(problem.answers, other.answers)
        if is_certain and share >= index.recipe.tests:
            detail = f'{count} tests are those of "{other.name}"'
            yield Finding("contaminated_tests", detail, {"problem": other.name, "shared": count})
            break
    for program in problem.programs:
        if program in index.programs:
            name = index.problems[index.programs[program]].name
            detail = f'a solution is that of "{name}", but for names'
            yield Finding("contaminated_solution", detail, {"problem": name})
            return


def _match_statement(problem: ComparableProblem, index: Index) -> Iterator[Finding]:
    """Yield a statement similar to a whole other one; a short one has no n-gram long enough for
    spans."""
    name, match = "contaminated_statement", index.statements.find_most_similar(problem.shingles)
    if match is None:
        name = "contaminated_paraphrase"
        match = index.paraphrases.find_most_similar(problem.normalized_shingles)
    if match is None or not problem.shingles:
        return
    share, other = match[0], index.problems[match[1]]
    evidence = {
        "problem": other.name,
        "similarity": round(share, 3),
        "spans": [{"text": problem.text[: spans.MAX_SPAN_CHARACTERS], "at": [0, len(problem.text)],
                   "there": [0, len(other.text)]}],
    }  # fmt: skip
    yield Finding(name, f'it says what "{other.name}" says ({share:.2f})', evidence)
