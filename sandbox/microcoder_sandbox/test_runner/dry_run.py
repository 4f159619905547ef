"""Run test code without a candidate, to learn whether it can run beside one at all.

Whether a problem can be judged out of process must depend on the problem alone. Otherwise a
candidate could return values that stop the test code, and be excused. So the test code runs once
against a stand-in. Up to its first request it runs as it does beside any candidate: if it fails or
ends before that, or requests nothing, the problem is at fault. After the first request each
statement runs, whatever earlier ones raise. If the test code requests what cannot be sent between
processes, or imports a missing module, the problem is at fault. Anything that only a candidate's
values cause is the candidate's failure.
"""

from __future__ import annotations

import ast

from .proxies import Connection

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

_SPECIAL_RESULTS: dict[str, Any] = {
    "bool": True, "isinstance": True, "len": 1, "str": "", "repr": "", "int": 1, "float": 1.0,
}  # fmt: skip
_IMPORTS = (ast.Import, ast.ImportFrom)
_DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
IS_TOLERANT = "__is_tolerant__"  # in the test code's namespace: whether errors are passed over


class DryRunConnection(Connection):
    """Answers every request as a candidate would, mostly with a new object."""

    def __init__(self, on_request: Callable[[], None]) -> None:
        super().__init__(-1, -1, on_request)
        self._objects = 0
        self._iterated: set[int] = set()

    def _exchange(self, request: dict[str, Any]) -> dict[str, Any]:
        name = request.get("name")
        if name in _SPECIAL_RESULTS:
            result: Any = _SPECIAL_RESULTS[name]
        elif name == "next" and self._is_exhausted(request):
            return {"id": request["id"], "raised": ["StopIteration"], "message": ""}
        else:
            self._objects += 1
            result = {"$handle": self._objects}
        return {"id": request["id"], "ok": result}

    def _is_exhausted(self, request: dict[str, Any]) -> bool:
        # Each iterator yields one object, so that the body of a loop runs once.
        number = request["target"].get("$handle", 0)
        if number in self._iterated:
            return True
        self._iterated.add(number)
        return False


def tolerate_errors(tree: ast.Module) -> None:
    """Change the tree so that a statement that raises is followed by the next one.

    Only while IS_TOLERANT() is true; not inside ``try``, where the test itself says what follows,
    and not after a failed import.
    """
    tree.body = _guard_statements(tree.body)
    ast.fix_missing_locations(tree)


def _guard_statements(statements: list[ast.stmt]) -> list[ast.stmt]:
    results: list[ast.stmt] = []
    for statement in statements:
        is_docstring = isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)
        if isinstance(statement, _IMPORTS) or is_docstring:  # imports from __future__ may follow
            results.append(statement)
            continue
        if not isinstance(statement, ast.Try):
            _guard_body(statement)
        keeps_order = isinstance(statement, (*_DEFINITIONS, ast.Global, ast.Nonlocal))
        results.append(statement if keeps_order else _wrap_in_try(statement))
    return results


def _guard_body(statement: ast.stmt) -> None:
    for field in ("body", "orelse"):
        inner = getattr(statement, field, None)
        if isinstance(inner, list) and inner:
            setattr(statement, field, _guard_statements(inner))
    for case in getattr(statement, "cases", []):
        case.body = _guard_statements(case.body)


def _wrap_in_try(statement: ast.stmt) -> ast.stmt:
    is_tolerant = ast.Call(ast.Name(IS_TOLERANT, ast.Load()), [], [])
    raise_again = ast.If(ast.UnaryOp(ast.Not(), is_tolerant), [ast.Raise()], [])
    handlers = [
        ast.ExceptHandler(ast.Name("ImportError", ast.Load()), None, [ast.Raise()]),
        ast.ExceptHandler(ast.Name("Exception", ast.Load()), None, [raise_again]),
    ]
    return ast.copy_location(ast.Try([statement], handlers, [], []), statement)
