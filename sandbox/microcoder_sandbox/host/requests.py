"""What can be run in the sandbox: a RunRequest for each kind of run."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from microcoder_sandbox.toolchains.toolchain import Runtime, require_toolchain
from microcoder_sandbox.wire import protocol
from microcoder_sandbox.wire.light_record import LightRecord
from microcoder_sandbox.wire.protocol import Descriptors
from microcoder_sandbox.wire.runner_messages import RunnerJob

from .fork_server import STACK_BYTES
from .idle_usage import IDLE_LIMITS
from .memory_files import close_on_error, make_sealed_memfd, reopen_memfd
from .outcome import ResourceLimits
from .profiles import COMPILER, NATIVE, RUNTIME, STANDARD, TESTS
from .programs import Binary, Program

# Address space for the threads of compiled programs: the C library reserves as much for each as
# the main thread's stack may grow to. It is not memory, whose peak decides.
_THREAD_STACKS = 16 * STACK_BYTES
_BUILD_FOLDER_BYTES = 256 << 20
_IDLE_HEAP_MIB = 64


class ServerKey(LightRecord):
    """Which fork server.

    toolchain: the one that a COMPILER or a RUNTIME is of, else "".
    folder_bytes: how much its programs may write to a folder.
    hash_seed: the seed of their hashes.
    prepared: a folder that they may read as well, or "".
    of_problem: it runs a problem's own programs, and never solutions.
    """

    profile: str
    toolchain: str = ""
    folder_bytes: int = 0
    hash_seed: int = 0
    prepared: str = ""
    of_problem: bool = False


@dataclass(slots=True)
class RunRequest:
    """A run to be made. Its owner runs it once, or closes it.

    mode, traits: constants of protocol.py.
    descriptors: those of the child; without a standard input, its input is empty.
    runtime: what runs the program; its own share comes on top of ``limits``.
    owned_fds: descriptors to close after the run.
    """

    key: ServerKey
    mode: int
    descriptors: Descriptors
    limits: ResourceLimits
    traits: int = 0
    runtime: Runtime | None = None
    owned_fds: list[int] = field(default_factory=list)

    def close(self) -> None:
        """Close the descriptors that it owns."""
        while self.owned_fds:
            os.close(self.owned_fds.pop())


def make_script_request(
    program: Program,
    stdin: bytes | int,
    limits: ResourceLimits,
    *,
    arguments: Sequence[str] = (),
    files: Mapping[str, bytes] | None = None,
    feedback: int = 0,
) -> RunRequest:
    """Return the request that runs a program as a script.

    stdin: bytes, or the descriptor of a memory file.
    files: what the program finds in its working folder.
    feedback: HAS_FEEDBACK or REPORTS_FOLDER of the protocol: ``result`` of the outcome holds files
    that it leaves in that folder (``protocol.decode_files``).
    """
    with close_on_error() as owned_fds:
        stdin_fd = _provide_file(stdin, owned_fds)
        job_fd = protocol.ABSENT
        if arguments or files:
            job_fd = _seal_job({"argv": list(arguments)}, files)
            owned_fds.append(job_fd)
    return RunRequest(
        _make_key(program, program.script_profile, limits.folder_bytes),
        protocol.SCRIPT,
        Descriptors(stdin_fd, code=program.code_fd, cache=program.cache_fd, job=job_fd),
        limits,
        program.traits | feedback,
        owned_fds=owned_fds,
    )


def make_call_request(program: Program, job: bytes | int, limits: ResourceLimits) -> RunRequest:
    """Return the request that defines a program's names and calls one function. job: an encoded
    ``CallJob``, or the descriptor of a memory file that holds it."""
    owned_fds: list[int] = []
    job_fd = _provide_file(job, owned_fds)
    return RunRequest(
        _make_key(program, program.call_profile, limits.folder_bytes),
        protocol.CALL,
        Descriptors(code=program.code_fd, cache=program.cache_fd, job=job_fd),
        limits,
        program.traits,
        owned_fds=owned_fds,
    )


def _make_key(program: Program, profile: str, folder_bytes: int = 0) -> ServerKey:
    """Return the server for a program of this profile; a problem's own programs share one."""
    return ServerKey(
        STANDARD if program.of_problem else profile,
        folder_bytes=folder_bytes,
        hash_seed=program.hash_seed,
        of_problem=program.of_problem,
    )


def make_binary_request(
    binary: Binary,
    stdin: bytes | int,
    limits: ResourceLimits,
    *,
    arguments: Sequence[str] = (),
    files: Mapping[str, bytes] | None = None,
    feedback: int = 0,
    memory_files: Sequence[bytes] = (),
    of_problem: bool = False,
) -> RunRequest:
    """Return the request that runs a compiled program; see ``make_script_request``, and
    ``ServerKey`` for of_problem.

    memory_files: up to three files, which it finds at ``protocol.FILE_PATHS``. A program that needs
    a runtime is a file itself: it has up to two others.
    Raises SandboxUnavailableError where there is no such runtime.
    """
    runtime = binary.runtime
    if runtime is None:
        profile, toolchain, code_fd = NATIVE, "", binary.descriptor
        job: dict[str, Any] = {"argv": ["program", *arguments]}
        limits = replace(limits, address_bytes=limits.address_bytes + _THREAD_STACKS)
    else:
        profile, toolchain, code_fd = RUNTIME, runtime.toolchain, protocol.ABSENT
        own_arguments = (*runtime.arguments, *binary.extra_arguments)
        job = _make_runtime_job(
            runtime, own_arguments, limits.memory_bytes >> 20, len(memory_files)
        )
        job["argv"] += arguments
    with close_on_error() as owned_fds:
        for data in memory_files:
            owned_fds.append(make_sealed_memfd(data))
        if runtime is not None:
            owned_fds.append(reopen_memfd(binary.descriptor))
        file0, file1, file2 = (*owned_fds, *[protocol.ABSENT] * 3)[:3]
        owned_fds.append(job_fd := _seal_job(job, files))
        stdin_fd = _provide_file(stdin, owned_fds)
    return RunRequest(
        ServerKey(profile, toolchain, limits.folder_bytes, of_problem=of_problem),
        protocol.EXECUTE,
        Descriptors(stdin_fd, code=code_fd, job=job_fd, file0=file0, file1=file1, file2=file2),
        limits,
        feedback,
        runtime=runtime,
        owned_fds=owned_fds,
    )


def make_idle_request(runtime: Runtime) -> RunRequest:
    """Return the request that starts and ends a runtime without a program. Raises
    SandboxUnavailableError."""
    limits = replace(IDLE_LIMITS, address_bytes=runtime.address_bytes)
    job_fd = _seal_job(_make_runtime_job(runtime, runtime.idle_arguments, _IDLE_HEAP_MIB))
    return RunRequest(
        ServerKey(RUNTIME, runtime.toolchain),
        protocol.EXECUTE,
        Descriptors(job=job_fd),
        limits,
        owned_fds=[job_fd],
    )


def make_build_request(
    files: Mapping[str, str],
    command: Sequence[str],
    product: str,
    limits: ResourceLimits,
    *,
    toolchain: str = "g++",
    prepared: str = "",
) -> RunRequest:
    """Return the request that has a compiler make ``product`` of ``files`` (name: text). The
    outcome's ``result`` holds the bytes of the product; a folder comes as a zip archive.

    command: arguments after the compiler's own path; names are relative to its folder.
    prepared: a folder that the compiler may read as well (``PreparedStore``).
    Raises SandboxUnavailableError where there is no such compiler.
    """
    tools = require_toolchain(toolchain)
    job = {
        "command": [tools.compiler, *command],
        "product": product,
        "environment": dict(tools.environment),
    }
    sources = {name: text.encode(errors="surrogateescape") for name, text in files.items()}
    job_fd = _seal_job(job, sources)
    return RunRequest(
        ServerKey(COMPILER, toolchain, _BUILD_FOLDER_BYTES, prepared=prepared),
        protocol.BUILD,
        Descriptors(job=job_fd),
        limits,
        owned_fds=[job_fd],
    )


def make_batch_request(
    program: Program,
    limits: ResourceLimits,
    *,
    call: bool,
    input_fd: int,
    go_fd: int,
    done_fd: int,
) -> RunRequest:
    """Return the request that runs several tests of a program in one child
    (``session.BatchSession``).

    input_fd: a memory file with the input, or the job of a call, which the child gets to read only.
    go_fd, done_fd: the child's ends of the pipes of a batch.
    """
    descriptors = Descriptors(code=program.code_fd, go=go_fd, done=done_fd)
    # Standard input is not reopened here: ForkServers.start_child gives each run a reading end.
    job_fds = [reopen_memfd(input_fd)] if call else []
    inputs = {"job": job_fds[0]} if call else {"stdin": input_fd}
    profile = program.call_profile if call else program.script_profile
    return RunRequest(
        _make_key(program, profile),
        protocol.CALL if call else protocol.SCRIPT,
        descriptors._replace(**inputs),
        limits,
        program.traits | protocol.BATCHED,
        owned_fds=job_fds,
    )


def make_dry_run_request(job: RunnerJob, limits: ResourceLimits) -> RunRequest:
    """Return the request that runs test code without a candidate (dry_run.py); ``result`` is a
    report."""
    return _make_tests_request(job, limits, protocol.ABSENT, protocol.ABSENT)


def make_pair_requests(
    program: Program,
    job: RunnerJob,
    limits: ResourceLimits,
    tests_limits: ResourceLimits,
) -> tuple[RunRequest, RunRequest]:
    """Return two requests, the program's and the tests': test code in a child runs against the
    program.

    The test code's child comes from a server of its own, which never runs programs; its ``result``
    is its report.
    """
    with close_on_error() as pipe_ends:
        pipe_ends.extend(os.pipe())
        pipe_ends.extend(os.pipe())
        requests_reader, requests_writer, replies_reader, replies_writer = pipe_ends
        tests = _make_tests_request(job, tests_limits, requests_writer, replies_reader)
    candidate = RunRequest(
        _make_key(program, program.call_profile),
        protocol.SERVE,
        Descriptors(
            code=program.code_fd,
            cache=program.cache_fd,
            requests=requests_reader,
            replies=replies_writer,
        ),
        limits,
        program.traits,
        owned_fds=[requests_reader, replies_writer],
    )
    return candidate, tests


def _make_tests_request(
    job: RunnerJob, limits: ResourceLimits, requests_fd: int, replies_fd: int
) -> RunRequest:
    job_fd = make_sealed_memfd(json.dumps(job).encode(), "tests")
    return RunRequest(
        ServerKey(TESTS),
        protocol.TESTS,
        Descriptors(job=job_fd, requests=requests_fd, replies=replies_fd),
        limits,
        owned_fds=[fd for fd in (job_fd, requests_fd, replies_fd) if fd >= 0],
    )


def _provide_file(content: bytes | int, owned_fds: list[int]) -> int:
    """Return the descriptor of a memory file, added to ``owned_fds`` if it is made here."""
    if isinstance(content, int):
        return content
    owned_fds.append(make_sealed_memfd(content))
    return owned_fds[-1]


def _seal_job(job: Mapping[str, Any], files: Mapping[str, bytes] | None = None) -> int:
    """Return a memory file with a job and files for the child's folder (``loading.unpack_job``)."""
    files = files or {}
    head = json.dumps({**job, "files": {name: len(data) for name, data in files.items()}})
    return make_sealed_memfd(b"".join([head.encode(), b"\n", *files.values()]), "job")


def _make_runtime_job(
    runtime: Runtime, arguments: Sequence[str], memory_mib: int, program_file: int = 0
) -> dict[str, Any]:
    """Return the job that starts a runtime. program_file: the number of the program's file."""
    tools = require_toolchain(runtime.toolchain)
    program = protocol.FILE_PATHS[program_file]
    command = [
        argument.replace("{memory}", str(memory_mib)).replace("{program}", program)
        for argument in arguments
    ]
    return {
        "argv": [tools.runtime, *command],
        "runtime": tools.runtime,
        "environment": dict(tools.environment),
    }
