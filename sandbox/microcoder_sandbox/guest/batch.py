"""Runs test after test of a program in one child, each in a fresh module.

    host --- a byte (GO) -------> child     the input, or the call, is in the file they share
    host <-- a byte (DONE) ------ child     after the output; then the next GO, or the end

Another byte comes with the last input: the child ends after that test.

A test that fails ends the child. Functions needed after the program has run are bound before it
runs, because the program may replace them.
"""

from __future__ import annotations

import _thread
import gc
import mmap
import os
import sys
from types import CodeType

from microcoder_sandbox.wire import protocol
from microcoder_sandbox.wire.call_job import CallJob
from microcoder_sandbox.wire.light_record import Any
from microcoder_sandbox.wire.protocol import Request

from . import ending, execution, loading, setup
from .ending import Errors
from .execution import Execution, ExecutionPlan

_read, _write, _exit, _lseek = os.read, os.write, os._exit, os.lseek
_collect, _counts, _count_threads = gc.collect, gc.get_count, _thread._count
# Names through which a program can reach a standard stream (exit and quit close the input). Such a
# program may close the stream or set attributes of it.
_STREAMS = {"stdin": 0, "exit": 0, "quit": 0, "stdout": 1, "stderr": 2}
_GO, _DONE, _ARGUMENTS = setup.GO, setup.DONE, setup.ARGUMENTS
_RECURSION, _DIGITS = 1000, 0


def begin_batch(request: Request, code: CodeType, context: setup.ChildContext) -> ExecutionPlan:
    """Return the plan for the first test, as ``execution.prepare_program`` does for one run."""
    os.close(request.descriptors.code)
    batch_class = CallBatch if request.mode == protocol.CALL else ScriptBatch
    batch = batch_class(request, code, context)
    namespace = batch.new_module()
    setup.finish_setup(context)
    return code, namespace, batch.finish


class Batch:
    """The tests of one program that this child runs."""

    NAME = "__main__"

    def __init__(self, request: Request, code: CodeType, context: setup.ChildContext) -> None:
        self._code = code
        self._notes: mmap.mmap = context.run_notes
        self._namespace: dict[str, Any] = {}
        self._collections = (0, 0)  # counts of the two older generations after the last test
        self._names: set[str] | None = None  # the program's names; None until its second test
        self._streams: set[int] = set()  # descriptors of the streams that the program can reach
        self._go = _read(_GO, 1)

    def finish(self, errors: Errors) -> Execution:
        """End the test and return the next one to execute. Exits if it failed or was the last."""
        raise NotImplementedError

    def new_module(self) -> dict[str, Any]:
        """Return the namespace of a fresh module for the program."""
        self._namespace = loading.create_program_module(self.NAME)
        return self._namespace

    def await_next_test(self) -> Execution:
        """Report a test that succeeded and return the next one to execute. Exits if it was the
        last."""
        if _leaves_background_work() or not self._report_done():
            _exit(0)
        self._clean_up()
        self._receive_input()
        return self._code, self.new_module()

    def _report_done(self) -> bool:
        """Report the test as done; return whether another test follows."""
        self._notes[protocol.PHASE] = protocol.FINISHED
        if self._go == protocol.LAST_TEST:
            return False
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
        if self._names is None:
            self._names = _collect_names(self._code)
            self._streams = {_STREAMS[name] for name in self._names & _STREAMS.keys()}
        if 0 in self._streams:
            _lseek(0, 0, 0)
        elif "input" in self._names:
            sys.stdin.seek(0)  # empties the buffer, too
        for number in self._streams:
            loading.open_stream(number)


class ScriptBatch(Batch):
    """Standard input in, standard output out."""

    def __init__(self, request: Request, code: CodeType, context: setup.ChildContext) -> None:
        super().__init__(request, code, context)
        self._runs_finalizers = bool(request.traits & protocol.NEEDS_FINALIZERS)

    def finish(self, errors: Errors) -> Execution:
        """End the test and return the next one to execute. Exits if it failed or was the last."""
        status = ending.shut_down(errors, self._notes, self._namespace, self._runs_finalizers)
        if status:
            _exit(status)
        return self.await_next_test()


class CallBatch(Batch):
    """Arguments in, a value out."""

    NAME = "solution"

    def __init__(self, request: Request, code: CodeType, context: setup.ChildContext) -> None:
        super().__init__(request, code, context)
        self._result = request.descriptors.result
        self._traits = request.traits
        self._names_nodes = request.traits & protocol.NAMES_NODES
        self._job: CallJob | None = execution.read_job(_ARGUMENTS, self._names_nodes)

    def new_module(self) -> dict[str, Any]:
        """Return the namespace of a fresh module for the program."""
        namespace = super().new_module()
        execution.add_program_names(namespace, self._traits)
        return namespace

    def finish(self, errors: Errors) -> Execution:
        """End the test and return the next one to execute. Exits if it failed or was the last."""
        assert self._job is not None
        execution.perform_call_or_exit(
            errors, self._job, self._namespace, self._result, self._notes
        )
        self._job = None
        return self.await_next_test()

    def _receive_input(self) -> None:
        super()._receive_input()
        self._job = execution.read_job(_ARGUMENTS, self._names_nodes)


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
