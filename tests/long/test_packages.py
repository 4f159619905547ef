"""A folder of contest packages, read whole: what each submission declares, against ours.

    MICROCODER_PACKAGES=FOLDER pytest -m long tests/long/test_packages.py

Prints declared against ours, every disagreement and the shares that are wanted. A package that
holds no test data, nor a generator that can be read here, is named and is no failure of reading.
MICROCODER_TESTLIB names testlib.h for checkers that include it.
"""

from __future__ import annotations

import os
from collections import Counter
from dataclasses import dataclass, field

import pytest

from microcoder_data.check import PackageCheck, SubmissionCheck, check_package, list_packages
from microcoder_data.testdata.making import NOT_GENERATED
from microcoder_eval import Judge

pytestmark = pytest.mark.long

ROOT = os.environ.get("MICROCODER_PACKAGES")
TESTLIB = os.environ.get("MICROCODER_TESTLIB")
# What is wanted (%): packages read, accepted programs accepted, points within their range.
WANTED = {"packages read": 95.0, "accepted right": 99.5, "points in range": 98.0}
PARTIAL = ("partially_accepted", "partial")


@dataclass
class Shares:
    """Counts of what held, of how many; and what did not, in words."""

    held: Counter[str] = field(default_factory=Counter)
    total: Counter[str] = field(default_factory=Counter)
    table: Counter[tuple[str, str]] = field(default_factory=Counter)
    disagreements: list[str] = field(default_factory=list)
    false_accepts: list[str] = field(default_factory=list)
    left_out: Counter[str] = field(default_factory=Counter)
    without_tests: list[str] = field(default_factory=list)
    generated: list[str] = field(default_factory=list)

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
            ("test data made by their generator here", self.generated),
            ("hold no test data", self.without_tests),
            ("left out", [f"{why}: {count}" for why, count in self.left_out.most_common()]),
        ):
            print(f"{title}: {len(lines)}", *lines, sep="\n  ")
        for name in WANTED:
            print(f"{name}: {self.held[name]} of {self.total[name]} ({self.percent(name):.1f} %)")

    def add(self, package: PackageCheck) -> None:
        """Count a package and its submissions."""
        if package.reason == NOT_GENERATED:
            self.without_tests.append(f"{package.name}: {package.error}")
            return
        if package.is_generated:
            self.generated.append(f"{package.name}: {package.test_count} tests")
        self.count("packages read", package.error is None)
        if package.error is not None:
            self.disagreements.append(f"{package.name}: not read: {package.error}")
        for submission in package.submissions:
            self.add_submission(package, submission)

    def add_submission(self, package: PackageCheck, check: SubmissionCheck) -> None:
        """Compare what a submission declares with what it got."""
        judgement = check.judgement
        if judgement is None:
            self.left_out[check.reason or ""] += 1
            return
        ours, expected = str(judgement.verdict), set(check.submission.expected)
        self.table[check.submission.declared, ours] += 1
        if check.submission.declared in PARTIAL or check.submission.expected_score is not None:
            self.count("points in range", check.agrees)
        elif expected == {"AC"}:
            self.count("accepted right", check.agrees)
        if check.agrees:
            return
        failed = next((test for test in judgement.tests if test.failed), None)
        self.disagreements.append(
            f"{package.name} {check.submission.name}: {check.submission.declared}, ours {ours}, "
            f"{judgement.points} of {judgement.max_points} points: "
            f"{judgement.error or (failed.detail if failed else None) or ''}"
        )
        # One that is only too slow elsewhere is no false accept: the limit was measured.
        if judgement.passed and expected - {"AC", "TLE"}:
            self.false_accepts.append(self.disagreements[-1])


@pytest.mark.skipif(ROOT is None, reason="MICROCODER_PACKAGES names no folder")
@pytest.mark.timeout(24 * 3600)
def test_every_submission_gets_what_it_declares(capsys: pytest.CaptureFixture[str]) -> None:
    shares = Shares()
    with Judge(testlib=TESTLIB) as judge:
        for name, folder in list_packages([ROOT or ""]):
            shares.add(check_package(judge, name, folder))
    with capsys.disabled():
        shares.show()
    missed = {name: shares.percent(name) for name in WANTED if shares.percent(name) < WANTED[name]}
    assert not missed
    assert not shares.false_accepts
