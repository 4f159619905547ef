"""Tables and files of results."""

from __future__ import annotations

import json
import statistics
from argparse import ArgumentParser, RawDescriptionHelpFormatter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from checkout import HERE, read_commit
from measurement import Usage, describe_machine

RESULTS = HERE / "results"


@dataclass(frozen=True, slots=True)
class Spread:
    """Median, minimum and maximum of several rounds."""

    median: float
    low: float
    high: float

    @classmethod
    def of(cls, values: Sequence[float]) -> Spread:
        """Compute the spread. Raises StatisticsError if there are no values."""
        return cls(statistics.median(values), min(values), max(values))

    def __str__(self) -> str:
        return (
            f"{format_figure(self.median)} ({format_figure(self.low)}-{format_figure(self.high)})"
        )


def format_figure(value: float) -> str:
    """Format three significant digits without an exponent."""
    if value >= 100:
        return f"{value:.0f}"
    return f"{value:.1f}" if value >= 10 else f"{value:.2f}"


def format_table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Align columns: the first to the left, the others to the right."""
    lines = [list(head), *map(list, rows)]
    widths = [max(len(line[column]) for line in lines) for column in range(len(head))]
    lines.insert(1, ["-" * width for width in widths])
    return "\n".join(
        "  ".join(
            cell.ljust(width) if column == 0 else cell.rjust(width)
            for column, (cell, width) in enumerate(zip(line, widths, strict=True))
        ).rstrip()
        for line in lines
    )


def make_stamped_name(benchmark: str) -> str:
    """Make a name for result files from the current time."""
    return f"{benchmark}-{datetime.now(UTC):%Y-%m-%d-%H%M%S}"


def make_parser(description: str | None) -> ArgumentParser:
    """A command line with --out. description: a docstring, which is shown as it stands."""
    parser = ArgumentParser(description=description, formatter_class=RawDescriptionHelpFormatter)
    parser.add_argument("--out", metavar="NAME", help="of the result files, without ending")
    return parser


def publish_table(
    benchmark: str,
    out: str | None,
    record: Mapping[str, Any],
    title: str,
    table: str,
) -> None:
    """Write the figures, and their table under a title, to results/."""
    publish(benchmark, out, record, f"# {title}\n\n```\n{table}\n```\n")


def publish(
    benchmark: str, out: str | None, record: Mapping[str, Any], text: str, plot: str = ""
) -> None:
    """Write the figures, a text, and a plot if there is one, to results/. out: the name of the
    files; without it, the benchmark's and the time's."""
    path = RESULTS / (out or make_stamped_name(benchmark))
    save(path.with_name(f"{path.name}.json"), record)
    path.with_name(f"{path.name}.md").write_text(text, encoding="utf-8")
    if plot:
        path.with_name(f"{path.name}.svg").write_text(plot, encoding="utf-8")
    print(f"written: {path}.*")


def write_report(figures: Mapping[str, Any], out: Path | None) -> None:
    """Print the figures behind machine and commit, and write them to a file, if one is wanted."""
    text = json.dumps({"machine": describe_machine(), "commit": read_commit(), **figures}, indent=1)
    print(text)
    if out is not None:
        out.write_text(f"{text}\n", encoding="utf-8")


def save_stamped(benchmark: str, record: Mapping[str, Any]) -> None:
    """Write the record of a run to results/, under the name of its time."""
    save(RESULTS / f"{make_stamped_name(benchmark)}.json", record)


def save(path: Path, record: Mapping[str, Any]) -> None:
    """Write one result file. Never overwrites: results are history."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("x", encoding="utf-8") as file:
        json.dump(record, file, indent=1, default=_plain)
        file.write("\n")


def _plain(value: object) -> Any:
    if isinstance(value, Spread | Usage):
        return {name: round(number, 4) for name, number in asdict(value).items()}
    raise TypeError(type(value).__name__)
