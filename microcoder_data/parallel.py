"""Maps a function over jobs on all cores, with a bounded number of jobs in memory."""

from __future__ import annotations

import multiprocessing
import os
import signal
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
from itertools import chain, islice, starmap
from typing import Any, TypeVar

from microcoder_eval.errors import JudgeError

_CHUNK_SIZE = 16  # jobs in one message: most jobs take less time than sending a message
_POLL_SECONDS = 0.5  # Ctrl-C takes at most this long while all workers are busy
Job = TypeVar("Job")
Result = TypeVar("Result")


def map_in_threads(
    function: Callable[..., Result], jobs: Iterable[tuple[Any, ...]], threads: int
) -> Iterator[Result]:
    """Results in the order in which they finish. jobs: the arguments of each call. Raises what
    ``function`` raises."""
    pool = ThreadPoolExecutor(threads, thread_name_prefix="microcoder-data")
    chunks = _split_jobs(jobs, 1)
    yield from _run_chunks(pool, lambda chunk: list(starmap(function, chunk)), chunks, 2 * threads)


def map_in_processes(
    function: Callable[..., Result], jobs: Iterable[tuple[Any, ...]], workers: int
) -> Iterator[Result]:
    """Results in the order in which they finish; few jobs, or those of one worker, run here.

    ``function`` must be picklable. Raises what it raises, and JudgeError when a process was lost.
    """
    if workers == 1:
        yield from starmap(function, jobs)
        return
    chunks = _split_jobs(jobs, _CHUNK_SIZE)
    first_chunks = list(islice(chunks, 2))
    if len(first_chunks) < 2:  # they take less time than the start of a process
        yield from starmap(function, chain.from_iterable(first_chunks))
        return
    chunks = chain(first_chunks, chunks)
    # Spawned, not forked: the caller may have threads.
    context = multiprocessing.get_context("spawn")
    pool = ProcessPoolExecutor(workers, context, initializer=_init_worker, initargs=(function,))
    try:
        _start_workers(pool, workers)
        yield from _run_chunks(pool, _run_chunk, chunks, 3 * workers)
    except BrokenProcessPool as error:
        raise JudgeError(
            f"a worker process was lost ({error}): out of memory? --resume goes on"
        ) from error


def _start_workers(pool: ProcessPoolExecutor, workers: int) -> None:
    """Start the processes, with Ctrl-C blocked here and in them until they can end quietly."""
    mask = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        for _ in range(workers):  # each call starts one
            pool.submit(int)
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, mask)


_worker_function: Callable[[Any], Any] | None = None  # in a worker process, set by _init_worker


def _run_chunk(jobs: list[Any]) -> list[Any]:
    assert _worker_function is not None
    return list(starmap(_worker_function, jobs))


def _run_chunks(
    pool: Executor,
    function: Callable[[list[Job]], list[Result]],
    chunks: Iterator[list[Job]],
    window: int,
) -> Iterator[Result]:
    futures: set[Future[list[Result]]] = set()
    try:
        for chunk in chunks:
            futures.add(pool.submit(function, chunk))
            while len(futures) >= window:
                yield from _collect_finished(futures)
        while futures:
            yield from _collect_finished(futures)
    except BaseException:
        pool.shutdown(wait=False, cancel_futures=True)
        raise
    pool.shutdown()


def _collect_finished(futures: set[Future[list[Result]]]) -> Iterator[Result]:
    finished_futures, _ = wait(futures, timeout=_POLL_SECONDS, return_when=FIRST_COMPLETED)
    for future in finished_futures:
        futures.discard(future)
        yield from future.result()


def _split_jobs(jobs: Iterable[Job], size: int) -> Iterator[list[Job]]:
    iterator = iter(jobs)
    while chunk := list(islice(iterator, size)):
        yield chunk


def _init_worker(function: Callable[[Any], Any]) -> None:
    """Set up a worker process: keep the function; exit at Ctrl-C and when the parent is killed."""
    global _worker_function
    _worker_function = function
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})

    def exit_with_parent() -> None:
        parent = multiprocessing.parent_process()
        if parent is not None:
            parent.join()
            os._exit(1)

    threading.Thread(target=exit_with_parent, daemon=True).start()
