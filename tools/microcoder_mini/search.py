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

from .mutants import make_mutants

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
class WrongProgram:
    """A body that fails a test, and the verdict of the first that it fails. by: hand or mutant."""

    body: str
    verdict: str
    by: str


def search_tests(material: Material, rng: Random) -> tuple[list[Arguments], list[WrongProgram]]:
    """Return the inputs of the tests, of which the first two are examples, and the wrong programs.
    Raises WeakTaskError where a wrong program fails no test, or all, where right ones differ, or
    where no two examples with different results turn up."""
    search = _Search(material, rng)
    search.draw_first_tests()
    wrong_programs = search.choose_wrong_programs()
    for code in (code for body in material.probed for code in make_mutants(body)):
        search.add_test_against(code)
    search.check_agreement()
    return search.tests, wrong_programs


class _Search:
    """The tests of a problem while they are searched for. right: its first right program."""

    def __init__(self, material: Material, rng: Random) -> None:
        self._material, self._rng = material, rng
        self._right = _cache_results(material.build(material.right_bodies[0][1]))
        self.tests: list[Arguments] = []

    def draw_first_tests(self) -> None:
        """Two examples with different results, then the edges of each argument, then more draws."""
        name, edges = self._material.name, self._material.edges
        draws = self._material.draws(self._rng)
        candidates = [next(draws) for _ in range(SEARCH)]
        results = [_run(self._right, arguments) for arguments in candidates]
        if any(result is _RAISED for result in results):
            raise WeakTaskError(f"{name}: the right program raises")
        second = next((k for k, r in enumerate(results) if not _are_same(r, results[0])), None)
        if second is None:
            raise WeakTaskError(f"{name}: all results are {results[0]!r}")
        self.tests = [candidates[0], candidates[second]]
        for k in range(max(map(len, edges))):
            pairs = zip(edges, next(draws), strict=True)
            self._add([edge[k] if k < len(edge) else drawn for edge, drawn in pairs])
        for attempt in range(10 * TESTS):
            if len(self.tests) >= TESTS:
                break
            arguments = next(draws)
            # At first a result that most tests have is held back, so that both True and False
            # occur.
            if attempt > 5 * TESTS or self._measure_share(_run(self._right, arguments)) <= 0.5:
                self._add(arguments)

    def _measure_share(self, result: Any) -> float:
        """Return the share of the tests with this result."""
        return sum(_are_same(_run(self._right, one), result) for one in self.tests) / len(
            self.tests
        )

    def _add(self, arguments: Arguments) -> None:
        if arguments not in self.tests:
            self.tests.append(arguments)

    def choose_wrong_programs(self) -> list[WrongProgram]:
        """Return those of the table and enough mutants; add a test that each fails."""
        material = self._material
        table_bodies = list(material.wrong_bodies)
        variants = (*make_mutants(material.right_bodies[0][1]), *material.narrowed)
        other_bodies = [code for code in variants if code not in table_bodies]
        for code in table_bodies:
            self.add_test_against(code, HAND_SEARCH)
        for code in other_bodies:
            self.add_test_against(code)
        wrong_programs = []
        for code in table_bodies:
            verdict, passed = self._judge(material.build(code))
            if verdict == "AC" or passed == 0:
                kind = "passes every test" if verdict == "AC" else "fails every test"
                raise WeakTaskError(f"{material.name}: {code!r} {kind}")
            wrong_programs.append(WrongProgram(code, verdict, "hand"))
        judged = [(code, *self._judge(material.build(code))) for code in other_bodies]
        partly_right = [row for row in judged if row[1] != "AC" and row[2]]
        for code, verdict, _ in sorted(partly_right, key=lambda row: -row[2]):
            wrong_programs.append(WrongProgram(code, verdict, "mutant"))
        return wrong_programs[: max(WRONG, len(table_bodies))]

    def add_test_against(self, body: str, draws: int = SEARCH) -> None:
        """Add an input for which a program differs from the right one, if it passes all tests and
        so many draws hold one."""
        program = self._material.build(body)
        if len(self.tests) >= MOST_TESTS or self._judge(program)[0] != "AC":
            return
        inputs = islice(self._material.draws(self._rng), draws)
        arguments = find_difference(program, self._right, inputs)
        if arguments is not None:
            self._add(arguments)

    def check_agreement(self) -> None:
        """Raise WeakTaskError where another right program gives another result."""
        draws = self._material.draws(self._rng)
        for name, body in self._material.right_bodies[1:]:
            other = self._material.build(body)
            for _ in range(AGREE):
                arguments = next(draws)
                if not _are_same(_run(other, arguments), _run(self._right, arguments)):
                    raise WeakTaskError(f"{self._material.name}: {name!r} differs for {arguments}")

    def _judge(self, program: Callable[..., Any]) -> tuple[str, int]:
        """(the verdict of the first test that does not pass, how many pass)."""
        verdict, passed = "AC", 0
        for arguments in self.tests:
            result = _run_in_time(program, arguments)
            if result is _STUCK:
                return "TLE", 0
            if _are_same(result, _run(self._right, arguments)):
                passed += 1
            elif verdict == "AC":
                verdict = "RE" if result is _RAISED else "WA"
        return verdict, passed


def find_difference(
    wrong: Callable[..., Any], right: Callable[..., Any], inputs: Iterable[Arguments]
) -> Arguments | None:
    """Return the first of some inputs for which the first gives another result or none; None if
    there is no such input."""
    for arguments in inputs:
        if not _are_same(_run_in_time(wrong, arguments), _run(right, arguments)):
            return arguments
    return None


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


def _run(function: Callable[..., Any], arguments: Arguments) -> Any:
    """Return the result, or _RAISED."""
    try:
        return function(*_copy(arguments))
    except Exception:
        return _RAISED


def _run_in_time(function: Callable[..., Any], arguments: Arguments) -> Any:
    """Return the result, _RAISED, or _STUCK after STEPS lines."""
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
        return _run(function, arguments)
    except _StuckError:
        return _STUCK
    finally:
        sys.settrace(before)


def _are_same(left: Any, right: Any) -> bool:
    return type(left) is type(right) and bool(left == right)
