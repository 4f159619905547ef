"""The cage as its users see it: programs, binaries, and runs.

plan = make_plan(packages=("numpy",))            # once, anywhere
with Cage(plan) as cage:                         # in a single-threaded process
    outcome = cage.run_script(cage.program(b"print(input())"), b"hello", limits)
"""

from __future__ import annotations

import json
import os
import resource
import signal
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from typing import Any

from . import bpf, flavours, gcc, kernel, landlock, places, policy, programs, wire
from .batch.driver import Turns
from .client import Child, ForkServer, watch
from .files import call_job, job_text, memory_file, reopened
from .flavours import CHECKER, COMPILER, HOST, LEAN, NATIVE, NATIVE_CHECKER, TESTS
from .folder import Folder
from .hosts import LIMITS as IDLE_LIMITS
from .hosts import Idle, above, least, net_of
from .launch import Key, Launch
from .outcome import (
    CageUnavailableError,
    Outcome,
    ResourceLimits,
    ServerLostError,
    ServerStartError,
)
from .plan import Plan, make_plan
from .programs import Binary, Host, Program, imported_names
from .talk import Talk, talk
from .toolchain import Toolchain, find_toolchain, how_to_install

__all__ = [
    "CHECKER",
    "LEAN",
    "NATIVE_CHECKER",
    "Binary",
    "Cage",
    "Host",
    "Launch",
    "Plan",
    "Program",
    "call_job",
    "imported_names",
    "job_text",
    "make_plan",
    "memory_file",
    "reopened",
]

_FIRST_UID = 60_000
_START_ATTEMPTS = 4
_STACK_BYTES = 1 << 30
_BUILD_FOLDER = 256 << 20
_IDLE_RUNS = 3


class Cage:
    """Fork servers, one per flavour, started when first needed.

    For a single-threaded process (workers are). Raises CageUnavailableError when the level
    asked for is not to be had.
    """

    def __init__(self, plan: Plan, gone: Sequence[tuple[int, int]] = (), number: int = 0) -> None:
        self.plan = plan
        self.level = 0
        self.layers: dict[str, str] = {}
        self._idle: dict[str, Idle] = {}
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
                self._folders[key] = Folder(self._uid_of(key[0]))
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
        flavour, _toolchain = flavours.named(name)
        abi = landlock.abi() if self._has_landlock() else 0
        read, execute = self._places(name)
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
            "uid": self._uid_of(name),
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

    def _places(self, name: str) -> tuple[list[str], list[str]]:
        """What a server's programs may read, and what they may start."""
        flavour, toolchain = flavours.named(name)
        plan = self.plan
        if not toolchain:
            return list(plan.read), list(gcc.loaders()) if flavour.role == policy.NATIVE else []
        tools = self.toolchain(toolchain)
        if flavour.role == policy.HOST:
            return [*plan.read, *tools.host_read], [tools.host, *gcc.loaders()]
        # No endless device: a compiler reads what it is told to.
        read = [path for path in (*plan.read, *tools.read) if path not in places.DEVICES_READ]
        return read, list(tools.execute)

    def _uid_of(self, name: str) -> int | None:
        """Another user, where that one can read what a server's programs need."""
        if self._uid is None or not flavours.named(name)[1]:
            return self._uid
        read, execute = self._places(name)
        return self._uid if places.readable_by_others([*read, *execute]) else None

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
        return programs.program(source, self.plan.packages)

    def script(
        self,
        program: Program,
        stdin: bytes | int,
        limits: ResourceLimits,
        *,
        flavour: str | None = None,
        folder_bytes: int = 0,
        arguments: Sequence[str] = (),
        files: Mapping[str, bytes] | None = None,
    ) -> Launch:
        """A run of it as a script. ``stdin``: bytes, or the descriptor of a memory file.

        flavour: of the server, where not the leanest that has what it imports.
        folder_bytes: let it write files, in its working folder; files: what it finds there.
        """
        made = []
        if isinstance(stdin, bytes):
            made.append(memory_file(stdin))
        held = stdin if isinstance(stdin, int) else made[0]
        job = None
        if arguments or files:
            given = {name: data.decode("latin-1") for name, data in (files or {}).items()}
            text = json.dumps({"argv": list(arguments), "files": given})
            job = memory_file(text.encode(), "arguments")
            made.append(job)
        descriptors = [held, None, None, program.code_fd, program.cache_fd, job, None, None]
        key = (flavour or program.script_flavour, folder_bytes)
        return Launch(key, wire.SCRIPT, descriptors, limits, program.traits, made)

    def run_script(
        self, program: Program, stdin: bytes | int, limits: ResourceLimits, **more: Any
    ) -> Outcome:
        """Run it as a script; the arguments are those of ``script``."""
        return self._launched(self.script(program, stdin, limits, **more))

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
        made = [] if isinstance(job, int) else [call_job(job)]
        held = job if isinstance(job, int) else made[0]
        given = [self._no_input, None, None, program.code_fd, program.cache_fd, held, None, None]
        key = (flavour or program.call_flavour, folder_bytes)
        return self._launched(Launch(key, wire.CALL, given, limits, program.traits, made))

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
        *,
        toolchain: str = "g++",
    ) -> Outcome:
        """Have a compiler make ``product`` of ``files`` (name: text); its bytes are ``result``,
        those of a folder as a zip archive.

        command: arguments after the compiler's own path; names are relative to its folder.
        The compiler and all it started is gone afterwards. Raises CageUnavailableError where
        there is no compiler.
        """
        tools = self.toolchain(toolchain)
        job = {
            "files": dict(files),
            "command": [tools.compiler, *command],
            "product": product,
            "environment": dict(tools.environment),
        }
        held = memory_file(json.dumps(job).encode(), "job")
        key = (f"{COMPILER} {toolchain}", _BUILD_FOLDER)
        given = [self._no_input, None, None, held, None, held, None, None]
        try:
            return self._launched(Launch(key, wire.BUILD, given, limits, made=[held]))
        finally:
            session = self._servers[key].session if key in self._servers else 0
            self.drop(key)
            _reap_strays(session)

    def toolchain(self, name: str = "g++") -> Toolchain:
        """The machine's toolchain of that name. Raises CageUnavailableError where there is none."""
        tools = find_toolchain(name)
        if tools is None:
            raise CageUnavailableError(f"{how_to_install(name)}, which this machine does not have")
        return tools

    def binary(
        self,
        binary: Binary,
        arguments: Sequence[str],
        stdin: bytes | int,
        limits: ResourceLimits,
        *,
        files: Sequence[int] = (),
        flavour: str | None = None,
        folder_bytes: int = 0,
    ) -> Launch:
        """A run of a compiled program. files: up to three memory files it may read; "{0}" to
        "{2}" in an argument stand for their paths. flavour, folder_bytes: see ``script``.

        One that runs in a host has no files. Its limits are above what the host takes for itself.
        """
        job: dict[str, Any] = {"argv": ["program", *arguments]}
        server, program, lent = flavour or NATIVE, binary.descriptor, list(files)
        if binary.host is not None:
            memory = str(limits.memory_bytes >> 20)
            line = [part.replace("{memory}", memory) for part in binary.host.arguments]
            line = [part.replace("{program}", "{0}") for part in (*line, *binary.more)]
            tools = self.toolchain(binary.host.toolchain)
            job = _hosted(tools, line)
            server, lent = f"{HOST} {binary.host.toolchain}", [binary.descriptor]
            limits = above(limits, self.idle(binary.host), binary.host)
        made = [memory_file(json.dumps(job).encode(), "job")]
        if isinstance(stdin, bytes):
            made.append(memory_file(stdin))
        held = made[-1] if isinstance(stdin, bytes) else stdin
        lent = [reopened(file) for file in lent]
        cache, result, peer = (*lent, None, None, None)[:3]
        own = None if binary.host is not None else program
        given = [held, None, None, own, cache, made[0], result, peer]
        return Launch((server, folder_bytes), wire.EXECUTE, given, limits, 0, [*made, *lent])

    def run_binary(
        self,
        binary: Binary,
        arguments: Sequence[str],
        stdin: bytes | int,
        limits: ResourceLimits,
        **more: Any,
    ) -> Outcome:
        """Run a compiled program; the arguments are those of ``binary``."""
        outcome = self._launched(self.binary(binary, arguments, stdin, limits, **more))
        return outcome if binary.host is None else self.without_host(outcome, binary.host)

    def without_host(self, outcome: Outcome, host: Host) -> Outcome:
        """What the program itself took, of what it and its host took together."""
        return net_of(outcome, self.idle(host), host)

    def idle(self, host: Host) -> Idle:
        """What a host takes without a program: the least of some runs, asked once."""
        found = self._idle.get(host.toolchain)
        if found is None:
            tools = self.toolchain(host.toolchain)
            line = [part.replace("{memory}", "64") for part in host.idle]
            job = json.dumps(_hosted(tools, line)).encode()
            limits = replace(IDLE_LIMITS, address_bytes=host.address_bytes)
            runs = []
            for _ in range(_IDLE_RUNS):
                held = memory_file(job, "job")
                given = [self._no_input, None, None, None, None, held, None, None]
                key = (f"{HOST} {host.toolchain}", 0)
                runs.append(self._launched(Launch(key, wire.EXECUTE, given, limits, made=[held])))
            found = self._idle[host.toolchain] = least(runs)
        return found

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

    def run_talk(self, solution: Launch, interactor: Launch, goes_on: Collection[int]) -> Talk:
        """Let two programs talk, the standard output of each the standard input of the other.

        goes_on: exit statuses of the interactor after which the solution may go on to its end.
        """
        launches = (solution, interactor)
        try:
            servers = [self.server(launch.key) for launch in launches]
            return talk(servers, launches, goes_on, self._gone)
        except ServerLostError:
            for launch in launches:
                self.drop(launch.key)
            raise
        finally:
            for launch in launches:
                launch.close()

    def _launched(self, launch: Launch) -> Outcome:
        key, fresh = launch.key, -1
        try:
            server = self.server(key)
            fresh = reopened(launch.descriptors[wire.STDIN] or 0)
            child = Child(
                server,
                launch.mode,
                [fresh, *launch.descriptors[1:]],
                launch.limits,
                launch.traits,
                wants_result=launch.mode in (wire.CALL, wire.BUILD),
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
            if fresh >= 0:
                os.close(fresh)
            launch.close()


def _hosted(tools: Toolchain, line: Sequence[str]) -> dict[str, Any]:
    return {
        "argv": [tools.host, *line],
        "host": tools.host,
        "environment": dict(tools.environment),
    }


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


def _allow_deep_stacks() -> None:
    # Taken over by exec: the main thread's stack of every program may grow this far.
    _soft, hard = resource.getrlimit(resource.RLIMIT_STACK)
    wanted = _STACK_BYTES if hard == resource.RLIM_INFINITY else min(_STACK_BYTES, hard)
    resource.setrlimit(resource.RLIMIT_STACK, (wanted, hard))
