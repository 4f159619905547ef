"""Makes mutants: right programs with one small change each. Good tests kill most of them.

The program and the seed alone decide which changes are made. The kinds of changes (comparisons,
arithmetic, logic, constants) are used in turn, so that frequent ones do not displace the others.
More kinds chose no better tests (docs/results/strengthen.md).
"""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import replace
from operator import itemgetter
from typing import Any, NamedTuple

from microcoder_data.rows import draw_number
from microcoder_eval.records import Solution
from microcoder_eval.syntax import parse_tree

from .randomness import is_random

_COMPARE: dict[type[ast.cmpop], tuple[type[ast.cmpop], ...]] = {
    ast.Lt: (ast.LtE, ast.GtE), ast.LtE: (ast.Lt, ast.Gt), ast.Gt: (ast.GtE, ast.LtE),
    ast.GtE: (ast.Gt, ast.Lt), ast.Eq: (ast.NotEq, ast.LtE), ast.NotEq: (ast.Eq,),
    ast.In: (ast.NotIn,), ast.NotIn: (ast.In,), ast.Is: (ast.IsNot,), ast.IsNot: (ast.Is,),
}  # fmt: skip
_ARITHMETIC: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Add, ast.Div: ast.FloorDiv,
    ast.FloorDiv: ast.Mult, ast.Mod: ast.FloorDiv, ast.Pow: ast.Mult, ast.BitAnd: ast.BitOr,
    ast.BitOr: ast.BitAnd, ast.BitXor: ast.BitOr, ast.LShift: ast.RShift, ast.RShift: ast.LShift,
}  # fmt: skip


class Change(NamedTuple):
    """What a mutant has in place of a part of the program. owner: the attributes of a node, or a
    list of nodes. place: the key or position in it."""

    kind: str
    owner: Any
    place: str | int
    value: Any


def make_mutants(code: str, count: int, seed: int) -> list[str]:
    """Return up to ``count`` different mutants; none of a program that does not parse or is random
    (randomness.is_random)."""
    if is_random(code):
        return []
    try:
        tree = parse_tree(code)
        normalized_code = ast.unparse(tree)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return []
    changes: dict[str, list[tuple[float, Change]]] = defaultdict(list)  # by kind, with a rank
    # A mutant whose loop never ends costs its time limit, and every test that enters it kills it.
    steps = {id(step) for node in ast.walk(tree) if isinstance(node, ast.While)
             for step in ast.walk(node) if isinstance(step, ast.AugAssign)}  # fmt: skip
    for index, node in enumerate(ast.walk(tree)):
        if id(node) in steps:
            continue
        for number, change in enumerate(_list_changes(node)):
            rank = draw_number(seed, "mutant", normalized_code[:2000], str(index), str(number))
            changes[change.kind].append((rank, change))
    queues = [sorted(changes[kind], key=itemgetter(0)) for kind in sorted(changes)]
    mutants: dict[str, None] = {}  # a set that keeps its order
    while len(mutants) < count and any(queues):
        for queue in queues:
            if queue and len(mutants) < count:
                mutant = _make_mutant(tree, queue.pop(0)[-1])
                if mutant != normalized_code:
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


def _make_mutant(tree: ast.Module, change: Change) -> str:
    """Return the program with a change. The tree stays."""
    owner, place = change.owner, change.place
    old, owner[place] = owner[place], change.value
    try:
        return ast.unparse(tree)
    finally:
        owner[place] = old


def _list_changes(node: ast.AST) -> Iterator[Change]:
    """Yield every change at this node."""
    if isinstance(node, ast.Compare):
        for position, operator in enumerate(node.ops):
            for other in _COMPARE[type(operator)]:
                yield Change("comparison", node.ops, position, other())
    elif isinstance(node, ast.BinOp | ast.AugAssign) and type(node.op) in _ARITHMETIC:
        yield Change("arithmetic", vars(node), "op", _ARITHMETIC[type(node.op)]())
    elif isinstance(node, ast.BoolOp):
        opposite = ast.Or() if isinstance(node.op, ast.And) else ast.And()
        yield Change("logic", vars(node), "op", opposite)
    elif isinstance(node, ast.Constant) and isinstance(node.value, bool):
        yield Change("constant", vars(node), "value", not node.value)
    elif isinstance(node, ast.Constant) and isinstance(node.value, int | float):
        for step in (1, -1):
            yield Change("constant", vars(node), "value", node.value + step)
