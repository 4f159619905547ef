"""The cage as its users see it: a plan of what may be seen, programs, and runs.

plan = make_plan(packages=("numpy",))            # once, anywhere
with Cage(plan) as cage:                         # in a single-threaded process
    outcome = cage.run_script(cage.program(b"print(input())"), b"hello", limits)
"""

from __future__ import annotations

import fcntl
import json
import os
import re
import resource
import select
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from . import bpf, codec, kernel, landlock, places, wire
from .client import Child, ForkServer, watch
from .outcome import CageUnavailableError, Outcome, ResourceLimits, ServerLostError

LEAN, CALLS, STANDARD, NUMPY, TESTS = "lean", "calls", "standard", "numpy", "tests"
_LEAN_MODULES = "sys os io math itertools functools collections heapq bisect operator array time"
_STANDARD_MODULES = (
    f"{_LEAN_MODULES} typing re string random copy json datetime decimal fractions statistics "
    "dataclasses threading queue enum contextlib struct linecache traceback"
)
_SERVING = "microcoder_sandbox.rpc_candidate"
_PRELOADS = {
    LEAN: "math itertools functools collections heapq bisect operator time",
    CALLS: f"{_LEAN_MODULES} typing re string copy {_SERVING}",
    STANDARD: f"{_STANDARD_MODULES} {_SERVING}",
    NUMPY: f"{_STANDARD_MODULES} {_SERVING} numpy numpy.random",
    TESTS: f"{_STANDARD_MODULES} microcoder_sandbox.rpc_tests",
}
_KNOWN_LEAN = frozenset(f"{_LEAN_MODULES} __future__ builtins _thread errno".encode().split())
_KNOWN_CALLS = _KNOWN_LEAN | {b"typing", b"re", b"string", b"copy"}
_TRAITS = (
    # What a program leaves open is flushed, and its __del__ run, when an interpreter ends.
    (wire.LEAVES_SOMETHING, (b"open(", b"TextIOWrapper", b"BufferedWriter", b"__del__")),
    (wire.NAMES_NODES, (b"ListNode", b"TreeNode")),
    (wire.WANTS_LINES, (b"inspect", b"traceback", b"linecache")),
)
_IMPORT = re.compile(rb"^[ \t]*(?:from[ \t]+([\w.]+)|import[ \t]+([^\n#;]+))", re.MULTILINE)
_FIRST_UID = 60_000
_START_ATTEMPTS = 4
_STACK_BYTES = 1 << 30
_SEALED = 0x1 | 0x2 | 0x4 | 0x8


@dataclass(frozen=True, slots=True)
class Plan:
    """What programs may see, worked out once by a process that has the packages on its path.

    max_level holds the cage below what it could be; for tests of the lower levels only.
    """

    path: tuple[str, ...]
    read: tuple[str, ...]
    listed: tuple[str, ...]
    mounts: tuple[tuple[str, str], ...]
    packages: Mapping[str, str]
    min_level: int = 3
    max_level: int = 4
    drop_uid: bool = False


def make_plan(packages: Sequence[str] = (), *, min_level: int = 3, max_level: int = 4) -> Plan:
    """Look up the interpreter's folders and those of the named packages (missing ones: none)."""
    if sys.platform != "linux" or kernel.MACHINE not in ("x86_64", "aarch64"):
        raise CageUnavailableError(
            "the cage needs Linux on x86-64 or aarch64 (Landlock, seccomp); "
            f"this is {sys.platform} on {kernel.MACHINE}"
        )
    found = places.package_places(tuple(packages))
    read = places.readable(found)
    return Plan(
        path=tuple(places.module_path()),
        read=tuple(read),
        listed=tuple(places.listable()),
        mounts=tuple(places.mounts(found)),
        packages=found,
        min_level=min_level,
        max_level=max_level,
        drop_uid=os.getuid() == 0 and places.readable_by_others(read),
    )


@dataclass(slots=True)
class Program:
    """A program's text and, after its first run, its compiled form; both in memory files that
    only the children read. ``close`` when done with it.

    script_flavour, call_flavour: the leanest servers that have what it imports.
    traits: what its text shows that a child needs to know (wire.py).
    """

    code_fd: int
    cache_fd: int
    script_flavour: str
    call_flavour: str
    traits: int

    def close(self) -> None:
        """Let go of the memory files."""
        os.close(self.code_fd)
        os.close(self.cache_fd)


class Cage:
    """Fork servers, one per flavour, started when first needed.

    For a single-threaded process (workers are). Raises CageUnavailableError when the level
    asked for is not to be had.
    """

    def __init__(self, plan: Plan, gone: Sequence[tuple[int, int]] = (), number: int = 0) -> None:
        self.plan = plan
        self.level = 0
        self.layers: dict[str, str] = {}
        self._gone = gone
        self._servers: dict[str, ForkServer] = {}
        self._uid = _FIRST_UID + number % 5000 if plan.drop_uid else None
        self._no_input = memory_file(b"")
        kernel.prctl(kernel.PR_SET_CHILD_SUBREAPER, 1)
        _allow_deep_stacks()

    def __enter__(self) -> Cage:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Kill all servers, and with them everything they run."""
        for server in self._servers.values():
            server.close()
        self._servers.clear()

    def server(self, flavour: str) -> ForkServer:
        """The server of that flavour, started if need be. TESTS never runs a program."""
        server = self._servers.get(flavour)
        if server is None:
            server = self._servers[flavour] = self._start(flavour)
        return server

    def _start(self, flavour: str) -> ForkServer:
        plan = self.plan
        abi = landlock.abi() if plan.max_level >= 3 else 0
        config = {
            "path": list(plan.path),
            "read": list(plan.read),
            "list": list(plan.listed),
            "write": list(places.DEVICES_WRITE),
            "mounts": list(plan.mounts),
            "packages": dict(plan.packages),
            "preload": _PRELOADS[flavour].split(),
            "uid": self._uid,
            "server_filter": bpf.server_filter(kernel.MACHINE, bpf.file_rules(abi)),
            "program_filter": bpf.program_filter(kernel.MACHINE),
            "max_level": plan.max_level,
        }
        server = _started(config)
        if server.level < plan.min_level:
            server.close()
            missing = "; ".join(f"{k}: {v}" for k, v in server.layers.items() if v != "held")
            raise CageUnavailableError(
                f"isolation level {server.level} reached, {plan.min_level} asked for ({missing}). "
                "`microcoder-eval doctor` says how to get the missing layers"
            )
        self.level, self.layers = server.level, server.layers
        return server

    def drop(self, name: str) -> None:
        """Forget a server that is lost; the next use starts a new one."""
        server = self._servers.pop(name, None)
        if server is not None:
            server.close()

    def program(self, source: bytes) -> Program:
        """Hold a program's text ready to be run."""
        names = imported_names(source)
        if b"numpy" in names and "numpy" in self.plan.packages:
            script = call = NUMPY
        else:
            script = LEAN if names <= _KNOWN_LEAN else STANDARD
            lean = names <= _KNOWN_CALLS and b"random" not in source
            call = CALLS if lean else STANDARD
        traits = sum(bit for bit, signs in _TRAITS if any(sign in source for sign in signs))
        compiled = os.memfd_create("compiled", _MFD)
        return Program(memory_file(source, "code"), compiled, script, call, traits)

    def run_script(self, program: Program, stdin: bytes | int, limits: ResourceLimits) -> Outcome:
        """Run it as a script. ``stdin``: bytes, or the descriptor of a memory file."""
        held = memory_file(stdin) if isinstance(stdin, bytes) else stdin
        try:
            return self._run(program, wire.SCRIPT, held, None, limits)
        finally:
            if isinstance(stdin, bytes):
                os.close(held)

    def run_call(
        self, program: Program, job: Mapping[str, Any] | int, limits: ResourceLimits
    ) -> Outcome:
        """Define the program's names and call one function (call.py says what a job holds).

        ``job``: the job, or a memory file made by ``call_job``.
        """
        held = job if isinstance(job, int) else call_job(job)
        try:
            return self._run(program, wire.CALL, self._no_input, held, limits)
        finally:
            if not isinstance(job, int):
                os.close(held)

    def run_pair(
        self,
        program: Program,
        job: Mapping[str, Any],
        limits: ResourceLimits,
        tests_limits: ResourceLimits,
    ) -> tuple[Outcome, Outcome]:
        """Run test code in one child against a program in another: (program's, tests') outcome.

        job: source, assertions, style, entry (rpc_tests.run_tests). The test code's child comes
        from a server of its own, which never runs programs; its ``result`` is its report.
        """
        name = program.call_flavour
        to_program, from_tests = os.pipe()
        to_tests, from_program = os.pipe()
        ends = [to_program, from_tests, to_tests, from_program]
        source = memory_file(json.dumps(job).encode(), "tests")
        stdin = [reopened(self._no_input), reopened(self._no_input)]
        children: list[Child] = []
        given: list[list[int | None]] = [
            [stdin[0], None, None, program.code_fd, program.cache_fd, to_program, from_program],
            [stdin[1], None, None, source, None, to_tests, None, from_tests],
        ]
        asked = ((name, wire.SERVE, limits), (TESTS, wire.TESTS, tests_limits))
        try:
            for (server, mode, own), descriptors in zip(asked, given, strict=True):
                wants = mode == wire.TESTS
                traits = 0 if wants else program.traits
                children.append(
                    Child(self.server(server), mode, descriptors, own, traits, wants_result=wants)
                )
            _close_all(ends)  # held open here, neither child would see that the other has ended
            watch(children, self._gone)
            candidate, tests = (child.outcome() for child in children)
            return candidate, tests
        except ServerLostError:
            for server, _mode, _own in asked:
                self.drop(server)
            raise
        finally:
            for child in children:
                child.close()
            _close_all(ends)
            _close_all([source, *stdin])

    def _run(
        self, program: Program, mode: int, stdin: int, args: int | None, limits: ResourceLimits
    ) -> Outcome:
        name = program.script_flavour if mode == wire.SCRIPT else program.call_flavour
        server = self.server(name)
        fresh = reopened(stdin)
        try:
            descriptors = [fresh, None, None, program.code_fd, program.cache_fd, args, None, None]
            child = Child(
                server, mode, descriptors, limits, program.traits, wants_result=mode == wire.CALL
            )
            try:
                watch([child], self._gone)
                return child.outcome()
            finally:
                child.close()
        except ServerLostError:
            self.drop(name)
            raise
        finally:
            os.close(fresh)


def _close_all(descriptors: list[int]) -> None:
    while descriptors:
        os.close(descriptors.pop())


def _started(config: dict[str, Any]) -> ForkServer:
    """A new server; one that dies while starting says nothing about the program it is for."""
    for _ in range(_START_ATTEMPTS):
        try:
            return ForkServer(config)
        except ServerLostError as error:
            reason = error
    raise CageUnavailableError(f"{reason} (tried {_START_ATTEMPTS} times)")


def imported_names(source: bytes) -> set[bytes]:
    """Top-level modules that the text's import lines name; a hint, found without parsing."""
    names: set[bytes] = set()
    for from_name, import_names in _IMPORT.findall(source):
        parts = [from_name] if from_name else import_names.split(b",")
        names.update(part.split(b" as ")[0].split(b".")[0].strip() for part in parts)
    return names


_MFD = os.MFD_CLOEXEC | os.MFD_ALLOW_SEALING


def memory_file(data: bytes, name: str = "input") -> int:
    """A sealed file in memory: nobody can change it, and nobody needs a disk for it."""
    descriptor = os.memfd_create(name, _MFD)
    view = memoryview(data)
    while view:
        view = view[os.write(descriptor, view) :]
    fcntl.fcntl(descriptor, fcntl.F_ADD_SEALS, _SEALED)
    return descriptor


def reopened(descriptor: int) -> int:
    """The same memory file with an offset of its own, for reading only.

    A duplicate would share the offset with every other run of the same test.
    """
    return os.open(f"/proc/self/fd/{descriptor}", os.O_RDONLY | os.O_CLOEXEC)


def call_job(job: Mapping[str, Any]) -> int:
    """A memory file with a job for ``run_call``; arguments through the typed codec."""
    plain = {**job, "args": codec.to_json(job["args"]), "kwargs": codec.to_json(job["kwargs"])}
    return memory_file(json.dumps(plain).encode(), "arguments")


def _allow_deep_stacks() -> None:
    # Taken over by exec: the main thread's stack of every program may grow this far.
    _soft, hard = resource.getrlimit(resource.RLIMIT_STACK)
    wanted = _STACK_BYTES if hard == resource.RLIM_INFINITY else min(_STACK_BYTES, hard)
    resource.setrlimit(resource.RLIMIT_STACK, (wanted, hard))


GONE_READABLE = select.POLLIN
GONE_HANGUP = 0
