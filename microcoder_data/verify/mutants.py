"""Makes mutants: right programs with one small change each. Good tests kill most of them.

The program and the seed alone decide which changes are made. The kinds of changes are used in turn,
so that frequent kinds do not displace the others.
"""

from __future__ import annotations

import ast
import copy
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import islice
from typing import Any

from microcoder_data.rows import draw_number
from microcoder_eval.records import Solution

from .steps import is_random

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
_CALL_REPLACEMENTS = {
    "min": "max", "max": "min", "any": "all", "all": "any", "sorted": "list", "abs": "int",
    "bisect_left": "bisect_right", "bisect_right": "bisect_left", "sum": "max",
    "ceil": "floor", "floor": "ceil", "round": "int", "popleft": "pop", "set": "list",
    "upper": "lower", "lower": "upper", "append": "extend",
}  # fmt: skip

Change = Callable[[ast.AST], None]  # changes a node of a copied tree
# Changes that can make a while loop endless. Such a mutant costs its time limit, and every test
# that enters the loop kills it.
_ENDLESS_KINDS = frozenset({"condition", "deletion", "jump"})


def make_mutants(code: str, count: int, seed: int) -> list[str]:
    """Up to ``count`` different mutants; none of a program that does not parse or is random
    (steps.is_random)."""
    if is_random(code):
        return []
    try:
        tree = ast.parse(code)
        normalized_code = ast.unparse(tree)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return []
    kinds: dict[str, list[tuple[float, int, int, Change]]] = defaultdict(list)
    loop_nodes = _find_while_nodes(tree)
    for index, node in enumerate(ast.walk(tree)):
        for number, (kind, change) in enumerate(_list_changes(node)):
            if id(node) in loop_nodes and (
                kind in _ENDLESS_KINDS or isinstance(node, ast.AugAssign)
            ):
                continue
            priority = draw_number(seed, "mutant", normalized_code[:2000], str(index), str(number))
            kinds[kind].append((priority, index, number, change))
    queues = [sorted(kinds[kind], key=lambda item: item[:3]) for kind in sorted(kinds)]
    mutants: dict[str, None] = {}  # a set that keeps its order
    while len(mutants) < count and any(queues):
        for queue in queues:
            if queue and len(mutants) < count:
                _, index, _, change = queue.pop(0)
                mutant = _make_mutant(tree, index, change)
                if mutant is not None and mutant != normalized_code:
                    mutants[mutant] = None
    return list(mutants)


def make_mutated_programs(programs: Sequence[Solution], count: int, seed: int) -> list[Solution]:
    """Return ``count`` mutants. Each program contributes the same number."""
    sources = [program for program in programs if program.language == "python" and program.code]
    share = -(-count // max(1, len(sources)))
    mutants = [
        replace(program, code=mutant)
        for program in sources
        for mutant in make_mutants(program.code or "", share, seed)
    ]
    return [
        replace(mutant, solution_id=f"mutant{number}")
        for number, mutant in enumerate(mutants[:count])
    ]


def _find_while_nodes(tree: ast.Module) -> set[int]:
    """Identities of while loops and of the nodes in them."""
    return {
        id(inner)
        for node in ast.walk(tree)
        if isinstance(node, ast.While)
        for inner in ast.walk(node)
    }


def _make_mutant(tree: ast.Module, index: int, change: Change) -> str | None:
    """Return the program with a change of its node ``index``; None where that does not compile."""
    tree_copy = copy.deepcopy(tree)
    node = next(islice(ast.walk(tree_copy), index, None))
    change(node)
    try:
        code = ast.unparse(ast.fix_missing_locations(tree_copy))
        compile(code, "<mutant>", "exec", dont_inherit=True)
    except (SyntaxError, ValueError, RecursionError, MemoryError, TypeError, AttributeError):
        return None
    return code


def _list_changes(node: ast.AST) -> Iterator[tuple[str, Change]]:
    """Yield (kind, change) of every change at this node."""
    if isinstance(node, ast.Compare):
        for position, operator in enumerate(node.ops):
            for other in _COMPARE.get(type(operator), ()):
                yield "comparison", _change_item("ops", position, _make(other))
    elif isinstance(node, ast.BinOp | ast.AugAssign):
        for changed in _ARITHMETIC.get(type(node.op), ()):
            yield "arithmetic", _change("op", _make(changed))
    elif isinstance(node, ast.BoolOp):
        yield "logic", _change("op", _make(ast.Or if isinstance(node.op, ast.And) else ast.And))
    elif isinstance(node, ast.Constant):
        for kind, value in _list_other_constants(node.value):
            yield kind, _change("value", _make(value, is_made=True))
    elif isinstance(node, ast.If | ast.While | ast.IfExp):
        yield "condition", _change("test", lambda test: ast.UnaryOp(ast.Not(), test))
    elif isinstance(node, ast.Call):
        yield from _list_call_changes(node)
    elif isinstance(node, ast.Subscript):
        yield from _list_subscript_changes(node)
    elif isinstance(node, ast.For | ast.FunctionDef):
        yield from _list_body_changes(node)
    elif isinstance(node, ast.Return) and node.value is not None:
        falsy = ast.Constant(None)
        yield "return", _change("value", lambda value: ast.BoolOp(ast.And(), [value, falsy]))
    if isinstance(node, ast.If | ast.While):
        yield from _list_body_changes(node)


def _make(other: Any, *, is_made: bool = False) -> Callable[[Any], Any]:
    """Return a function that ignores what was there and makes another thing."""
    return lambda _: other if is_made else other()


def _change(name: str, change: Callable[[Any], Any]) -> Change:
    return lambda node: setattr(node, name, change(getattr(node, name)))


def _change_item(name: str, position: int, change: Callable[[Any], Any]) -> Change:
    def change_item(node: ast.AST) -> None:
        items = getattr(node, name)
        items[position] = change(items[position])

    return change_item


def _list_other_constants(value: object) -> Iterator[tuple[str, object]]:
    if isinstance(value, bool):
        yield "constant", not value
    elif isinstance(value, int | float) and abs(value) < 1e18:
        yield "constant", value + 1
        yield "constant", value - 1
    elif isinstance(value, str) and 0 < len(value) < 30:
        yield "text", value[:-1] if len(value) > 1 else ""


def _list_call_changes(node: ast.Call) -> Iterator[tuple[str, Change]]:
    name = getattr(node.func, "id", getattr(node.func, "attr", ""))
    if name in _CALL_REPLACEMENTS:
        key = "id" if isinstance(node.func, ast.Name) else "attr"
        renamed = _change(key, _make(_CALL_REPLACEMENTS[name], is_made=True))
        yield "call", lambda node: renamed(node.func)  # type: ignore[attr-defined]
    if name == "range" and node.args:
        position = 0 if len(node.args) == 1 else 1
        for step in (1, -1):
            yield "bound", _change_item("args", position, _make_shift(step))
        if len(node.args) > 1:
            yield "bound", _change_item("args", 0, _make_shift(1))
    if len(node.args) == 2 and name not in ("print", "map", "filter", "isinstance", "pow"):
        yield "swap", _change("args", lambda values: values[::-1])
    if len(node.keywords) == 1 and node.keywords[0].arg in ("reverse", "key"):
        yield "keyword", _change("keywords", lambda _: [])


def _make_shift(step: int) -> Callable[[ast.expr], ast.expr]:
    operator: ast.operator = ast.Add() if step > 0 else ast.Sub()
    return lambda value: ast.BinOp(value, operator, ast.Constant(abs(step)))


def _list_subscript_changes(node: ast.Subscript) -> Iterator[tuple[str, Change]]:
    if isinstance(node.slice, ast.Slice):
        for end in ("lower", "upper"):
            if getattr(node.slice, end) is not None:
                yield "slice", _make_slice_shift(end)
    elif isinstance(node.ctx, ast.Load) and not isinstance(node.slice, ast.Tuple):
        yield "index", _change("slice", _make_shift(-1))


def _make_slice_shift(end: str) -> Change:
    shifted = _change(end, _make_shift(1))
    return lambda node: shifted(node.slice)  # type: ignore[attr-defined]


def _list_body_changes(
    node: ast.For | ast.FunctionDef | ast.If | ast.While,
) -> Iterator[tuple[str, Change]]:
    """Yield changes that delete a statement, or end a loop early."""
    for position, statement in enumerate(node.body):
        if isinstance(statement, ast.Expr | ast.Assign | ast.AugAssign | ast.If):
            if isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant):
                continue  # a docstring
            yield "deletion", _change_item("body", position, _make(ast.Pass))
        elif isinstance(statement, ast.Break | ast.Continue):
            yield "jump", _change_item("body", position, _make(ast.Pass))
    if isinstance(node, ast.For):
        yield "loop", _change("body", lambda body: [*body, ast.Break()])
