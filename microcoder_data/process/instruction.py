"""The explicit sentence that says what to write: a program that reads input, or a function.

Where it is missing, right algorithms fail for the wrong reason (spec of training, 1.11).
"""

from __future__ import annotations

import ast
from collections.abc import Sequence
from typing import Any

from microcoder_eval.data.rows import Row, kind_of, tests_of, text_of
from microcoder_eval.data.syntax import parsed

STDIN = (
    "Write a complete program that reads its input from standard input and prints its answer to "
    "standard output."
)
_START = ("Write a complete program that reads", "Write the function `", "Write the class `",
          "Write the function that is described;", "Complete the function `",
          "Complete the method `")  # fmt: skip


def instructed(text: str, row: Row) -> str:
    """The statement with the instruction as its last paragraph, once."""
    return f"{without_instruction(text)}\n\n{instruction_for(row)}".strip()


def without_instruction(text: str) -> str:
    """The statement without the paragraph that ``instructed`` adds."""
    body, _, last = text.rpartition("\n\n")
    return body if last.startswith(_START) else text


def instruction_for(row: Row) -> str:
    """What is to be written, by the kind of the problem."""
    if kind_of(row) == "stdin":
        return STDIN
    name = text_of(row, "entry_point").replace("()", "")
    if not name:
        return "Write the function that is described; return the answer instead of printing it."
    owner, _, method = name.rpartition(".")
    starter = text_of(row, "starter_code").strip()
    rule = "return the answer, read no input and print nothing."
    if owner:
        return f"Complete the method `{method}` of the class `{owner}`: {rule}"
    if starter or f"def {name}" in text_of(row, "statement"):
        return f"Complete the function `{name}`: {rule}"
    count = arity(row)
    taking = "" if count is None else f" with {count} argument{'' if count == 1 else 's'}"
    return f"Write the function `{name}`{taking}: {rule}"


def arity(row: Row) -> int | None:
    """With how many arguments the tests call the function; None where they differ."""
    counts = set(arities(row))
    return counts.pop() if len(counts) == 1 else None


def arities(row: Row) -> list[int]:
    """The number of arguments in each test."""
    if kind_of(row) == "call":
        inputs: Sequence[Any] = [test.get("input") for test in tests_of(row)]
        return [len(given) for given in inputs if isinstance(given, list)]
    name = text_of(row, "entry_point")
    tree = parsed(text_of(row, "test_code"))
    if tree is None:
        return []
    return [
        len(node.args) + len(node.keywords)
        for node in ast.walk(tree)
        if isinstance(node, ast.Call)
        and getattr(node.func, "id", "") in (name, "candidate")
        and not any(isinstance(argument, ast.Starred) for argument in node.args)
    ]
