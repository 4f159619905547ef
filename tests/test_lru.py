"""The cache that evicts its least recently used entries."""

from __future__ import annotations

from typing import Any

from microcoder_eval.lru import LruCache


def list_keys(cache: LruCache[str, Any]) -> list[str]:
    return [key for key in ("a", "b", "c", "large", "pinned") if key in cache]


def test_the_least_recently_used_entry_goes_first() -> None:
    cache: LruCache[str, int] = LruCache(2)
    cache.put("a", 1)
    cache.put("b", 2)
    assert cache.get("a") == 1
    cache.put("c", 3)
    assert list_keys(cache) == ["a", "c"]


def test_entries_are_bounded_by_their_weights_and_the_newest_stays() -> None:
    evictions: list[tuple[str, int]] = []
    cache: LruCache[str, int] = LruCache(
        max_weight=10, on_evict=lambda key, value: evictions.append((key, value))
    )
    cache.put("a", 1, 4)
    cache.put("b", 2, 6)
    assert evictions == []
    cache.put("b", 3, 7)  # replaced, not evicted; what it weighed before does not count
    assert evictions == [("a", 1)]
    cache.put("large", 4, 99)
    assert (evictions[1:], list_keys(cache)) == ([("b", 3)], ["large"])
    cache.pop("large")
    cache.put("a", 1, 10)
    assert list_keys(cache) == ["a"]


def test_an_entry_that_must_stay_is_passed_over() -> None:
    cache: LruCache[str, bool] = LruCache(2, may_evict=lambda _key, value: value)
    cache.put("pinned", False)
    cache.put("a", True)
    cache.put("b", True)
    assert list_keys(cache) == ["b", "pinned"]
    cache.put("b", False)
    cache.put("c", True)
    assert list_keys(cache) == [
        "b",
        "c",
        "pinned",
    ]  # pinned beyond the bound


def test_a_cleared_cache_weighs_nothing() -> None:
    cache: LruCache[str, int] = LruCache(max_weight=1)
    cache.put("a", 1, 1)
    cache.clear()
    cache.put("b", 2, 1)
    assert list_keys(cache) == ["b"]
