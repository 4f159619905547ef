"""The tests of a problem and its wrong programs: inputs are drawn until they find those out."""

from __future__ import annotations

import marshal
import sys
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import islice
from random import Random
from types import FrameType
from typing import Any

from .mutants import mutants

TESTS = 12  # before those that a wrong program makes necessary
MOST_TESTS = 24
WRONG = 3
SEARCH = 80  # draws in which an input must turn up that tells a wrong program from the right one
HAND_SEARCH = 4000  # the same for a wrong program written by hand, which must be found out
AGREE = 200  # draws on which two right programs must agree
STEPS = 60_000  # lines that a wrong program may run; a right one needs fewer
_RAISED, _STUCK = object(), object()

Arguments = list[Any]


class WeakTaskError(ValueError):
    """A task of the tables that makes no good problem: its text says why."""


class _StuckError(BaseException):
    """A wrong program ran too long; not an Exception, so that no program catches it."""


@dataclass(frozen=True, slots=True)
class Material:
    """What tests are made of. build: from a body to a function of the arguments. draws: endless
    inputs. edges: for each argument the values that are always tested. right_bodies: (name of the
    algorithm, body). wrong_bodies: of the table. narrowed: the right body on a part of the input.
    probed: right bodies besides the first whose mutants the tests must find out."""

    name: str
    build: Callable[[str], Callable[..., Any]]
    draws: Callable[[Random], Iterator[Arguments]]
    edges: tuple[tuple[Any, ...], ...]
    right_bodies: tuple[tuple[str, str], ...]
    wrong_bodies: tuple[str, ...]
    narrowed: tuple[str, ...]
    probed: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Wrong:
    """A wrong program and the verdict of the first test that it fails. by: hand or mutant."""

    body: str
    verdict: str
    by: str


def search(material: Material, rng: Random) -> tuple[list[Arguments], list[Wrong]]:
    """The inputs of the tests, of which the first two are examples, and the wrong programs. Raises
    WeakTaskError where a wrong program is never, or always, found out, where right ones differ, or
    where no two examples with different results turn up."""
    right = _cache_results(material.build(material.right_bodies[0][1]))
    tests = _first_tests(material, right, rng)
    wrong = _choose_wrong_programs(material, right, tests, rng)
    for code in (code for body in material.probed for code in mutants(body)):
        _find_out(material, material.build(code), right, tests, rng)
    _check_agreement(material, right, rng)
    return tests, wrong


def _cache_results(function: Callable[..., Any]) -> Callable[..., Any]:
    known: dict[str, Any] = {}

    def ask(*arguments: Any) -> Any:
        key = repr(arguments)
        if key not in known:
            known[key] = function(*arguments)
        return _copy(known[key])

    return ask


def _copy(value: Any) -> Any:
    """Return a copy of plain data. Most of the search is copying, and this is the fastest way."""
    return marshal.loads(marshal.dumps(value))


def _check_agreement(material: Material, right: Callable[..., Any], rng: Random) -> None:
    draws = material.draws(rng)
    for name, body in material.right_bodies[1:]:
        other = material.build(body)
        for _ in range(AGREE):
            arguments = next(draws)
            if not _same(_result(other, arguments), _result(right, arguments)):
                raise WeakTaskError(f"{material.name}: {name!r} differs for {arguments}")


def _result(function: Callable[..., Any], arguments: Arguments) -> Any:
    try:
        return function(*_copy(arguments))
    except Exception:
        return _RAISED


def _result_in_time(function: Callable[..., Any], arguments: Arguments) -> Any:
    left = STEPS

    def count(frame: FrameType, event: str, argument: object) -> Callable[..., Any]:
        nonlocal left
        left -= 1
        if left < 0 and event == "line":  # not where a generator is closed: none hears it
            raise _StuckError
        return count

    before = sys.gettrace()
    sys.settrace(count)
    try:
        return _result(function, arguments)
    except _StuckError:
        return _STUCK
    finally:
        sys.settrace(before)


def _same(left: Any, right: Any) -> bool:
    return type(left) is type(right) and bool(left == right)


def _first_tests(material: Material, right: Callable[..., Any], rng: Random) -> list[Arguments]:
    """Two examples with different results, then the edges of each argument, then more draws."""
    draws = material.draws(rng)
    candidates = [next(draws) for _ in range(SEARCH)]
    results = [_result(right, arguments) for arguments in candidates]
    if any(result is _RAISED for result in results):
        raise WeakTaskError(f"{material.name}: the right program raises")
    second = next((k for k, r in enumerate(results) if not _same(r, results[0])), None)
    if second is None:
        raise WeakTaskError(f"{material.name}: all results are {results[0]!r}")
    tests = [candidates[0], candidates[second]]
    for k in range(max(map(len, material.edges))):
        arguments = next(draws)
        pairs = zip(material.edges, arguments, strict=True)
        _add(tests, [edge[k] if k < len(edge) else drawn for edge, drawn in pairs])
    for attempt in range(10 * TESTS):
        if len(tests) >= TESTS:
            break
        arguments = next(draws)
        # At first a result that most tests have is held back, so that both True and False occur.
        if attempt > 5 * TESTS or _share(_result(right, arguments), right, tests) <= 0.5:
            _add(tests, arguments)
    return tests


def _share(result: Any, right: Callable[..., Any], tests: list[Arguments]) -> float:
    return sum(_same(_result(right, arguments), result) for arguments in tests) / len(tests)


def _add(tests: list[Arguments], arguments: Arguments) -> None:
    if arguments not in tests:
        tests.append(arguments)


def _choose_wrong_programs(
    material: Material, right: Callable[..., Any], tests: list[Arguments], rng: Random
) -> list[Wrong]:
    """Those of the table and enough mutants; adds to ``tests`` the inputs that find them out."""
    table_bodies = list(material.wrong_bodies)
    right_body = material.right_bodies[0][1]
    variants = (*mutants(right_body), *material.narrowed)
    other_bodies = [code for code in variants if code not in table_bodies]
    for code in table_bodies:
        _find_out(material, material.build(code), right, tests, rng, HAND_SEARCH)
    for code in other_bodies:
        _find_out(material, material.build(code), right, tests, rng)
    chosen = []
    for code in table_bodies:
        verdict, passed = _verdict(material.build(code), right, tests)
        if verdict == "AC" or passed == 0:
            kind = "passes every test" if verdict == "AC" else "fails every test"
            raise WeakTaskError(f"{material.name}: {code!r} {kind}")
        chosen.append(Wrong(code, verdict, "hand"))
    judged = [(code, *_verdict(material.build(code), right, tests)) for code in other_bodies]
    partly = [(code, verdict, passed) for code, verdict, passed in judged if verdict != "AC"]
    partly = sorted((row for row in partly if row[2]), key=lambda row: -row[2])
    chosen += [Wrong(code, verdict, "mutant") for code, verdict, _ in partly]
    return chosen[: max(WRONG, len(table_bodies))]


def _find_out(
    material: Material,
    wrong: Callable[..., Any],
    right: Callable[..., Any],
    tests: list[Arguments],
    rng: Random,
    draws: int = SEARCH,
) -> None:
    if len(tests) >= MOST_TESTS or _verdict(wrong, right, tests)[0] != "AC":
        return
    arguments = told_apart(wrong, right, islice(material.draws(rng), draws))
    if arguments is not None:
        _add(tests, arguments)


def told_apart(
    wrong: Callable[..., Any], right: Callable[..., Any], inputs: Iterable[Arguments]
) -> Arguments | None:
    """The first of some inputs for which the first gives another result or none; None if there is
    no such input."""
    for arguments in inputs:
        if not _same(_result_in_time(wrong, arguments), _result(right, arguments)):
            return arguments
    return None


def _verdict(
    wrong: Callable[..., Any], right: Callable[..., Any], tests: list[Arguments]
) -> tuple[str, int]:
    """(the verdict of the first test that does not pass, how many pass)."""
    verdict, passed = "AC", 0
    for arguments in tests:
        result = _result_in_time(wrong, arguments)
        if result is _STUCK:
            return "TLE", 0
        if _same(result, _result(right, arguments)):
            passed += 1
        elif verdict == "AC":
            verdict = "RE" if result is _RAISED else "WA"
    return verdict, passed
