"""Reads problems and solutions in our own format and in others, and reports faulty lines."""

from __future__ import annotations

from .problems import ProblemSet, open_problems, problem_from
from .solutions import read_solutions, solution_from
from .source import BadLine
