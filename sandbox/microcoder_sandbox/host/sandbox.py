"""The sandbox as its users see it: fork servers, and runs on them.

plan = make_plan(packages=("numpy",))            # once, anywhere
with Sandbox(plan) as sandbox:                   # in a single-threaded process
    program = sandbox.prepare_program(b"print(input())")
    outcome = sandbox.run(make_script_request(program, b"hello", limits))
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace

from microcoder_sandbox.kernel import syscalls
from microcoder_sandbox.toolchains.runtimes import Runtime

from . import programs
from .child import Child
from .fork_server import ServerProcess
from .idle_usage import IdleUsage, add_idle_usage, find_least_usage, subtract_idle_usage
from .interaction import Interaction, supervise_interaction
from .outcome import Outcome
from .plan import Plan
from .programs import Program
from .requests import RunRequest, make_idle_request
from .servers import ForkServers
from .session import BatchSession
from .supervisor import Supervisor

_IDLE_RUNS = 3


class Sandbox:
    """Runs programs on fork servers, which start when first needed.

    For a single-threaded process (workers are). cancel_fds: see ``Supervisor``; a run that they
    stop raises Interrupted. number, server_process: see ``ForkServers``.
    """

    def __init__(
        self,
        plan: Plan,
        cancel_fds: Sequence[tuple[int, int]] = (),
        number: int = 0,
        server_process: ServerProcess | None = None,
    ) -> None:
        self.servers = ForkServers(plan, number, server_process)
        self._idle_usages: dict[Runtime, IdleUsage] = {}
        self._cancel_fds = cancel_fds
        syscalls.prctl(syscalls.PR_SET_CHILD_SUBREAPER, 1)

    @property
    def level(self) -> int:
        """The isolation level that the newest server has reached; 0 before the first."""
        return self.servers.level

    @property
    def layers(self) -> dict[str, str]:
        """The state of each layer of the newest server."""
        return self.servers.layers

    def __enter__(self) -> Sandbox:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Kill all servers, and with them everything they run. New ones start when needed."""
        self.servers.close()

    def prepare_program(
        self,
        source: bytes,
        imports: set[bytes] | None = None,
        *,
        hash_seed: int = 0,
        of_problem: bool = False,
    ) -> Program:
        """Hold a program's text ready to be run. imports: the top-level modules that it needs, by
        default those that its import lines name. hash_seed, of_problem: see ``Program``."""
        packages = self.servers.plan.packages
        return programs.prepare_program(
            source, imports, packages, hash_seed=hash_seed, of_problem=of_problem
        )

    def run(self, request: RunRequest) -> Outcome:
        """Run one child to its end, and close the request.

        A compiler and all it started has ended afterwards. Raises ServerLostError, Interrupted, and
        SandboxUnavailableError if this machine does not offer the requested level.
        """
        (outcome,) = self.run_together(request)
        return outcome

    def run_together(self, *requests: RunRequest) -> list[Outcome]:
        """Run children that are joined by pipes, each on a server of its own; the rest as in
        ``run``."""
        children: list[Child] = []
        try:
            self._start_servers(requests)
            for request in requests:
                children.append(self.servers.start_child(self._add_idle_usage(request)))
            for request in requests:
                # Pipe ends held open here would keep a child from seeing that the other has ended.
                request.close()
            Supervisor(children, self._cancel_fds).run()
            return [
                self._subtract_idle_usage(request, child.build_outcome())
                for request, child in zip(requests, children, strict=True)
            ]
        finally:
            for child in children:
                self.servers.end_child(child)
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
                self.servers,
                self._add_idle_usage(solution),
                self._add_idle_usage(interactor),
                continue_codes,
                self._cancel_fds,
            )
            return replace(
                interaction,
                solution=self._subtract_idle_usage(solution, interaction.solution),
                interactor=self._subtract_idle_usage(interactor, interaction.interactor),
            )
        finally:
            for request in requests:
                request.close()

    def open_session(self, program: Program, *, call: bool) -> BatchSession:
        """Return a session that runs tests of a plain program in one child. The caller closes it.

        call: each test is a job of a call (``encode_job``); otherwise it is a standard input.
        """
        return BatchSession(program, call=call, servers=self.servers, cancel_fds=self._cancel_fds)

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

    def _start_servers(self, requests: Sequence[RunRequest]) -> None:
        # Start all servers before the first child; its clock would run while another one starts.
        for request in requests:
            self.servers.get_or_start(request.key)
