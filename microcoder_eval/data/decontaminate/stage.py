"""Drops what an evaluation holds, with the spans that show it."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from microcoder_eval.data import inputs
from microcoder_eval.data.process.stage import settings_of
from microcoder_eval.data.reading import read_row
from microcoder_eval.data.reasons import Found, Policy
from microcoder_eval.data.recipe import Decontaminate
from microcoder_eval.data.rows import digest
from microcoder_eval.data.similarity import signature
from microcoder_eval.data.stage import Given, Page, Plain

from .index import Index, Item, item_of, read_index
from .words import covered

_SHOWN = 5  # spans of a match
_LONGEST = 300  # characters of a span that are quoted
_FEW_TESTS = 2  # shared ones below which nothing is said


@cache
def _index(paths: tuple[str, ...], size: int, max_line_mb: float) -> Index:
    """Read once in each process."""
    return read_index(paths, size, max_line_mb)


@dataclass(slots=True)
class DecontaminateStage(Plain):
    """Compares each problem with all of the evaluation."""

    recipe: Decontaminate
    max_line_mb: float
    against_sha256: str
    name: str = "decontaminate"
    _told: dict[str, Any] = field(init=False, default_factory=dict)

    @classmethod
    def of(cls, recipe: Decontaminate, max_line_mb: float) -> DecontaminateStage:
        """The stage. Raises DataError for evaluation files that cannot be read."""
        sources = inputs.sources_of(recipe.against)
        return cls(recipe, max_line_mb, digest(json.dumps([s.sha256 for s in sources]).encode()))

    def settings(self) -> Mapping[str, Any]:
        """See Stage."""
        return {**settings_of(self.recipe), "against_sha256": self.against_sha256}

    def open(self, workers: int) -> None:
        """Read the evaluation once, for what there is to tell. Raises DataError where it holds no
        problem."""
        index = _index(self.recipe.against, self.recipe.ngram, self.max_line_mb)
        self._told = {"evaluation_problems": len(index.items)}
        if index.unreadable:
            self._told["evaluation_unreadable"] = index.unreadable

    def facts(self) -> Mapping[str, Any]:
        """See Stage."""
        return self._told

    def work(self, given: Given) -> Page:
        """Compare one problem."""
        row = read_row(given)
        index = _index(self.recipe.against, self.recipe.ngram, self.max_line_mb)
        policy = Policy(frozenset(self.recipe.keep), frozenset(self.recipe.drop))
        item = item_of(row)
        return Page(row, policy.gravest(matches(item, index, self.recipe)))


def matches(item: Item, index: Index, recipe: Decontaminate) -> Iterator[Found]:
    """Everything that a problem shares with the evaluation, the worst of each kind."""
    yield from _spans(item, index, recipe)
    yield from _whole(item, index, recipe)
    for number, count in index.with_tests(item.tests).most_common(1):
        other = index.items[number]
        share = count / min(len(item.tests), len(other.tests))
        if count >= _FEW_TESTS and share >= recipe.tests:
            told = f'{count} tests are those of "{other.name}"'
            yield Found("contaminated_tests", told, {"problem": other.name, "shared": count})
    yield from _solutions(item, index, recipe)


def _spans(item: Item, index: Index, recipe: Decontaminate) -> Iterator[Found]:
    """Runs of words shared with one problem, as written or levelled."""
    best: tuple[float, int, list[tuple[int, int]]] | None = None
    for number, pairs in index.sharing(item.words).items():
        runs = covered([here for here, _ in pairs], recipe.ngram)
        shared = sum(end - start for start, end in runs)
        fewer = min(len(item.words.level), len(index.items[number].words.level))
        share = min(1.0, shared / fewer)
        if share >= recipe.span_share and (best is None or share > best[0]):
            best = (share, number, pairs)
    if best is None:
        return
    share, number, pairs = best
    other = index.items[number]
    runs = covered([here for here, _ in pairs], recipe.ngram)
    there = dict(pairs)
    written = any(
        item.words.written[here : here + recipe.ngram]
        == other.words.written[place : place + recipe.ngram]
        for here, place in pairs
    )
    name = "contaminated_statement" if written else "contaminated_paraphrase"
    evidence = {
        "problem": other.name,
        "share": round(share, 3),
        "spans": [_span(item, other, run, there[run[0]]) for run in runs[:_SHOWN]],
    }
    yield Found(name, f'{100 * share:.0f} % of the words are in "{other.name}"', evidence)


def _span(item: Item, other: Item, run: tuple[int, int], there: int) -> dict[str, Any]:
    """Where a run of words stands in both statements, in characters."""
    start, end = item.words.starts[run[0]], item.words.ends[run[1] - 1]
    last = min(there + run[1] - run[0], len(other.words.ends)) - 1
    return {
        "text": item.text[start:end][:_LONGEST],
        "at": [start, end],
        "there": [other.words.starts[there], other.words.ends[last]],
    }


def _whole(item: Item, index: Index, recipe: Decontaminate) -> Iterator[Found]:
    """Statements alike as a whole: short ones hold no long n-gram."""
    if not item.level:
        return
    found: list[tuple[float, str, Item]] = []
    for number, _ in index.alike.like(signature(item.level)):
        other = index.items[number]
        for name, one, two, least in (
            ("contaminated_statement", item.written, other.written, recipe.statement),
            ("contaminated_paraphrase", item.level, other.level, recipe.paraphrase),
        ):
            share = len(one & two) / len(one | two)
            if share >= least:
                found.append((share, name, other))
    if found:
        share, name, other = max(
            found, key=lambda one: (one[1] == "contaminated_statement", one[0])
        )
        evidence = {
            "problem": other.name,
            "similarity": round(share, 3),
            "spans": [{"text": item.text[:_LONGEST], "at": [0, len(item.text)],
                       "there": [0, len(other.text)]}],
        }  # fmt: skip
        yield Found(name, f'it says what "{other.name}" says ({share:.2f})', evidence)


def _solutions(item: Item, index: Index, recipe: Decontaminate) -> Iterator[Found]:
    for some in item.solutions:
        for (number, place), _ in index.programs.like(signature(some)):
            other = index.items[number].solutions[place]
            share = len(some & other) / len(some | other)
            if share >= recipe.solution:
                name = index.items[number].name
                told = f'a solution is that of "{name}" ({share:.2f})'
                yield Found("contaminated_solution", told, {"problem": name})
                return


def compare(one: Sequence[Mapping[str, Any]], other: Sequence[Mapping[str, Any]]) -> list[Found]:
    """Every match of some problems with others: an empty list says that they share nothing."""
    recipe = Decontaminate()
    index = Index(recipe.ngram)
    for row in other:
        index.add(item_of(dict(row)))
    index.settle()
    return [found for row in one for found in matches(item_of(dict(row)), index, recipe)]
