"""Ours until exec, in the child: it becomes a compiled program, or starts a compiler.

Imported in the fork servers of compiled programs, runtimes and compilers.

Source: execve(2), execveat(2), fexecve(3).
"""

from __future__ import annotations

import ctypes
import io
import os
import resource
import signal

from microcoder_sandbox.kernel import policy, syscalls
from microcoder_sandbox.wire import environments, protocol
from microcoder_sandbox.wire.light_record import NoReturn
from microcoder_sandbox.wire.protocol import Descriptors, Request

from . import loading, setup


def execute_program(request: Request, context: setup.ChildContext, parent: int) -> NoReturn:
    """Become the compiled program. Does not return.

    Descriptors of the request: code is the program; file0 to file2 are files for it, which it finds
    at FILE_PATHS. The job holds "argv"; optionally "environment"; optionally "runtime", the path of
    what to start in place of code; and files for the folder (``loading.unpack_job``).
    """
    job = loading.unpack_job(request.descriptors.job)
    if "runtime" in job:  # opened in the child, where its path is the one that it will see
        code_fd = os.open(job["runtime"], os.O_RDONLY)
        request = request._replace(descriptors=request.descriptors._replace(code=code_fd))
    arguments = _make_string_array(job["argv"])
    variables = {**environments.NATIVE, **job.get("environment", {})}
    environment = _make_string_array([f"{name}={value}" for name, value in variables.items()])
    empty_path = ctypes.create_string_buffer(b"")
    for number in (signal.SIGPIPE, signal.SIGXFSZ):
        signal.signal(number, signal.SIG_DFL)  # Python ignores them, and exec would keep that
    steps = setup.plan_confinement(request, context, parent, _arrange_descriptors)
    setup.confine(steps, context.setup_notes)
    context.setup_notes[protocol.PHASE] = protocol.RUNNING
    syscalls.raw_syscall(
        ctypes.c_long(syscalls.NR["execveat"]),
        ctypes.c_long(policy.PROGRAM_DESCRIPTOR),
        empty_path,
        arguments,
        environment,
        ctypes.c_long(policy.EMPTY_PATH),
    )
    context.setup_notes[protocol.PHASE] = protocol.SETUP
    context.setup_notes[protocol.STEP] = protocol.STARTING_PROGRAM
    context.setup_notes[protocol.ERRNO] = min(ctypes.get_errno(), 255)
    os._exit(setup.SETUP_FAILED)


def _arrange_descriptors(descriptors: Descriptors) -> None:
    """Put the program at its number and its files from 3 on, and close everything else."""
    os.dup2(descriptors.code, policy.PROGRAM_DESCRIPTOR, inheritable=False)
    file_fds = (descriptors.file0, descriptors.file1, descriptors.file2)
    # First to the highest numbers, then down, so that no move overwrites another file.
    high_fds = [
        os.dup2(descriptor, policy.DESCRIPTORS - 1 - number)
        for number, descriptor in enumerate(file_fds)
        if descriptor >= 0
    ]
    for number, descriptor in enumerate(high_fds):
        os.dup2(descriptor, protocol.FIRST_FILE + number)
    os.closerange(protocol.FIRST_FILE + len(high_fds), policy.PROGRAM_DESCRIPTOR)
    os.closerange(policy.PROGRAM_DESCRIPTOR + 1, setup.LAST_DESCRIPTOR)
    resource.setrlimit(resource.RLIMIT_NOFILE, (policy.DESCRIPTORS, policy.DESCRIPTORS))


def _make_string_array(texts: list[str]) -> ctypes.Array[ctypes.c_char_p]:
    encoded = [os.fsencode(text) for text in texts]
    return (ctypes.c_char_p * (len(encoded) + 1))(*encoded, None)


def build_program(request: Request, context: setup.ChildContext) -> NoReturn:
    """Write files, run one command, send back the file that it makes. Does not return.

    job: {"command": [path, argument, …], "product": name, "environment": {name: text}} with its
    files (``loading.unpack_job``). Names are relative to the folder that this server was given. A
    product that is a folder is sent as a zip archive. The exit status is the command's.
    """
    job = loading.unpack_job(setup.JOB)
    context.setup_notes[protocol.PHASE] = protocol.RUNNING
    command = job["command"]
    # LC_ALL: messages of compilers have plain quotes.
    environment = {**environments.NATIVE, "LC_ALL": "C", **job["environment"]}
    pid = os.posix_spawn(command[0], command, environment)
    _pid, status = os.waitpid(pid, 0)
    code = os.waitstatus_to_exitcode(status)
    if code == 0:
        product = job["product"]
        if not os.path.exists(product):
            os.write(2, b"error: the compiler made no program\n")
            os._exit(1)
        with (
            _pack_folder(product) if os.path.isdir(product) else open(product, "rb") as product_file
        ):
            while chunk := product_file.read(1 << 20):
                loading.write_all(request.descriptors.result, chunk)
    os._exit(code if code >= 0 else 128 - code)


def _pack_folder(folder: str) -> io.BufferedReader:
    """Return a folder as an uncompressed zip archive, from which a Java machine loads classes."""
    import zipfile

    with zipfile.ZipFile("packed", "w") as archive:
        for parent, _folders, names in os.walk(folder):
            for name in names:
                path = os.path.join(parent, name)
                archive.write(path, os.path.relpath(path, folder))
    return open("packed", "rb")
