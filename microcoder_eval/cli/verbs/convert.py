"""``microcoder-eval convert``: writes problems or solutions of any known format in our own.

file -> format detected by the keys -> checks of the judge -> one line each -> OUT
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterator
from contextlib import closing, nullcontext
from pathlib import Path
from typing import IO, Any

from microcoder_eval.cli.bad_lines import BadLines
from microcoder_eval.cli.inputs import print_warnings, refuse_results
from microcoder_eval.console.streams import print_note, tolerate_closed_stdout
from microcoder_eval.formats import open_problems, registry
from microcoder_eval.formats.row_stream import Records
from microcoder_eval.formats.source import check_readable
from microcoder_eval.formats.writing import encode_problem, encode_solution
from microcoder_eval.records import Problem, Solution
from microcoder_eval.results.files import Paths, make_write_error, open_compressed, replace_file
from microcoder_eval.signals import interrupt_on_signals


def run(args: Any) -> int:
    """Convert a file; return 0, or 2 if some lines could not be used."""
    if args.format is not None:
        registry.get_format(args.format)
    check_readable(args.file, folders=True)
    paths = Paths.from_output(args.output) if args.output is not None else None
    if paths is not None:
        paths.refuse_misuse([args.file, *([args.tests] if args.tests else [])])
        refuse_results(args.output)
    tests = open_problems(args.tests, max_line_mb=args.max_line_mb) if args.tests else None
    bad_lines = BadLines(paths.errors if paths is not None else None)
    with closing(bad_lines), tests or nullcontext(), interrupt_on_signals():
        bad_lines.add_all(tests.bad if tests is not None else ())
        records = Records(args.file, tests, format=args.format, max_line_mb=args.max_line_mb)
        conversion = Conversion(records, bad_lines)
        if paths is None:
            with tolerate_closed_stdout():
                conversion.write(sys.stdout.buffer)
        else:
            _write_file(conversion, paths.results)
    print_warnings(records)
    _print_summary(args, conversion, paths)
    return 2 if bad_lines.count else 0


class Conversion:
    """Writes records in our own format. count: the lines written so far."""

    def __init__(self, records: Records, bad_lines: BadLines) -> None:
        self.records = records
        self.bad_lines = bad_lines
        self.count = 0

    def write(self, file: IO[bytes]) -> None:
        """Write a line for each record. Raises DataError if the file holds none."""
        path = self.records.path
        records: Iterator[Problem | Solution] = self.bad_lines.skip_bad_lines(self.records, path)
        for record in records:
            line = (
                encode_problem(record) if isinstance(record, Problem) else encode_solution(record)
            )
            file.write(line + b"\n")
            self.count += 1
        file.flush()


def _write_file(conversion: Conversion, path: Path) -> None:
    """Write OUT atomically; an existing file stays if nothing can be converted."""
    try:
        with replace_file(path) as temporary_path:
            with open_compressed(temporary_path, os.path.realpath(path)) as file:
                conversion.write(file)
            if not conversion.count:
                temporary_path.unlink()
    except OSError as error:
        raise make_write_error(path, error) from error


def _print_summary(args: Any, conversion: Conversion, paths: Paths | None) -> None:
    records, bad_lines = conversion.records, conversion.bad_lines
    output_path = str(paths.results) if paths is not None and conversion.count else None
    if args.json:
        facts = {
            "converted": records.record_type,
            "format": records.format,
            "lines": conversion.count,
            "bad_lines": bad_lines.count,
            "output": output_path,
        }
        if paths is not None and bad_lines.count:
            facts["errors"] = str(paths.errors)
        with tolerate_closed_stdout():
            # Without -o standard output holds the records.
            print(json.dumps(facts), file=sys.stderr if paths is None else sys.stdout)
        return
    kind = records.record_type or "records"
    destination = (
        f" to {output_path}" if output_path else (", nothing written" if paths is not None else "")
    )
    format_note = f" ({records.format})" if records.format else ""
    print_note(f"{conversion.count} {kind}{format_note}{destination}, {bad_lines}")
