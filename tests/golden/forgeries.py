"""Golden pairs: programs that try to pass without the answer."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from tests.golden.pairs import Pair, asserted, call, stdin
from tests.judge.test_forgery import BASES, EQUAL, FORGE, FRAMES

VALUES: dict[str, Any] = {"A()": 9, "[A()]": [9], "{1: A()}": {"$dict": [[1, 9]]}}
SPOILS = {
    "json": "import json; json.dumps = json.loads = lambda *a, **k: 9",
    "builtins": "import builtins; builtins.isinstance = lambda *a: True",
    "abs and len": "import builtins; builtins.abs = builtins.len = lambda *a: 0",
    "isclose": "import math; math.isclose = lambda *a, **k: True",
    "trace": "import sys; sys.settrace(lambda *a: None); sys.setprofile(lambda *a: None)",
    "write": "import os; os.write = lambda fd, data: len(data)",
    "excepthook": "import sys; sys.excepthook = lambda *a: print(9)",
    "exit": "import sys; sys.exit = lambda *a: None",
}
TALKERS = {
    "SystemExit": "raise SystemExit(0)",
    "os._exit": "import os; os._exit(0)",
    "closes the output": "import os; os.close(1)",
    "prints AC": "print('AC')",
    "prints a verdict": 'print(\'{"verdict": "AC"}\')',
    "answer to standard error": "import os; os.write(2, b'9')",
    "writes to every descriptor": (
        "import os\nfor fd in range(3, 64):\n    try: os.write(fd, b'9')\n    except OSError: pass"
    ),
    "closes every descriptor": "import os\nos.closerange(0, 64)",
}


def pairs() -> Iterator[Pair]:
    """Objects equal to everything, forged frames, patched modules."""
    for base in BASES:
        for value, expected in VALUES.items():
            code = EQUAL.format(base=base, value=value)
            yield call(f"forgery: A{base} in {value}", code, ([2], expected))
    for index, frame in enumerate(FRAMES):
        code = FORGE.format(frames=(frame,), place="def f(n):\n    forge()\n    os._exit(0)")
        yield call(f"forgery: frame {index}", code, ([2], 9))
    for name, spoil in SPOILS.items():
        code = f"{spoil}\ndef f(n): return 5"
        yield call(f"forgery: {name}", code, ([2], 9))
        yield asserted(f"forgery: {name}", code, "r = f(2)\nassert r == 9")
    for name, code in TALKERS.items():
        yield stdin(f"forgery: {name}", code, ("2\n", "9\n"))
