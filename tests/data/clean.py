"""Problems without a fault, made by a seed: what faults are planted into, here and in benchmarks.

Every one has a statement with input, output, limits and an example, at least ten tests, two right
programs and two wrong ones.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

from tests.data.lines import Row
from tests.files import read_table

_TABLE = read_table(__file__)


def problems(count: int, seed: int = 0) -> list[Row]:
    """Up to 192 different problems, programs and functions in turns."""
    chance = random.Random(seed)
    tasks = [(name, *row.values()) for name, row in _TABLE["tasks"].items()]
    scenes = [(name, *texts) for name, texts in _TABLE["scenes"].items()]
    pairs = [(task, scene) for task in tasks for scene in scenes]
    makers: list[Callable[..., Row]] = [_program, _function]
    every = [(maker, *pair) for maker in makers for pair in pairs]
    chance.shuffle(every)
    return [maker(task, scene, chance) for maker, task, scene in every[:count]]


def _numbers(chance: random.Random) -> list[list[int]]:
    """Inputs with the edges of the limits among them; the first is the example."""
    fixed = [[3, -1, 4, -1, 5], [0, 0], [-7, -7, -3], [2, 1], [-1000, 1000], [5, 5, 1]]
    drawn = [
        [chance.randint(-1000, 1000) for _ in range(chance.choice([2, 3, 6, 10, 25]))]
        for _ in range(8)
    ]
    return fixed + drawn


def _answer(expression: str, numbers: list[int]) -> Any:
    return eval(expression, {"a": numbers, "__import__": __import__})  # our own expressions


def _lines(numbers: list[int]) -> str:
    return f"{len(numbers)}\n{' '.join(map(str, numbers))}\n"


def _program(task: Any, scene: Any, chance: random.Random) -> Row:
    name, why, text, one, other, wrong = task
    inputs = _numbers(chance)
    statement = (
        f"{scene[1]}. {why}. From these notes you are to find {text}.\n\n## Input\n\nThe first "
        f"line holds the number n of notes of the {scene[0]} (2 ≤ n ≤ 1000). The second line has n "
        f"integers, one {scene[2]} after the other, each between -1000 and 1000.\n\n## Output\n\n"
        f"Print one integer: {text}.\n\n## Sample Input 1\n\n```\n{_lines(inputs[0]).strip()}\n"
        f"```\n\n## Sample Output 1\n\n```\n{_answer(one, inputs[0])}\n```"
    )
    read = "n = int(input())\na = list(map(int, input().split()))\nprint({})\n"
    return {
        "problem_id": f"clean/{name}-{scene[0]}",
        "kind": "stdin",
        "statement": statement,
        "tests": [
            {"input": _lines(numbers), "output": f"{_answer(one, numbers)}\n"} for numbers in inputs
        ],
        "licence": "CC0-1.0",
        "date": "2025-05-01",
        "solutions": _solutions(scene, read.format, one, other, wrong),
    }


def _function(task: Any, scene: Any, chance: random.Random) -> Row:
    name, why, text, one, other, wrong = task
    inputs = _numbers(chance)
    statement = (
        f"{why}. {scene[1]}. All notes of the {scene[0]} come as a list of two or more "
        f"integers from -1000 to 1000, each one {scene[2]}. The function must return {text}. The "
        f"list itself must stay as it is.\n\nFor example, {name}_of_{scene[2]}s({inputs[0]}) "
        f"is meant to be {_answer(one, inputs[0])}:\n\n```\n>>> "
        f"{name}_of_{scene[2]}s({inputs[0]})\n{_answer(one, inputs[0])}\n```"
    )
    entry = f"{name}_of_{scene[2]}s"
    return {
        "problem_id": f"clean/{entry}-{scene[0]}",
        "kind": "call",
        "entry_point": entry,
        "statement": statement,
        "tests": [{"input": [numbers], "output": _answer(one, numbers)} for numbers in inputs],
        "licence": "CC0-1.0",
        "date": "2025-05-01",
        "solutions": _solutions(
            scene, f"def {entry}(a):\n    return {{}}\n".format, one, other, wrong
        ),
    }


def _solutions(
    scene: Any, code: Callable[[str], str], one: str, other: str, wrong: list[str]
) -> list[dict[str, str]]:
    """Programs that name their scene: problems with the same program would be duplicates."""
    named = f"scene = {scene[0]!r}, {scene[2]!r}\n{{}}".format
    right = [{"code": named(code(text)), "verdict": "AC"} for text in (one, other)]
    return right + [{"code": named(code(text)), "verdict": "WA"} for text in wrong]
