"""Problems that were read from plain dicts and lists of tests, found again without reading them.

Each look-up compares everything: long texts with those that were read, by identity first and then
by content; everything else is serialised again. A test that was edited in place is thus noticed.
A problem is kept from its second reading on. Most callers read each problem once, and keeping one
costs as much as reading it.
"""

from __future__ import annotations

import pickle
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeAlias

from microcoder_sandbox import record

from .forksafe import ForkSafeLock
from .lru import LruCache
from .records import Problem

MAX_BYTES, _MAX_PROBLEMS = 256 << 20, 1024
_MAX_SEEN = 16_384  # hashes of problems that were read once
_LONG_KEYS = frozenset({"tests", "inputs", "outputs"})  # whose values are most of a problem
_SAMPLE_CHARS = 64
_Texts: TypeAlias = tuple[tuple[str, list[Any]], ...]


@record
class _Entry:
    """A problem, and copies of the lists of texts that it was read from."""

    problem: Problem
    texts: _Texts


class RecentProblems:
    """The problems that were read last, at most MAX_BYTES of them. Threads may share it."""

    def __init__(self, max_bytes: int = MAX_BYTES) -> None:
        self._max_bytes = max_bytes
        self._lock = ForkSafeLock()
        self._entries: LruCache[Any, _Entry] = LruCache(_MAX_PROBLEMS, max_bytes)
        self._seen: set[int] = set()

    def read(
        self,
        tests: Any,
        names: tuple[Any, ...],
        parse: Callable[[Any], Problem],
        *,
        keep_first: bool = False,
    ) -> Problem:
        """Return the problem of ``tests``, parsed if no equal ones were. names: what else decides
        what is parsed. keep_first: keep it from its first reading on."""
        split = _split(tests)
        if split is None:
            return parse(tests)
        texts, rest = split
        try:
            data = pickle.dumps(rest)
        except Exception:  # an object of the caller's may raise anything
            return parse(tests)
        key = (names, data, tuple([(name, _sample(values)) for name, values in texts]))
        with self._lock:
            entry = self._entries.get(key)
            is_second = self._see(hash(key))
        if entry is not None and entry.texts == texts:
            return entry.problem
        if not (is_second or keep_first):
            return parse(tests)
        copies = tuple([(name, _copy_texts(values)) for name, values in texts])
        if any(copy is None for _, copy in copies):
            return parse(tests)
        # A copy of what is not text: a problem must not change with the caller's objects.
        problem = parse(_join(texts, pickle.loads(data), type(tests)))
        weight = problem.size + len(data)
        if weight <= self._max_bytes:
            with self._lock:
                self._entries.put(key, _Entry(problem, copies), weight)  # type: ignore[arg-type]
        return problem

    def _see(self, key_hash: int) -> bool:
        """Whether such a problem was read before."""
        if key_hash in self._seen:
            return True
        if len(self._seen) >= _MAX_SEEN:
            self._seen.clear()
        self._seen.add(key_hash)
        return False

    def clear(self) -> None:
        """Forget all."""
        with self._lock:
            self._entries.clear()
            self._seen.clear()


def _split(tests: Any) -> tuple[_Texts, Any] | None:
    """Return the lists that seem to hold nothing but texts, with their keys, and the rest; None for
    what is neither a plain dict nor a plain list or tuple."""
    if type(tests) is dict:
        texts = {
            key: tests[key] for key in tests if key in _LONG_KEYS and _is_text_list(tests[key])
        }
        rest = [(key, None if key in texts else value) for key, value in tests.items()]
        return tuple(texts.items()), rest
    if type(tests) is list or type(tests) is tuple:
        if _is_text_list(tests):
            return (("", tests),), None  # type: ignore[return-value]
        return (), tests
    return None


def _join(texts: _Texts, rest: Any, kind: type) -> Any:
    """Return what ``_split`` has split."""
    if kind is dict:
        by_key = dict(texts)
        return {key: by_key.get(key, value) for key, value in rest}
    return texts[0][1] if texts else rest


def _is_text_list(value: Any) -> bool:
    """Whether the first item is a text, or a dict of texts; ``_copy_texts`` looks at all."""
    return type(value) in (list, tuple) and bool(value) and _copy_item(value[0]) is not None


def _copy_texts(values: Sequence[Any]) -> Sequence[Any] | None:
    """Return the list with its dicts copied; None if it holds anything but texts."""
    copies = [_copy_item(value) for value in values]
    return None if None in copies else type(values)(copies)  # type: ignore[call-arg]


def _copy_item(value: Any) -> Any:
    if type(value) is str:
        return value
    if type(value) is dict and all(type(key) is type(text) is str for key, text in value.items()):
        return dict(value)
    return None


def _sample(values: Sequence[Any]) -> tuple[Any, ...]:
    """Return what tells most problems apart, of the first, the middle and the last test."""
    count = len(values)
    items = (values[0], values[count // 2], values[-1])
    return (type(values), count, *[_sample_item(item) for item in items])


def _sample_item(item: Any) -> Any:
    if isinstance(item, str):
        return len(item), item[:_SAMPLE_CHARS], item[-_SAMPLE_CHARS:]
    if isinstance(item, Mapping):
        return tuple([(key, _sample_item(text)) for key, text in item.items()])
    return type(item)


recent_problems = RecentProblems()
