"""What a test expects of the answer, and what comparing the answer says.

A kind of problem makes the Expectation of each test. ``verdicts`` asks it about programs that ran
to their end within the limits.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from functools import cache, partial
from typing import Any

from microcoder_eval.compare import Comparer, Match
from microcoder_eval.records import Verdict
from microcoder_sandbox import Outcome, codec, light_json, protocol, record

_MAX_REASON_BYTES = 4096
_NODE_MARKS = (b"[", b"{", b",", b":")  # each node of a JSON text is next to one
_NODES_PER_EXPECTED_NODE = 4  # of a result: equal values may be written differently


@record
class Score:
    """What a checker gives an output that it accepts.

    is_share: ``value`` is a share of the test's points, not points. is_partial: in a problem
    without points, the output is not accepted.
    """

    value: float
    is_share: bool
    is_partial: bool


@record
class Comparison:
    """What comparing an answer says. method: what accepted it. score: what a checker gave it.
    files: what a checker left in its folder, where the sandbox reports that. failed_s: if a checker
    failed, the seconds that it took; the output is refused then."""

    verdict: Verdict
    detail: str | None = None
    method: str | None = None
    flags: tuple[str, ...] = ()
    score: Score | None = None
    files: Mapping[str, bytes] | None = None
    failed_s: float | None = None


def _expect_no_call(_outcome: Outcome) -> Comparison:
    raise AssertionError("the run compares the answer")


@record
class Expectation:
    """What a test expects of a program that ran to its end.

    compare: compares what the program printed, or returned, where the run has not done so.
    needs_result: whether it has to return from a call.
    flags: what every verdict on such a test carries.
    """

    compare: Callable[[Outcome], Comparison] = _expect_no_call
    needs_result: bool = False
    flags: tuple[str, ...] = ()


def read_match(match: Match) -> Comparison:
    """Return what a comparer says."""
    return _accept(match.method) if match.method else Comparison(Verdict.WA, match.detail)


@cache  # most tests pass, by one of a few methods
def _accept(method: str) -> Comparison:
    return Comparison(Verdict.AC, None, method)


def expect_value(
    accept: Callable[[Any], Comparison],
    count_explained_nodes: Callable[[], int],
    node_allowance: int = 100_000,
) -> Expectation:
    """Expect a value returned by a function, sent over a pipe of its own. accept: compares it.

    A byte of JSON takes up to 43 of this process's memory, so a result is only decoded if it has
    at most ``node_allowance`` numbers, texts and containers, or as many as the test explains.
    """

    def compare(outcome: Outcome) -> Comparison:
        tag, body = outcome.result[:1], outcome.result[1:]
        if not tag:
            return Comparison(Verdict.RE, "the program ended before the function returned")
        if tag != protocol.VALUE:
            reason = decode_reason(body) or "it is not plain"
            return Comparison(Verdict.RE, f"the result cannot be compared: {reason}")
        if len(body) >= node_allowance and _count_nodes(body) > max(
            node_allowance, count_explained_nodes()
        ):
            return Comparison(Verdict.WA, "the result has far more elements than expected")
        try:
            actual = codec.from_json(light_json.loads(body.decode()))
        except (ValueError, RecursionError, TypeError):
            return Comparison(Verdict.RE, "the result was not sent whole")
        return accept(actual)

    return Expectation(compare, needs_result=True)


def expect_result(comparer: Comparer, expected: Any) -> Expectation:
    """Expect the result of a call that a comparer accepts."""
    return expect_value(
        lambda actual: read_match(comparer.compare_value(actual, expected)),
        partial(bound_nodes, expected),
    )


def bound_nodes(value: Any) -> int:
    """Return the most numbers, texts and containers that a result may have, given a value of the
    test."""
    return _NODES_PER_EXPECTED_NODE * _count_nodes(json.dumps(codec.to_json(value)).encode())


def _count_nodes(text: bytes) -> int:
    """Return an upper bound of the number of values in a JSON text."""
    return 1 + sum(map(text.count, _NODE_MARKS))


def decode_reason(body: bytes) -> str | None:
    """Return why there is no value, as the child says, None if the program wrote something else."""
    try:
        text = json.loads(body[:_MAX_REASON_BYTES])
    except (ValueError, RecursionError):
        return None
    return text if isinstance(text, str) else None
