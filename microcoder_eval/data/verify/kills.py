"""Which tests kill which wrong programs: as much of it as choosing tests takes.

Programs are run on one test, then two more, four more, and so on, each up to its first failure; one
that was killed often enough is run no more. Most wrong programs fail nearly everywhere, so this
costs a small part of running all on all.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field, replace

from microcoder_eval.records import Judgement, Problem, Solution, Verdict

from .runner import Runner, first_failure

_SLOW = frozenset({Verdict.TLE, Verdict.MLE, Verdict.OLE})


@dataclass(slots=True)
class Kills:
    """What is known of one program. tests: positions (from 0) known to kill it.

    failed: it did not pass; also by time that another run might not have taken, which counts as
    no kill, or before any test came.
    """

    tests: set[int] = field(default_factory=set)
    failed: bool = False
    finished: bool = False


def probe(
    runner: Runner,
    problem: Problem,
    programs: Sequence[Solution],
    order: Sequence[int],
    enough: int,
    slow_tests: Collection[int] = (),
) -> list[Kills]:
    """Kills of each program. order: the tests, those likely to tell most first.

    enough: kills after which a program is run no more. slow_tests: on which running out of time is
    no sure sign. Raises as Runner.judged.
    """
    found = [Kills() for _ in programs]
    for chunk in _chunks(order):
        alive = [number for number, kills in enumerate(found) if not kills.finished]
        if not alive:
            break
        part = replace(problem, tests=tuple(problem.tests[test] for test in chunk))
        judgements = runner.judged(part, [programs[number] for number in alive])
        for number, judgement in zip(alive, judgements, strict=True):
            _note(found[number], judgement, chunk, slow_tests)
            found[number].finished |= len(found[number].tests) >= enough
    return found


def _note(
    kills: Kills, judgement: Judgement, chunk: Sequence[int], slow_tests: Collection[int]
) -> None:
    if judgement.passed:
        return
    kills.failed = True
    place = first_failure(judgement)
    if place is None:  # it does not compile, or has no entry point
        kills.finished = True
        return
    slow = judgement.verdict in _SLOW
    if not slow or ("near_limit" not in judgement.flags and chunk[place] not in slow_tests):
        kills.tests.add(chunk[place])
    kills.finished |= slow  # it would cost its limit again and again


def _chunks(order: Sequence[int]) -> Iterator[Sequence[int]]:
    start, size = 0, 1
    while start < len(order):
        yield order[start : start + size]
        start, size = start + size, 2 * size


def spread(sizes: Sequence[int]) -> list[int]:
    """Positions so that the first few are spread over all sizes: the middle first, ends last."""
    ranked = sorted(range(len(sizes)), key=lambda position: (sizes[position], position))
    found: list[int] = []
    seen: set[int] = set()
    parts = 2
    while len(found) < len(ranked) and parts <= 4 * len(ranked):
        for part in range(1, parts, 2):
            position = ranked[min(len(ranked) - 1, part * len(ranked) // parts)]
            if position not in seen:
                seen.add(position)
                found.append(position)
        parts *= 2
    return found + [position for position in ranked if position not in seen]
