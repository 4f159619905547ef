"""Tiers A and B: from a task of the tables to a function to complete."""

from __future__ import annotations

import copy
import math
from collections.abc import Callable, Iterator
from functools import partial
from random import Random
from textwrap import indent
from typing import Any

from microcoder_sandbox import codec

from .kinds import KINDS, relate_arguments
from .search import Arguments, Material, search_tests
from .tables import Task

LICENCE = "Apache-2.0"  # of every problem: this repository's
_PARTS = {
    "int": ("min({0}, 9)", "abs({0})", "max({0}, 4)", "max({0}, 2)"),
    "bool": ("True", "False"),
    "str": ("{0}[:3]", "{0}[1:]", "max({0}, 'c')", "max({0}, 'b')"),
    "list": ("{0}[:3]", "{0}[1:]", "{0}[:2]", "{0}[::-1]"),
    "tuple": ("({0}[0], {0}[0])", "({0}[1], {0}[1])"),
    "dict": ("dict(list({0}.items())[:2])", "dict(sorted({0}.items())[1:])"),
}
# Difficulty, examples shown, last line. A model of a hundred million weights solves more of tier A
# without examples (18 % of its answers instead of 15 %), and its prompts are half as long.
_TIERS = {"A": ("easy", 0, "return"), "B": ("medium", 2, "...\n")}


def make_function_problem(task: Task, tier: str, split: str, seed: int) -> dict[str, Any]:
    """The problem's record. Raises WeakTaskError as ``search_tests`` does."""
    right_function = _make_function(task, task.right_bodies[0][1])
    tests, wrong_programs = search_tests(_make_material(task), Random(f"{seed}:{task.name}"))
    difficulty, examples, ending = _TIERS[tier]
    by_hand = [
        {"code": _format_program(task, body), "verdict": "AC", "by": "hand"}
        | ({"algorithm": name} if name else {})
        for name, body in task.right_bodies
    ]
    return {
        "problem_id": f"mini-{tier.lower()}/{task.name}",
        "kind": "call",
        "platform": "microcoder-mini",
        "difficulty": difficulty,
        "tier": tier,
        "family": task.family,
        "split": split,
        "licence": LICENCE,
        "statement": _make_statement(task),
        "entry_point": task.name,
        "starter_code": _make_starter(task, tests[:examples], right_function) + ending,
        "limits": {"time_s": 2},
        "tests": [
            {
                "input": codec.to_json(arguments),
                "output": codec.to_json(right_function(*copy.deepcopy(arguments))),
            }
            for arguments in tests
        ],
        "solutions": by_hand
        + [
            {
                "code": _format_program(task, program.body),
                "verdict": program.verdict,
                "by": program.by,
            }
            for program in wrong_programs
        ],
    }


def _make_material(task: Task) -> Material:
    return Material(
        name=task.name,
        build=partial(_make_function, task),
        draws=partial(_draw_arguments, task),
        edges=tuple(KINDS[kind].edges for _, kind in task.arguments),
        right_bodies=task.right_bodies,
        wrong_bodies=task.wrong_bodies,
        narrowed=tuple(_narrow_right_body(task)),
    )


def _make_function(task: Task, body: str) -> Callable[..., Any]:
    space: dict[str, Any] = {"math": math}
    # The tables are this project's own text; nothing that a model wrote comes here.
    exec(_format_program(task, body), space)
    function: Callable[..., Any] = space[task.name]
    return function


def _draw_arguments(task: Task, rng: Random) -> Iterator[Arguments]:
    kinds = [kind for _, kind in task.arguments]
    while True:
        arguments = [KINDS[kind].draw(rng) for kind in kinds]
        yield relate_arguments(arguments, kinds, rng) if rng.random() < 0.5 else arguments


def _narrow_right_body(task: Task) -> Iterator[str]:
    """The right program on a part of an argument: right for small inputs only."""
    for name, kind in task.arguments:
        for part in _PARTS[KINDS[kind].annotation.partition("[")[0]]:
            yield f"{name} = {part.format(name)}\n{task.right_bodies[0][1]}"


def _format_program(task: Task, body: str) -> str:
    return f"{task.head}\n{indent(body, '    ')}\n"


def _format_call(task: Task, arguments: Arguments) -> str:
    return f"{task.name}({', '.join(map(repr, arguments))})"


def _make_starter(task: Task, examples: list[Arguments], right_function: Callable[..., Any]) -> str:
    examples_text = "".join(
        f"    >>> {_format_call(task, arguments)}\n"
        f"    {right_function(*copy.deepcopy(arguments))!r}\n"
        for arguments in examples
    )
    suffix = f"\n\n{examples_text}    " if examples_text else ""
    return f'{task.head}\n    """{task.text}{suffix}"""\n    '


def _make_statement(task: Task) -> str:
    names = ", ".join(name for name, _ in task.arguments)
    # Examples are in starter_code only, and bounds are terse: lists of numbers and long formulas
    # make unlike problems look alike.
    call = f"{task.name}({names}) -> {task.returns}"
    return f"Write `{call}`. {task.text}\n{_describe_arguments(task)}."


def _describe_arguments(task: Task) -> str:
    by_kind: dict[str, list[str]] = {}
    for name, kind in task.arguments:
        by_kind.setdefault(kind, []).append(f"`{name}`")
    parts = [
        f"{' and '.join(names)}: {KINDS[kind].one if len(names) == 1 else KINDS[kind].many}"
        for kind, names in by_kind.items()
    ]
    return "; ".join(parts)
