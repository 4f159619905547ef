"""The sandbox as its users see it: fork servers, and runs on them.

plan = make_plan(packages=("numpy",))            # once, anywhere
with Sandbox(plan) as sandbox:                   # in a single-threaded process
    program = sandbox.prepare_program(b"print(input())")
    outcome = sandbox.run(make_script_request(program, b"hello", limits))
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import replace

from microcoder_sandbox.kernel import syscalls
from microcoder_sandbox.toolchains.toolchain import Runtime
from microcoder_sandbox.wire.protocol import INTERACTIVE

from . import programs
from .child import Child
from .fork_server import ServerProcess
from .idle_usage import IdleUsage, add_idle_usage, find_least_usage, subtract_idle_usage
from .interaction import Interaction, InteractionSupervisor, Relay
from .outcome import Outcome
from .pipes import Pipe
from .plan import Plan
from .programs import Program
from .requests import RunRequest, make_idle_request
from .servers import ForkServers
from .session import BatchSession
from .supervisor import Supervisor

_IDLE_RUNS = 3


class Sandbox(ForkServers):
    """Runs programs on its fork servers, which start when first needed.

    For a single-threaded process (workers are). cancel_fds: see ``Supervisor``; a run that they
    stop raises Interrupted.
    """

    def __init__(
        self,
        plan: Plan,
        cancel_fds: Sequence[tuple[int, int]] = (),
        number: int = 0,
        server_process: ServerProcess | None = None,
    ) -> None:
        super().__init__(plan, number, server_process)
        self._idle_usages: dict[Runtime, IdleUsage] = {}
        self._cancel_fds = cancel_fds
        syscalls.prctl(syscalls.PR_SET_CHILD_SUBREAPER, 1)

    def __enter__(self) -> Sandbox:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

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
        return programs.prepare_program(
            source, imports, self.plan.packages, hash_seed=hash_seed, of_problem=of_problem
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
        with self._start_children(requests) as children:
            Supervisor(children, self._cancel_fds).run()
            return [*map(self._build_outcome, requests, children)]

    def run_interaction(
        self, solution: RunRequest, interactor: RunRequest, continue_codes: Collection[int]
    ) -> Interaction:
        """Run two programs, the standard output of each being the standard input of the other.

        continue_codes: exit codes of the interactor after which the solution may run to its end.
        The rest as in ``run``.
        """
        requests = [
            replace(request, traits=request.traits | INTERACTIVE)
            for request in (solution, interactor)
        ]
        with (
            closing(solution),
            closing(interactor),
            closing(Relay()) as to_interactor,
            closing(Pipe()) as to_solution,
        ):
            if self.has_own_uid:
                to_solution.let_others_open()
            pipe_ends = (
                {"stdin": to_solution.reader},
                {"stdin": to_interactor.reader, "stdout": to_solution.writer},
            )
            with self._start_children(requests, pipe_ends) as children:
                to_interactor.close_reader()
                supervisor = InteractionSupervisor(
                    children, to_interactor, to_solution, continue_codes, self._cancel_fds
                )
                supervisor.run()
                solution_outcome, interactor_outcome = map(self._build_outcome, requests, children)
                return Interaction(
                    solution_outcome, interactor_outcome, supervisor.interactor_ended_first
                )

    @contextmanager
    def _start_children(
        self, requests: Sequence[RunRequest], pipe_ends: Sequence[Mapping[str, int]] = ()
    ) -> Iterator[list[Child]]:
        """Start a child for each request, then close the requests. pipe_ends: the ends that each
        child gets (``start_child``)."""
        children: list[Child] = []
        try:
            # All servers before the first child: its clock would run while another one starts.
            for request in requests:
                self.get_or_start(request.key)
            runs = [self._add_idle_usage(request) for request in requests]
            for request, ends in zip(runs, pipe_ends or [{}] * len(runs), strict=True):
                children.append(self.start_child(request, **ends))
            for request in requests:
                # Pipe ends held open here would keep a child from seeing that the other has ended.
                request.close()
            yield children
        finally:
            for child in children:
                self.end_child(child)
            for request in requests:
                request.close()

    def open_session(self, program: Program, *, call: bool) -> BatchSession:
        """Return a session that runs tests of a plain program in one child. The caller closes it.

        call: each test is an encoded ``CallJob``; otherwise it is a standard input.
        """
        return BatchSession(program, call=call, servers=self, cancel_fds=self._cancel_fds)

    def _add_idle_usage(self, request: RunRequest) -> RunRequest:
        """Return the request with limits for its program and its runtime together."""
        if request.runtime is None:
            return request
        usage = self._measure_idle_usage(request.runtime)
        return replace(request, limits=add_idle_usage(request.limits, usage, request.runtime))

    def _build_outcome(self, request: RunRequest, child: Child) -> Outcome:
        """Return the outcome of the program alone, without its runtime."""
        outcome = child.build_outcome()
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
