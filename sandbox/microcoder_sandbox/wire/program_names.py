"""In the judge and in programs: the names that answers to call problems use without importing them.

Programs find them as built-in names. Both sides of the border read this table: a child is given
the names, and the judge decides by them whether a program is plain.
"""

from __future__ import annotations

import builtins
import sys

TYPE_CHECKING = False  # no import of ours: the corpus pipeline runs this text inside a program
if TYPE_CHECKING:
    from typing import Any

SOURCES = (
    "typing", "collections", "heapq", "bisect", "itertools", "functools", "math", "re", "string",
    "random", "operator", "copy", "sys", "datetime",
)  # fmt: skip
OWN_CLASSES = ("ListNode", "TreeNode")  # what the sandbox adds (nodes.py)
_WHOLE = ("typing", "collections", "heapq", "bisect", "itertools", "functools", "math")


def gather_names() -> tuple[dict[str, Any], dict[str, str]]:
    """Return {name: value}, and {name: module} for those that are not built-in.

    Modules that are not loaded are left out. The module of a module's own name is itself.
    """
    names: dict[str, Any] = dict(builtins.__dict__)
    origins: dict[str, str] = {}
    for module in _WHOLE:
        loaded_module = sys.modules[module]
        public_names = getattr(loaded_module, "__all__", None) or [
            n for n in dir(loaded_module) if n[0] != "_"
        ]
        for name in public_names:
            if name != "pow":  # the built-in one takes three numbers
                names[name], origins[name] = getattr(loaded_module, name), module
    for module in SOURCES:
        if sys.modules.get(module) is not None:
            names[module], origins[module] = sys.modules[module], module
    return names, origins
