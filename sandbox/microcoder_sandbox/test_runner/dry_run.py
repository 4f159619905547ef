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
from collections import deque
from functools import cache
from typing import Any

from microcoder_sandbox.rpc import packing

from .failures import Failures
from .origins import NUMBERS, Origins

_SPECIAL_RESULTS: dict[str, Any] = {
    "__len__": 1, "__str__": "", "__repr__": "",
    "__format__": "", "__int__": 1, "__float__": 1.0, "__index__": 1, "__hash__": 1,
    "__complex__": 1.0, "__bytes__": {"$bytes": ""}, "exit": False, "aexit": False,
}  # fmt: skip
# These are True the first time that an object is asked, so that the body of a loop runs once.
_TRUTHS = frozenset({"__bool__", "__lt__", "__le__", "__ge__", "__gt__", "__eq__", "__contains__"})
_IMPORTS = (ast.Import, ast.ImportFrom)
_DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
_ENDINGS = {"__next__": "StopIteration", "anext": "StopAsyncIteration"}
_USES_OF_OBJECTS = frozenset({"getattr", "setattr", "delattr", "__enter__", "__aenter__",
                              "__setitem__", "__delitem__"})  # fmt: skip
_REAL = frozenset({"__float__", "__round__"})
IS_TOLERANT = "__is_tolerant__"  # in the test code's namespace: whether errors are passed over


class DryRunOrigins(Origins):
    """What made each object of the stand-in. How the test uses them shows what makes objects."""

    def __init__(self) -> None:
        super().__init__()
        self._searched: set[str] = set()  # makers of what the test asks for a value by ``in``

    def is_made_by_test(self, target: dict[str, Any]) -> bool:
        """See Origins. Here any object with a label counts."""
        return self.is_given_by_class(target)

    def runs_in_candidate(
        self, target: dict[str, Any], name: str, other: Any, is_value: bool = False
    ) -> bool:
        """See Origins."""
        if type(other) in (int, float):
            self._note_number(target)
        return super().runs_in_candidate(target, name, other, is_value)

    def _note_number(self, target: dict[str, Any]) -> None:
        if (self.get_label(target) or "").startswith("."):
            self.makers.add(NUMBERS)

    def _expects_numbers(self) -> bool:
        return False  # so that it shows what the test does with the result

    def note_use(self, request: dict[str, Any]) -> None:
        """Find what makes objects: the test uses its result as no plain value can be used, or
        compares two of its results."""
        name, maker = request.get("name"), self.get_label(request["target"])
        if maker is None:
            return
        is_plain = name == "getattr" and request["args"][0] in _list_plain_attributes()
        is_use = (name is None or name in _USES_OF_OBJECTS) and not is_plain
        root = maker.partition(".")[0]
        if is_use or (name == "__eq__" and self._find_root(request["args"][0]) == root):
            self.makers |= {maker, root}
        elif name in _REAL:
            self._note_number(request["target"])
        elif root and name == "__contains__" and type(request["args"][0]) is not dict:
            self._searched.add(maker)

    def _find_root(self, packed: Any) -> str | None:
        has_handle = type(packed) is dict and "$handle" in packed
        return (self.get_label(packed) or "").partition(".")[0] if has_handle else None

    def list_unclear(self) -> list[str]:
        """Return the makers of what the test uses by ``in`` alone. Nothing says whether the program
        is to make an object, whose class decides, or a plain value, which is searched here."""
        return sorted(self._searched - self.makers)


class StandIn:
    """Answers every request as a candidate would, mostly with a new object."""

    def __init__(self) -> None:
        self.origins = DryRunOrigins()
        self._objects = 0
        self._asked: set[tuple[str, int]] = set()

    def exchange(self, request: dict[str, Any]) -> dict[str, Any]:
        """Return the reply to a request."""
        name, target = request.get("name"), request["target"]
        self.origins.note_use(request)
        question = (name or "", target.get("$handle", -1))
        is_repeated = question in self._asked
        self._asked.add(question)
        if name in _SPECIAL_RESULTS:
            result: Any = _SPECIAL_RESULTS[name]
        elif name in ("hasattr", "callable"):
            result = True
        elif name in ("isinstance", "issubclass"):
            result = "$type" not in str(request["args"])  # the stand-in is of no built-in type
        elif name in _TRUTHS:
            result = not is_repeated
        elif name in _ENDINGS and is_repeated:
            return {"id": request["id"], "raised": [f"builtins.{_ENDINGS[name]}"], "message": ""}
        else:
            self._objects += 1
            result = {"$handle": self._objects}
        released = [number for number, _class, _state in request["instances"]]
        return {"id": request["id"], "ok": result, "released": released}

    def refuse_unclear(self, failures: Failures) -> None:
        """Refuse test code that leaves open what is an object of the program's."""
        for maker in self.origins.list_unclear():
            failures.refuse(
                f"the test uses {maker}(…) by `in` alone, which may be a class or a function"
            )


@cache
def _list_plain_attributes() -> frozenset[str]:
    """Return the attributes of the values that cross the pipes as they are. It takes imports, which
    few test codes need."""
    types = [int, float, complex, str, bytes, list, tuple, dict, set, deque]
    for module, classes in packing.STANDARD.items():
        types += [getattr(__import__(module), name) for name in classes]
    return frozenset(name for kind in types for name in dir(kind))


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
