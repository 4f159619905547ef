"""Golden pairs: programs far beyond a limit, of problems with small limits."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from tests.golden.pairs import Pair, asserted, call, stdin

TIME: dict[str, Any] = {"limits": {"time_s": 0.25, "wall_s": 20}}
CLOCK: dict[str, Any] = {"limits": {"time_s": 0.25, "wall_s": 0.5}}
MEMORY: dict[str, Any] = {"limits": {"memory_mb": 64}}
OUTPUT: dict[str, Any] = {"limits": {"output_mb": 1}}
FILES: dict[str, Any] = {"limits": {"files_mb": 4}}
SPIN = "while True: pass"


TWO_MB = "print('x' * (2 << 20))"
# name: (program, more of the problem); nothing is printed in time, so 1 never is.
SCRIPTS: dict[str, tuple[str, dict[str, Any]]] = {
    "endless loop": (SPIN, TIME),
    "endless loop after the answer": (f"print(1)\n{SPIN}", TIME),
    "endless loop that catches all": (
        f"while True:\n    try:\n        {SPIN}\n    except BaseException: pass", TIME),
    "endless loop in an exit handler": (
        f"import atexit\n@atexit.register\ndef f():\n    {SPIN}\nprint(1)", TIME),
    "a huge power": ("print(len(str(3 ** 10**8)))", TIME),
    "sleeps": ("import time\ntime.sleep(60)", CLOCK),
    "waits for a lock": ("import threading\na = threading.Lock()\na.acquire()\na.acquire()", CLOCK),
    "a large bytearray": ("a = bytearray(200 << 20)\nprint(1)", MEMORY),
    "a growing list": ("a = []\nwhile True: a.append(bytes(1 << 20))", MEMORY),
    "too large to be tried": ("a = [0] * 10**12", MEMORY),
    "too large to be tried, caught": ("try: a = [0] * 10**12\nexcept MemoryError: print(1)", MEMORY),
    "memory that is freed": ("a = bytearray(200 << 20)\ndel a\nprint(1)", MEMORY),
    "memory below it": ("a = bytearray(20 << 20)\nprint(1)", MEMORY),
    "endless output": ("while True: print('x' * 999)", OUTPUT),
    "two MiB of output": (TWO_MB, OUTPUT),
    "output below it": ("print('x' * 900000)", OUTPUT),
    "two MiB of errors": ("import sys\nsys.stderr.write('x' * (2 << 20))\nprint(1)", OUTPUT),
    "threads": (
        "import threading, time\nfor _ in range(9999):\n"
        "    threading.Thread(target=time.sleep, args=(9,), daemon=True).start()", {}),
    "a file that may be written": ("open('a', 'w').write('1')\nprint(open('a').read())", FILES),
    "a folder that starts empty": (
        "import os\nprint(1 + len(os.listdir('.')))\nopen('a', 'w').write('1')", FILES),
}  # fmt: skip
# What the program does on the second of three tests; it answers the others.
SECONDS = {
    "endless loop": (SPIN, TIME),
    "memory": ("a = bytearray(200 << 20)", MEMORY),
    "memory that is freed": ("a = bytearray(90 << 20); del a", MEMORY),
    "output": (TWO_MB, OUTPUT),
}
FUNCTIONS = {
    "endless loop": (f"def f(a):\n    {SPIN}", TIME),
    "endless definition": (f"def f(a): return a\n{SPIN}", TIME),
    "endless generator": ("def f(a):\n    while True: yield", TIME),
    "a large list": ("def f(a): return len([0] * (1 << 25))", MEMORY),
}


def pairs() -> Iterator[Pair]:
    """Time, clock, memory, output, threads, files."""
    for name, (code, problem) in SCRIPTS.items():
        tests = (("", "1\n"),) * (2 if problem is FILES else 1)
        yield stdin(f"limit: {name}", code, *tests, **problem)
    three = [(f"{n}\n", f"{n}\n") for n in (1, 2, 3)]
    for name, (line, problem) in SECONDS.items():
        code = f"n = int(input())\nif n == 2:\n    {line}\nprint(n)"
        yield stdin(f"limit: {name} on the second", code, *three, **problem)
    for name, (code, problem) in FUNCTIONS.items():
        yield call(f"limit: {name}", code, ([1], 1), **problem)
    for name, test_code in (("a call", "assert f(1) == 1"), ("apart", "r = f(1)\nassert r == 1")):
        code = FUNCTIONS["endless loop"][0]
        yield asserted(f"limit: endless loop, {name}", code, test_code, **TIME)
