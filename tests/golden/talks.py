"""Golden pairs: solutions that talk with an interactor."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from tests.golden.pairs import Pair, stdin

# The secret number is in the input; at most eight questions.
GUESS = """
import sys
secret = int(open(sys.argv[1]).read())
for _ in range(8):
    line = sys.stdin.readline()
    if not line.strip().isdigit():
        sys.exit(43)
    guess = int(line)
    print("<" if guess < secret else ">" if guess > secret else "=", flush=True)
    if guess == secret:
        sys.exit(42)
sys.exit(43)
"""
CPP_GUESS = """
#include <fstream>
#include <iostream>
int main(int, char **argv) {
    std::ifstream in(argv[1]);
    int secret, guess;
    in >> secret;
    for (int i = 0; i < 8; i++) {
        if (!(std::cin >> guess)) return 43;
        std::cout << (guess < secret ? "<" : guess > secret ? ">" : "=") << std::endl;
        if (guess == secret) return 42;
    }
    return 43;
}
"""
BISECT = """
low, high = 1, 100
while True:
    middle = (low + high) // 2
    print(middle, flush=True)
    answer = input()
    if answer == "=":
        break
    if answer == "<":
        low = middle + 1
    else:
        high = middle - 1
"""
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
