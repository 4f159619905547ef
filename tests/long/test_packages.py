"""A folder of contest packages, read whole: what each submission declares, against ours.

    MICROCODER_PACKAGES=FOLDER pytest -m long tests/long/test_packages.py

Prints every disagreement and the shares that are wanted; `microcoder-data check FOLDER` says more.
A package that holds no test data, nor a generator that can be read here, is named and is no failure
of reading. MICROCODER_TESTLIB names testlib.h for checkers that include it.
"""

from __future__ import annotations

import os
from collections import defaultdict

import pytest

from microcoder_data.check.packages import (
    PackageCheck,
    SubmissionCheck,
    check_package,
    list_packages,
)
from microcoder_data.check.shell import NOT_GENERATED
from microcoder_eval import Judge

pytestmark = pytest.mark.long

ROOT = os.environ.get("MICROCODER_PACKAGES")
# What is wanted (%): packages read, accepted programs accepted, points within their range.
WANTED = {"packages read": 95.0, "accepted right": 99.5, "points in range": 98.0}
PARTIAL = ("partially_accepted", "partial")


def list_judged(package: PackageCheck) -> list[SubmissionCheck]:
    """The submissions that were judged. Prints those that disagree, and why a package has none."""
    if package.error is not None:
        print(f"{package.name}: {package.error}")
    judged = [check for check in package.submissions if check.judgement is not None]
    for check in judged:
        if not check.agrees and (ours := check.judgement):
            print(f"{package.name} {check.submission.name}: {check.submission.declared}, ours "
                  f"{ours.verdict}, {ours.points} of {ours.max_points} points")  # fmt: skip
    return judged


def has_points(check: SubmissionCheck) -> bool:
    """Whether what it declares is a range of points."""
    submission = check.submission
    return submission.declared in PARTIAL or submission.expected_score is not None


def is_false_accept(check: SubmissionCheck) -> bool:
    """One that is only too slow elsewhere is none: the limit was measured."""
    passed = check.judgement is not None and check.judgement.passed
    return passed and not check.agrees and bool({*check.submission.expected} - {"AC", "TLE"})


@pytest.mark.skipif(ROOT is None, reason="MICROCODER_PACKAGES names no folder")
@pytest.mark.timeout(24 * 3600)
def test_every_submission_gets_what_it_declares(capsys: pytest.CaptureFixture[str]) -> None:
    agreements: dict[str, list[bool]] = defaultdict(list)
    false_accepts = []
    with Judge(testlib=os.environ.get("MICROCODER_TESTLIB")) as judge, capsys.disabled():
        for name, folder in list_packages([ROOT or ""]):
            package = check_package(judge, name, folder)
            if getattr(package.error, "reason", "") != NOT_GENERATED:
                agreements["packages read"].append(package.error is None)
            for check in list_judged(package):
                if has_points(check):
                    agreements["points in range"].append(check.agrees)
                elif {*check.submission.expected} == {"AC"}:
                    agreements["accepted right"].append(check.agrees)
                if is_false_accept(check):
                    false_accepts.append(f"{name} {check.submission.name}")
        shares = {what: 100 * sum(each) / len(each) for what, each in agreements.items()}
        print(shares)
    assert {what: share for what, share in shares.items() if share < WANTED[what]} == {}
    assert false_accepts == []
