"""What passes every test and still proves nothing: tables of answers, checkers that accept all."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace

from microcoder_eval.audit import Program
from microcoder_eval.data.reasons import Found
from microcoder_eval.data.syntax import parsed
from microcoder_eval.records import Kind, Problem, Solution

from .runner import Runner

_LONG_KEY = 12  # characters of a key that is no word: a hash, or an input
_SHORT = 5  # characters of an input that may stand in any program
_FEW = 3  # inputs that a program may hold
_MEANINGLESS = ("print()", "print('?')")
_SOME = 3  # answers of other tests that a checker is tried with


def hard_coded(problem: Problem, programs: Sequence[Program]) -> Found | None:
    """A program that holds most of the tests' inputs, or a table of the outputs; None where none
    does."""
    if problem.kind is Kind.ASSERT:
        return None
    inputs = {_squeezed(repr(test.input)) for test in problem.tests}
    inputs = {text for text in inputs if len(text) >= _SHORT}
    outputs = Counter(_squeezed(repr(test.output)) for test in problem.tests)
    for program in programs:
        code = _constants(program.solution.code or "")
        held = sum(text in code for text in inputs)
        if held > max(_FEW, len(inputs) / 2):
            told = f"{program.name} holds {held} of {len(problem.tests)} inputs"
            return Found("hard_coded_reference", told, {"solution_id": program.name})
        if len(outputs) > _FEW and (held := _answers_in(program.solution.code or "", outputs)):
            told = f"{program.name} holds a table of {held} of {len(problem.tests)} outputs"
            return Found("hard_coded_reference", told, {"solution_id": program.name})
    return None


def _answers_in(code: str, outputs: Counter[str]) -> int:
    """How many outputs one dictionary holds that has little else in it; 0 where none does."""
    for values in _dictionaries(code):
        held = (Counter(values) & outputs).total()
        if held > max(_FEW, outputs.total() / 2, len(values) / 2):
            return held
    return 0


def _dictionaries(code: str) -> Iterator[list[str]]:
    """The values of every dictionary whose keys could be had from inputs: long texts, tuples."""
    tree = parsed(code)
    if tree is None:
        return
    for node in ast.walk(tree):
        if isinstance(node, ast.Dict) and all(map(_is_from_input, node.keys)):
            yield [_squeezed(ast.unparse(value)) for value in node.values]


def _is_from_input(key: ast.expr | None) -> bool:
    if isinstance(key, ast.Constant):
        return isinstance(key.value, str | bytes) and len(key.value) > _LONG_KEY
    return isinstance(key, ast.Tuple) and len(key.elts) > 1


def _squeezed(text: str) -> str:
    return "".join(text.split()).replace("\\n", "").strip("'\"[]()")


def _constants(code: str) -> str:
    """The program's text without comments and docstrings, and without spaces."""
    tree = parsed(code)
    if tree is None:
        return ""
    for node in ast.walk(tree):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            node.value = ast.Constant(None)
    return _squeezed(ast.unparse(tree))


def careless(runner: Runner, problem: Problem) -> Found | None:
    """Whether the problem's own checker accepts what is no answer. Raises as Runner.judged."""
    if problem.kind is not Kind.STDIN or not problem.checker:
        return None
    if "source" in problem.checker:
        programs = [_saying(problem, code) for code in _MEANINGLESS]
        for program, judgement in zip(programs, runner.judged(problem, programs), strict=True):
            if judgement.passed:
                return Found("careless_checker", f"it accepts {program.code}")
    return _indifferent(runner, problem)


def _indifferent(runner: Runner, problem: Problem) -> Found | None:
    """Whether the answers of some tests, each very different, pass all the others."""
    answers = list({" ".join(str(test.output).split()): test for test in problem.tests}.values())
    some = sorted(answers, key=lambda test: len(str(test.output)))[:_SOME]
    if len(some) < _SOME:
        return None
    for one in some:
        others = replace(problem, tests=tuple(test for test in answers if test is not one))
        program = _saying(problem, f"print({str(one.output)!r}, end='')")
        if not runner.judged(others, [program])[0].passed:
            return None
    return Found("careless_checker", "it accepts the answer of one test for all the others")


def _saying(problem: Problem, code: str) -> Solution:
    return Solution(problem.problem_id, "meaningless", code)
