"""One of each: problems with the same statement, the same tests, or nearly the same words."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from microcoder_eval.data.rows import Row, kind_of, tests_of, text_of
from microcoder_eval.data.similarity import Alike, shingles, signature, tokens_of
from microcoder_eval.data.stage import Drop

_GRAM = 3  # words
_FEW_TESTS, _FEW_BYTES = 3, 60  # below which different problems may well have the same tests


def traits(row: Row, statement: str, near: bool) -> dict[str, Any]:
    """What duplicates are found by. statement: without our instruction."""
    words = tokens_of(statement)
    found: dict[str, Any] = {"rank": _rank(row)}
    if words:
        found["statement"] = _digest(" ".join(words))
        if near:
            found["signature"] = signature(shingles(words, _GRAM))
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


def duplicates(some: Iterable[Candidate], exact: bool, near: float) -> dict[int, Drop]:
    """Which to drop, by position. near: similarity from which two are one; 0: never.

    The best of each group stays; of equally good ones, the first.
    """
    ordered = sorted(some, key=lambda one: (one.traits["rank"], one.position))
    known: dict[str, str] = {}
    alike = Alike(near) if near else None
    dropped: dict[int, Drop] = {}
    for one in ordered:
        drop = _exact(one, known) if exact else None
        if drop is None and alike is not None and "signature" in one.traits:
            drop = _near(one, alike)
        if drop is not None:
            dropped[one.position] = drop
            continue
        for key in ("statement", "tests"):
            if key in one.traits:
                known.setdefault(key + one.traits[key], one.problem_id)
        if alike is not None and "signature" in one.traits:
            alike.add((one.position, one.problem_id), one.traits["signature"])
    return dropped


def _exact(one: Candidate, known: dict[str, str]) -> Drop | None:
    for key in ("statement", "tests"):
        other = known.get(key + one.traits[key]) if key in one.traits else None
        if other is not None:
            detail = f'"{other}" has the same {key}'
            return Drop("exact_duplicate", detail, {"kept": other, "same": key})
    return None


def _near(one: Candidate, alike: Alike) -> Drop | None:
    for (_, other), similarity in alike.like(one.traits["signature"]):
        told = f'"{other}" says nearly the same ({similarity:.2f})'
        return Drop("near_duplicate", told, {"kept": other, "similarity": round(similarity, 3)})
    return None
