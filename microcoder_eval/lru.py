"""A cache that evicts its least recently used entries."""

from __future__ import annotations

import math
from collections import OrderedDict
from collections.abc import Callable, Hashable
from typing import Generic, TypeVar

Key = TypeVar("Key", bound=Hashable)
Value = TypeVar("Value")


class LruCache(Generic[Key, Value]):
    """Bounded by the number of entries and by the sum of their weights. Not safe across threads.

    on_evict: called with each entry that is evicted, not with one that is popped or replaced.
    may_evict: whether an entry may be evicted now; the others stay, and the bounds yield.
    The newest entry always stays, whatever its weight.
    """

    def __init__(
        self,
        max_entries: float = math.inf,
        max_weight: float = math.inf,
        *,
        on_evict: Callable[[Key, Value], object] = lambda _key, _value: None,
        may_evict: Callable[[Key, Value], bool] = lambda _key, _value: True,
    ) -> None:
        self._max_entries = max_entries
        self._max_weight = max_weight
        self._on_evict = on_evict
        self._may_evict = may_evict
        self._entries: OrderedDict[Key, tuple[Value, float]] = OrderedDict()
        self._weight = 0.0

    def get(self, key: Key) -> Value | None:
        """Return the value, used now; None where there is none."""
        entry = self._entries.get(key)
        if entry is None:
            return None
        self._entries.move_to_end(key)
        return entry[0]

    def put(self, key: Key, value: Value, weight: float = 0.0) -> None:
        """Add an entry, or replace one; others are evicted before."""
        self.pop(key)
        self.make_room(weight)
        self._entries[key] = (value, weight)
        self._weight += weight

    def pop(self, key: Key) -> Value | None:
        """Remove an entry, and return its value; None where there is none."""
        entry = self._entries.pop(key, None)
        if entry is None:
            return None
        self._weight -= entry[1]
        return entry[0]

    def make_room(self, weight: float = 0.0) -> None:
        """Evict until another entry of that weight fits, or no entry may be evicted."""
        while len(self._entries) >= self._max_entries or self._weight + weight > self._max_weight:
            entries = ((key, value) for key, (value, _) in self._entries.items())
            oldest = next((entry for entry in entries if self._may_evict(*entry)), None)
            if oldest is None:
                return
            self.pop(oldest[0])
            self._on_evict(*oldest)

    def clear(self) -> None:
        """Remove all entries, without ``on_evict``."""
        self._entries.clear()
        self._weight = 0.0

    def __contains__(self, key: object) -> bool:
        return key in self._entries
