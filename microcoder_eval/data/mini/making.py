"""From a task of the tables to a problem with tests, right and wrong programs."""

from __future__ import annotations

import copy
import math
import sys
from collections.abc import Callable, Iterator
from random import Random
from textwrap import indent
from types import FrameType
from typing import Any

from microcoder_sandbox import codec

from .kinds import KINDS, related
from .mutants import mutants
from .tables import Task

TESTS = 12  # before those that a wrong program makes necessary
MOST_TESTS = 24
WRONG = 3
SEARCH = 80  # draws in which an input must turn up that tells a wrong program from the right one
AGREE = 200  # draws on which two right programs must agree
STEPS = 20_000  # lines that a wrong program may run: a right one needs a few hundred
_RAISED, _STUCK = object(), object()
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


class _StuckError(BaseException):
    """A wrong program ran too long; not an Exception, so that no program catches it."""


def make_problem(task: Task, tier: str, split: str, seed: int) -> dict[str, Any]:
    """The problem's record. Raises WeakTaskError where a wrong program is never, or always, found
    out, where right ones differ, or where no two examples with different results turn up."""
    rng = Random(f"{seed}:{task.name}")
    right = _function(task, task.right[0][1])
    tests = _first_tests(task, right, rng)
    examples = tests[:2]
    wrong = _wrong_programs(task, right, tests, rng)
    _check_agreement(task, right, rng)
    by_hand = [
        {"code": _program(task, body), "verdict": "AC", "by": "hand"}
        | ({"algorithm": name} if name else {})
        for name, body in task.right
    ]
    return {
        "problem_id": f"mini-{tier.lower()}/{task.name}",
        "kind": "call",
        "platform": "microcoder-mini",
        "difficulty": {"A": "easy", "B": "medium"}[tier],
        "tier": tier,
        "family": task.family,
        "split": split,
        "statement": _statement(task, examples, right),
        "entry_point": task.name,
        "starter_code": _starter(task, examples, right) + ("return" if tier == "A" else "...\n"),
        "limits": {"time_s": 2},
        "tests": [
            {"input": codec.to_json(given), "output": codec.to_json(_result(right, given))}
            for given in tests
        ],
        "solutions": by_hand
        + [
            {"code": _program(task, code), "verdict": verdict, "by": by}
            for code, verdict, by in wrong
        ],
    }


def _check_agreement(task: Task, right: Callable[..., Any], rng: Random) -> None:
    draws = _draws(task, rng)
    for name, body in task.right[1:]:
        other = _function(task, body)
        for _ in range(AGREE):
            given = next(draws)
            if not _same(_result(other, given), _result(right, given)):
                raise WeakTaskError(f"{task.name}: {name!r} differs for {given}")


def _function(task: Task, body: str) -> Callable[..., Any]:
    space: dict[str, Any] = {"math": math}
    # The tables are this project's own text; nothing that a model wrote comes here.
    exec(_program(task, body), space)
    made: Callable[..., Any] = space[task.name]
    return made


def _result(function: Callable[..., Any], given: Arguments) -> Any:
    try:
        return function(*copy.deepcopy(given))
    except Exception:
        return _RAISED


def _result_in_time(function: Callable[..., Any], given: Arguments) -> Any:
    left = STEPS

    def count(frame: FrameType, event: str, argument: object) -> Callable[..., Any]:
        nonlocal left
        left -= 1
        if left < 0:
            raise _StuckError
        return count

    before = sys.gettrace()
    sys.settrace(count)
    try:
        return _result(function, given)
    except _StuckError:
        return _STUCK
    finally:
        sys.settrace(before)


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
    right_body = task.right[0][1]
    found = [code for code in (*mutants(right_body), *_narrowed(task)) if code not in hand]
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
            yield f"{name} = {part.format(name)}\n{task.right[0][1]}"


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
        if not _same(_result_in_time(wrong, given), _result(right, given)):
            _add(tests, given)
            return


def _verdict(
    wrong: Callable[..., Any], right: Callable[..., Any], tests: list[Arguments]
) -> tuple[str, int]:
    """(the verdict of the first test that does not pass, how many pass)."""
    verdict, passed = "AC", 0
    for given in tests:
        result = _result_in_time(wrong, given)
        if result is _STUCK:
            return "TLE", 0
        if _same(result, _result(right, given)):
            passed += 1
        elif verdict == "AC":
            verdict = "RE" if result is _RAISED else "WA"
    return verdict, passed


def _program(task: Task, body: str) -> str:
    return f"{task.head}\n{indent(body, '    ')}\n"


def _call(task: Task, given: Arguments) -> str:
    return f"{task.name}({', '.join(map(repr, given))})"


def _starter(task: Task, examples: list[Arguments], right: Callable[..., Any]) -> str:
    shown = "".join(
        f"    >>> {_call(task, given)}\n    {_result(right, given)!r}\n" for given in examples
    )
    return f'{task.head}\n    """{task.text}\n\n{shown}    """\n    '


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
