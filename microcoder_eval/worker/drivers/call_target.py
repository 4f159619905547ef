"""The function that a call problem calls, as far as the problem describes it."""

from __future__ import annotations

import re
from collections.abc import Callable
from importlib import resources

from microcoder_sandbox import record


@record
class CallTarget:
    """The function of a program that a driver calls.

    entry: "name" or "Class.name".
    starter: the starter code in the program's language, "" where the problem has none.
    argument_count: how many arguments every test has.
    hints: the annotations of Python's starter code, as ``problem.read_starter_hints`` reads them.
    in_place: whether Python's starter code says that the result is the first argument after the
        call.
    """

    entry: str
    starter: str
    argument_count: int
    hints: tuple[tuple[str, ...], str] | None = None
    in_place: bool = False

    def returns_nothing(self, name: str) -> bool:
        """Whether the problem says so of its function: what a program returns is then ignored."""
        is_void = re.search(rf"\bvoid\s+{re.escape(name)}\s*\(", self.starter)  # C++, Java
        return self.in_place or is_void is not None


def read_driver(name: str) -> str:
    """Return the text of a driver's source file."""
    return resources.files(__package__).joinpath(name).read_text(encoding="utf-8")


def read_nodes(suffix: str, is_defined: Callable[[str], bool]) -> dict[str, str]:
    """Return what LeetCode has in front of every program: the classes of nodes, by name, without
    those that the program defines itself. suffix: that of the language's files."""
    names = [name for name in ("ListNode", "TreeNode") if not is_defined(name)]
    return {name: read_driver(f"{name}{suffix}") for name in names}
