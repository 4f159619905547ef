"""Every way in which real programs read and write works as in a cold interpreter."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from microcoder_eval import Judge, Judgement, Limits, Verdict

Judging = Callable[..., Judgement]
SHARED = Path(__file__).parents[2].parent / "shared" / "data" / "io_idioms.jsonl"
GIVEN, SUM = "3\n1 2 3\n", "6\n"


def _rows() -> list[Any]:
    if not SHARED.exists():
        why = f"the shared idioms are not at {SHARED}"
        return [pytest.param(None, marks=pytest.mark.skip(reason=why))]
    rows = [json.loads(line) for line in SHARED.read_text().splitlines()]
    return [pytest.param(row, id=row["name"]) for row in rows]


@pytest.mark.parametrize("row", _rows())
def test_each_shared_idiom_is_accepted(pool: Judge, row: dict[str, Any]) -> None:
    problem = {key: row[key] for key in ("kind", "tests")}
    judgement = pool.judge({"code": row["code"]}, problem)
    assert judgement.verdict is Verdict.AC, judgement.tests


# Each reads the numbers of the second line of GIVEN into d, its own way.
READS = {
    "numpy loadtxt": "import numpy as np\nd = np.loadtxt(open(0), skiprows=1, dtype=int)",
    "numpy fromstring": (
        "import sys, numpy as np\nd = np.array(sys.stdin.read().split(), dtype=np.int64)[1:]"
    ),
    "numpy fromfile": (
        "import sys, numpy as np\nd = np.fromfile(sys.stdin, dtype=int, sep=' ')[1:]"
    ),
    "numpy genfromtxt": (
        "import sys, numpy as np\nd = np.genfromtxt(sys.stdin.buffer, skip_header=1)\n"
        "d = [int(x) for x in d]"
    ),
    "mmap": "import mmap\nd = map(int, mmap.mmap(0, 0, prot=mmap.PROT_READ)[:].split()[1:])",
    "mmap with access": (
        "import mmap\nd = map(int, mmap.mmap(0, 0, access=mmap.ACCESS_READ).read().split()[1:])"
    ),
    "/dev/stdin": "d = map(int, open('/dev/stdin').read().split()[1:])",
    "/dev/stdin, binary": "d = map(int, open('/dev/stdin', 'rb').read().split()[1:])",
    "/dev/fd/0": "d = map(int, open('/dev/fd/0').read().split()[1:])",
    "/proc/self/fd/0": "d = map(int, open('/proc/self/fd/0').read().split()[1:])",
    "select": (
        "import select, sys\nassert select.select([sys.stdin], [], [], 1)[0]\n"
        "input(); d = map(int, input().split())"
    ),
    "poll": (
        "import select, sys\np = select.poll(); p.register(0, select.POLLIN)\n"
        "assert p.poll(1000)\ninput(); d = map(int, input().split())"
    ),
    "fileno": ("import os, sys\nd = map(int, os.read(sys.stdin.fileno(), 1 << 16).split()[1:])"),
    "seek and tell": (
        "import sys\nsys.stdin.read(); sys.stdin.seek(0); assert sys.stdin.tell() == 0\n"
        "d = map(int, sys.stdin.read().split()[1:])"
    ),
    "read twice through seek on the buffer": (
        "import sys\na = sys.stdin.buffer.read(); sys.stdin.buffer.seek(0)\n"
        "b = sys.stdin.buffer.read(); assert a == b\nd = map(int, b.split()[1:])"
    ),
    "lseek": (
        "import os\nn = os.lseek(0, 0, os.SEEK_END); os.lseek(0, 0, 0)\n"
        "d = map(int, os.read(0, n).split()[1:])"
    ),
    "pread": "import os\nd = map(int, os.pread(0, 100, 2).split())",
    "open(0) twice": (
        "a = open(0, closefd=False).read()\nb = open(0, closefd=False).read()\nassert b == ''\n"
        "import os; os.lseek(0, 0, 0)\nd = map(int, os.read(0, 99).split()[1:])"
    ),
    "open(0) closes standard input": (
        "d = [int(x) for x in open(0).read().split()[1:]]\n"
        "try: input()\nexcept (OSError, ValueError, EOFError): pass"
    ),
    "iterating open(0)": "n, *d = (int(x) for line in open(0) for x in line.split())",
    "dup2": (
        "import os\nos.dup2(0, 7); f = os.fdopen(7)\nf.readline(); d = map(int, f.read().split())"
    ),
    "fdopen": "import os\nf = os.fdopen(0)\nf.readline(); d = map(int, f.read().split())",
    "fileinput": (
        "import fileinput\nlines = [line for line in fileinput.input()]\n"
        "d = map(int, lines[1].split())"
    ),
    "fileinput with FileInput": (
        "from fileinput import FileInput\nf = FileInput(); f.readline()\n"
        "d = map(int, f.readline().split())"
    ),
    "thread": (
        "import threading\nout = []\n"
        "def main():\n    input(); out.extend(map(int, input().split()))\n"
        "t = threading.Thread(target=main); t.start(); t.join(); d = out"
    ),
    "TextIOWrapper": (
        "import io, sys\ns = io.TextIOWrapper(sys.stdin.buffer)\n"
        "s.readline(); d = map(int, s.readline().split())"
    ),
    "reconfigure": (
        "import sys\nsys.stdin.reconfigure(encoding='latin-1')\n"
        "input(); d = map(int, input().split())"
    ),
    "readlines": "import sys\nd = map(int, sys.stdin.readlines()[1].split())",
    "next(sys.stdin)": "import sys\nnext(sys.stdin); d = map(int, next(sys.stdin).split())",
    "sys.__stdin__": "import sys\nsys.__stdin__.readline(); d = map(int, input().split())",
    "codecs": (
        "import codecs, sys\nr = codecs.getreader('utf-8')(sys.stdin.buffer)\n"
        "d = map(int, r.read().split()[1:])"
    ),
    "readinto": (
        "import sys\nb = bytearray(64); n = sys.stdin.buffer.readinto(b)\n"
        "d = map(int, b[:n].split()[1:])"
    ),
    "raw": "import sys\nd = map(int, sys.stdin.buffer.raw.read().split()[1:])",
    "isatty": "import sys\nassert not sys.stdin.isatty()\ninput(); d = map(int, input().split())",
    "pathlib": "import pathlib\nd = map(int, pathlib.Path('/dev/stdin').read_text().split()[1:])",
    "csv": "import csv, sys\nd = map(int, list(csv.reader(sys.stdin, delimiter=' '))[1])",
    "asserting its own name": (
        "import __main__, sys\nassert sys.modules['__main__'] is __main__\n"
        "assert __name__ == '__main__' and len(sys.argv) == 1\n"
        "input(); d = map(int, input().split())"
    ),
}


@pytest.mark.parametrize("name", READS)
def test_each_way_to_read_reads_the_input(stdin: Judging, name: str) -> None:
    code = READS[name]
    if "numpy" in code:
        pytest.importorskip("numpy")
    judgement = stdin(f"{code}\nprint(sum(d))", (GIVEN, SUM), (GIVEN, SUM))
    assert judgement.verdict is Verdict.AC, judgement.tests


# Each prints 6, its own way.
WRITES = {
    "without a newline": "print(6, end='')",
    "the user's locale": "import locale\nlocale.setlocale(locale.LC_ALL, '')\nprint(f'{6:n}')",
    "atexit": "import atexit\natexit.register(print, 6)",
    "atexit, after exit": "import atexit\natexit.register(lambda: print(6))\nexit()",
    "sys.__stdout__": "import sys\nprint(6, file=sys.__stdout__)",
    "dup": "import os\nos.write(os.dup(1), b'6')",
    "dup2, to and fro": (
        "import os\nkept = os.dup(1); r, w = os.pipe(); os.dup2(w, 1); print('lost', flush=True)\n"
        "os.dup2(kept, 1); print(6)"
    ),
    "standard error joined to output": "import os, sys\nos.dup2(1, 2); print(6, file=sys.stderr)",
    "redirected to /dev/null in between": (
        "import os, sys\nkept = os.dup(1); null = os.open('/dev/null', os.O_WRONLY)\n"
        "os.dup2(null, 1); print('lost', flush=True); os.dup2(kept, 1); print(6)"
    ),
    "open(1, 'w')": "open(1, 'w').write('6')",
    "open(1), left open": "f = open(1, 'w', closefd=False)\nf.write('6')",
    "fdopen": "import os\nf = os.fdopen(1, 'w', 1)\nprint(6, file=f)",
    "/dev/stdout": "open('/dev/stdout', 'w').write('6')",
    "/dev/fd/1": "print(6, file=open('/dev/fd/1', 'w'))",
    "reopened with a buffer": "import sys\nsys.stdout = open(1, 'w', 1 << 16)\nprint(6)",
    "StringIO": (
        "import io, sys\nout, sys.stdout = sys.stdout, io.StringIO()\nprint(6)\n"
        "out.write(sys.stdout.getvalue())"
    ),
    "redirect_stdout": (
        "import contextlib, io\ns = io.StringIO()\nwith contextlib.redirect_stdout(s): print(6)\n"
        "print(s.getvalue())"
    ),
    "detach": "import sys\nsys.stdout.detach().write(b'6')\nsys.stdout = sys.__stdout__ = None",
    "buffer of the buffer": "import io, sys\nio.BufferedWriter(sys.stdout.buffer.raw).write(b'6')",
    "a thread that outlives the program": (
        "import threading, time\n"
        "threading.Thread(target=lambda: (time.sleep(0.05), print(6))).start()"
    ),
    "print as a stdout.write": "import sys\nprint = sys.stdout.write\nprint('6')",
    "__del__": "class A:\n    def __del__(self): print(6)\na = A()",
    "a generator closed at the end": (
        "def f():\n    try: yield\n    finally: print(6)\ng = f()\nnext(g)"
    ),
    "a generator that catches its end": (
        "def f():\n    try: yield\n    except GeneratorExit: print(6)\ng = f()\nnext(g)"
    ),
    "exit": "print(6)\nexit()",
    "exit(0)": "print(6)\nexit(0)",
    "quit": "print(6)\nquit()",
    "sys.exit in a function": "import sys\ndef f():\n    print(6); sys.exit()\nf()",
    "raise SystemExit": "print(6)\nraise SystemExit",
    "sys.exit in a try": (
        "import sys\ntry:\n    print(6); sys.exit()\nfinally:\n    sys.stderr.write('bye')"
    ),
    "return code in a finally": "try: print(6)\nfinally: exit()",
    "os._exit after a flush": "import os\nprint(6, flush=True)\nos._exit(0)",
    "a main guard in the middle": (
        "def main(): print(6)\nif __name__ == '__main__': main()\ndef unused(): pass"
    ),
    "a main guard in brackets": "if (__name__) == ('__main__'): print(6)",
    "not the guard": "if __name__ != '__main__': raise SystemExit(1)\nprint(6)",
    "from __future__ after a docstring": (
        "'''doc'''\nfrom __future__ import annotations\ndef f(x: no) -> such: pass\nprint(6)"
    ),
    "dataclass under postponed annotations": (
        "from __future__ import annotations\nfrom dataclasses import dataclass\n"
        "@dataclass\nclass A:\n    x: int\n    y: list[A] | None = None\nprint(A(6).x)"
    ),
    "an encoding line": "# -*- coding: latin-1 -*-\nprint(6)",
    "a byte order mark": "\ufeffprint(6)",
    "tabs and carriage returns": "if True:\r\n\tprint(6)\r\n",
    "no last newline, a comment": "print(6)  # end",
    "globals": "globals()['x'] = 6\nprint(x)",
    "exec": "exec('x = 6')\nprint(x)",
    "pickle of its own class": (
        "import pickle\nclass A:\n    x = 6\nprint(pickle.loads(pickle.dumps(A())).x)"
    ),
    "inspect of its own source": (
        "import inspect\ndef f(): return 1\n"
        "assert inspect.getsource(f).startswith('def f')\nprint(6)"
    ),
    "a recursion limit of a million": (
        "import sys\nsys.setrecursionlimit(10**6)\n"
        "def f(n): return n and 1 + f(n - 1)\nassert f(50000) == 50000\nprint(6)"
    ),
    "a thread with a big stack": (
        "import sys, threading\nsys.setrecursionlimit(10**7)\nthreading.stack_size(200 << 20)\n"
        "def f(n): return n and 1 + f(n - 1)\n"
        "def main():\n    assert f(100000) == 100000\n    print(6)\n"
        "t = threading.Thread(target=main); t.start(); t.join()"
    ),
    "a signal handler": (
        "import signal\nsignal.signal(signal.SIGALRM, lambda *a: print(6))\n"
        "signal.alarm(1)\nsignal.pause()"
    ),
    "a temporary file it does not need": (
        "import tempfile\ntry: tempfile.TemporaryFile()\nexcept OSError: pass\nprint(6)"
    ),
    "the environment": "import os\nprint(6 if os.environ.get('ONLINE_JUDGE') is None else 6)",
    "random, seeded": "import random\nrandom.seed(1)\nprint(6 if 0 <= random.random() < 1 else 0)",
    "a very long line": "print(' ' * 1000000 + '6')",
    "warnings": "import warnings\nwarnings.warn('careful')\nprint(6)",
    "an invalid escape": "x = '\\d'\nprint(6)",
    "asyncio": "import asyncio\nasync def main(): print(6)\nasyncio.run(main())",
    "thirty-two threads": (
        "import threading\nthere = threading.Barrier(33)\n"
        "for _ in range(32): threading.Thread(target=there.wait).start()\n"
        "there.wait()\nprint(6)"
    ),
    "a pool of threads": (
        "from concurrent.futures import ThreadPoolExecutor\n"
        "with ThreadPoolExecutor(2) as p: print(sum(p.map(int, '123')))"
    ),
    "decimal and fractions": (
        "from decimal import *\nfrom fractions import Fraction\n"
        "print(int(Decimal('6.0') * Fraction(1).numerator))"
    ),
    "sortedcontainers": "from sortedcontainers import SortedList\nprint(SortedList([6, 7])[0])",
}  # fmt: skip


@pytest.mark.parametrize("name", WRITES)
def test_each_way_to_write_and_to_end_gives_the_output(stdin: Judging, name: str) -> None:
    if name == "sortedcontainers":
        pytest.importorskip("sortedcontainers")
    judgement = stdin(WRITES[name], ("", SUM))
    assert judgement.verdict is Verdict.AC, judgement.tests


FAST_IO = """
import os, sys
from io import BytesIO, IOBase
BUFSIZE = 8192
class FastIO(IOBase):
    newlines = 0
    def __init__(self, file):
        self._fd = file.fileno()
        self.buffer = BytesIO()
        self.writable = "x" in file.mode or "r" not in file.mode
        self.write = self.buffer.write if self.writable else None
    def read(self):
        while True:
            b = os.read(self._fd, max(os.fstat(self._fd).st_size, BUFSIZE))
            if not b:
                break
            ptr = self.buffer.tell()
            self.buffer.seek(0, 2), self.buffer.write(b), self.buffer.seek(ptr)
        self.newlines = 0
        return self.buffer.read()
    def readline(self):
        while self.newlines == 0:
            b = os.read(self._fd, max(os.fstat(self._fd).st_size, BUFSIZE))
            self.newlines = b.count(b"\\n") + (not b)
            ptr = self.buffer.tell()
            self.buffer.seek(0, 2), self.buffer.write(b), self.buffer.seek(ptr)
        self.newlines -= 1
        return self.buffer.readline()
    def flush(self):
        if self.writable:
            os.write(self._fd, self.buffer.getvalue())
            self.buffer.truncate(0), self.buffer.seek(0)
class IOWrapper(IOBase):
    def __init__(self, file):
        self.buffer = FastIO(file)
        self.flush = self.buffer.flush
        self.writable = self.buffer.writable
        self.write = lambda s: self.buffer.write(s.encode("ascii"))
        self.read = lambda: self.buffer.read().decode("ascii")
        self.readline = lambda: self.buffer.readline().decode("ascii")
sys.stdin, sys.stdout = IOWrapper(sys.stdin), IOWrapper(sys.stdout)
input = lambda: sys.stdin.readline().rstrip("\\r\\n")
"""  # the template of many contestants


@pytest.mark.parametrize("flush", ["", "\nsys.stdout.flush()"])
def test_the_fast_io_template_of_contestants_works(stdin: Judging, flush: str) -> None:
    code = f"{FAST_IO}\nn = int(input())\nprint(sum(map(int, input().split()))){flush}"
    assert stdin(code, (GIVEN, SUM)).verdict is Verdict.AC


BYTES_OF_INPUT = 100_000_000


@pytest.mark.slow
@pytest.mark.parametrize(
    "code",
    [
        "import sys\nprint(sum(map(len, sys.stdin.buffer)))",
        "import sys\nn = 0\nwhile b := sys.stdin.buffer.read(1 << 20): n += len(b)\nprint(n)",
        "import os\nprint(len(os.read(0, os.fstat(0).st_size)))",
        "print(len(open(0).read()))",
    ],
)
def test_a_hundred_megabytes_of_input_are_read(code: str) -> None:
    line = "1234567 " * 124 + "1234567\n"
    text = line * (BYTES_OF_INPUT // len(line))
    limits = Limits(time_s=20, memory_mb=1024)
    with Judge(workers=1, limits=limits) as judge:
        judgement = judge.judge({"code": code}, [{"input": text, "output": str(len(text))}])
    assert judgement.verdict is Verdict.AC, judgement.tests


@pytest.mark.parametrize(
    ("code", "given", "expected"),
    [
        ("print(len(input()))", b"\xff\xfe\xe9\n", b"3"),
        ("import sys\nsys.stdout.write(sys.stdin.read())", b"a\xffb", b"a\xffb"),
        ("import sys\nprint(len(sys.stdin.buffer.read()))", bytes(range(256)), b"256\n"),
        ("print(input().upper())", "é…\n".encode(), "É…\n".encode()),
        ("print(repr(input()))", b"a\r\n", b"'a\\r'\n"),
        ("import sys\nprint(len(sys.stdin.read()))", b"a\x00b\x1a", b"4\n"),
        ("import sys\nprint(sys.stdin.encoding, sys.stdout.encoding)", b"", b"utf-8 utf-8\n"),
    ],
)
def test_input_that_is_not_utf8_arrives_and_leaves_as_it_is(
    pool: Judge, code: str, given: bytes, expected: bytes
) -> None:
    outcome = pool.run(code, given)
    assert outcome.exit == 0, outcome.stderr
    assert outcome.stdout.rstrip(b"\n") == expected.rstrip(b"\n")
