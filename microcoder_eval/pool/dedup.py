"""Identical programs of a problem are judged once: a model often samples the same one.

Cached are the replies of workers, a bounded number; never the judge's own failures.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Hashable
from concurrent.futures import Future
from typing import Any

from microcoder_eval.lru import LruCache
from microcoder_eval.worker.messages import FailureReply, Reply, SolutionReply

from .tasks import Task

MAX_REPLIES = 1024
MAX_RESULTS = 200_000  # test results in all replies: some 200 bytes each


class DedupEntry:
    """A reply, or the task (``leader``) whose reply others wait for."""

    __slots__ = ("leader", "reply")

    def __init__(self, leader: Task) -> None:
        self.reply: Reply | None = None
        self.leader: Task | None = leader


class DedupCache:
    """The replies of finished tasks, and the tasks under way. Safe from any thread.

    requeue: queues a task whose reply will not come from another task after all.
    """

    def __init__(self, requeue: Callable[[Task], None]) -> None:
        self._requeue = requeue
        # A task under way is never evicted: others may wait for it, and their number is bounded.
        self._entries: LruCache[Hashable, DedupEntry] = LruCache(
            MAX_REPLIES, MAX_RESULTS, may_evict=lambda _key, entry: entry.reply is not None
        )
        self._lock = threading.RLock()  # reentrant: a signal handler may use the cache

    def join(self, key: Hashable, task: Task) -> bool:
        """Let an equal task answer this one. Returns False if there is none: the task is then
        registered as leader, and the caller must submit or cancel it."""
        with self._lock:
            entry = self._entries.get(key)
            if entry is None:
                self._add_leader(key, task)
                return False
            if entry.leader is not None:
                entry.leader.followers.append(task)
                return True
            reply = entry.reply
        assert reply is not None
        task.answer(reply)
        return True

    def _add_leader(self, key: Hashable, task: Task) -> None:
        entry = DedupEntry(task)
        finish = task.finish

        def finish_all(reply: Reply) -> Any:
            for follower in self._close_entry(key, entry, reply):
                follower.answer(reply)
            return finish(reply)

        def on_done(_: Future[Any]) -> None:
            # A task still has followers here only if it ended without a reply, mostly because it
            # was cancelled.
            for follower in self._close_entry(key, entry, None):
                self._requeue(follower)

        task.finish = finish_all
        task.future.add_done_callback(on_done)
        self._entries.put(key, entry)

    def _close_entry(self, key: Hashable, entry: DedupEntry, reply: Reply | None) -> list[Task]:
        """End an entry: keep its reply, or remove it if it has none worth keeping.

        Returns the tasks that waited for it; an empty list on any later call.
        """
        with self._lock:
            leader, entry.leader = entry.leader, None
            if leader is None:
                return []
            if reply is not None and not isinstance(reply, FailureReply):
                entry.reply = reply
                self._entries.put(key, entry, _count_results(reply))
            elif self._entries.get(key) is entry:
                self._entries.pop(key)
            followers, leader.followers = leader.followers, []
            return followers


def _count_results(reply: Reply) -> int:
    return len(reply.results or ()) if isinstance(reply, SolutionReply) else 0
