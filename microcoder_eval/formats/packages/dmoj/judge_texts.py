"""The texts of programs that stand for what DMOJ's judge brings with it.

Source: DMOJ's documentation of its checkers, whose names these have.
"""

from __future__ import annotations

# These compare bytes, since str.split and str.lower know more white space and letters.
CHECKER_HEAD = """\
import re
from collections import Counter

def to_bytes(text):
    return text.encode("utf-8", "surrogateescape")

def split_lines(text):
    return re.split(b"[\\r\\n]", to_bytes(text))

def read_lines(text):
    return [line for line in split_lines(text) if line]

"""
# Checkers of DMOJ's judge that no comparer here is like.
CHECKERS = {
    # The same words in each line; a number instead of a number within a tolerance.
    "floats": """\
EPSILON = 10 ** -int(ARGUMENTS.get("precision", 6))
MODE = ARGUMENTS.get("error_mode", "default")

def is_close(actual, expected):
    is_near = abs(actual - expected) <= EPSILON
    if MODE == "absolute":
        return is_near
    if MODE == "relative":
        bounds = expected * (1 - EPSILON), expected * (1 + EPSILON)
        return min(bounds) <= actual <= max(bounds)
    return is_near or abs(expected) >= EPSILON and abs(1 - actual / expected) <= EPSILON

def is_same(actual, expected):
    try:
        number = float(expected)
    except ValueError:
        return actual == expected
    try:
        return is_close(float(actual), number)
    except (ValueError, ArithmeticError):
        return False

def check(input, output, expected, *_):
    first, second = ([line.split() for line in read_lines(t)] for t in (output, expected))
    return list(map(len, first)) == list(map(len, second)) and all(
        is_same(a, b) for one, two in zip(first, second) for a, b in zip(one, two)
    )
""",
    # The same characters as often, in any order.
    "easy": """\
def check(input, output, expected, *_):
    first, second = (Counter(b"".join(to_bytes(t).split()).lower()) for t in (output, expected))
    return first == second
""",
    # A part of the points for a part of the lines.
    "linecount": """\
def check(input, output, expected, *_):
    first, second = read_lines(output), read_lines(expected)
    if len(first) > len(second) or not second:
        return not first
    return sum(a.strip() == b.strip() for a, b in zip(first, second)) / len(second)
""",
    # As linecount, with the points of each line in args.
    "linematches": """\
def check(input, output, expected, *_):
    first, second = read_lines(output), read_lines(expected)
    shares = ARGUMENTS.get("point_distribution", [1])
    if len(shares) != len(second) or sum(shares) <= 0:
        raise ValueError("point_distribution does not fit the expected lines")
    if ARGUMENTS.get("filler_lines_required", True) and len(first) != len(second):
        return False
    return sum(n for a, b, n in zip(first, second, shares) if a == b) / sum(shares)
""",
    # The same lines but for white space at their ends.
    "rstripped": """\
def check(input, output, expected, *_):
    first, second = split_lines(output), split_lines(expected)
    if ARGUMENTS.get("filter_new_line"):
        first, second = read_lines(output), read_lines(expected)
    return [line.rstrip() for line in first] == [line.rstrip() for line in second]
""",
    "sorted": """\
def check(input, output, expected, *_):
    first, second = (sorted(map(bytes.split, read_lines(text))) for text in (output, expected))
    return first == second
""",
}
MOVE_ANSWER = """\
__attribute__((constructor)) static void move_answer(int argc, char **argv) {
    if (argc > 3) argv[2] = argv[3];
}
"""
# Calls the package's check as DMOJ does; a part of the points of the test is a score below 1.
CHECK_ADAPTER = """\
import inspect
import dmoj_check
from dmoj.result import Result

def check(input, output, expected, points="1"):
    points = float(points)
    known = dict(process_output=output.encode("utf-8", "surrogateescape"),
                 judge_output=expected.encode("utf-8", "surrogateescape"),
                 judge_input=input.encode("utf-8", "surrogateescape"),
                 submission_source=b"", point_value=points, case_position=0, batch=0,
                 submission_language="", binary_data=False, execution_time=0.0,
                 problem_id="")
    known.update(ARGUMENTS)
    process, judge = known.pop("process_output"), known.pop("judge_output")
    known["result"] = Result(process)
    function = dmoj_check.check
    parameters = inspect.signature(function).parameters
    if not any(p.kind is p.VAR_KEYWORD for p in parameters.values()):
        known = {name: value for name, value in known.items() if name in parameters}
    result = function(process, judge, **known)
    if not hasattr(result, "points"):
        return bool(result)
    share = float(result.points) / points if points else float(bool(result.passed))
    return share if result.passed or 0 < share < 1 else (False, str(result.feedback or ""))
"""
# What checkers import of DMOJ's judge.
DMOJ_MODULES = {
    "dmoj/result.py": """\
class CheckerResult:
    def __init__(self, passed, points, feedback=None, extended_feedback=None):
        self.passed, self.points = passed, points
        self.feedback, self.extended_feedback = feedback, extended_feedback

class Result:
    AC, WA, RTE, TLE, MLE, IR, SC, OLE, IE = 0, 1, 2, 4, 8, 16, 32, 64, 1 << 30

    def __init__(self, proc_output):
        self.proc_output, self.result_flag, self.feedback = proc_output, self.AC, ""
""",
    "dmoj/error.py": "class InternalError(Exception):\n    pass\n",
    "dmoj/utils/unicode.py": """\
def utf8text(value, errors="strict"):
    return value.decode("utf-8", errors) if isinstance(value, bytes) else value

def utf8bytes(value):
    return value.encode("utf-8") if isinstance(value, str) else value
""",
    "dmoj/checkers/standard.py": """\
def read_words(output):
    return [words for line in output.splitlines() if (words := line.split())]

def check(process_output, judge_output, **_):
    return read_words(process_output) == read_words(judge_output)
""",
    "dmoj/checkers/identical.py": """\
def check(process_output, judge_output, **_):
    return process_output == judge_output
""",
}
# Makes a program print without a buffer.
UNBUFFERED = """\
#include <stdio.h>
__attribute__((constructor)) static void unbuffer(void) { setvbuf(stdout, 0, _IONBF, 0); }
"""
