"""The records of judging. They are immutable.

    JSONL line -> Problem, Solution -> test cases -> Outcome -> TestResult -> Judgement

Workers import this package and must start in milliseconds, so it imports the standard library only.
"""

from .encoding import encode_line, sha256_of, solution_key
from .enums import Kind, Status, Verdict
from .judgement import NOT_RUN, GroupResult, Judgement, TestResult, shorten
from .limits import (
    DEFAULT_TIME_S,
    HIGHEST_LIMIT,
    LIMIT_ALIASES,
    MIN_OUTPUT_MB,
    NEAR_LIMIT_FROM,
    NEAR_LIMIT_TO,
    NO_LIMITS,
    Limits,
    check_limit,
    choose_wall_s,
    find_unusual_limits,
)
from .problem import Problem, Solution, Test
