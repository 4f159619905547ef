"""The third stage: what is worth training on, once each, of a known difficulty."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

from microcoder_eval.data.collect.dates import iso_date
from microcoder_eval.data.endpoint import Client, EndpointError
from microcoder_eval.data.inputs import file_sha256
from microcoder_eval.data.process.instruction import without_instruction
from microcoder_eval.data.process.stage import settings_of
from microcoder_eval.data.reading import read_row, with_findings
from microcoder_eval.data.reasons import Found, Policy
from microcoder_eval.data.recipe import Difficulty, Endpoint, Filter
from microcoder_eval.data.rows import Row, text_of
from microcoder_eval.data.stage import Drop, Given, Kept, Page, Plain, Settled
from microcoder_eval.errors import DataError

from . import calibration, quality, scoring
from .duplicates import Candidate, duplicates, traits
from .features import features_of


@cache
def _client(endpoint: Endpoint) -> Client:
    return Client(endpoint)


@dataclass(slots=True)
class FilterStage(Plain):
    """Rules on each problem, then duplicates and difficulty over all."""

    recipe: Filter
    seed: int = 0
    name: str = "filter"
    rates: dict[str, float] = field(init=False, default_factory=dict)
    rates_sha256: str = field(init=False, default="")
    _told: dict[str, Any] = field(init=False, default_factory=dict)

    def __post_init__(self) -> None:
        """Raises DataError for pass rates that cannot be read, or a window that is none."""
        for day in (self.recipe.since, self.recipe.until):
            if day is not None and iso_date(day) is None:
                raise DataError(f'the window needs days such as 2024-08-01, not "{day}"')
        path = self._difficulty.pass_rates
        if path is not None:
            self.rates = calibration.read_pass_rates(path)
            self.rates_sha256 = file_sha256(Path(path))

    @property
    def _difficulty(self) -> Difficulty:
        return self.recipe.difficulty or Difficulty()

    def settings(self) -> Mapping[str, Any]:
        """See Stage."""
        return {**settings_of(self.recipe), "pass_rates_sha256": self.rates_sha256}

    def work(self, given: Given) -> Page:
        """Judge one problem by itself, and note what the others are compared by."""
        row = read_row(given)
        statement = without_instruction(text_of(row, "statement"))
        policy = Policy(frozenset(self.recipe.keep), frozenset(self.recipe.drop))
        found = list(quality.look(statement, self.recipe)) if statement else []
        found += [*self._date(row), *_described(row)]
        if (drop := policy.gravest(found)) is not None:
            return Page(row, drop)
        try:
            row, rate = self._scored(row, statement)
        except EndpointError as error:
            failed = Found("scoring_failed", str(error))
            if policy.drops(failed.name):
                return Page(row, failed.drop())
            rate = None
        near, levelled = bool(self.recipe.near_duplicate), bool(self.recipe.paraphrase)
        facts = {**traits(row, statement, near, levelled), "rate": rate,
                 "score": row.get("difficulty_score")}  # fmt: skip
        return Page(with_findings(row, found), features=facts)

    def _date(self, row: Row) -> Iterator[Found]:
        """Where it lies to the recipe's window."""
        since, until = (
            iso_date(day) if day else None for day in (self.recipe.since, self.recipe.until)
        )
        given = row.get("date")
        if given in (None, ""):
            if self.recipe.undated == "drop":
                yield Found("undated", "it has no date")
            return
        day = iso_date(given)
        if day is None:
            yield Found("invalid_date", f"{given!r}"[:80])
        elif since and day < since:
            yield Found("too_old", f"{day} is before {since}")
        elif until and day > until:
            yield Found("too_new", f"{day} is after {until}")

    def _scored(self, row: Row, statement: str) -> tuple[Row, float | None]:
        """The row with its dimensions and score. Raises EndpointError."""
        rate = self.rates.get(str(row["problem_id"]), calibration.pass_rate_in(row))
        if statement:  # without one there is nothing to rate
            dimensions = self._dimensions(row, statement)
            score = scoring.score(dimensions, self._difficulty.weights)
            row = {**row, "difficulty_dimensions": dimensions, "difficulty_score": score}
        if rate is not None:
            row["pass_rate"] = rate
        if row.get("difficulty") is not None and "source_difficulty" not in row:
            row["source_difficulty"] = row["difficulty"]
        return row, rate

    def _dimensions(self, row: Row, statement: str) -> dict[str, float]:
        if self._difficulty.endpoint is not None:
            return scoring.asked(_client(self._difficulty.endpoint), statement)
        return scoring.offline(features_of(row, statement))

    def settle(self, kept: Iterator[Kept]) -> Settled:
        """One of each, then labels, then quotas."""
        some = [Candidate(one.position, one.problem_id, one.features) for one in kept]
        decided: dict[int, Drop | Mapping[str, Any]] = {}
        recipe = self.recipe
        decided |= duplicates(
            some, recipe.exact_duplicates, recipe.near_duplicate, recipe.paraphrase
        )
        some = [one for one in some if one.position not in decided]
        decided |= self._solved(some)
        some = [one for one in some if one.position not in decided]
        return decided | self._labelled(some)

    def _solved(self, some: list[Candidate]) -> dict[int, Drop]:
        """Problems that teach nothing, if the recipe says so."""
        dropped = {}
        for one in some:
            rate = one.traits["rate"]
            if rate == 1 and self._difficulty.drop_solved:
                dropped[one.position] = Drop("always_solved", "pass rate 1")
            elif rate == 0 and self._difficulty.drop_unsolved:
                dropped[one.position] = Drop("never_solved", "pass rate 0")
        return dropped

    def _labelled(self, some: list[Candidate]) -> dict[int, Drop | Mapping[str, Any]]:
        recipe = self._difficulty
        pairs = [(one.traits["score"], one.traits["rate"]) for one in some]
        measured = [(s, r) for s, r in pairs if s is not None and r is not None]
        boundaries = calibration.calibrated(measured, recipe)
        labels = [
            (one.position, one.problem_id, calibration.label(score, rate, boundaries, recipe))
            for one, (score, rate) in zip(some, pairs, strict=True)
            if score is not None or rate is not None
        ]
        counts = Counter(name for _, _, name in labels)
        self._told = {
            "difficulty": {name: counts[name] for name in calibration.LABELS},
            "boundaries": {"easy_up_to": boundaries.easy, "hard_from": boundaries.hard,
                           "measured_problems": boundaries.measured},
        }  # fmt: skip
        decided: dict[int, Drop | Mapping[str, Any]] = {
            position: {"difficulty": name} for position, _, name in labels
        }
        if recipe.quota is None and recipe.total is None:
            return decided
        stay, wanted = calibration.selected(labels, recipe, self.seed)
        self._told["selected"] = wanted
        for position, _, name in labels:
            if position not in stay:
                detail = f"{counts[name]} problems are {name}, {wanted[name]} are wanted"
                decided[position] = Drop("quota", detail, {"difficulty": name})
        return decided

    def facts(self) -> Mapping[str, Any]:
        """See Stage."""
        return self._told


def _described(row: Row) -> Iterator[Found]:
    """What is said of a problem, and what is not."""
    if not text_of(row, "licence").strip():
        yield Found("no_licence", "it names no licence")
    rate = row.get("pass_rate")
    if rate is not None and calibration.pass_rate_in(row) is None:
        yield Found("invalid_pass_rate", f"{rate!r}"[:80])
