"""The kinds of findings of an audit, their severities, and the record of a finding."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import field
from enum import StrEnum
from typing import Any

from microcoder_sandbox import record


class Severity(StrEnum):
    """ERROR: verdicts are wrong or missing. WARNING: they may be. NOTE: they are right."""

    ERROR = "error"
    WARNING = "warning"
    NOTE = "note"


class FindingName(StrEnum):
    """The kinds of findings, the gravest first."""

    UNJUDGEABLE = "unjudgeable"
    CHECKER_FAILS = "checker_fails"
    REFERENCE_FAILS = "reference_fails"
    WRONG_ACCEPTED = "wrong_accepted"
    CONTRADICTORY_TESTS = "contradictory_tests"
    REFERENCES_DISAGREE = "references_disagree"
    FLAKY = "flaky"
    COMPARERS_DISAGREE = "comparers_disagree"
    MULTIPLE_ANSWERS_SUSPECTED = "multiple_answers_suspected"
    SUSPICIOUS_TOLERANCE = "suspicious_tolerance"
    NEAR_LIMIT = "near_limit"
    TRIVIAL_TESTS = "trivial_tests"
    DUPLICATE_TESTS = "duplicate_tests"
    NO_REFERENCE = "no_reference"


MEANINGS = {
    FindingName.UNJUDGEABLE: "the judge cannot judge it",
    FindingName.CHECKER_FAILS: "its checker, or interactor, fails over a right answer",
    FindingName.REFERENCE_FAILS: "a program known to be right does not pass",
    FindingName.WRONG_ACCEPTED: "a program known to be wrong passes",
    FindingName.CONTRADICTORY_TESTS: "two tests have the same input and expect different answers",
    FindingName.REFERENCES_DISAGREE: "programs known to be right give different answers",
    FindingName.FLAKY: "a program does not get the same verdict each time",
    FindingName.COMPARERS_DISAGREE: "whether a program passes depends on how outputs are compared",
    FindingName.MULTIPLE_ANSWERS_SUSPECTED: "several answers seem right and only one is accepted",
    FindingName.SUSPICIOUS_TOLERANCE: "numbers are compared too loosely, or too strictly",
    FindingName.NEAR_LIMIT: "a right program needs most of the time or memory allowed",
    FindingName.TRIVIAL_TESTS: "one constant answer passes all tests",
    FindingName.DUPLICATE_TESTS: "two tests have the same input",
    FindingName.NO_REFERENCE: "there is no right program to run",
}


@record
class Finding:
    """One finding about one problem; one line of findings.jsonl.

    detail: one sentence for people. evidence: its data for programs, with tests counted from 1
    and shortened outputs.
    """

    problem_id: str
    name: FindingName
    severity: Severity
    detail: str
    evidence: Mapping[str, Any] = field(default_factory=dict)

    def as_json(self) -> dict[str, Any]:
        """Return the record as a JSON object."""
        return {
            "problem_id": self.problem_id,
            "finding": str(self.name),
            "severity": str(self.severity),
            "detail": self.detail,
            "evidence": dict(self.evidence),
        }

    def as_line(self) -> bytes:
        """Encode the record as a line of JSON."""
        return json.dumps(self.as_json()).encode() + b"\n"
