"""In the child: test after test, as long as nothing can tell that there was one before.

    driver --- GO (nonce) ------> child     the input, or the call, is in the file they share
    driver <-- REPORT (nonce) --- child     after the output; then the next GO, or the end

A test that ends badly ends the child, as any child ends. What is used after the program has run
is bound before.
"""

from __future__ import annotations

import builtins
import gc
import os
import resource
import sys
import time

from microcoder_sandbox import call, child, wire

from . import names as gate
from . import stand_ins
from .guard import Guard

TYPE_CHECKING = False
if TYPE_CHECKING:
    import mmap
    from types import CodeType
    from typing import Any, ClassVar, NoReturn

    from microcoder_sandbox.call import Main, Next

_read, _write, _exit, _lseek, _dup2 = os.read, os.write, os._exit, os.lseek, os.dup2
_collect, _getrusage, _SELF = gc.collect, resource.getrusage, resource.RUSAGE_SELF
_cpu_clock, _own_cpu_clock = time.process_time_ns, time.thread_time_ns
# Of programs that get hold of a standard stream, and of those that leave some to be closed.
_STREAMS = gate.words("sys open stdin stdout stderr io os exit quit")
_LEAVING = gate.words("open TextIOWrapper BufferedReader BufferedWriter")
_FAR = 480  # below RLIMIT_NOFILE
_DYNAMIC = gate.words("globals locals vars dir")


def gather() -> None:
    """In the server: what programs will find without any import."""
    ScriptTurns.FOUND = {**vars(builtins), **stand_ins.GIVEN}
    CallTurns.FOUND = {**call.PREAMBLE, **stand_ins.GIVEN}


def begin(request: child.Request, code: CodeType, around: child.Surroundings) -> Main | None:
    """The first turn, as ``call.prepare`` would give it; None for a program that must have a
    child of its own for every test."""
    names = frozenset(gate.names_of(code))
    if gate.objection(names):
        return None
    kind = CallTurns if request.mode == wire.CALL else ScriptTurns
    turns = kind(request, code, names, around)
    if not turns.admits_preamble():
        return None
    namespace = turns.new_module()
    child.start(around)
    return code, namespace, turns.finish


def _away(descriptor: int, place: int) -> int:
    """The same, under a number that no program comes by as it tries one after the other: in a
    child of its own it would find the low ones closed."""
    far = os.dup2(descriptor, _FAR + place)
    os.close(descriptor)
    return far


class Turns:
    """One program's turns."""

    NAME = "__main__"
    FOUND: ClassVar[dict[str, Any]] = {}  # names that are there without any import

    def __init__(
        self,
        request: child.Request,
        code: CodeType,
        names: frozenset[str],
        around: child.Surroundings,
    ) -> None:
        self._code = code
        self._names = names
        self._notes: mmap.mmap = around.notes
        self._baseline = around.baseline
        self._channel = _away(request.descriptors[wire.PEER], 0)
        self._input = os.dup2(0, _FAR + 1)
        self._namespace: dict[str, Any] = {}
        stand_ins.begin(self, names)
        self.guard = Guard(names, stand_ins.used_by(names))
        self._reaches_builtins = bool(names & _DYNAMIC)
        self._leaves = bool(names & _LEAVING)
        self._uses_streams = bool(names & _STREAMS)
        self._cpu_before = 0
        self._nonce = _read(self._channel, wire.GO_BYTES)

    def admits_preamble(self) -> bool:
        """Whether the program may have what it finds without importing it."""
        return True

    def finish(self, error: BaseException | None) -> Next:
        """At the end of a test: what to execute next. Does not return when nothing is."""
        raise NotImplementedError

    def new_module(self) -> dict[str, Any]:
        """The namespace of a new module for the program."""
        self._namespace = child.program_module(self.NAME)
        found = self.FOUND
        self._namespace["__builtins__"] = dict(found) if self._reaches_builtins else found
        return self._namespace

    def next(self) -> Next:
        """After a test that ended well: report it and wait for the next. No return at the end."""
        used = _own_cpu_clock() - self._cpu_before
        self._namespace.clear()
        if self._leaves:
            _collect()
            child.flush()
            _dup2(self._input, 0)
        self.guard.restore()
        more = self.guard.unchanged()
        self._report(wire.AND_MORE if more else wire.AND_NO_MORE, used)
        if more:
            self._nonce = _read(self._channel, wire.GO_BYTES)
        if not more or not self._nonce:
            self._notes[wire.PHASE] = wire.FINISHED
            _exit(0)
        self._receive()
        namespace = self.new_module()
        self._cpu_before = _own_cpu_clock()
        return self._code, namespace

    def _receive(self) -> None:
        if self._uses_streams:
            _lseek(0, 0, 0)
            child.standard_streams()
        else:
            sys.stdin.seek(0)  # lets go of what is buffered, too

    def _report(self, kind: int, used: int) -> None:
        peak = 0 if self._cpu_before else _getrusage(_SELF).ru_maxrss - self._baseline
        _write(self._channel, wire.REPORT.pack(kind, self._nonce, used, _cpu_clock(), max(0, peak)))

    def refuse(self) -> NoReturn:
        """The program asks for what it cannot have here: what it has done does not count."""
        self._report(wire.VOID, 0)
        _exit(0)


class ScriptTurns(Turns):
    """Standard input in, standard output out."""

    def finish(self, error: BaseException | None) -> Next:
        """At the end of a test: what to execute next. Does not return when nothing is."""
        well = error is None or (type(error) is SystemExit and error.code in (None, 0))
        if not well or not child.flush():
            child.finish(error, self._notes, self._namespace, thorough=self._leaves)
        return self.next()


class CallTurns(Turns):
    """Arguments in, a value out."""

    NAME = "solution"

    def __init__(
        self,
        request: child.Request,
        code: CodeType,
        names: frozenset[str],
        around: child.Surroundings,
    ) -> None:
        super().__init__(request, code, names, around)
        self._arguments = _away(request.descriptors[wire.ARGS], 2)
        self._result = request.descriptors[wire.RESULT]
        self._prints = bool(names & {"print", "input"})
        self._names_nodes = request.traits & wire.NAMES_NODES
        self._job = call.read_job(self._arguments, self._names_nodes)

    def admits_preamble(self) -> bool:
        """Whether the program may have what it finds without importing it."""
        for name in self._names & call.PREAMBLE_MODULES.keys():
            module = sys.modules[call.PREAMBLE_MODULES[name]]
            if gate.denied(module.__name__, self._names):
                return False
            self.guard.watch(module)
        return True

    def finish(self, error: BaseException | None) -> Next:
        """At the end of a test: what to execute next. Does not return when nothing is."""
        try:
            if error is not None:
                raise error
            call.answer(self._job, self._namespace, self._result, self._notes)
        except BaseException as raised:
            child.finish(raised, self._notes, self._namespace, thorough=False)
        return self.next()

    def _receive(self) -> None:
        if self._uses_streams or self._prints:
            child.standard_streams()
        self._job = call.read_job(self._arguments, self._names_nodes)
