"""Whether the judgement of a submission is what its package declares."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

from microcoder_eval.audit.findings import Finding, Severity
from microcoder_eval.audit.verdicts import find_detail
from microcoder_eval.formats.packages.kattis.submissions import matches
from microcoder_eval.formats.packages.package import Requirement, Submission
from microcoder_eval.records import Judgement, TestResult, Verdict

_PARTIAL = ("partially_accepted", "partial")
_TOLERANCE = 1e-6
# The convention of testdata_tools: a comment in a submission lists the verdicts of the secret
# groups.
_GRADES = re.compile(r"@EXPECTED_GRADES@[ \t]*((?:[A-Z]{2,4}\b[ \t]*)+)")


def find_disagreement(
    submission: Submission, judgement: Judgement, test_names: Sequence[str]
) -> Finding | None:
    """Return what a judgement has against what the package declares of a submission; None where it
    agrees. test_names: of all tests, as the package's files have them."""
    if judgement.verdict is Verdict.JE:
        reason = f"the judge failed: {judgement.error}"
        return Finding("unjudgeable", reason, severity=Severity.ERROR)
    if _agrees(submission, judgement):
        tests = dict(zip(test_names, judgement.tests, strict=True))
        message = find_broken_requirement(submission.requirements, tests)
    else:
        message = _describe_expectation(submission, judgement)
        if detail := find_detail(judgement):
            message += f": {detail}"
    if message is None:
        return None
    return Finding("submission_disagrees", message, severity=Severity.ERROR)


def _describe_expectation(submission: Submission, judgement: Judgement) -> str:
    message = f"expected {' or '.join(submission.expected)}"
    if submission.declared in _PARTIAL and judgement.groups:
        message += ", some of the points and not all"
    if submission.expected_score is not None:
        ends = dict.fromkeys(map(format_points, submission.expected_score))
        message += f", {' to '.join(ends)} points"
    return message


def find_broken_requirement(
    requirements: Iterable[Requirement], tests: Mapping[str, TestResult]
) -> str | None:
    """Return what the tests of a submission, by name, have against a requirement, None if they
    meet all."""
    for one in requirements:
        verdicts = {
            # The formats call a test accepted for some of its points, too.
            name: "AC" if test.points else str(test.verdict)
            for name, test in tests.items()
            if test.verdict is not None and (not one.tests or matches(name, one.tests))
        }
        where = f"{one.tests}: " if one.tests else ""
        for name, verdict in verdicts.items():
            if one.permitted and verdict not in one.permitted:
                return f"{where}expected {' or '.join(one.permitted)}, and {name} is {verdict}"
        if one.required and verdicts and not {*one.required} & {*verdicts.values()}:
            return f"{where}expected a test that is {' or '.join(one.required)}, and there is none"
    return None


def format_points(points: float | None) -> str:
    """Return points as people write them; a dash where there are none."""
    return "–" if points is None else f"{points:g}"


def _agrees(submission: Submission, judgement: Judgement) -> bool:
    """Whether a judgement is what the package declares.

    The formats call a program accepted if the validator gives it only some of the points, and
    archives keep such programs in accepted/. This function accepts them too, although a reward does
    not. If a partially right program lists the verdicts of its groups (@EXPECTED_GRADES@ AC WA …),
    that list decides instead of its folder.
    """
    score, points = submission.expected_score, judgement.points
    if score is not None:
        low, high = score
        if points is None or not low - _TOLERANCE <= points <= high + _TOLERANCE:
            return False
    elif submission.declared in _PARTIAL and judgement.groups:
        meets_grades = _meets_grades(submission.code, judgement)
        if meets_grades is not None:
            return meets_grades
        # A validator may accept a test with none.
        is_scored = any(test.points is not None for test in judgement.tests)
        return not judgement.passed and points is not None and (points > 0 or is_scored)
    refusals = (test.verdict for test in judgement.tests if test.failed and test.points is None)
    verdicts = {str(judgement.verdict), str(next(refusals, None) or Verdict.AC)}
    return not verdicts.isdisjoint(submission.expected)


def _meets_grades(code: str, judgement: Judgement) -> bool | None:
    """Whether the groups have the verdicts that the program lists; None if it lists none. TLE
    matches every verdict, since it depends on the machine."""
    match = _GRADES.search(code)
    groups = [group for group in judgement.groups if group.name.split("/")[0] != "sample"]
    if match is None or len(match[1].split()) != len(groups):
        return None
    pairs = [
        (grade, str(group.verdict)) for grade, group in zip(match[1].split(), groups, strict=True)
    ]
    return all("TLE" in pair or (pair[0] == "AC") == (pair[1] == "AC") for pair in pairs)
