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


@fault("not_trainable")
def empty_statement(row: Row, rng: random.Random, other_rows: Others) -> Row | None:
    return with_text(row, rng.choice(["", "  \n\t\n"]))


@fault("truncated_statement", "invalid_problem", "statement_too_short")
def cut_off_statement(row: Row, rng: random.Random, other_rows: Others) -> Row | None:
    text = row["statement"]
    opening = text.rfind('"""', 0, text.rfind('"""')) if is_code(row) else -1
    if opening < 0:
        return None
    return with_text(row, text[: opening + (text.rfind('"""') - opening) // 2])


@fault("truncated_statement")
def unclosed_fence(row: Row, rng: random.Random, other_rows: Others) -> Row | None:
    return with_text(row, row["statement"] + "\n\n```\n1 2 3\n")


@fault("broken_markup", of=(is_prose,))
def broken_latex(row: Row, rng: random.Random, other_rows: Others) -> Row | None:
    broken = rng.choice([
        "\\begin{itemize}\n\\item one number.", "\\textbf{The last one counts.",
        "The value of $n \\le 10 is even.", "It is $\\frac{a}{b of the whole.",
    ])  # fmt: skip
    return with_text(row, f"{broken}\n\n{row['statement']}")


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


@fault("not_english")
def foreign_language(row: Row, rng: random.Random, other_rows: Others) -> Row | None:
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
    return with_text(row, rng.choice(texts))


@fault("has_image", of=(is_prose,))
def lost_picture(row: Row, rng: random.Random, other_rows: Others) -> Row | None:
    sentence = rng.choice([
        "The moves that are allowed are shown in the figure below.\n\n![](a.png)\n\n",
        "The rule is given in the following picture.\n\n",
        "The board looks as in the diagram: <img src='b.png'/>\n\n",
    ])  # fmt: skip
    return with_text(row, sentence + row["statement"])


@fault("statement_too_short", "not_english")
def placeholder(row: Row, rng: random.Random, other_rows: Others) -> Row | None:
    return with_text(row, rng.choice([
        "TODO: write the statement of this problem.", "404 page not found, the problem has moved.",
        "Please log in to view the description of this task.", "Statement is not available yet.",
        "Lorem ipsum dolor sit amet, consectetur adipiscing elit, sed do eiusmod tempor.",
        "Checking your browser. Please enable JavaScript and cookies to continue.",
    ]))  # fmt: skip


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


@fault("interactive", "interaction_told", of=(is_stdin,))
def interactive(row: Row, rng: random.Random, other_rows: Others) -> Row | None:
    sentence = rng.choice([
        "This is an interactive problem. Ask queries and read the answers.",
        "Remember to flush the output after each question that you print.",
    ])  # fmt: skip
    return with_text(row, f"{sentence}\n\n{row['statement']}")


@fault("file_io", of=(is_stdin,))
def reads_a_file(row: Row, rng: random.Random, other_rows: Others) -> Row | None:
    sentence = rng.choice([
        "Input file: tide.in. Output file: tide.out.",
        "Read the numbers from the file input.txt and write the answer to output.txt.",
    ])  # fmt: skip
    return with_text(row, f"{sentence}\n\n{row['statement']}")


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


@fault(*NO_STATEMENT)
def link_alone(row: Row, rng: random.Random, other_rows: Others) -> Row | None:
    return with_text(row, rng.choice([
        "https://www.example.com/problemset/problem/17/A",
        "Problem statement: http://example.org/p/4", "None", "N/A",
    ]))  # fmt: skip


@fault("broken_markup")
def record_for_a_statement(row: Row, rng: random.Random, other_rows: Others) -> Row | None:
    return with_text(row, json.dumps({"id": 4711, "title": "Sum", "content": row["statement"]}))


@fault(*NO_STATEMENT)
def title_alone(row: Row, rng: random.Random, other_rows: Others) -> Row | None:
    return with_text(row, rng.choice(["Maximum Profit of the Old Harbour", "A. Two Heaps of Salt"]))


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


@fault("interactive", "interaction_told", of=(is_stdin,))
def section_on_interaction(row: Row, rng: random.Random, other_rows: Others) -> Row | None:
    return with_text(
        row, f"{row['statement']}\n\n## Interaction\n\nYou may ask 20 times: print `? i`."
    )


@fault("lost_superscript", of=(is_prose, is_stdin))
def powers_without_their_signs(row: Row, rng: random.Random, other_rows: Others) -> Row | None:
    return with_text(row, row["statement"].replace("(2 ≤ n ≤ 1000)", "(2 ≤ n ≤ 105)")
                  if "(2 ≤ n ≤ 1000)" in row["statement"] else
                  "Limits: 1 ≤ x ≤ 109.\n\n" + row["statement"])  # fmt: skip


@fault("mojibake", of=(is_prose,))
def letters_of_two_scripts(row: Row, rng: random.Random, other_rows: Others) -> Row | None:
    return with_text(row, row["statement"].replace("o", "\u043e"))


@fault("not_english", of=(is_prose,))
def half_translated(row: Row, rng: random.Random, other_rows: Others) -> Row | None:
    return with_text(row, rng.choice([
        "Un comerciante anota cada día cuánto ha ganado o perdido en el mercado de la plaza, y al "
        "final de la semana quiere saber cuál de los días fue el mejor de todos.\n\n",
        "Ein Händler schreibt an jedem Tag auf, wie viel er auf dem Markt gewonnen oder verloren "
        "hat, und will am Ende der Woche wissen, welcher von den Tagen der beste war.\n\n",
    ]) + row["statement"])  # fmt: skip


@fault("solution_in_statement")
def solution_without_a_fence(row: Row, rng: random.Random, other_rows: Others) -> Row | None:
    right, _ = split_programs(row)
    if not right or is_code(row) or row["kind"] != "stdin":
        return None
    return with_text(row, f"{row['statement']}\n\nAnswer:\n\n{right[0]['code']}\n")
