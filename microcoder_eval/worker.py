"""A judge worker: one process, one thread, one core. Holds expected outputs, feeds inputs to
caged programs, compares, decides.

Started fresh (exec, never fork) by the pool; ends when its caller does, whatever way that
happens: it watches the caller's pidfd, because a fork of the caller may hold the socket open.
"""

from __future__ import annotations

import os
import resource
import select
import signal
import socket
import sys
import time
from collections import OrderedDict
from typing import Any

from microcoder_sandbox import cage as cages
from microcoder_sandbox.client import Interrupted
from microcoder_sandbox.outcome import (
    CageError,
    CageUnavailableError,
    Outcome,
    Phase,
    ResourceLimits,
    ServerStartError,
)

from . import frames
from .attempts import persistently
from .binaries import CompileError
from .checkers import Checkers
from .errors import ComparerError, DataError, UnjudgeableError
from .judging import Habits, PreparedProblem, judge_solution
from .languages import PYTHON, Language, find_language
from .verdicts import require_confined


def main() -> None:
    """Entry point of the worker process: argv holds the socket's descriptor and caller's pid."""
    connection = socket.socket(fileno=int(sys.argv[1]))
    connection.set_inheritable(False)  # verdicts leave by it: no fork server has any use for it
    caller = int(sys.argv[2])
    forget_inherited_habits()
    try:
        caller_pidfd = os.pidfd_open(caller)
    except ProcessLookupError:
        return
    gone = [(caller_pidfd, select.POLLIN), (connection.fileno(), 0)]
    try:
        Worker(connection, gone).serve()
    except (frames.PeerGoneError, Interrupted):
        pass  # nobody is left to tell; the cage's servers die with this process
    except Exception as error:
        # Nothing that this process holds can be relied on now: a fresh one will do the task.
        say_why(connection, error)
        if not isinstance(error, OSError | MemoryError | CageError):
            raise  # a mistake of ours: its traceback is wanted


def say_why(connection: socket.socket, error: Exception) -> None:
    """Tell the caller what this worker ends of."""
    try:
        frames.send(connection, ("failed", f"{type(error).__name__}: {error}".rstrip(": ")))
    except frames.PeerGoneError:
        pass


def forget_inherited_habits() -> None:
    """A caller's blocked signals, ignored signals, umask, affinity and soft limits are not ours."""
    os.umask(0o022)
    signal.pthread_sigmask(signal.SIG_SETMASK, [])
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the caller, who closes us
    for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGCHLD):
        signal.signal(number, signal.SIG_DFL)
    signal.signal(signal.SIGPIPE, signal.SIG_IGN)
    sys.set_int_max_str_digits(4300)
    for kind in (resource.RLIMIT_FSIZE, resource.RLIMIT_NOFILE):  # memory files count, too
        _soft, hard = resource.getrlimit(kind)
        resource.setrlimit(kind, (hard, hard))


class Worker:
    """Answers the pool's messages, one at a time, in order."""

    def __init__(self, connection: socket.socket, gone: list[tuple[int, int]]) -> None:
        self._connection = connection
        self._gone = gone
        self._problems: OrderedDict[str, PreparedProblem] = OrderedDict()
        self._current = ""
        config = frames.receive(connection)
        # Not the affinity of the thread that happened to start us, which may be pinned.
        os.sched_setaffinity(0, config["affinity"])
        self._habits = Habits(
            stop_early=config["stop"] == "first_failure",
            batch=config["isolation"] == "batch",
            adaptive=config["adaptive"],
        )
        plan = cages.Plan(**config["plan"])
        self._cage = cages.Cage(plan, gone, config["number"])
        self._kit = Checkers(self._cage, config["cache"])

    def serve(self) -> None:
        """Until the caller goes away."""
        try:
            self._cage.server((cages.LEAN, 0))
        except CageError as error:
            frames.send(self._connection, ("cannot", str(error)))
            return
        frames.send(self._connection, ("ready", self._cage.level, self._cage.layers))
        poller = select.poll()
        poller.register(self._connection, select.POLLIN)
        poller.register(self._gone[0][0], select.POLLIN)
        while True:
            events = dict(poller.poll())
            if self._gone[0][0] in events:
                return
            verb, *rest = frames.receive(self._connection)
            getattr(self, f"on_{verb}")(*rest)

    def on_problem(self, key: str, payload: dict[str, Any]) -> None:
        """Hold a problem; the pool tells when to let go of it."""
        self._problems[key] = PreparedProblem(payload)

    def on_forget(self, key: str) -> None:
        """Let go of a problem."""
        self._problems.pop(key).release()

    def on_judge(self, key: str, message: dict[str, Any]) -> None:
        """Judge one solution and send what came of it."""
        if key != self._current and self._current in self._problems:
            self._problems[self._current].release()
        self._current = key
        try:
            found = judge_solution(self._kit, self._problems[key], message, self._habits)
        except (Interrupted, ServerStartError):
            raise
        except (ComparerError, DataError, UnjudgeableError) as error:
            found = {"error": str(error)}
        except CageError as error:
            found = {"error": f"{type(error).__name__}: {error}"}
        found["level"] = self._cage.level
        frames.send(self._connection, ("judged", found))

    def on_run(self, message: dict[str, Any]) -> None:
        """Just execute a program (the ``run`` function of the API)."""
        limits = ResourceLimits(*message["limits"])
        try:
            outcome = self._run(message, limits)
        except (Interrupted, ServerStartError):
            raise
        except CageError as error:
            frames.send(self._connection, ("judged", {"error": str(error)}))
            return
        fields = {name: getattr(outcome, name) for name in outcome.__slots__}
        fields.update(killed=outcome.killed and str(outcome.killed), phase=str(outcome.phase))
        frames.send(self._connection, ("judged", {"outcome": fields, "level": self._cage.level}))

    def _run(self, message: dict[str, Any], limits: ResourceLimits) -> Outcome:
        language = find_language(message["language"]) or PYTHON
        if language.compiled:
            return self._run_compiled(language, message, limits)
        program = self._cage.program(message["code"])

        def run() -> Outcome:
            return self._cage.run_script(
                program, message["stdin"], limits, folder_bytes=message["folder_bytes"]
            )

        try:
            return persistently(self._cage, run, _confined)
        finally:
            program.close()

    def _run_compiled(
        self, language: Language, message: dict[str, Any], limits: ResourceLimits
    ) -> Outcome:
        source = message["code"].decode("utf-8", "surrogatepass")
        try:
            binary = self._kit.binaries.get(source, language)
        except CompileError as error:
            words = f"{error}\n".encode("utf-8", "surrogatepass")
            exited_with_1 = 1 << 8
            return Outcome(exited_with_1, None, Phase.COMPILE_FAILED, 0.0, 0.0, 0, b"", words, b"")

        def run() -> Outcome:
            folder = message["folder_bytes"]
            return self._cage.run_binary(binary, (), message["stdin"], limits, folder_bytes=folder)

        return persistently(self._cage, run, _confined)


def _confined(outcome: Outcome) -> Outcome:
    require_confined(outcome)
    return outcome


if __name__ == "__main__":
    try:
        main()
    except CageUnavailableError as error:
        sys.stderr.write(f"microcoder worker: {error}\n")
    time.sleep(0)
