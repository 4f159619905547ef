"""Finds problems that cannot be judged fairly, for ``microcoder-eval audit``.

Problem, Programs -> static checks -> judgements, outputs -> Findings
"""

from __future__ import annotations

from .examiner import Examiner
from .findings import MEANINGS, Finding, FindingName, Severity
from .programs import Program, Programs

__all__ = ["MEANINGS", "Examiner", "Finding", "FindingName", "Program", "Programs", "Severity"]
