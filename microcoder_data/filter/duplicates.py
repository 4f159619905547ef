"""Finds duplicates: problems with the same or nearly the same statement, tests or programs."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from microcoder_data.fingerprints import hash_programs
from microcoder_data.recipe import Filter
from microcoder_data.rows import (
    Row,
    get_examples,
    get_kind,
    get_solutions,
    get_tests,
    get_text,
    hash_text,
)
from microcoder_data.similarity import SimilarSets, agree, pack_answers, pack_grams, split_tokens
from microcoder_data.stage import Drop, KeptProblem
from microcoder_eval.console.progress import ProgressCounter

_GRAM_WORDS = 3
# With fewer or shorter tests, different problems may have the same tests by chance.
_MIN_SAME_TESTS, _MIN_SAME_CHARACTERS = 3, 60
# Problems with at least this many tests are compared by the share of common tests.
_MIN_SIMILAR_TESTS = 5
# Feature, reason, what the other problem has.
_EXACT_DUPLICATES = (
    ("problem_id", "duplicate_id", "has the same problem_id"),  # collect already drops these
    ("statement", "exact_duplicate", "has the same statement"),
    ("tests", "exact_duplicate", "has the same tests"),
)
_SAME_PROGRAMS = ("programs", "near_duplicate", "has the same solution, but for names")


def compute_duplicate_features(row: Row, statement: str, magnitude: float) -> dict[str, Any]:
    """Return the hashes and sets of n-grams by which duplicates are found, as JSON; a problem may
    lack any but its rank. statement: without our instruction. magnitude: of its largest number.

    rank: of several duplicates, the problem with the lowest is kept. Problems with programs come
        first, then those with larger numbers, then those with more tests. If two problems differ in
        their limits only, a solution of the larger one solves both.
    words, test_set: packed n-grams.
    programs: hashes of right programs without their names.
    answers: the expected output of each input of the tests and the statement's samples, packed.
    """
    tokens = split_tokens(statement)
    tests = _list_tests(row)
    is_distinctive = _are_distinctive(tests, get_kind(row))
    are_many = is_distinctive and len(set(tests)) >= _MIN_SIMILAR_TESTS
    features = {
        "rank": [-bool(get_solutions(row)), -magnitude, -len(get_tests(row))],
        "statement": hash_text(" ".join(tokens)) if tokens else None,
        "words": pack_grams(tokens, _GRAM_WORDS),
        "tests": hash_text("\n".join(tests)) if is_distinctive else None,
        "test_set": pack_grams(tests) if are_many else None,
        "programs": hash_programs(row),
        "answers": pack_answers([*get_examples(row), *get_tests(row)]),
    }
    return {name: value for name, value in features.items() if value}


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


def find_duplicates(problems: Sequence[KeptProblem], recipe: Filter) -> dict[int, Drop]:
    """Return the duplicates by position: those to drop, and those that the recipe keeps. The best
    problem of each group stays; of equally good ones, the first."""
    searches: list[_ExactSearch | _SimilaritySearch] = []  # what proves most comes first
    if recipe.exact_duplicates:
        searches += (_ExactSearch(*one) for one in _EXACT_DUPLICATES)
    if threshold := recipe.near_duplicate:
        searches += (
            _ExactSearch(*_SAME_PROGRAMS),
            _SimilaritySearch("words", "says nearly the same", threshold, problems),
            _SimilaritySearch("test_set", "has nearly the same tests", threshold, problems),
        )
    duplicates: dict[int, Drop] = {}
    ranking = sorted(problems, key=lambda problem: (*problem.features["rank"], problem.position))
    with ProgressCounter("problems: filter, compared with each other", len(ranking)) as progress:
        for problem in ranking:
            matches = (search.find_match(problem) for search in searches)
            drop = next((match for match in matches if match is not None), None)
            if drop is not None:
                duplicates[problem.position] = drop
            if drop is None or not recipe.must_drop(drop.reason):
                for search in searches:
                    search.add(problem)
            progress.advance()
    return duplicates


class _ExactSearch:
    """Finds problems with an equal feature, or with one of several."""

    def __init__(self, name: str, reason: str, description: str) -> None:
        self._name, self._reason, self._description = name, reason, description
        self._ids: dict[str, str] = {}  # of the problem that has a value

    def add(self, problem: KeptProblem) -> None:
        """Add a problem that is kept."""
        for value in self._list_values(problem):
            self._ids.setdefault(value, problem.problem_id)

    def find_match(self, problem: KeptProblem) -> Drop | None:
        """Return the drop of a problem that repeats an added one."""
        for value in self._list_values(problem):
            if (other_id := self._ids.get(value)) is not None:
                evidence = {"kept": other_id, "same": self._name}
                return Drop(self._reason, f'"{other_id}" {self._description}', evidence)
        return None

    def _list_values(self, problem: KeptProblem) -> Sequence[str]:
        values = {**problem.features, "problem_id": problem.problem_id}.get(self._name) or ()
        return (values,) if isinstance(values, str) else values


class _SimilaritySearch:
    """Finds problems with similar n-grams. name: of the feature that holds them."""

    def __init__(
        self, name: str, description: str, threshold: float, problems: Sequence[KeptProblem]
    ) -> None:
        self._name, self._description = name, description
        self._added: list[KeptProblem] = []
        packed_sets = [one.features[name] for one in problems if name in one.features]
        self._sets = SimilarSets(packed_sets, threshold, ignores_boilerplate=True)

    def add(self, problem: KeptProblem) -> None:
        """Add a problem that is kept."""
        if grams := problem.features.get(self._name):
            self._sets.add(len(self._added), grams)
            self._added.append(problem)

    def find_match(self, problem: KeptProblem) -> Drop | None:
        """Return the drop of a problem that is similar to an added one, naming the most similar."""

        def differs(number: int) -> bool:
            pair = (problem, self._added[number])
            return not agree(*(one.features.get("answers", "") for one in pair))

        grams = problem.features.get(self._name)
        match = self._sets.find_most_similar(grams, differs) if grams else None
        if match is None:
            return None
        similarity, other_id = match[0], self._added[match[1]].problem_id
        detail = f'"{other_id}" {self._description} ({similarity:.2f})'
        evidence = {"kept": other_id, "similarity": round(similarity, 3)}
        return Drop("near_duplicate", detail, evidence)
