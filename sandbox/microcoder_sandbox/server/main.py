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
import _thread
import errno
import mmap
import os
import resource
import select
import struct
import sys

from microcoder_sandbox.guest import call, child
from microcoder_sandbox.kernel import landlock, namespaces, seccomp, syscalls
from microcoder_sandbox.wire import emptying, protocol
from microcoder_sandbox.wire.protocol import HELD, NOT_REQUESTED, Exit, Notes, Request, ServerConfig

from . import feedback, memory

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    ExecutionPlan = call.ExecutionPlan

_CONTROL_BUFFER = 256
_BATCH = "microcoder_sandbox.guest.batch"
_FILE_BYTES = 1 << 26  # the largest file that a program may write, unless its folder is larger
_EMPTY_PAGE = bytes(mmap.PAGESIZE)
_MAX_PLANS = 64
_SIGKILL = 9  # the module signal would import enum
# Objects that a child no longer needs: freeing them would touch pages.
_retained_objects: list[object] = []
# The main thread's stack may grow to 1 GiB, and the C library would reserve as much for each
# thread: two would not fit into a program's address space. A program may set another size.
_THREAD_STACK_BYTES = 16 << 20


class PackageFinder:
    """Finds the packages that the host named, and no others."""

    def __init__(self, locations: dict[str, str]) -> None:
        self._locations = locations

    def find_spec(self, name: str, path: object = None, target: object = None) -> object:
        """Return the spec of a package, for the import system (importlib.abc.MetaPathFinder)."""
        location = self._locations.get(name)
        if location is None:
            return None
        from importlib.util import spec_from_file_location

        if os.path.isdir(location):
            init = os.path.join(location, "__init__.py")
            return spec_from_file_location(name, init, submodule_search_locations=[location])
        return spec_from_file_location(name, location)


def main() -> ExecutionPlan:
    """Serve until the host goes away. Returns only in a child: what to execute there."""
    control = _socket.socket(fileno=int(sys.argv[1]))
    message = control.recv(1 << 22)
    if not message:
        os._exit(0)  # the host has gone away
    try:
        context, folder, layers = prepare_server(ServerConfig.decode(message))
    except BaseException as error:
        control.send(protocol.START_ERROR + f"{type(error).__name__}: {error}".encode()[:2000])
        os._exit(1)
    control.send(protocol.encode_layers(layers))
    parent = os.getpid()
    request, steps = serve_requests(control, context, folder)
    return prepare_child(request, context, steps, parent)


def prepare_server(config: ServerConfig) -> tuple[child.ChildContext, str | None, dict[str, str]]:
    """Prepare to fork. Returns (what children need, where they may write, layers)."""
    syscalls.die_with_parent(parent_alive=os.getppid() == config.host_pid)
    if child.OPEN_FILES < child.MIN_OPEN_FILES:
        raise OSError(errno.EMFILE, os.strerror(errno.EMFILE))
    raise_oom_score()
    prepare_interpreter(config)
    if _BATCH in config.preload:
        from . import warm_up

        warm_up.warm_up_batches(prepare_child, calls="typing" in config.preload)
    syscalls.merge_library_mappings()  # while /proc can be read
    address_space = int(open("/proc/self/statm").read().split()[0]) * mmap.PAGESIZE
    layers = enter_namespaces(config)
    folder = enter_folder(config, layers)
    domain, system_calls = confine_server(config, layers, folder)
    setup_notes, run_notes = mmap.mmap(-1, mmap.PAGESIZE), mmap.mmap(-1, mmap.PAGESIZE)
    context = child.ChildContext(
        address_space,
        domain,
        system_calls,
        setup_notes,
        run_notes,
        find_reseed(),
        rlimits="rlimits" not in config.without,
    )
    memory.release_memory()
    return context, folder, layers


def prepare_interpreter(config: ServerConfig) -> None:
    """Give programs what a new interpreter has, and the modules of this server's profile."""
    import _sitebuiltins
    import builtins

    sys.path[:] = config.path
    sys.meta_path.insert(0, PackageFinder(config.packages))  # type: ignore[arg-type]
    for name in ("exit", "quit"):
        setattr(builtins, name, _sitebuiltins.Quitter(name, "Ctrl-D (i.e. EOF)"))
    builtins.help = _sitebuiltins._Helper()
    sys.set_int_max_str_digits(0)
    _thread.stack_size(_THREAD_STACK_BYTES)
    sys.dont_write_bytecode = True
    for name in config.preload:
        __import__(name)
    if "typing" in config.preload:
        call.fill_preamble()
    _place_standard_streams()
    if "rlimits" in config.without:
        return
    _lower_limit(resource.RLIMIT_CORE, 0)
    _lower_limit(resource.RLIMIT_FSIZE, max(_FILE_BYTES, config.folder_bytes))
    _lower_limit(resource.RLIMIT_NOFILE, child.MAX_OPEN_FILES)
    _lower_limit(resource.RLIMIT_MEMLOCK, 0)
    _lower_limit(resource.RLIMIT_MSGQUEUE, 0)


def raise_oom_score() -> None:
    """Make the kernel's OOM killer choose a judged program, not a trainer or a worker of ours
    (proc(5), oom_score_adj). Children inherit it."""
    try:
        with open("/proc/self/oom_score_adj", "w") as file:
            file.write("1000")
    except OSError:
        pass  # a kernel or a container without it


def _lower_limit(resource_id: int, value: int) -> None:
    _soft, hard = resource.getrlimit(resource_id)
    value = value if hard == resource.RLIM_INFINITY else min(value, hard)
    resource.setrlimit(resource_id, (value, value))


def _place_standard_streams() -> None:
    # A file and two pipes, as in a child: the stream objects remember whether they can seek.
    stdin_fd = os.memfd_create("stdin")
    _reader, writer = os.pipe()
    os.dup2(stdin_fd, 0)
    os.dup2(writer, 1)
    os.dup2(writer, 2)
    for number in range(3):
        child.open_stream(number)


def find_reseed() -> Callable[[], object] | None:
    """Return the function that seeds numpy's generator, which does not notice a fork (random's
    does). None if it is not loaded."""
    numpy_random = sys.modules.get("numpy.random")
    return None if numpy_random is None else numpy_random.seed


def enter_namespaces(config: ServerConfig) -> dict[str, str]:
    """Become another user and enter namespaces, as configured. Returns the state of the layers."""
    layers: dict[str, str] = {}
    if config.uid is not None:
        hold_layer("uid", layers, config, become_user, config.uid)
    if hold_layer("namespaces", layers, config, namespaces.enter_new_namespaces):
        become_first_process()
        hold_layer("namespaces", layers, config, namespaces.replace_root, config.mounts)
    return layers


def hold_layer(
    name: str,
    layers: dict[str, str],
    config: ServerConfig,
    enter: Callable[..., object],
    *arguments: object,
) -> bool:
    """Enter a layer unless it is left out, record its state, and return whether it holds."""
    if name in config.without:
        layers[name] = NOT_REQUESTED
        return False
    try:
        enter(*arguments)
    except OSError as error:
        layers[name] = str(error)
        return False
    layers[name] = HELD
    return True


def become_user(uid: int) -> None:
    """Become a user that owns nothing. Raises OSError."""
    os.setgroups([])
    os.setresgid(uid, uid, uid)
    os.setresuid(uid, uid, uid)
    syscalls.prctl(syscalls.PR_SET_DUMPABLE, 1)  # or we may not write our own uid_map


def become_first_process() -> None:
    """Fork into the new pid namespace. The outer process ends; the host adopts the inner one."""
    outer_pidfd = os.pidfd_open(os.getpid())
    if os.fork():
        os._exit(0)
    # The pidfd is readable when the outer process is a zombie (pidfd_open(2)). The host is our
    # parent by then; before, the outer process is, and PR_SET_PDEATHSIG would end us with it.
    poller = select.poll()
    poller.register(outer_pidfd, select.POLLIN)
    poller.poll()
    os.close(outer_pidfd)
    syscalls.die_with_parent(parent_alive=True)


def enter_folder(config: ServerConfig, layers: dict[str, str]) -> str | None:
    """Make the folder where programs may write the working folder, and return it, None if there is
    none. It is in memory; without a root of our own, the host has made it on disk."""
    if not config.folder_bytes:
        return None
    folder = config.folder
    if layers["namespaces"] == HELD:
        folder = namespaces.SCRATCH_FOLDER
        namespaces.mount_scratch_folder(config.folder_bytes)
    os.chdir(folder)
    return folder


def confine_server(
    config: ServerConfig, layers: dict[str, str], folder: str | None
) -> tuple[syscalls.PreparedCall | None, seccomp.Filter | None]:
    """Drop capabilities, enter Landlock and seccomp, for the server and all its children.

    Adds the state of each layer to ``layers``. Returns the domain and the filter that each child
    adds, None for a layer that does not hold.
    """
    domain: syscalls.PreparedCall | None = None
    hold_layer("capabilities", layers, config, syscalls.drop_capabilities)
    syscalls.prctl(syscalls.PR_SET_NO_NEW_PRIVS, 1)
    syscalls.prctl(syscalls.PR_SET_DUMPABLE, 0)
    syscalls.die_with_parent(parent_alive=True)  # the credentials have changed for the last time
    if "landlock" in config.without:
        layers["landlock"] = NOT_REQUESTED
    elif landlock.get_abi_version():
        readable = list_granted_paths(config, has_own_root=layers["namespaces"] == HELD)
        landlock.enter(
            landlock.create_file_ruleset(
                readable, config.listable, config.writable, config.executable, folder
            )
        )
        domain = landlock.prepare_domain()
        layers["landlock"] = HELD
    else:
        layers["landlock"] = "not in this kernel"
    system_calls = seccomp.Filter(*config.program_filter)
    is_filtered = hold_layer("seccomp", layers, config, seccomp.Filter(config.server_filter).load)
    return domain, system_calls if is_filtered else None


def list_granted_paths(config: ServerConfig, has_own_root: bool) -> list[str]:
    """Return what Landlock lets programs read: the readable paths one by one.

    A root of their own holds nothing else, so there a mounted folder replaces the paths inside it.
    A short list is cheaper, because the kernel copies it for each child.
    """
    if not has_own_root:
        return config.readable
    folders = [path for action, path in config.mounts if action == "show" and os.path.isdir(path)]
    inner_paths = {
        path for path in config.readable for folder in folders if path.startswith(f"{folder}/")
    }
    return [*folders, *(path for path in config.readable if path not in inner_paths)]


def serve_requests(
    control: _socket.socket, context: child.ChildContext, folder: str | None
) -> tuple[Request, list[child.Step]]:
    """Fork for every request; returns only in a child."""
    poller = select.poll()
    poller.register(control, select.POLLIN)
    baseline = _measure_baseline(context)
    started = (
        protocol.PLACING_STREAMS,
        os.write,
        (control.fileno(), protocol.encode_started(baseline)),
    )
    # Descriptors get the same numbers each time, so requests are equal but for limits and traits.
    plans: dict[tuple[object, ...], tuple[Request, list[child.Step]]] = {}
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
            _retained_objects.append((control, poller, context, message, ancillary, received_fds))
            return request, steps
        for descriptor in received_fds:
            if descriptor != request.report_fd:
                os.close(descriptor)
        _supervise_child(control, poller, pid, context, baseline, folder, request)


def _plan_child(
    request: Request, context: child.ChildContext, started: child.Step
) -> tuple[Request, list[child.Step]]:
    steps = child.plan_confinement(request, context, parent=os.getpid())
    if request.traits & protocol.BATCHED:
        steps.insert(0, started)
    return request, steps


def _supervise_child(
    control: _socket.socket,
    poller: select.poll,
    pid: int,
    context: child.ChildContext,
    baseline: int,
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
            # After an exec the kernel's peak is the program's alone.
            0 if request.mode == protocol.EXECUTE else baseline,
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


def read_notes(context: child.ChildContext) -> Notes:
    """Return what the child wrote. ``run_notes`` count only once the child has reached its
    program."""
    setup_notes, run_notes = context.setup_notes, context.run_notes
    if setup_notes[protocol.PHASE] != protocol.RUNNING:
        return Notes(*setup_notes[: len(Notes._fields)])
    phase = run_notes[protocol.PHASE]
    if phase not in protocol.LATE_PHASES:
        phase = protocol.RUNNING
    return Notes(phase, run_notes[protocol.FLAGS])


def _measure_baseline(context: child.ChildContext) -> int:
    """Return the resident peak, in KiB, of a child whose program is empty. Programs are not charged
    for this memory, which the interpreter itself uses."""
    pid = os.fork()
    if pid == 0:
        namespace = child.create_program_module("__main__")
        child.finish_setup(context)
        exec(syscalls.compile_program(b"pass", child.FILE_NAME), namespace)
        child.exit_process([], context.run_notes, namespace, run_finalizers=False)
    _pid, _status, usage = os.wait4(pid, 0)
    return int(usage.ru_maxrss)


def prepare_child(
    request: Request, context: child.ChildContext, steps: list[child.Step], parent: int
) -> ExecutionPlan:
    """Confine this child and load the program. Returns what to execute, and what follows."""
    if request.mode in (protocol.EXECUTE, protocol.BUILD):
        from microcoder_sandbox.guest import native  # imported before the fork where used

        if request.mode == protocol.EXECUTE:
            native.execute_program(request, context, parent)
    child.confine(steps, context.setup_notes)
    if request.mode == protocol.BUILD:
        native.build_program(request, context)
    if request.mode == protocol.TESTS:
        return call.prepare_tests(request, context)
    try:
        code = child.load_program(request, context.setup_notes)
    except BaseException as error:
        child.exit_after_compile_error(error, context.setup_notes)
    if request.traits & protocol.BATCHED:
        from microcoder_sandbox.guest import batch  # imported before the fork where used

        return batch.begin_batch(request, code, context)
    return call.prepare_program(request, code, context)
