"""Finds duplicates: problems with the same or nearly the same statement or tests, also where their
numbers and names differ."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields
from typing import Any

from microcoder_data.normalization import MIN_WORDS, count_words
from microcoder_data.rows import Row, get_kind, get_tests, get_text, hash_text
from microcoder_data.similarity import (
    MinHashIndex,
    compare_packed,
    compute_signature,
    make_shingles,
    pack_grams,
    split_normalized_tokens,
    split_tokens,
)
from microcoder_data.stage import Drop, KeptProblem

from .labels import Rated

_GRAM_WORDS = 3
# Different problems may have the same tests if these are fewer or shorter.
_MIN_SAME_TESTS, _MIN_SAME_CHARACTERS = 3, 60
_MIN_SIMILAR_TESTS = 5  # tests from which problems that share nearly all of them are duplicates
_EXACT_DUPLICATES = {
    "statement": ("exact_duplicate", "has the same statement"),
    "tests": ("exact_duplicate", "has the same tests"),
}
_SHORT_DUPLICATES = {"short": ("near_duplicate", "says the same with other numbers")}
_JSON_KEYS = {"normalized_words": "levelled", "test_set": "set of tests"}  # of features
_SEARCH_SLACK = 0.1  # allowed error of a MinHash estimate; the exact similarity decides


@dataclass(frozen=True, slots=True)
class Fingerprint:
    """The MinHash that finds similar sets, and the grams for their exact similarity."""

    signature: str
    grams: str

    @classmethod
    def from_grams(cls, grams: set[str]) -> Fingerprint:
        """The fingerprint of a set. Raises DataError where datasketch is missing."""
        return cls(compute_signature(grams), pack_grams(grams))


@dataclass(frozen=True, slots=True)
class DuplicateFeatures:
    """Hashes and fingerprints that duplicates are found by; None where a problem has none.

    rank: the sort key of which duplicate to keep. short: the hash of a short statement without its
    numbers. normalized_words: with numbers, names and identifiers normalized.
    """

    rank: Sequence[int]
    statement: str | None = None
    words: Fingerprint | None = None
    normalized_words: Fingerprint | None = None
    short: str | None = None
    tests: str | None = None
    test_set: Fingerprint | None = None

    def to_json(self) -> dict[str, Any]:
        """What ``from_json`` reads."""
        return {_JSON_KEYS.get(key, key): v for key, v in asdict(self).items() if v is not None}

    @classmethod
    def from_json(cls, features: Mapping[str, Any]) -> DuplicateFeatures:
        """The features of a log; other keys are ignored."""
        values: dict[str, Any] = {}
        for name in (entry.name for entry in fields(cls)):
            value = features.get(_JSON_KEYS.get(name, name))
            values[name] = Fingerprint(**value) if isinstance(value, dict) else value
        return cls(**values)


def compute_duplicate_features(
    row: Row, statement: str, *, with_near: bool, with_paraphrase: bool = False
) -> DuplicateFeatures:
    """The features of a problem.

    statement: without our instruction. with_near: add fingerprints of its words and of the tests.
    with_paraphrase: add one of its normalized words.
    """
    tokens = split_tokens(statement)
    features: dict[str, Any] = {}
    if tokens:
        features["statement"] = hash_text(" ".join(tokens))
        if with_near:
            features["words"] = Fingerprint.from_grams(make_shingles(tokens, _GRAM_WORDS))
    if (
        with_paraphrase
        and count_words(normalized_tokens := split_normalized_tokens(statement)) >= MIN_WORDS
    ):
        shingles = make_shingles(normalized_tokens, _GRAM_WORDS)
        features["normalized_words"] = Fingerprint.from_grams(shingles)
    elif with_paraphrase and tokens:  # in a short text only the numbers may differ
        features["short"] = hash_text(
            " ".join("#" if token[0].isdigit() else token for token in tokens)
        )
    tests = _list_tests(row)
    if _are_distinctive(tests, get_kind(row)):
        features["tests"] = hash_text("\n".join(tests))
        if with_near and len(set(tests)) >= _MIN_SIMILAR_TESTS:
            features["test_set"] = Fingerprint.from_grams(set(tests))
    return DuplicateFeatures(_rank_row(row), **features)


def _rank_row(row: Row) -> list[int]:
    """The sort key of which duplicate to keep: with programs first, then with more tests."""
    solutions = row.get("solutions")
    return [-min(1, len(solutions) if isinstance(solutions, list) else 0), -len(get_tests(row))]


def _list_tests(row: Row) -> list[str]:
    """The tests as texts, sorted."""
    if get_kind(row) == "assert":
        lines = sorted(line.strip() for line in get_text(row, "test_code").split("\n"))
        return [line for line in lines if line]
    return sorted(
        json.dumps([test.get("input"), test.get("output")], sort_keys=True)
        for test in get_tests(row)
        if "output" in test
    )


def _are_distinctive(tests: list[str], kind: str) -> bool:
    """Whether the tests are so many and so long that no other problem has them by chance."""
    are_many = len(tests) >= _MIN_SAME_TESTS or kind == "assert"
    return are_many and sum(map(len, tests)) >= _MIN_SAME_CHARACTERS


@dataclass(frozen=True, slots=True)
class Candidate:
    """A kept problem with the features that decisions over all problems need.

    rated: what its difficulty is told by.
    """

    position: int
    problem_id: str
    features: DuplicateFeatures
    rated: Rated

    @classmethod
    def from_problem(cls, problem: KeptProblem) -> Candidate:
        """Take the features of the filter stage apart."""
        features = problem.features
        return cls(
            problem.position,
            problem.problem_id,
            DuplicateFeatures.from_json(features),
            Rated(**features["rated"]),
        )


def find_duplicates(
    candidates: Iterable[Candidate],
    *,
    with_exact: bool,
    near_threshold: float,
    paraphrase_threshold: float = 0,
) -> dict[int, Drop]:
    """The duplicates to drop, by position.

    with_exact: drop equal names, statements and tests. near_threshold: the similarity from which
    problems are duplicates; paraphrase_threshold: that of normalized words; 0: never. The best of
    each group stays; of equally good ones, the first.
    """
    ranking = sorted(
        candidates, key=lambda candidate: (candidate.features.rank, candidate.position)
    )
    searches: list[_ExactSearch | _SimilaritySearch] = []
    if with_exact:
        searches.append(_ExactSearch(_EXACT_DUPLICATES, compares_ids=True))
    if paraphrase_threshold:
        searches.append(_ExactSearch(_SHORT_DUPLICATES))
    if near_threshold:
        searches.append(_SimilaritySearch("words", "says nearly the same", near_threshold))
        searches.append(_SimilaritySearch("test_set", "has nearly the same tests", near_threshold))
    if paraphrase_threshold:
        description = "says the same with other numbers or names"
        searches.append(_SimilaritySearch("normalized_words", description, paraphrase_threshold))
    drops: dict[int, Drop] = {}
    for candidate in ranking:
        matches = (search.find_match(candidate) for search in searches)
        drop = next((match for match in matches if match is not None), None)
        if drop is not None:
            drops[candidate.position] = drop
            continue
        for search in searches:
            search.add(candidate)
    return drops


@dataclass(slots=True)
class _ExactSearch:
    """Finds problems with an equal feature. descriptions: by feature (reason, sentence).

    compares_ids: equal names match, too (``collect`` drops them where it was run).
    """

    descriptions: Mapping[str, tuple[str, str]]
    compares_ids: bool = False
    _problem_ids: set[str] = field(default_factory=set)
    _ids_by_feature: dict[tuple[str, str], str] = field(default_factory=dict)

    def add(self, candidate: Candidate) -> None:
        """Add a problem that is kept."""
        self._problem_ids.add(candidate.problem_id)
        for name in self.descriptions:
            feature = getattr(candidate.features, name)
            if feature is not None:
                self._ids_by_feature.setdefault((name, feature), candidate.problem_id)

    def find_match(self, candidate: Candidate) -> Drop | None:
        """The drop of a problem that repeats an added one."""
        if self.compares_ids and candidate.problem_id in self._problem_ids:
            return Drop("duplicate_id", f'another problem is called "{candidate.problem_id}", too')
        for name, (reason, description) in self.descriptions.items():
            other_id = self._ids_by_feature.get((name, getattr(candidate.features, name)))
            if other_id is not None:
                evidence = {"kept": other_id, "same": name}
                return Drop(reason, f'"{other_id}" {description}', evidence)
        return None


@dataclass(slots=True)
class _SimilaritySearch:
    """Finds problems with a similar fingerprint. name: of the field that holds it.

    MinHash finds candidates and the exact similarity decides: in thousands of pairs some estimates
    are wrong by .15.
    """

    name: str
    description: str
    threshold: float
    _index: MinHashIndex | None = None
    _grams: dict[int, str] = field(default_factory=dict)

    def add(self, candidate: Candidate) -> None:
        """Add a problem that is kept."""
        fingerprint: Fingerprint | None = getattr(candidate.features, self.name)
        if fingerprint is not None:
            self._index = self._index or MinHashIndex(max(0.0, self.threshold - _SEARCH_SLACK))
            key = (candidate.position, candidate.problem_id)
            self._index.add(key, fingerprint.signature)
            self._grams[candidate.position] = fingerprint.grams

    def find_match(self, candidate: Candidate) -> Drop | None:
        """The drop of a problem that is similar to an added one, naming the most similar."""
        fingerprint: Fingerprint | None = getattr(candidate.features, self.name)
        if self._index is None or fingerprint is None:
            return None
        matches = [
            (compare_packed(fingerprint.grams, self._grams[position]), problem_id)
            for (position, problem_id), _ in self._index.query(fingerprint.signature)
        ]
        similarity, other_id = max(matches, key=lambda match: match[0], default=(0.0, ""))
        if similarity < self.threshold:
            return None
        detail = f'"{other_id}" {self.description} ({similarity:.2f})'
        evidence = {"kept": other_id, "similarity": round(similarity, 3)}
        return Drop("near_duplicate", detail, evidence)
