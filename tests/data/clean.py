"""Problems without a fault, made by a seed: what faults are planted into, here and in benchmarks.

Every one has a statement with input, output, limits and an example, at least ten tests, two right
programs and two wrong ones.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

Row = dict[str, Any]

# (name, why, what is asked, the expression over the list `a`, another way to it, wrong expressions)
_OF_LIST = [
    (
        "total",
        "The owner wants to know where everything stands once the season is over",
        "the sum of all numbers",
        "sum(a)",
        "__import__('functools').reduce(lambda x, y: x + y, a, 0)",
        ["sum(a[1:])", "sum(abs(x) for x in a)"],
    ),
    (
        "largest",
        "A prize is given for the single best entry, so only that one matters in the end",
        "the largest number",
        "max(a)",
        "sorted(a)[-1]",
        ["max(0, *a)", "a[-1]"],
    ),
    (
        "smallest",
        "Insurance pays for the worst entry alone and wants to see it on paper",
        "the smallest number",
        "min(a)",
        "sorted(a)[0]",
        ["min(a, key=abs)", "a[0]"],
    ),
    (
        "spread",
        "An engineer has to choose an instrument whose scale reaches from one extreme to the other",
        "the difference between the largest and the smallest number",
        "max(a) - min(a)",
        "sorted(a)[-1] - sorted(a)[0]",
        ["max(a) - a[0]", "abs(a[0] - a[-1])"],
    ),
    (
        "negatives",
        "Whoever has too many bad entries must explain them to the board",
        "how many of the numbers are below zero",
        "sum(x < 0 for x in a)",
        "len([x for x in a if x < 0])",
        ["sum(x <= 0 for x in a)", "len(set(x for x in a if x < 0))"],
    ),
    (
        "distinct",
        "A painter mixes one colour for every value that occurs and none twice",
        "how many different numbers there are",
        "len(set(a))",
        "len(dict.fromkeys(a))",
        ["len(a)", "len(set(map(abs, a)))"],
    ),
    (
        "evens",
        "An old counting machine skips everything that cannot be halved without a remainder",
        "the sum of the even numbers, zero where there is none",
        "sum(x for x in a if x % 2 == 0)",
        "sum(x * (1 - x % 2) for x in a)",
        ["sum(x for x in a if x % 2)", "sum(x for x in a if x % 2 == 0 and x > 0)"],
    ),
    (
        "climbs",
        "A bell rings each time that things have just got better compared with the entry before",
        "at how many places a number is larger than the one right before it",
        "sum(y > x for x, y in zip(a, a[1:]))",
        "sum(a[i] > a[i - 1] for i in range(1, len(a)))",
        ["sum(y >= x for x, y in zip(a, a[1:]))", "sum(a[i] > a[i - 1] for i in range(len(a)))"],
    ),
    (
        "square",
        "A statistician squares all deviations, and large ones count far more than small ones",
        "the sum of the squares of all numbers",
        "sum(x * x for x in a)",
        "sum(x ** 2 for x in a)",
        ["sum(a) ** 2", "sum(x * abs(x) for x in a)"],
    ),
    (
        "second",
        "The winner is disqualified, and all eyes turn to whoever came right behind",
        "the second largest number, where equal numbers count separately",
        "sorted(a)[-2]",
        "sorted(a, reverse=True)[1]",
        ["sorted(set(a))[-2] if len(set(a)) > 1 else a[0]", "sorted(a)[1]"],
    ),
    (
        "alternating",
        "Two rivals take entries in turns, the first for and the second against the common account",
        "the first number minus the second plus the third and so on to the end",
        "sum(a[::2]) - sum(a[1::2])",
        "sum(x if i % 2 == 0 else -x for i, x in enumerate(a))",
        ["sum(a[1::2]) - sum(a[::2])", "sum(a[::2])"],
    ),
    (
        "peak",
        "Two entries side by side fit into one crate, and the most valuable crate is shipped first",
        "the largest sum of two neighbouring numbers",
        "max(x + y for x, y in zip(a, a[1:]))",
        "max(a[i] + a[i + 1] for i in range(len(a) - 1))",
        [
            "sum(sorted(a)[-2:])",
            "max(x + y for x, y in zip(a, a[1:])) if a[0] > 0 else a[0] + a[1]",
        ],
    ),
]
_SCENES = [
    (
        "harbour",
        "A harbour master writes down how far the water stands above or below a mark",
        "level",
    ),
    (
        "bakery",
        "A baker keeps a book of what each day brought in, losses being below zero",
        "amount",
    ),
    (
        "mountain",
        "A hiker notes at every stop how much higher the path has led since the last one",
        "height",
    ),
    ("orchestra", "A conductor grades each rehearsal, with bad ones below zero", "grade"),
    ("greenhouse", "A gardener reads the thermometer of a greenhouse once in each hour", "reading"),
    (
        "library",
        "A librarian counts by how many books a shelf has grown or shrunk in a week",
        "change",
    ),
    (
        "railway",
        "A dispatcher notes by how many minutes trains were late, or early below zero",
        "delay",
    ),
    (
        "observatory",
        "An astronomer writes the brightness of a star above or below its usual value",
        "value",
    ),
]


def problems(count: int, seed: int = 0) -> list[Row]:
    """Up to 192 different problems, programs and functions in turns."""
    chance = random.Random(seed)
    pairs = [(task, scene) for task in _OF_LIST for scene in _SCENES]
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
    name, why, asked, one, other, wrong = task
    inputs = _numbers(chance)
    statement = (
        f"{scene[1]}. {why}. From these notes you are to find {asked}.\n\n## Input\n\nThe first "
        f"line holds the number n of notes of the {scene[0]} (2 ≤ n ≤ 1000). The second line has n "
        f"integers, one {scene[2]} after the other, each between -1000 and 1000.\n\n## Output\n\n"
        f"Print one integer: {asked}.\n\n## Sample Input 1\n\n```\n{_lines(inputs[0]).strip()}\n"
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
    name, why, asked, one, other, wrong = task
    inputs = _numbers(chance)
    statement = (
        f"{why}. {scene[1]}. All notes of the {scene[0]} come as a list of two or more "
        f"integers from -1000 to 1000, each one {scene[2]}. The function must return {asked}. The "
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
