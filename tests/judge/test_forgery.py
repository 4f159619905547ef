"""No program gets a pass for anything but the right answer, whatever it writes and where."""

from __future__ import annotations

from itertools import product
from typing import Any

import pytest

from microcoder_eval import Verdict
from tests.commands import SharedJudge, shared_rows
from tests.judge.conftest import Judging

# Rows that may be accepted, each because it does compute the sum that is asked for.
COMPUTES = {
    "X5": "sleeps for six seconds, then prints the sum: right unless the clock's limit is shorter",
    "X7": "touches 600 MB, below the default limit of 1024 MB, then prints the sum",
}
FRAMES = (
    b'V4', b'V 4', b'V4\n', b'4', b'"4"', b'{"result": 4}', b'\x02\x00\x00\x00V4',
    b'\x00\x00\x00\x02V4', b'{"passed": true, "unsupported": false}',
    b'\x00\x00\x00\x26{"passed": true, "unsupported": false}',
)  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("row", shared_rows("exploits.jsonl"))
def test_no_known_exploit_is_accepted_unless_it_computes_the_answer(
    row: dict[str, Any],
) -> None:
    with SharedJudge(workers=1, stop="never") as judge:  # default limits: they decide on X5 and X7
        judgement = judge.judge({"code": row.pop("code")}, row)
    allowed = {"AC", "TLE"} if row["name"].split()[0] in COMPUTES else {"WA", "RE"}
    assert str(judgement.verdict) in allowed, judgement.tests


# Every descriptor but the standard streams, before, during and after the call.
FORGE = """
import os, atexit, sys
FRAMES = {frames!r}
def forge():
    for fd in range(3, 64):
        for frame in FRAMES:
            try: os.write(fd, frame)
            except OSError: pass
{place}
"""


@pytest.mark.parametrize("frame", FRAMES)
@pytest.mark.parametrize(
    "place",
    [
        "def f(n):\n    return 5\nforge(); os._exit(0)",
        "def f(n):\n    forge()\n    os._exit(0)",
    ],
)
def test_a_forged_value_that_is_not_the_answer_is_not_accepted(
    call: Judging, frame: bytes, place: str
) -> None:
    # The program cannot know the answer (9): a whole, well-formed frame is only a value.
    code = FORGE.format(frames=(frame,), place=place)
    assert call(code, ([2], 9)).verdict in ("WA", "RE", "CE")


@pytest.mark.parametrize("frame", FRAMES)
def test_a_forged_report_of_passed_assertions_is_not_accepted(
    asserts: Judging, frame: bytes
) -> None:
    place = "def f(n):\n    forge()\n    os._exit(0)\nforge()"
    judgement = asserts(FORGE.format(frames=(frame,), place=place), "r = f(2)\nassert r == 9")
    assert judgement.verdict in ("WA", "RE", "CE", "TLE")


EQUAL = """
class A{base}:
    def __eq__(self, other): return True
    def __ne__(self, other): return False
    def __lt__(self, other): return True
    __le__ = __gt__ = __ge__ = __lt__
    def __bool__(self): return True
    def __hash__(self): return 0
    def __abs__(self): return 0
    def __sub__(self, other): return 0
    __rsub__ = __sub__
    def __len__(self): return 2
    def __iter__(self): return iter([9])
    def __contains__(self, item): return True
    def __int__(self): return 9
    def __float__(self): return 9.0
    def __index__(self): return 9
    def __str__(self): return "9"
    __repr__ = __str__
    def __reduce__(self): return (int, (9,))
    def __instancecheck__(self, cls): return True
    __class__ = int
def f(n): return {value}
"""
BASES = ["", "(int)", "(float)", "(str)", "(list)", "(dict)", "(tuple)", "(set)", "(bytes)"]


WITHIN: dict[str, Any] = {"A()": 9, "[A()]": [9], "{1: A()}": {"$dict": [[1, 9]]}}
ASSERTIONS = (
    "assert f(2) == 9",
    "r = f(2)\nassert r == 9",
    "assert f(2) == [9]",
    "assert abs(f(2) - 9) < 1e-6",
    "r = f(2)\nassert 9 == r",
    "for x in [2]:\n    assert not (f(x) != 9)",
    "r = f(2)\nassert r in (9, 10)",
    "r = f(2)\nassert r is 9 or r == 9",
)


# How a value is sent depends on its base, how it is compared on the test: not each with each.
@pytest.mark.parametrize(
    ("base", "value"),
    [*product(BASES, ["A()"]), *product(["", "(int)"], ["[A()]", "{1: A()}"])],
)
def test_an_object_equal_to_everything_equals_nothing(call: Judging, base: str, value: str) -> None:
    code = EQUAL.format(base=base, value=value)
    assert call(code, ([2], WITHIN[value])).verdict in ("WA", "RE")


@pytest.mark.parametrize(
    ("base", "test_code"),
    [*product(BASES, ASSERTIONS[:2]), *product(["", "(int)"], ASSERTIONS[2:])],
)
def test_an_object_equal_to_everything_satisfies_no_assertion(
    asserts: Judging, base: str, test_code: str
) -> None:
    judgement = asserts(EQUAL.format(base=base, value="A()"), test_code)
    assert judgement.verdict in ("WA", "RE", "JE"), judgement.tests


@pytest.mark.parametrize(
    "spoil",
    [
        "import json; json.dumps = json.loads = lambda *a, **k: 9",
        "import builtins; builtins.type = lambda x: int; builtins.isinstance = lambda *a: True",
        "import builtins; builtins.abs = builtins.len = lambda *a: 0",
        "import math; math.isclose = lambda *a, **k: True",
        "import sys; sys.modules['microcoder_sandbox.wire.codec'].to_json = lambda v: 8",
        "import sys; sys.modules['microcoder_sandbox.wire.plain_values'].encode = lambda v, i: 3",
        "import sys; sys.settrace(lambda *a: None); sys.setprofile(lambda *a: None)",
        "import os; os.write = lambda fd, data: len(data)",
        "import sys; sys.excepthook = lambda *a: print(9); sys.exit = lambda *a: None",
    ],
)
def test_patching_the_interpreter_passes_no_test(
    call: Judging, asserts: Judging, spoil: str
) -> None:
    code = f"{spoil}\ndef f(n): return 5"
    assert call(code, ([2], 9)).verdict in ("WA", "RE")
    assert asserts(code, "assert f(2) == 9").verdict in ("WA", "RE")
    assert asserts(code, "r = f(2)\nassert r == 9").verdict in ("WA", "RE")


@pytest.mark.parametrize(
    "code",
    [
        "raise SystemExit(0)",
        "import os; os._exit(0)",
        "import sys; sys.stdout.close()",
        "import os; os.close(1)",
        "import os; os.closerange(0, 64)",
        "print('AC')",
        'print(\'{"verdict": "AC"}\')',
        "import sys; sys.stderr.write('9')",
        "import os; os.write(2, b'9')",
        "import os\nfor fd in range(3, 64):\n    try: os.write(fd, b'9')\n    except OSError: pass",
        "import os\nfor fd in range(64):\n    try: os.read(fd, 9)\n    except OSError: pass",
    ],
)
def test_ending_early_or_talking_to_the_judge_prints_no_answer(stdin: Judging, code: str) -> None:
    assert stdin(code, ("2", "9")).verdict in ("WA", "RE")


@pytest.mark.parametrize("ending", ["exit()", "quit()", "import os; os._exit(0)"])
def test_a_program_that_ends_while_it_is_defined_passes_no_call(
    call: Judging, asserts: Judging, ending: str
) -> None:
    code = f"def f(n): return 9\n{ending}"
    assert call(code, ([2], 9)).verdict is Verdict.RE
    assert asserts(code, "assert f(2) == 9").verdict is Verdict.RE
    assert asserts(code, "r = f(2)\nassert r == 9").verdict is Verdict.RE
