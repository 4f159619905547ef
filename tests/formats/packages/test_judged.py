"""Submissions of the packages in tests/packages get the verdicts and the points of their formats'
own judges. The expectations were written from the formats' specifications (README.md there)."""

from __future__ import annotations

import pytest

from microcoder_eval import Judge, Judgement, Limits
from microcoder_eval.formats import problem_from
from microcoder_eval.formats.packages import make_row, read_package
from microcoder_eval.formats.packages.package import Package
from tests.formats.packages.expectations import EXPECTED, PACKAGES, READ, VERDICTS
from tests.judges import require_toolchain

# Where the package declares none. Programs that are meant to be too slow never end.
LIMITS = Limits(time_s=2.0)
FIELDS = ("code", "language", "file", "files")
WITH_POINTS = [name for name in READ if {"max_points", "best_points"} & EXPECTED[name].keys()]
CASES = [
    (name, submission)
    for name in READ
    if name not in WITH_POINTS
    for submission in EXPECTED[name]["submissions"]
]


def judge_submission(judge: Judge, package: Package, submission: str) -> Judgement:
    row = make_row(package)
    [fields] = [fields for fields in row.pop("solutions") if fields["name"] == submission]
    require_toolchain(fields["language"])
    solution = {key: fields[key] for key in FIELDS if fields.get(key)}
    limited_judge = judge.with_changes(limits=None if package.time_s else LIMITS)
    return limited_judge.judge(solution, problem_from(row))


@pytest.mark.sampled(8, "slow")
@pytest.mark.parametrize(("name", "submission"), CASES)
def test_a_submission_gets_the_verdict_of_its_formats_judge(
    name: str, submission: str, judge: Judge
) -> None:
    expected = EXPECTED[name]["submissions"][submission]
    package = read_package(PACKAGES / name)
    judgement = judge_submission(judge, package, submission)
    verdict = VERDICTS.get(expected["verdict"], expected["verdict"])
    assert str(judgement.verdict) == verdict, judgement.error or judgement.tests
    if "fails" in expected:
        failed = [
            test.name
            for test, result in zip(package.tests, judgement.tests, strict=True)
            if result is not None and result.verdict != "AC"
        ]
        assert failed[0] == expected["fails"][0]


# That runs to the end give the same points as those that stop: tests/points, by drawn groups.
@pytest.mark.slow
@pytest.mark.parametrize("name", WITH_POINTS)
def test_submissions_get_the_points_of_their_formats_judge(name: str, judge: Judge) -> None:
    expected, package = EXPECTED[name], read_package(PACKAGES / name)
    assert {one.name for one in package.submissions} == expected["submissions"].keys()
    for submission, wanted in expected["submissions"].items():
        judgement = judge_submission(judge, package, submission)
        assert judgement.points == wanted["points"], (submission, judgement)
        points = {group.name: group.points for group in judgement.groups}
        groups = wanted.get("groups", {})
        assert {key: points[key] for key in groups} == groups, (submission, judgement)
        assert judgement.max_points == expected.get("max_points", expected.get("best_points"))
        assert judgement.passed == (judgement.points == judgement.max_points)
        assert judgement.passed == (judgement.verdict == "AC"), (submission, judgement)
