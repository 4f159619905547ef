"""No kind of problem accepts a program that does none of the work that its tests ask for.

Each problem has a right program, so that it asks for something, and idle ones in its language:
empty, ended at once with status 0, misnamed, or printing what success looks like.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any, NamedTuple

import pytest

from microcoder_eval import Judge, Limits
from microcoder_eval.compare import make_comparer
from microcoder_eval.compare.table import COMPARERS
from microcoder_sandbox.toolchains.toolchain import find_toolchain
from tests.commands import require_toolchain


class Case(NamedTuple):
    """A problem, a right program, and what success looks like to those who judge it."""

    problem: dict[str, Any]
    right: str
    language: str = "python"
    success: str = "AC"


SUM = [{"input": "1 2\n", "output": "3\n"}]
ADD = "print(sum(map(int, input().split())))"
CALLS = [{"input": [1, 2], "output": 3}]
METHOD = "class Solution:\n    def add(self, a, b):\n        return a + b"
INCREMENT = "def inc(x):\n    return x + 1"
CHECK = "def check(input, output, expected):\n    return output == expected"
TESTLIB = """
#include <cstdio>
int main(int, char **argv) {
    int value = 0;
    if (std::fscanf(std::fopen(argv[2], "r"), "%d", &value) != 1) return 2;
    return value == 3 ? 0 : 1;
}
"""
KATTIS = "import sys\nsys.exit(42 if sys.stdin.read().split() == ['3'] else 43)"
TWO_PASSES = """
import os, sys
text = sys.stdin.read().split()
if open(sys.argv[1]).read().split() == ["1", "2"] and text == ["3"]:
    open(sys.argv[3] + "nextpass.in", "w").write("3 4")
    sys.exit(42)
sys.exit(42 if text == ["7"] else 43)
"""
INTERACTOR = """
import sys
print(open(sys.argv[1]).read().strip(), flush=True)
sys.exit(42 if sys.stdin.readline().strip() == "3" else 43)
"""
TESTLIB_INTERACTOR = """
#include <cstdio>
int main() {
    int value = 0;
    std::puts("1 2");
    std::fflush(stdout);
    return std::scanf("%d", &value) == 1 && value == 3 ? 0 : 1;
}
"""
# The worst that a grader can be: it accepts whatever it is told.
GRADER = {"source": "import sys\nsys.stdin.read()\nprint('AC 10')"}
GROUP = [{"name": "all", "tests": [0], "points": 10}]
GRADED = [{**GROUP[0], "aggregation": "grader"}]


def stdin(**fields: Any) -> dict[str, Any]:
    return {"kind": "stdin", "tests": SUM, **fields}


def asserting(test_code: str, **fields: Any) -> dict[str, Any]:
    return {"kind": "assert", "test_code": test_code, **fields}


UNITTEST = "import unittest\nclass T(unittest.TestCase):\n    def test(self):\n"
CASES = {
    "stdin": Case(stdin(), ADD),
    "stdin, points": Case(stdin(groups=GROUP), ADD),
    "stdin, points that any test decides": Case(
        stdin(groups=[{**GROUP[0], "accept": "always", "aggregation": "sum"}]), ADD),
    "stdin, points that are always given": Case(
        stdin(groups=[{**GROUP[0], "accept": "always", "aggregation": "full"}]), ADD),
    "stdin, points of a grader": Case(stdin(groups=GRADED, grader=GRADER), ADD, success="AC 10"),
    "Python checker": Case(stdin(checker={"source": CHECK}), ADD, success="True"),
    "Kattis checker": Case(
        stdin(checker={"source": KATTIS, "protocol": "kattis"}), ADD, success="42"),
    "Kattis checker of two passes": Case(
        stdin(checker={"source": TWO_PASSES, "protocol": "kattis", "passes": 2}), ADD),
    "testlib checker": Case(
        stdin(checker={"source": TESTLIB, "language": "cpp", "protocol": "testlib"}), ADD,
        success="ok"),
    "Kattis interactor": Case(stdin(interactor={"source": INTERACTOR}), ADD, success="42"),
    "testlib interactor": Case(
        stdin(interactor={"source": TESTLIB_INTERACTOR, "language": "cpp", "protocol": "testlib"}),
        ADD, success="ok"),
    "call": Case({"kind": "call", "entry_point": "add", "tests": CALLS},
                 "def add(a, b):\n    return a + b", success="V3"),
    "call, method": Case({"kind": "call", "entry_point": "Solution.add", "tests": CALLS}, METHOD),
    "call, in place": Case(
        {"kind": "call", "entry_point": "turn", "tests": [{"input": [[1, 2]], "output": [2, 1]}],
         "starter_code": "def turn(items: list) -> None:\n    pass"},
        "def turn(items: list) -> None:\n    items.reverse()"),
    "call, checker": Case(
        {"kind": "call", "entry_point": "add", "tests": CALLS, "checker": {"source": CHECK}},
        "def add(a, b):\n    return a + b", success="True"),
    "literal assertions": Case(asserting("assert inc(1) == 2"), INCREMENT),
    "assertions": Case(asserting("x = inc(1)\nassert x == 2"), INCREMENT),
    "truth": Case(asserting("assert inc(1)"), INCREMENT),
    "falsehood": Case(asserting("assert not inc(1)\nassert inc(2)"),
                      "def inc(x):\n    return x - 1"),
    "inequality": Case(asserting("assert inc(1) != None"), INCREMENT),
    "membership": Case(asserting("assert inc(1) in (2, 4)"), INCREMENT),
    "check": Case(
        asserting("def check(f):\n    x = f(1)\n    assert x == 2", entry_point="inc"), INCREMENT),
    "unittest": Case(asserting(f"{UNITTEST}        self.assertEqual(inc(1), 2)"), INCREMENT),
    "pytest": Case(asserting("def test_inc():\n    assert inc(1) + 0 == 2"), INCREMENT),
    "an expected exception": Case(
        asserting("import pytest\ndef test():\n    with pytest.raises(Exception):\n        inc(1)"),
        "def inc(x):\n    raise ValueError"),
    "an exception that is passed over": Case(
        asserting("try:\n    x = inc(1)\nexcept Exception:\n    x = 2\nassert x == 2"), INCREMENT),
    "a constant": Case(asserting("assert LIMIT != 3"), "LIMIT = 5"),
    "a class": Case(asserting("s = Stack()\ns.push(1)\nassert s.pop() == 1"),
                    "class Stack:\n    def __init__(self):\n        self.items = []\n"
                    "    def push(self, item):\n        self.items.append(item)\n"
                    "    def pop(self):\n        return self.items.pop()"),
}  # fmt: skip

IDLE = {
    "python": {
        "empty": "",
        "comment": "# nothing",
        "exits": "raise SystemExit(0)",
        "ends": "import os\nos._exit(0)",
        "misnamed": "def first(*args):\n    return 2\ndef second(*args):\n    return 3",
        "lambdas": "first = second = lambda *args: 3",
        "a class without the method": "class Solution:\n    pass",
        "a function without a body": "def {name}(*args):\n    pass",
        "a method without a body": "class Solution:\n    def {name}(self, *args):\n        pass",
        "an exit in the function": "def {name}(*args):\n    raise SystemExit(0)",
        "an end in the function": "import os\ndef {name}(*args):\n    os._exit(0)",
        "prints success": "print({success!r})",
        "prints success on every stream": (
            "import os\nfor fd in range(1, 64):\n    try: os.write(fd, {success!r}.encode())\n"
            "    except OSError: pass"),
        "reports success": (
            "import os\nfor fd in range(3, 64):\n    for text in ({success!r}, {report!r}):\n"
            "        try: os.write(fd, text.encode())\n        except OSError: pass\nos._exit(0)"),
    },
    "cpp": {
        "empty": "",
        "ends": "#include <unistd.h>\nstatic int x = (_exit(0), 0);",
        "main": "int main() { return 0; }",
        "misnamed": "int other(int a, int b) { return a + b; } int another(int a) { return a; }",
        "an exit in the function": "#include <cstdlib>\nint add(int a, int b) { std::exit(0); }",
    },
    "java": {
        "empty": "",
        "misnamed": "class Solution { int other(int a) { return a; } int next() { return 0; } }",
        "ends": "class Solution { static { System.exit(0); } int add(int a, int b) { return 0; } }",
    },
    "javascript": {
        "empty": "",
        "ends": "process.exit(0);",
        "misnamed": "function other(a) { return 3; }\nfunction another(a) { return 3; }",
        "an exit in the function": "function add(a, b) { process.exit(0); }",
    },
    "rust": {
        "empty": "",
        "main": "fn main() {}",
        "misnamed": "fn other(a: i32) -> i32 { a }\nfn another(a: i32) -> i32 { a }",
        "an exit in the function": "fn add(a: i32, b: i32) -> i32 { std::process::exit(0) }",
    },
    "go": {
        "empty": "",
        "ends": 'package main\nimport "os"\nfunc init() { os.Exit(0) }\n'
        "func add(a, b int) int { return 0 }",
        "misnamed": "package main\nfunc other(a int) int { return a }",
    },
}  # fmt: skip
REPORT = json.dumps({"passed": True, "candidate_answered": True, "unsupported": False})
FUNCTIONS = {
    "cpp": "int add(int a, int b) { return a + b; }",
    "java": "class Solution { int add(int a, int b) { return a + b; } }",
    "javascript": "function add(a, b) { return a + b; }",
    "rust": "fn add(a: i32, b: i32) -> i32 { a + b }",
    "go": "package main\nfunc add(a, b int) int { return a + b }",
}
# Each with a condition that keeps the tests in the program's process, or without it.
SET_TESTS = {
    "cpp": ("int main() { @ assert(add(1, 2) == 3); }", "if (0) return 1;"),
    "java": (
        "public class Main { public static void main(String[] a) { @ "
        "if (new Solution().add(1, 2) != 3) throw new AssertionError(); } }",
        "if (a.length > 9) return;"),
    "javascript": ("@ console.assert(add(1, 2) === 3);", "if (0) {}"),
    "rust": (
        "#[cfg(test)]\nmod tests { use super::*;\n"
        "#[test] fn t() { @ assert_eq!(add(1, 2), 3); } }", "if false { return; }"),
    "go": (
        'import "testing"\nfunc TestAdd(t *testing.T) { @ if add(1, 2) != 3 { t.Fatal("") } }',
        "if false { return };"),
}  # fmt: skip


@pytest.fixture(scope="module")
def judge() -> Iterator[Judge]:
    limits = Limits(time_s=4, wall_s=60)
    with Judge(workers=2, limits=limits, reuse=False, stop="never") as judge:
        yield judge


def assert_asks_for_work(judge: Judge, case: Case, name: str) -> None:
    solution = {"code": case.right, "language": case.language}
    judgement = judge.judge(solution, case.problem)
    assert judgement.verdict == "AC", (judgement.error, judgement.tests)
    texts = {"name": name, "success": case.success, "report": REPORT}
    accepted = {}
    for idle, code in IDLE[case.language].items():
        filled = code.format(**texts) if case.language == "python" else code
        judgement = judge.judge({"code": filled, "language": case.language}, case.problem)
        if judgement.verdict in ("AC", "JE"):
            accepted[idle] = (judgement.verdict, judgement.error, judgement.tests)
    assert accepted == {}


def name_of(case: Case) -> str:
    entry = case.problem.get("entry_point") or "inc"
    return str(entry).rpartition(".")[2]


def needs_compiler(name: str) -> list[Any]:
    if not name.startswith("testlib"):
        return []
    missing = find_toolchain() is None
    return [pytest.mark.skipif(missing, reason="no g++ on this machine"), pytest.mark.slow]


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=needs_compiler(name), id=name) for name in CASES]
)
def test_an_idle_python_program_is_never_accepted(judge: Judge, name: str) -> None:
    assert_asks_for_work(judge, CASES[name], name_of(CASES[name]))


@pytest.mark.slow
@pytest.mark.parametrize("language", FUNCTIONS)
def test_an_idle_compiled_function_is_never_accepted(judge: Judge, language: str) -> None:
    require_toolchain(language)
    problem = {"kind": "call", "entry_point": "add", "tests": CALLS}
    assert_asks_for_work(judge, Case(problem, FUNCTIONS[language], language), "add")


@pytest.mark.slow
@pytest.mark.parametrize("in_process", [False, True], ids=["outside", "in process"])
@pytest.mark.parametrize("language", SET_TESTS)
def test_an_idle_program_beside_tests_in_its_language_is_never_accepted(
    judge: Judge, language: str, in_process: bool
) -> None:
    require_toolchain(language)
    tests, condition = SET_TESTS[language]
    tests = tests.replace("@", condition if in_process else "")
    problem = asserting(tests, test_language=language)
    assert_asks_for_work(judge, Case(problem, FUNCTIONS[language], language), "add")


@pytest.mark.parametrize("name", COMPARERS)
def test_no_comparer_takes_an_idle_answer_for_the_expected_one(name: str) -> None:
    expected = {"yesno": "YES\n", "nyesno": "YES\n"}.get(name, "3\n")
    if name.startswith("case"):
        expected = "Case 1: 3\n"
    comparer = make_comparer(name)
    assert comparer.compare_text(expected.encode(), expected.encode()).method is not None
    for idle in ("", "\n", " ", "\0", "\ufeff", "AC", "nan", "None", "[]"):
        assert comparer.compare_text(idle.encode(), expected.encode()).method is None, repr(idle)
