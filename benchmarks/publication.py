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
    path = save_record(benchmark, record, out)
    path.with_suffix(".md").write_text(text, encoding="utf-8")
    if plot:
        path.with_suffix(".svg").write_text(plot, encoding="utf-8")


def describe_run(benchmark: str) -> dict[str, Any]:
    """What every record begins with; its figures may say more of the machine."""
    return {"benchmark": benchmark, "commit": read_commit(), "machine": describe_machine()}


def write_report(benchmark: str, figures: Mapping[str, Any], out: Path | None) -> None:
    """Print the figures of a run, and write them to a file, if one is wanted."""
    text = json.dumps({**describe_run(benchmark), **figures}, indent=1)
    print(text)
    if out is not None:
        out.write_text(f"{text}\n", encoding="utf-8")


def save_record(benchmark: str, figures: Mapping[str, Any], out: str | None = None) -> Path:
    """Write the record of a run to results/. Never overwrites: results are history. out: the name
    of the file; without it, the benchmark's and the time's."""
    path = RESULTS / f"{out or f'{benchmark}-{datetime.now(UTC):%Y-%m-%d-%H%M%S}'}.json"
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("x", encoding="utf-8") as file:
        json.dump({**describe_run(benchmark), **figures}, file, indent=1, default=_plain)
        file.write("\n")
    print(f"written: {path}")
    return path


def _plain(value: object) -> Any:
    if isinstance(value, Spread | Usage):
        return {name: round(number, 4) for name, number in asdict(value).items()}
    raise TypeError(type(value).__name__)
