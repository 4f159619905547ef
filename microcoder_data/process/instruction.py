"""Adds the paragraph that says what to write: a program that reads input, or a function.

Without it, models write correct algorithms in a form that the tests cannot run.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence
from typing import Any

from microcoder_data.rows import Row, get_kind, get_tests, get_text, list_nodes

STDIN = (
    "Write a complete program that reads its input from standard input and prints its answer to "
    "standard output."
)
_INSTRUCTION_STARTS = (
    "Write a complete program that reads", "Write the function `",
    "Write the function that is described;", "Complete the function `", "Complete the method `",
)  # fmt: skip


def add_instruction(text: str, row: Row) -> str:
    """Return the statement with the instruction as its last paragraph."""
    return f"{remove_instruction(text)}\n\n{make_instruction(row)}".strip()


def remove_instruction(text: str) -> str:
    """Return the statement without the paragraph that ``add_instruction`` adds."""
    body, _, last_paragraph = text.rpartition("\n\n")
    return body if last_paragraph.startswith(_INSTRUCTION_STARTS) else text


def make_instruction(row: Row) -> str:
    """Return the instruction for a problem, by its kind."""
    if get_kind(row) == "stdin":
        return STDIN
    name = get_text(row, "entry_point").replace("()", "")
    if not name:
        return "Write the function that is described; return the answer instead of printing it."
    owner, _, method = name.rpartition(".")
    starter = get_text(row, "starter_code").strip()
    rule = "return the answer, read no input and print nothing."
    if owner:
        return f"Complete the method `{method}` of the class `{owner}`: {rule}"
    if starter or f"def {name}" in get_text(row, "statement"):
        return f"Complete the function `{name}`: {rule}"
    counts = {f" with {count} argument{'s' * (count != 1)}" for count in list_arities(row)}
    arguments = counts.pop() if len(counts) == 1 else ""
    return f"Write the function `{name}`{arguments}: {rule}"


def list_arities(row: Row) -> list[int]:
    """Return the number of arguments in each test."""
    if get_kind(row) == "call":
        inputs: Sequence[Any] = [test.get("input") for test in get_tests(row)]
        return [len(arguments) for arguments in inputs if isinstance(arguments, list)]
    name = get_text(row, "entry_point")
    return [
        len(node.args) + len(node.keywords)
        for node in list_nodes(get_text(row, "test_code"))
        if isinstance(node, ast.Call)
        and getattr(node.func, "id", "") in (name, "candidate")
        and not any(isinstance(argument, ast.Starred) for argument in node.args)
    ]
