"""Measures whether the dataset pipeline finds faults that are planted into clean problems.

    python benchmarks/planted_faults.py [--seeds 1,2,3] [--each 3] [--no-corpus] [--out NAME]

Clean problems are those of tests/data/clean.py and, if ../shared/data/corpus exists, about as many
of its problems with statements and a right program. For each seed some get one fault each, chosen
by the seed, and all go through collect, process, filter, decontaminate and verify. The report has
for each kind of fault how often the problem was dropped, repaired or flagged for that reason
("found") or otherwise dropped ("dropped"), and how many of the untouched problems were dropped:
false alarms. Exact duplicates within the corpus are removed before, as dropping them is right.
"""

from __future__ import annotations

import argparse
import gzip
import json
import random
import re
import sys
import tempfile
from collections import defaultdict
from collections.abc import Iterator, Sequence
from copy import deepcopy
from dataclasses import dataclass
from pathlib import Path
from typing import Any

REPOSITORY = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(REPOSITORY), str(REPOSITORY / "sandbox"), str(REPOSITORY / "tests" / "data"),
                str(REPOSITORY / "benchmarks")]  # fmt: skip

import common  # noqa: E402
import later_faults  # noqa: E402, F401 (enters its faults)
import strange_faults  # noqa: E402, F401 (enters its faults)
from clean import problems  # noqa: E402
from fault_kinds import (  # noqa: E402
    FAULTS,
    Row,
    fault,
    is_code,
    right_and_wrong,
    stated,
    task_of,
    with_tests,
    wrong_value,
)

from microcoder_data.collect.stage import CollectStage  # noqa: E402
from microcoder_data.decontaminate.stage import DecontaminateStage  # noqa: E402
from microcoder_data.execution import RunConfig, run_stage  # noqa: E402
from microcoder_data.filter.duplicates import compute_duplicate_features  # noqa: E402
from microcoder_data.filter.stage import FilterStage  # noqa: E402
from microcoder_data.process.stage import ProcessStage  # noqa: E402
from microcoder_data.recipe import Recipe, parse_recipe  # noqa: E402
from microcoder_data.verify.stage import VerifyStage  # noqa: E402
from microcoder_eval.pool.cores import usable_cores  # noqa: E402

CORPUS = REPOSITORY.parent / "shared" / "data" / "corpus"
# --- statements -------------------------------------------------------------------------------


@fault("not_trainable")
def empty_statement(row: Row, rng: random.Random, other_rows: Sequence[Row]) -> Row | None:
    return stated(row, rng.choice(["", "  \n\t\n"]))


@fault("truncated_statement", "invalid_problem", "statement_too_short", "no_output_section")
def cut_off_statement(row: Row, rng: random.Random, other_rows: Sequence[Row]) -> Row | None:
    text = row["statement"]
    prose = text.partition("\n\n## Sample")[0].partition("\n\nFor example")[0]
    if is_code(row):
        opening = text.rfind('"""', 0, text.rfind('"""'))
        if opening < 0:
            return None
        return stated(row, text[: opening + (text.rfind('"""') - opening) // 2])
    words = prose.split(" ")
    if len(words) < 12:
        return None
    return stated(
        row, " ".join(words[: rng.randint(len(words) // 2, 4 * len(words) // 5)]).rstrip(".:")
    )


@fault("truncated_statement", "broken_markup")
def unclosed_fence(row: Row, rng: random.Random, other_rows: Sequence[Row]) -> Row | None:
    return stated(row, row["statement"] + "\n\n```\n1 2 3\n")


@fault("broken_markup")
def broken_html(row: Row, rng: random.Random, other_rows: Sequence[Row]) -> Row | None:
    if is_code(row):
        return None
    parts = row["statement"].split("\n\n")
    tag = rng.choice(["<pre>", "<code>", "<sup>", "</pre>", "</table>"])
    return stated(row, "".join(f"<p>{part}</p>" for part in parts) + f"<p>See {tag} here.</p>")


@fault("broken_markup")
def broken_latex(row: Row, rng: random.Random, other_rows: Sequence[Row]) -> Row | None:
    if is_code(row):
        return None
    broken = rng.choice([
        "\\begin{itemize}\n\\item one number.", "\\textbf{The last one counts.",
        "The value of $n \\le 10 is even.", "It is $\\frac{a}{b of the whole.",
    ])  # fmt: skip
    return stated(row, f"{broken}\n\n{row['statement']}")


@fault("mojibake", "mojibake_repaired", "not_text")
def mangled_letters(row: Row, rng: random.Random, other_rows: Sequence[Row]) -> Row | None:
    word = "naïve café – “façade” – Übung"
    if rng.random() < 0.5:
        return stated(
            row, f"The {word.encode().decode('cp1252', 'replace')} rule. {row['statement']}"
        )
    return stated(row, row["statement"].replace("e", "\ufffd", 5))


@fault("not_text", "control_characters_removed")
def control_characters(row: Row, rng: random.Random, other_rows: Sequence[Row]) -> Row | None:
    text = row["statement"]
    place = rng.randrange(len(text))
    return stated(row, text[:place] + rng.choice(["\x00", "\x07", "\x1b"]) + text[place:])


@fault("not_english")
def foreign_language(row: Row, rng: random.Random, other_rows: Sequence[Row]) -> Row | None:
    texts = [
        "Dados un número n y una lista de n enteros, escriba un programa que calcule la suma de "
        "todos los números pares de la lista y que imprima el resultado en una línea.",
        "Даны число n и список из n целых чисел. Напишите программу, которая находит сумму всех "
        "чётных чисел и выводит ответ.",
        "Gegeben sind eine Zahl n und eine Liste von n ganzen Zahlen. Schreibe ein Programm, das "
        "die Summe der geraden Zahlen ausgibt und mit einer neuen Zeile endet.",
        "给定一个整数 n 和一个包含 n 个整数的数组，请编写程序输出所有偶数的和。",
        "Man får ett heltal n och en lista av n tal. Skriv ett program som räknar ut summan av de "
        "jämna talen i listan och skriver ut den på en rad.",
        "Étant donné un entier n et une liste de n nombres, écrire une fonction qui calcule la "
        "somme des nombres pairs de la liste et qui affiche le résultat.",
    ]
    return stated(row, rng.choice(texts))


@fault("needs_image", "has_image")
def lost_picture(row: Row, rng: random.Random, other_rows: Sequence[Row]) -> Row | None:
    if is_code(row):
        return None
    sentence = rng.choice([
        "The moves that are allowed are shown in the figure below.\n\n![](a.png)\n\n",
        "The rule is given in the following picture.\n\n",
        "The board looks as in the diagram: <img src='b.png'/>\n\n",
    ])  # fmt: skip
    return stated(row, sentence + row["statement"])


@fault("placeholder", "statement_too_short", "not_programming", "not_english")
def placeholder(row: Row, rng: random.Random, other_rows: Sequence[Row]) -> Row | None:
    return stated(row, rng.choice([
        "TODO: write the statement of this problem.", "404 page not found, the problem has moved.",
        "Please log in to view the description of this task.", "Statement is not available yet.",
        "Lorem ipsum dolor sit amet, consectetur adipiscing elit, sed do eiusmod tempor.",
        "Checking your browser. Please enable JavaScript and cookies to continue.",
    ]))  # fmt: skip


@fault("page_furniture")
def page_furniture(row: Row, rng: random.Random, other_rows: Sequence[Row]) -> Row | None:
    return stated(row, "Sign up | Log out | Share on\n\n" + row["statement"] +
                  "\n\nRelated topics: arrays. Leave a comment. Privacy policy. "
                  "All rights reserved.")  # fmt: skip


@fault("repetitive")
def said_over_and_over(row: Row, rng: random.Random, other_rows: Sequence[Row]) -> Row | None:
    sentence = "The numbers of the list have to be added up one after the other. "
    return stated(row, sentence * rng.randint(8, 20))


@fault("solution_in_statement")
def solution_given_away(row: Row, rng: random.Random, other_rows: Sequence[Row]) -> Row | None:
    codes = [
        solution["code"] for solution in row.get("solutions", ()) if solution["verdict"] == "AC"
    ]
    if not codes or is_code(row):
        return None
    return stated(row, f"{row['statement']}\n\n## Solution\n\n```python\n{rng.choice(codes)}\n```")


@fault("several_problems", "examples_of_another_problem")
def two_problems_in_one(row: Row, rng: random.Random, other_rows: Sequence[Row]) -> Row | None:
    source = rng.choice(other_rows)
    if is_code(row) or is_code(source):
        return None
    return stated(row, f"# Problem A\n\n{row['statement']}\n\n# Problem B\n\n{source['statement']}")


@fault("interactive")
def interactive(row: Row, rng: random.Random, other_rows: Sequence[Row]) -> Row | None:
    if row["kind"] != "stdin":
        return None
    sentence = rng.choice([
        "This is an interactive problem. Ask queries and read the answers.",
        "Remember to flush the output after each question that you print.",
    ])  # fmt: skip
    return stated(row, f"{sentence}\n\n{row['statement']}")


@fault("file_io")
def reads_a_file(row: Row, rng: random.Random, other_rows: Sequence[Row]) -> Row | None:
    if row["kind"] != "stdin":
        return None
    sentence = rng.choice([
        "Input file: tide.in. Output file: tide.out.",
        "Read the numbers from the file input.txt and write the answer to output.txt.",
    ])  # fmt: skip
    return stated(row, f"{sentence}\n\n{row['statement']}")


@fault("needs_attachment")
def in_another_file(row: Row, rng: random.Random, other_rows: Sequence[Row]) -> Row | None:
    sentence = rng.choice([
        "The rules are described at https://example.org/rules of the contest.",
        "See the attached archive for the format of the numbers.",
        "The statement is available in the PDF.",
    ])  # fmt: skip
    return stated(row, f"{sentence}\n\n{row['statement']}")


@fault("other_language")
def asks_for_sql(row: Row, rng: random.Random, other_rows: Sequence[Row]) -> Row | None:
    return stated(row, rng.choice([
        "Table Orders has columns id, customer and price. Write an SQL query that finds the "
        "customers who never order.",
        "Write a bash script that prints the tenth line of the file given as its argument.",
        "Write a Java program with a class Main that sorts the numbers given as input.",
    ]))  # fmt: skip


@fault("not_programming")
def no_program_asked(row: Row, rng: random.Random, other_rows: Sequence[Row]) -> Row | None:
    return stated(row, rng.choice([
        "Which of the following statements about stacks is true? A) first in first out B) last in "
        "first out C) neither D) both",
        "Write an essay of five hundred words about the history of sorting and its people.",
        "Prove that the square root of two is irrational, without using the fundamental theorem.",
    ]))  # fmt: skip


@fault("statement_too_long", "repetitive", "not_english")
def endless_statement(row: Row, rng: random.Random, other_rows: Sequence[Row]) -> Row | None:
    words = [f"word{rng.randrange(10**6)}" for _ in range(4000)]
    return stated(row, f"{row['statement']}\n\n{' '.join(words)}.")


@fault("personal_data")
def personal_data(row: Row, rng: random.Random, other_rows: Sequence[Row]) -> Row | None:
    return stated(row, f"{row['statement']}\n\nQuestions? Write to anna.b@uni-somewhere.edu or "
                  "call +46 70 123 45 67.")  # fmt: skip


@fault("example_contradicts_tests", "example_fails")
def wrong_example(row: Row, rng: random.Random, other_rows: Sequence[Row]) -> Row | None:
    text = row["statement"]
    changed = re.sub(
        r"(Sample Output 1\n\n```\n)(-?\d+)", lambda m: m[1] + str(int(m[2]) + 3), text
    )
    changed = re.sub(r"(>>> [^\n]*\n)(-?\d+)", lambda m: m[1] + str(int(m[2]) + 3), changed)
    return stated(row, changed) if changed != text else None


@fault("examples_of_another_problem", "entry_point_not_in_starter", "near_duplicate",
       "exact_duplicate", "example_contradicts_tests", "example_fails", "wrong_arity")  # fmt: skip
def statement_of_another(row: Row, rng: random.Random, other_rows: Sequence[Row]) -> Row | None:
    same = [
        candidate
        for candidate in other_rows
        if candidate["kind"] == row["kind"]
        and is_code(candidate) == is_code(row)
        and (row["kind"] == "stdin" or ">>>" in candidate["statement"])
    ]
    return stated(row, rng.choice(same)["statement"]) if same else None


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


# --- the experiment ---------------------------------------------------------------------------


def corpus_problems(count: int, rng: random.Random) -> list[Row]:
    """Read problems of the shared corpus with a statement and a right program."""
    if not CORPUS.is_dir():
        print("the shared corpus is not there: only our own problems are used", file=sys.stderr)
        return []
    right: dict[str, list[Row]] = defaultdict(list)
    with gzip.open(CORPUS / "labels.jsonl.gz") as file:
        good = {line["solution_id"] for line in map(json.loads, file) if line["accept"]
                and line["validation"] in ("confirmed", "not_run")}  # fmt: skip
    with gzip.open(CORPUS / "solutions.jsonl.gz") as file:
        for line in map(json.loads, file):
            if line["solution_id"] in good and line["language"] == "python":
                right[line["problem_id"]].append({"code": line["code"], "verdict": "AC"})
    rows: list[Row] = []
    keys: set[str | None] = set()
    with gzip.open(CORPUS / "tests.jsonl.gz") as file:
        for row in map(json.loads, file):
            key = compute_duplicate_features(
                row, row.get("statement", ""), with_near=False
            ).statement
            if row.get("statement") and right[row["problem_id"]] and key not in keys:
                keys.add(key)
                rows.append({**row, "solutions": right[row["problem_id"]][:2]})
    rng.shuffle(rows)
    return rows[:count]


def of_evaluation(row: Row, way: str) -> Row:
    """Make a problem of the evaluation set: the statement with other numbers, or the tests."""
    tests = [{"input": "1\n", "output": "2\n"}, {"input": "3\n", "output": "4\n"}]
    fields = {"problem_id": f"{row['problem_id']}/eval", "kind": "stdin", "tests": tests}
    if way == "tests":
        return {**row, **fields, "kind": row["kind"], "tests": row["tests"], "solutions": [],
                "statement": "A wholly different story around the very same tests."}  # fmt: skip
    text = row["statement"]
    if way == "renumbered":
        text = re.sub(r"\d+", lambda m: str(int(m[0]) * 3 + 7), text)
    return {**fields, "statement": text}


def planted(
    pool: list[Row], each: int, rng: random.Random, kinds: int | None = None
) -> tuple[list[tuple[str | None, Row | bytes]], list[Row]]:
    """Return (fault, problem) of all problems in random order, and the evaluation set.

    kinds: how many kinds of faults, chosen at random; None: all.
    """
    pool = list(pool)
    rng.shuffle(pool)
    problems: list[tuple[str | None, Row | bytes]] = []
    evaluation: list[Row] = []
    anchors = [pool.pop() for _ in range(12)]  # without faults; copies are made of these
    names = sorted(FAULTS) if kinds is None else rng.sample(sorted(FAULTS), kinds)
    for name in names:
        kind = FAULTS[name]
        for _ in range(each):
            for place, row in enumerate(pool):
                other_rows = [rng.choice(anchors), *anchors]
                faulty = kind.plant(deepcopy(row), rng, other_rows)
                if faulty is None:
                    continue
                del pool[place]
                if isinstance(faulty, dict) and (way := faulty.pop("evaluation", None)):
                    evaluation.append(of_evaluation(faulty, way))
                problems.append((name, faulty))
                break
    problems += [(None, row) for row in (*pool, *anchors)]
    order = list(range(len(problems)))
    rng.shuffle(order)
    # Copies come after their originals, or the pipeline would drop the original.
    order.sort(key=lambda number: problems[number][0] in
               ("name_of_another", "copied_statement", "copied_and_retouched", "copy_in_html",
                "renamed_variables", "copied_in_other_words", "statement_of_another",
                "tests_of_another"))  # fmt: skip
    return [problems[number] for number in order], evaluation


def run_all(
    lines: Sequence[bytes], evaluation: Sequence[Row], folder: Path, recipe: Recipe
) -> None:
    """Run all stages on some lines; their files are in the folder."""
    (folder / "raw.jsonl").write_bytes(b"".join(line + b"\n" for line in lines))
    fallback = [{"problem_id": "eval", "kind": "stdin", "statement": "Nothing of that kind.",
                 "tests": [{"input": "-", "output": "-"}]}]  # fmt: skip
    (folder / "eval.jsonl").write_text(
        "".join(json.dumps(row) + "\n" for row in evaluation or fallback)
    )
    against = recipe.decontaminate.model_copy(update={"against": (str(folder / "eval.jsonl"),)})
    stages = [CollectStage(recipe.collect), ProcessStage(recipe.process),
              FilterStage(recipe.filter, recipe.seed),
                  DecontaminateStage.from_recipe(against, 1024),
              VerifyStage(recipe.verify, recipe.seed)]  # fmt: skip
    source = "raw.jsonl"
    for stage in stages:
        out = f"{stage.name}.jsonl"
        run_stage(
            stage, RunConfig([str(folder / source)], str(folder / out), workers=usable_cores())
        )
        source = out


def outcomes(folder: Path) -> tuple[dict[str, list[str]], dict[str, str], list[str]]:
    """Read the flags of kept problems, reasons of dropped ones, and reasons without a problem."""
    flags = {}
    with (folder / "verify.jsonl").open() as file:
        for row in map(json.loads, file):
            flags[row["problem_id"]] = row.get("findings", [])
    dropped: dict[str, str] = {}
    nameless: list[str] = []
    for path in sorted(folder.glob("*.dropped.jsonl")):
        with path.open() as file:
            for row in map(json.loads, file):
                if row["problem_id"] is None:
                    nameless.append(row["reason"])
                elif row["reason"] != "duplicate_id":
                    dropped[row["problem_id"]] = row["reason"]
                else:
                    nameless.append("duplicate_id")
    return flags, dropped, nameless


@dataclass(slots=True)
class Score:
    """Counts of one kind of fault: planted, found for the right reason, only dropped."""

    planted: int = 0
    found: int = 0
    dropped: int = 0


Report = tuple[dict[str, Score], list[str], list[str], int]


def experiment(
    seed: int, each: int, own_count: int, foreign: int, kinds: int | None = None
) -> Report:
    """Return scores by fault, descriptions of false alarms and missed faults, and counts."""
    rng = random.Random(seed)
    pool = [*problems(own_count, seed), *corpus_problems(foreign, rng)]
    every, evaluation = planted(pool, each, rng, kinds)
    recipe = parse_recipe({"seed": seed, "filter": {"since": "2020-01-01", "until": "2030-01-01"}})
    scores: dict[str, Score] = defaultdict(Score)
    alarms: list[str] = []
    missed: list[str] = []
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        lines = [row if isinstance(row, bytes) else json.dumps(row).encode() for _, row in every]
        run_all(lines, evaluation, folder, recipe)
        flags, dropped, nameless = outcomes(folder)
    for kind, row in every:
        key = row.get("problem_id") if isinstance(row, dict) else None
        if kind is None:
            if key in dropped:
                alarms.append(f"seed {seed}: {key}: {dropped[key]}")
            continue
        score = scores[kind]
        score.planted += 1
        reasons = FAULTS[kind].reasons
        if key is None or kind == "name_of_another":
            nameless_reason = next((reason for reason in nameless if reason in reasons), None)
            if nameless_reason is not None:
                nameless.remove(nameless_reason)
            score.found += nameless_reason is not None
            score.dropped += nameless_reason is not None
            continue
        is_found = dropped.get(key) in reasons or bool(reasons & set(flags.get(key, ())))
        score.dropped += key in dropped
        score.found += is_found
        if not is_found:
            missed.append(f"seed {seed}: {kind}: {key}: {dropped.get(key, 'kept')}")
    return scores, alarms, missed, sum(kind is None for kind, _ in every)


def merged(every: Iterator[Report]) -> dict[str, Any]:
    """Merge the reports of all seeds."""
    total: dict[str, Score] = defaultdict(Score)
    alarms: list[str] = []
    missed: list[str] = []
    untouched = 0
    for scores, some, nameless, count in every:
        for name, score in scores.items():
            total[name].planted += score.planted
            total[name].found += score.found
            total[name].dropped += score.dropped
        alarms += some
        missed += nameless
        untouched += count
    planted_, found = (sum(getattr(s, k) for s in total.values()) for k in ("planted", "found"))
    return {
        "kinds": len(total),
        "planted": planted_,
        "found": found,
        "recall": round(found / max(planted_, 1), 4),
        "dropped_or_found": sum(max(s.found, s.dropped) for s in total.values()),
        "untouched": untouched,
        "false_alarms": len(alarms),
        "false_alarm_share": round(len(alarms) / max(untouched, 1), 4),
        "by_kind": {name: [s.planted, s.found, s.dropped] for name, s in sorted(total.items())},
        "alarms": alarms,
        "missed": missed,
    }


def main() -> None:
    """Run and print the report."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--seeds", default="1,2,3")
    parser.add_argument("--each", type=int, default=3, help="problems for each fault and seed")
    parser.add_argument("--no-corpus", action="store_true")
    parser.add_argument("--out", metavar="FILE", help="the report as JSON, too")
    parser.add_argument("--commit", help="what is measured, for the report")
    args = parser.parse_args()
    foreign = 0 if args.no_corpus else 192
    seeds = [int(seed) for seed in args.seeds.split(",")]
    report = {
        "machine": common.describe_machine(),
        "commit": args.commit,
        "options": {"seeds": seeds, "each": args.each, "corpus": not args.no_corpus},
        **merged(experiment(seed, args.each, 192, foreign) for seed in seeds),
    }
    for name, (count, found, dropped) in report["by_kind"].items():
        print(f"{name:42} planted {count:3}  found {found:3}  dropped {dropped:3}")
    for title in ("missed", "alarms"):
        print(f"{title}:", *report[title], sep="\n  ")
    for key in ("kinds", "planted", "found", "recall", "untouched", "false_alarms",
                "false_alarm_share"):  # fmt: skip
        print(f"{key}: {report[key]}")
    if args.out:
        Path(args.out).write_text(json.dumps(report, indent=2) + "\n")


if __name__ == "__main__":
    main()
