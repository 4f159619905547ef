"""Finds tests in which a function of the program judges the program's own results.

If only the program can define ``assert_equal``, then ``assert_equal(f(1), 2)`` says nothing about
``f``: a program passes with an ``assert_equal`` that does nothing. A function that the tests also
call without such results is one that the problem asks for.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from microcoder_sandbox import source_analysis

from .test_code import TestCode

walk = source_analysis.walk
_TRUTHS = frozenset({"assertTrue", "assertFalse"})  # beside which a message may stand


def find_self_judging_function(tests: TestCode, root: str | None) -> str | None:
    """Return the name of a function of the program that judges the program's results, or None.

    The test code decides by this function's calls, and passes a result of the program to all of
    them. It is never the entry point. root: the entry point's global name.
    """
    names = tests.candidate_names | ({root} if root else set())
    deciding_names = {_name(call) for call in _find_deciding_calls(tests)} & names - {root}
    if not deciding_names:
        return None
    results = _ProgramResults(tests, names)
    for name in sorted(deciding_names):
        uses = [node for node in tests.select(ast.Name) if node.id == name]
        calls = [call for call in tests.select(ast.Call) if _name(call) == name]
        if len(calls) == len(uses) and all(map(results.are_passed_to, calls)):
            return name
    return None


def _find_deciding_calls(tests: TestCode) -> Iterator[ast.Call]:
    """Yield calls that decide the outcome of the test code, by their truth or by raising."""
    for node in tests.select(ast.Assert, ast.If, ast.Expr):
        match node:
            case ast.Assert(test=test) | ast.If(test=test):
                yield from _find_in_truth(test)
            case ast.Expr(value=ast.Call() as call) if source_analysis.is_assertion(node):
                yield call
                is_of_one = len(call.args) == 1 or source_analysis.get_called_name(call) in _TRUTHS
                if is_of_one or any(map(_is_truth, call.args)):
                    for argument in call.args:
                        yield from _find_in_truth(argument)


def _is_truth(value: ast.expr) -> bool:
    return isinstance(value, ast.Constant) and isinstance(value.value, bool)


def _find_in_truth(test: ast.expr) -> Iterator[ast.Call]:
    match test:
        case ast.Call():
            yield test
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            yield from _find_in_truth(operand)
        case ast.BoolOp(values=values):
            for value in values:
                yield from _find_in_truth(value)
        case ast.Compare(left=left, comparators=[ast.Constant(value=bool())]):
            yield from _find_in_truth(left)


class _ProgramResults:
    """Recognises results of the program in the test code: calls of its functions or of methods, and
    variables that hold their results. An object of its class is no result: the test made it."""

    def __init__(self, tests: TestCode, names: set[str]) -> None:
        assignments = tests.select(ast.Assign)
        # Parameters may stand for the program's functions: those of ``check``, for one.
        parameters = {node.arg for node in tests.select(ast.arg)}
        self._things = names | parameters
        self._variables: set[str] = set()
        known_count = -1
        while len(self._things) + len(self._variables) > known_count:
            known_count = len(self._things) + len(self._variables)
            for node in assignments:
                targets = {target.id for target in node.targets if isinstance(target, ast.Name)}
                self._things |= targets if self._uses(node.value, self._things) else set()
                self._variables |= targets if self._are_in(node.value) else set()

    def are_passed_to(self, call: ast.Call) -> bool:
        """Whether an argument of a call holds an answer."""
        return any(map(self._are_in, [*call.args, *(keyword.value for keyword in call.keywords)]))

    def _are_in(self, expression: ast.expr) -> bool:
        return self._uses(expression, self._variables) or any(
            self._is_answer(node) for node in walk(expression) if isinstance(node, ast.Call)
        )

    def _is_answer(self, call: ast.Call) -> bool:
        match call.func:
            case ast.Name(id=name):
                return name in self._things and not name[:1].isupper()
            case ast.Attribute(value=value):
                return self._uses(value, self._things)
        return False

    def _uses(self, expression: ast.expr, names: set[str]) -> bool:
        return any(isinstance(n, ast.Name) and n.id in names for n in walk(expression))


def _name(call: ast.Call) -> str:
    return call.func.id if isinstance(call.func, ast.Name) else ""
