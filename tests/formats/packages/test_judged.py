"""Submissions of the packages in tests/packages get the verdicts of their formats' own judges.

Packages with points are judged in tests of points.
"""

from __future__ import annotations

from typing import Any

import pytest

from microcoder_eval import Judge, Limits
from microcoder_eval.formats import problem_from
from microcoder_eval.formats.packages import make_row, read_package
from tests.commands import require_toolchain
from tests.formats.packages.expectations import EXPECTED, PACKAGES, READ, VERDICTS

# Where the package declares none. Programs that are meant to be too slow never end.
LIMITS = Limits(time_s=2.0)
CASES = [
    (name, submission)
    for name in READ
    if not {"max_points", "best_points"} & EXPECTED[name].keys()  # points: test_points.py
    for submission in EXPECTED[name]["submissions"]
]
FIELDS = ("code", "language", "file", "files")


@pytest.mark.sampled(8, "slow")
@pytest.mark.parametrize(("name", "submission"), CASES)
def test_a_submission_gets_the_verdict_of_its_formats_judge(
    name: str, submission: str, judge: Judge
) -> None:
    expected = EXPECTED[name]["submissions"][submission]
    package = read_package(PACKAGES / name)
    row: dict[str, Any] = make_row(package)
    [fields] = [fields for fields in row["solutions"] if fields["name"] == submission]
    require_toolchain(fields["language"])
    limits = None if package.time_s else LIMITS
    solution = {key: fields[key] for key in FIELDS if key in fields}
    judgement = judge.with_changes(limits=limits).judge(solution, problem_from(row))
    verdict = VERDICTS.get(expected["verdict"], expected["verdict"])
    assert str(judgement.verdict) == verdict, judgement.error or judgement.tests
    if "fails" in expected:
        failed = [
            test.name
            for test, result in zip(package.tests, judgement.tests, strict=True)
            if result is not None and result.verdict != "AC"
        ]
        assert failed[0] == expected["fails"][0]
