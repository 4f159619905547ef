"""Golden pairs: checkers that come as source, in every protocol."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from tests.golden.pairs import Pair, stdin

TESTS = (("10\n", "1 9\n"), ("7\n", "1 6\n"))
PARTS = "n = int(input())\nprint({})"
KATTIS = (
    "import sys\nn = int(open(sys.argv[1]).read())\nassert open(sys.argv[2]).read().split()\n"
    "words = sys.stdin.read().split()\n"
    "sys.exit(42 if len(words) == 2 and int(words[0]) + int(words[1]) == n else 43)"
)
TESTLIB_CPP = """
#include "testlib.h"
int main(int argc, char **argv) {
    registerTestlibCmd(argc, argv);
    int n = inf.readInt(), a = ouf.readInt(), b = ouf.readInt();
    if (a + b == n) quitf(_ok, "a sum");
    quitf(_wa, "not the sum");
}
"""
KATTIS_CPP = """
#include <fstream>
#include <iostream>
int main(int, char **argv) {
    std::ifstream in(argv[1]);
    int n, a, b;
    in >> n;
    return std::cin >> a >> b && a + b == n ? 42 : 43;
}
"""
# What the checker above uses of testlib.h, in few lines: the real one is its user's.
HEADER = """
#include <cstdlib>
#include <fstream>
#include <iostream>
enum TResult { _ok = 0, _wa = 1 };
struct Stream { std::ifstream in; int readInt() { int x; if (!(in >> x)) exit(2); return x; } };
Stream inf, ouf, ans;
void registerTestlibCmd(int, char **v) { inf.in.open(v[1]); ouf.in.open(v[2]); ans.in.open(v[3]); }
void quitf(TResult result, const char *why) { std::cerr << why << std::endl; exit(result); }
"""
OUTPUTS = {"3, n - 3": "right", "n, 0": "right, too", "3, n": "wrong", "3": "too short"}
ANSWERS = {
    "True": "return True",
    "False": "return False",
    "False and why": "return False, 'too long'",
    "True and why": "return True, 'fine'",
    "1.0": "return 1.0",
    "half": "return .5",
    "by the expected output": "return output == expected",
    "by the input": "return output.split()[0] in input",
    "no text": "return '\\ufffd' not in output",
    "a syntax error": "return (",
    "no check": None,
}


def pairs() -> Iterator[Pair]:
    """Checkers in Python, then Kattis' protocol, then compiled ones."""
    whole = _python(
        "return len(output.split()) == 2 and sum(map(int, output.split())) == int(input)"
    )
    for printed, name in OUTPUTS.items():
        code = PARTS.format(printed)
        yield stdin(f"checker: {name}", code, *TESTS, checker=whole)
        kattis = {"source": KATTIS, "language": "python", "protocol": "kattis"}
        yield stdin(f"Kattis checker: {name}", code, *TESTS, checker=kattis)
        for protocol, source in (("kattis", KATTIS_CPP), ("testlib", TESTLIB_CPP)):
            checker = {"source": source, "language": "cpp", "protocol": protocol}
            pair = stdin(f"{protocol} checker in C++: {name}", code, *TESTS, checker=checker)
            yield replace(pair, languages=frozenset({"cpp"}))
    for name, body in ANSWERS.items():
        checker = _python(body) if body else {"source": "def chek(): pass", "language": "python"}
        yield stdin(f"checker answers: {name}", "print(1)", ("1\n", "1\n"), checker=checker)
    for name, code in {
        "fails": "print(1)\nraise ValueError",
        "does not compile": "print(1",
        "exits with 1": "print(1)\nexit(1)",
    }.items():
        always = _python("return True")
        yield stdin(f"checker is not asked: {name}", code, ("1\n", "1\n"), checker=always)


def _python(body: str) -> dict[str, Any]:
    source = f"def check(input, output, expected):\n    {body}"
    return {"source": source, "language": "python"}
