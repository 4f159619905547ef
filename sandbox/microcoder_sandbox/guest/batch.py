"""Runs a program in a child, once or test after test, each in a fresh module.

    host --- a byte (GO) -------> child     the input, or the call, is in the file they share
    host <-- a byte (DONE) ------ child     after the output; then the next GO, or the end

Another byte comes with the last input: the child ends after that test. A run that is no batch is
the last test.

A test that fails ends the child. Functions needed after the program has run are bound before it
runs, because the program may replace them.
"""

from __future__ import annotations

import _thread
import gc
import mmap
import os
import sys
from collections.abc import Callable
from types import CodeType

from microcoder_sandbox.wire import protocol
from microcoder_sandbox.wire.light_record import Any
from microcoder_sandbox.wire.protocol import Request

from . import ending, loading, setup
from .ending import Errors

Execution = tuple[CodeType, dict[str, Any]]
ExecutionPlan = tuple[CodeType, dict[str, Any], Callable[[Errors], Execution]]

_read, _write, _exit = os.read, os.write, os._exit
_collect, _counts, _count_threads = gc.collect, gc.get_count, _thread._count
# Names through which a program uses a standard stream (exit and quit close the input).
_STREAMS = {"input": 0, "stdin": 0, "exit": 0, "quit": 0, "stdout": 1, "stderr": 2}
_GO, _DONE = setup.GO, setup.DONE
_RECURSION, _DIGITS = 1000, 0


def prepare_program(
    batch_class: type[Batch], request: Request, code: CodeType, context: setup.ChildContext
) -> ExecutionPlan:
    """Return what to execute, in which namespace, and what to do when it ends. batch_class: how
    programs of the request's mode are run."""
    traits, descriptors = request.traits, request.descriptors
    batch = batch_class(request, code, context.run_notes)
    namespace = batch.new_module()
    if request.mode == protocol.SCRIPT and descriptors.job >= 0:
        sys.argv += loading.unpack_job(setup.JOB)["argv"]
    if traits & protocol.INTERACTIVE:
        loading.open_stream(0)  # the server's stream object expects a file that can seek
    if traits & protocol.NEEDS_SOURCE_LINES and not traits & protocol.BATCHED:
        loading.cache_source_lines(descriptors.code)
    for descriptor in (descriptors.code, descriptors.cache):
        if descriptor >= 0:
            os.close(descriptor)
    setup.finish_setup(context)
    return code, namespace, batch.finish


class Batch:
    """The tests of a program that this child runs. These here are of a script: standard input in,
    standard output out."""

    NAME = "__main__"

    def __init__(self, request: Request, code: CodeType, notes: mmap.mmap) -> None:
        self._code, self._notes, self._traits = code, notes, request.traits
        self._namespace: dict[str, Any] = {}
        self._collections = (0, 0)  # counts of the two older generations after the last test
        self._streams: set[int] | None = None  # those that it uses; None until its second test
        self._go = _read(_GO, 1) if self._traits & protocol.BATCHED else protocol.LAST_TEST

    def finish(self, errors: Errors) -> Execution:
        """End the test and return the next one to execute. Exits if it failed or was the last."""
        run_finalizers = bool(self._traits & protocol.NEEDS_FINALIZERS)
        status = ending.shut_down(errors, self._notes, self._namespace, run_finalizers)
        if status:
            _exit(status)
        return self.await_next_test()

    def new_module(self) -> dict[str, Any]:
        """Return the namespace of a fresh module for the program."""
        self._namespace = loading.create_program_module(self.NAME)
        return self._namespace

    def await_next_test(self) -> Execution:
        """Report a test that succeeded and return the next one to execute. Exits if it was the
        last."""
        is_last = self._go == protocol.LAST_TEST
        if not is_last and _leaves_background_work():
            _exit(0)
        self._notes[protocol.PHASE] = protocol.FINISHED
        if is_last or not self._await_input():
            _exit(0)
        self._clean_up()
        self._receive_input()
        return self._code, self.new_module()

    def _await_input(self) -> bool:
        """Report the test as done; return whether another test follows."""
        try:
            _write(_DONE, b"\n")
            self._go = _read(_GO, 1)
        except OSError:  # the program has closed them: this child runs no other test
            return False
        if self._go:
            self._notes[protocol.PHASE] = self._notes[protocol.FLAGS] = 0
        return bool(self._go)

    def _clean_up(self) -> None:
        """Remove what the last test left; the next one is charged for the time."""
        self._namespace.clear()
        typing = sys.modules.get("typing")
        if typing is not None:
            for clear_cache in typing._cleanups:  # typing caches List[int] and its like
                clear_cache()
        self._collect()
        if sys.getrecursionlimit() != _RECURSION:
            sys.setrecursionlimit(_RECURSION)
        if sys.get_int_max_str_digits() != _DIGITS:
            sys.set_int_max_str_digits(_DIGITS)

    def _collect(self) -> None:
        # If the collector has not run by itself, all that the test made is in its youngest
        # generation. A full collection takes 25 us, more than a small test.
        _collect(0 if _counts()[1:] == self._collections else 2)
        self._collections = _counts()[1:]

    def _receive_input(self) -> None:
        """Make the new input readable from its start."""
        if self._streams is None:
            names = _collect_names(self._code)
            self._streams = {number for name, number in _STREAMS.items() if name in names}
        for number in self._streams:
            loading.reset_stream(number)


def _collect_names(code: CodeType) -> set[str]:
    names = set(code.co_names)
    for const in code.co_consts:
        if type(const) is type(code):
            names |= _collect_names(const)
    return names


def _leaves_background_work() -> bool:
    """Whether a thread or an exit handler would outlast the test."""
    exit_handlers = sys.modules.get("atexit")
    return bool(_count_threads() or (exit_handlers and exit_handlers._ncallbacks()))
