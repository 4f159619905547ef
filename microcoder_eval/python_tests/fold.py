"""Constant folding of literal expressions, without eval: a whitelist on the syntax tree.

What folds is what a test author writes as data: numbers, texts, containers, arithmetic on them,
``float('inf')``, ``set([…])``, ``list(range(5))``. Everything else is not a constant.
"""

from __future__ import annotations

import ast
import math
import operator
from collections.abc import Callable
from typing import Any

from microcoder_sandbox import codec

MAX_ITEMS = 1_000_000  # of one folded container: list(range(10**9)) is not data
_MAX_BITS = 100_000  # of one folded integer
MAX_DEPTH = 100

_BINARY: dict[type[ast.operator], Callable[[Any, Any], Any]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.FloorDiv: operator.floordiv,
    ast.Mod: operator.mod,
    ast.Pow: operator.pow,
    ast.BitOr: operator.or_,
    ast.BitXor: operator.xor,
    ast.BitAnd: operator.and_,
}
_UNARY: dict[type[ast.unaryop], Callable[[Any], Any]] = {
    ast.USub: operator.neg,
    ast.UAdd: operator.pos,
    ast.Invert: operator.invert,
    ast.Not: operator.not_,
}
_CALLS: dict[str, Callable[..., Any]] = {
    kind.__name__: kind
    for kind in (bool, complex, dict, float, frozenset, int, list, range, set, str, tuple)
}
_NUMBERS = {"inf": math.inf, "nan": math.nan}
_MATH = {**_NUMBERS, "pi": math.pi, "e": math.e, "tau": math.tau}


class NotConstantError(ValueError):
    """The expression is not data that can be folded."""


def fold(node: ast.expr, is_trusted: Callable[[str], bool]) -> Any:
    """Return the value of a literal expression. Raises NotConstantError.

    is_trusted: whether a name still means what Python or test_names says (the test code does not
    bind it and it is not the function under test).
    """
    try:
        value = _fold(node, is_trusted, 0)
        codec.to_json(value)  # or it cannot be sent into the sandbox
    except (ArithmeticError, LookupError, TypeError, ValueError, RecursionError) as error:
        raise NotConstantError(ast.unparse(node)[:200]) from error
    return value


def _fold(node: ast.expr, is_trusted: Callable[[str], bool], depth: int) -> Any:
    if depth > MAX_DEPTH:
        raise NotConstantError("nested too deeply")

    def fold_child(child: ast.expr) -> Any:
        return _fold(child, is_trusted, depth + 1)

    match node:
        case ast.Constant(value=value) if value is not Ellipsis:
            return value
        case ast.List(elts=items):
            return [fold_child(item) for item in items]
        case ast.Tuple(elts=items):
            return tuple([fold_child(item) for item in items])
        case ast.Set(elts=items):
            return {fold_child(item) for item in items}
        case ast.Dict(keys=keys, values=values) if None not in keys:
            return {
                fold_child(k): fold_child(v)
                for k, v in zip(keys, values, strict=True)
                if k is not None
            }
        case ast.UnaryOp(op=op, operand=operand):
            return _UNARY[type(op)](fold_child(operand))
        case ast.BinOp(left=left, op=op, right=right) if type(op) in _BINARY:
            return _apply_operator(type(op), fold_child(left), fold_child(right))
        case ast.Name(id=name) if name in _NUMBERS and is_trusted(name):
            return _NUMBERS[name]
        case ast.Attribute(value=ast.Name(id="math"), attr=name) if is_trusted("math"):
            return _MATH[name]
        case ast.Call(func=ast.Name(id=name), args=args, keywords=[]) if is_trusted(name):
            return _apply_call(name, [fold_child(item) for item in args])
    raise NotConstantError(type(node).__name__)


def _apply_operator(op: type[ast.operator], left: Any, right: Any) -> Any:
    sequences = [side for side in (left, right) if isinstance(side, (str, bytes, list, tuple))]
    if op is ast.Mult and sequences:
        count = right if sequences[0] is left else left
        if not isinstance(count, int) or len(sequences[0]) * count > MAX_ITEMS:
            raise NotConstantError("a repetition that is too long")
    elif op is ast.Mod and sequences:
        raise NotConstantError("text formatting")
    elif op is ast.Pow and _estimate_power_bits(left, right) > _MAX_BITS:
        raise NotConstantError("a power that is too large")
    value = _BINARY[op](left, right)
    if isinstance(value, int) and value.bit_length() > _MAX_BITS:
        raise NotConstantError("a number that is too large")
    return value


def _estimate_power_bits(base: Any, exponent: Any) -> int:
    are_ints = isinstance(base, int) and isinstance(exponent, int)
    return base.bit_length() * abs(exponent) if are_ints else 0


def _apply_call(name: str, args: list[Any]) -> Any:
    if name not in _CALLS or len(args) > 3:
        raise NotConstantError(f"a call of {name}")
    if any(isinstance(arg, range) and len(arg) > MAX_ITEMS for arg in args):
        raise NotConstantError("a range that is too long")
    if name == "str" and not all(isinstance(arg, (int, float, str)) for arg in args):
        raise NotConstantError("the text of a container")
    return _CALLS[name](*args)
