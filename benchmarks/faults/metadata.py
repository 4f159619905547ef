"""Faults of ids, dates, limits, checkers, starter code and labels."""

from __future__ import annotations

import json
import random
import re

from .kinds import Others, Row, fault, is_call, is_stdin, split_programs, with_text


@fault("unreadable")
def torn_line(row: Row, rng: random.Random, other_rows: Others) -> bytes | None:
    line = json.dumps(row).encode()
    return line[: rng.randrange(len(line) // 3, 2 * len(line) // 3)]


@fault("duplicate_id")
def name_of_another(row: Row, rng: random.Random, other_rows: Others) -> Row | None:
    return {**row, "problem_id": other_rows[0]["problem_id"]}


@fault("too_old")
def long_ago(row: Row, rng: random.Random, other_rows: Others) -> Row | None:
    return {**row, "date": f"{rng.randint(1995, 2015)}-03-0{rng.randint(1, 9)}"}


@fault("tests_break_limits")
def limit_below_the_tests(row: Row, rng: random.Random, other_rows: Others) -> Row | None:
    text = row["statement"].replace("2 ≤ n ≤ 1000", "2 ≤ n ≤ 9")
    return with_text(row, text) if text != row["statement"] else None


@fault("broken_starter", of=(is_call,))
def starter_that_is_no_python(row: Row, rng: random.Random, other_rows: Others) -> Row | None:
    if "." in row["entry_point"]:
        return None
    name = row["entry_point"]
    code = rng.choice([f"def {name}(a:\n    return ((", f"public int {name}(int[] a) {{\n}}"])
    return {**row, "starter_code": code}


@fault("solution_in_statement")
def starter_that_is_the_solution(row: Row, rng: random.Random, other_rows: Others) -> Row | None:
    right, _ = split_programs(row)
    return {**row, "starter_code": right[0]["code"]} if right and row["kind"] == "call" else None


@fault("careless_checker", "wrong_accepted", of=(is_stdin,))
def checker_that_takes_any_number(row: Row, rng: random.Random, other_rows: Others) -> Row | None:
    if not all(re.fullmatch(r"-?\d+\s*", test["output"]) for test in row["tests"]):
        return None
    source = "def check(input, output, expected):\n    return output.strip(' -\\n').isdigit()\n"
    checker = {"source": source, "language": "python", "protocol": "python"}
    return {**row, "checker": checker, "solutions": split_programs(row)[0]}


@fault("unusable_programs")
def verdict_that_says_nothing(row: Row, rng: random.Random, other_rows: Others) -> Row | None:
    right, wrong = split_programs(row)
    if len(right) < 2:
        return None
    right[1]["verdict"] = rng.choice(["maybe", "???", "in queue"])
    return {**row, "solutions": [*right, *wrong]}


@fault("no_reference")
def python_under_another_name(row: Row, rng: random.Random, other_rows: Others) -> Row | None:
    right, wrong = split_programs(row)
    if not right:
        return None
    return {**row, "solutions": [{**solution, "language": "java"} for solution in right] + wrong}


@fault("careless_checker", of=(is_stdin,))
def checker_that_accepts_all(row: Row, rng: random.Random, other_rows: Others) -> Row | None:
    source = "def check(input, output, expected):\n    return True\n"
    checker = {"source": source, "language": "python", "protocol": "python"}
    right, _ = split_programs(row)
    return {**row, "checker": checker, "solutions": right}
