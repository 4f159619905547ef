"""Programs that differ from a right one in a single small place.

They stand in for the slips nobody thought of: a test set that lets many of them pass is weak.
"""

from __future__ import annotations

import ast
import copy
from collections.abc import Iterator

_COMPARISONS: dict[type[ast.cmpop], tuple[type[ast.cmpop], ...]] = {
    ast.Lt: (ast.LtE, ast.Gt),
    ast.LtE: (ast.Lt, ast.GtE),
    ast.Gt: (ast.GtE, ast.Lt),
    ast.GtE: (ast.Gt, ast.LtE),
    ast.Eq: (ast.NotEq,),
    ast.NotEq: (ast.Eq,),
    ast.In: (ast.NotIn,),
    ast.NotIn: (ast.In,),
}
# No power and no shift to the left: a mutant must not be able to fill the memory.
_OPERATORS: dict[type[ast.operator], tuple[type[ast.operator], ...]] = {
    ast.Add: (ast.Sub,),
    ast.Sub: (ast.Add,),
    ast.Mult: (ast.Add,),
    ast.FloorDiv: (ast.Mod,),
    ast.Mod: (ast.FloorDiv,),
}
_CALLS = {"max": "min", "min": "max", "all": "any", "any": "all", "lower": "upper"}
_CALLS |= {"upper": "lower", "startswith": "endswith", "endswith": "startswith", "sum": "len"}


def make_mutants(source: str) -> Iterator[str]:
    """Each variation of ``source`` (ASCII) in one place, in the order of the tree; each text once.

    Only the changed piece is written anew, and none that holds an f-string: Python's versions
    write and place those differently, and the result must not depend on the version.
    """
    starts = [0]
    for line in source.splitlines(keepends=True):
        starts.append(starts[-1] + len(line))
    known_texts = {source}
    for node in _plain_nodes(ast.parse(source)):
        for change in range(len(_changes(node))):
            other = copy.deepcopy(node)
            attribute, value = _changes(other)[change]
            setattr(other, attribute, value)
            begin = starts[node.lineno - 1] + node.col_offset
            end = starts[(node.end_lineno or 0) - 1] + (node.end_col_offset or 0)
            text = source[:begin] + _format_node(other) + source[end:]
            if text not in known_texts:
                known_texts.add(text)
                yield text


def _plain_nodes(tree: ast.AST) -> Iterator[ast.expr | ast.AugAssign]:
    for node in ast.walk(tree):
        parts = list(ast.walk(node))
        if isinstance(node, ast.expr | ast.AugAssign) and not any(
            isinstance(part, ast.JoinedStr | ast.FormattedValue) for part in parts
        ):
            yield node


def _format_node(node: ast.expr | ast.AugAssign) -> str:
    text = ast.unparse(node)
    bare = isinstance(node, ast.BinOp | ast.BoolOp | ast.Compare)
    return f"({text})" if bare else text


def _changes(node: ast.AST) -> list[tuple[str, object]]:
    """(attribute, its new value) for every way to change this node."""
    match node:
        case ast.Compare(ops=[op, *others]):
            return [("ops", [new(), *others]) for new in _COMPARISONS.get(type(op), ())]
        case ast.BinOp(op=op) | ast.AugAssign(op=op):
            return [("op", new()) for new in _OPERATORS.get(type(op), ())]
        case ast.BoolOp(op=op):
            return [("op", ast.Or() if isinstance(op, ast.And) else ast.And())]
        case ast.Constant(value=bool() as value):
            return [("value", not value)]
        case ast.Constant(value=int() as value):
            return [("value", value + 1), ("value", value - 1)]
        case ast.Name(id=name) if name in _CALLS:
            return [("id", _CALLS[name])]
        case ast.Attribute(attr=name) if name in _CALLS:
            return [("attr", _CALLS[name])]
        case ast.Slice(lower=lower, upper=upper):
            return [(end, None) for end, at in (("lower", lower), ("upper", upper)) if at]
        case ast.ListComp() | ast.GeneratorExp() | ast.DictComp() | ast.SetComp():
            return _unfiltered(node.generators)
    return []


def _unfiltered(loops: list[ast.comprehension]) -> list[tuple[str, object]]:
    first, *others = loops
    if not first.ifs:
        return []
    bare = ast.comprehension(first.target, first.iter, first.ifs[1:], first.is_async)
    return [("generators", [bare, *others])]
