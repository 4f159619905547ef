"""The fork server: a new process that confines itself once, then forks for each run.

It holds no expected output, no program and no input: those reach the child as descriptors that
the server never reads. Where it has namespaces it is process 1 of its own pid namespace.

    host (judge worker)                 fork server                     child
      | -- Request + descriptors --------->  | -- fork ------------------>  confine, run, _exit
      |                                      |    poll(pidfd, host)
      | <- STILL_RUNNING + pidfd (if slow) - |
      |  clocks, memory, kill by pidfd       |
      | <-------------- Exit --------------  | <- wait4 ------------------
"""

from __future__ import annotations

import _socket
import errno
import mmap
import os
import select
import struct
import sys

from microcoder_sandbox.guest import batch, ending, loading, setup
from microcoder_sandbox.guest.batch import ExecutionPlan
from microcoder_sandbox.kernel import syscalls
from microcoder_sandbox.wire import emptying, protocol
from microcoder_sandbox.wire.protocol import Exit, Notes, Request, ServerConfig

from . import confinement, feedback, interpreter, memory

_CONTROL_BUFFER = 256
_BATCH = "microcoder_sandbox.guest.batch"
_EMPTY_PAGE = bytes(mmap.PAGESIZE)
_MAX_PLANS = 64
_SIGKILL = 9  # the module signal would import enum
# The frame that each child leaves: to let go of each of its objects would touch their pages.
_retained_frames: list[object] = []


def main() -> ExecutionPlan:
    """Serve until the host goes away. Returns only in a child: what to execute there."""
    control = _socket.socket(fileno=int(sys.argv[1]))
    message = control.recv(1 << 22)
    if not message:
        os._exit(0)  # the host has gone away
    try:
        context, folder, layers = prepare_server(ServerConfig.decode(message))
        baseline = _measure_baseline(context)
    except BaseException as error:
        control.send(protocol.START_ERROR + f"{type(error).__name__}: {error}".encode()[:2000])
        os._exit(1)
    control.send(protocol.encode_ready(baseline, layers))
    parent = os.getpid()
    request, steps = serve_requests(control, context, folder)
    return prepare_child(request, context, steps, parent)


def prepare_server(config: ServerConfig) -> tuple[setup.ChildContext, str | None, dict[str, str]]:
    """Prepare to fork. Returns (what children need, where they may write, layers)."""
    syscalls.die_with_parent(parent_alive=os.getppid() == config.host_pid)
    if setup.OPEN_FILES < setup.MIN_OPEN_FILES:
        raise OSError(errno.EMFILE, os.strerror(errno.EMFILE))
    confinement.raise_oom_score()
    interpreter.prepare_interpreter(config)
    if _BATCH in config.preload:
        from . import warm_up

        warm_up.warm_up_batches(prepare_child, calls=config.calls_functions)
    memory.merge_library_mappings()  # while /proc can be read
    address_space = int(open("/proc/self/statm").read().split()[0]) * mmap.PAGESIZE
    layers = confinement.enter_namespaces(config)
    folder = confinement.enter_folder(config, layers)
    domain, system_calls = confinement.confine_server(config, layers, folder)
    setup_notes, run_notes = mmap.mmap(-1, mmap.PAGESIZE), mmap.mmap(-1, mmap.PAGESIZE)
    context = setup.ChildContext(
        address_space,
        domain,
        system_calls,
        setup_notes,
        run_notes,
        interpreter.find_reseed(),
        rlimits="rlimits" not in config.without,
    )
    memory.release_memory()
    return context, folder, layers


def serve_requests(
    control: _socket.socket, context: setup.ChildContext, folder: str | None
) -> tuple[Request, list[setup.Step]]:
    """Fork for every request; returns only in a child."""
    poller = select.poll()
    poller.register(control, select.POLLIN)
    started = (protocol.PLACING_STREAMS, os.write, (control.fileno(), protocol.STARTED))
    # Descriptors get the same numbers each time, so requests are equal but for limits and traits.
    plans: dict[tuple[object, ...], tuple[Request, list[setup.Step]]] = {}
    while True:
        message, ancillary, _flags, _address = control.recvmsg(_CONTROL_BUFFER, 128)
        if not message:
            os._exit(0)
        received_fds = [fd for _, _, data in ancillary for (fd,) in struct.iter_unpack("i", data)]
        # Clear the whole pages; otherwise a child could leave a message for the next one.
        context.setup_notes[:] = context.run_notes[:] = _EMPTY_PAGE
        key = (message, *received_fds)
        if key not in plans:
            if len(plans) == _MAX_PLANS:
                plans.clear()
            plans[key] = _plan_child(Request.decode(message, received_fds), context, started)
        request, steps = plans[key]
        try:
            pid = os.fork()
        except OSError as error:
            control.send(protocol.FORK_FAILED + str(error.strerror).encode())
            os._exit(0)
        if pid == 0:
            _retained_frames.append(sys._getframe())
            return request, steps
        for descriptor in received_fds:
            if descriptor != request.report_fd:
                os.close(descriptor)
        _supervise_child(control, poller, pid, context, folder, request)


def _plan_child(
    request: Request, context: setup.ChildContext, started: setup.Step
) -> tuple[Request, list[setup.Step]]:
    steps = setup.plan_confinement(request, context, parent=os.getpid())
    if request.traits & protocol.BATCHED:
        steps.insert(0, started)
    return request, steps


def _supervise_child(
    control: _socket.socket,
    poller: select.poll,
    pid: int,
    context: setup.ChildContext,
    folder: str | None,
    request: Request,
) -> None:
    pidfd = os.pidfd_open(pid)
    poller.register(pidfd, select.POLLIN)
    try:
        ready = poller.poll(protocol.GRACE_MS)
        if not ready:
            rights = [(_socket.SOL_SOCKET, _socket.SCM_RIGHTS, struct.pack("i", pidfd))]
            control.sendmsg([protocol.STILL_RUNNING], rights)
            ready = poller.poll()
        if pidfd not in dict(ready):
            # The host has gone. The child ends with this server (process 1, or PDEATHSIG).
            os._exit(0)
    finally:
        poller.unregister(pidfd)
        os.close(pidfd)
    _pid, status, usage = os.wait4(pid, 0)
    if request.mode == protocol.BUILD:
        kill_others()
    if folder is not None:
        if request.report_fd >= 0:
            feedback.report_feedback(folder, request.report_fd, request.traits)
        empty_scratch_folder(folder)
    if request.report_fd >= 0:
        os.close(request.report_fd)
    control.send(
        Exit(
            status,
            round(usage.ru_utime * 1e6),
            round(usage.ru_stime * 1e6),
            usage.ru_maxrss,
            read_notes(context),
        ).encode()
    )


def kill_others() -> None:
    """Kill all that a compiler left running, and wait for it. Only process 1 of a pid namespace
    can. Without one the host kills this server, too (``ForkServers.end_child``)."""
    if os.getpid() != 1:
        return
    try:
        os.kill(-1, _SIGKILL)
        while True:
            os.wait()
    except (ProcessLookupError, ChildProcessError):
        pass  # there is nobody else


def empty_scratch_folder(folder: str) -> None:
    """Remove all that a program left in the folder.

    If that fails, this server ends without an answer; the run is repeated on a new server.
    """
    try:
        descriptor = os.open(folder, emptying.OPEN_FOLDER)
        emptying.empty_folder(descriptor)
        os.close(descriptor)
    except OSError:
        os._exit(0)


def read_notes(context: setup.ChildContext) -> Notes:
    """Return what the child wrote. ``run_notes`` count only once the child has reached its
    program."""
    setup_notes, run_notes = context.setup_notes, context.run_notes
    if setup_notes[protocol.PHASE] != protocol.RUNNING:
        return Notes(*setup_notes[: len(Notes._fields)])
    phase = run_notes[protocol.PHASE]
    if phase not in protocol.LATE_PHASES:
        phase = protocol.RUNNING
    return Notes(phase, run_notes[protocol.FLAGS])


def _measure_baseline(context: setup.ChildContext) -> int:
    """Return the resident peak, in KiB, of a child whose program is empty. Programs are not charged
    for this memory, which the interpreter itself uses. Raises ChildProcessError if it fails: its
    peak would be too low."""
    pid = os.fork()
    if pid == 0:
        namespace = loading.create_program_module("__main__")
        setup.finish_setup(context)
        exec(loading.compile_program(b"pass", loading.FILE_NAME), namespace)
        ending.exit_process([], context.run_notes, namespace, run_finalizers=False)
    _pid, status, usage = os.wait4(pid, 0)
    if status:
        exit_code = os.waitstatus_to_exitcode(status)
        raise ChildProcessError(f"a child with an empty program ended with exit code {exit_code}")
    return int(usage.ru_maxrss)


def prepare_child(
    request: Request, context: setup.ChildContext, steps: list[setup.Step], parent: int
) -> ExecutionPlan:
    """Confine this child and load the program. Returns what to execute, and what follows."""
    if request.mode in (protocol.EXECUTE, protocol.BUILD):
        from microcoder_sandbox.guest import native  # imported before the fork where used

        if request.mode == protocol.EXECUTE:
            native.execute_program(request, context, parent)
    setup.confine(steps, context.setup_notes)
    if request.mode == protocol.BUILD:
        native.build_program(request, context)
    batch_class = batch.Batch
    if request.mode != protocol.SCRIPT:
        from microcoder_sandbox.guest import calling  # imported before the fork where used

        if request.mode == protocol.TESTS:
            return calling.prepare_tests(request, context)
        batch_class = calling.CLASSES[request.mode]
    try:
        code = loading.load_program(request, context.setup_notes)
    except BaseException as error:
        ending.exit_after_compile_error(error, context.setup_notes)
    return batch.prepare_program(batch_class, request, code, context)
