"""Which programs fail, and which tests kill them: as much of it as choosing tests takes.

Programs are run on one test, then two more, four more, and so on, each up to its first failure; one
that was killed often enough is run no more. Most wrong programs fail nearly everywhere, so this
costs a small part of running all on all.

Whether a program fails is asked of it as it is, with time judged as that of references is. Which
tests kill it must be the same in every run, and seconds of a busy machine differ by half: that is
asked of programs that count their steps (steps.py), and only what they print, or that they crash,
is a kill.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

from microcoder_eval.data.recipe import Verify
from microcoder_eval.records import Judgement, Problem, Solution, Verdict

from .runner import Runner, first_failure, most_seconds, time_limit, with_room, with_time_to_count
from .steps import OUT_OF_STEPS, by_chance, counted

_SLOW = frozenset({Verdict.TLE, Verdict.MLE, Verdict.OLE})


@dataclass(slots=True)
class Kills:
    """What is known of one program. tests: positions (from 0) known to kill it.

    failed: it did not pass, on a test or before any test came. ran_on: tests at which it ran out
    of steps or of time. slowest: the CPU seconds of the test that it passed in the longest time,
    and which one. near_limit: it fails by time alone, and by so little that another run might let
    it pass.
    """

    tests: set[int] = field(default_factory=set)
    ran_on: set[int] = field(default_factory=set)
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
    patient: bool = False,
) -> list[Kills]:
    """Kills of each program. order: the tests, those likely to tell most first.

    enough: kills after which a program is run no more. patient: one that ran out of time is still
    run on other tests, as it is after other failures. Raises as Runner.judged.
    """
    found = [Kills() for _ in programs]
    for chunk in _chunks(order):
        alive = [number for number, kills in enumerate(found) if not kills.finished]
        if not alive:
            break
        part = replace(problem, tests=tuple(problem.tests[test] for test in chunk))
        judgements = runner.judged(part, [programs[number] for number in alive])
        for number, judgement in zip(alive, judgements, strict=True):
            _note(found[number], judgement, chunk, patient)
            found[number].finished |= len(found[number].tests) >= enough
    return found


def _note(kills: Kills, judgement: Judgement, chunk: Sequence[int], patient: bool) -> None:
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
    if slow or (test is not None and test.detail == OUT_OF_STEPS):
        kills.ran_on.add(chunk[place])
    else:
        kills.tests.add(chunk[place])
    kills.finished |= slow and not patient  # it would cost its limit again and again


def tried(
    runner: Runner,
    problem: Problem,
    programs: Sequence[Solution],
    order: Sequence[int],
    recipe: Verify,
) -> list[Kills]:
    """Whether wrong programs fail; which tests kill them is not to be had from this.

    A program that gives no wrong answer fails by time from ``slow_from`` times the limit on, in the
    least of ``runs`` runs; from ``near_from`` to there it fails, too, and is ``near_limit``. Raises
    as Runner.judged.
    """
    found = probe(runner, with_room(problem, recipe), programs, order, 1)
    limit = time_limit(problem) * recipe.time_scale
    for program, kills in zip(programs, found, strict=True):
        used, place = kills.slowest
        if kills.failed or used < recipe.near_from * limit:
            continue
        alone = with_room(replace(problem, tests=(problem.tests[place],)), recipe)
        for _ in range(recipe.runs - 1):
            used = min(used, most_seconds(runner.judged(alone, [program])[0]))
        kills.failed = used >= recipe.near_from * limit
        kills.near_limit = kills.failed and used < recipe.slow_from * limit
    return found


def killers(
    runner: Runner,
    problem: Problem,
    programs: Sequence[Solution],
    order: Sequence[int],
    sizes: Sequence[int],
    recipe: Verify,
) -> list[set[int]]:
    """Tests known to kill each of some wrong programs, whatever the machine has to do.

    sizes: bytes of each test. Of a program that no wrong answer is known of, the largest test at
    which it ran on. Of one whose answers are chance, none. Raises as Runner.judged.
    """
    steady = [program for program in programs if not by_chance(program.code or "")]
    counting = [counted(program, recipe.wrong_steps) for program in steady]
    timed = with_time_to_count(problem, recipe)
    found = probe(runner, timed, counting, order, recipe.cover, patient=True)
    return [
        kills.tests or set(sorted(kills.ran_on, key=lambda test: (sizes[test], test))[-1:])
        for kills in found
    ]


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
