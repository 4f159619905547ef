"""Faults that were written before knowing what the pipeline looks for.

planted_faults.py runs them.
"""

from __future__ import annotations

import base64
import hashlib
import json
import random
import re
from collections.abc import Sequence
from copy import deepcopy

from fault_kinds import Row, fault, is_code, right_and_wrong, stated, with_tests

_NO_TEXT = ("placeholder", "not_programming", "statement_too_short", "not_text",
            "truncated_statement", "not_english")  # fmt: skip
_WRONG = ("reference_fails", "references_disagree")
Others = Sequence[Row]


# --- statements -------------------------------------------------------------------------------


@fault(*_NO_TEXT)
def link_alone(row: Row, rng: random.Random, other_rows: Others) -> Row | None:
    return stated(row, rng.choice([
        "https://www.example.com/problemset/problem/17/A",
        "Problem statement: http://example.org/p/4", "None", "N/A",
    ]))  # fmt: skip


@fault(*_NO_TEXT)
def page_of_a_server(row: Row, rng: random.Random, other_rows: Others) -> Row | None:
    return stated(row, rng.choice([
        "Sign in\nUsername\nPassword\nRemember me\nForgot your password?\nCreate an account",
        "Error 1020: You have been blocked. Performance and security by somebody.",
        "Too many requests. Please slow down and try again in a few minutes.",
    ]))  # fmt: skip


@fault("broken_markup")
def record_for_a_statement(row: Row, rng: random.Random, other_rows: Others) -> Row | None:
    return stated(row, json.dumps({"id": 4711, "title": "Sum", "content": row["statement"]}))


@fault(*_NO_TEXT)
def title_alone(row: Row, rng: random.Random, other_rows: Others) -> Row | None:
    return stated(row, rng.choice(["Maximum Profit of the Old Harbour", "A. Two Heaps of Salt"]))


@fault(*_NO_TEXT)
def editorial_or_post(row: Row, rng: random.Random, other_rows: Others) -> Row | None:
    return stated(row, rng.choice([
        "Editorial. We use dynamic programming: let dp[i] be the best answer for the first i "
        "entries. The overall complexity is O(n) and the code is below.",
        "Can someone please help me? I get wrong answer on test 7, and my code passes the samples.",
    ]))  # fmt: skip


@fault(*_NO_TEXT)
def examples_alone(row: Row, rng: random.Random, other_rows: Others) -> Row | None:
    place = row["statement"].find("## Sample")
    return stated(row, row["statement"][place:]) if place > 0 else None


@fault(*_NO_TEXT)
def base64_for_a_statement(row: Row, rng: random.Random, other_rows: Others) -> Row | None:
    return stated(row, base64.b64encode(row["statement"].encode()).decode())


@fault("broken_markup")
def line_ends_of_a_statement_written_out(
    row: Row, rng: random.Random, other_rows: Others
) -> Row | None:
    if is_code(row) or row["statement"].count("\n") < 3:
        return None
    return stated(row, row["statement"].replace("\n", "\\n"))


@fault("placeholder")
def template_unfilled(row: Row, rng: random.Random, other_rows: Others) -> Row | None:
    before = rng.choice(["{{ problem.title }}", "{% block statement %}", "At most ${MAX_N}."])
    return None if is_code(row) else stated(row, f"{before}\n\n{row['statement']}")


@fault("chat_residue", "truncated_statement")
def refusal_of_a_model(row: Row, rng: random.Random, other_rows: Others) -> Row | None:
    return stated(row, rng.choice([
        "I'm sorry, but I can't help with this task, which asks for the sum of some numbers.",
        f"As of my last knowledge update, this is the problem.\n\n{row['statement']}",
        f"{row['statement']}\n\n### Response:\n",
    ]))  # fmt: skip


@fault("personal_data")
def secret_in_a_statement(row: Row, rng: random.Random, other_rows: Others) -> Row | None:
    if is_code(row):
        return None
    return stated(
        row, f"{row['statement']}\n\nSubmit it with the key sk-proj-a8Jd93kdLs02kfLsQ0x8."
    )


@fault("names_another_function", "examples_of_another_problem")
def asks_for_another_function(row: Row, rng: random.Random, other_rows: Others) -> Row | None:
    if row["kind"] != "call" or row["entry_point"] not in row["statement"]:
        return None
    return stated(row, row["statement"].replace(row["entry_point"], "compute_it"))


@fault("tests_break_limits")
def limit_below_the_tests(row: Row, rng: random.Random, other_rows: Others) -> Row | None:
    text = row["statement"].replace("2 ≤ n ≤ 1000", "2 ≤ n ≤ 9")
    return stated(row, text) if text != row["statement"] else None


@fault("interactive")
def section_on_interaction(row: Row, rng: random.Random, other_rows: Others) -> Row | None:
    if row["kind"] != "stdin":
        return None
    return stated(
        row, f"{row['statement']}\n\n## Interaction\n\nYou may ask 20 times: print `? i`."
    )


# --- tests, limits, starter code --------------------------------------------------------------


def _with_last(row: Row, **changes: str) -> Row:
    """Return the row with another last test, without programs that could detect it."""
    tests = deepcopy(row["tests"])
    tests[-1] |= changes
    return {**with_tests(row, tests), "solutions": []}


@fault("damaged_test")
def test_cut_for_display(row: Row, rng: random.Random, other_rows: Others) -> Row | None:
    if row["kind"] != "stdin" or not re.search(r"\d \S+\s*$", row["tests"][-1]["input"]):
        return None
    return _with_last(row, input=row["tests"][-1]["input"].rstrip().rpartition(" ")[0] + " ...\n")


@fault("damaged_test")
def crash_for_an_output(row: Row, rng: random.Random, other_rows: Others) -> Row | None:
    if row["kind"] == "assert":
        return None
    crash = 'Traceback (most recent call last):\n  File "main.py", line 2\nValueError: x\n'
    return _with_last(row, output=crash if row["kind"] == "stdin" else "<f object at 0x7f3a2c0b>")


@fault("damaged_test", *_WRONG)
def unprintable_input(row: Row, rng: random.Random, other_rows: Others) -> Row | None:
    if row["kind"] != "stdin":
        return None
    test_input = row["tests"][-1]["input"]
    return _with_last(
        row, input=rng.choice([f"\ufeff{test_input}", test_input.replace(" ", "\x00")])
    )


@fault("damaged_test")
def names_of_files_for_inputs(row: Row, rng: random.Random, other_rows: Others) -> Row | None:
    if row["kind"] != "stdin":
        return None
    tests = [{"input": f"/data/{n}.in", "output": f"{n}.out"} for n in range(9)]
    return {**with_tests(row, tests), "solutions": []}


@fault("answer_in_input")
def answers_in_the_inputs(row: Row, rng: random.Random, other_rows: Others) -> Row | None:
    if row["kind"] != "stdin" or len({test["output"] for test in row["tests"]}) < 3:
        return None
    tests = [{**test, "input": test["input"] + test["output"]} for test in row["tests"]]
    return with_tests(row, tests)


@fault("implausible_limits")
def limits_in_other_units(row: Row, rng: random.Random, other_rows: Others) -> Row | None:
    limits = rng.choice([{"time_s": 2000}, {"memory_mb": 268435456}])
    return {**row, "limits": limits}


@fault("broken_starter")
def starter_that_is_no_python(row: Row, rng: random.Random, other_rows: Others) -> Row | None:
    if row["kind"] != "call" or "." in row["entry_point"]:
        return None
    name = row["entry_point"]
    code = rng.choice([f"def {name}(a:\n    return ((", f"public int {name}(int[] a) {{\n}}"])
    return {**row, "starter_code": code}


@fault("solution_in_statement")
def starter_that_is_the_solution(row: Row, rng: random.Random, other_rows: Others) -> Row | None:
    right, _ = right_and_wrong(row)
    return {**row, "starter_code": right[0]["code"]} if right and row["kind"] == "call" else None


# --- checkers and programs --------------------------------------------------------------------


@fault("careless_checker", "weak")
def checker_that_takes_any_number(row: Row, rng: random.Random, other_rows: Others) -> Row | None:
    if row["kind"] != "stdin" or not all(
        re.fullmatch(r"-?\d+\s*", test["output"]) for test in row["tests"]
    ):
        return None
    source = "def check(input, output, expected):\n    return output.strip(' -\\n').isdigit()\n"
    checker = {"source": source, "language": "python", "protocol": "python"}
    return {**row, "checker": checker, "solutions": right_and_wrong(row)[0]}


def _first_is(row: Row, code: str) -> Row:
    right, wrong = right_and_wrong(row)
    return {**row, "solutions": [{"code": code, "verdict": "AC"}, *right[1:], *wrong]}


@fault("hard_coded_reference")
def table_of_hashes(row: Row, rng: random.Random, other_rows: Others) -> Row | None:
    if row["kind"] != "stdin" or len({test["output"] for test in row["tests"]}) < 4:
        return None
    outputs = {hashlib.md5(test["input"].encode()).hexdigest(): test["output"]
             for test in row["tests"]}  # fmt: skip
    digest = "hashlib.md5(sys.stdin.read().encode()).hexdigest()"
    return _first_is(row, f"import hashlib, sys\nprint({outputs!r}[{digest}], end='')\n")


@fault("random_reference", *_WRONG)
def reference_that_is_wrong_at_times(
    row: Row, rng: random.Random, other_rows: Others
) -> Row | None:
    right, wrong = right_and_wrong(row)
    if row["kind"] != "stdin" or not right:
        return None
    code = f"import random\nif random.random() < .02:\n    print('oops')\n{right[0]['code']}"
    return {**row, "solutions": [{"code": code, "verdict": "AC"}, *wrong]}


@fault("reference_fails")
def reference_that_reads_a_file(row: Row, rng: random.Random, other_rows: Others) -> Row | None:
    right, _ = right_and_wrong(row)
    if row["kind"] != "stdin" or not right:
        return None
    return _first_is(row, f"import sys\nsys.stdin = open('input.txt')\n{right[0]['code']}")


@fault("unusable_programs")
def verdict_that_says_nothing(row: Row, rng: random.Random, other_rows: Others) -> Row | None:
    right, wrong = right_and_wrong(row)
    if len(right) < 2:
        return None
    right[1]["verdict"] = rng.choice(["maybe", "???", "in queue"])
    return {**row, "solutions": [*right, *wrong]}


# --- what is said, and copies -----------------------------------------------------------------


@fault("no_licence")
def licence_lost(row: Row, rng: random.Random, other_rows: Others) -> Row | None:
    return {key: value for key, value in row.items() if key != "licence"}


@fault("invalid_pass_rate")
def impossible_pass_rate(row: Row, rng: random.Random, other_rows: Others) -> Row | None:
    return {**row, "pass_rate": rng.choice([1.7, -0.2, "high"])}


@fault("near_duplicate", "exact_duplicate")
def copied_in_other_words(row: Row, rng: random.Random, other_rows: Others) -> Row | None:
    source = other_rows[0]
    if is_code(source) or source["kind"] == "assert" or len(source["tests"]) < 10:
        return None
    text = source["statement"]
    for old, new in (("notes", "records"), ("number", "value"), ("first", "initial"),
                     ("integer", "whole number"), ("list", "row"), ("into", "to")):  # fmt: skip
        text = text.replace(old, new)
    return {**source, "problem_id": f"{row['problem_id']}/words", "statement": text,
            "tests": source["tests"][1:]}  # fmt: skip
