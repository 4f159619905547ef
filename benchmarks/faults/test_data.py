"""Faults of tests: wrong, missing, damaged, contradictory."""

from __future__ import annotations

import random
import re
from copy import deepcopy

from .kinds import (
    CONTRADICTED,
    WRONG,
    Others,
    Row,
    change_value,
    fault,
    has_tests,
    is_call,
    is_stdin,
    with_tests,
)


@fault("no_tests", "unreadable", "invalid_problem")
def no_tests(row: Row, rng: random.Random, other_rows: Others) -> Row | None:
    if row["kind"] == "assert":
        return {**row, "test_code": ""}
    return with_tests(row, [])


@fault("no_tests", "invalid_problem", "unjudgeable")
def no_assertion(row: Row, rng: random.Random, other_rows: Others) -> Row | None:
    return {**row, "test_code": "x = 1\n"} if row["kind"] == "assert" else None


@fault(*WRONG, "contradictory_tests")
def wrong_output(row: Row, rng: random.Random, other_rows: Others) -> Row | None:
    if row["kind"] == "assert":
        matches = list(re.finditer(r"== ?(-?\d+)\b(?![.\w])", row["test_code"]))
        if not matches:
            return None
        match = rng.choice(matches)
        code = row["test_code"]
        return {
            **row,
            "test_code": f"{code[: match.start(1)]}{int(match[1]) + 1}{code[match.end(1) :]}",
        }
    tests = deepcopy(row["tests"])
    test = rng.choice(tests[1:] or tests)
    test["output"] = change_value(test["output"])
    return with_tests(row, tests)


@fault("test_without_input", "invalid_problem", of=(has_tests,))
def test_without_input(row: Row, rng: random.Random, other_rows: Others) -> Row | None:
    tests = deepcopy(row["tests"])
    del rng.choice(tests)["input"]
    return with_tests(row, tests)


@fault("outputs_generated", "output_not_generated", "missing_output", of=(has_tests,))
def missing_output(row: Row, rng: random.Random, other_rows: Others) -> Row | None:
    tests = deepcopy(row["tests"])
    for test in rng.sample(tests, min(3, len(tests))):
        del test["output"]
    return with_tests(row, tests)


@fault("contradictory_tests", of=(has_tests,))
def contradiction(row: Row, rng: random.Random, other_rows: Others) -> Row | None:
    test = deepcopy(rng.choice(row["tests"]))
    test["output"] = change_value(test["output"])
    return with_tests(row, [*row["tests"], test])


@fault("trivial_tests", of=(has_tests,))
def one_answer_for_all(row: Row, rng: random.Random, other_rows: Others) -> Row | None:
    first = row["tests"][0]["output"]
    return with_tests(row, [{**test, "output": first} for test in row["tests"]])


@fault("duplicate_tests", "tests_reduced", of=(has_tests,))
def tests_twice(row: Row, rng: random.Random, other_rows: Others) -> Row | None:
    return with_tests(row, [*row["tests"], *deepcopy(row["tests"][:3])])


@fault("arity_mismatch", "wrong_arity", "reference_fails", of=(is_call,))
def argument_lost(row: Row, rng: random.Random, other_rows: Others) -> Row | None:
    tests = deepcopy(row["tests"])
    rng.choice(tests)["input"].pop()
    return with_tests(row, tests)


@fault(*WRONG, "contradictory_tests", "tests_break_limits", of=(is_stdin,))
def input_and_output_swapped(row: Row, rng: random.Random, other_rows: Others) -> Row | None:
    tests = deepcopy(row["tests"])
    test = rng.choice(tests)
    test["input"], test["output"] = test["output"], test["input"]
    return with_tests(row, tests)


@fault(*WRONG, of=(is_stdin,))
def input_cut_off(row: Row, rng: random.Random, other_rows: Others) -> Row | None:
    tests = deepcopy(row["tests"])
    test = max(tests, key=lambda candidate: len(candidate["input"]))
    test["input"] = test["input"][: len(test["input"]) // 2].rstrip("0123456789-") + "\n"
    return with_tests(row, tests)


def _with_last(row: Row, **changes: str) -> Row:
    """Return the row with another last test, without programs that could detect it."""
    tests = deepcopy(row["tests"])
    tests[-1] |= changes
    return {**with_tests(row, tests), "solutions": []}


@fault("damaged_test", of=(is_stdin,))
def test_cut_for_display(row: Row, rng: random.Random, other_rows: Others) -> Row | None:
    if not re.search(r"\d \S+\s*$", row["tests"][-1]["input"]):
        return None
    return _with_last(row, input=row["tests"][-1]["input"].rstrip().rpartition(" ")[0] + " ...\n")


@fault("damaged_test", of=(has_tests,))
def crash_for_an_output(row: Row, rng: random.Random, other_rows: Others) -> Row | None:
    crash = 'Traceback (most recent call last):\n  File "main.py", line 2\nValueError: x\n'
    return _with_last(row, output=crash if row["kind"] == "stdin" else "<f object at 0x7f3a2c0b>")


@fault("damaged_test", *WRONG, of=(is_stdin,))
def unprintable_input(row: Row, rng: random.Random, other_rows: Others) -> Row | None:
    test_input = row["tests"][-1]["input"]
    return _with_last(
        row, input=rng.choice([f"\ufeff{test_input}", test_input.replace(" ", "\x00")])
    )


@fault("damaged_test", of=(is_stdin,))
def names_of_files_for_inputs(row: Row, rng: random.Random, other_rows: Others) -> Row | None:
    tests = [{"input": f"/data/{n}.in", "output": f"{n}.out"} for n in range(9)]
    return {**with_tests(row, tests), "solutions": []}


@fault("answer_in_input", of=(is_stdin,))
def answers_in_the_inputs(row: Row, rng: random.Random, other_rows: Others) -> Row | None:
    if len({test["output"] for test in row["tests"]}) < 3:
        return None
    tests = [{**test, "input": test["input"] + test["output"]} for test in row["tests"]]
    return with_tests(row, tests)


@fault(*CONTRADICTED)
def outputs_exchanged(row: Row, rng: random.Random, other_rows: Others) -> Row | None:
    tests = deepcopy(row.get("tests") or [])
    for number, test in enumerate(tests[1:], 1):
        if test["output"] != tests[0]["output"]:
            tests[0]["output"], tests[number]["output"] = test["output"], tests[0]["output"]
            return with_tests(row, tests)
    return None


@fault(*CONTRADICTED)
def outputs_shifted(row: Row, rng: random.Random, other_rows: Others) -> Row | None:
    tests = row.get("tests") or []
    outputs = [test["output"] for test in tests]
    if len({str(item) for item in outputs}) < 3:
        return None
    moved = zip(tests, [*outputs[1:], outputs[0]], strict=True)
    return with_tests(row, [{**test, "output": output} for test, output in moved])


@fault(*CONTRADICTED)
def number_cut_in_two(row: Row, rng: random.Random, other_rows: Others) -> Row | None:
    """Split a number, if the answer depends on it; otherwise the test stays right."""
    tests = deepcopy(row.get("tests") or [])
    if row["kind"] != "stdin" or not row["problem_id"].startswith(("clean/total", "clean/square")):
        return None
    test = next(
        (test_case for test_case in tests if re.search(r"\d\d\s*$", test_case["input"])), None
    )
    if test is None:
        return None
    test["input"] = test["input"].rstrip()[:-1] + "\n"
    return with_tests(row, tests)


@fault(*CONTRADICTED, "empty_output", "contradictory_tests", of=(is_stdin,))
def empty_test(row: Row, rng: random.Random, other_rows: Others) -> Row | None:
    return with_tests(row, [*row["tests"], {"input": "", "output": ""}])


@fault(*CONTRADICTED, "empty_output", of=(has_tests,))
def answer_lost(row: Row, rng: random.Random, other_rows: Others) -> Row | None:
    tests = deepcopy(row["tests"])
    rng.choice(tests)["output"] = "" if row["kind"] == "stdin" else None
    return with_tests(row, tests)


@fault(*CONTRADICTED, of=(has_tests,))
def answers_that_are_not_a_number(row: Row, rng: random.Random, other_rows: Others) -> Row | None:
    tests = deepcopy(row["tests"])
    rng.choice(tests)["output"] = "nan\n" if row["kind"] == "stdin" else {"$float": "nan"}
    return with_tests(row, tests)


@fault(*CONTRADICTED, of=(is_stdin,))
def line_ends_written_out(row: Row, rng: random.Random, other_rows: Others) -> Row | None:
    tests = deepcopy(row["tests"])
    for test in tests:
        test["input"] = test["input"].strip().replace("\n", "\\n")
    return with_tests(row, tests) if any("\\n" in test["input"] for test in tests) else None


@fault(*CONTRADICTED, of=(is_stdin,))
def explanation_in_the_output(row: Row, rng: random.Random, other_rows: Others) -> Row | None:
    tests = deepcopy(row["tests"])
    tests[0]["output"] += "Explanation: this is what the numbers give.\n"
    return with_tests(row, tests)


@fault(*CONTRADICTED, "invalid_problem", "unreadable", of=(is_call,))
def numbers_as_text(row: Row, rng: random.Random, other_rows: Others) -> Row | None:
    if not all(isinstance(value, list) for value in row["tests"][0]["input"]):
        return None
    tests = deepcopy(row["tests"])
    test = rng.choice(tests)
    test["input"] = [[str(item) for item in value] for value in test["input"]]
    return with_tests(row, tests)


@fault(*CONTRADICTED, of=(is_stdin,))
def minus_signs_of_print(row: Row, rng: random.Random, other_rows: Others) -> Row | None:
    if not any("-" in test["input"] for test in row["tests"]):
        return None
    tests = [{**test, "input": test["input"].replace("-", "\u2212")} for test in row["tests"]]
    return with_tests(row, tests)
