"""What test code finds without importing it, all of it trusted; and a small ``pytest``.

Names are made only when the test code uses them: the process must start in milliseconds.
"""

from __future__ import annotations

import sys

from . import rpc_values

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from types import ModuleType
    from typing import Any

_MODULES = (
    "bisect collections copy datetime decimal fractions functools heapq itertools json math",
    "operator random re string sys typing",
)
_TYPES = (
    "Any Callable Deque DefaultDict Dict FrozenSet Generator Generic Iterable Iterator List",
    "Literal Mapping NamedTuple Optional Sequence Set Tuple Type TypeVar Union",
)
MODULES = frozenset(" ".join(_MODULES).split())
_TYPING = frozenset(" ".join(_TYPES).split())
_COLLECTIONS = frozenset({"Counter", "OrderedDict", "defaultdict", "deque", "namedtuple"})
HELPERS = frozenset({"list_node", "tree_node", "is_same_list", "is_same_tree"})
NODES = frozenset({"ListNode", "TreeNode"})
_NUMBERS = frozenset({"inf", "nan"})
# Not imported, and still never the candidate's: these decide an assertion.
_PYTEST = frozenset({"approx", "raises"})
_JUDGES = _PYTEST | {"isclose", "np", "numpy", "pytest"}
NAMES = MODULES | _COLLECTIONS | HELPERS | NODES | _NUMBERS | _TYPING | _JUDGES


def lookup(name: str) -> Any:
    """The trusted value of one of NAMES. Raises KeyError for any other.

    ``pytest`` must be in sys.modules (small_pytest); numpy may be missing: ImportError.
    """
    if name in MODULES or name in ("numpy", "pytest"):
        return __import__(name)
    if name == "np":
        return __import__("numpy")
    if name in _PYTEST:
        return getattr(sys.modules["pytest"], name)
    if name in _COLLECTIONS:
        return getattr(__import__("collections"), name)
    if name in _TYPING:
        return getattr(__import__("typing"), name)
    if name in _NUMBERS:
        return float(name)
    return {
        "ListNode": rpc_values.ListNode,
        "TreeNode": rpc_values.TreeNode,
        "list_node": list_node,
        "tree_node": tree_node,
        "is_same_list": is_same_list,
        "is_same_tree": is_same_tree,
        "isclose": __import__("math").isclose,
    }[name]


def list_node(values: list[Any]) -> Any:
    """A linked list of the values, None when there are none."""
    return rpc_values.make_list(values)


def tree_node(values: list[Any]) -> Any:
    """A binary tree from LeetCode's level order: None for a missing child."""
    return rpc_values.make_tree([None if value is None else [value] for value in values])


def is_same_list(first: Any, second: Any) -> bool:
    """Equal values in the same order. Anything that is not a linked list is equal to nothing."""
    while first is not None and second is not None:
        if not (isinstance(first, rpc_values.ListNode) and isinstance(second, rpc_values.ListNode)):
            return False
        if first.val != second.val:
            return False
        first, second = first.next, second.next
    return first is None and second is None


def is_same_tree(first: Any, second: Any) -> bool:
    """Equal values at equal places; iterative, so that a long chain is no crash."""
    pairs = [(first, second)]
    while pairs:
        one, other = pairs.pop()
        if one is None and other is None:
            continue
        if not (isinstance(one, rpc_values.TreeNode) and isinstance(other, rpc_values.TreeNode)):
            return False
        if one.val != other.val:
            return False
        pairs += [(one.left, other.left), (one.right, other.right)]
    return True


class _Raises:
    """``pytest.raises``: the block must raise one of these; the exception is in ``value``."""

    def __init__(self, expected: Any, match: str | None = None) -> None:
        self._expected = expected
        self._match = match
        self.value: BaseException | None = None

    @property
    def type(self) -> Any:
        return type(self.value)

    def __enter__(self) -> _Raises:
        return self

    def __exit__(self, kind: Any, error: BaseException | None, traceback: Any) -> bool:
        if error is None:
            raise AssertionError(f"did not raise {self._expected}")
        if not isinstance(error, self._expected):
            return False
        self.value = error
        if self._match is not None:
            import re

            assert re.search(self._match, str(error)), f"{error} does not match {self._match}"
        return True


class _Approx:
    """``pytest.approx``: the same bounds, also inside lists, tuples and dictionaries."""

    __hash__ = None  # type: ignore[assignment]

    def __init__(self, expected: Any, rel: float | None = None, abs: float | None = None) -> None:
        self._expected, self._rel, self._abs = expected, rel, abs

    def __eq__(self, actual: object) -> bool:
        return self._same(actual, self._expected)

    def _same(self, actual: Any, expected: Any) -> bool:
        if isinstance(expected, dict):
            alike = isinstance(actual, dict) and actual.keys() == expected.keys()
            return alike and all(self._same(actual[key], expected[key]) for key in expected)
        if isinstance(expected, (list, tuple)):
            alike = type(actual) is type(expected) and len(actual) == len(expected)
            return alike and all(map(self._same, actual, expected))
        if actual == expected:
            return True
        numbers = (int, float, complex)
        if not (isinstance(actual, numbers) and isinstance(expected, numbers)):
            return False
        bound = self._abs if self._abs is not None else 1e-12
        if self._rel is not None or self._abs is None:
            bound = max(bound, (self._rel if self._rel is not None else 1e-6) * abs(expected))
        return abs(actual - expected) <= bound < float("inf")


def _parametrize(names: Any, cases: Any, **_: Any) -> Callable[[Any], Any]:
    listed = names.replace(",", " ").split() if isinstance(names, str) else list(names)

    def decorate(function: Any) -> Any:
        sets = [dict(zip(listed, c if len(listed) > 1 else (c,), strict=True)) for c in cases]
        earlier = getattr(function, "__cases__", [{}])
        function.__cases__ = [{**one, **other} for other in sets for one in earlier]
        return function

    return decorate


def _raises(expected: Any, *call: Any, match: str | None = None, **kwargs: Any) -> Any:
    block = _Raises(expected, match)
    if call:
        with block:
            call[0](*call[1:], **kwargs)
    return block


def _fail(reason: str = "", **_: Any) -> None:
    raise AssertionError(reason)


def small_pytest(refuse: Callable[[str], BaseException]) -> ModuleType:
    """A module with raises, approx, fail and mark.parametrize; what else is asked is refused."""
    module = type(sys)("pytest")

    def missing(name: str) -> Any:
        if name[:2] == "__":
            raise AttributeError(name)
        raise refuse(f"the test uses pytest.{name}")

    mark = type(sys)("pytest.mark")
    mark.__dict__.update(parametrize=_parametrize, __getattr__=missing)
    module.__dict__.update(
        raises=_raises, approx=_Approx, fail=_fail, mark=mark, __getattr__=missing
    )
    return module
