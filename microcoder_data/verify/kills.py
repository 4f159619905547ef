"""Finds which programs fail and which tests kill (fail) them, with few runs.

The unchanged program decides whether it fails, under the time rules of references. The set of tests
that kill it must be the same in every run, but times on a busy machine vary by half. So a copy of
the program that counts its steps (steps.py) decides which tests kill it; only wrong output or a
crash is a kill there.

That copy runs on one test, then on two more, four more and so on. Each of these runs ends at its
first failure, and the program is finished once enough tests have killed it. Most wrong programs
fail nearly everywhere, so this is far cheaper than running every program on every test.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from microcoder_data.recipe import Verify
from microcoder_eval.audit.trials import Runner, measure_slowest
from microcoder_eval.records import Judgement, Problem, Solution, Verdict

from .limits import with_counting_time_limit
from .references import judge_quickest
from .steps import OUT_OF_STEPS, count_steps

_SLOW = frozenset({Verdict.TLE, Verdict.MLE, Verdict.OLE})


@dataclass(slots=True)
class Kills:
    """The known failures of one program. tests: positions (from 0) of tests that kill it.

    has_failed: whether it failed a test, or failed before the first test.
    is_finished: do not run it on further tests.
    """

    tests: set[int] = field(default_factory=set)
    has_failed: bool = False
    is_finished: bool = False


class WrongRun(NamedTuple):
    """Whether a wrong program fails. near_limit: it fails by time only, and so narrowly that the
    next run might pass."""

    has_failed: bool
    near_limit: bool = False


def probe_kills(
    runner: Runner,
    problem: Problem,
    programs: Sequence[Solution],
    order: Sequence[int],
    max_kills: int,
    steps: int,
    *,
    runs_on: bool = False,
) -> list[Kills]:
    """Return the kills of each program. order: the tests, the most likely to kill first.

    max_kills, steps: stop running a program after this many kills, and on a test after this many
    steps. runs_on: continue with other tests after one on which it ran out of steps or time. Raises
    what Runner.judge_programs raises.
    """
    problem = with_counting_time_limit(problem, runner.judge.options.time_scale, steps)
    programs = [count_steps(program, steps) for program in programs]
    all_kills = [Kills() for _ in programs]
    for chunk in _split_order(order):
        remaining = [number for number, kills in enumerate(all_kills) if not kills.is_finished]
        if not remaining:
            break
        subproblem = problem.with_tests(problem.tests[test] for test in chunk)
        judgements = runner.judge_programs(subproblem, [programs[number] for number in remaining])
        for number, judgement in zip(remaining, judgements, strict=True):
            _record_judgement(all_kills[number], judgement, chunk, runs_on)
            all_kills[number].is_finished |= len(all_kills[number].tests) >= max_kills
    return all_kills


def _record_judgement(
    kills: Kills, judgement: Judgement, chunk: Sequence[int], runs_on: bool
) -> None:
    kills.has_failed |= not judgement.passed
    # One that does not compile, or has no entry point, fails no test of its own. An answer without
    # a program has no tests.
    kills.is_finished |= not judgement.passed and judgement.first_failure is None
    for position, test in zip(chunk, judgement.tests, strict=False):
        if not test.failed:
            continue
        if test.verdict in _SLOW or test.detail == OUT_OF_STEPS:
            kills.is_finished |= not runs_on  # each further test may cost as much
        else:
            kills.tests.add(position)


def run_wrong_programs(
    runner: Runner,
    problem: Problem,
    programs: Sequence[Solution],
    order: Sequence[int],
    recipe: Verify,
) -> list[WrongRun]:
    """Return whether each wrong program fails. order: of the tests, the most likely to kill
    first; empty for tests that are code, or in groups.

    A program without a wrong answer fails by time if the quickest of ``runs`` runs takes at least
    ``near_from`` times the limit; below ``slow_from`` times the limit this is near. Raises what
    Runner.judge_programs raises.
    """
    tests = [problem.tests[position] for position in order]
    ordered = problem.with_tests(tests) if tests else problem
    limit = problem.limits.effective_time_s * recipe.time_scale
    runs = []
    for judgement in judge_quickest(runner, ordered, programs, recipe, (Verdict.AC,)):
        share = measure_slowest(judgement) / limit
        is_slow = judgement.passed and share >= recipe.near_from
        is_near = is_slow and share < recipe.slow_from
        runs.append(WrongRun(is_slow or not judgement.passed, is_near))
    return runs


def _split_order(order: Sequence[int]) -> Iterator[Sequence[int]]:
    start, size = 0, 1
    while start < len(order):
        yield order[start : start + size]
        start, size = start + size, 2 * size


def order_by_spread(sizes: Sequence[int]) -> list[int]:
    """Return positions ordered so that the first few are spread over all sizes: the median
    first."""
    by_size = sorted(range(len(sizes)), key=lambda position: (sizes[position], position))
    order: dict[int, None] = {}  # a set that keeps its order
    parts = 2
    while len(order) < len(by_size) and parts <= 4 * len(by_size):
        for part in range(1, parts, 2):
            order[by_size[part * len(by_size) // parts]] = None
        parts *= 2
    return list(order | dict.fromkeys(by_size))
