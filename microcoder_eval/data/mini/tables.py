"""The notation of the one-line families, and its reader.

    # family-name
    name(argument: kind, ...) -> type
      What the function returns, in one sentence or two.
      = the right expression
      ! a wrong one that still passes some tests

A family holds one to four tasks. A line that is too long goes on in the next one, indented by four.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from .kinds import KINDS

_SIGNATURE = re.compile(r"(\w+)\((.*)\) -> (.+)")


@dataclass(frozen=True, slots=True)
class Task:
    """One function to complete. arguments: (name, name of its kind)."""

    family: str
    name: str
    arguments: tuple[tuple[str, str], ...]
    returns: str
    text: str
    right: str
    wrong: tuple[str, ...]

    @property
    def head(self) -> str:
        """The line ``def ...:`` with Python's own annotations."""
        given = ", ".join(f"{name}: {KINDS[kind].annotation}" for name, kind in self.arguments)
        return f"def {self.name}({given}) -> {self.returns}:"


def read_tasks(table: str) -> list[Task]:
    """The tasks of a table, in order; ValueError where a block is not as the notation says."""
    tasks: list[Task] = []
    family = ""
    for block in re.split(r"\n(?=\S)", table.replace("\n    ", " ").strip()):
        first, *rest = block.splitlines()
        if first.startswith("# "):
            family = first[2:]
        else:
            tasks.append(_task(family, first, [line.strip() for line in rest if line.strip()]))
    return tasks


def _task(family: str, first: str, lines: list[str]) -> Task:
    match = _SIGNATURE.fullmatch(first)
    right = [line[2:] for line in lines if line.startswith("= ")]
    text = [line for line in lines if line[:2] not in ("= ", "! ")]
    if not family or match is None or len(right) != 1 or len(text) != 1:
        raise ValueError(f"not a task of the notation: {first!r} in family {family!r}")
    name, given, returns = match.groups()
    arguments = tuple(
        (argument.partition(": ")[0], argument.partition(": ")[2]) for argument in given.split(", ")
    )
    wrong = tuple(line[2:] for line in lines if line.startswith("! "))
    return Task(family, name, arguments, returns, text[0], right[0], wrong)
