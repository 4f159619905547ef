"""The cage as its users see it: programs, binaries, and runs.

plan = make_plan(packages=("numpy",))            # once, anywhere
with Cage(plan) as cage:                         # in a single-threaded process
    outcome = cage.run_script(cage.program(b"print(input())"), b"hello", limits)
"""

from __future__ import annotations

import json
import os
import re
import resource
import signal
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from . import bpf, flavours, kernel, landlock, places, wire
from .batch import names as shareable
from .batch.driver import Turns
from .client import Child, ForkServer, watch
from .files import MEMORY_FILE, call_job, job_text, memory_file, reopened
from .flavours import CHECKER, COMPILER, LEAN, NATIVE, TESTS
from .folder import Folder
from .outcome import (
    CageUnavailableError,
    Outcome,
    ResourceLimits,
    ServerLostError,
    ServerStartError,
)
from .plan import Plan, make_plan
from .toolchain import Toolchain, find_toolchain

__all__ = [
    "CHECKER",
    "LEAN",
    "Binary",
    "Cage",
    "Plan",
    "Program",
    "call_job",
    "imported_names",
    "job_text",
    "make_plan",
    "memory_file",
    "reopened",
]

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
_BUILD_FOLDER = 256 << 20
Key = tuple[str, int]  # a flavour, and how many bytes its programs may write to a folder


@dataclass(slots=True)
class Program:
    """A program's text and, after its first run, its compiled form; both in memory files that
    only the children read. ``close`` when done with it.

    script_flavour, call_flavour: the leanest servers that have what it imports.
    traits: what its text shows that a child needs to know (wire.py).
    may_take_turns: several tests may be tried in one child (``turns``), as far as its text shows.
    """

    code_fd: int
    cache_fd: int
    script_flavour: str
    call_flavour: str
    traits: int
    may_take_turns: bool

    def close(self) -> None:
        """Let go of the memory files."""
        os.close(self.code_fd)
        os.close(self.cache_fd)


@dataclass(slots=True)
class Binary:
    """A compiled program, in a memory file. ``close`` when done with it."""

    descriptor: int

    def close(self) -> None:
        """Let go of the memory file."""
        os.close(self.descriptor)


class Cage:
    """Fork servers, one per flavour, started when first needed.

    For a single-threaded process (workers are). Raises CageUnavailableError when the level
    asked for is not to be had.
    """

    def __init__(self, plan: Plan, gone: Sequence[tuple[int, int]] = (), number: int = 0) -> None:
        self.plan = plan
        self.level = 0
        self.layers: dict[str, str] = {}
        self.tools: Toolchain | None = None
        self._gone = gone
        self._servers: dict[Key, ForkServer] = {}
        self._folders: dict[Key, Folder] = {}
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
        for key in list(self._servers):
            self.drop(key)

    def server(self, key: Key) -> ForkServer:
        """The server of that flavour, started if need be, with a folder of as many bytes for
        its programs to write to (0: none). TESTS never runs a program."""
        server = self._servers.get(key)
        if server is None:
            server = self._servers[key] = self._start(key)
        return server

    def _start(self, key: Key) -> ForkServer:
        if key[1]:
            if not self._has_landlock():
                raise CageUnavailableError("a folder to write to needs Landlock (level 3)")
            if self.layers.get("namespaces") != "held":  # else it has a root, and a folder there
                self._folders[key] = Folder(self._uid)
        try:
            server = _started(self._config(key))
        except BaseException:
            self.drop(key)
            raise
        if key in self._folders and server.layers["namespaces"] != "held":
            self._folders[key].limit = key[1]
        if server.level < self.plan.min_level:
            server.close()
            missing = "; ".join(f"{k}: {v}" for k, v in server.layers.items() if v != "held")
            raise CageUnavailableError(
                f"isolation level {server.level} reached, {self.plan.min_level} asked for "
                f"({missing}). `microcoder-eval doctor` says how to get the missing layers"
            )
        self.level, self.layers = server.level, server.layers
        return server

    def _config(self, key: Key) -> dict[str, Any]:
        plan, (name, folder_bytes) = self.plan, key
        flavour, tools = flavours.FLAVOURS[name], self.tools
        abi = landlock.abi() if self._has_landlock() else 0
        read, execute = list(plan.read), []
        if tools is not None and name == COMPILER:
            # Nothing of the interpreter's, and no endless device: it reads what it is told to.
            read = [*plan.read, *tools.read]
            read = [path for path in read if path not in places.DEVICES_READ]
            execute = list(tools.execute)
        elif tools is not None and name == NATIVE:
            execute = list(tools.loaders)
        mounts = places.with_more(plan.mounts, [*read, *execute])
        folder = self._folders.get(key)
        return {
            "path": list(plan.path),
            "read": read,
            "list": list(plan.listed),
            "write": list(places.DEVICES_WRITE),
            "execute": execute,
            "mounts": list(mounts),
            "packages": dict(plan.packages),
            "preload": flavour.preload.split(),
            "uid": self._uid,
            "server_filter": bpf.server_filter(
                kernel.MACHINE, flavour.role, bpf.file_rules(abi), files=folder_bytes > 0
            ),
            "program_filter": bpf.program_filter(
                kernel.MACHINE, flavour.role, files=folder_bytes > 0
            ),
            "without": list(plan.without),
            "folder": folder.path if folder is not None else "",
            "folder_bytes": folder_bytes,
        }

    def _has_landlock(self) -> bool:
        return "landlock" not in self.plan.without and landlock.abi() > 0

    def drop(self, key: Key) -> None:
        """Forget a server that is lost; the next use starts a new one."""
        server = self._servers.pop(key, None)
        if server is not None:
            server.close()
        folder = self._folders.pop(key, None)
        if folder is not None:
            folder.remove()

    def program(self, source: bytes) -> Program:
        """Hold a program's text ready to be run."""
        names = imported_names(source)
        numpy = "numpy" in self.plan.packages
        script, call = flavours.for_imports(names, source, numpy=numpy)
        traits = sum(bit for bit, signs in _TRAITS if any(sign in source for sign in signs))
        compiled = os.memfd_create("compiled", MEMORY_FILE)
        turns = names <= shareable.IMPORTS and not traits & wire.WANTS_LINES
        return Program(memory_file(source, "code"), compiled, script, call, traits, turns)

    def run_script(
        self,
        program: Program,
        stdin: bytes | int,
        limits: ResourceLimits,
        *,
        flavour: str | None = None,
        folder_bytes: int = 0,
        arguments: Sequence[str] = (),
        files: Mapping[str, bytes] | None = None,
    ) -> Outcome:
        """Run it as a script. ``stdin``: bytes, or the descriptor of a memory file.

        flavour: of the server, where not the leanest that has what it imports.
        folder_bytes: let it write files, in its working folder; files: what it finds there.
        """
        made = []
        if isinstance(stdin, bytes):
            made.append(memory_file(stdin))
        job = None
        if arguments or files:
            given = {name: data.decode("latin-1") for name, data in (files or {}).items()}
            text = json.dumps({"argv": list(arguments), "files": given})
            job = memory_file(text.encode(), "arguments")
            made.append(job)
        held = stdin if isinstance(stdin, int) else made[0]
        descriptors = [held, None, None, program.code_fd, program.cache_fd, job, None, None]
        try:
            key = (flavour or program.script_flavour, folder_bytes)
            return self._run(key, wire.SCRIPT, descriptors, limits, program.traits)
        finally:
            _close_all(made)

    def run_call(
        self,
        program: Program,
        job: Mapping[str, Any] | int,
        limits: ResourceLimits,
        *,
        flavour: str | None = None,
        folder_bytes: int = 0,
    ) -> Outcome:
        """Define the program's names and call one function (call.py says what a job holds).

        ``job``: the job, or a memory file made by ``call_job``. The rest: see run_script.
        """
        held = job if isinstance(job, int) else call_job(job)
        given = [self._no_input, None, None, program.code_fd, program.cache_fd, held, None, None]
        try:
            key = (flavour or program.call_flavour, folder_bytes)
            return self._run(key, wire.CALL, given, limits, program.traits)
        finally:
            if not isinstance(job, int):
                os.close(held)

    def turns(self, program: Program, *, call: bool) -> Turns:
        """Run several tests of a program in one child where nothing can tell (batch): inputs of
        a script, or jobs (``job_text``) of calls. To be closed."""
        key = (program.call_flavour if call else program.script_flavour, 0)

        def given(held: int) -> list[int | None]:
            code = [program.code_fd, program.cache_fd]
            if not call:
                return [held, None, None, *code, None, None, None]
            return [self._no_input, None, None, *code, held, None, None]

        mode = wire.CALL if call else wire.SCRIPT
        traits = program.traits
        return Turns(self.server(key), mode, given, traits, self._gone, lambda: self.drop(key))

    def build(
        self,
        files: Mapping[str, str],
        command: Sequence[str],
        product: str,
        limits: ResourceLimits,
    ) -> Outcome:
        """Have a compiler make ``product`` of ``files`` (name: text); its bytes are ``result``.

        command: arguments after the compiler's own path; names are relative to its folder.
        The compiler and all it started is gone afterwards. Raises CageUnavailableError where
        there is no compiler.
        """
        compiler = self.toolchain().compiler
        job = {"files": dict(files), "command": [compiler, *command], "product": product}
        held = memory_file(json.dumps(job).encode(), "job")
        key = (COMPILER, _BUILD_FOLDER)
        try:
            given = [self._no_input, None, None, held, None, held, None, None]
            return self._run(key, wire.BUILD, given, limits)
        finally:
            os.close(held)
            session = self._servers[key].session if key in self._servers else 0
            self.drop(key)
            _reap_strays(session)

    def toolchain(self) -> Toolchain:
        """The machine's compiler. Raises CageUnavailableError where there is none."""
        if self.tools is None:
            self.tools = find_toolchain()
        if self.tools is None:
            raise CageUnavailableError("C++ needs g++, which this machine does not have")
        return self.tools

    def run_binary(
        self,
        binary: Binary,
        arguments: Sequence[str],
        stdin: bytes | int,
        limits: ResourceLimits,
        *,
        files: Sequence[int] = (),
        folder_bytes: int = 0,
    ) -> Outcome:
        """Run a compiled program. files: up to three memory files it may read; "{0}" to "{2}"
        in an argument stand for their paths. folder_bytes: see run_script."""
        self.toolchain()
        made = [memory_file(json.dumps({"argv": ["program", *arguments]}).encode(), "job")]
        if isinstance(stdin, bytes):
            made.append(memory_file(stdin))
        held = made[-1] if isinstance(stdin, bytes) else stdin
        lent = [reopened(file) for file in files]
        made += lent
        cache, result, peer = (*lent, None, None, None)[:3]
        given = [held, None, None, binary.descriptor, cache, made[0], result, peer]
        try:
            return self._run((NATIVE, folder_bytes), wire.EXECUTE, given, limits)
        finally:
            _close_all(made)

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
        key = (program.call_flavour, 0)
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
        asked = ((key, wire.SERVE, limits), ((TESTS, 0), wire.TESTS, tests_limits))
        try:
            for (server, mode, own), descriptors in zip(asked, given, strict=True):
                wants = mode == wire.TESTS
                traits = 0 if wants else program.traits
                children.append(
                    Child(self.server(server), mode, descriptors, own, traits, wants_result=wants)
                )
            children[0].partner = children[1]
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
        self,
        key: Key,
        mode: int,
        given: Sequence[int | None],
        limits: ResourceLimits,
        traits: int = 0,
    ) -> Outcome:
        server = self.server(key)
        fresh = reopened(given[wire.STDIN] or 0)
        try:
            descriptors = [fresh, *given[1:]]
            answers = mode in (wire.CALL, wire.BUILD)
            child = Child(
                server,
                mode,
                descriptors,
                limits,
                traits,
                wants_result=answers,
                folder=self._folders.get(key),
            )
            try:
                watch([child], self._gone)
                return child.outcome()
            finally:
                child.close()
        except ServerLostError:
            self.drop(key)
            raise
        finally:
            os.close(fresh)


def _reap_strays(session: int) -> None:
    """Kill what a compiler left running: without a pid namespace of its own it comes to us when
    its parents die (PR_SET_CHILD_SUBREAPER), still in the session of its server."""
    while strays := [pid for pid in _children() if os.getsid(pid) == session]:
        for pid in strays:
            os.kill(pid, signal.SIGKILL)  # our child, not reaped yet: the number is its own
            os.waitpid(pid, 0)


def _children() -> list[int]:
    with open(f"/proc/self/task/{os.getpid()}/children") as children:
        return [int(pid) for pid in children.read().split()]


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
    raise ServerStartError(f"{reason} (tried {_START_ATTEMPTS} times)")


def imported_names(source: bytes) -> set[bytes]:
    """Top-level modules that the text's import lines name; a hint, found without parsing."""
    names: set[bytes] = set()
    for from_name, import_names in _IMPORT.findall(source):
        parts = [from_name] if from_name else import_names.split(b",")
        names.update(part.split(b" as ")[0].split(b".")[0].strip() for part in parts)
    return names


def _allow_deep_stacks() -> None:
    # Taken over by exec: the main thread's stack of every program may grow this far.
    _soft, hard = resource.getrlimit(resource.RLIMIT_STACK)
    wanted = _STACK_BYTES if hard == resource.RLIM_INFINITY else min(_STACK_BYTES, hard)
    resource.setrlimit(resource.RLIMIT_STACK, (wanted, hard))
