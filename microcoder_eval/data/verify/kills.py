"""Which tests kill which wrong programs: as much of it as choosing tests takes.

Programs are run on one test, then two more, four more, and so on, each up to its first failure; one
that was killed often enough is run no more. Most wrong programs fail nearly everywhere, so this
costs a small part of running all on all.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

from microcoder_eval.data.recipe import Verify
from microcoder_eval.records import Judgement, Problem, Solution, Verdict

from .runner import Runner, first_failure, most_seconds, time_limit, with_room
from .steps import OUT_OF_STEPS

_SLOW = frozenset({Verdict.TLE, Verdict.MLE, Verdict.OLE})


@dataclass(slots=True)
class Kills:
    """What is known of one program. tests: positions (from 0) known to kill it.

    failed: it did not pass, on a test or before any test came. slowest: the CPU seconds
    of the test that it passed in the longest time, and which one. near_limit: it fails by time
    alone, and by so little that another run might let it pass.
    """

    tests: set[int] = field(default_factory=set)
    failed: bool = False
    finished: bool = False
    slowest: tuple[float, int] = (0.0, 0)
    near_limit: bool = False


def probe(
    runner: Runner,
    problem: Problem,
    programs: Sequence[Solution],
    order: Sequence[int],
    enough: int,
    *,
    stepped: bool = False,
) -> list[Kills]:
    """Kills of each program. order: the tests, those likely to tell most first.

    enough: kills after which a program is run no more. stepped: programs that count their steps
    (steps.py), so that running out of time or memory, which another run might not do, is no kill.
    Raises as Runner.judged.
    """
    found = [Kills() for _ in programs]
    for chunk in _chunks(order):
        alive = [number for number, kills in enumerate(found) if not kills.finished]
        if not alive:
            break
        part = replace(problem, tests=tuple(problem.tests[test] for test in chunk))
        judgements = runner.judged(part, [programs[number] for number in alive])
        for number, judgement in zip(alive, judgements, strict=True):
            _note(found[number], judgement, chunk, stepped)
            found[number].finished |= len(found[number].tests) >= enough
    return found


def _note(kills: Kills, judgement: Judgement, chunk: Sequence[int], stepped: bool) -> None:
    passed = zip(judgement.tests, chunk, strict=False)
    took = [(test.cpu_s, place) for test, place in passed if test and test.verdict is Verdict.AC]
    kills.slowest = max(kills.slowest, *took) if took else kills.slowest
    if judgement.passed:
        return
    kills.failed = True
    place = first_failure(judgement)
    if place is None:  # it does not compile, or has no entry point
        kills.finished = True
        return
    test = judgement.tests[place]
    slow = judgement.verdict in _SLOW
    ran_on = stepped and (slow or (test is not None and test.detail == OUT_OF_STEPS))
    if not ran_on:
        kills.tests.add(chunk[place])
    kills.finished |= slow  # it would cost its limit again and again


def tried(
    runner: Runner,
    problem: Problem,
    programs: Sequence[Solution],
    order: Sequence[int],
    enough: int,
    recipe: Verify,
) -> list[Kills]:
    """Kills of wrong programs, with time judged as that of references is.

    Time kills from ``slow_from`` times the limit on, in the least of ``runs`` runs; from
    ``near_from`` to there it decides nothing. Raises as Runner.judged.
    """
    found = probe(runner, with_room(problem, recipe), programs, order, enough)
    limit = time_limit(problem) * recipe.time_scale
    for program, kills in zip(programs, found, strict=True):
        used, place = kills.slowest
        if kills.failed or used < recipe.near_from * limit:
            continue
        alone = with_room(replace(problem, tests=(problem.tests[place],)), recipe)
        for _ in range(recipe.runs - 1):
            used = min(used, most_seconds(runner.judged(alone, [program])[0]))
        kills.failed = used >= recipe.near_from * limit
        if used >= recipe.slow_from * limit:
            kills.tests.add(place)
        else:
            kills.near_limit = kills.failed
    return found


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
