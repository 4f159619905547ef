"""Makes mutants: right programs with one small change each. Good tests kill most of them.

The program and the seed alone decide which changes are made. The kinds of changes are used in turn,
so that frequent kinds do not displace the others.
"""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from microcoder_data.rows import draw_number
from microcoder_eval.records import Solution
from microcoder_eval.syntax import parse_tree

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

# (kind, attributes of a node or list of nodes, the key or position, what is put there)
Change = tuple[str, Any, str | int, Any]
# Changes that can make a while loop endless. Such a mutant costs its time limit, and every test
# that enters the loop kills it.
_ENDLESS_KINDS = frozenset({"condition", "deletion", "jump"})


def make_mutants(code: str, count: int, seed: int) -> list[str]:
    """Up to ``count`` different mutants; none of a program that does not parse or is random
    (steps.is_random)."""
    if is_random(code):
        return []
    try:
        tree = parse_tree(code)
        normalized_code = ast.unparse(tree)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return []
    kinds: dict[str, list[tuple[float, int, int, Change]]] = defaultdict(list)
    loop_nodes = _find_while_nodes(tree)
    for index, node in enumerate(ast.walk(tree)):
        for number, change in enumerate(_list_changes(node)):
            is_risky = change[0] in _ENDLESS_KINDS or isinstance(node, ast.AugAssign)
            if is_risky and id(node) in loop_nodes:
                continue
            priority = draw_number(seed, "mutant", normalized_code[:2000], str(index), str(number))
            kinds[change[0]].append((priority, index, number, change))
    queues = [sorted(kinds[kind], key=lambda item: item[:3]) for kind in sorted(kinds)]
    mutants: dict[str, None] = {}  # a set that keeps its order
    while len(mutants) < count and any(queues):
        for queue in queues:
            if queue and len(mutants) < count:
                mutant = _make_mutant(tree, queue.pop(0)[-1])
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


def _make_mutant(tree: ast.Module, change: Change) -> str | None:
    """Return the program with a change; None where that does not compile. The tree stays."""
    _, owner, place, value = change
    old, owner[place] = owner[place], value
    try:
        code = ast.unparse(ast.fix_missing_locations(tree))
        compile(code, "<mutant>", "exec", dont_inherit=True)
    except (SyntaxError, ValueError, RecursionError, MemoryError, TypeError, AttributeError):
        return None
    finally:
        owner[place] = old
    return code


def _list_changes(node: ast.AST) -> Iterator[Change]:
    """Yield every change at this node."""
    if isinstance(node, ast.Compare):
        for position, operator in enumerate(node.ops):
            for other in _COMPARE.get(type(operator), ()):
                yield "comparison", node.ops, position, other()
    elif isinstance(node, ast.BinOp | ast.AugAssign):
        for changed in _ARITHMETIC.get(type(node.op), ()):
            yield "arithmetic", vars(node), "op", changed()
    elif isinstance(node, ast.BoolOp):
        yield "logic", vars(node), "op", ast.Or() if isinstance(node.op, ast.And) else ast.And()
    elif isinstance(node, ast.Constant):
        for kind, value in _list_other_constants(node.value):
            yield kind, vars(node), "value", value
    elif isinstance(node, ast.If | ast.While | ast.IfExp):
        yield "condition", vars(node), "test", ast.UnaryOp(ast.Not(), node.test)
    elif isinstance(node, ast.Call):
        yield from _list_call_changes(node)
    elif isinstance(node, ast.Subscript):
        yield from _list_subscript_changes(node)
    elif isinstance(node, ast.Return) and node.value is not None:
        yield "return", vars(node), "value", ast.BoolOp(ast.And(), [node.value, ast.Constant(None)])
    if isinstance(node, ast.For | ast.FunctionDef | ast.If | ast.While):
        yield from _list_body_changes(node)


def _list_other_constants(value: object) -> Iterator[tuple[str, object]]:
    if isinstance(value, bool):
        yield "constant", not value
    elif isinstance(value, int | float) and abs(value) < 1e18:
        yield "constant", value + 1
        yield "constant", value - 1
    elif isinstance(value, str) and 0 < len(value) < 30:
        yield "text", value[:-1] if len(value) > 1 else ""


def _list_call_changes(node: ast.Call) -> Iterator[Change]:
    key = "id" if isinstance(node.func, ast.Name) else "attr"
    name = getattr(node.func, key, "")
    if name in _CALL_REPLACEMENTS:
        yield "call", vars(node.func), key, _CALL_REPLACEMENTS[name]
    if name == "range" and node.args:
        position = 0 if len(node.args) == 1 else 1
        for step in (1, -1):
            yield "bound", node.args, position, _shift(node.args[position], step)
        if len(node.args) > 1:
            yield "bound", node.args, 0, _shift(node.args[0], 1)
    if len(node.args) == 2 and name not in ("print", "map", "filter", "isinstance", "pow"):
        yield "swap", vars(node), "args", node.args[::-1]
    if len(node.keywords) == 1 and node.keywords[0].arg in ("reverse", "key"):
        yield "keyword", vars(node), "keywords", []


def _shift(value: ast.expr, step: int) -> ast.BinOp:
    return ast.BinOp(value, ast.Add() if step > 0 else ast.Sub(), ast.Constant(abs(step)))


def _list_subscript_changes(node: ast.Subscript) -> Iterator[Change]:
    if isinstance(node.slice, ast.Slice):
        for end in ("lower", "upper"):
            if (value := getattr(node.slice, end)) is not None:
                yield "slice", vars(node.slice), end, _shift(value, 1)
    elif isinstance(node.ctx, ast.Load) and not isinstance(node.slice, ast.Tuple):
        yield "index", vars(node), "slice", _shift(node.slice, -1)


def _list_body_changes(node: ast.For | ast.FunctionDef | ast.If | ast.While) -> Iterator[Change]:
    """Yield changes that delete a statement, or end a loop early."""
    for position, statement in enumerate(node.body):
        if isinstance(statement, ast.Expr | ast.Assign | ast.AugAssign | ast.If):
            if isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant):
                continue  # a docstring
            yield "deletion", node.body, position, ast.Pass()
        elif isinstance(statement, ast.Break | ast.Continue):
            yield "jump", node.body, position, ast.Pass()
    if isinstance(node, ast.For):
        yield "loop", vars(node), "body", [*node.body, ast.Break()]
