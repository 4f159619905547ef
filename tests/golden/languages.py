"""Golden pairs: compiled languages, where their toolchain is on this machine."""

from __future__ import annotations

from collections.abc import Iterator

from tests.golden.pairs import Pair, compiled
from tests.judge.worker.programs import PROGRAMS, SUM

BROKEN = {
    "cpp": "int main() { return x; }",
    "c": "int main(void) { return x; }",
    "java": "public class Main { public static void main(String[] a) { x; } }",
    "javascript": "const x = ;",
    "rust": "fn main() { x }",
    "go": "package main\nfunc main() { x }",
    "pypy": "def f(:\n    pass\n",
}
STATUS = {  # prints the answer and ends with a status of its own
    "cpp": '#include <cstdio>\nint main() { puts("7"); return 3; }',
    "c": '#include <stdio.h>\nint main(void) { puts("7"); return 3; }',
    "javascript": 'console.log("7"); process.exitCode = 3;',
    "rust": 'fn main() { println!("7"); std::process::exit(3) }',
}
SPIN = {
    "c": "int main(void) { for (volatile int i = 0;; i++) {} }",
    "javascript": "for (;;) {}",
}
SILENT = {"c": "int main(void) { return 0; }", "javascript": ""}
GROW = {
    "c": "#include <stdlib.h>\n#include <string.h>\n"
    "int main(void) { for (;;) { char *p = malloc(1 << 20); memset(p, 1, 1 << 20);"
    ' __asm__ volatile("" :: "r"(p) : "memory"); } }'
}
TESTS = (("3 4\n", "7\n"), ("1 1\n", "3\n"), ("-5 5\n", "0\n"))


def pairs() -> Iterator[Pair]:
    """The same behaviours in each language."""
    for language, code in SUM.items():
        yield compiled("a sum", language, code, *TESTS)
        yield compiled("does not compile", language, BROKEN[language], TESTS[0])
        yield compiled("crashes", language, PROGRAMS["crash"][language], TESTS[0])
    for language, code in STATUS.items():
        yield compiled("a status", language, code, TESTS[0])
    for language, code in SILENT.items():
        yield compiled("prints nothing", language, code, TESTS[0])
    for language, code in SPIN.items():
        yield compiled(
            "endless loop", language, code, TESTS[0], limits={"time_s": 0.3, "wall_s": 30}
        )
    for language, code in GROW.items():
        yield compiled("memory", language, code, TESTS[0], limits={"memory_mb": 64})
