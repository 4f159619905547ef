"""Tier C: makes a problem of each block of a table: a program that reads text and writes text.

datasets/microcoder-mini/source/README.md has the notation. A block names a shape (shapes.py), which
reads the input into variables that the bodies use.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from random import Random
from typing import Any

from .functions import LICENCE
from .search import Arguments, Material, search_tests
from .shapes import SHAPES, Shape
from .tables import find_named_bodies, list_wrong_bodies, split_blocks

SAMPLES = 2  # of the tests, shown in the statement
_HEAD = re.compile(r"(\w+) < (\w+)")


@dataclass(frozen=True, slots=True)
class Program:
    """One program to write. right_bodies: (name of the algorithm, body)."""

    family: str
    name: str
    shape: Shape
    text: str
    input_format: str
    output_format: str
    right_bodies: tuple[tuple[str, str], ...]
    wrong_bodies: tuple[str, ...]


def read_programs(table: str) -> list[Program]:
    """Read the blocks of a table, in order. Raises ValueError for a malformed one."""
    return [_parse_program(*block) for block in split_blocks(table)]


def _parse_program(family: str, head_line: str, lines: list[str]) -> Program:
    match = _HEAD.fullmatch(head_line)
    right = find_named_bodies("\n".join(lines))
    input_format, output_format = (_join_marked_lines(lines, mark) for mark in "<>")
    text = " ".join(line for line in lines if line[0] not in "<>=! ")
    parts = (family, input_format, output_format, text)
    if match is None or match[2] not in SHAPES or len(right) < 2 or not all(parts):
        raise ValueError(f"not a task of the notation: {head_line!r} in family {family!r}")
    wrong = list_wrong_bodies(lines, right[0][1])
    return Program(
        family, match[1], SHAPES[match[2]], text, input_format, output_format, right, wrong
    )


def _join_marked_lines(lines: list[str], mark: str) -> str:
    return " ".join(line[2:] for line in lines if line.startswith(f"{mark} "))


def make_program_problem(task: Program, split: str, seed: int) -> dict[str, Any]:
    """The problem's record. Raises WeakTaskError as ``search_tests`` does."""
    right = _make_function(task, task.right_bodies[0][1])
    tests, wrong = search_tests(_make_material(task), Random(f"{seed}:{task.name}"))
    samples = [(text, right(text)) for (text,) in tests[:SAMPLES]]
    return {
        "problem_id": f"mini-c/{task.name}",
        "kind": "stdin",
        "platform": "microcoder-mini",
        "difficulty": "medium",
        "tier": "C",
        "family": task.family,
        "split": split,
        "licence": LICENCE,
        "statement": _make_statement(task, samples),
        "limits": {"time_s": 2},
        "tests": [{"input": text, "output": right(text)} for (text,) in tests],
        "solutions": [
            {"code": _format_code(task, body), "verdict": "AC", "by": "hand", "algorithm": name}
            for name, body in task.right_bodies
        ]
        + [
            {"code": _format_code(task, program.body), "verdict": program.verdict, "by": program.by}
            for program in wrong
        ],
    }


def _make_statement(task: Program, samples: list[tuple[str, str]]) -> str:
    parts = [task.text, f"Input: {task.input_format}", f"Output: {task.output_format}"]
    for number, (given, expected) in enumerate(samples, 1):
        parts += [f"Sample input {number}:\n```\n{given}```"]
        parts += [f"Sample output {number}:\n```\n{expected}```"]
    return "\n\n".join(parts)


def _make_material(task: Program) -> Material:
    return Material(
        name=task.name,
        build=partial(_make_function, task),
        draws=partial(_draw_arguments, task),
        edges=(task.shape.edges,),
        right_bodies=task.right_bodies,
        wrong_bodies=task.wrong_bodies,
        narrowed=tuple(f"{cut}\n{task.right_bodies[0][1]}" for cut in task.shape.cuts),
        probed=tuple(body for _, body in task.right_bodies[1:]),
    )


def _format_code(task: Program, body: str) -> str:
    return f"{task.shape.reading}\n{body}\n"


def _make_function(task: Program, body: str) -> Callable[[str], str]:
    return as_function(_format_code(task, body))


def as_function(text: str) -> Callable[[str], str]:
    """A program of the tables, or a mutant of one, as a function from input to output."""
    # The tables are this project's own text; nothing that a model wrote comes here.
    code = compile(text, "program", "exec")

    def run(text: str) -> str:
        lines, output_parts = iter(text.splitlines()), list[str]()

        def write(*values: object, sep: str = " ", end: str = "\n") -> None:
            output_parts.append(sep.join(map(str, values)) + end)

        exec(code, {"input": lambda: next(lines), "print": write})
        return "".join(output_parts)

    return run


def _draw_arguments(task: Program, rng: Random) -> Iterator[Arguments]:
    while True:
        yield [task.shape.draw(rng)]
