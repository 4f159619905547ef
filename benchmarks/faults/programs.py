"""Faults of the programs that stand with a problem."""

from __future__ import annotations

import hashlib
import random
import re

from .kinds import (
    CONTRADICTED,
    WRONG,
    Others,
    Row,
    fault,
    is_stdin,
    name_task,
    split_programs,
    with_tests,
)


@fault(*WRONG)
def wrong_program_called_right(row: Row, rng: random.Random, other_rows: Others) -> Row | None:
    right, wrong = split_programs(row)
    if not wrong:
        return None
    wrong[0]["verdict"] = "AC"
    return {**row, "solutions": [*right, *wrong]}


@fault("wrong_accepted")
def right_program_called_wrong(row: Row, rng: random.Random, other_rows: Others) -> Row | None:
    right, wrong = split_programs(row)
    if len(right) < 2:
        return None
    right[-1]["verdict"] = "WA"
    return {**row, "solutions": [*right, *wrong]}


@fault("reference_fails")
def reference_does_not_compile(row: Row, rng: random.Random, other_rows: Others) -> Row | None:
    right, wrong = split_programs(row)
    if not right:
        return None
    right[0]["code"] += "\n)"
    return {**row, "solutions": [*right, *wrong]}


@fault(*WRONG, "not_english")
def reference_of_another(row: Row, rng: random.Random, other_rows: Others) -> Row | None:
    right, wrong = split_programs(row)
    source = rng.choice(other_rows)
    outputs = split_programs(source)[0]
    if not right or not outputs or name_task(source) == name_task(row):
        return None
    if row["kind"] != source["kind"] or row["kind"] == "assert":
        return None
    return {**row, "solutions": [{**outputs[0]}, *right[1:], *wrong]}


@fault("wrong_accepted", "trivial_tests")
def too_few_tests(row: Row, rng: random.Random, other_rows: Others) -> Row | None:
    _, wrong = split_programs(row)
    if not wrong or row["kind"] != "stdin" or "/square-" not in row["problem_id"]:
        return None
    # All numbers are positive, so x * abs(x) is x squared.
    tests = [test for test in row["tests"] if "-" not in test["input"]]
    return with_tests(row, tests) if len(tests) > 1 else None


def _first_is(row: Row, code: str) -> Row:
    right, wrong = split_programs(row)
    return {**row, "solutions": [{"code": code, "verdict": "AC"}, *right[1:], *wrong]}


@fault("hard_coded_reference", of=(is_stdin,))
def table_of_hashes(row: Row, rng: random.Random, other_rows: Others) -> Row | None:
    if len({test["output"] for test in row["tests"]}) < 4:
        return None
    outputs = {hashlib.md5(test["input"].encode()).hexdigest(): test["output"]
             for test in row["tests"]}  # fmt: skip
    digest = "hashlib.md5(sys.stdin.read().encode()).hexdigest()"
    return _first_is(row, f"import hashlib, sys\nprint({outputs!r}[{digest}], end='')\n")


@fault("random_reference", "flaky", *WRONG)
def reference_that_is_wrong_at_times(
    row: Row, rng: random.Random, other_rows: Others
) -> Row | None:
    right, wrong = split_programs(row)
    if row["kind"] != "stdin" or not right:
        return None
    code = f"import random\nif random.random() < .02:\n    print('oops')\n{right[0]['code']}"
    return {**row, "solutions": [{"code": code, "verdict": "AC"}, *wrong]}


@fault("reference_fails")
def reference_that_reads_a_file(row: Row, rng: random.Random, other_rows: Others) -> Row | None:
    right, _ = split_programs(row)
    if row["kind"] != "stdin" or not right:
        return None
    return _first_is(row, f"import sys\nsys.stdin = open('input.txt')\n{right[0]['code']}")


def _first_changed(row: Row, change: object) -> Row | None:
    right, wrong = split_programs(row)
    if not right or not callable(change):
        return None
    right[0] = {**right[0], "code": change(right[0]["code"])}
    return {**row, "solutions": [*right, *wrong]}


@fault(*CONTRADICTED, of=(is_stdin,))
def debug_print_in_reference(row: Row, rng: random.Random, other_rows: Others) -> Row | None:
    return _first_changed(row, lambda code: f"print('debug: start')\n{code}")


@fault(*CONTRADICTED, of=(is_stdin,))
def reference_in_python_2(row: Row, rng: random.Random, other_rows: Others) -> Row | None:
    return _first_changed(row, lambda code: re.sub(r"print\((.*)\)", r"print \1", code))


@fault(*CONTRADICTED)
def other_language_under_pythons_name(
    row: Row, rng: random.Random, other_rows: Others
) -> Row | None:
    code = "#include <iostream>\nint main() { int n; std::cin >> n; std::cout << n; }\n"
    return _first_changed(row, lambda _: code)


@fault("hard_coded_reference", of=(is_stdin,))
def reference_that_knows_the_tests(row: Row, rng: random.Random, other_rows: Others) -> Row | None:
    if len(row["tests"]) < 4:
        return None
    outputs = {test["input"]: test["output"] for test in row["tests"]}
    code = f"import sys\nprint({outputs!r}[sys.stdin.read()], end='')\n"
    return _first_changed(row, lambda _: code)


@fault("reference_too_slow", of=(is_stdin,))
def reference_that_waits(row: Row, rng: random.Random, other_rows: Others) -> Row | None:
    return _first_changed(row, lambda code: f"import time\ntime.sleep(600)\n{code}")
