"""Golden pairs: programs that read and print, how they end, and what they leave behind."""

from __future__ import annotations

from collections.abc import Iterator

from tests.golden.pairs import Pair, stdin
from tests.judge.test_idioms import READS, WRITES

NUMBERS = ("3\n1 2 3\n", "6\n")
# Depends on the load of the machine: a thread that ends late may be left over.
UNSTEADY = {"a thread that outlives the program"}

# Each gets 3 tests (1, 2, 3 to be printed back); what one test leaves must not reach the next.
STATES = {
    "echo": "print(input())",
    "global counter": "n = 0\nn += 1\nprint(int(input()) if n == 1 else 0)",
    "global list": "seen = []\nseen.append(1)\nprint(int(input()) * len(seen))",
    "list as default": "def f(x, seen=[]):\n    seen.append(x)\n    return seen[0]\nprint(f(input()))",
    "class attribute": "class A:\n    count = 0\nA.count += 1\nprint(int(input()) * A.count)",
    "function attribute": (
        "def f(): pass\nf.n = getattr(f, 'n', 0) + 1\nprint(int(input()) * f.n)"
    ),
    "lru_cache of a constant key": (
        "from functools import lru_cache\n@lru_cache\ndef f(x): return int(input())\nprint(f(0))"
    ),
    "module attribute": (
        "import math\nmath.count = getattr(math, 'count', 0) + 1\nprint(int(input()) * math.count)"
    ),
    "builtins attribute": (
        "import builtins\nn = getattr(builtins, 'n', 0) + 1\nbuiltins.n = n\n"
        "print(int(input()) * n)"
    ),
    "sys.modules": (
        "import sys\nn = sys.modules.get('count', 0) + 1\nsys.modules['count'] = n\n"
        "print(int(input()) * n)"
    ),
    "recursion limit": (
        "import sys\nn = 1 if sys.getrecursionlimit() != 4321 else 0\nsys.setrecursionlimit(4321)\n"
        "print(int(input()) * n)"
    ),
    "environment": (
        "import os\nn = 0 if 'MARK' in os.environ else 1\nos.environ['MARK'] = '1'\n"
        "print(int(input()) * n)"
    ),
    "random generator": (
        "import random\nrandom.seed(7)\na = random.random()\nrandom.seed(7)\n"
        "print(input() if a == random.random() else 0)"
    ),
    "decimal context": (
        "import decimal\nc = decimal.getcontext()\nn = c.prec\nc.prec = 5\n"
        "print(input() if n == 28 else 0)"
    ),
    "patched print": (
        "import builtins\nold = print\ndef shout(*a): old('!', *a)\nbuiltins.print = shout\n"
        "old(input())"
    ),
    "patched input": (
        "import builtins\nbuiltins.input = lambda: '2'\nimport sys\nprint(sys.stdin.readline())"
    ),
    "a signal handler": (
        "import signal\nn = signal.getsignal(signal.SIGUSR1)\n"
        "signal.signal(signal.SIGUSR1, signal.SIG_IGN)\nprint(input() if n == 0 else 0)"
    ),
    "an exit handler": "import atexit\natexit.register(print, end='')\nprint(input())",
    "a daemon thread": (
        "import threading, time\n"
        "threading.Thread(target=time.sleep, args=(60,), daemon=True).start()\nprint(input())"
    ),
    "an open descriptor": "import os\nfd = os.dup(0)\nprint(input() if fd < 9 else 0)",
    "closed standard output": "import sys\nprint(input())\nsys.stdout.close()",
    "closed standard input": "import sys\nprint(input())\nsys.stdin.close()",
    "a reference cycle": (
        "class A:\n    pass\na = A()\na.a = a\nprint(input())"
    ),
    "a finalizer that prints": (
        "class A:\n    def __del__(self): print(self.text)\na = A()\na.text = input()"
    ),
    "a suspended generator": (
        "def g():\n    try:\n        yield 1\n    finally:\n        pass\nx = g()\nnext(x)\nprint(input())"
    ),
    "math by a star import": "from math import *\nprint(int(floor(sqrt(int(input()) ** 2))))",
    "every name by star imports": (
        "from collections import *\nfrom itertools import *\nfrom functools import *\n"
        "print(reduce(lambda a, b: a + b, chain(deque([int(input())]), [0])))"
    ),
    "a star import of sys": "from sys import *\nprint(stdin.readline().strip())",
    "heap and bisect": (
        "import heapq, bisect\nh = [3, 1, 2]\nheapq.heapify(h)\n"
        "print([heapq.heappop(h) for _ in range(3)][bisect.bisect([1, 2, 3], int(input())) - 1])"
    ),
    "a Counter": (
        "from collections import Counter\nc = Counter(input())\nprint(c.most_common(1)[0][0])"
    ),
    "deep recursion": (
        "import sys\nsys.setrecursionlimit(300000)\n"
        "def f(n): return 0 if n == 0 else 1 + f(n - 1)\nprint(int(input()) * (f(20000) == 20000))"
    ),
    "recursion too deep on the third": (
        "def f(n): return f(n + 1)\nn = int(input())\nif n == 3: f(0)\nprint(n)"
    ),
    "fails on the second": "n = int(input())\nassert n != 2\nprint(n)",
    "wrong on the second": "n = int(input())\nprint(0 if n == 2 else n)",
    "wrong on all but the first": "print(1 if input() else 0)",
    "exits early on the second": "import sys\nn = int(input())\nif n == 2: sys.exit()\nprint(n)",
    "exits with 1 on the second": (
        "import sys\nn = int(input())\nprint(n)\nif n == 2: sys.exit(1)"
    ),
    "no output on the third": "n = int(input())\nif n < 3: print(n)",
    "a match statement": "match input():\n    case '1' | '2' | '3' as n: print(n)",
    "an f-string": "n = int(input())\nprint(f'{n:>1}{\"\"}')",
    "a walrus": "print(n) if (n := input()) else None",
    "a lambda": "print((lambda n: n)(input()))",
    "a dataclass": (
        "from dataclasses import dataclass\n@dataclass\nclass P:\n    x: int\nprint(P(int(input())).x)"
    ),
    "an enum": "from enum import Enum\nE = Enum('E', 'a b c')\nprint(E(int(input())).value)",
    "a named tuple": (
        "from typing import NamedTuple\nclass P(NamedTuple):\n    x: int\nprint(P(int(input())).x)"
    ),
    "a regular expression": "import re\nprint(re.findall('[0-9]+', input())[0])",
    "fractions": "from fractions import Fraction\nprint(int(Fraction(input()) * 2 / 2))",
    "numpy": "import numpy as np\nprint(np.array([int(input())]).sum())",
    "a metaclass": (
        "class M(type):\n    def __call__(cls, x): return x\nclass A(metaclass=M): pass\nprint(A(input()))"
    ),
    "a context manager": (
        "from contextlib import contextmanager\n@contextmanager\ndef c():\n    yield input()\n"
        "with c() as n: print(n)"
    ),
    "exec": "exec('print(input())')",
    "eval": "print(eval(input()))",
    "text of a format": "print('{0}'.format(input()))",
    "json": "import json\nprint(json.loads(input()))",
    "a main guard": "def main():\n    print(input())\nif __name__ == '__main__':\n    main()",
    "a class Solution that is not asked for": (
        "class Solution:\n    def f(self, n): return n\nprint(Solution().f(input()))"
    ),
}  # fmt: skip
ECHO = tuple((f"{n}\n", f"{n}\n") for n in (1, 2, 3))

# name: (program, input, expected output)
ENDINGS = {
    "sys.exit without a status": ("import sys\nprint(1)\nsys.exit()", "", "1"),
    "sys.exit(None)": ("import sys\nprint(1)\nsys.exit(None)", "", "1"),
    "sys.exit(0)": ("import sys\nprint(1)\nsys.exit(0)", "", "1"),
    "sys.exit(False)": ("import sys\nprint(1)\nsys.exit(False)", "", "1"),
    "sys.exit(1)": ("import sys\nprint(1)\nsys.exit(1)", "", "1"),
    "sys.exit(256)": ("import sys\nprint(1)\nsys.exit(256)", "", "1"),
    "sys.exit(-1)": ("import sys\nprint(1)\nsys.exit(-1)", "", "1"),
    "sys.exit of a text": ("import sys\nprint(1)\nsys.exit('bye')", "", "1"),
    "sys.exit of an empty text": ("import sys\nprint(1)\nsys.exit('')", "", "1"),
    "sys.exit of a tuple": ("import sys\nprint(1)\nsys.exit((0,))", "", "1"),
    "os._exit(0), flushed": ("import os\nprint(1, flush=True)\nos._exit(0)", "", "1"),
    "os._exit(0), not flushed": ("import os\nprint(1)\nos._exit(0)", "", "1"),
    "os._exit(3)": ("import os\nprint(1, flush=True)\nos._exit(3)", "", "1"),
    "os.abort": ("import os\nprint(1, flush=True)\nos.abort()", "", "1"),
    "SIGTERM to itself": (
        "import os, signal\nprint(1, flush=True)\nos.kill(os.getpid(), signal.SIGTERM)", "", "1"),
    "SIGSEGV to itself": (
        "import os, signal\nprint(1, flush=True)\nos.kill(os.getpid(), signal.SIGSEGV)", "", "1"),
    "raise after the answer": ("print(1)\nraise ValueError('x')", "", "1"),
    "raise KeyboardInterrupt": ("print(1)\nraise KeyboardInterrupt", "", "1"),
    "raise SystemExit(2)": ("print(1)\nraise SystemExit(2)", "", "1"),
    "raise StopIteration": ("print(1)\nraise StopIteration", "", "1"),
    "raise in an exit handler": (
        "import atexit\ndef f(): raise ValueError\natexit.register(f)\nprint(1)", "", "1"),
    "an exception group": ("print(1)\nraise ExceptionGroup('g', [ValueError()])", "", "1"),
    "division by zero": ("print(1 // int(input()))", "0\n", "1"),
    "index out of range": ("print([1][int(input())])", "1\n", "1"),
    "key that is not there": ("print({}[input()])", "a\n", "1"),
    "attribute that is not there": ("print(input().nope)", "a\n", "1"),
    "name that is not there": ("print(nope)", "", "1"),
    "module that is not there": ("import no_such_module\nprint(1)", "", "1"),
    "unhashable key": ("print({[]: 1})", "", "1"),
    "text of a number": ("print(int(input()))", "x\n", "1"),
    "reads past the end": ("input(); print(input())", "1\n", "1"),
    "reads past the end, caught": (
        "input()\ntry: input()\nexcept EOFError: print(1)", "1\n", "1"),
    "infinite recursion": ("def f(): f()\nf()", "", "1"),
    "infinite recursion, caught": (
        "def f(): f()\ntry: f()\nexcept RecursionError: print(1)", "", "1"),
    "assertion": ("assert False, 'no'", "", "1"),
    "fork": ("import os\nos.fork()\nprint(1)", "", "1"),
    "a child process": ("import subprocess\nsubprocess.run(['true'])\nprint(1)", "", "1"),
    "a socket": ("import socket\nsocket.socket()\nprint(1)", "", "1"),
    "os.system": ("import os\nprint(1 if os.system('true') == 0 else 2)", "", "1"),
    "a file that is not its own": ("print(open('/etc/passwd').read()[:0] + '1')", "", "1"),
    "a file to write": ("open('out.txt', 'w').write('1')\nprint(1)", "", "1"),
    "an error to standard error": ("import sys\nprint('x', file=sys.stderr)\nprint(1)", "", "1"),
    "sleeps a little": ("import time\ntime.sleep(.05)\nprint(1)", "", "1"),
    "syntax error": ("print(1", "", "1"),
    "syntax error, a colon": ("if True\n    print(1)", "", "1"),
    "indentation error": ("if True:\nprint(1)", "", "1"),
    "tabs mixed with spaces": ("if True:\n\tprint(1)\n        print(2)", "", "1"),
    "Python 2": ("print 1", "", "1"),
    "return outside a function": ("return 1", "", "1"),
    "await outside a function": ("await x", "", "1"),
    "nonlocal at the top": ("nonlocal x", "", "1"),
    "an unterminated text": ("print('1)", "", "1"),
    "a zero byte": ("print(1)\x00", "", "1"),
    "an invalid character": ("print(1)\u00a0?", "", "1"),
    "brackets too deep": ("(" * 5000 + ")" * 5000, "", "1"),
    "an empty program": ("", "", "1"),
    "an empty program, nothing expected": ("", "", ""),
    "a comment": ("# print(1)", "", "1"),
    "prose": ("The answer is 1.", "", "1"),
    "a fence left in the code": ("```python\nprint(1)\n```", "", "1"),
    "prints nothing": ("pass", "", "1"),
    "prints spaces": ("print('   ')", "", "1"),
    "prints None": ("print(print(1))", "", "1"),
    "prints a byte order mark": ("print('\\ufeff1')", "", "1"),
    "prints bytes that are no text": (
        "import sys\nsys.stdout.buffer.write(b'\\xff\\xfe1')", "", "1"),
    "prints a zero byte": ("print('1\\0')", "", "1"),
    "prints a surrogate": ("print('\\ud800')", "", "1"),
    "prints DOS line ends": ("print('1\\r\\n2', end='\\r\\n')", "", "1\n2\n"),
    "prints a prompt": ("n = input('n? ')\nprint(n)", "1\n", "1"),
    "prints debug lines": ("print('debug')\nprint(1)", "", "1"),
    "prints the answer twice": ("print(1)\nprint(1)", "", "1"),
    "prints a long number": ("print(10**4999)", "", "1" + "0" * 4999),
    "prints a longer number": ("print(10**20000 == 0 or str(10**20000)[:1])", "", "1"),
    "reads a long number": ("print(len(str(int(input()))))", "7" * 6000 + "\n", "6000"),
    "prints unicode": ("print('žluťoučký')", "", "žluťoučký"),
    "reads unicode": ("print(len(input()))", "žluťoučký\n", "9"),
    "reads DOS line ends": ("print(repr(input()))", "a\r\nb\r\n", "'a'"),
    "reads mixed line ends": ("print(repr(input()))", "a\r\nb\n\nc\r\n", "'a'"),
    "reads an empty input": ("import sys\nprint(len(sys.stdin.read()))", "", "0"),
    "reads no last line end": ("print(input())", "abc", "abc"),
    "reads a large input": (
        "import sys\nprint(sum(map(int, sys.stdin)))", "1\n" * 200000, "200000"),
    "reads an input of two MiB": (
        "import sys\nprint(len(sys.stdin.buffer.read()))", "x" * (2 << 20), str(2 << 20)),
    "prints a megabyte": ("print('ab' * 500000)", "", "ab" * 500000),
    "a hash of text": ("print(hash('a') == hash('a'))", "", "True"),
    "the order of a set of numbers": ("print(*{3, 1, 2})", "", "1 2 3"),
    "the number of arguments": ("import sys\nprint(len(sys.argv))", "", "1"),
    "its own name": ("print(__name__)", "", "__main__"),
    "the version": ("import sys\nprint(sys.version_info >= (3, 11))", "", "True"),
}  # fmt: skip


def pairs() -> Iterator[Pair]:
    """Idioms, states and endings."""
    for name, code in READS.items():
        yield stdin(f"read: {name}", f"{code}\nprint(sum(d))", NUMBERS, NUMBERS)
    for name, code in WRITES.items():
        if name not in UNSTEADY:
            yield stdin(f"write: {name}", code, ("", "6\n"))
    for name, code in STATES.items():
        yield stdin(f"three tests: {name}", code, *ECHO)
    for name, (code, given, expected) in ENDINGS.items():
        yield stdin(f"end: {name}", code, (given, f"{expected}\n" if expected else ""))
