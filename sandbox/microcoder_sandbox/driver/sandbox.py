"""The sandbox as its users see it: fork servers, and runs on them.

plan = make_plan(packages=("numpy",))            # once, anywhere
with Sandbox(plan) as sandbox:                   # in a single-threaded process
    program = sandbox.prepare_program(b"print(input())")
    outcome = sandbox.run(make_script_request(program, b"hello", limits))
"""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Sequence
from dataclasses import replace

from microcoder_sandbox import protocol
from microcoder_sandbox.batch.session import BatchSession
from microcoder_sandbox.isolation import kernel
from microcoder_sandbox.outcome import (
    Outcome,
    SandboxError,
    SandboxUnavailableError,
    ServerLostError,
)
from microcoder_sandbox.protocol import ABSENT, HELD
from microcoder_sandbox.toolchains.runtimes import (
    IdleUsage,
    add_idle_usage,
    find_least_usage,
    subtract_idle_usage,
)

from . import programs
from .child import Child
from .fork_server import ForkServer, start_fork_server
from .interaction import Interaction, supervise_interaction
from .memfd import encode_job, reopen_memfd, sealed_memfd
from .plan import Plan, make_plan
from .process_tree import CompilerTree, reap_strays
from .profiles import CHECKER, LEAN, NATIVE_CHECKER
from .programs import Binary, Program, Runtime
from .requests import (
    make_binary_request,
    make_build_request,
    make_call_request,
    make_dry_run_request,
    make_idle_request,
    make_pair_requests,
    make_script_request,
)
from .run_request import RunRequest, ServerKey
from .scratch import ScratchFolder
from .server_config import choose_uid, has_landlock, make_server_config
from .server_process import ServerProcess
from .supervisor import supervise

__all__ = [
    "CHECKER",
    "LEAN",
    "NATIVE_CHECKER",
    "Binary",
    "Plan",
    "Program",
    "RunRequest",
    "Runtime",
    "Sandbox",
    "ServerKey",
    "encode_job",
    "make_binary_request",
    "make_build_request",
    "make_call_request",
    "make_dry_run_request",
    "make_pair_requests",
    "make_plan",
    "make_script_request",
    "reopen_memfd",
    "sealed_memfd",
]

_FIRST_UID = 60_000
_IDLE_RUNS = 3
# Servers with a folder that are kept. Profiles are few, but any problem may bring another size of
# folder, and a server's folder has one size; an interaction needs two at a time.
FOLDER_SERVERS = 4


class Sandbox:
    """Fork servers, one per profile and folder size, started when first needed.

    For a single-threaded process (workers are). level, layers: what the newest server has reached.
    cancel_fds: as in ``Supervisor``; then a run raises Interrupted. number: of this process among
    others of the same user; their programs run as different users where there is a choice.
    server_process: of the first server, where it was started before.
    """

    def __init__(
        self,
        plan: Plan,
        cancel_fds: Sequence[tuple[int, int]] = (),
        number: int = 0,
        server_process: ServerProcess | None = None,
    ) -> None:
        self.plan = plan
        self.level = 0
        self.layers: dict[str, str] = {}
        self._idle_usages: dict[Runtime, IdleUsage] = {}
        self._cancel_fds = cancel_fds
        self._server_process = server_process
        self._servers: dict[ServerKey, ForkServer] = {}  # the one used last is the last
        self._folders: dict[ServerKey, ScratchFolder] = {}
        self._uid = _FIRST_UID + number % 5000 if plan.drop_uid else None
        self._empty_input = sealed_memfd(b"")
        kernel.prctl(kernel.PR_SET_CHILD_SUBREAPER, 1)

    def __enter__(self) -> Sandbox:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Kill all servers, and with them everything they run. New ones start when needed."""
        for key in list(self._servers):
            self.drop_server(key)

    def prepare_program(self, source: bytes) -> Program:
        """Hold a program's text ready to be run."""
        return programs.prepare_program(source, self.plan.packages)

    def run(self, request: RunRequest) -> Outcome:
        """Run one child to its end, and close the request.

        A compiler and all it started has ended afterwards. Raises ServerLostError, Interrupted, and
        SandboxUnavailableError where the requested level is not to be had.
        """
        try:
            (outcome,) = self.run_together(request)
            return outcome
        finally:
            if request.mode == protocol.BUILD:
                server = self._servers.get(request.key)
                self.drop_server(request.key)
                reap_strays(server.session_id if server is not None else 0)

    def run_together(self, *requests: RunRequest) -> list[Outcome]:
        """Run children that are joined by pipes, each on a server of its own; the rest as in
        ``run``."""
        children: list[Child] = []
        try:
            self._start_servers(requests)
            for request in requests:
                children.append(self._start_child(self._add_idle_usage(request)))
            for request in requests:
                # Pipe ends held open here would keep a child from seeing that the other has ended.
                request.close()
            supervise(children, self._cancel_fds)
            return [
                self._subtract_idle_usage(request, child.build_outcome())
                for request, child in zip(requests, children, strict=True)
            ]
        except ServerLostError:
            self._drop_servers(requests)
            raise
        finally:
            for child in children:
                child.close()
            for request in requests:
                request.close()

    def run_interaction(
        self, solution: RunRequest, interactor: RunRequest, continue_codes: Collection[int]
    ) -> Interaction:
        """Run two programs, the standard output of each being the standard input of the other.

        continue_codes: exit codes of the interactor after which the solution may run to its end.
        The rest as in ``run``.
        """
        requests = (solution, interactor)
        try:
            self._start_servers(requests)
            interaction = supervise_interaction(
                self._start_child,
                self._add_idle_usage(solution),
                self._add_idle_usage(interactor),
                continue_codes,
                self._cancel_fds,
                world_writable=self._uid is not None,
            )
            return replace(
                interaction,
                solution=self._subtract_idle_usage(solution, interaction.solution),
                interactor=self._subtract_idle_usage(interactor, interaction.interactor),
            )
        except ServerLostError:
            self._drop_servers(requests)
            raise
        finally:
            for request in requests:
                request.close()

    def open_session(self, program: Program, *, call: bool) -> BatchSession:
        """Run several tests of a program in one child if it is plain (batch): inputs of a
        script, or jobs (``encode_job``) of calls. To be closed."""
        key = ServerKey(program.call_profile if call else program.script_profile)
        return BatchSession(
            program,
            call=call,
            start_child=self._start_child,
            cancel_fds=self._cancel_fds,
            discard_server=lambda: self.drop_server(key),
        )

    def _start_child(
        self, request: RunRequest, *, stdin: int = ABSENT, stdout: int = ABSENT
    ) -> Child:
        """stdin, stdout: pipe ends, in place of the memory file of the request and of a pipe that
        is read here."""
        server = self.get_server(request.key)
        process = CompilerTree(server) if request.mode == protocol.BUILD else None
        folder = self._folders.get(request.key)
        if stdin >= 0:
            return Child(
                server, request, stdin=stdin, stdout=stdout, process=process, folder=folder
            )
        given_fd = request.descriptors.stdin
        stdin_fd = reopen_memfd(given_fd if given_fd >= 0 else self._empty_input)
        try:
            return Child(server, request, stdin=stdin_fd, process=process, folder=folder)
        finally:
            os.close(stdin_fd)

    def _add_idle_usage(self, request: RunRequest) -> RunRequest:
        """Return the request with limits for its program and its runtime together."""
        if request.runtime is None:
            return request
        usage = self._measure_idle_usage(request.runtime)
        return replace(request, limits=add_idle_usage(request.limits, usage, request.runtime))

    def _subtract_idle_usage(self, request: RunRequest, outcome: Outcome) -> Outcome:
        """Return the outcome of the program alone."""
        if request.runtime is None:
            return outcome
        usage = self._measure_idle_usage(request.runtime)
        return subtract_idle_usage(outcome, usage, request.runtime)

    def _measure_idle_usage(self, runtime: Runtime) -> IdleUsage:
        """Return what a runtime takes without a program: the least of some runs, measured once."""
        usage = self._idle_usages.get(runtime)
        if usage is None:
            outcomes = [self.run(make_idle_request(runtime)) for _ in range(_IDLE_RUNS)]
            usage = self._idle_usages[runtime] = find_least_usage(outcomes)
        return usage

    def get_server(
        self, key: ServerKey, meanwhile: Callable[[], object] | None = None
    ) -> ForkServer:
        """Return the server of that profile, started if need be, with a folder of as many bytes for
        its programs to write to (0: none). meanwhile: is called while it starts."""
        server = self._servers.pop(key, None)
        if server is None:
            self._evict_folder_servers(key)
            server = self._start_server(key, meanwhile)
        self._servers[key] = server
        if key in self._folders:
            self._folders[key].check_space()
        return server

    def drop_server(self, key: ServerKey) -> None:
        """Kill a server, if it is there; the next use starts a new one."""
        server = self._servers.pop(key, None)
        if server is not None:
            server.close()
        folder = self._folders.pop(key, None)
        if folder is not None:
            folder.remove()

    def _start_servers(self, requests: Sequence[RunRequest]) -> None:
        # All before the first child, whose time would go by while another server starts.
        for request in requests:
            self.get_server(request.key)

    def _drop_servers(self, requests: Sequence[RunRequest]) -> None:
        for request in requests:
            self.drop_server(request.key)

    def _evict_folder_servers(self, key: ServerKey) -> None:
        """Drop the servers that were not used for longest, where one more folder is too many."""
        if not key.folder_bytes:
            return
        folder_keys = [other_key for other_key in self._servers if other_key.folder_bytes]
        while len(folder_keys) >= FOLDER_SERVERS:
            self.drop_server(folder_keys.pop(0))

    def _start_server(self, key: ServerKey, meanwhile: Callable[[], object] | None) -> ForkServer:
        uid = choose_uid(self.plan, key, self._uid)
        if key.folder_bytes:
            self._make_folder(key, uid)
        folder = self._folders.get(key)
        path = folder.path if folder is not None else ""
        try:
            config = make_server_config(self.plan, key, uid, path)
            process, self._server_process = self._server_process, None
            server = start_fork_server(config, meanwhile, process)
            self._require_level(server)
        except BaseException:
            self.drop_server(key)
            raise
        if folder is not None and server.layers["namespaces"] != HELD:
            folder.limit = key.folder_bytes
        self.level, self.layers = server.level, server.layers
        return server

    def _require_level(self, server: ForkServer) -> None:
        """Close the server and raise SandboxUnavailableError where its level is too low."""
        if server.level < self.plan.min_level:
            server.close()
            missing_layers = "; ".join(f"{k}: {v}" for k, v in server.layers.items() if v != HELD)
            raise SandboxUnavailableError(
                f"isolation level {server.level} reached, {self.plan.min_level} asked for "
                f"({missing_layers}). `microcoder-eval doctor` says how to get the missing layers"
            )

    def _make_folder(self, key: ServerKey, uid: int | None) -> None:
        """Make a folder that programs may write to, where they will have no root of their own."""
        if not has_landlock(self.plan):
            raise SandboxUnavailableError("a folder to write to needs Landlock (level 3)")
        if self.layers.get("namespaces") != HELD:
            try:
                self._folders[key] = ScratchFolder(uid)
            except OSError as error:
                raise SandboxError(f"no folder for programs to write to: {error}") from error
