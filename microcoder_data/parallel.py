"""Does the same work for many problems, over cores, a bounded number of them at a time."""

from __future__ import annotations

import multiprocessing
import os
import threading
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import (
    FIRST_COMPLETED,
    Executor,
    Future,
    ProcessPoolExecutor,
    ThreadPoolExecutor,
    wait,
)
from concurrent.futures.process import BrokenProcessPool
from itertools import islice
from typing import Any, TypeVar

from microcoder_eval.errors import JudgeError

from .stage import Engine

_CHUNK = 16  # problems sent to a process at once: most take less than sending one does
_POLL_SECONDS = 0.5  # how soon Ctrl-C is seen while all workers are busy
Job = TypeVar("Job")
Result = TypeVar("Result")


def mapped(
    work: Callable[[Job], Result], jobs: Iterable[Job], workers: int, engine: Engine
) -> Iterator[Result]:
    """Results as they finish. ``work`` must be picklable for processes.

    Raises what ``work`` raises, and JudgeError when a process was lost.
    """
    if engine is Engine.THREADS:
        pool: Executor = ThreadPoolExecutor(workers, thread_name_prefix="microcoder-data")
        yield from _run(pool, lambda some: list(map(work, some)), _chunks(jobs, 1), 2 * workers)
        return
    if workers == 1:
        yield from map(work, jobs)
        return
    # Spawned, not forked: the caller may have threads. They end with us, however we end.
    context = multiprocessing.get_context("spawn")
    pool = ProcessPoolExecutor(workers, context, initializer=_start, initargs=(work,))
    try:
        yield from _run(pool, _chunk, _chunks(jobs, _CHUNK), 3 * workers)
    except BrokenProcessPool as error:
        raise JudgeError(
            f"a worker process was lost ({error}): out of memory? --resume goes on"
        ) from error


_work: Callable[[Any], Any] | None = None  # in a worker process: sent there once, not each time


def _chunk(jobs: list[Any]) -> list[Any]:
    assert _work is not None
    return [_work(job) for job in jobs]


def _run(
    pool: Executor,
    work: Callable[[list[Job]], list[Result]],
    chunks: Iterator[list[Job]],
    window: int,
) -> Iterator[Result]:
    running: set[Future[list[Result]]] = set()
    try:
        for chunk in chunks:
            running.add(pool.submit(work, chunk))
            while len(running) >= window:
                yield from _finished(running)
        while running:
            yield from _finished(running)
    except BaseException:
        pool.shutdown(wait=False, cancel_futures=True)
        raise
    pool.shutdown()


def _finished(running: set[Future[list[Result]]]) -> Iterator[Result]:
    done, _ = wait(running, timeout=_POLL_SECONDS, return_when=FIRST_COMPLETED)
    for future in done:
        running.discard(future)
        yield from future.result()


def _chunks(jobs: Iterable[Job], size: int) -> Iterator[list[Job]]:
    left = iter(jobs)
    while chunk := list(islice(left, size)):
        yield chunk


def _start(work: Callable[[Any], Any]) -> None:
    """In a worker process: take the work; leave with a parent that is killed, as no orphan."""
    global _work
    _work = work

    def watch() -> None:
        parent = multiprocessing.parent_process()
        if parent is not None:
            parent.join()
            os._exit(1)

    threading.Thread(target=watch, daemon=True).start()
