"""The end of a program, as an interpreter ends: its exit status, its threads and its streams."""

from __future__ import annotations

import gc
import mmap
import os
import sys
from errno import ENOMEM

from microcoder_sandbox.wire import protocol
from microcoder_sandbox.wire.light_record import Any, NoReturn

Errors = list[BaseException]  # the exception that the program did not catch, if any

COMPILE_FAILED = 96  # the exit status of a child whose program does not compile, or lacks the entry
DEFAULT_RECURSION_LIMIT = 1000


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
    """Flush what an interpreter flushes at its end. Returns False if sys.stdout or sys.stderr
    failed. Of the original standard output, which may be detached, a failure says nothing."""
    succeeded = True
    for name in ("stdout", "stderr", "__stdout__"):
        try:
            stream = getattr(sys, name, None)
            if stream is not None and not stream.closed:
                stream.flush()
        except BaseException:
            if name != "__stdout__":
                succeeded = False
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
            return int.__and__(code, 0xFF) if int.bit_length(code) < 64 else 0xFF
        try:
            print(code, file=sys.stderr)  # noqa: T201 - SystemExit's own words, said for the program
        except BaseException:
            pass
        return 1
    if isinstance(error, MemoryError) or (isinstance(error, OSError) and error.errno == ENOMEM):
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
            # Where an interpreter runs __del__ methods, the program's other names are still there.
            for name in [n for n, value in namespace.items() if hasattr(type(value), "__del__")]:
                del namespace[name]
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
