"""What a fork copies while a thread uses it works in the fork."""

import os
import threading
from collections.abc import Callable

import pytest

from microcoder_eval.forksafe import ForkSafeLock, lazy_property
from microcoder_eval.records import Kind, Problem, Test


def succeeds_in_fork(action: Callable[[], object]) -> bool:
    """Whether the action ends in a fork, which is killed after five seconds."""
    pid = os.fork()
    if pid == 0:
        threading.Timer(5, os._exit, [1]).start()
        try:
            action()
            os._exit(0)
        finally:
            os._exit(1)
    return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == 0


def start_thread(action: Callable[[], object]) -> threading.Thread:
    thread = threading.Thread(target=action)
    thread.start()
    return thread


def test_a_lock_that_another_thread_held_is_free_in_a_fork() -> None:
    lock, held, release = ForkSafeLock(), threading.Event(), threading.Event()

    def hold() -> None:
        with lock:
            held.set()
            release.wait()

    def take() -> None:
        with lock:
            pass

    thread = start_thread(hold)
    held.wait()
    try:
        assert succeeds_in_fork(take)
    finally:
        release.set()
        thread.join()


def test_a_lazy_property_that_another_thread_was_computing_is_computed_in_a_fork() -> None:
    begun, release, main = threading.Event(), threading.Event(), threading.get_ident()

    class Thing:
        @lazy_property
        def value(self) -> int:
            if threading.get_ident() != main:
                begun.set()
                release.wait()
            return 3

    thing = Thing()
    thread = start_thread(lambda: thing.value)
    begun.wait()
    try:
        assert succeeds_in_fork(lambda: Thing().value)
        assert succeeds_in_fork(lambda: thing.value)
    finally:
        release.set()
        thread.join()


def test_a_lazy_property_is_computed_once() -> None:
    calls = []

    class Thing:
        @lazy_property
        def value(self) -> int:
            """What it is."""
            calls.append(1)
            return 3

    thing = Thing()
    assert (thing.value, thing.value, calls) == (3, 3, [1])
    assert Thing.value.__doc__ == "What it is."


@pytest.mark.parametrize("name", ["tests_sha256", "multiple_answers_suspected"])
def test_a_problem_s_cached_values_need_no_lock(name: str) -> None:
    problem = Problem("p", Kind.STDIN, (Test("1\n", "2\n"),))
    assert isinstance(vars(Problem)[name], lazy_property)
    getattr(problem, name)
    assert name in vars(problem)
