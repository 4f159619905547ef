"""Reads the tables of functions. datasets/microcoder-mini/source/README.md has the notation."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from textwrap import dedent

from .kinds import KINDS

_SIGNATURE = re.compile(r"(\w+)\((.*)\) -> (.+)")


@dataclass(frozen=True, slots=True)
class Task:
    """One function to complete. arguments: (name, name of its kind). right_bodies: (name of the
    algorithm, body); the name is "" for one-line tasks."""

    family: str
    name: str
    arguments: tuple[tuple[str, str], ...]
    returns: str
    text: str
    right_bodies: tuple[tuple[str, str], ...]
    wrong_bodies: tuple[str, ...]

    @property
    def head(self) -> str:
        """The line ``def ...:`` with Python's own annotations."""
        parameters = ", ".join(f"{name}: {KINDS[kind].annotation}" for name, kind in self.arguments)
        return f"def {self.name}({parameters}) -> {self.returns}:"


def read_tasks(table: str) -> list[Task]:
    """Read the tasks of a table, in order. Raises ValueError for a malformed block."""
    return [_parse_task(*block) for block in split_blocks(table)]


def split_blocks(table: str) -> Iterator[tuple[str, str, list[str]]]:
    """Yield (family, first line, other lines without their margin) for each block."""
    family = ""
    for block in re.split(r"\n(?=\S)", table.strip()):
        signature_line, *other_lines = block.splitlines()
        if signature_line.startswith("# "):
            family = signature_line[2:]
        else:
            yield family, signature_line, [line[2:] for line in other_lines if line.strip()]


def _parse_task(family: str, signature_line: str, lines: list[str]) -> Task:
    match = _SIGNATURE.fullmatch(signature_line)
    text = [line for line in lines if line[:2] not in ("= ", "! ", "  ")]
    right = find_named_bodies("\n".join(lines)) or tuple(
        ("", f"return {line[2:]}") for line in lines if line.startswith("= ")
    )
    if not family or match is None or not right or not text:
        raise ValueError(f"not a task of the notation: {signature_line!r} in family {family!r}")
    name, parameters, returns = match.groups()
    arguments = tuple(
        (argument.partition(": ")[0], argument.partition(": ")[2])
        for argument in parameters.split(", ")
    )
    wrong = list_wrong_bodies(lines, right[0][1])
    return Task(family, name, arguments, returns, " ".join(text), right, wrong)


def find_named_bodies(text: str, mark: str = "=") -> tuple[tuple[str, str], ...]:
    """(name of the algorithm, body) of each program with this mark that spans several lines."""
    matches = re.findall(rf"^{mark} (.+):\n((?:  .*\n?)+)", text, re.MULTILINE)
    return tuple((name, dedent(body).rstrip("\n")) for name, body in matches)


def list_wrong_bodies(lines: list[str], right: str) -> tuple[str, ...]:
    """The wrong bodies of a block: those exchanged in the right one, then those with a name."""
    named = find_named_bodies("\n".join(lines), "!")
    heads = {f"! {name}:" for name, _ in named}
    changes = [line[2:] for line in lines if line.startswith("! ") and line not in heads]
    return (*(exchange_piece(change, right) for change in changes), *(body for _, body in named))


def exchange_piece(text: str, right: str) -> str:
    """The wrong body that ``old piece ==> new piece`` stands for, or the one expression."""
    old, arrow, new = text.partition(" ==> ")
    if not arrow:
        return f"return {text}"
    if right.count(old) != 1:
        raise ValueError(f"not once in the right program: {old!r}")
    return right.replace(old, new)
