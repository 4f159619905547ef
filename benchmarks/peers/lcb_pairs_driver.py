"""Asks LiveCodeBench's graders about single pairs, one JSON line each, until the input ends.

Runs in an environment with the package ``nvidia-livecodebench``. The answer to a line
[kind, output, expected] is true or false. The graders run programs: here always the same one,
which returns its input, so that only the comparison of the pair decides.
"""

from __future__ import annotations

import functools
import json
import os
from typing import Any

from livecodebench.evaluation import testing_util

SECONDS = 60  # a time limit that is never reached
ECHO = "import sys\nsys.stdout.write(sys.stdin.read())\n"
GIVE = "def give(source):\n    return eval(source)\n"  # its preamble defines inf and nan


def accepts(kind: str, output: str, expected: str) -> bool:
    """Interpret the graders' result as run_test does: an exception is a failed test."""
    try:
        if kind == "stdin":
            results, _ = testing_util.grade_stdio(ECHO, [output], [expected], SECONDS)
        else:
            source = json.dumps(output)
            results, _ = testing_util.grade_call_based(GIVE, [source], [expected], "give", SECONDS)
    except Exception:
        return False
    return len(results) == 1 and results[0] is True


def main() -> None:
    """Answer until the input ends."""
    util: Any = testing_util
    # Made once: making the program takes milliseconds, comparing microseconds.
    util.make_function = functools.cache(util.make_function)
    util.clean_if_name = functools.cache(util.clean_if_name)
    util.compile_code = functools.cache(util.compile_code)
    # The graders print, which must not mix with the answers.
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    questions = os.fdopen(os.dup(0), encoding="utf-8")
    for line in questions:
        answers.write(json.dumps(accepts(*json.loads(line))) + "\n")
        answers.flush()


if __name__ == "__main__":
    main()
