"""Identical programs of a problem are judged once: a model often samples the same one.

The cache holds a bounded number of replies of workers, and no failure of the judge itself.
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


class DedupCache:
    """The replies of finished tasks, and the tasks under way. Safe from any thread.

    requeue: queues a task whose reply will not come from another task after all.
    """

    def __init__(self, requeue: Callable[[Task], None]) -> None:
        self._requeue = requeue
        # A task under way is never evicted: others may wait for it, and their number is bounded.
        self._entries: LruCache[Hashable, Task | Reply] = LruCache(
            MAX_REPLIES, MAX_RESULTS, may_evict=lambda _key, entry: not isinstance(entry, Task)
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
            if isinstance(entry, Task):
                entry.followers.append(task)
                return True
        task.answer(entry)
        return True

    def _add_leader(self, key: Hashable, task: Task) -> None:
        def answer_followers(reply: Reply) -> None:
            for follower in self._close_entry(key, task, reply):
                follower.answer(reply)

        def requeue_followers(_: Future[Any]) -> None:
            # A task still has followers here only if it ended without a reply, mostly because it
            # was cancelled.
            for follower in self._close_entry(key, task, None):
                self._requeue(follower)

        task.reply_callbacks.append(answer_followers)
        task.future.add_done_callback(requeue_followers)
        self._entries.put(key, task)

    def _close_entry(self, key: Hashable, leader: Task, reply: Reply | None) -> list[Task]:
        """End a task under way: keep its reply, or nothing if there is none worth keeping.

        Returns the tasks that waited for it; an empty list on any later call.
        """
        with self._lock:
            if self._entries.get(key) is not leader:
                return []
            if reply is not None and not isinstance(reply, FailureReply):
                results = reply.results if isinstance(reply, SolutionReply) else None
                self._entries.put(key, reply, len(results or ()))
            else:
                self._entries.pop(key)
            followers, leader.followers = leader.followers, []
            return followers
