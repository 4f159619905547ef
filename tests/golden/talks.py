"""Golden pairs: solutions that talk with an interactor."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from tests.golden.pairs import Pair, stdin
from tests.judge.worker.test_interactive import BISECT, CPP_GUESS, GUESS

SOLUTIONS = {
    "right": BISECT,
    "too many questions": "for i in range(9): print(i, flush=True); input()",
    "says nothing": "pass",
    "says nothing and fails": "raise SystemExit(3)",
    "fails in the middle": "print(50, flush=True); input(); 1 / 0",
    "words": "print('hello', flush=True); input()",
    "does not compile": "print(",
    "goes on after the end": BISECT + "print(1)",
    "finds one of two": "print(73, flush=True)\ninput()",
    "exits after the answer": BISECT + "raise SystemExit(0)",
}


def pairs() -> Iterator[Pair]:
    """Solutions in Python, with an interactor in Python and in C++."""
    tests = (("73\n", ""), ("1\n", ""))
    for name, code in SOLUTIONS.items():
        yield stdin(f"talk: {name}", code, *tests, interactor={"source": GUESS})
    compiled = {"source": CPP_GUESS, "language": "cpp", "protocol": "kattis"}
    for name in ("right", "too many questions"):
        pair = stdin(f"talk in C++: {name}", SOLUTIONS[name], *tests, interactor=compiled)
        yield replace(pair, languages=frozenset({"cpp"}))
