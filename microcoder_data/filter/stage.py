"""The stage that drops bad texts and duplicates, rates difficulty and selects."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from microcoder_data.dates import to_iso_date
from microcoder_data.process.conversion.markdown import ANY_FENCE
from microcoder_data.process.instruction import remove_instruction
from microcoder_data.recipe import Difficulty, Filter
from microcoder_data.row_reader import add_findings, read_findings, read_row
from microcoder_data.rows import Row, get_text, name_source
from microcoder_data.source_files import hash_file
from microcoder_data.stage import Decisions, Drop, KeptProblem, RawRecord, Stage, StageResult
from microcoder_data.user_code import load_function
from microcoder_eval.audit.findings import Finding
from microcoder_eval.errors import DataError

from . import duplicates, features, labels, pass_rates, quotas
from .labels import Rated
from .own import apply_filters

_LOST_LETTERS = re.compile(r"\ufffd|ï¿½|ï»¿")  # signs in the place of letters
_WORD = re.compile(r"(?:https?://\S+)|\w+")  # an address is one word
_HEADING = re.compile(r"^#{1,6} .*$", re.MULTILINE)


@dataclass(slots=True)
class FilterStage(Stage):
    """Checks each problem alone, then decides on duplicates and difficulty over all."""

    recipe: Filter
    seed: int = 0
    name: str = "filter"
    rates: dict[str, float] = field(init=False, default_factory=dict)
    rates_sha256: str = field(init=False, default="")
    _facts: dict[str, Any] = field(init=False, default_factory=dict)

    def __post_init__(self) -> None:
        """Read pass rates and own filters. Raises DataError, also if since or until is no date."""
        for day in (self.recipe.since, self.recipe.until):
            if day is not None and to_iso_date(day) is None:
                raise DataError(f'filter.since and until: days such as 2024-08-01, not "{day}"')
        path = self._difficulty.pass_rates
        if path is not None:
            self.rates = pass_rates.read_pass_rates(path)
            self.rates_sha256 = hash_file(Path(path))
        for name in self.recipe.own:
            load_function(name)

    @property
    def _difficulty(self) -> Difficulty:
        return self.recipe.difficulty or Difficulty()

    def describe_settings(self) -> Mapping[str, Any]:
        """See Stage."""
        names = [name.rpartition(":") for name in self.recipe.own]
        own = [(function_name, hash_file(Path(path))) for path, _, function_name in names]
        settings = {**self.recipe.model_dump(mode="json"), "pass_rates_sha256": self.rates_sha256}
        return {**settings, "own": own} if own else settings

    def handle_record(self, record: RawRecord) -> StageResult:
        """Check and score one problem, and compute the features that ``finalize`` compares."""
        row = read_row(record)
        statement = remove_instruction(get_text(row, "statement"))
        findings = list(_check_text(statement, self.recipe)) if statement else []
        findings += [*self._check_date(row), *_check_description(row)]
        findings += apply_filters(self.recipe.own, row)
        if (drop := self.recipe.choose_drop(findings)) is not None:
            return StageResult(row, drop)
        magnitude = features.find_magnitude(statement)
        row = add_findings(self._rate_row(row, statement, magnitude), findings)
        rated = Rated(
            f"{name_source(row)} {get_text(row, 'platform')}".strip(),
            labels.read_own_difficulty(row),
            row.get("difficulty_score") if statement else None,
            pass_rates.read_pass_rate(row),
        )
        values = duplicates.compute_duplicate_features(row, statement, magnitude)
        values |= {"rated": asdict(rated), "findings": read_findings(row)}
        return StageResult(row, features=values)

    def _check_date(self, row: Row) -> Iterator[Finding]:
        """Whether the problem's date is in the recipe's window."""
        since, until = (
            to_iso_date(day) if day else None for day in (self.recipe.since, self.recipe.until)
        )
        value = row.get("date")
        if value in (None, ""):
            if self.recipe.undated == "drop":
                yield Finding("undated", "it has no date")
            return
        day = to_iso_date(value)
        if day is None:
            yield Finding("invalid_date", f"{value!r}"[:80])
        elif since and day < since:
            yield Finding("too_old", f"{day} is before {since}")
        elif until and day > until:
            yield Finding("too_new", f"{day} is after {until}")

    def _rate_row(self, row: Row, statement: str, magnitude: float) -> Row:
        """Return the row with what is known of its difficulty: dimensions and score, the measured
        pass rate, and the source's own label under another name than ours."""
        if statement:
            dimensions = features.read_ratings(row) or features.compute_dimensions(
                features.compute_features(row, statement, magnitude)
            )
            score = features.compute_score(dimensions)
            row = {**row, "difficulty_dimensions": dimensions, "difficulty_score": score}
        rate = self.rates.get(str(row["problem_id"]), pass_rates.read_pass_rate(row))
        if rate is not None:
            row = {**row, "pass_rate": rate}
        is_own = "source_difficulty" not in row and "difficulty_basis" not in row
        if is_own and row.get("difficulty") is not None:
            row = {**row, "source_difficulty": row["difficulty"]}
        return row

    def finalize(self, problems: Iterator[KeptProblem]) -> Decisions:
        """Drop duplicates and problems without use for training, then label and select."""
        all_problems = list(problems)
        matches = duplicates.find_duplicates(all_problems, self.recipe)
        drops = {key: drop for key, drop in matches.items() if self.recipe.must_drop(drop.reason)}
        for problem in all_problems:
            drop = self._find_extreme_rate(problem.features["rated"]["rate"])
            if drop is not None:
                drops.setdefault(problem.position, drop)
        survivors = [problem for problem in all_problems if problem.position not in drops]
        decisions = drops | self._label_problems(survivors)
        for problem in survivors:
            decision = decisions.get(problem.position, {})
            match = matches.get(problem.position)
            if match is not None and not isinstance(decision, Drop):
                names = sorted({*problem.features["findings"], match.reason})
                flag = {"findings": names, "duplicate_of": match.evidence.get("kept")}
                decisions[problem.position] = {**decision, **flag}
        return decisions

    def _find_extreme_rate(self, rate: float | None) -> Drop | None:
        if rate == 1 and self._difficulty.drop_solved:
            return Drop("always_solved", "pass rate 1")
        if rate == 0 and self._difficulty.drop_unsolved:
            return Drop("never_solved", "pass rate 0")
        return None

    def _label_problems(self, problems: list[KeptProblem]) -> dict[int, Drop | Mapping[str, Any]]:
        """Labels by position; drops of problems beyond the quotas. Sets the facts.

        Raises DataError where the quota leaves no problem.
        """
        recipe = self._difficulty
        problem_labels, fits = labels.label_problems(
            [Rated(**problem.features["rated"]) for problem in problems], recipe
        )
        labelled = [
            (problem, label)
            for problem, label in zip(problems, problem_labels, strict=True)
            if label is not None
        ]
        counts = Counter(label.name for _, label in labelled)
        self._facts = {
            "difficulty": {name: counts[name] for name in labels.LABELS},
            "difficulty_basis": dict(sorted(Counter(label.basis for _, label in labelled).items())),
            "score_calibration": fits,
        }
        decisions: dict[int, Drop | Mapping[str, Any]] = {
            problem.position: {"difficulty": label.name, "difficulty_basis": label.basis}
            for problem, label in labelled
        }
        if recipe.quota is not None or recipe.total is not None:
            names = [(item.position, item.problem_id, label.name) for item, label in labelled]
            decisions |= self._drop_surplus(names, counts)
        return decisions

    def _drop_surplus(
        self, names: Sequence[tuple[int, str, str]], counts: Mapping[str, int]
    ) -> dict[int, Drop]:
        """Drops of problems beyond the quotas. names: (position, problem_id, label). Adds to the
        facts."""
        positions, self._facts["selected"] = quotas.select_positions(
            names, self._difficulty, self.seed
        )
        details = {
            label: f"{counts[label]} problems are {label}, {quota} are wanted"
            for label, quota in self._facts["selected"].items()
        }
        return {
            position: Drop("quota", details[label], {"difficulty": label})
            for position, _, label in names
            if position not in positions
        }

    def describe_facts(self) -> Mapping[str, Any]:
        """See Stage."""
        return self._facts


def _check_description(row: Row) -> Iterator[Finding]:
    """Yield a missing licence and an invalid pass rate."""
    if not get_text(row, "licence").strip():
        yield Finding("no_licence", "it names no licence")
    rate = row.get("pass_rate")
    if rate is not None and pass_rates.read_pass_rate(row) is None:
        yield Finding("invalid_pass_rate", f"{rate!r}"[:80])


def _check_text(text: str, recipe: Filter) -> Iterator[Finding]:
    """Yield the faults of a cleaned statement without our instruction."""
    prose = text if text.startswith("```python") else ANY_FENCE.sub(" ", text)
    words = _WORD.findall(_HEADING.sub(" ", prose)) or _WORD.findall(prose)
    if len(words) < recipe.min_words:
        yield Finding("statement_too_short", f"{len(words)} words")
    if len(text) > recipe.max_chars:
        yield Finding("statement_too_long", f"{len(text)} characters")
    if matches := _LOST_LETTERS.findall(prose):
        yield Finding("mojibake", f"{len(matches)} times, such as {matches[0]!r}")
