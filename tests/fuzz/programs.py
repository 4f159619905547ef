"""Programs that do what programs should not: system calls, descriptors, /proc, tricks of Python.

Each is a list of statements that fail alone, then the right answer. They are composed at random;
names of files that they try to leave behind begin with MARK.
"""

from __future__ import annotations

from hypothesis import strategies as st

from microcoder_sandbox.kernel import policy
from microcoder_sandbox.kernel.syscall_numbers import TABLES

MARK = "microcoder-fuzz"
PRELUDE = """
import os, sys
try:
    import ctypes
    _libc = ctypes.CDLL(None, use_errno=True)
    _buffer = ctypes.create_string_buffer(4096)
    def call(number, *arguments):
        return _libc.syscall(*(ctypes.c_long(one) for one in (number, *arguments)))
    address = ctypes.addressof(_buffer)
except Exception:
    def call(*_): return -1
    address = 0
"""
ANSWER = "print(int(sys.__stdin__.readline()) ** 2)\n"
# Those that only wait: a program that makes one ends at its limit on the clock, and says nothing.
_WAITING = {"pause", "rt_sigsuspend", "rt_sigtimedwait", "futex", "futex_waitv", "nanosleep",
            "clock_nanosleep", "poll", "ppoll", "select", "pselect6", "epoll_wait", "epoll_pwait",
            "epoll_pwait2", "read", "recvfrom", "recvmsg", "wait4", "waitid"}  # fmt: skip
_ALLOWED = {
    name
    for rows in (policy.ROLES[policy.PYTHON], policy.SERVER, policy.FILES)
    for names, _reason in rows
    for name in names.split()
} | {row[0] for rows in (policy.CHECKED, policy.PROGRAM_CHECKED[policy.PYTHON]) for row in rows}
_NAMES = sorted((_ALLOWED & set(TABLES["x86_64"])) - _WAITING)
_PATHS = [
    f"/tmp/{MARK}", f"/var/tmp/{MARK}", f"/dev/shm/{MARK}", f"{MARK}", "/", ".", "/etc/passwd",
    "/proc/self/mem", "/proc/self/maps", "/proc/self/status", "/proc/self/fd", "/proc/self/root",
    "/proc/self/cwd", "/proc/self/exe", "/proc/self/oom_score_adj", "/proc/self/comm",
    "/proc/self/clear_refs", "/proc/self/timerslack_ns", "/proc/self/task", "/proc/self/ns/pid",
    "/proc/1/environ", "/proc/1/mem", "/proc/1/fd/3", "/proc/sys/kernel/core_pattern", "/proc/stat",
    "/dev/null", "/dev/urandom", "/dev/stdin", "/dev/stdout", "/dev/fd/1", "/dev/pts/0", "/dev/shm",
    "/sys/kernel", "/proc/self/fd/0", "/proc/self/fd/1", "/proc/self/fdinfo/0",
]  # fmt: skip
_TRICKS = [
    "raise SystemExit", "raise SystemExit('words')", "raise KeyboardInterrupt", "os._exit(0)",
    "os._exit(3)", "os.abort()", "os.kill(os.getpid(), 9)", "os.kill(os.getpid(), 19)",
    "os.kill(1, 9)", "os.kill(-1, 9)", "os.killpg(0, 9)", "os.fork()", "os.setsid()",
    "os.system('true')", "os.execv(sys.executable, ['python'])", "os.nice(-5)", "os.umask(0)",
    "import threading; threading.Thread(target=lambda: print(end='x')).start()",
    "import threading; threading.Thread(target=lambda: list(iter(int, 1)), daemon=True).start()",
    "import atexit; atexit.register(lambda: print('late'))",
    "import atexit; atexit.register(os._exit, 0)",
    "import signal; signal.signal(signal.SIGTERM, signal.SIG_IGN); signal.alarm(1)",
    "import signal; signal.setitimer(signal.ITIMER_PROF, .01, .01)",
    "import resource; resource.setrlimit(resource.RLIMIT_CPU, (1, 1))",
    "import resource; resource.setrlimit(resource.RLIMIT_NOFILE, (3, 3))",
    "import resource; resource.setrlimit(resource.RLIMIT_AS, (1, 1))",
    "sys.setrecursionlimit(10**6); f = lambda n: f(n + 1); f(0)", "sys.stdout.close()",
    "sys.stdin.close()", "sys.stderr.write('e' * 10**6)", "sys.stdout.write('o' * 3 * 10**6)",
    "sys.settrace(lambda *_: None)", "sys.modules.clear()", "del __builtins__.print",
    "__builtins__.__dict__.clear()", "import gc; gc.freeze(); gc.disable()",
    "import gc; [o.clear() for o in gc.get_objects() if type(o) is list]",
    "data = bytearray(40 << 20)", "data = bytearray(400 << 20)", "[0] * 10**9",
    "import mmap; pages = mmap.mmap(-1, 300 << 20); pages[::4096] = bytes(len(pages[::4096]))",
    "t = 0\n    while t < 3 * 10**6: t += 1", "while True: pass",
    "import socket; socket.create_connection(('127.0.0.1', 22), 1)",
    "import socket; pair = [socket.socketpair() for _ in range(300)]",
    "import subprocess; subprocess.run(['true'])", "import tempfile; tempfile.mkstemp()",
    "import multiprocessing; multiprocessing.Process(target=print).start()",
    "import asyncio; asyncio.run(asyncio.sleep(0))", "sys.excepthook = lambda *_: os._exit(0)",
    "type.__call__(type('D', (), {'__del__': lambda self: os.write(1, b'x')}))",
    "kept = [open('/dev/null') for _ in range(10**4)]", "os.closerange(0, 1024)",
    "os.closerange(3, 1024)", "[os.write(n, b'\\0' * 33) for n in range(3, 1024)]",
    "[os.read(n, 100) for n in range(3, 1024)]", "os.dup2(1, 0)", "os.dup2(0, 1)",
    "[os.dup2(1, n) for n in range(3, 512)]", "os.truncate(0, 0)", "os.write(0, b'9\\n')",
    "os.lseek(0, 0, 0)", "os.memfd_create('x')", "os.pipe()", "os.eventfd(0)",
]  # fmt: skip

_numbers = (
    st.integers(-2, 16)
    | st.sampled_from([0x5401, 1 << 12, 1 << 20, 1 << 31, (1 << 32) - 1, 1 << 47, -(1 << 63), 480])
    | st.integers(0, 2**64 - 1)
)
_argument = _numbers.map(str) | st.sampled_from(
    ["address", "address + 64", "os.getpid()", "os.getppid()"]
)
_system_call = st.builds(
    lambda name, arguments: f"call({TABLES['x86_64'][name]}, {', '.join(arguments)})  # {name}",
    st.sampled_from(_NAMES),
    st.lists(_argument, min_size=6, max_size=6),
)
_any_number = st.builds(
    lambda number, arguments: f"call({number}, {', '.join(arguments)})",
    st.integers(424, 560),  # what came late, and what is not there yet
    st.lists(_argument, min_size=6, max_size=6),
)
_path = st.sampled_from(_PATHS)
_TWO = st.sampled_from(["link", "symlink", "rename"])
_ONE = st.sampled_from(["mkdir", "unlink", "rmdir", "chroot", "chdir", "listdir", "mkfifo", "stat"])
_WRITING, _READING = st.sampled_from([1, 2, 65, 577]), st.sampled_from([0, 2048, 65536])
_on_paths = st.one_of(
    st.builds("os.write(os.open({!r}, {}), b'1\\n')".format, _path, _WRITING),
    st.builds("os.read(os.open({!r}, {}), 1000)".format, _path, _READING),
    st.builds("kept = [os.open({!r}, 0) for _ in range({})]".format, _path, st.integers(1, 400)),
    st.builds("os.{}({!r}, {!r})".format, _TWO, _path, _path),
    st.builds("os.{}({!r})".format, _ONE, _path),
    st.builds("os.{}({!r}, 0o777)".format, st.sampled_from(["chmod", "truncate", "access"]), _path),
)  # fmt: skip
_statement = st.one_of(_system_call, _system_call, _any_number, _on_paths, st.sampled_from(_TRICKS))


def _guarded(statement: str) -> str:
    return f"try:\n    {statement}\nexcept Exception:\n    pass\n"


@st.composite
def programs(draw: st.DrawFn) -> str:
    """A program that squares a number, before or after doing something else."""
    statements = draw(st.lists(_statement, min_size=1, max_size=5))
    acts = "".join(map(_guarded, statements))
    parts = [acts, ANSWER] if draw(st.booleans()) else [ANSWER, acts]
    return PRELUDE + "".join(parts)
