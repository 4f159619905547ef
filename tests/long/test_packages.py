"""Every submission of every problem package in a folder gets the verdict that it declares.

MICROCODER_PACKAGES=FOLDER pytest -m long tests/long/test_packages.py

FOLDER is searched for packages of all formats, at any depth. All that disagrees is printed, then
the shares. MICROCODER_TESTLIB names testlib.h for checkers that include it.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from microcoder_eval import DataError, Judge, Judgement, Problem
from microcoder_eval.formats import problem_from
from microcoder_eval.formats.packages import MARKERS, make_row, read_package
from microcoder_eval.formats.packages.limits import LimitRule, decode_rule, derive_time_limit
from microcoder_eval.languages import find_language
from microcoder_sandbox.toolchains.toolchain import find_toolchain

ROOT = os.environ.get("MICROCODER_PACKAGES")
TESTLIB = os.environ.get("MICROCODER_TESTLIB")
MEASURING_SECONDS = 60.0  # the limit of accepted programs where the package declares none
DEFAULT_RULE = LimitRule(5.0, 2.0)  # where the format has none: that of Kattis
SUBMISSION_KEYS = ("code", "language", "file", "files")
# What is wanted (%): packages read, accepted programs accepted, points within their range.
WANTED = {"packages read": 95.0, "accepted right": 99.5, "points in range": 98.0}


@dataclass
class Shares:
    """Counts of what held, of how many; and what did not, in words."""

    held: Counter[str] = field(default_factory=Counter)
    total: Counter[str] = field(default_factory=Counter)
    table: Counter[tuple[str, str]] = field(default_factory=Counter)
    disagreements: list[str] = field(default_factory=list)
    false_accepts: list[str] = field(default_factory=list)
    left_out: Counter[str] = field(default_factory=Counter)

    def count(self, name: str, holds: bool) -> None:
        """Count one thing that should hold."""
        self.held[name] += holds
        self.total[name] += 1

    def percent(self, name: str) -> float:
        """The share that held; 100 of nothing."""
        return 100 * self.held[name] / self.total[name] if self.total[name] else 100.0

    def show(self) -> None:
        """Print all of it."""
        print("\ndeclared -> ours: programs")
        for (declared, ours), count in sorted(self.table.items()):
            print(f"  {declared} -> {ours}: {count}")
        for title, lines in (
            ("disagreements", self.disagreements),
            ("false accepts", self.false_accepts),
            ("left out", [f"{why}: {count}" for why, count in self.left_out.most_common()]),
        ):
            print(f"{title}: {len(lines)}", *lines, sep="\n  ")
        for name in WANTED:
            print(f"{name}: {self.held[name]} of {self.total[name]} ({self.percent(name):.1f} %)")


def find_packages(root: Path) -> Iterator[Path]:
    """The folders of packages below a folder; a package holds no other."""
    for directory, folders, files in os.walk(root):
        folders.sort()
        if any(marker in files for marker in MARKERS):
            folders.clear()
            yield Path(directory)


def list_expected(submission: Mapping[str, Any]) -> set[str]:
    """The verdicts that a submission may get."""
    return set(submission.get("expected") or (submission["verdict"],))


def why_not_run(language: str) -> str | None:
    """Why programs in this language are not run here; None: they are."""
    record = find_language(language)
    if record is None:
        return f"programs in {language}"
    if record.compiled and find_toolchain(record.toolchain) is None:
        return f"programs in {language}, which this machine has no compiler for"
    return None


def judge_submission(
    judge: Judge, problem: Problem, submission: Mapping[str, Any], **options: Any
) -> Judgement:
    """The judgement of one submission."""
    solution = {key: submission[key] for key in SUBMISSION_KEYS if submission.get(key)}
    return judge.with_options(stop="never", **options).judge(solution, problem)


def derive_limits(judge: Judge, row: Mapping[str, Any], problem: Problem) -> dict[str, Any]:
    """The options of a package without a time limit: its accepted programs decide."""
    if (row.get("limits") or {}).get("time_s"):
        return {}
    slowest = 0.2
    for submission in row.get("solutions") or ():
        if list_expected(submission) == {"AC"} and why_not_run(submission["language"]) is None:
            judgement = judge_submission(
                judge, problem, submission, limits={"time_s": MEASURING_SECONDS}
            )
            slowest = max([slowest, *(test.cpu_s for test in judgement.tests if test)])
    rule = decode_rule(row["limits_derived"]) if "limits_derived" in row else DEFAULT_RULE
    return {"limits": {"time_s": derive_time_limit(rule, slowest)}}


def check_submission(
    shares: Shares, name: str, submission: Mapping[str, Any], judgement: Judgement
) -> None:
    """Compare what a submission declares with what it got."""
    declared = submission.get("declared") or submission["verdict"]
    expected, ours = list_expected(submission), str(judgement.verdict)
    points, most = getattr(judgement, "points", None), getattr(judgement, "max_points", None)
    text = (
        f"{name} {submission.get('name', '')} ({submission['language']}): {declared}, ours {ours}"
    )
    failed = next((test for test in judgement.tests if test and test.verdict != "AC"), None)
    detail = judgement.error or (failed.detail if failed else None) or ""
    shares.table[declared, ours] += 1
    if declared == "partially_accepted":
        in_range = points is not None and points > 0 and (most is None or points < most)
        shares.count("points in range", in_range)
        if not in_range:
            shares.disagreements.append(f"{text}, {points} of {most} points {detail}")
        return
    if expected == {"AC"}:
        shares.count("accepted right", ours == "AC")
    if ours not in expected:
        shares.disagreements.append(f"{text} {detail}")
        # One that is only too slow elsewhere is no false accept: the limit was measured.
        if ours == "AC" and expected - {"TLE"}:
            shares.false_accepts.append(text)


def check_package(judge: Judge, shares: Shares, folder: Path, name: str) -> None:
    """Read a package and judge its submissions."""
    try:
        row = {**make_row(read_package(folder)), "problem_id": name}
        problem = problem_from({key: value for key, value in row.items() if key != "solutions"})
    except DataError as error:
        shares.count("packages read", False)
        shares.disagreements.append(f"{name}: not read: {error}")
        return
    shares.count("packages read", True)
    options = derive_limits(judge, row, problem)
    for submission in row.get("solutions") or ():
        if why := why_not_run(submission["language"]):
            shares.left_out[why] += 1
        else:
            judgement = judge_submission(judge, problem, submission, **options)
            check_submission(shares, name, submission, judgement)


@pytest.mark.skipif(ROOT is None, reason="MICROCODER_PACKAGES names no folder")
@pytest.mark.timeout(24 * 3600)
def test_every_submission_gets_what_it_declares(capsys: pytest.CaptureFixture[str]) -> None:
    root, shares = Path(ROOT or ""), Shares()
    folders = list(find_packages(root))
    assert folders, f"{root} holds no package"
    with Judge(testlib=TESTLIB) as judge:
        for folder in folders:
            name = folder.relative_to(root).as_posix()
            check_package(judge, shares, folder, root.name if name == "." else name)
    with capsys.disabled():
        shares.show()
    missed = {name: shares.percent(name) for name, share in WANTED.items()
              if shares.percent(name) < share}  # fmt: skip
    assert not missed
    assert not shares.false_accepts
