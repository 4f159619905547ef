"""Small changes to a right program that make it wrong: what tests are measured by.

Each mutant is the program with one change. Which changes are taken depends on the program and the
seed alone; kinds of changes take turns, so that no kind crowds out the others.
"""

from __future__ import annotations

import ast
import copy
from collections import defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from microcoder_eval.data.rows import draw

from .steps import by_chance

_COMPARE: dict[type[ast.cmpop], tuple[type[ast.cmpop], ...]] = {
    ast.Lt: (ast.LtE, ast.GtE), ast.LtE: (ast.Lt, ast.Gt), ast.Gt: (ast.GtE, ast.LtE),
    ast.GtE: (ast.Gt, ast.Lt), ast.Eq: (ast.NotEq, ast.LtE), ast.NotEq: (ast.Eq,),
    ast.In: (ast.NotIn,), ast.NotIn: (ast.In,), ast.Is: (ast.IsNot,), ast.IsNot: (ast.Is,),
}  # fmt: skip
_ARITHMETIC: dict[type[ast.operator], tuple[type[ast.operator], ...]] = {
    ast.Add: (ast.Sub,), ast.Sub: (ast.Add,), ast.Mult: (ast.Add,), ast.Div: (ast.FloorDiv,),
    ast.FloorDiv: (ast.Mult,), ast.Mod: (ast.FloorDiv,), ast.Pow: (ast.Mult,),
    ast.BitAnd: (ast.BitOr,), ast.BitOr: (ast.BitAnd,), ast.BitXor: (ast.BitOr,),
    ast.LShift: (ast.RShift,), ast.RShift: (ast.LShift,),
}  # fmt: skip
_CALLS = {"min": "max", "max": "min", "any": "all", "all": "any", "sorted": "list", "abs": "int",
          "bisect_left": "bisect_right", "bisect_right": "bisect_left", "sum": "max",
          "ceil": "floor", "floor": "ceil", "round": "int", "popleft": "pop", "set": "list",
          "upper": "lower", "lower": "upper", "append": "extend"}  # fmt: skip

Change = Callable[[ast.AST], None]  # made to the node of a copy
# Changes that make a while loop run for ever: each such mutant costs its time limit, and every test
# that enters the loop kills it.
_ENDLESS = frozenset({"condition", "deletion", "jump"})


@dataclass(frozen=True, slots=True)
class Mutant:
    """A program with one change. kind: which one."""

    code: str
    kind: str
    line: int


def mutants(code: str, count: int, seed: int) -> list[Mutant]:
    """Up to ``count`` different mutants; none of a program that does not parse, or whose answers
    are chance (steps.by_chance)."""
    if by_chance(code):
        return []
    try:
        tree = ast.parse(code)
        plain = ast.unparse(tree)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return []
    kinds: dict[str, list[tuple[float, int, int, Change]]] = defaultdict(list)
    endless = _in_while(tree)
    for index, node in enumerate(ast.walk(tree)):
        for number, (kind, change) in enumerate(_changes(node)):
            if id(node) in endless and (kind in _ENDLESS or isinstance(node, ast.AugAssign)):
                continue
            chance = draw(seed, "mutant", plain[:2000], str(index), str(number))
            kinds[kind].append((chance, index, number, change))
    queues = [sorted(kinds[kind], key=lambda one: one[:3]) for kind in sorted(kinds)]
    found: list[Mutant] = []
    seen = {plain}
    while len(found) < count and any(queues):
        for kind, queue in zip(sorted(kinds), queues, strict=True):
            if queue and len(found) < count:
                _, index, _, change = queue.pop(0)
                made = _made(tree, index, change)
                if made is not None and made[0] not in seen:
                    seen.add(made[0])
                    found.append(Mutant(made[0], kind, made[1]))
    return found


def _in_while(tree: ast.Module) -> set[int]:
    """Identities of while loops and of all that is in them."""
    return {
        id(inner)
        for node in ast.walk(tree)
        if isinstance(node, ast.While)
        for inner in ast.walk(node)
    }


def _made(tree: ast.Module, index: int, change: Change) -> tuple[str, int] | None:
    changed = copy.deepcopy(tree)
    node = next(node for number, node in enumerate(ast.walk(changed)) if number == index)
    line = getattr(node, "lineno", 0)
    change(node)
    try:
        code = ast.unparse(ast.fix_missing_locations(changed))
        compile(code, "<mutant>", "exec", dont_inherit=True)
    except (SyntaxError, ValueError, RecursionError, MemoryError, TypeError, AttributeError):
        return None
    return code, line


def _changes(node: ast.AST) -> Iterator[tuple[str, Change]]:
    """(kind, change) for everything that can be changed at this node."""
    if isinstance(node, ast.Compare):
        yield from _of_compare(node)
    elif isinstance(node, ast.BinOp | ast.AugAssign):
        for other in _ARITHMETIC.get(type(node.op), ()):
            yield "arithmetic", _setting("op", other)
    elif isinstance(node, ast.BoolOp):
        yield "logic", _setting("op", ast.Or if isinstance(node.op, ast.And) else ast.And)
    elif isinstance(node, ast.Constant):
        yield from _of_constant(node)
    elif isinstance(node, ast.If | ast.While | ast.IfExp):
        yield "condition", _negate
    elif isinstance(node, ast.Call):
        yield from _of_call(node)
    elif isinstance(node, ast.Subscript):
        yield from _of_subscript(node)
    elif isinstance(node, ast.For | ast.FunctionDef):
        yield from _of_body(node)
    elif isinstance(node, ast.Return) and node.value is not None:
        yield "return", _return_other
    if isinstance(node, ast.If | ast.While):
        yield from _of_body(node)


def _setting(name: str, kind: type[ast.AST]) -> Change:
    return lambda node: setattr(node, name, kind())


def _of_compare(node: ast.Compare) -> Iterator[tuple[str, Change]]:
    for place, operator in enumerate(node.ops):
        for other in _COMPARE.get(type(operator), ()):

            def change(copied: ast.AST, place: int = place, other: type = other) -> None:
                assert isinstance(copied, ast.Compare)
                copied.ops[place] = other()

            yield "comparison", change


def _of_constant(node: ast.Constant) -> Iterator[tuple[str, Change]]:
    value = node.value
    if isinstance(value, bool):
        yield "constant", _valued(not value)
    elif isinstance(value, int | float) and abs(value) < 1e18:
        yield "constant", _valued(value + 1)
        yield "constant", _valued(value - 1)
    elif isinstance(value, str) and 0 < len(value) < 30:
        yield "text", _valued(value[:-1] if len(value) > 1 else "")


def _valued(value: object) -> Change:
    return lambda node: setattr(node, "value", value)


def _negate(node: ast.AST) -> None:
    assert isinstance(node, ast.If | ast.While | ast.IfExp)
    node.test = ast.UnaryOp(ast.Not(), node.test)


def _of_call(node: ast.Call) -> Iterator[tuple[str, Change]]:
    name = getattr(node.func, "id", getattr(node.func, "attr", ""))
    if name in _CALLS:
        key = "id" if isinstance(node.func, ast.Name) else "attr"
        yield "call", lambda copied: setattr(copied.func, key, _CALLS[name])  # type: ignore[attr-defined]
    if name == "range" and node.args:
        place = 0 if len(node.args) == 1 else 1
        for step in (1, -1):
            yield "bound", _shifted_argument(place, step)
        if len(node.args) > 1:
            yield "bound", _shifted_argument(0, 1)
    if len(node.args) == 2 and name not in ("print", "map", "filter", "isinstance", "pow"):
        yield "swap", _swap
    if len(node.keywords) == 1 and node.keywords[0].arg in ("reverse", "key"):
        yield "keyword", lambda copied: copied.keywords.clear()  # type: ignore[attr-defined]


def _shifted_argument(place: int, step: int) -> Change:
    def change(node: ast.AST) -> None:
        assert isinstance(node, ast.Call)
        node.args[place] = _plus(node.args[place], step)

    return change


def _plus(value: ast.expr, step: int) -> ast.expr:
    operator: ast.operator = ast.Add() if step > 0 else ast.Sub()
    return ast.BinOp(value, operator, ast.Constant(abs(step)))


def _swap(node: ast.AST) -> None:
    assert isinstance(node, ast.Call)
    node.args.reverse()


def _of_subscript(node: ast.Subscript) -> Iterator[tuple[str, Change]]:
    if isinstance(node.slice, ast.Slice):
        for end in ("lower", "upper"):
            if getattr(node.slice, end) is not None:
                yield "slice", _shifted_end(end)
    elif isinstance(node.ctx, ast.Load) and not isinstance(node.slice, ast.Tuple):
        yield "index", lambda copied: setattr(copied, "slice", _plus(copied.slice, -1))  # type: ignore[attr-defined]


def _shifted_end(end: str) -> Change:
    def change(node: ast.AST) -> None:
        assert isinstance(node, ast.Subscript)
        setattr(node.slice, end, _plus(getattr(node.slice, end), 1))

    return change


def _of_body(node: ast.For | ast.FunctionDef | ast.If | ast.While) -> Iterator[tuple[str, Change]]:
    """Statements left out; loops left early."""
    for place, statement in enumerate(node.body):
        if isinstance(statement, ast.Expr | ast.Assign | ast.AugAssign | ast.If):
            if isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant):
                continue  # a docstring
            yield "deletion", _without(place)
        elif isinstance(statement, ast.Break | ast.Continue):
            yield "jump", _without(place)
    if isinstance(node, ast.For):
        yield "loop", _once


def _without(place: int) -> Change:
    def change(node: ast.AST) -> None:
        node.body[place] = ast.Pass()  # type: ignore[attr-defined]

    return change


def _once(node: ast.AST) -> None:
    assert isinstance(node, ast.For)
    node.body.append(ast.Break())


def _return_other(node: ast.AST) -> None:
    assert isinstance(node, ast.Return)
    assert node.value is not None
    node.value = ast.BoolOp(ast.And(), [node.value, ast.Constant(None)])
