"""The child: gives up all rights, then runs one program. The fork server imports it, once.

``plan_confinement`` alone runs before the fork, in the server.

What runs after the fork touches as little memory as it can: each page that it touches is copied,
and that is most of what a test costs.
"""

from __future__ import annotations

import builtins
import ctypes
import fcntl
import gc
import io
import marshal
import mmap
import os
import sys
from collections.abc import Callable, Iterable
from resource import RLIMIT_AS, RLIMIT_CPU, RLIMIT_NOFILE, getrlimit, setrlimit
from types import CodeType

from microcoder_sandbox.kernel import syscalls
from microcoder_sandbox.kernel.seccomp import Filter
from microcoder_sandbox.wire import plain_json, protocol
from microcoder_sandbox.wire.light_record import Any, LightRecord, NoReturn
from microcoder_sandbox.wire.protocol import Descriptors, Request

# Its number (Notes.step), a function, its arguments.
Step = tuple[int, Callable[..., object], tuple[object, ...]]
Errors = list[BaseException]  # the exception that the program did not catch, if any

SETUP_FAILED, COMPILE_FAILED = 97, 96
DEFAULT_RECURSION_LIMIT = 1000
FILE_NAME = "solution.py"
# Address space above the limit: for a large thread stack, or for the libraries of a compiler.
ADDRESS_SPACE_MARGIN = 1 << 30
BUILD_ADDRESS_SPACE_MARGIN = 512 << 20
F_ADD_SEALS, F_GET_SEALS, ALL_SEALS = 1033, 1034, 0x1 | 0x2 | 0x4 | 0x8
_COPIED_BYTES = 1 << 20  # copied at a time
LAST_DESCRIPTOR = 1024  # above RLIMIT_NOFILE of the server
MIN_OPEN_FILES, MAX_OPEN_FILES = 64, 512  # what a server needs, and the most it uses
OPEN_FILES = min(MAX_OPEN_FILES, getrlimit(RLIMIT_NOFILE)[0] % (1 << 64))  # -1: no limit
# Where a child of a batch has its pipes and its arguments: below RLIMIT_NOFILE, and far from the
# first numbers, which programs try.
GO, DONE, ARGUMENTS = range(OPEN_FILES - 32, OPEN_FILES - 29)
_STREAM_NAMES = (("stdin", "__stdin__"), ("stdout", "__stdout__"), ("stderr", "__stderr__"))

_compile = ctypes.pythonapi.Py_CompileStringExFlags
_compile.argtypes = [ctypes.c_char_p, ctypes.c_char_p, ctypes.c_int, ctypes.c_void_p, ctypes.c_int]
_compile.restype = ctypes.py_object
_FILE_INPUT = 257

ModuleType = type(sys)


class ChildContext(LightRecord):
    """What the server prepared before the fork and each child needs.

    address_space: bytes of address space that the interpreter takes.
    domain, system_calls: what enters Landlock and loads the filter, None where that layer is left
        out.
    setup_notes: a shared page that records what happens before the program's first line. It is
        unmapped before that line runs; otherwise a program could pass off a wrong answer as a
        failure of the sandbox.
    run_notes: the shared page for what comes after. A program gains nothing by writing there.
    reseed: seeds the random generators that do not notice a fork.
    rlimits: whether to set limits.
    """

    address_space: int
    domain: syscalls.PreparedCall | None
    system_calls: Filter | None
    setup_notes: mmap.mmap
    run_notes: mmap.mmap
    reseed: Callable[[], object] | None
    rlimits: bool


def plan_confinement(
    request: Request,
    context: ChildContext,
    parent: int,
    arrange_descriptors: Callable[[Descriptors], None] | None = None,
) -> list[Step]:
    """Return the calls by which a child permanently gives up what its program does not need.

    The server makes this list before the fork; a child that made it would copy memory pages.
    arrange_descriptors: closes all others, by default those that the request does not name.
    """
    descriptors = request.descriptors
    steps: list[Step] = [
        # The request's descriptors are above 2, since 0 to 2 are always open.
        (protocol.PLACING_STREAMS, os.dup2, (descriptors.stdin, 0)),
        (protocol.PLACING_STREAMS, os.dup2, (descriptors.stdout, 1)),
        (protocol.PLACING_STREAMS, os.dup2, (descriptors.stderr, 2)),
    ]
    if parent != 1:  # when process 1 ends, the kernel ends its whole pid namespace
        steps.append((protocol.TYING_LIFE, _die_with, (parent,)))
    if context.rlimits:
        margin = (
            BUILD_ADDRESS_SPACE_MARGIN if request.mode == protocol.BUILD else ADDRESS_SPACE_MARGIN
        )
        # Only a backstop: the host's limit decides, by what the host measures.
        address_space = context.address_space + request.memory_bytes + margin
        for resource, limits in (
            (RLIMIT_AS, (address_space, address_space)),
            (RLIMIT_CPU, (request.cpu_seconds, request.cpu_seconds + 1)),
        ):
            steps.append((protocol.SETTING_LIMITS, setrlimit, (resource, limits)))
    if context.domain is not None:
        # Before the descriptor of the ruleset is closed.
        steps.append((protocol.ENTERING_LANDLOCK, context.domain.make, ()))
    if arrange_descriptors is not None:
        steps.append((protocol.CLOSING_FILES, arrange_descriptors, (descriptors,)))
    else:
        steps += _plan_closing(request)
    if context.system_calls is not None:
        # Last: it forbids undoing the others.
        steps.append((protocol.LOADING_FILTER, context.system_calls.load, ()))
    return steps


def _plan_closing(request: Request) -> list[Step]:
    """Return the calls that close all but the standard streams and what the request names."""
    descriptors = request.descriptors
    open_descriptors = [descriptor for descriptor in descriptors[3:] if descriptor >= 0]
    steps: list[Step] = []
    if request.traits & protocol.BATCHED:
        for descriptor, number in (
            (descriptors.go, GO),
            (descriptors.done, DONE),
            (descriptors.job, ARGUMENTS),
        ):
            if descriptor >= 0:
                steps.append((protocol.CLOSING_FILES, os.dup2, (descriptor, number)))
                open_descriptors.remove(descriptor)
                open_descriptors.append(number)
    open_descriptors.sort()
    lowest = 3
    for descriptor in (*open_descriptors, LAST_DESCRIPTOR):
        if descriptor > lowest:
            steps.append((protocol.CLOSING_FILES, os.closerange, (lowest, descriptor)))
        lowest = descriptor + 1
    return steps


def _die_with(parent: int) -> None:
    syscalls.die_with_parent(parent_alive=os.getppid() == parent)


def confine(steps: Iterable[Step], setup_notes: mmap.mmap) -> None:
    """Take the steps of ``plan_confinement``, in the child.

    A failure ends the process with SETUP_FAILED, and the step and errno in ``setup_notes``: such a
    child never runs the program.
    """
    try:
        for step in steps:
            _number, function, arguments = step
            function(*arguments)
    except (OSError, ValueError) as error:  # ValueError: a limit above the hard one
        setup_notes[protocol.STEP] = step[0]
        setup_notes[protocol.ERRNO] = min(getattr(error, "errno", None) or 255, 255)
        os._exit(SETUP_FAILED)


def compile_program(source: bytes, name: str) -> CodeType:
    """Return the result of ``compile(source, name, "exec", dont_inherit=True)``, 0.9 ms sooner.

    The built-in function checks whether its argument is a syntax tree; for that it makes some
    hundred types in every child that compiles. The C function does not check.
    """
    if b"\x00" in source:
        raise SyntaxError("source code string cannot contain null bytes")
    code: CodeType = _compile(source, os.fsencode(name), _FILE_INPUT, None, -1)
    return code


def load_program(request: Request, setup_notes: mmap.mmap) -> CodeType:
    """Return the program's code object: compiled here, or by an earlier child of the same program.

    The cache is sealed before the program runs, so that a program cannot write to it. A cache
    without seals is incomplete: its writer was killed, or the code is larger than a file may be.
    """
    code_fd, cache_fd = request.descriptors.code, request.descriptors.cache
    if cache_fd >= 0 and fcntl.fcntl(cache_fd, F_GET_SEALS) == ALL_SEALS:
        code: CodeType = marshal.loads(os.pread(cache_fd, os.fstat(cache_fd).st_size, 0))
        return code
    source = os.pread(code_fd, os.fstat(code_fd).st_size, 0)
    setup_notes[protocol.PHASE] = protocol.COMPILING
    code = compile_program(source, FILE_NAME)
    # A failure between here and the program's first line is the judge's.
    setup_notes[protocol.PHASE] = protocol.SETUP
    if cache_fd >= 0 and _keeps_orders(code):
        data = marshal.dumps(code)
        if os.pwrite(cache_fd, data, 0) == len(data):
            fcntl.fcntl(cache_fd, F_ADD_SEALS, ALL_SEALS)
    return code


def _keeps_orders(code: CodeType) -> bool:
    """Return whether every set among the constants keeps its order of iteration through marshal.

    Marshal sorts the members. ``for x in {8, 0, 24}`` iterates over such a constant.
    """
    pending = [code]
    for part in pending:
        for constant in part.co_consts:
            if type(constant) is type(code):
                pending.append(constant)
            elif type(constant) is frozenset and _changes_order(constant):
                return False
    return True


def _changes_order(members: frozenset[Any]) -> bool:
    return list(marshal.loads(marshal.dumps(members))) != list(members)


def create_program_module(name: str) -> dict[str, Any]:
    """Return the namespace of a new module for the program, which is also registered as
    __main__."""
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


def unpack_job(descriptor: int) -> dict[str, Any]:
    """Return the job in a file, write the job's files to the current folder, and close it.

    The file holds a line of JSON, of which ``files`` is {name: size}, then the contents of these
    files, which may be larger than the program's memory.
    """
    with open(descriptor, "rb") as job_file:
        job_file.seek(0)
        job: dict[str, Any] = plain_json.loads(job_file.readline().decode().rstrip())
        for name, size in job["files"].items():
            if "/" in name:
                os.makedirs(os.path.dirname(name), exist_ok=True)
            with open(name, "wb") as file:
                while size:
                    size -= file.write(job_file.read(min(size, _COPIED_BYTES)))
    return job


def cache_source_lines(text: str) -> None:
    """Let inspect and traceback find the program's lines, which are in no file."""
    import linecache

    linecache.cache[FILE_NAME] = (len(text), None, text.splitlines(True), FILE_NAME)


def open_stream(number: int) -> None:
    """Build sys.stdin, stdout or stderr on descriptor 0, 1 or 2, as a new interpreter does.

    The server does it before any fork: each child has streams with empty buffers, and needs no
    pages to build them. Source: CPython, pylifecycle.c, create_stdio.
    """
    name, original_name = _STREAM_NAMES[number]
    raw = io.FileIO(number, "w" if number else "r", closefd=False)
    raw.name = f"<{name}>"
    buffered = io.BufferedWriter(raw) if number else io.BufferedReader(raw, 1 << 16)
    text = io.TextIOWrapper(
        buffered,
        "utf-8",
        errors="backslashreplace" if number == 2 else "surrogateescape",
        newline="\n",
        line_buffering=number == 2,
    )
    text.mode = "w" if number else "r"  # type: ignore[misc]
    setattr(sys, name, text)
    setattr(sys, original_name, text)


def finish_setup(context: ChildContext) -> None:
    """Take the last steps before the program's first line, in a confined child."""
    if context.reseed is not None:
        context.reseed()
    context.setup_notes[protocol.PHASE] = protocol.RUNNING
    context.setup_notes.close()  # unmapped for ever: nothing else refers to that memory
    gc.enable()


def exit_after_compile_error(error: BaseException, setup_notes: mmap.mmap) -> NoReturn:
    """End a child whose program does not compile; the message goes to standard error."""
    setup_notes[protocol.PHASE] = protocol.COMPILE_FAILED
    print_error(error.with_traceback(None))  # the traceback shows our calls, not the program's
    flush_streams()
    os._exit(COMPILE_FAILED)


def print_error(error: BaseException) -> None:
    """Print the exception as an interpreter does, through the program's own excepthook."""
    try:
        sys.excepthook(type(error), error, error.__traceback__)
    except BaseException:
        try:
            os.write(2, f"{type(error).__name__}\n".encode())
        except BaseException:
            pass


def flush_streams() -> bool:
    """Flush what an interpreter flushes at its end. Returns False if a stream in use failed."""
    succeeded = True
    for name in ("stdout", "stderr", "__stdout__"):
        try:
            stream = getattr(sys, name, None)  # a program may have deleted it
            if stream is not None and not stream.closed:
                stream.flush()
        except BaseException:
            # The program may have detached its original output, to use the buffer in another way.
            succeeded &= name == "__stdout__"
    return succeeded


def compute_exit_status(error: BaseException | None, notes: mmap.mmap) -> int:
    """Return the exit status that an interpreter gives for an exception (by the rules of
    sys.exit)."""
    if error is None:
        return 0
    if isinstance(error, SystemExit):
        notes[protocol.FLAGS] |= protocol.FLAG_EXIT
        code = error.code
        if code is None:
            return 0
        if isinstance(code, int):
            return int.__and__(code, 0xFF)
        try:
            print(code, file=sys.stderr)  # noqa: T201 - SystemExit's own words, said for the program
        except BaseException:
            pass
        return 1
    if isinstance(error, MemoryError) or (isinstance(error, OSError) and error.errno == 12):
        notes[protocol.FLAGS] |= protocol.FLAG_MEMORY
    print_error(error)
    return 130 if isinstance(error, KeyboardInterrupt) else 1


def exit_process(
    errors: Errors, notes: mmap.mmap, namespace: dict[str, Any], run_finalizers: bool
) -> NoReturn:
    """End as an interpreter ends. Does not return."""
    os._exit(shut_down(errors, notes, namespace, run_finalizers))


def shut_down(
    errors: Errors, notes: mmap.mmap, namespace: dict[str, Any], run_finalizers: bool
) -> int:
    """Do what an interpreter does at its end: join threads, run exit handlers, flush.

    Returns the exit status. Empties ``errors``, so that the exception does not live on.
    run_finalizers: delete the program's objects too, so that files it left open are flushed and its
    ``__del__`` methods run; only where its text shows that this could matter.
    """
    status = 1
    try:
        if sys.getrecursionlimit() < DEFAULT_RECURSION_LIMIT:
            # What an interpreter does at its end is in C, and needs no Python frames.
            sys.setrecursionlimit(DEFAULT_RECURSION_LIMIT)
        status = compute_exit_status(errors.pop() if errors else None, notes)
        _join_threads(notes)
        atexit = sys.modules.get("atexit")
        if atexit is not None:
            atexit._run_exitfuncs()
        if not flush_streams() and status == 0:
            status = 120
        if run_finalizers:
            namespace.clear()
            gc.collect()
            flush_streams()
        notes[protocol.PHASE] = protocol.FINISHED
    except MemoryError:
        notes[protocol.FLAGS] |= protocol.FLAG_MEMORY
        status = 1
    except BaseException:
        status = status or 1
    return status


def _join_threads(notes: mmap.mmap) -> None:
    threading = sys.modules.get("threading")
    if threading is None:
        return
    threading._shutdown()
    if len(threading._active) > 1:
        notes[protocol.FLAGS] |= protocol.FLAG_THREADS
