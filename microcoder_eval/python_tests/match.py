"""Recognise one assertion as a call with literal arguments, related to a literal."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import Any, TypeAlias

from .assert_plan import CallTest, Relation, Tolerance
from .fold import NotConstantError, fold

_SINGLETONS = (None, True, False)


_Call: TypeAlias = tuple[str, tuple[Any, ...], dict[str, Any]]  # as the first fields of CallTest


def split_conjuncts(test: ast.expr) -> list[ast.expr]:
    """Return the parts of ``a and b and c``: all must hold, in any order."""
    if isinstance(test, ast.BoolOp) and isinstance(test.op, ast.And):
        return [part for value in test.values for part in split_conjuncts(value)]
    return [test]


def match_assertion(
    test: ast.expr, resolve_entry: Callable[[str], str | None], is_trusted: Callable[[str], bool]
) -> CallTest | None:
    """Return the (call, expected) pair of an assertion, or None when it is anything else.

    resolve_entry: the entry point that a called name stands for ("candidate" -> "f"), or None.
    is_trusted: whether a name has the meaning that Python or test_names gives it.
    """
    try:
        return _Matcher(test, resolve_entry, is_trusted).match()
    except NotConstantError:
        return None


class _Matcher:
    def __init__(
        self,
        test: ast.expr,
        resolve_entry: Callable[[str], str | None],
        is_trusted: Callable[[str], bool],
    ) -> None:
        self._test, self._resolve_entry, self._is_trusted = test, resolve_entry, is_trusted

    def match(self) -> CallTest | None:
        test = self._test
        match test:
            case ast.Compare(left=left, ops=[op], comparators=[right]):
                return self._match_comparison(left, op, right)
            case ast.UnaryOp(op=ast.Not(), operand=ast.Call() as call):
                return self._make_test(self._match_call(call), None, Relation.FALSY)
            case ast.Call() if self._is_call_of(test, "isclose", "math"):
                return self._match_isclose(test)
            case ast.Call():
                return self._make_test(self._match_call(test), None, Relation.TRUTHY)
        return None

    def _match_comparison(self, left: ast.expr, op: ast.cmpop, right: ast.expr) -> CallTest | None:
        if isinstance(op, (ast.Gt, ast.GtE)):  # eps > abs(…)
            left, right = right, left
            op = ast.Lt() if isinstance(op, ast.Gt) else ast.LtE()
        if isinstance(op, (ast.Lt, ast.LtE)):
            return self._match_difference(left, right, isinstance(op, ast.Lt))
        if isinstance(op, ast.Is):
            expected = self._fold(right)
            if not any(expected is singleton for singleton in _SINGLETONS):
                return None
            return self._make_test(self._match_call(left), expected, Relation.IS)
        if not isinstance(op, ast.Eq):
            return None
        call, other = self._find_call(left, right)
        if call is None:
            return None
        if isinstance(other, ast.Call) and self._is_call_of(other, "approx", "pytest"):
            return self._match_approx(call, other)
        return self._make_test(call, self._fold(other), Relation.EQ)

    def _match_difference(self, left: ast.expr, bound: ast.expr, strict: bool) -> CallTest | None:
        match left:
            case ast.Call(
                func=ast.Name(id="abs"), args=[ast.BinOp(left=a, op=ast.Sub(), right=b)]
            ) if self._is_trusted("abs"):
                call, other = self._find_call(a, b)
                tolerance = Tolerance("difference", 0.0, self._fold_number(bound), strict)
                return self._make_test(call, self._fold_number(other), Relation.CLOSE, tolerance)
        return None

    def _match_isclose(self, test: ast.Call) -> CallTest | None:
        if len(test.args) != 2:
            return None
        options = self._read_options(test, {"rel_tol": 1e-9, "abs_tol": 0.0})
        call, other = self._find_call(*test.args)
        tolerance = Tolerance("isclose", options["rel_tol"], options["abs_tol"])
        return self._make_test(call, self._fold_number(other), Relation.CLOSE, tolerance)

    def _match_approx(self, call: _Call, test: ast.Call) -> CallTest | None:
        if len(test.args) != 1:
            return None
        keyword_names = {keyword.arg for keyword in test.keywords}
        options = self._read_options(
            test, {"rel": 0.0 if keyword_names == {"abs"} else 1e-6, "abs": 1e-12}
        )
        tolerance = Tolerance("approx", options["rel"], options["abs"])
        return self._make_test(call, self._fold_number(test.args[0]), Relation.CLOSE, tolerance)

    def _read_options(self, test: ast.Call, defaults: dict[str, float]) -> dict[str, float]:
        options = dict(defaults)
        for keyword in test.keywords:
            if keyword.arg not in options:
                raise NotConstantError(f"an option {keyword.arg}")
            options[keyword.arg] = self._fold_number(keyword.value)
        return options

    def _make_test(
        self,
        call: _Call | None,
        expected: Any,
        relation: Relation,
        tolerance: Tolerance | None = None,
    ) -> CallTest | None:
        if call is None:
            return None
        return CallTest(*call, expected, relation, tolerance, source=ast.unparse(self._test))

    def _find_call(self, left: ast.expr, right: ast.expr) -> tuple[_Call | None, ast.expr]:
        """Return the call on one side, and the other side."""
        call = self._match_call(left)
        return (self._match_call(right), left) if call is None else (call, right)

    def _match_call(self, node: ast.expr) -> _Call | None:
        """Return a call of the candidate with literal arguments; None when it calls something
        else."""
        if not isinstance(node, ast.Call):
            return None
        entry = match_entry(node.func, self._resolve_entry)
        if entry is None:
            return None
        args = tuple([self._fold(arg) for arg in node.args])
        kwargs: dict[str, Any] = {}
        for keyword in node.keywords:
            if keyword.arg is None:
                raise NotConstantError("**")
            kwargs[keyword.arg] = self._fold(keyword.value)
        return entry, args, kwargs

    def _is_call_of(self, call: ast.Call, name: str, module: str) -> bool:
        """Whether what is called is ``module.name``, or ``name`` imported from it."""
        match call.func:
            case ast.Attribute(value=ast.Name(id=owner), attr=attribute):
                return attribute == name and owner == module and self._is_trusted(module)
            case ast.Name(id=function_name):
                return function_name == name and self._is_trusted(name)
        return False

    def _fold(self, node: ast.expr) -> Any:
        return fold(node, self._is_trusted)

    def _fold_number(self, node: ast.expr) -> Any:
        value = self._fold(node)
        if not isinstance(value, (int, float)):
            raise NotConstantError("a tolerance or value that is no number")
        return value


def match_entry(function: ast.expr, resolve_entry: Callable[[str], str | None]) -> str | None:
    """Return the entry point of what is called: a candidate's name, or a method of a fresh
    object."""
    match function:
        case ast.Name(id=name):
            return resolve_entry(name)
        case ast.Attribute(value=ast.Call(func=ast.Name(id=name), args=[], keywords=[]), attr=attr):
            class_entry = resolve_entry(name)
            if class_entry is None or "." in class_entry:
                return None
            # ``f().lower()`` is a method of what a function returns, not of an object of a class.
            return f"{class_entry}().{attr}" if class_entry[:1].isupper() else None
    return None
