"""Faults of statements: cut off, mangled, not a statement, not a task for a program."""

from __future__ import annotations

import json
import random
import re

from .kinds import (
    NO_STATEMENT,
    Others,
    Row,
    fault,
    is_code,
    is_prose,
    is_stdin,
    split_programs,
    with_text,
)


@fault("truncated_statement", "invalid_problem", "statement_too_short")
def cut_off_statement(row: Row, rng: random.Random, other_rows: Others) -> Row | None:
    text = row["statement"]
    opening = text.rfind('"""', 0, text.rfind('"""')) if is_code(row) else -1
    if opening < 0:
        return None
    return with_text(row, text[: opening + (text.rfind('"""') - opening) // 2])


@fault("mojibake", "mojibake_repaired")
def mangled_letters(row: Row, rng: random.Random, other_rows: Others) -> Row | None:
    word = "naïve café – “façade” – Übung"
    if rng.random() < 0.5:
        return with_text(
            row, f"The {word.encode().decode('cp1252', 'replace')} rule. {row['statement']}"
        )
    return with_text(row, row["statement"].replace("e", "\ufffd", 5))


@fault("control_characters_removed")
def control_characters(row: Row, rng: random.Random, other_rows: Others) -> Row | None:
    text = row["statement"]
    place = rng.randrange(len(text))
    return with_text(row, text[:place] + rng.choice(["\x00", "\x07", "\x1b"]) + text[place:])


@fault("solution_in_statement")
def solution_given_away(row: Row, rng: random.Random, other_rows: Others) -> Row | None:
    codes = [
        solution["code"] for solution in row.get("solutions", ()) if solution["verdict"] == "AC"
    ]
    if not codes or is_code(row):
        return None
    return with_text(
        row, f"{row['statement']}\n\n## Solution\n\n```python\n{rng.choice(codes)}\n```"
    )


@fault("several_problems", "examples_of_another_problem")
def two_problems_in_one(row: Row, rng: random.Random, other_rows: Others) -> Row | None:
    source = rng.choice(other_rows)
    if is_code(row) or is_code(source):
        return None
    return with_text(
        row, f"# Problem A\n\n{row['statement']}\n\n# Problem B\n\n{source['statement']}"
    )


@fault("statement_too_long", "not_english")
def endless_statement(row: Row, rng: random.Random, other_rows: Others) -> Row | None:
    words = [f"word{rng.randrange(10**6)}" for _ in range(4000)]
    return with_text(row, f"{row['statement']}\n\n{' '.join(words)}.")


@fault("example_contradicts_tests", "example_fails")
def wrong_example(row: Row, rng: random.Random, other_rows: Others) -> Row | None:
    text = row["statement"]
    changed = re.sub(
        r"(Sample Output 1\n\n```\n)(-?\d+)", lambda m: m[1] + str(int(m[2]) + 3), text
    )
    changed = re.sub(r"(>>> [^\n]*\n)(-?\d+)", lambda m: m[1] + str(int(m[2]) + 3), changed)
    return with_text(row, changed) if changed != text else None


@fault("broken_markup")
def record_for_a_statement(row: Row, rng: random.Random, other_rows: Others) -> Row | None:
    return with_text(row, json.dumps({"id": 4711, "title": "Sum", "content": row["statement"]}))


@fault(*NO_STATEMENT)
def examples_alone(row: Row, rng: random.Random, other_rows: Others) -> Row | None:
    place = row["statement"].find("## Sample")
    return with_text(row, row["statement"][place:]) if place > 0 else None


@fault("broken_markup", of=(is_prose,))
def line_ends_of_a_statement_written_out(
    row: Row, rng: random.Random, other_rows: Others
) -> Row | None:
    if row["statement"].count("\n") < 3:
        return None
    return with_text(row, row["statement"].replace("\n", "\\n"))


@fault("lost_superscript", of=(is_prose, is_stdin))
def powers_without_their_signs(row: Row, rng: random.Random, other_rows: Others) -> Row | None:
    return with_text(row, row["statement"].replace("(2 ≤ n ≤ 1000)", "(2 ≤ n ≤ 105)")
                  if "(2 ≤ n ≤ 1000)" in row["statement"] else
                  "Limits: 1 ≤ x ≤ 109.\n\n" + row["statement"])  # fmt: skip


@fault("mojibake", of=(is_prose,))
def letters_of_two_scripts(row: Row, rng: random.Random, other_rows: Others) -> Row | None:
    return with_text(row, row["statement"].replace("o", "\u043e"))


@fault("solution_in_statement")
def solution_without_a_fence(row: Row, rng: random.Random, other_rows: Others) -> Row | None:
    right, _ = split_programs(row)
    if not right or is_code(row) or row["kind"] != "stdin":
        return None
    return with_text(row, f"{row['statement']}\n\nAnswer:\n\n{right[0]['code']}\n")
