"""Copies of other problems, and of problems of the evaluation set."""

from __future__ import annotations

import html
import random
import re
from copy import deepcopy

from .kinds import Others, Row, fault, has_tests, is_code, name_task, with_tests, with_text


@fault(
    "examples_of_another_problem",
    "entry_point_not_in_starter",
    "near_duplicate",
    "exact_duplicate",
    "example_contradicts_tests",
    "example_fails",
    "wrong_arity",
)
def statement_of_another(row: Row, rng: random.Random, other_rows: Others) -> Row | None:
    same = [
        candidate
        for candidate in other_rows
        if candidate["kind"] == row["kind"]
        and is_code(candidate) == is_code(row)
        and (row["kind"] == "stdin" or ">>>" in candidate["statement"])
    ]
    return with_text(row, rng.choice(same)["statement"]) if same else None


@fault(
    "reference_fails",
    "references_disagree",
    "arity_mismatch",
    "wrong_arity",
    "exact_duplicate",
    "examples_of_another_problem",
    "example_contradicts_tests",
)
def tests_of_another(row: Row, rng: random.Random, other_rows: Others) -> Row | None:
    same = [
        candidate
        for candidate in other_rows
        if candidate["kind"] == row["kind"]
        and candidate is not row
        and name_task(candidate) != name_task(row)
    ]
    if not same or row["kind"] == "assert":
        return None
    return with_tests(row, deepcopy(rng.choice(same)["tests"]))


@fault("exact_duplicate", "near_duplicate")
def copied_statement(row: Row, rng: random.Random, other_rows: Others) -> Row | None:
    return {**other_rows[0], "problem_id": f"{row['problem_id']}/copy"}


@fault("near_duplicate", "exact_duplicate")
def copied_and_retouched(row: Row, rng: random.Random, other_rows: Others) -> Row | None:
    source = other_rows[0]
    if is_code(source):
        return None
    text = f"Hello there. {source['statement']}\n\nGood luck to you."
    return {**source, "problem_id": f"{row['problem_id']}/retouched", "statement": text}


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


def tell_story(rng: random.Random) -> str:
    """Make a statement that shares no line with another problem's."""
    sentences = rng.sample(_STORY, 6)
    text = ". ".join(line[0].upper() + line[1:] for line in sentences)
    return re.sub(r"\{\}", lambda _: str(rng.randint(12, 97)), text) + "."


@fault("contaminated_statement")
def of_the_evaluation(row: Row, rng: random.Random, other_rows: Others) -> Row | None:
    return {**with_text(row, tell_story(rng)), "evaluation": "copy"}


@fault("contaminated_paraphrase", "contaminated_statement")
def of_the_evaluation_renumbered(row: Row, rng: random.Random, other_rows: Others) -> Row | None:
    return {**with_text(row, tell_story(rng)), "evaluation": "renumbered"}


@fault("contaminated_tests", of=(has_tests,))
def tests_of_the_evaluation(row: Row, rng: random.Random, other_rows: Others) -> Row | None:
    return {**row, "evaluation": "tests"}


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


@fault("exact_duplicate", "near_duplicate")
def renamed_variables(row: Row, rng: random.Random, other_rows: Others) -> Row | None:
    source = other_rows[0]
    if is_code(source) or " n " not in source["statement"]:
        return None
    text = re.sub(r"\bn\b", "kk", source["statement"]).replace("integer", "whole number")
    tests = source.get("tests") or []
    return {**source, "problem_id": f"{row['problem_id']}/renamed", "statement": text,
            "tests": tests[::-1]}  # fmt: skip


@fault("exact_duplicate", "near_duplicate")
def copy_in_html(row: Row, rng: random.Random, other_rows: Others) -> Row | None:
    source = other_rows[0]
    if is_code(source) or "```" not in source["statement"]:
        return None
    text = source["statement"]
    text = re.sub(r"```\n(.*?)\n```", r"<pre>\1</pre>", text, flags=re.DOTALL)
    text = re.sub(r"^## (.*)$", r"<h2>\1</h2>", html.escape(text).replace("&lt;pre&gt;", "<pre>")
                  .replace("&lt;/pre&gt;", "</pre>"), flags=re.MULTILINE)  # fmt: skip
    parts = [part if part.startswith("<") else f"<p>{part}</p>" for part in text.split("\n\n")]
    return {**source, "problem_id": f"{row['problem_id']}/html", "statement": "\n".join(parts)}
