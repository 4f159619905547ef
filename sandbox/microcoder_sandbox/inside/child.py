"""The child: give up everything, then run one program. Imported once, in the fork server.

Everything here runs after the fork, so it touches as little memory as it can: each page
touched is a page copied, and that, not security, is what a test costs.
"""

from __future__ import annotations

import builtins
import fcntl
import gc
import io
import marshal
import os
import sys
from resource import RLIMIT_AS, RLIMIT_CPU, setrlimit

from . import kernel, wire

TYPE_CHECKING = False
if TYPE_CHECKING:
    import mmap
    from collections.abc import Callable
    from types import CodeType
    from typing import Any, NoReturn

    from .landlock import Domain
    from .seccomp import Filter

SETUP_FAILED, COMPILE_FAILED = 97, 96
NORMAL_RECURSION = 1000
FILE_NAME = "solution.py"
WALL_ABOVE_LIMIT = 1 << 30  # address space above the limit: a big thread stack must fit
F_ADD_SEALS, ALL_SEALS = 1033, 0x1 | 0x2 | 0x4 | 0x8
LAST_DESCRIPTOR = 1024  # above RLIMIT_NOFILE of the server

ModuleType = type(sys)


class Request:
    """One child to make: numbers from the driver, descriptors by their meaning."""

    __slots__ = ("cpu_seconds", "descriptors", "memory_bytes", "mode", "traits")

    def __init__(self, message: bytes, received: list[int]) -> None:
        numbers = wire.REQUEST.unpack(message)
        self.mode, bits, self.traits, self.cpu_seconds, self.memory_bytes = numbers
        self.descriptors = [-1] * 8
        for meaning in range(8):
            if bits >> meaning & 1:
                self.descriptors[meaning] = received.pop(0)


class Surroundings:
    """What a child needs and the server prepared before the fork.

    early: a shared page for what happens before the program's first line, out of the program's
    reach by then: else a wrong answer could dress up as a failure of ours. notes: the page for
    what comes after; the program could write there, and would gain nothing. baseline: resident
    peak, in KiB, of a child whose program is empty.
    """

    __slots__ = (
        "address_space",
        "baseline",
        "domain",
        "early",
        "notes",
        "reseed",
        "rlimits",
        "system_calls",
    )

    def __init__(
        self,
        address_space: int,
        domain: Domain | None,
        system_calls: Filter | None,
        early: mmap.mmap,
        notes: mmap.mmap,
        reseed: Callable[[], object] | None,
        rlimits: bool = True,
    ) -> None:
        self.address_space = address_space
        self.domain = domain
        self.system_calls = system_calls
        self.early = early
        self.notes = notes
        self.reseed = reseed
        self.rlimits = rlimits
        self.baseline = 0


def confine(
    request: Request,
    around: Surroundings,
    parent: int,
    arrange: Callable[[list[int]], None] | None = None,
) -> None:
    """Give up for ever what the program does not need, in this order.

    arrange: closes all descriptors but those needed (close_others, if not said otherwise).

    Any failure ends the process with SETUP_FAILED and the step and errno in ``early``: such a
    child never runs the program.
    """
    step = 0
    try:
        place_descriptors(request.descriptors)
        step = 1
        if parent != 1:  # the end of process 1 is the end of its pid namespace, no need to ask
            kernel.die_with(parent_alive=os.getppid() == parent)
        step = 2
        if around.rlimits:
            address_space = around.address_space + request.memory_bytes + WALL_ABOVE_LIMIT
            setrlimit(RLIMIT_AS, (address_space, address_space))
            setrlimit(RLIMIT_CPU, (request.cpu_seconds, request.cpu_seconds + 1))
        step = 3
        if around.domain is not None:
            around.domain.enter()  # before its descriptor is closed
        step = 4
        (arrange or close_others)(request.descriptors)
        step = 5
        if around.system_calls is not None:
            around.system_calls.load(os.getpid())  # last: it forbids undoing the others
    except (OSError, ValueError) as error:  # ValueError: a limit above what we may have
        around.early[wire.STEP] = step
        around.early[wire.ERRNO] = min(getattr(error, "errno", None) or 255, 255)
        os._exit(SETUP_FAILED)


def place_descriptors(given: list[int]) -> None:
    """Standard streams at 0, 1, 2. The others stay where they are: above, as 0 to 2 were taken."""
    os.dup2(given[wire.STDIN], 0)
    os.dup2(given[wire.STDOUT], 1)
    os.dup2(given[wire.STDERR], 2)


def close_others(given: list[int]) -> None:
    """Close everything but the standard streams and what the driver itself still reads."""
    lowest = 3
    for kept in sorted(given[wire.CODE :]):
        if kept >= lowest:
            if kept > lowest:
                os.closerange(lowest, kept)
            lowest = kept + 1
    os.closerange(lowest, LAST_DESCRIPTOR)


def load_program(request: Request, early: mmap.mmap) -> CodeType:
    """Compile, or take the code object an earlier child of the same program compiled.

    The cache is filled and sealed before the program runs, so a program cannot write to it.
    """
    code_fd, cache_fd = request.descriptors[wire.CODE], request.descriptors[wire.CACHE]
    if cache_fd >= 0:
        size = os.fstat(cache_fd).st_size
        if size:
            code: CodeType = marshal.loads(os.pread(cache_fd, size, 0))
            return code
    source = os.pread(code_fd, os.fstat(code_fd).st_size, 0)
    early[wire.PHASE] = wire.COMPILING
    code = kernel.compile_program(source, FILE_NAME)
    early[wire.PHASE] = wire.SETUP  # what fails from here to the first line is our own failure
    if cache_fd >= 0:
        data = marshal.dumps(code)
        if os.pwrite(cache_fd, data, 0) == len(data):
            _seal(cache_fd)
    return code


def _seal(descriptor: int) -> None:
    fcntl.fcntl(descriptor, F_ADD_SEALS, ALL_SEALS)


def program_module(name: str) -> dict[str, Any]:
    """A new module for the program, also registered as __main__ for those who look it up."""
    module = ModuleType(name)
    namespace: dict[str, Any] = module.__dict__
    namespace["__builtins__"] = builtins
    namespace["__file__"] = FILE_NAME
    namespace["__cached__"] = None
    sys.modules["__main__"] = module
    if name != "__main__":
        sys.modules[name] = module
    sys.argv = [FILE_NAME]
    return namespace


def give_arguments(job: dict[str, Any]) -> None:
    """A script's arguments, and files in its folder ({name: bytes as latin-1 text})."""
    sys.argv = [FILE_NAME, *job["argv"]]
    for name, text in job["files"].items():
        with open(name, "wb") as file:
            file.write(text.encode("latin-1"))


def remember_lines(text: str) -> None:
    """Let inspect and traceback find the program's lines: its file is nowhere."""
    import linecache

    linecache.cache[FILE_NAME] = (len(text), None, text.splitlines(True), FILE_NAME)


def standard_streams() -> None:
    """Build sys.stdin, stdout and stderr on descriptors 0, 1, 2, as a cold interpreter does.

    Done in the server, before any fork: nothing is buffered yet, so every child gets them fresh,
    and pays no page for building them. Source: CPython, pylifecycle.c, create_stdio.
    """
    sys.stdin = sys.__stdin__ = _stream(0, "r", "<stdin>")  # type: ignore[misc]
    sys.stdout = sys.__stdout__ = _stream(1, "w", "<stdout>")  # type: ignore[misc]
    sys.stderr = sys.__stderr__ = _stream(2, "w", "<stderr>")  # type: ignore[misc]


def listen() -> None:
    """Build sys.stdin anew, for a pipe: the server's remembers that its own could seek."""
    sys.stdin = sys.__stdin__ = _stream(0, "r", "<stdin>")  # type: ignore[misc]


def _stream(descriptor: int, mode: str, name: str) -> io.TextIOWrapper:
    raw = io.FileIO(descriptor, mode, closefd=False)
    raw.name = name
    buffered = io.BufferedReader(raw, 1 << 16) if mode == "r" else io.BufferedWriter(raw)
    text = io.TextIOWrapper(
        buffered,
        "utf-8",
        errors="backslashreplace" if descriptor == 2 else "surrogateescape",
        newline="\n",
        line_buffering=descriptor == 2,
    )
    text.mode = mode  # type: ignore[misc]
    return text


def start(around: Surroundings) -> None:
    """Last steps in a confined child before the program's first line."""
    if around.reseed is not None:
        around.reseed()
    around.early[wire.PHASE] = wire.RUNNING
    around.early.close()  # for ever: nothing refers to that memory any more
    gc.enable()


def compile_failed(error: BaseException, early: mmap.mmap) -> None:
    """End a child whose program does not compile; the message goes to standard error."""
    early[wire.PHASE] = wire.COMPILE_FAILED
    show(error.with_traceback(None))  # the calls that led there are ours, not the program's
    flush()
    os._exit(COMPILE_FAILED)


def show(error: BaseException) -> None:
    """Print the exception as an interpreter would, through the program's own excepthook."""
    try:
        sys.excepthook(type(error), error, error.__traceback__)
    except BaseException:
        try:
            os.write(2, f"{type(error).__name__}\n".encode())
        except BaseException:
            pass


def flush() -> bool:
    """Flush what a cold interpreter flushes at its end; False when standard output failed."""
    fine = True
    for stream in (sys.stdout, sys.stderr, sys.__stdout__):
        try:
            if stream is not None and not stream.closed:
                stream.flush()
        except BaseException:
            fine = False
    return fine


def exit_status(error: BaseException | None, notes: mmap.mmap) -> int:
    """The exit status an interpreter gives for what escaped the program (sys.exit's rules)."""
    if error is None:
        return 0
    if isinstance(error, SystemExit):
        notes[wire.FLAGS] |= wire.FLAG_EXIT
        code = error.code
        if code is None:
            return 0
        if isinstance(code, int):
            return code & 0xFF
        try:
            print(code, file=sys.stderr)  # noqa: T201 - SystemExit's own words, said for the program
        except BaseException:
            pass
        return 1
    if isinstance(error, MemoryError) or (isinstance(error, OSError) and error.errno == 12):
        notes[wire.FLAGS] |= wire.FLAG_MEMORY
    show(error)
    return 130 if isinstance(error, KeyboardInterrupt) else 1


def finish(
    error: BaseException | None, notes: mmap.mmap, namespace: dict[str, Any], thorough: bool
) -> NoReturn:
    """End as an interpreter ends: join threads, exit handlers, flush, and out (no return).

    thorough: let go of the program's objects too, so that files it left open are flushed and
    its ``__del__`` methods run; only where its text shows that this could matter.
    """
    status = 1
    try:
        if sys.getrecursionlimit() < NORMAL_RECURSION:
            sys.setrecursionlimit(NORMAL_RECURSION)  # an interpreter ends in C and needs none
        status = exit_status(error, notes)
        error = None
        _join_threads(notes)
        atexit = sys.modules.get("atexit")
        if atexit is not None:
            atexit._run_exitfuncs()
        if not flush() and status == 0:
            status = 120
        if thorough:
            namespace.clear()
            gc.collect()
            flush()
        notes[wire.PHASE] = wire.FINISHED
    except MemoryError:
        notes[wire.FLAGS] |= wire.FLAG_MEMORY
        status = 1
    except BaseException:
        status = status or 1
    finally:
        os._exit(status)


def _join_threads(notes: mmap.mmap) -> None:
    threading = sys.modules.get("threading")
    if threading is None:
        return
    threading._shutdown()
    if len(threading._active) > 1:
        notes[wire.FLAGS] |= wire.FLAG_THREADS
