"""Golden pairs: programs that read and print, how they end, and what they leave behind."""

from __future__ import annotations

from collections.abc import Iterator

from tests.commands import read_table
from tests.golden.pairs import Pair, stdin
from tests.judge.test_idioms import READS, WRITES

NUMBERS = ("3\n1 2 3\n", "6\n")
# Depends on the load of the machine: a thread that ends late may be left over.
UNSTEADY = {"a thread that outlives the program"}
TABLES = read_table(__file__)
ECHO = tuple((f"{n}\n", f"{n}\n") for n in (1, 2, 3))
# Texts too long for the table.
LONG = {
    "prints a long number": {"code": "print(10**4999)", "output": "1" + "0" * 4999},
    "reads a long number": {
        "code": "print(len(str(int(input()))))", "input": "7" * 6000 + "\n", "output": "6000"},
    "reads a large input": {
        "code": "import sys\nprint(sum(map(int, sys.stdin)))",
        "input": "1\n" * 200000, "output": "200000"},
    "reads an input of two MiB": {
        "code": "import sys\nprint(len(sys.stdin.buffer.read()))",
        "input": "x" * (2 << 20), "output": str(2 << 20)},
    "prints a megabyte": {"code": "print('ab' * 500000)", "output": "ab" * 500000},
}  # fmt: skip


def pairs() -> Iterator[Pair]:
    """Idioms, states and endings."""
    for name, code in READS.items():
        yield stdin(f"read: {name}", f"{code}\nprint(sum(d))", NUMBERS, NUMBERS)
    for name, code in WRITES.items():
        if name not in UNSTEADY:
            yield stdin(f"write: {name}", code, ("", "6\n"))
    for name, code in TABLES["states"].items():
        yield stdin(f"three tests: {name}", code, *ECHO)
    for name, row in (TABLES["endings"] | LONG).items():
        entry = row if isinstance(row, dict) else {"code": row}
        expected = entry.get("output", "1")
        test = (entry.get("input", ""), f"{expected}\n" if expected else "")
        yield stdin(f"end: {name}", entry["code"], test)
