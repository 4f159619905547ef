"""Programs for a comparison of judges: one that is right, and mutants of it.

Most mutants are wrong. Which are, the judges say: what is compared is whether they say the same.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

_COMPARISONS: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq, ast.In: ast.NotIn, ast.NotIn: ast.In,
}  # fmt: skip
_OPERATORS: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Add, ast.FloorDiv: ast.Div,
    ast.Div: ast.FloorDiv, ast.Mod: ast.FloorDiv,
}  # fmt: skip


def make_mutants(source: str, count: int) -> Iterator[str]:
    """At most ``count`` programs, each changed in one place, spread over the program."""
    places = [number for number, _ in enumerate(_list_changes(ast.parse(source)))]
    step = max(1, len(places) // count) if places else 1
    for place in places[::step][:count]:
        tree = ast.parse(source)
        list(_list_changes(tree))[place]()
        yield ast.unparse(ast.fix_missing_locations(tree))


def _list_changes(tree: ast.Module) -> Iterator[object]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Compare) and type(node.ops[0]) in _COMPARISONS:
            yield lambda node=node: node.ops.__setitem__(0, _COMPARISONS[type(node.ops[0])]())
        elif isinstance(node, ast.BinOp) and type(node.op) in _OPERATORS:
            yield lambda node=node: setattr(node, "op", _OPERATORS[type(node.op)]())
        elif isinstance(node, ast.Constant) and type(node.value) in (int, float):
            yield lambda node=node: setattr(node, "value", node.value + 1)
        elif isinstance(node, ast.Return) and node.value is not None:
            value = node.value
            yield lambda node=node, value=value: setattr(
                node, "value", ast.Tuple(elts=[value, value], ctx=ast.Load())
            )
