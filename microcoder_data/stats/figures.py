"""Counts over the files that stages wrote, one problem at a time."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from microcoder_eval.data.filter import calibration
from microcoder_eval.data.filter.evaluation import Sample, evaluation, sample_of
from microcoder_eval.data.manifest import Files
from microcoder_eval.data.process.instruction import without_instruction
from microcoder_eval.data.reading import object_at
from microcoder_eval.data.rows import Row, kind_of, tests_of, text_of
from microcoder_eval.data.similarity import words_of
from microcoder_eval.errors import DataError
from microcoder_eval.formats.source import open_source

# Upper ends of the bins of histograms.
TESTS = (0, 1, 2, 3, 5, 8, 12, 20, 40, 100, 300)
WORDS = (0, 10, 20, 40, 80, 160, 320, 640, 1280)


@dataclass(slots=True)
class Figures:
    """Everything that is shown. groups: counts by title and value, in the order shown."""

    problems: int = 0
    trainable: int = 0
    groups: dict[str, Counter[str]] = field(default_factory=dict)
    stages: list[dict[str, Any]] = field(default_factory=list)
    scorer: dict[str, Any] | None = None

    def add(self, title: str, value: Any) -> None:
        """Count one value."""
        self.groups.setdefault(title, Counter())[str(value)] += 1

    def as_json(self) -> dict[str, Any]:
        """For programs."""
        return {
            "problems": self.problems,
            "trainable": self.trainable,
            **{title: dict(counts) for title, counts in self.groups.items()},
            "stages": self.stages,
            "difficulty_scorer": self.scorer,
        }


def figures_of(paths: Sequence[str], pass_rates: str | None, seed: int) -> Figures:
    """Read OUT files, and what lies beside them. Raises DataError."""
    figures = Figures()
    rates = calibration.read_pass_rates(pass_rates) if pass_rates else {}
    samples: list[Sample] = []
    for path in paths:
        with open_source(path) as source:
            for row in source.rows(1 << 40):
                problem = object_at(row, path)
                _count(figures, problem)
                rate = rates.get(str(problem.get("problem_id")), calibration.pass_rate_in(problem))
                if rate is not None and text_of(problem, "statement"):
                    samples.append(sample_of(problem, rate))
        _beside(figures, path)
    figures.scorer = evaluation(samples, seed)
    return figures


def _count(figures: Figures, row: Row) -> None:
    figures.problems += 1
    figures.trainable += row.get("trainable") is True
    figures.add("kind", kind_of(row))
    figures.add("platform", row.get("platform") or "not told")
    figures.add("source", _source(text_of(row, "origin")))
    figures.add("licence", (text_of(row, "licence") or "not told")[:60])
    figures.add("year", text_of(row, "date")[:4] or "not dated")
    figures.add("difficulty", row.get("difficulty") or "not rated")
    count = len(tests_of(row))
    if kind_of(row) != "assert":
        figures.add("tests per problem", binned(count, TESTS))
    statement = without_instruction(text_of(row, "statement"))
    figures.add("words per statement", binned(len(words_of(statement)), WORDS))
    for name in row.get("findings") or ():
        figures.add("flags", name)


def _source(origin: str) -> str:
    """Which set a problem is from, without its place in it."""
    for end in ("@", " (", ":data/", " via "):
        origin = origin.partition(end)[0]
    return origin[:60] or "not told"


def binned(value: int, ends: Sequence[int]) -> str:
    """The bin of a histogram, as text."""
    for start, end in zip((-1, *ends), ends, strict=False):
        if value <= end:
            return str(end) if end - start == 1 else f"{start + 1}-{end}"
    return f"over {ends[-1]}"


def order(title: str, counts: Counter[str]) -> list[tuple[str, int]]:
    """Values as they are shown: bins, years and labels in their own order, others by count."""
    if title in ("tests per problem", "words per statement"):
        ends = TESTS if title.startswith("tests") else WORDS
        names = [binned(value, ends) for value in (*ends, ends[-1] + 1)]
        return [(name, counts[name]) for name in names]
    if title == "year":
        return sorted(counts.items())
    if title == "difficulty":
        known = [name for name in calibration.LABELS if name in counts]
        return [(name, counts[name]) for name in (*known, *sorted(set(counts) - set(known)))]
    return sorted(counts.items(), key=lambda one: (-one[1], one[0]))


def _beside(figures: Figures, path: str) -> None:
    """Drops by reason, of this stage and of those of one ``run`` before it."""
    files = Files.of(path)
    stem = files.paths.journal.name.removesuffix(".part")
    folder = files.paths.journal.parent
    manifests = [*sorted(folder.glob(f"{stem}.[0-9]-*.manifest.json")), files.manifest]
    for manifest in manifests:
        told = _manifest(manifest)
        if told is None:
            continue
        figures.stages.append({key: told[key] for key in ("stage", "counts", "reasons", "flags")})
        for reason, count in told["reasons"].items():
            figures.groups.setdefault("drops by reason", Counter())[reason] += count


def _manifest(path: Path) -> dict[str, Any] | None:
    try:
        told = json.loads(path.read_bytes())
    except FileNotFoundError:
        return None
    except (OSError, ValueError) as error:
        raise DataError(f"cannot be read: {error}", str(path)) from error
    return told if isinstance(told, dict) and {"stage", "counts", "reasons"} <= set(told) else None
