"""Faults of statements: cut off, mangled, of another problem.

planted_faults.py runs them.
"""

from __future__ import annotations

import random
import re
from collections.abc import Sequence

from fault_kinds import (
    Row,
    fault,
    is_code,
    stated,
)

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
