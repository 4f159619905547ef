"""``microcoder-eval convert``: problems or solutions of any known format, in our own.

file -> recognised -> checked as the judge would -> a line each -> OUT, renamed into place
"""

from __future__ import annotations

import json
import os
import sys
import tempfile
from collections.abc import Iterator
from contextlib import nullcontext
from pathlib import Path
from typing import IO, Any

from microcoder_eval.ending import ending_cleanly
from microcoder_eval.errors import DataError
from microcoder_eval.formats import BadLine, open_problems, registry
from microcoder_eval.formats.records import Records
from microcoder_eval.formats.source import check_readable
from microcoder_eval.formats.writing import problem_line, solution_line
from microcoder_eval.outputs import OutputError, Paths, compressed, unwritable
from microcoder_eval.records import Problem

from .badlines import BadLines
from .streams import answering


def run(args: Any) -> int:
    """Convert; 0, or 2 when some lines could not be used."""
    if args.format is not None:
        registry.format_named(args.format)
    check_readable(args.file)
    paths = Paths.of(args.output) if args.output is not None else None
    if paths is not None:
        paths.refuse_misuse([args.file, *([args.tests] if args.tests else [])])
    tests = open_problems(args.tests, max_line_mb=args.max_line_mb) if args.tests else None
    bad = BadLines(paths.errors if paths is not None else None)
    try:
        with tests or nullcontext(), ending_cleanly():
            records = Records(args.file, tests, format=args.format, max_line_mb=args.max_line_mb)
            conversion = Conversion(records, bad)
            if paths is None:
                with answering():
                    conversion.write(sys.stdout.buffer)
            else:
                _write_whole(conversion, paths.results)
    finally:
        bad.close()
    _report(args, conversion, paths)
    return 2 if bad.count else 0


class Conversion:
    """The lines of our own form, and how many they were."""

    def __init__(self, records: Records, bad: BadLines) -> None:
        self.records = records
        self.bad = bad
        self.count = 0

    def write(self, file: IO[bytes]) -> None:
        """Write a line for each record. Raises DataError when the file holds nothing at all."""
        for line in self._lines():
            file.write(line + b"\n")
            self.count += 1
        file.flush()

    def _lines(self) -> Iterator[bytes]:
        try:
            for found in self.records:
                if isinstance(found, BadLine):
                    self.bad.add(found)
                elif isinstance(found, Problem):
                    yield problem_line(found)
                else:
                    yield solution_line(found)
        except DataError as error:
            if not self.count:
                raise
            # A file that is cut off or corrupt further on: what could be read is converted.
            self.bad.add(BadLine(error.where or self.records.path, 0, error.message, ""))


def _write_whole(conversion: Conversion, path: Path) -> None:
    """OUT appears whole or not at all; where nothing can be converted, what was there stays."""
    target = Path(os.path.realpath(path))  # a link named by -o stays a link
    try:
        handle, name = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}.")
    except OSError as error:
        raise unwritable(path, error) from error
    os.close(handle)
    try:
        with compressed(Path(name), target.name) as file:
            conversion.write(file)
        if conversion.count:
            os.chmod(name, 0o666 & ~_umask())
            os.replace(name, target)
    except OSError as error:
        raise OutputError(
            f"{path} cannot be written: {error.strerror}; nothing was changed"
        ) from error
    finally:
        Path(name).unlink(missing_ok=True)


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask


def _report(args: Any, conversion: Conversion, paths: Paths | None) -> None:
    records, bad = conversion.records, conversion.bad
    written = str(paths.results) if paths is not None and conversion.count else None
    if args.json:
        facts = {
            "converted": str(records.holds) if records.holds is not None else None,
            "format": records.format,
            "lines": conversion.count,
            "bad_lines": bad.count,
            "output": written,
        }
        if paths is not None and bad.count:
            facts["errors"] = str(paths.errors)
        with answering():
            # Without -o standard output holds the records.
            print(json.dumps(facts), file=sys.stderr if paths is None else sys.stdout)
        return
    what = records.holds or "records"
    where = f" to {written}" if written else (", nothing written" if paths is not None else "")
    form = f" ({records.format})" if records.format else ""
    lines = "bad line" if bad.count == 1 else "bad lines"
    print(f"{conversion.count} {what}{form}{where}, {bad.count} {lines}", file=sys.stderr)
