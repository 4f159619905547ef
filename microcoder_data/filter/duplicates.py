"""Finds duplicates: problems with the same or nearly the same statement, tests or programs."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields
from typing import Any

from microcoder_data.recipe import Filter
from microcoder_data.rows import Row, get_kind, get_solutions, get_tests, get_text, hash_text
from microcoder_data.similarity import (
    SimilarSets,
    contradict,
    pack_answers,
    pack_grams,
    pack_shingles,
    split_tokens,
)
from microcoder_data.stage import Drop, KeptProblem
from microcoder_eval.console.progress import ProgressCounter

from .labels import Rated
from .program_hashes import hash_programs

_GRAM_WORDS = 3
# With fewer or shorter tests, different problems may have the same tests by chance.
_MIN_SAME_TESTS, _MIN_SAME_CHARACTERS = 3, 60
# Problems with at least this many tests are compared by the share of common tests.
_MIN_SIMILAR_TESTS = 5
_EXACT_DUPLICATES = {
    "statement": ("exact_duplicate", "has the same statement"),
    "tests": ("exact_duplicate", "has the same tests"),
}
_SAME_PROGRAMS = {"programs": ("near_duplicate", "has the same solution, but for names")}


@dataclass(frozen=True, slots=True)
class DuplicateFeatures:
    """Hashes and sets of n-grams by which duplicates are found; None if a problem lacks a feature.

    rank: the sort key of which duplicate to keep.
    words, test_set: packed grams.
    programs: hashes of right programs without their names.
    answers: the expected output of each input, packed.
    """

    rank: Sequence[float]
    statement: str | None = None
    words: str | None = None
    tests: str | None = None
    test_set: str | None = None
    programs: Sequence[str] | None = None
    answers: str | None = None

    def to_json(self) -> dict[str, Any]:
        """Return what ``from_json`` reads."""
        return {key: value for key, value in asdict(self).items() if value is not None}

    @classmethod
    def from_json(cls, features: Mapping[str, Any]) -> DuplicateFeatures:
        """Return the features of a log; other keys are ignored."""
        values: dict[str, Any] = {entry.name: features.get(entry.name) for entry in fields(cls)}
        return cls(**values)


def compute_duplicate_features(row: Row, statement: str, magnitude: float) -> DuplicateFeatures:
    """Return the features of a problem. statement: without our instruction. magnitude: of its
    largest number."""
    tokens = split_tokens(statement)
    tests = _list_tests(row)
    is_distinctive = _are_distinctive(tests, get_kind(row))
    are_many = is_distinctive and len(set(tests)) >= _MIN_SIMILAR_TESTS
    return DuplicateFeatures(
        _rank_row(row, magnitude),
        statement=hash_text(" ".join(tokens)) if tokens else None,
        words=pack_shingles(tokens, _GRAM_WORDS) or None,
        tests=hash_text("\n".join(tests)) if is_distinctive else None,
        test_set=pack_grams(tests) if are_many else None,
        programs=hash_programs(row) or None,
        answers=pack_answers(get_tests(row)) or None,
    )


def _rank_row(row: Row, magnitude: float) -> list[float]:
    """Return a sort key; of several duplicates, the one with the lowest key is kept.

    Problems with programs come first, then those with larger numbers, then those with more tests.
    If two problems differ in their limits only, a solution of the larger one solves both.
    """
    return [-int(bool(get_solutions(row))), -magnitude, -len(get_tests(row))]


def _list_tests(row: Row) -> list[str]:
    """Return the tests as texts, sorted."""
    if get_kind(row) == "assert":
        lines = sorted(line.strip() for line in get_text(row, "test_code").split("\n"))
        return [line for line in lines if line]
    return sorted(
        json.dumps([test.get("input"), test.get("output")], sort_keys=True)
        for test in get_tests(row)
        if "output" in test
    )


def _are_distinctive(tests: list[str], kind: str) -> bool:
    """Whether there are so many tests, and so long ones, that no other problem has them by
    chance."""
    are_many = len(tests) >= _MIN_SAME_TESTS or kind == "assert"
    return are_many and sum(map(len, tests)) >= _MIN_SAME_CHARACTERS


@dataclass(frozen=True, slots=True)
class Candidate:
    """A kept problem with the features that decisions over all problems need.

    rated: what its difficulty is derived from. findings: names of those that it has so far.
    """

    position: int
    problem_id: str
    features: DuplicateFeatures
    rated: Rated
    findings: Sequence[str]

    @classmethod
    def from_problem(cls, problem: KeptProblem) -> Candidate:
        """Take the features of the filter stage apart."""
        features = problem.features
        return cls(
            problem.position,
            problem.problem_id,
            DuplicateFeatures.from_json(features),
            Rated(**features["rated"]),
            features["findings"],
        )


def find_duplicates(candidates: Sequence[Candidate], recipe: Filter) -> dict[int, Drop]:
    """Return the duplicates by position: those to drop, and those that the recipe keeps. The best
    problem of each group stays; of equally good ones, the first."""
    searches: list[_ExactSearch | _SimilaritySearch] = []  # what proves most comes first
    if recipe.exact_duplicates:
        searches.append(_ExactSearch(_EXACT_DUPLICATES, compares_ids=True))
    if threshold := recipe.near_duplicate:
        searches.append(_ExactSearch(_SAME_PROGRAMS))
        searches += (
            _SimilaritySearch(name, description, threshold, candidates)
            for name, description in (
                ("words", "says nearly the same"),
                ("test_set", "has nearly the same tests"),
            )
        )
    duplicates: dict[int, Drop] = {}
    ranking = sorted(
        candidates, key=lambda candidate: (*candidate.features.rank, candidate.position)
    )
    with ProgressCounter("problems: filter, compared with each other", len(ranking)) as progress:
        for candidate in ranking:
            matches = (search.find_match(candidate) for search in searches)
            drop = next((match for match in matches if match is not None), None)
            if drop is not None:
                duplicates[candidate.position] = drop
            if drop is None or not recipe.must_drop(drop.reason):
                for search in searches:
                    search.add(candidate)
            progress.advance()
    return duplicates


@dataclass(slots=True)
class _ExactSearch:
    """Finds problems with an equal feature. descriptions: by feature (reason, sentence).

    compares_ids: whether problems with equal names match too; ``collect`` already drops them.
    """

    descriptions: Mapping[str, tuple[str, str]]
    compares_ids: bool = False
    _problem_ids: set[str] = field(default_factory=set)
    _ids_by_feature: dict[tuple[str, str], str] = field(default_factory=dict)

    def add(self, candidate: Candidate) -> None:
        """Add a problem that is kept."""
        self._problem_ids.add(candidate.problem_id)
        for key in self._list_keys(candidate):
            self._ids_by_feature.setdefault(key, candidate.problem_id)

    def find_match(self, candidate: Candidate) -> Drop | None:
        """Return the drop of a problem that repeats an added one."""
        if self.compares_ids and candidate.problem_id in self._problem_ids:
            return Drop("duplicate_id", f'another problem is called "{candidate.problem_id}", too')
        for name, value in self._list_keys(candidate):
            other_id = self._ids_by_feature.get((name, value))
            if other_id is not None:
                reason, description = self.descriptions[name]
                evidence = {"kept": other_id, "same": name}
                return Drop(reason, f'"{other_id}" {description}', evidence)
        return None

    def _list_keys(self, candidate: Candidate) -> Iterator[tuple[str, str]]:
        """Yield (feature, value) of everything that is compared with other problems."""
        for name in self.descriptions:
            value: str | Sequence[str] | None = getattr(candidate.features, name)
            for item in (value,) if isinstance(value, str) else value or ():
                yield name, item


class _SimilaritySearch:
    """Finds problems with similar grams. name: of the feature that holds them."""

    def __init__(
        self,
        name: str,
        description: str,
        threshold: float,
        candidates: Sequence[Candidate],
    ) -> None:
        self._name, self._description = name, description
        self._added: list[Candidate] = []
        packed_sets = (self._get_grams(candidate) for candidate in candidates)
        self._sets = SimilarSets(
            (grams for grams in packed_sets if grams), threshold, ignores_boilerplate=True
        )

    def _get_grams(self, candidate: Candidate) -> str | None:
        grams: str | None = getattr(candidate.features, self._name)
        return grams

    def add(self, candidate: Candidate) -> None:
        """Add a problem that is kept."""
        if grams := self._get_grams(candidate):
            self._sets.add(len(self._added), grams)
            self._added.append(candidate)

    def find_match(self, candidate: Candidate) -> Drop | None:
        """Return the drop of a problem that is similar to an added one, naming the most similar."""
        grams = self._get_grams(candidate)
        answers = candidate.features.answers

        def differs(number: int) -> bool:
            other_answers = self._added[number].features.answers
            return contradict(answers or "", other_answers or "")

        match = self._sets.find_most_similar(grams, differs) if grams else None
        if match is None:
            return None
        similarity, number = match
        other_id = self._added[number].problem_id
        detail = f'"{other_id}" {self._description} ({similarity:.2f})'
        evidence = {"kept": other_id, "similarity": round(similarity, 3)}
        return Drop("near_duplicate", detail, evidence)
