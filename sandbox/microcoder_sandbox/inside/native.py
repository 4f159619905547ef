"""What a child does that runs no Python of its program's: start a compiled program, or have a
compiler make one. Imported in the fork servers of those two flavours.

Source: execve(2), execveat(2), fexecve(3).
"""

from __future__ import annotations

import ctypes
import json
import os
import resource
import signal

from . import child, kernel, policy, wire

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, BinaryIO

_NR_EXECVEAT = 322 if kernel.MACHINE == "x86_64" else 281
_FAILED_TO_START = 6  # the step after those of child.confine
_FIRST_FILE = 3
_FILE_PATHS = tuple(f"/proc/self/fd/{_FIRST_FILE + number}" for number in range(3))
_ENVIRONMENT = {"PATH": "/usr/bin:/bin", "LANG": "C.UTF-8", "HOME": "/", "TMPDIR": "."}


def _job(descriptor: int) -> dict[str, Any]:
    text = os.pread(descriptor, os.fstat(descriptor).st_size, 0)
    os.close(descriptor)
    job: dict[str, Any] = json.loads(text)
    return job


def execute(request: child.Request, around: child.Surroundings, parent: int) -> None:
    """Become the compiled program (no return).

    CODE: the program. ARGS: {"argv": [text, …]}, or with the path of a "host" that is to be
    started in its place. CACHE, RESULT, PEER: files for it, at
    descriptors 3, 4, 5; {0}, {1}, {2} in an argument stand for their paths.
    """
    job = _job(request.descriptors[wire.ARGS])
    if "host" in job:  # opened here, where its path is what it will find itself under
        request.descriptors[wire.CODE] = os.open(job["host"], os.O_RDONLY)
    arguments = _vector([argument.format(*_FILE_PATHS) for argument in job["argv"]])
    variables = {**_ENVIRONMENT, **job.get("environment", {})}
    environment = _vector([f"{name}={value}" for name, value in variables.items()])
    empty = ctypes.create_string_buffer(b"")
    for number in (signal.SIGPIPE, signal.SIGXFSZ):
        signal.signal(number, signal.SIG_DFL)  # Python ignores them, and exec would pass it on
    child.confine(request, around, parent, arrange=_arrange)
    around.early[wire.PHASE] = wire.RUNNING
    kernel._syscall(
        ctypes.c_long(_NR_EXECVEAT),
        ctypes.c_long(policy.PROGRAM_DESCRIPTOR),
        empty,
        arguments,
        environment,
        ctypes.c_long(policy.EMPTY_PATH),
    )
    around.early[wire.PHASE] = wire.SETUP
    around.early[wire.STEP] = _FAILED_TO_START
    around.early[wire.ERRNO] = min(ctypes.get_errno(), 255)
    os._exit(child.SETUP_FAILED)


def _arrange(given: list[int]) -> None:
    """The program at its number, its files from 3 on, and nothing else."""
    os.dup2(given[wire.CODE], policy.PROGRAM_DESCRIPTOR, inheritable=False)
    files = [given[meaning] for meaning in (wire.CACHE, wire.RESULT, wire.PEER)]
    # To the top first, then down: no step overwrites a file that is still to be moved.
    moved = [
        os.dup2(descriptor, policy.DESCRIPTORS - 1 - number)
        for number, descriptor in enumerate(files)
        if descriptor >= 0
    ]
    for number, descriptor in enumerate(moved):
        os.dup2(descriptor, _FIRST_FILE + number)
    os.closerange(_FIRST_FILE + len(moved), policy.PROGRAM_DESCRIPTOR)
    os.closerange(policy.PROGRAM_DESCRIPTOR + 1, child.LAST_DESCRIPTOR)
    resource.setrlimit(resource.RLIMIT_NOFILE, (policy.DESCRIPTORS, policy.DESCRIPTORS))


def _vector(texts: list[str]) -> ctypes.Array[ctypes.c_char_p]:
    encoded = [os.fsencode(text) for text in texts]
    return (ctypes.c_char_p * (len(encoded) + 1))(*encoded, None)


def build(request: child.Request, around: child.Surroundings) -> None:
    """Write files, run one command, send back the file it made (no return).

    ARGS: {"files": {name: text}, "command": [path, argument, …], "product": name,
    "environment": {name: text}}. Names are relative to the folder this server was given. A
    product that is a folder is sent as a zip archive. The exit status is the command's.
    """
    job = _job(request.descriptors[wire.ARGS])
    for name, text in job["files"].items():
        with open(name, "w", encoding="utf-8", errors="surrogateescape") as file:
            file.write(text)
    around.early[wire.PHASE] = wire.RUNNING
    command = job["command"]
    environment = {**_ENVIRONMENT, "LC_ALL": "C.UTF-8", **job["environment"]}
    pid = os.posix_spawn(command[0], command, environment)
    _pid, status = os.waitpid(pid, 0)
    code = os.waitstatus_to_exitcode(status)
    if code == 0:
        product = job["product"]
        if not os.path.exists(product):
            os.write(2, b"error: the compiler made no program\n")
            os._exit(1)
        with _packed(product) if os.path.isdir(product) else open(product, "rb") as made:
            while chunk := made.read(1 << 20):
                view = memoryview(chunk)
                while view:
                    view = view[os.write(request.descriptors[wire.RESULT], view) :]
    os._exit(code if code >= 0 else 128 - code)


def _packed(folder: str) -> BinaryIO:
    """A folder as a zip archive, not compressed: what a Java machine loads classes from."""
    import zipfile

    with zipfile.ZipFile("packed", "w") as archive:
        for where, _folders, names in os.walk(folder):
            for name in names:
                path = os.path.join(where, name)
                archive.write(path, os.path.relpath(path, folder))
    return open("packed", "rb")
