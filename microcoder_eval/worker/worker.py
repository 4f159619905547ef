"""Answers the pool's messages in a worker: holds problems, runs programs in the sandbox and decides
verdicts."""

from __future__ import annotations

import gc
import os
import select
import socket
from contextlib import closing, suppress
from dataclasses import replace
from importlib import import_module
from typing import TYPE_CHECKING

from microcoder_eval.compare.arrays import provide_numpy
from microcoder_eval.errors import ComparerError, CompileError, DataError, UnjudgeableError
from microcoder_eval.languages import PYTHON, find_language
from microcoder_sandbox import (
    LEAN,
    Interrupted,
    Outcome,
    Phase,
    RunRequest,
    Sandbox,
    SandboxError,
    ServerKey,
    ServerProcess,
    ServerStartError,
)

from . import channel, messages

if TYPE_CHECKING:
    from .prepared_problem import PreparedProblem

_OBJECTS_BEFORE_COLLECTION = 20_000


def serve(
    connection: socket.socket,
    cancel_fds: list[tuple[int, int]],
    server_process: ServerProcess | None,
) -> None:
    """Answer messages until the caller is gone, or report why this worker ends before.

    server_process: the process of the first fork server. cancel_fds: see ``Sandbox``.
    """
    worker = None
    try:
        worker = Worker(connection, cancel_fds, server_process)
        worker.serve()
    except (channel.PeerGoneError, Interrupted):
        pass  # the caller is gone; the fork servers end with this process
    except Exception as error:
        # This process may be in any state: a fresh one will do the task.
        with suppress(channel.PeerGoneError):
            reason = f"{type(error).__name__}: {error}".rstrip(": ")
            _send(connection, messages.WorkerExiting(reason))
        if not isinstance(error, OSError | MemoryError | SandboxError):
            raise  # a bug of ours: show its traceback
    finally:
        if worker is not None:
            worker.close()


def _import_what_most_solutions_need() -> None:
    for name in ("judging", "kinds.stdin", "kinds.call"):
        import_module(f"{__package__}.{name}")


def _send(connection: socket.socket, message: messages.Message) -> None:
    channel.send(connection, messages.encode(message))


class Worker:
    """Answers the pool's messages, one at a time, in order."""

    def __init__(
        self,
        connection: socket.socket,
        cancel_fds: list[tuple[int, int]],
        server_process: ServerProcess | None,
    ) -> None:
        self._connection = connection
        self._frames = channel.FrameReader(connection)
        self._cancel_fds = cancel_fds
        self._problems: dict[str, PreparedProblem] = {}  # until the pool says ForgetProblem
        self._current_key = ""
        config = messages.decode(self._frames.receive())
        assert isinstance(config, messages.WorkerConfig)
        # Else the affinity would be that of the thread that started us, which may be pinned.
        os.sched_setaffinity(0, config.affinity)
        if server_process is not None:
            os.sched_setaffinity(server_process.pid, config.affinity)
        self._sandbox = Sandbox(config.plan, cancel_fds, config.number, server_process)
        if numpy_folder := config.plan.packages.get("numpy"):
            provide_numpy(numpy_folder)
        self._folders = config.cache_folder, config.prepared_folder

    def serve(self) -> None:
        """Answer messages until the caller is gone."""
        try:
            # While the server starts, import modules; that takes about as long as its start.
            self._sandbox.get_or_start(ServerKey(LEAN), _import_what_most_solutions_need)
        except SandboxError as error:
            _send(self._connection, messages.WorkerUnable(str(error)))
            return
        _send(self._connection, messages.WorkerReady(self._sandbox.level, self._sandbox.layers))
        from .text_programs import WorkerContext

        self._context = WorkerContext(self._sandbox, *self._folders)
        # All objects made so far stay. Freeze them, so that collections do not visit them again for
        # each solution; its syntax tree alone is some hundred objects.
        gc.freeze()
        gc.set_threshold(_OBJECTS_BEFORE_COLLECTION)
        poller = select.poll()
        poller.register(self._connection, select.POLLIN)
        poller.register(self._cancel_fds[0][0], select.POLLIN)
        while True:
            if self._frames.is_empty and self._cancel_fds[0][0] in dict(poller.poll()):
                return
            self._handle_message(messages.decode(self._frames.receive()))

    def close(self) -> None:
        """End the fork servers and remove the folders of their programs."""
        self._sandbox.close()

    def _handle_message(self, message: messages.Message) -> None:
        match message:
            case messages.SolutionRequest() | messages.ProgramRequest():
                _send(self._connection, self._answer(message))
            case messages.HoldProblem(key, problem, extents):
                from .prepared_problem import PreparedProblem, SharedTests

                if extents is not None:
                    tests = SharedTests(self._frames.descriptors.popleft(), extents)
                    problem = replace(problem, tests=tests)
                self._problems[key] = PreparedProblem(problem)
            case messages.ForgetProblem(key):
                self._problems.pop(key).release()
            case _:
                raise TypeError(f"a pool does not send {type(message).__name__}")

    def _answer(self, request: messages.Request) -> messages.Reply:
        try:
            if isinstance(request, messages.SolutionRequest):
                return self._judge_solution(request)
            return self._run_program(request)
        except (Interrupted, ServerStartError):
            raise
        except (ComparerError, DataError, UnjudgeableError) as error:
            reason = str(error)
        except SandboxError as error:
            # ``run`` raises the reason as it is; a result names the class of the error, too.
            is_solution = isinstance(request, messages.SolutionRequest)
            reason = f"{type(error).__name__}: {error}" if is_solution else str(error)
        return messages.FailureReply(reason, self._sandbox.level)

    def _judge_solution(self, request: messages.SolutionRequest) -> messages.SolutionReply:
        key = request.problem_key
        if key != self._current_key and self._current_key in self._problems:
            self._problems[self._current_key].release()
        self._current_key = key
        from .judging import judge_solution

        return judge_solution(self._context, self._problems[key], request)

    def _run_program(self, request: messages.ProgramRequest) -> messages.ProgramReply:
        """Run a program once, for the function ``run``."""
        from .program_files import gather_files
        from .retry import run_with_retries
        from .text_programs import TextProgram, prepare_text_program
        from .verdicts import require_confined

        language = find_language(request.language) or PYTHON
        try:
            if language is PYTHON and not request.files:  # its text may be in any encoding
                script = self._sandbox.prepare_program(request.code)
                program = TextProgram(self._context, language, script)
            else:
                code = request.code.decode("utf-8", "surrogatepass")
                files = gather_files(language, code, files=request.files)
                program = prepare_text_program(self._context, files, language)
        except CompileError as error:
            return messages.ProgramReply(self._sandbox.level, _describe_compile_error(error))

        def make_request() -> RunRequest:
            return program.make_request(request.limits, request.stdin, arguments=request.arguments)

        def conclude(outcome: Outcome) -> messages.ProgramReply:
            outcome = program.adjust_outcome(outcome)
            require_confined(outcome)
            return messages.ProgramReply(self._sandbox.level, outcome)

        with closing(program):
            return run_with_retries(self._sandbox, make_request, conclude)


def _describe_compile_error(error: CompileError) -> Outcome:
    stderr = f"{error}\n".encode("utf-8", "surrogatepass")
    exit_status_1 = 1 << 8
    return Outcome(exit_status_1, None, Phase.COMPILE_FAILED, 0.0, 0.0, 0, b"", stderr, b"")
