"""In guest and test runner: what a special method does, by its name (``__add__``, ``__len__``).

The test runner forwards them. The guest performs them by the function that the syntax stands for,
which follows its whole protocol (NotImplemented, reflected methods, defaults, errors).
"""

from __future__ import annotations

import builtins
import copy
import math
import operator
from builtins import getattr, type
from collections.abc import Callable
from typing import Any

# By name, as they are before a program runs. ``operator`` has special methods by their own names.
_FUNCTIONS = vars(math) | vars(copy) | vars(builtins) | vars(operator)
_OPERATORS = ("add", "sub", "mul", "matmul", "truediv", "floordiv", "mod", "pow",
              "lshift", "rshift", "and", "or", "xor")  # fmt: skip
IN_PLACE = frozenset(f"__i{name}__" for name in _OPERATORS)
_OF_TWO = frozenset(f"__{name}__" for name in [*_OPERATORS, "divmod"])
_REFLECTED = {f"__r{name[2:]}": name for name in _OF_TWO}
# The operator of each form: ``__radd__`` and ``__iadd__`` are ``+``.
OPERATOR_OF = _REFLECTED | {f"__i{name}__": f"__{name}__" for name in _OPERATORS}
_OF_ONE = frozenset({"__abs__", "__neg__", "__pos__", "__invert__"})
ARITHMETIC = IN_PLACE | _OF_TWO | _REFLECTED.keys() | _OF_ONE
# Operators with a second operand, which may be a value that a test expects.
BINARY = (ARITHMETIC - _OF_ONE) | frozenset(
    {"__lt__", "__le__", "__eq__", "__ne__", "__ge__", "__gt__", "__contains__"}
)
# What a library's exception holds outside of its arguments and its ``__dict__``.
ERROR_FIELDS = frozenset({"name", "path", "filename", "filename2", "code", "obj"})
# The arguments of the others cannot tell a candidate what is expected.
OTHERS = _OF_ONE | frozenset(
    ["__getitem__", "__setitem__", "__delitem__", "__len__", "__bool__", "__hash__", "__index__",
     "__int__", "__float__", "__complex__", "__bytes__", "__str__", "__repr__", "__format__",
     "__round__", "__trunc__", "__floor__", "__ceil__", "__iter__", "__next__", "__reversed__",
     "__aiter__", "__enter__", "__aenter__", "__dir__", "__copy__", "__deepcopy__"]
)  # fmt: skip


def find(name: str) -> Callable[..., Any]:
    """Return the function of a special method, or of a built-in function."""
    if name in _REFLECTED:
        operator_function = find(_REFLECTED[name])
        return lambda target, other: operator_function(other, target)
    function = _FUNCTIONS.get(name) or _FUNCTIONS.get(name.strip("_"))
    if function is not None:
        return function  # type: ignore[no-any-return]

    def call_method(target: Any, *args: Any) -> Any:
        method = getattr(type(target), name, None)
        if method is None:
            raise TypeError(f"the object has no {name}")
        return method(target, *args)

    return call_method
