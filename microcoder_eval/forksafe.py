"""A lock and a cached property that a fork of a process with threads can go on using.

A fork copies each lock as it is, and the thread that held it is not in the copy: a thread that asks
for it there never gets it (fork(2)). ``functools.cached_property`` holds such a lock before
Python 3.12, one for all objects of a class.
"""

from __future__ import annotations

import os
import threading
import weakref
from collections.abc import Callable
from typing import Any, Generic, TypeVar

Value = TypeVar("Value")


class ForkSafeLock:
    """A reentrant lock that is free in a new fork, whoever held it in the parent."""

    def __init__(self) -> None:
        self._lock = threading.RLock()
        _locks.add(self)

    def __enter__(self) -> None:
        self._lock.acquire()

    def __exit__(self, *_: object) -> None:
        self._lock.release()


_locks: weakref.WeakSet[ForkSafeLock] = weakref.WeakSet()


def _renew_locks() -> None:
    for lock in list(_locks):
        lock._lock = threading.RLock()


os.register_at_fork(after_in_child=_renew_locks)


class lazy_property(Generic[Value]):  # noqa: N801 - used as a decorator, like property
    """A property that is computed once for each object. Two threads that ask for it at the same
    time may both compute it."""

    def __init__(self, compute: Callable[[Any], Value]) -> None:
        self._compute = compute
        self.__doc__ = compute.__doc__

    def __set_name__(self, owner: type, name: str) -> None:
        self._name = name

    def __get__(self, owner: object | None, kind: type) -> Value:
        if owner is None:  # help(), for example, asks the class
            return self  # type: ignore[return-value]
        value = self._compute(owner)
        owner.__dict__[self._name] = value  # found there first from now on, frozen or not
        return value
