"""Reads problems and solutions in our own format and in others, and reports faulty lines."""

from __future__ import annotations

from microcoder_eval.formats.problems import ProblemSet, open_problems, problem_from
from microcoder_eval.formats.solutions import read_solutions, solution_from
from microcoder_eval.formats.source import BadLine
