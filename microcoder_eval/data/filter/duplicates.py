"""One of each: problems with the same statement, the same tests, or nearly the same words, whatever
their numbers and names."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping, Set
from dataclasses import dataclass, field
from typing import Any

from microcoder_eval.data.levelled import ENOUGH, words_among
from microcoder_eval.data.rows import Row, kind_of, tests_of, text_of
from microcoder_eval.data.similarity import (
    Alike,
    level_tokens_of,
    packed,
    packed_jaccard,
    shingles,
    signature,
    tokens_of,
)
from microcoder_eval.data.stage import Drop

_GRAM = 3  # words
_FEW_TESTS, _FEW_BYTES = 3, 60  # below which different problems may well have the same tests
_MANY_TESTS = 5  # from which problems that share nearly all are one
_EXACT = {
    "statement": ("exact_duplicate", "has the same statement"),
    "tests": ("exact_duplicate", "has the same tests"),
}
_SHORT = {"short": ("near_duplicate", "says the same with other numbers")}
_SLACK = 0.1  # by which MinHash may be mistaken where it only looks for what is alike


def traits(row: Row, statement: str, near: bool, levelled: bool = False) -> dict[str, Any]:
    """What duplicates are found by. statement: without our instruction. near: its words, too.
    levelled: these with numbers, names and identifiers made alike."""
    words = tokens_of(statement)
    found: dict[str, Any] = {"rank": _rank(row)}
    if words:
        found["statement"] = _digest(" ".join(words))
        if near:
            found["words"] = _alike_by(shingles(words, _GRAM))
    if levelled and words_among(level := level_tokens_of(statement)) >= ENOUGH:
        found["levelled"] = _alike_by(shingles(level, _GRAM))
    elif levelled and words:  # in so short a text all else must be the same
        found["short"] = _digest(" ".join("#" if word[0].isdigit() else word for word in words))
    tests = _tests(row)
    if _telling(tests, kind_of(row)):
        found["tests"] = _digest("\n".join(tests))
        if near and len(set(tests)) >= _MANY_TESTS:
            found["set of tests"] = _alike_by(set(tests))
    return found


def _alike_by(grams: set[str]) -> dict[str, str]:
    """What finds texts that are alike, and what decides whether they are."""
    return {"signature": signature(grams), "grams": packed(grams)}


def _rank(row: Row) -> list[int]:
    """Which of two to keep: the one with programs, then with more tests."""
    known = row.get("solutions")
    return [-min(1, len(known) if isinstance(known, list) else 0), -len(tests_of(row))]


def _tests(row: Row) -> list[str]:
    """The tests as texts, in an order that says nothing."""
    if kind_of(row) == "assert":
        lines = sorted(line.strip() for line in text_of(row, "test_code").split("\n"))
        return [line for line in lines if line]
    return sorted(
        json.dumps([test.get("input"), test.get("output")], sort_keys=True)
        for test in tests_of(row)
        if "output" in test
    )


def _telling(tests: list[str], kind: str) -> bool:
    """Whether they are so many and so long that no other problem has them by chance."""
    enough = len(tests) >= _FEW_TESTS or kind == "assert"
    return enough and sum(map(len, tests)) >= _FEW_BYTES


def _digest(text: str) -> str:
    return hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()


@dataclass(frozen=True, slots=True)
class Candidate:
    """A problem as the search for duplicates sees it."""

    position: int
    problem_id: str
    traits: dict[str, Any]


def duplicates(
    some: Iterable[Candidate], exact: bool, near: float, paraphrase: float = 0
) -> dict[int, Drop]:
    """Which to drop, by position. near: similarity from which two are one; paraphrase: the same of
    levelled words; 0: never.

    The best of each group stays; of equally good ones, the first.
    """
    ordered = sorted(some, key=lambda one: (one.traits["rank"], one.position))
    known: dict[str, str] = {}
    names: set[str] = set()
    searches = []
    if near:
        searches = [_Search("words", "says nearly the same", near),
                    _Search("set of tests", "has nearly the same tests", near)]  # fmt: skip
    if paraphrase:
        told = "says the same with other numbers or names"
        searches.append(_Search("levelled", told, paraphrase))
    dropped: dict[int, Drop] = {}
    for one in ordered:
        drop = _named(one, names) if exact else None
        drop = drop or (_same(one, known, _EXACT) if exact else None)
        drop = drop or (_same(one, known, _SHORT) if paraphrase else None)
        for search in searches:
            drop = drop or search.match(one)
        if drop is not None:
            dropped[one.position] = drop
            continue
        names.add(one.problem_id)
        for key in (*_EXACT, *_SHORT):
            if key in one.traits:
                known.setdefault(key + one.traits[key], one.problem_id)
        for search in searches:
            search.add(one)
    return dropped


def _named(one: Candidate, names: Set[str]) -> Drop | None:
    """Whether a problem that stays has the same name; collect sees to that, where it was run."""
    if one.problem_id not in names:
        return None
    return Drop("duplicate_id", f'another problem is called "{one.problem_id}", too')


def _same(
    one: Candidate, known: dict[str, str], said: Mapping[str, tuple[str, str]]
) -> Drop | None:
    """Whether a problem that stays has the same of some trait. said: reason and words by trait."""
    for key, (reason, words) in said.items():
        other = known.get(key + one.traits[key]) if key in one.traits else None
        if other is not None:
            return Drop(reason, f'"{other}" {words}', {"kept": other, "same": key})
    return None


@dataclass(slots=True)
class _Search:
    """Finds problems that say what another one says. trait: what they are alike by.

    MinHash finds, the exact similarity decides: in thousands of pairs estimates are off by .15.
    """

    trait: str
    said: str
    threshold: float
    _alike: Alike | None = None
    _known: dict[int, str] = field(default_factory=dict)

    def add(self, one: Candidate) -> None:
        """Remember a problem that stays."""
        if self.trait in one.traits:
            self._alike = self._alike or Alike(max(0.0, self.threshold - _SLACK))
            self._alike.add((one.position, one.problem_id), one.traits[self.trait]["signature"])
            self._known[one.position] = one.traits[self.trait]["grams"]

    def match(self, one: Candidate) -> Drop | None:
        """The most alike of those remembered."""
        if self._alike is None or self.trait not in one.traits:
            return None
        mine = one.traits[self.trait]
        found = [(packed_jaccard(mine["grams"], self._known[position]), name)
                 for (position, name), _ in self._alike.like(mine["signature"])]  # fmt: skip
        similarity, other = max(found, key=lambda each: each[0], default=(0.0, ""))
        if similarity < self.threshold:
            return None
        told = f'"{other}" {self.said} ({similarity:.2f})'
        evidence = {"kept": other, "similarity": round(similarity, 3)}
        return Drop("near_duplicate", told, evidence)
