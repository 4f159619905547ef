"""Programs run once more, each on the first test it failed: results do not keep what they print."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from itertools import islice
from typing import Any

from microcoder_eval.api import Judge, RunResult, unix_lines
from microcoder_eval.errors import MicrocoderError
from microcoder_eval.records import Kind, Problem, Solution, Verdict

from .pieces import tail, written
from .sides import comparer_of, sides, text_sides

SHOWN = frozenset({Verdict.WA, Verdict.RE})  # of which the output says more than the verdict
_NOW_ACCEPTED = (
    "Run again for this report, the program gave an accepted answer: it does not do the same "
    "each time."
)
# A checker that refuses everything and says what it was given: results of calls come to light
# by the judge's own road, with its preamble, nodes and limits.
_TELLER = {
    "source": "def check(given, got, expected):\n    return False, repr(got)\n",
    "language": "python",
    "protocol": "python",
}


def outputs(
    judge: Judge,
    asked: Iterable[tuple[int, Problem, int, str]],
    stopped: Callable[[], bool] = lambda: False,
) -> Iterator[tuple[int, dict[str, Any]]]:
    """For each (position, problem, index of a test, program): (position, what it gave).

    The second has some of "got", "expected" (Pieces), "stderr" (a Piece), "note" (a sentence).
    Ends early when ``stopped``.
    """
    source = iter(asked)
    with ThreadPoolExecutor(judge.workers) as threads:
        # A few at a time: problems are large, and stopping must not wait for a long queue.
        while not stopped() and (some := list(islice(source, 4 * judge.workers))):
            found = threads.map(lambda one: (one[0], _output(judge, *one[1:])), some)
            yield from found


def _output(judge: Judge, problem: Problem, index: int, code: str) -> dict[str, Any]:
    try:
        if problem.kind is Kind.STDIN:
            return _printed(judge, problem, index, code)
        return _returned(judge, problem, index, code)
    except MicrocoderError as error:
        return {"note": f"It could not be run again for its output: {error}"}


def _printed(judge: Judge, problem: Problem, index: int, code: str) -> dict[str, Any]:
    test = problem.tests[index]
    expected = test.output.encode("utf-8", "surrogatepass")
    given = unix_lines(test.input).encode("utf-8", "surrogatepass")
    ran = judge.run(code, given, judge.settings.limits.over(problem.limits))
    found = sides(ran.stdout, expected, comparer_of(_compare(judge, problem)))
    told: dict[str, Any] = {"got": found.got, "expected": found.expected}
    if found.accepted and _ended_well(ran):
        told["note"] = _NOW_ACCEPTED
    if ran.stderr.strip():
        told["stderr"] = tail(ran.stderr.decode("utf-8", "backslashreplace"))
    return told


def _ended_well(ran: RunResult) -> bool:
    return ran.exit == 0 and ran.killed is None


def _compare(judge: Judge, problem: Problem) -> str | Mapping[str, Any]:
    if problem.checker is None or judge.settings.ignore_checkers:
        return judge.settings.compare
    return problem.checker


def _returned(judge: Judge, problem: Problem, index: int, code: str) -> dict[str, Any]:
    if problem.kind is not Kind.CALL or judge.settings.ignore_checkers:
        return {}
    test = problem.tests[index]
    # Its verdict here means nothing; the copy must be taken for no problem judged before.
    asked = replace(problem, tests=(test,), checker=_TELLER)
    found = judge.judge(Solution(problem.problem_id, "again", code=code), asked).tests
    if not found or found[0] is None or found[0].verdict is not Verdict.WA:
        return {}
    told = text_sides(found[0].detail or "", written(test.output))
    return {"got": told.got, "expected": told.expected}
