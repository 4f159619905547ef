"""Identical programs of a problem are judged once: samples of a model repeat themselves.

Kept are the plain answers of workers, a bounded number; never the judge's own failures.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable
from concurrent.futures import Future
from typing import Any

from .link import Task

HELD_ANSWERS = 1024
Answer = dict[str, Any]


class Entry:
    """An answer, or those who wait for it."""

    __slots__ = ("answer", "waiting")

    def __init__(self) -> None:
        self.answer: Answer | None = None
        self.waiting: list[Task] = []


class Memo:
    """What has been, or is being, judged. Safe from any thread.

    again: queues a task whose answer will not come from another after all.
    """

    def __init__(self, again: Callable[[Task], None]) -> None:
        self._again = again
        self._entries: OrderedDict[Hashable, Entry] = OrderedDict()
        self._lock = threading.Lock()

    def join(self, key: Hashable, task: Task) -> bool:
        """Whether an equal task is done or under way, whose answer will be this one's too. If
        not, this one is the first of its kind from now on, and must be done."""
        with self._lock:
            entry = self._entries.get(key)
            if entry is None:
                self._lead(key, task)
                return False
            self._entries.move_to_end(key)
            if entry.answer is None:
                entry.waiting.append(task)
                return True
        settle(task, entry.answer)
        return True

    def _lead(self, key: Hashable, task: Task) -> None:
        entry = self._entries[key] = Entry()
        finish = task.finish

        def finish_all(answer: Answer) -> Any:
            for other in self._close(key, entry, answer):
                settle(other, answer)
            return finish(answer)

        def done(future: Future[Any]) -> None:
            if future.cancelled():
                for other in self._close(key, entry, None):
                    self._again(other)

        task.finish = finish_all
        task.future.add_done_callback(done)
        while len(self._entries) > HELD_ANSWERS:
            oldest = next(iter(self._entries))
            if self._entries[oldest].answer is None:
                break  # under way: others may be waiting for it
            del self._entries[oldest]

    def _close(self, key: Hashable, entry: Entry, answer: Answer | None) -> list[Task]:
        with self._lock:
            if answer is None or "error" in answer:
                if self._entries.get(key) is entry:
                    del self._entries[key]
            else:
                entry.answer = answer
            waiting, entry.waiting = entry.waiting, []
            return waiting


def settle(task: Task, answer: Answer) -> None:
    """Give a task the answer that another one of its kind has got."""
    if not task.future.set_running_or_notify_cancel():
        return
    try:
        task.future.set_result(task.finish(answer))
    except BaseException as error:
        task.future.set_exception(error)
