"""The trusted names that test code uses without importing them; the judge plans with them, too.

A name is made only when the test code uses it: the process must start in milliseconds.
"""

from __future__ import annotations

import ast
import sys
from typing import Any

from microcoder_sandbox.wire import nodes

_NAMES = {  # by the module that has them, "" if the names are modules
    "": (
        "bisect collections copy datetime decimal fractions functools heapq itertools json math "
        "numpy operator pytest random re string sys typing"
    ),
    "collections": "Counter OrderedDict defaultdict deque namedtuple",
    "math": "inf isclose nan",
    "pytest": "approx raises",
    "typing": (
        "Any Callable Deque DefaultDict Dict FrozenSet Generator Generic Iterable Iterator List "
        "Literal Mapping NamedTuple Optional Sequence Set Tuple Type TypeVar Union"
    ),
    nodes.__name__: "ListNode TreeNode",
    __name__: "list_node tree_node is_same_list is_same_tree",
}
_ORIGINS = {name: module for module, names in _NAMES.items() for name in names.split()}
# Names that decide an assertion are never the candidate's, even where nothing imports them.
NAMES = frozenset(_ORIGINS) | {"np"}
# Tests that use one of these deal with LeetCode's lists and trees.
NODE_NAMES = frozenset(n for n, module in _ORIGINS.items() if module in (nodes.__name__, __name__))


def look_up_name(name: str) -> Any:
    """Return the trusted value of one of NAMES. Raises KeyError for any other.

    ``pytest`` must be in sys.modules (small_pytest); numpy may be missing: ImportError.
    """
    name = "numpy" if name == "np" else name
    module = _ORIGINS[name] or name
    __import__(module)
    loaded_module = sys.modules[module]
    return getattr(loaded_module, name) if _ORIGINS[name] else loaded_module


def choose_value(name: str, tree: ast.Module) -> Any:
    """Return the trusted value of one of NAMES for test code. ``datetime`` is a module and a class
    of it: the class, if the test code calls the name or reads what the module lacks (``now``)."""
    value = look_up_name(name)
    member = vars(value).get(name) if type(value) is type(sys) else None
    for node in ast.walk(tree) if member is not None else ():
        match node:
            case ast.Call(func=ast.Name(id=used)) if used == name:
                return member
            case ast.Attribute(value=ast.Name(id=used), attr=attribute) if used == name:
                if not hasattr(value, attribute):
                    return member
    return value


def write_import(name: str) -> str:
    """Return the statement that binds one of NAMES in a process without these names."""
    if name == "np":
        return "import numpy as np"
    module = _ORIGINS[name]
    return f"from {module} import {name}" if module else f"import {name}"


def list_node(values: list[Any]) -> Any:
    """Return a linked list of the values, None when there are none."""
    return nodes.make_list(nodes.ListNode, values)


def tree_node(values: list[Any]) -> Any:
    """Return a binary tree from LeetCode's level order: None for a missing child."""
    return nodes.make_tree_of_values(nodes.TreeNode, values)


def is_same_list(first: Any, second: Any) -> bool:
    """Whether both are linked lists with equal values in the same order."""
    return _is_same(first, second, nodes.ListNode, ("next",))


def is_same_tree(first: Any, second: Any) -> bool:
    """Whether two trees have equal values at equal places."""
    return _is_same(first, second, nodes.TreeNode, ("left", "right"))


def _is_same(first: Any, second: Any, cls: Any, links: tuple[str, ...]) -> bool:
    """Compare the nodes of a class that the links lead to. Iterative: no long chain crashes it."""
    pairs = [(first, second)]
    while pairs:
        first, second = pairs.pop()
        if first is None and second is None:
            continue
        if not (isinstance(first, cls) and isinstance(second, cls)) or first.val != second.val:
            return False
        pairs += [(getattr(first, link), getattr(second, link)) for link in links]
    return True
