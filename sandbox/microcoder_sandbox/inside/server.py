"""The fork server: exec'd fresh, confined once, then one fork per program run.

It holds no expected output, no program and no input: those reach the child as descriptors that
the server never reads. Process 1 of its own pid namespace where namespaces are to be had.

    driver (judge worker)                 fork server                     child
      | -- REQUEST + descriptors --------->  | -- fork ------------------>  confine, run, _exit
      |                                      |    poll(pidfd, driver)
      | <----- LONG + pidfd (if slow) -----  |
      |  clocks, memory, kill by pidfd       |
      | <-------------- EXIT --------------  | <- wait4 ------------------
"""

from __future__ import annotations

import _socket
import _thread
import gc
import marshal
import mmap
import os
import resource
import select
import struct
import sys

from . import call, child, emptying, kernel, landlock, namespaces, seccomp, wire

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    Main = call.Main

_CONTROL_BUFFER = 256
_FILE_BYTES = 1 << 26  # the largest file a program may write, where it may write at all
_NOTHING = bytes(mmap.PAGESIZE)
# The main thread's stack may grow to 1 GiB, and the C library would give every thread as much:
# the second would not fit into a program's address space. A program may ask for another size.
_THREAD_STACK_BYTES = 16 << 20


class PackageFinder:
    """Finds the named packages, and only them, where the driver said they are."""

    def __init__(self, places: dict[str, str]) -> None:
        self._places = places

    def find_spec(self, name: str, path: object = None, target: object = None) -> object:
        """The import system's question (importlib.abc.MetaPathFinder)."""
        place = self._places.get(name)
        if place is None:
            return None
        from importlib.util import spec_from_file_location

        if os.path.isdir(place):
            init = os.path.join(place, "__init__.py")
            return spec_from_file_location(name, init, submodule_search_locations=[place])
        return spec_from_file_location(name, place)


def main() -> Main:
    """Serve until the driver goes away. Returns only in a child: what it is to execute."""
    control = _socket.socket(fileno=int(sys.argv[1]))
    told = control.recv(1 << 22)
    if not told:
        os._exit(0)  # the driver is gone already
    config = marshal.loads(told)
    try:
        around, folder, layers = prepare(config)
    except BaseException as error:
        control.send(wire.FAILED + f"{type(error).__name__}: {error}".encode()[:2000])
        os._exit(1)
    control.send(wire.READY + "\n".join(f"{k}\t{v}" for k, v in layers.items()).encode())
    parent = os.getpid()
    request = serve(control, around, folder)
    return program_of(request, around, parent)


def prepare(config: dict[str, Any]) -> tuple[child.Surroundings, str | None, dict[str, str]]:
    """Everything up to the first fork: (what children need, where they may write, layers)."""
    kernel.die_with(parent_alive=os.getppid() == config["driver_pid"])
    prefer_when_memory_runs_out()
    prepare_interpreter(config)
    address_space = int(open("/proc/self/statm").read().split()[0]) * mmap.PAGESIZE
    layers = enter_namespaces(config)
    folder = enter_folder(config, layers)
    domain, system_calls = confine_server(config, layers, folder)
    early, notes = mmap.mmap(-1, mmap.PAGESIZE), mmap.mmap(-1, mmap.PAGESIZE)
    around = child.Surroundings(
        address_space,
        domain,
        system_calls,
        early,
        notes,
        reseed_of(config),
        rlimits="rlimits" not in config["without"],
    )
    settle_memory()
    return around, folder, layers


def prepare_interpreter(config: dict[str, Any]) -> None:
    """What a cold interpreter has, plus the modules of this server's flavour."""
    import _sitebuiltins
    import builtins

    sys.path[:] = config["path"]
    sys.meta_path.insert(0, PackageFinder(config["packages"]))  # type: ignore[arg-type]
    for name in ("exit", "quit"):
        setattr(builtins, name, _sitebuiltins.Quitter(name, "Ctrl-D (i.e. EOF)"))
    builtins.help = _sitebuiltins._Helper()
    sys.set_int_max_str_digits(0)
    _thread.stack_size(_THREAD_STACK_BYTES)
    sys.dont_write_bytecode = True
    for name in config["preload"]:
        __import__(name)
    if "typing" in config["preload"]:
        call.make_preamble()
    turns = sys.modules.get("microcoder_sandbox.batch.turns")
    if turns is not None:
        turns.gather()
    _place_standard_streams()
    if "rlimits" in config["without"]:
        return
    _lower(resource.RLIMIT_CORE, 0)
    _lower(resource.RLIMIT_FSIZE, _FILE_BYTES)
    _lower(resource.RLIMIT_NOFILE, 512)
    _lower(resource.RLIMIT_MEMLOCK, 0)
    _lower(resource.RLIMIT_MSGQUEUE, 0)


def prefer_when_memory_runs_out() -> None:
    """Have the kernel's OOM killer take a judged program, the largest of those who ask for it so,
    and not a trainer or a worker of ours (proc(5), oom_score_adj). Children inherit it."""
    try:
        with open("/proc/self/oom_score_adj", "w") as file:
            file.write("1000")
    except OSError:
        pass  # a kernel or a container without it


def settle_memory() -> None:
    """Give back what starting up used and no longer needs: every page kept is copied by a fork
    and torn down by an exit. Then keep the collector off what is left (gc.freeze)."""
    gc.collect()
    kernel.trim_heap()
    gc.freeze()
    gc.disable()


def _lower(kind: int, value: int) -> None:
    _soft, hard = resource.getrlimit(kind)
    value = value if hard == resource.RLIM_INFINITY else min(value, hard)
    resource.setrlimit(kind, (value, value))


def _place_standard_streams() -> None:
    # Of the same kind as a child's own (file, pipe, pipe): the stream objects remember whether
    # their descriptor can seek.
    empty = os.memfd_create("stdin")
    _reader, writer = os.pipe()
    os.dup2(empty, 0)
    os.dup2(writer, 1)
    os.dup2(writer, 2)
    child.standard_streams()


def reseed_of(config: dict[str, Any]) -> Callable[[], object] | None:
    """numpy's global generator does not notice a fork; random's does."""
    if "numpy" in config["preload"]:
        from numpy import random

        seed: Callable[[], object] = random.seed
        return seed
    return None


def enter_namespaces(config: dict[str, Any]) -> dict[str, str]:
    """Another uid if told so, then namespaces if allowed. Returns what became of each layer."""
    layers: dict[str, str] = {}
    if config["uid"] is not None and "uid" not in config["without"]:
        try:
            os.setgroups([])
            os.setresgid(config["uid"], config["uid"], config["uid"])
            os.setresuid(config["uid"], config["uid"], config["uid"])
            kernel.prctl(kernel.PR_SET_DUMPABLE, 1)  # or our own uid_map is not ours to write
            layers["uid"] = "held"
        except OSError as error:
            layers["uid"] = str(error)
    if "namespaces" in config["without"]:
        layers["namespaces"] = "not asked for"
        return layers
    try:
        namespaces.leave()
    except OSError as error:
        layers["namespaces"] = str(error)
        return layers
    become_first_process()
    try:
        namespaces.new_root(config["mounts"])
        layers["namespaces"] = "held"
    except OSError as error:
        layers["namespaces"] = str(error)
    return layers


def become_first_process() -> None:
    """Fork into the new pid namespace; the outer process ends, the driver adopts the inner one."""
    outer = os.pidfd_open(os.getpid())
    if os.fork():
        os._exit(0)
    # Readable once the outer one is a zombie, and the driver the parent (man 2 pidfd_open). Not
    # before: as its descriptors are closed it is the parent still, whose death would be ours.
    ended = select.poll()
    ended.register(outer, select.POLLIN)
    ended.poll()
    os.close(outer)
    kernel.die_with(parent_alive=True)


def enter_folder(config: dict[str, Any], layers: dict[str, str]) -> str | None:
    """Where programs may write, now the working folder: in memory, or (without a root of our
    own) one that the driver made. None where nobody asked for one."""
    if not config["folder_bytes"]:
        return None
    folder: str = config["folder"]
    if layers["namespaces"] == "held":
        folder = namespaces.FOLDER
        namespaces.new_folder(config["folder_bytes"])
    os.chdir(folder)
    return folder


def confine_server(
    config: dict[str, Any], layers: dict[str, str], folder: str | None
) -> tuple[landlock.Domain | None, seccomp.Filter | None]:
    """Capabilities, Landlock, seccomp, for the server and all its children."""
    domain: landlock.Domain | None = None
    system_calls: seccomp.Filter | None = None
    without = config["without"]
    try:
        if "capabilities" not in without:
            kernel.drop_capabilities()
        layers["capabilities"] = "not asked for" if "capabilities" in without else "held"
    except OSError as error:
        layers["capabilities"] = str(error)
    kernel.prctl(kernel.PR_SET_NO_NEW_PRIVS, 1)
    kernel.prctl(kernel.PR_SET_DUMPABLE, 0)
    kernel.die_with(parent_alive=True)  # the credentials have changed for the last time
    if "landlock" in without:
        layers["landlock"] = "not asked for"
    elif landlock.abi():
        landlock.enter(
            landlock.files_ruleset(
                config["read"],
                config["list"],
                config["write"],
                config["execute"],
                folder,
            )
        )
        domain = landlock.Domain()
        layers["landlock"] = "held"
    else:
        layers["landlock"] = "not in this kernel"
    if "seccomp" not in without:
        try:
            system_calls = seccomp.Filter(*config["program_filter"])
            seccomp.Filter(config["server_filter"]).load()
            layers["seccomp"] = "held"
        except (OSError, KeyError) as error:
            system_calls, layers["seccomp"] = None, str(error)
    else:
        layers["seccomp"] = "not asked for"
    return domain, system_calls


def serve(control: _socket.socket, around: child.Surroundings, folder: str | None) -> child.Request:
    """Fork for every request; returns only in a child."""
    poller = select.poll()
    poller.register(control, select.POLLIN)
    around.baseline = baseline = _baseline(around)
    while True:
        message, ancillary, _flags, _address = control.recvmsg(_CONTROL_BUFFER, 128)
        if not message:
            os._exit(0)
        received = [fd for _, _, data in ancillary for (fd,) in struct.iter_unpack("i", data)]
        around.early[:] = around.notes[:] = _NOTHING  # whole pages: no child may leave word
        request = child.Request(message, list(received))
        try:
            pid = os.fork()
        except OSError as error:
            control.send(wire.NO_CHILD + str(error.strerror).encode())
            os._exit(0)
        if pid == 0:
            control.detach()
            return request
        for descriptor in received:
            os.close(descriptor)
        # After an exec the kernel's peak is not above that of this server, but of the program.
        own = 0 if request.mode == wire.EXECUTE else baseline
        _supervise(control, poller, pid, around, own, folder)


def _supervise(
    control: _socket.socket,
    poller: select.poll,
    pid: int,
    around: child.Surroundings,
    baseline: int,
    folder: str | None,
) -> None:
    pidfd = os.pidfd_open(pid)
    poller.register(pidfd, select.POLLIN)
    try:
        if not poller.poll(wire.GRACE_MS):
            rights = [(_socket.SOL_SOCKET, _socket.SCM_RIGHTS, struct.pack("i", pidfd))]
            control.sendmsg([wire.LONG], rights)
            poller.poll()
        if select.select([pidfd], [], [], 0)[0] == []:
            # The driver is gone; as process 1, or by PDEATHSIG, we take the child along.
            os._exit(0)
    finally:
        poller.unregister(pidfd)
        os.close(pidfd)
    _pid, status, usage = os.wait4(pid, 0)
    if folder is not None:
        empty(folder)
    control.send(
        wire.EXIT.pack(
            b"E",
            status,
            round(usage.ru_utime * 1e6),
            round(usage.ru_stime * 1e6),
            usage.ru_maxrss,
            baseline,
            notes_of(around),
        )
    )


def empty(folder: str) -> None:
    """Remove all that a program left. What cannot be removed ends this server, with the run
    unanswered: it is made again on a new one, with another folder."""
    try:
        emptying.empty(folder)
    except OSError:
        os._exit(0)


def notes_of(around: child.Surroundings) -> bytes:
    """What the child wrote: its own later notes only once it had come to the program."""
    early, late = around.early[0:16], around.notes[0:16]
    if early[wire.PHASE] != wire.RUNNING:
        return early
    phase = late[wire.PHASE] if late[wire.PHASE] in wire.LATE_PHASES else wire.RUNNING
    return bytes([phase, late[wire.FLAGS]]) + bytes(14)


def _baseline(around: child.Surroundings) -> int:
    """Resident peak, in KiB, of a child whose program is empty: the interpreter's own pages that
    running anything at all touches are not the program's."""
    pid = os.fork()
    if pid == 0:
        namespace = child.program_module("__main__")
        child.start(around)
        exec(kernel.compile_program(b"pass", child.FILE_NAME), namespace)
        child.finish(None, around.notes, namespace, thorough=False)
    _pid, _status, usage = os.wait4(pid, 0)
    return int(usage.ru_maxrss)


def program_of(request: child.Request, around: child.Surroundings, parent: int) -> Main:
    """In the child: confine, load the program, and say what is to be executed, and then what."""
    if request.mode in (wire.EXECUTE, wire.BUILD):
        from . import tools  # imported before the fork in the flavours that use it

        if request.mode == wire.EXECUTE:
            tools.execute(request, around, parent)
        child.confine(request, around, parent)
        tools.build(request, around)
    child.confine(request, around, parent)
    if request.mode == wire.TESTS:
        return call.prepare_tests(request, around)
    try:
        code = child.load_program(request, around.early)
    except BaseException as error:
        child.compile_failed(error, around.early)
        raise
    return call.prepare(request, code, around)
