"""Counts the problems in the files that stages wrote."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from microcoder_data.filter.labels import LABELS
from microcoder_data.history import list_stages, read_out
from microcoder_data.process.instruction import remove_instruction
from microcoder_data.rows import Row, get_kind, get_tests, get_text, name_source
from microcoder_data.similarity import split_words
from microcoder_eval.errors import DataError
from microcoder_eval.formats.registry import refuse_other_rows

# Upper ends of the bins of histograms, by title.
BINS = {
    "tests per problem": (0, 1, 2, 3, 5, 8, 12, 20, 40, 100, 300),
    "words per statement": (0, 10, 20, 40, 80, 160, 320, 640, 1280),
}

DROPS_TITLE = "drops by reason"


@dataclass(slots=True)
class Figures:
    """All figures. groups: counts by title and value, in the order in which they are shown."""

    problems: int = 0
    trainable: int = 0
    groups: dict[str, Counter[str]] = field(default_factory=dict)
    stages: list[dict[str, Any]] = field(default_factory=list)
    examples: dict[str, str] = field(default_factory=dict)  # by reason: the first dropped problem

    def add(self, title: str, value: Any) -> None:
        """Count one value, in its bin where values of this title have bins."""
        if title in BINS:
            value = format_bin(value, BINS[title])
        self.groups.setdefault(title, Counter())[str(value)] += 1

    def as_json(self) -> dict[str, Any]:
        """Return the figures as a JSON object."""
        return {
            "problems": self.problems,
            "trainable": self.trainable,
            **{title: dict(counts) for title, counts in self.groups.items()},
            "stages": self.stages,
        }


def read_figures(paths: Sequence[str]) -> Figures:
    """Read OUT files and the manifests beside them. Raises DataError."""
    figures = Figures()
    for path in paths:
        for place, problem in read_out(path):
            try:
                refuse_other_rows(problem)
            except DataError as error:
                raise DataError(error.message, place) from None
            _count_row(figures, problem)
        _add_stages(figures, path)
    return figures


def _count_row(figures: Figures, row: Row) -> None:
    figures.problems += 1
    figures.trainable += row.get("trainable") is True
    figures.add("kind", get_kind(row))
    figures.add("platform", row.get("platform") or "unknown")
    figures.add("source", name_source(row) or "unknown")
    figures.add("licence", get_text(row, "licence") or "unknown")
    figures.add("year", get_text(row, "date")[:4] or "not dated")
    figures.add("difficulty", row.get("difficulty") or "not rated")
    if get_kind(row) != "assert":
        figures.add("tests per problem", len(get_tests(row)))
    statement = remove_instruction(get_text(row, "statement"))
    figures.add("words per statement", len(split_words(statement)))
    for name in row.get("findings") or ():
        figures.add("flags", name)


def format_bin(value: int, ends: Sequence[int]) -> str:
    """Return the bin of a histogram, as text."""
    for start, end in zip((-1, *ends), ends, strict=False):
        if value <= end:
            return str(end) if end - start == 1 else f"{start + 1}-{end}"
    return f"over {ends[-1]}"


def sort_values(title: str, counts: Counter[str]) -> list[tuple[str, int]]:
    """Values in the order shown: bins, years and labels in their own order, others by count."""
    if title in BINS:
        ends = BINS[title]
        names = [format_bin(value, ends) for value in (*ends, ends[-1] + 1)]
        return [(name, counts[name]) for name in names]
    if title == "year":
        return sorted(counts.items())
    if title == "difficulty":
        labels = [name for name in LABELS if name in counts]
        return [(name, counts[name]) for name in (*labels, *sorted(set(counts) - set(labels)))]
    return sorted(counts.items(), key=lambda item: (-item[1], item[0]))


def _add_stages(figures: Figures, path: str) -> None:
    """Add the number of dropped problems by reason, for all stages that led to a file."""
    for stage in list_stages(path):
        manifest = stage.manifest
        figures.stages.append(
            {key: getattr(manifest, key) for key in ("stage", "counts", "reasons", "flags")}
        )
        for reason, count in manifest.reasons.items():
            figures.groups.setdefault(DROPS_TITLE, Counter())[reason] += count
        for reason, example in manifest.examples.items():
            figures.examples.setdefault(reason, example)
