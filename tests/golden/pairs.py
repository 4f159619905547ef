"""The golden pairs: a problem, a solution and a name that never changes.

Their programs stand in the tables beside this module, but for texts too long for one; the verdicts
that they must get stand in verdicts.jsonl. A verdict depends on nothing but the pair: programs are
far from every limit, or far beyond it.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from microcoder_eval.compare import COMPARERS
from tests.files import read_table
from tests.judge.test_idioms import READS, WRITES
from tests.judge.worker.programs import PROGRAMS, SUM

SIX = ("3\n1 2 3\n", "6\n")
ECHO = "import sys\nsys.stdout.buffer.write(sys.stdin.buffer.read())"
ONE_TO_THREE = [(f"{n}\n", f"{n}\n") for n in (1, 2, 3)]
# Depends on the load of the machine: a thread that ends late may be left over.
UNSTEADY = {"a thread that outlives the program"}
NODE = """\
# class {node}: ...
class Solution:
    def f(self, {name}: Optional[{node}]) -> Optional[{node}]:
        """
STARTERS = {
    "list": NODE.format(node="ListNode", name="head"),
    "tree": NODE.format(node="TreeNode", name="root"),
}


@dataclass(frozen=True, slots=True)
class Pair:
    """One golden pair. languages: toolchains that judging it needs, solution and checker."""

    name: str
    problem: Mapping[str, Any]
    solution: Mapping[str, Any]
    languages: frozenset[str] = field(default=frozenset())


def all_pairs() -> Iterator[Pair]:
    """Every golden pair, in the order of verdicts.jsonl."""
    yield from _texts()
    yield from _calls()
    for name, row in _read("assertions").items():
        yield _assert_pair(name, row["code"], row["tests"])
    yield from _comparisons()
    yield from _limits()
    yield from _languages()


def _texts() -> Iterator[Pair]:
    """Idioms, states and endings of programs that read and print."""
    for name, code in READS.items():
        yield _stdin(f"read: {name}", f"{code}\nprint(sum(d))", SIX, SIX)
    for name, code in WRITES.items():
        if name not in UNSTEADY:
            yield _stdin(f"write: {name}", code, ("", "6\n"))
    table = _read("texts")
    for name, code in table["states"].items():
        yield _stdin(f"three tests: {name}", code, *ONE_TO_THREE)
    for name, row in table["endings"].items():
        entry = row if isinstance(row, dict) else {"code": row}
        expected = entry.get("output", "1")
        test = (entry.get("input", ""), f"{expected}\n" if expected else "")
        yield _stdin(f"end: {name}", entry["code"], test)
    sevens, lines, text = "7" * 6000 + "\n", "1\n" * 200000, "x" * (2 << 20)
    for name, code, given, expected in (
        ("prints a long number", "print(10**4999)", "", "1" + "0" * 4999),
        ("reads a long number", "print(len(str(int(input()))))", sevens, "6000"),
        ("reads a large input", "import sys\nprint(sum(map(int, sys.stdin)))", lines, "200000"),
        (
            "reads an input of two MiB",
            "import sys\nprint(len(sys.stdin.buffer.read()))",
            text,
            str(2 << 20),
        ),
        ("prints a megabyte", "print('ab' * 500000)", "", "ab" * 500000),
    ):
        yield _stdin(f"end: {name}", code, (given, f"{expected}\n"))


def _calls() -> Iterator[Pair]:
    """Functions that are called."""
    for name, row in _read("calls").items():
        code, tests = row.pop("code"), json.loads(row.pop("tests"))
        if starter := row.pop("starter", None):
            row["starter_code"] = STARTERS[starter]
        yield _call(name, code, *tests, **row)
    numbers = list(range(50000))
    yield _call("a large argument", "def f(a): return sum(a)", ([numbers], sum(numbers)))
    yield _call("a large result", "def f(n): return list(range(n))", ([50000], numbers))
    yield _call("a large wrong result", "def f(n): return [0] * n", ([50000], numbers))


def _comparisons() -> Iterator[Pair]:
    """Every comparer on outputs that differ in one respect, then the default's freedoms."""
    table = _read("comparers")
    for name in sorted(COMPARERS):
        yield _stdin(f"compare by {name}", ECHO, *table["texts"].values(), checker=name)
    freedoms = {
        **table["calibrated"],
        "reals on many lines": ("0.5\n" * 200, "0.50000001\n" * 200),
        "one wrong real on many lines": ("0.5\n" * 199 + "0.6\n", "0.5\n" * 200),
    }
    for name, pair in freedoms.items():
        yield _stdin(f"compare by calibrated: {name}", ECHO, pair)


def _limits() -> Iterator[Pair]:
    """Time, clock, memory, output, threads, files."""
    table = _read("limits")

    def rows(of: str) -> Iterator[tuple[str, str, dict[str, Any]]]:
        for limit, programs in table[of].items():
            problem = {"limits": table["limits"][limit]} if limit in table["limits"] else {}
            for name, code in programs.items():
                yield name, code, problem

    for name, code, problem in rows("scripts"):
        tests = [("", "1\n")] * (2 if "files_mb" in problem.get("limits", {}) else 1)
        yield _stdin(f"limit: {name}", code, *tests, **problem)
    for name, line, problem in rows("seconds"):
        code = f"n = int(input())\nif n == 2:\n    {line}\nprint(n)"
        yield _stdin(f"limit: {name} on the second", code, *ONE_TO_THREE, **problem)
    for name, code, problem in rows("functions"):
        yield _call(f"limit: {name}", code, ([1], 1), **problem)
    name, code, problem = next(rows("functions"))
    yield _assert_pair(f"limit: {name}, a call", code, "assert f(1) == 1", **problem)
    yield _assert_pair(f"limit: {name}, apart", code, "r = f(1)\nassert r == 1", **problem)


def _languages() -> Iterator[Pair]:
    """The same behaviours in each compiled language, where its toolchain is on this machine."""
    table = _read("languages")
    limits = table.pop("limits")
    broken = table.pop("does not compile")
    test = ("3 4\n", "7\n")
    for language, code in SUM.items():
        yield _compiled_pair("a sum", language, code, test, ("1 1\n", "3\n"), ("-5 5\n", "0\n"))
        yield _compiled_pair("does not compile", language, broken[language], test)
        yield _compiled_pair("crashes", language, PROGRAMS["crash"][language], test)
    for name, programs in table.items():
        problem = {"limits": limits[name]} if name in limits else {}
        for language, code in programs.items():
            yield _compiled_pair(name, language, code, test, **problem)


def _read(name: str) -> dict[str, Any]:
    return read_table(__file__, f"{name}.toml")


def _stdin(name: str, code: str, *tests: tuple[str, str], **problem: Any) -> Pair:
    """A program that reads and prints. tests: (input, expected output)."""
    return _pair(f"stdin/{name}", {"kind": "stdin", "tests": _rows(tests), **problem}, code)


def _call(name: str, code: str, *tests: tuple[list[Any], Any], **problem: Any) -> Pair:
    """A function, named f by default. tests: (arguments, expected value)."""
    row = {"kind": "call", "entry_point": "f", "tests": _rows(tests), **problem}
    return _pair(f"call/{name}", row, code)


def _assert_pair(name: str, code: str, test_code: str, **problem: Any) -> Pair:
    """A function f, judged by test code."""
    row = {"kind": "assert", "entry_point": "f", "test_code": test_code, **problem}
    return _pair(f"assert/{name}", row, code)


def _compiled_pair(
    name: str, language: str, code: str, *tests: tuple[str, str], **problem: Any
) -> Pair:
    """A program in a language that is compiled."""
    return Pair(
        f"{language}/{name}",
        {"problem_id": name, "kind": "stdin", "tests": _rows(tests), **problem},
        {"code": code, "language": language},
        frozenset({language}),
    )


def _pair(name: str, problem: Mapping[str, Any], code: str) -> Pair:
    return Pair(name, {"problem_id": name, **problem}, {"code": code})


def _rows(tests: tuple[tuple[Any, Any], ...]) -> list[dict[str, Any]]:
    return [{"input": given, "output": expected} for given, expected in tests]
