"""``microcoder-data check``: compares the verdict of every submission with what its package
declares."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

from microcoder_data.check.agreement import format_points
from microcoder_data.check.packages import (
    PackageCheck,
    SubmissionCheck,
    check_package,
    list_packages,
)
from microcoder_eval.api import Judge
from microcoder_eval.console.streams import make_console, tolerate_closed_stdout
from microcoder_eval.formats import error_text
from microcoder_eval.signals import interrupt_on_signals

if TYPE_CHECKING:
    from rich.console import Console

_FILE_WIDTH = 10_000  # characters: no line of a file or a pipe is folded
_UNUSABLE, _JUDGE_FAILED, _DISAGREES = 2, 3, 1


def run(args: Any) -> int:
    """Check all packages in turn, and print each one's table when it is done; returns the exit
    code. Raises DataError for an INPUT that is no folder of packages."""
    packages = list(list_packages(args.inputs))
    options = {"testlib": args.testlib, "time_scale": args.time_scale, "workers": args.workers}
    checks: list[PackageCheck] = []
    with (
        interrupt_on_signals(),
        tolerate_closed_stdout(),
        Judge(**{key: value for key, value in options.items() if value is not None}) as judge,
    ):
        out = make_console()
        if not out.is_terminal:
            out.width = _FILE_WIDTH
        for name, folder in packages:
            keep = Path(args.keep_tests) / name if args.keep_tests else None
            checks.append(check_package(judge, name, folder, keep))
            if not args.json:
                _print_check(out, checks[-1])
        if args.json:
            print(json.dumps([_encode_check(check) for check in checks]))
        else:
            _print_totals(out, checks)
    return choose_exit_code(checks)


def choose_exit_code(checks: list[PackageCheck]) -> int:
    """2: a package cannot be used; 3: the judge failed; 1: a submission disagrees; 0: none does."""
    submissions = [item for check in checks for item in check.submissions]
    if any(check.error is not None for check in checks):
        return _UNUSABLE
    if any(item.judge_failed for item in submissions):
        return _JUDGE_FAILED
    return 0 if all(item.agrees for item in submissions) else _DISAGREES


def _print_check(out: Console, check: PackageCheck) -> None:
    from rich.table import Table
    from rich.text import Text

    name = error_text.shorten(check.name, 200)
    if check.error is not None:
        out.print(Text(f"{name}: cannot be used: {error_text.shorten(check.error.message, 300)}"))
        return
    kind = "derived" if check.is_derived else "declared or default"
    origin = " made by its generator" if check.is_generated else ""
    head = f"{name}: {check.test_count} tests{origin}, {check.time_s:g} s ({kind})"
    out.print(Text(head, "bold"))
    columns = ["submission", "declared", "verdict", "slowest", ""]
    has_points = any(
        item.judgement is not None and item.judgement.groups for item in check.submissions
    )
    if has_points:
        columns.insert(3, f"points of {format_points(check.max_points)}")
    table = Table(box=None, pad_edge=False)
    for column in columns:
        table.add_column(column, overflow="fold", min_width=len(column))
    for item in check.submissions:
        verdict = "not judged" if item.judgement is None else str(item.judgement.verdict)
        points = "" if item.judgement is None else format_points(item.judgement.points)
        slowest = "" if item.slowest_s is None else f"{item.slowest_s:.2f} of {check.time_s:g} s"
        why = item.reason or "" if item.finding is None else item.finding.detail
        cells = [item.submission.name, item.submission.declared, verdict, points, slowest, why]
        if not has_points:
            del cells[3]
        style = "" if item.agrees else "bold red"
        table.add_row(*(Text(error_text.shorten(cell, 200)) for cell in cells), style=style)
    out.print(table)


def _print_totals(out: Console, checks: list[PackageCheck]) -> None:
    submissions = [item for check in checks for item in check.submissions]
    judged = [item for item in submissions if item.judgement is not None]
    wrong_count = sum(not item.agrees for item in judged)
    unusable_count = sum(check.error is not None for check in checks)
    counts = {
        "packages": len(checks),
        "that cannot be used": unusable_count or None,
        "submissions judged": len(judged),
        "not judged": len(submissions) - len(judged) or None,
        "disagree": wrong_count,
    }
    out.print(", ".join(f"{name}: {count}" for name, count in counts.items() if count is not None))


def _encode_check(check: PackageCheck) -> dict[str, Any]:
    return {
        "package": check.name,
        "error": None if check.error is None else check.error.message,
        "tests": check.test_count,
        "max_points": check.max_points,
        "time_s": check.time_s,
        "limits_derived": check.is_derived,
        "tests_generated": check.is_generated,
        "submissions": [_encode_submission(item) for item in check.submissions],
    }


def _encode_submission(check: SubmissionCheck) -> dict[str, Any]:
    submission, judgement = check.submission, check.judgement
    groups = judgement.groups if judgement is not None else ()
    return {
        "name": submission.name,
        "declared": submission.declared,
        "expected": list(submission.expected),
        "expected_score": submission.expected_score,
        "verdict": None if judgement is None else str(judgement.verdict),
        "points": None if judgement is None else judgement.points,
        "groups": {group.name: group.points for group in groups},
        "slowest_s": check.slowest_s,
        "agrees": check.agrees,
        "reason": check.reason or (judgement.error if judgement is not None else None),
    }
