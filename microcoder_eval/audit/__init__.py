"""Runs programs over problems and finds those that cannot be judged fairly.

Problem, Programs -> checks of the tests -> Runner: judgements, outputs -> Findings

``microcoder-eval audit`` and ``calibrate`` stand on it, and ``verify`` and ``check`` of the corpus.
"""

from __future__ import annotations

from .examiner import Examiner
from .findings import FINDINGS, Finding, Severity
from .programs import Program, Programs
from .runner import Runner

__all__ = ["FINDINGS", "Examiner", "Finding", "Program", "Programs", "Runner", "Severity"]
