"""Applies a candidate's changes to its arguments to the test's own objects."""

from __future__ import annotations

from collections import deque

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


_CONTAINERS = (list, tuple, dict, set, deque)


def rewrite_in_place(old: Any, new: Any) -> None:
    """Make a mutable object equal to another of its type, or of the plain type that it crosses as,
    in place; inner objects are rewritten likewise where they have the same type."""
    kind = next((kind for kind in _CONTAINERS if isinstance(old, kind)), type(old))
    if type(new) not in (kind, type(old)):
        return
    if isinstance(old, (list, tuple)):
        if len(old) == len(new):
            items = [merge_values(before, after) for before, after in zip(old, new, strict=True)]
        else:
            items = list(new)
        if isinstance(old, list):
            old[:] = items
    elif isinstance(old, dict):
        entries = {k: merge_values(old[k], v) if k in old else v for k, v in new.items()}
        old.clear()
        old.update(entries)
    elif isinstance(old, set):
        old.clear()
        old.update(new)
    elif isinstance(old, deque):
        old.clear()
        old.extend(new)
    elif hasattr(old, "__dict__"):  # a node
        vars(old).update(vars(new))


def merge_values(before: Any, after: Any) -> Any:
    """Return what takes the place of ``before``: itself, rewritten, where it can be."""
    is_mergeable_container = isinstance(before, (list, dict, set, tuple))
    if not is_mergeable_container or type(before) is not type(after):
        return after
    if isinstance(before, tuple) and (len(before) != len(after) or before == after):
        return after
    rewrite_in_place(before, after)
    return after if isinstance(before, tuple) else before
