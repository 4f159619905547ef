"""Tier A: from a task of the tables to a problem with tests, right and wrong programs.

The solver is given a function's head, its docstring with two examples and the word ``return``;
one line completes it.
"""

from __future__ import annotations

import copy
import math
from collections.abc import Callable, Iterator
from random import Random
from typing import Any

from microcoder_sandbox import codec

from .kinds import KINDS, related
from .mutants import mutants
from .tables import Task

TESTS = 12  # before those that a wrong program makes necessary
MOST_TESTS = 24
WRONG = 3
SEARCH = 80  # draws in which an input must turn up that tells a wrong program from the right one
_RAISED = object()
_PARTS = {
    "int": ("min({0}, 9)", "abs({0})", "max({0}, 4)", "max({0}, 2)"),
    "bool": ("True", "False"),
    "str": ("{0}[:3]", "{0}[1:]", "max({0}, 'c')", "max({0}, 'b')"),
    "list": ("{0}[:3]", "{0}[1:]", "{0}[:2]", "{0}[::-1]"),
    "tuple": ("({0}[0], {0}[0])", "({0}[1], {0}[1])"),
    "dict": ("dict(list({0}.items())[:2])", "dict(sorted({0}.items())[1:])"),
}

Arguments = list[Any]


class WeakTaskError(ValueError):
    """A task of the tables that makes no good problem: its text says why."""


def one_line_problem(task: Task, split: str, seed: int) -> dict[str, Any]:
    """The problem's record. Raises WeakTaskError where a wrong program is never, or always, found
    out, or where the right one cannot make two different examples."""
    rng = Random(f"{seed}:{task.name}")
    right = _function(task, task.right)
    tests = _first_tests(task, right, rng)
    examples = tests[:2]
    wrong = _wrong_programs(task, right, tests, rng)
    return {
        "problem_id": f"mini-a/{task.name}",
        "kind": "call",
        "platform": "microcoder-mini",
        "difficulty": "easy",
        "tier": "A",
        "family": task.family,
        "split": split,
        "statement": _statement(task, examples, right),
        "entry_point": task.name,
        "starter_code": _starter(task, examples, right),
        "limits": {"time_s": 2},
        "tests": [
            {"input": codec.to_json(given), "output": codec.to_json(_result(right, given))}
            for given in tests
        ],
        "solutions": [
            {"code": _program(task, code), "verdict": verdict, "by": by}
            for code, verdict, by in [(task.right, "AC", "hand"), *wrong]
        ],
    }


def _function(task: Task, expression: str) -> Callable[..., Any]:
    names = ", ".join(name for name, _ in task.arguments)
    # The tables are this project's own text; nothing that a model wrote comes here.
    made: Callable[..., Any] = eval(f"lambda {names}: {expression}", {"math": math})
    return made


def _result(function: Callable[..., Any], given: Arguments) -> Any:
    try:
        return function(*copy.deepcopy(given))
    except Exception:
        return _RAISED


def _same(left: Any, right: Any) -> bool:
    return type(left) is type(right) and bool(left == right)


def _draws(task: Task, rng: Random) -> Iterator[Arguments]:
    kinds = [kind for _, kind in task.arguments]
    while True:
        given = [KINDS[kind].draw(rng) for kind in kinds]
        yield related(given, kinds, rng) if rng.random() < 0.5 else given


def _first_tests(task: Task, right: Callable[..., Any], rng: Random) -> list[Arguments]:
    """Two examples with different results, then the edges of each argument, then more draws."""
    draws = _draws(task, rng)
    several = [next(draws) for _ in range(SEARCH)]
    results = [_result(right, given) for given in several]
    if any(result is _RAISED for result in results):
        raise WeakTaskError(f"{task.name}: the right program raises")
    second = next((k for k, r in enumerate(results) if not _same(r, results[0])), None)
    if second is None:
        raise WeakTaskError(f"{task.name}: all results are {results[0]!r}")
    tests = [several[0], several[second]]
    edges = [KINDS[kind].edges for _, kind in task.arguments]
    for k in range(max(map(len, edges))):
        given = next(draws)
        _add(tests, [edge[k] if k < len(edge) else g for edge, g in zip(edges, given, strict=True)])
    for tried in range(10 * TESTS):
        if len(tests) >= TESTS:
            break
        given = next(draws)
        # At first a result that most tests have is held back, so that both True and False occur.
        if tried > 5 * TESTS or _share(_result(right, given), right, tests) <= 0.5:
            _add(tests, given)
    return tests


def _share(result: Any, right: Callable[..., Any], tests: list[Arguments]) -> float:
    return sum(_same(_result(right, given), result) for given in tests) / len(tests)


def _add(tests: list[Arguments], given: Arguments) -> None:
    if given not in tests:
        tests.append(given)


def _wrong_programs(
    task: Task, right: Callable[..., Any], tests: list[Arguments], rng: Random
) -> list[tuple[str, str, str]]:
    """(expression, verdict, by whom); adds to ``tests`` the inputs that find them out."""
    hand = list(task.wrong)
    found = [code for code in (*mutants(task.right), *_narrowed(task)) if code not in hand]
    for code in hand + found:
        _find_out(task, _function(task, code), right, tests, rng)
    chosen = []
    for code in hand:
        verdict, passed = _verdict(_function(task, code), right, tests)
        if verdict == "AC" or passed == 0:
            kind = "passes every test" if verdict == "AC" else "fails every test"
            raise WeakTaskError(f"{task.name}: {code!r} {kind}")
        chosen.append((code, verdict, "hand"))
    judged = [(code, *_verdict(_function(task, code), right, tests)) for code in found]
    partly = [(code, verdict, passed) for code, verdict, passed in judged if verdict != "AC"]
    partly = sorted((row for row in partly if row[2]), key=lambda row: -row[2])
    chosen += [(code, verdict, "mutant") for code, verdict, _ in partly]
    return chosen[: max(WRONG, len(hand))]


def _narrowed(task: Task) -> Iterator[str]:
    """The right program on a part of an argument: right for small inputs only."""
    for name, kind in task.arguments:
        for part in _PARTS[KINDS[kind].annotation.partition("[")[0]]:
            yield f"(lambda {name}: {task.right})({part.format(name)})"


def _find_out(
    task: Task,
    wrong: Callable[..., Any],
    right: Callable[..., Any],
    tests: list[Arguments],
    rng: Random,
) -> None:
    if len(tests) >= MOST_TESTS or _verdict(wrong, right, tests)[0] != "AC":
        return
    draws = _draws(task, rng)
    for _ in range(SEARCH):
        given = next(draws)
        if not _same(_result(wrong, given), _result(right, given)):
            _add(tests, given)
            return


def _verdict(
    wrong: Callable[..., Any], right: Callable[..., Any], tests: list[Arguments]
) -> tuple[str, int]:
    """(the verdict of the first test that does not pass, how many pass)."""
    verdict, passed = "AC", 0
    for given in tests:
        result = _result(wrong, given)
        if _same(result, _result(right, given)):
            passed += 1
        elif verdict == "AC":
            verdict = "RE" if result is _RAISED else "WA"
    return verdict, passed


def _program(task: Task, expression: str) -> str:
    return f"{task.head}\n    return {expression}\n"


def _call(task: Task, given: Arguments) -> str:
    return f"{task.name}({', '.join(map(repr, given))})"


def _starter(task: Task, examples: list[Arguments], right: Callable[..., Any]) -> str:
    shown = "".join(
        f"    >>> {_call(task, given)}\n    {_result(right, given)!r}\n" for given in examples
    )
    return f'{task.head}\n    """{task.text}\n\n{shown}    """\n    return'


def _statement(task: Task, examples: list[Arguments], right: Callable[..., Any]) -> str:
    shown = ", ".join(f"{_call(task, given)} is {_result(right, given)!r}" for given in examples)
    return f"Write {task.name}. {task.text}\n{_given(task)}\nExamples: {shown}."


def _given(task: Task) -> str:
    by_kind: dict[str, list[str]] = {}
    for name, kind in task.arguments:
        by_kind.setdefault(kind, []).append(f"`{name}`")
    parts = [
        f"{' and '.join(names)}: {KINDS[kind].one if len(names) == 1 else KINDS[kind].many}"
        for kind, names in by_kind.items()
    ]
    return f"Given {'; '.join(parts)}."
