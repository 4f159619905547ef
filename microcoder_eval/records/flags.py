"""The flags of results: what the judge noticed besides the verdict.

OTHER_LANGUAGE and MISSING_PACKAGE begin flags that end with a name. All others are whole.
"""

from __future__ import annotations

# Of the answer, and of a text that does not compile.
TRUNCATED = "truncated"  # the model's answer was cut off
FENCED = "fenced_code"  # it holds a fence
ESCAPED = "escaped_code"  # its line ends are backslash and n
OTHER_LANGUAGE = "other_language:"  # it is in the language that follows

# Of a run.
NEAR_LIMIT = "near_limit"  # another machine may decide otherwise
RERUN_ALONE = "rerun_alone"  # a second run, while nothing else of this judge ran
LEFT_THREADS = "left_over_threads"
EARLY_EXIT = "early_exit"  # the program ended itself where a function had to return
OTHER_ENTRY_POINT = "other_entry_point"  # the only function there is was called
MISSING_PACKAGE = "missing_package:"  # the program imports the package that follows
FLAKY = "flaky"  # runs of one command differ

# Of the problem and its tests.
ANSWERS_SUSPECTED = "multiple_answers_suspected"
DERIVED_LIMIT = "derived_limit"  # of a TLE: the limit follows from the times of right programs
IN_PROCESS_TESTS = "in_process_tests"  # they ran in the program's process
TESTS_FAILED = "tests_failed"  # no assertion failed, and yet the test code ended
NOT_CALLED = "not_called"  # of a WA: test code ran nothing of the candidate
# Of a WA: the problem's own program failed, by what that is.
FAILED = {role: f"{role}_failed" for role in ("checker", "interactor", "grader")}
