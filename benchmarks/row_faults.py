"""Faults of tests, solutions, names and dates, and copies of evaluation problems.

planted_faults.py runs them.
"""

from __future__ import annotations

import json
import random
import re
from collections.abc import Sequence
from copy import deepcopy

from fault_kinds import (
    Row,
    fault,
    is_code,
    right_and_wrong,
    stated,
    task_of,
    with_tests,
    wrong_value,
)

# --- tests ------------------------------------------------------------------------------------


@fault("no_tests", "unreadable", "invalid_problem")
def no_tests(row: Row, rng: random.Random, other_rows: Sequence[Row]) -> Row | None:
    if row["kind"] == "assert":
        return {**row, "test_code": ""}
    return with_tests(row, [])


@fault("no_tests", "invalid_problem", "unjudgeable")
def no_assertion(row: Row, rng: random.Random, other_rows: Sequence[Row]) -> Row | None:
    return {**row, "test_code": "x = 1\n"} if row["kind"] == "assert" else None


@fault("reference_fails", "references_disagree", "contradictory_tests")
def wrong_output(row: Row, rng: random.Random, other_rows: Sequence[Row]) -> Row | None:
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
    test["output"] = wrong_value(test["output"])
    return with_tests(row, tests)


@fault("test_without_input", "invalid_problem")
def test_without_input(row: Row, rng: random.Random, other_rows: Sequence[Row]) -> Row | None:
    if row["kind"] == "assert":
        return None
    tests = deepcopy(row["tests"])
    del rng.choice(tests)["input"]
    return with_tests(row, tests)


@fault("outputs_generated", "output_not_generated", "missing_output")
def missing_output(row: Row, rng: random.Random, other_rows: Sequence[Row]) -> Row | None:
    if row["kind"] == "assert":
        return None
    tests = deepcopy(row["tests"])
    for test in rng.sample(tests, min(3, len(tests))):
        del test["output"]
    return with_tests(row, tests)


@fault("contradictory_tests")
def contradiction(row: Row, rng: random.Random, other_rows: Sequence[Row]) -> Row | None:
    if row["kind"] == "assert":
        return None
    test = deepcopy(rng.choice(row["tests"]))
    test["output"] = wrong_value(test["output"])
    return with_tests(row, [*row["tests"], test])


@fault("constant_answer")
def one_answer_for_all(row: Row, rng: random.Random, other_rows: Sequence[Row]) -> Row | None:
    if row["kind"] == "assert":
        return None
    first = row["tests"][0]["output"]
    return with_tests(row, [{**test, "output": first} for test in row["tests"]])


@fault("duplicate_tests", "tests_reduced")
def tests_twice(row: Row, rng: random.Random, other_rows: Sequence[Row]) -> Row | None:
    if row["kind"] == "assert":
        return None
    return with_tests(row, [*row["tests"], *deepcopy(row["tests"][:3])])


@fault("arity_mismatch", "wrong_arity", "reference_fails")
def argument_lost(row: Row, rng: random.Random, other_rows: Sequence[Row]) -> Row | None:
    if row["kind"] != "call":
        return None
    tests = deepcopy(row["tests"])
    rng.choice(tests)["input"].pop()
    return with_tests(row, tests)


@fault("reference_fails", "references_disagree", "contradictory_tests", "tests_break_limits")
def input_and_output_swapped(row: Row, rng: random.Random, other_rows: Sequence[Row]) -> Row | None:
    if row["kind"] != "stdin":
        return None
    tests = deepcopy(row["tests"])
    test = rng.choice(tests)
    test["input"], test["output"] = test["output"], test["input"]
    return with_tests(row, tests)


@fault("reference_fails", "references_disagree")
def input_cut_off(row: Row, rng: random.Random, other_rows: Sequence[Row]) -> Row | None:
    if row["kind"] != "stdin":
        return None
    tests = deepcopy(row["tests"])
    test = max(tests, key=lambda candidate: len(candidate["input"]))
    test["input"] = test["input"][: len(test["input"]) // 2].rstrip("0123456789-") + "\n"
    return with_tests(row, tests)


@fault("reference_fails", "references_disagree", "arity_mismatch", "wrong_arity",
       "exact_duplicate", "examples_of_another_problem", "example_contradicts_tests")  # fmt: skip
def tests_of_another(row: Row, rng: random.Random, other_rows: Sequence[Row]) -> Row | None:
    same = [
        candidate
        for candidate in other_rows
        if candidate["kind"] == row["kind"]
        and candidate is not row
        and task_of(candidate) != task_of(row)
    ]
    if not same or row["kind"] == "assert":
        return None
    return with_tests(row, deepcopy(rng.choice(same)["tests"]))


@fault("no_entry_point", "invalid_problem")
def no_entry_point(row: Row, rng: random.Random, other_rows: Sequence[Row]) -> Row | None:
    if row["kind"] != "call":
        return None
    return {key: value for key, value in row.items() if key != "entry_point"}


@fault("entry_point_not_in_starter", "reference_fails")
def starter_of_another(row: Row, rng: random.Random, other_rows: Sequence[Row]) -> Row | None:
    if row["kind"] != "call":
        return None
    return {**row, "starter_code": "def entirely_different(first, second):\n    pass\n"}


@fault("unjudgeable", "invalid_problem")
def unknown_checker(row: Row, rng: random.Random, other_rows: Sequence[Row]) -> Row | None:
    return None if row["kind"] == "assert" else {**row, "checker": "no_such_checker"}


@fault("invalid_problem", "unreadable")
def impossible_limits(row: Row, rng: random.Random, other_rows: Sequence[Row]) -> Row | None:
    return {**row, "limits": {"time_s": rng.choice([-1, 0, "fast"])}}


@fault("reference_too_slow", "reference_fails")
def limit_too_short(row: Row, rng: random.Random, other_rows: Sequence[Row]) -> Row | None:
    return {**row, "limits": {"time_s": 0.0005}}


# --- solutions --------------------------------------------------------------------------------


@fault("reference_fails", "references_disagree")
def wrong_program_called_right(
    row: Row, rng: random.Random, other_rows: Sequence[Row]
) -> Row | None:
    right, wrong = right_and_wrong(row)
    if not wrong:
        return None
    wrong[0]["verdict"] = "AC"
    return {**row, "solutions": [*right, *wrong]}


@fault("weak")
def right_program_called_wrong(
    row: Row, rng: random.Random, other_rows: Sequence[Row]
) -> Row | None:
    right, wrong = right_and_wrong(row)
    if len(right) < 2:
        return None
    right[-1]["verdict"] = "WA"
    return {**row, "solutions": [*right, *wrong]}


@fault("reference_fails")
def reference_does_not_compile(
    row: Row, rng: random.Random, other_rows: Sequence[Row]
) -> Row | None:
    right, wrong = right_and_wrong(row)
    if not right:
        return None
    right[0]["code"] += "\n)"
    return {**row, "solutions": [*right, *wrong]}


@fault("reference_fails", "references_disagree", "not_english")
def reference_of_another(row: Row, rng: random.Random, other_rows: Sequence[Row]) -> Row | None:
    right, wrong = right_and_wrong(row)
    source = rng.choice(other_rows)
    outputs = right_and_wrong(source)[0]
    if not right or not outputs or task_of(source) == task_of(row):
        return None
    if row["kind"] != source["kind"] or row["kind"] == "assert":
        return None
    return {**row, "solutions": [{**outputs[0]}, *right[1:], *wrong]}


@fault("weak", "constant_answer")
def too_few_tests(row: Row, rng: random.Random, other_rows: Sequence[Row]) -> Row | None:
    _, wrong = right_and_wrong(row)
    if not wrong or row["kind"] != "stdin" or "/square-" not in row["problem_id"]:
        return None
    # All numbers are positive, so x * abs(x) is x squared.
    tests = [test for test in row["tests"] if "-" not in test["input"]]
    return with_tests(row, tests) if len(tests) > 1 else None


# --- lines, names, dates ----------------------------------------------------------------------


@fault("unreadable")
def torn_line(row: Row, rng: random.Random, other_rows: Sequence[Row]) -> bytes | None:
    line = json.dumps(row).encode()
    return line[: rng.randrange(len(line) // 3, 2 * len(line) // 3)]


@fault("unreadable")
def nameless(row: Row, rng: random.Random, other_rows: Sequence[Row]) -> Row | None:
    return {key: value for key, value in row.items() if key != "problem_id"}


@fault("duplicate_id")
def name_of_another(row: Row, rng: random.Random, other_rows: Sequence[Row]) -> Row | None:
    return {**row, "problem_id": other_rows[0]["problem_id"]}


@fault("exact_duplicate", "near_duplicate")
def copied_statement(row: Row, rng: random.Random, other_rows: Sequence[Row]) -> Row | None:
    return {**other_rows[0], "problem_id": f"{row['problem_id']}/copy"}


@fault("near_duplicate", "exact_duplicate")
def copied_and_retouched(row: Row, rng: random.Random, other_rows: Sequence[Row]) -> Row | None:
    source = other_rows[0]
    if is_code(source):
        return None
    text = f"Hello there. {source['statement']}\n\nGood luck to you."
    return {**source, "problem_id": f"{row['problem_id']}/retouched", "statement": text}


@fault("invalid_date")
def impossible_date(row: Row, rng: random.Random, other_rows: Sequence[Row]) -> Row | None:
    return {**row, "date": rng.choice(["2024-13-45", "soon", "32 May 2021"])}


@fault("too_old")
def long_ago(row: Row, rng: random.Random, other_rows: Sequence[Row]) -> Row | None:
    return {**row, "date": f"{rng.randint(1995, 2015)}-03-0{rng.randint(1, 9)}"}


@fault("too_new", "invalid_date")
def in_the_future(row: Row, rng: random.Random, other_rows: Sequence[Row]) -> Row | None:
    return {**row, "date": "2999-01-01"}


_STORY = [
    "Captain Mara sails with {} barrels of olive oil towards the island of Orro",
    "each of her {} sailors wants a lamp that burns for {} nights in a row",
    "a storm takes away every barrel whose number has {} as its last digit",
    "on the quay stand {} merchants who offer silver for lamps and copper for oil",
    "whoever pays less than {} coins is sent home before the sun goes down",
    "the harbour clerk writes all prices on slates and stacks them from high to low",
    "no merchant may buy from more than {} sailors, and none may buy twice",
    "the evening bell rings {} times and whatever is unsold goes to the poor",
    "compute how many coins the captain can bring home when she chooses her buyers well",
    "print a single number, or the word none when not a single lamp is left",
]


def story(rng: random.Random) -> str:
    """Make a statement that shares no line with another problem's."""
    sentences = rng.sample(_STORY, 6)
    text = ". ".join(line[0].upper() + line[1:] for line in sentences)
    return re.sub(r"\{\}", lambda _: str(rng.randint(12, 97)), text) + "."


@fault("contaminated_statement")
def of_the_evaluation(row: Row, rng: random.Random, other_rows: Sequence[Row]) -> Row | None:
    return {**stated(row, story(rng)), "evaluation": "copy"}


@fault("contaminated_paraphrase", "contaminated_statement")
def of_the_evaluation_renumbered(
    row: Row, rng: random.Random, other_rows: Sequence[Row]
) -> Row | None:
    return {**stated(row, story(rng)), "evaluation": "renumbered"}


@fault("contaminated_tests")
def tests_of_the_evaluation(row: Row, rng: random.Random, other_rows: Sequence[Row]) -> Row | None:
    if row["kind"] == "assert":
        return None
    return {**row, "evaluation": "tests"}
