"""One of each: problems with the same statement, the same tests, or nearly the same words, whatever
their numbers and names."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from microcoder_eval.data.levelled import ENOUGH, words_among
from microcoder_eval.data.rows import Row, kind_of, tests_of, text_of
from microcoder_eval.data.similarity import (
    Alike,
    level_tokens_of,
    shingles,
    signature,
    tokens_of,
)
from microcoder_eval.data.stage import Drop

_GRAM = 3  # words
_FEW_TESTS, _FEW_BYTES = 3, 60  # below which different problems may well have the same tests


def traits(row: Row, statement: str, near: bool, levelled: bool = False) -> dict[str, Any]:
    """What duplicates are found by. statement: without our instruction. near: its words, too.
    levelled: these with numbers, names and identifiers made alike."""
    words = tokens_of(statement)
    found: dict[str, Any] = {"rank": _rank(row)}
    if words:
        found["statement"] = _digest(" ".join(words))
        if near:
            found["signature"] = signature(shingles(words, _GRAM))
    if levelled and words_among(level := level_tokens_of(statement)) >= ENOUGH:
        found["levelled"] = signature(shingles(level, _GRAM))
    if (tests := _tests(row)) is not None:
        found["tests"] = tests
    return found


def _rank(row: Row) -> list[int]:
    """Which of two to keep: the one with programs, then with more tests."""
    known = row.get("solutions")
    return [-min(1, len(known) if isinstance(known, list) else 0), -len(tests_of(row))]


def _tests(row: Row) -> str | None:
    """The tests in any order; None where they say too little."""
    if kind_of(row) == "assert":
        lines = sorted(line.strip() for line in text_of(row, "test_code").split("\n"))
        text = "\n".join(line for line in lines if line)
        return _digest(text) if len(text) >= _FEW_BYTES else None
    tests = sorted(
        json.dumps([test.get("input"), test.get("output")], sort_keys=True)
        for test in tests_of(row)
        if "output" in test
    )
    if len(tests) < _FEW_TESTS or sum(map(len, tests)) < _FEW_BYTES:
        return None
    return _digest("\n".join(tests))


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
    searches = [_Search("signature", "nearly the same", near)] if near else []
    if paraphrase:
        searches.append(_Search("levelled", "the same with other numbers or names", paraphrase))
    dropped: dict[int, Drop] = {}
    for one in ordered:
        drop = _exact(one, known) if exact else None
        for search in searches:
            drop = drop or search.match(one)
        if drop is not None:
            dropped[one.position] = drop
            continue
        for key in ("statement", "tests"):
            if key in one.traits:
                known.setdefault(key + one.traits[key], one.problem_id)
        for search in searches:
            search.add(one)
    return dropped


def _exact(one: Candidate, known: dict[str, str]) -> Drop | None:
    for key in ("statement", "tests"):
        other = known.get(key + one.traits[key]) if key in one.traits else None
        if other is not None:
            detail = f'"{other}" has the same {key}'
            return Drop("exact_duplicate", detail, {"kept": other, "same": key})
    return None


@dataclass(slots=True)
class _Search:
    """Finds problems that say what another one says. trait: the signature that they share."""

    trait: str
    said: str
    threshold: float
    _alike: Alike | None = None

    def add(self, one: Candidate) -> None:
        """Remember a problem that stays."""
        if self.trait in one.traits:
            self._alike = self._alike or Alike(self.threshold)
            self._alike.add((one.position, one.problem_id), one.traits[self.trait])

    def match(self, one: Candidate) -> Drop | None:
        """The most alike of those remembered."""
        if self._alike is None or self.trait not in one.traits:
            return None
        for (_, other), similarity in self._alike.like(one.traits[self.trait]):
            told = f'"{other}" says {self.said} ({similarity:.2f})'
            evidence = {"kept": other, "similarity": round(similarity, 3)}
            return Drop("near_duplicate", told, evidence)
        return None
