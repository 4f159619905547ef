"""What passes every test and still proves nothing: tables of answers, checkers that accept all."""

from __future__ import annotations

import ast
from collections.abc import Sequence

from microcoder_eval.audit import Program
from microcoder_eval.data.reasons import Found
from microcoder_eval.records import Kind, Problem, Solution

from .runner import Runner

_SHORT = 5  # characters of an input that may stand in any program
_FEW = 3  # inputs that a program may hold
_MEANINGLESS = ("print()", "print('?')")


def hard_coded(problem: Problem, programs: Sequence[Program]) -> Found | None:
    """A program that holds most of the tests' inputs; None where none does."""
    if problem.kind is Kind.ASSERT:
        return None
    inputs = {_squeezed(repr(test.input)) for test in problem.tests}
    inputs = {text for text in inputs if len(text) >= _SHORT}
    for program in programs:
        code = _constants(program.solution.code or "")
        held = sum(text in code for text in inputs)
        if held > max(_FEW, len(inputs) / 2):
            told = f"{program.name} holds {held} of {len(problem.tests)} inputs"
            return Found("hard_coded_reference", told, {"solution_id": program.name})
    return None


def _squeezed(text: str) -> str:
    return "".join(text.split()).replace("\\n", "").strip("'\"[]()")


def _constants(code: str) -> str:
    """The program's text without comments and docstrings, and without spaces."""
    try:
        tree = ast.parse(code)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return ""
    for node in ast.walk(tree):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            node.value = ast.Constant(None)
    return _squeezed(ast.unparse(tree))


def careless(runner: Runner, problem: Problem) -> Found | None:
    """Whether the problem's own checker accepts what is no answer. Raises as Runner.judged."""
    if problem.kind is not Kind.STDIN or "source" not in (problem.checker or {}):
        return None
    programs = [
        Solution(problem.problem_id, f"meaningless{number}", code)
        for number, code in enumerate(_MEANINGLESS)
    ]
    for program, judgement in zip(programs, runner.judged(problem, programs), strict=True):
        if judgement.passed:
            return Found("careless_checker", f"it accepts {program.code}")
    return None
