"""The names of findings, shared by audit, calibrate, verify and check."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any


class Severity(StrEnum):
    """ERROR: verdicts are wrong or missing. WARNING: they may be. NOTE: they are right."""

    ERROR = "error"
    WARNING = "warning"
    NOTE = "note"


@dataclass(frozen=True, slots=True)
class Meaning:
    """What a finding means, and what to do about it."""

    text: str
    advice: str


# The gravest first.
FINDINGS = {
    "judge_failed": Meaning(
        "pending: the judge itself failed on it; --resume tries again",
        "run again; `microcoder-eval doctor` says what this machine lacks",
    ),
    "unjudgeable": Meaning(
        "the judge cannot judge it", "correct the tests or the checker that the detail names"
    ),
    "missing_module": Meaning(
        "pending: a right program imports a module that is not here",
        "install the module, and run again with `--resume`",
    ),
    "checker_fails": Meaning(
        "its checker, or interactor, fails on a right answer", "correct the checker"
    ),
    "reference_fails": Meaning(
        "a program known to be right does not pass",
        "compare the program's label with the failing test: one of them is wrong",
    ),
    "wrong_accepted": Meaning(
        "a program known to be wrong passes", "add tests (`strengthen`), or correct the label"
    ),
    "submission_disagrees": Meaning(
        "a submission does not get what its package declares",
        "move the submission to another folder, or correct limits and tests",
    ),
    "contradictory_tests": Meaning(
        "two tests have the same input and expect different answers",
        "remove one of the tests, or add a checker that accepts both answers",
    ),
    "references_disagree": Meaning(
        "programs known to be right give different answers",
        "add a checker if both answers are right; else correct a label",
    ),
    "flaky": Meaning(
        "a program does not get the same verdict each time",
        "remove programs that depend on chance, on time, on an earlier test or on a set's order",
    ),
    "reference_too_slow": Meaning(
        "a program known to be right needs more than the time limit",
        "raise its limit; on a slow machine, raise `time_scale`",
    ),
    "hard_coded_reference": Meaning(
        "a program known to be right contains the tests' data", "remove the program"
    ),
    "careless_checker": Meaning(
        "its checker accepts an empty or meaningless answer", "correct the checker"
    ),
    "example_fails": Meaning(
        "right programs contradict an example of the statement",
        "correct the example, or remove the tests",
    ),
    "comparers_disagree": Meaning(
        "whether a program passes depends on how outputs are compared",
        "name the right comparer as the problem's checker",
    ),
    "multiple_answers_suspected": Meaning(
        "several answers seem right and only one is accepted",
        "add a checker, or name a comparer that ignores order",
    ),
    "suspicious_tolerance": Meaning(
        "numbers are compared too loosely, or too strictly", "set the tolerance of the checker"
    ),
    "near_limit": Meaning(
        "a right program needs most of the time or memory allowed",
        "raise the limit, or use a faster machine",
    ),
    "trivial_tests": Meaning(
        "one constant answer passes all tests", "add tests with other answers"
    ),
    "duplicate_tests": Meaning("two tests have the same input", "remove one of them"),
    "no_reference": Meaning(
        "there is no right program to run", "add a solution that is known to be right"
    ),
    "tests_too_large": Meaning(
        "the tests that must stay are larger than allowed", "raise `max_test_kb`"
    ),
    "output_not_generated": Meaning(
        "right programs did not agree on a missing output",
        "add right programs, or the output itself",
    ),
    "random_reference": Meaning(
        "all right programs use random numbers or clocks", "add a program that does not"
    ),
    "unusable_programs": Meaning(
        "some programs are in another language or have no known verdict",
        "name the language in `languages`, or correct the label",
    ),
    "slow_accepted": Meaning(
        "a program known to be too slow passes: listed in the timings only",
        "add a larger test, or lower the limit",
    ),
    "tests_reduced": Meaning(
        "tests that kill no further program were removed", "nothing; `max_tests = 0` keeps all"
    ),
    "outputs_generated": Meaning("agreeing right programs made the missing outputs", "nothing"),
}


@dataclass(frozen=True, slots=True)
class Finding:
    """One finding about one problem; one line of findings.jsonl.

    name: a name in FINDINGS, or that of a rule of the corpus pipeline.
    detail: one sentence for people.
    evidence: data for programs; tests are counted from 1, and outputs are shortened.
    problem_id: empty until the problem's findings are collected.
    """

    name: str
    detail: str
    evidence: Mapping[str, Any] = field(default_factory=dict)
    severity: Severity = Severity.WARNING
    problem_id: str = ""

    def as_line(self) -> bytes:
        """Encode the record as a line of JSON."""
        fields = {
            "problem_id": self.problem_id,
            "finding": self.name,
            "severity": str(self.severity),
            "detail": self.detail,
            "evidence": dict(self.evidence),
        }
        return json.dumps(fields).encode() + b"\n"
