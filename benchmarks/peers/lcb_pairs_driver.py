"""Ask LiveCodeBench's own graders about single pairs, one JSON line each, until input ends.

Runs in an environment with the package ``nvidia-livecodebench``. A line [kind, output, expected]
is answered with true or false. The graders run programs: here always the same one, which gives
back its input, so that what they compare is the pair and nothing else is theirs to get wrong.
"""

from __future__ import annotations

import functools
import json
import os
from typing import Any

from livecodebench.evaluation import testing_util

SECONDS = 60  # an alarm nobody waits for: echoing takes no time
ECHO = "import sys\nsys.stdout.write(sys.stdin.read())\n"
GIVE = "def give(source):\n    return eval(source)\n"  # inf and nan come with its preamble


def accepts(kind: str, output: str, expected: str) -> bool:
    """What run_test makes of the graders' answer: an exception is a failed test."""
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
    """Answer until there is nothing more to ask."""
    util: Any = testing_util
    # Making the program takes milliseconds, comparing microseconds: it is made once.
    util.make_function = functools.cache(util.make_function)
    util.clean_if_name = functools.cache(util.clean_if_name)
    util.compile_code = functools.cache(util.compile_code)
    # What the graders print while they work must not get among the answers.
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    questions = os.fdopen(os.dup(0), encoding="utf-8")
    for line in questions:
        answers.write(json.dumps(accepts(*json.loads(line))) + "\n")
        answers.flush()


if __name__ == "__main__":
    main()
