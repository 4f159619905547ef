"""The result of a call, as a hostile program may have written it: a verdict, never a pass."""

from __future__ import annotations

import hashlib
import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from microcoder_eval.compare import make_comparer
from microcoder_eval.python_tests.planning import plan
from microcoder_eval.records import Verdict
from microcoder_eval.worker.expectations import expect_result
from microcoder_eval.worker.kinds.assertion import expect_relation
from microcoder_eval.worker.verdicts import decide_verdict
from microcoder_sandbox.errors import SandboxError
from microcoder_sandbox.host.outcome import Killed, Outcome, Phase, ResourceLimits
from microcoder_sandbox.wire import codec
from tests.fuzz.material import hostile_messages, json_values, unhurried

LIMITS = ResourceLimits(1.0, 3.0, 64 << 20, 1 << 20)
SECRET = hashlib.sha256(b"answer").hexdigest()[:32]  # what no generator comes upon
EXPECTED: tuple[Any, ...] = (
    SECRET, [SECRET], (1, SECRET), {SECRET, 2}, {SECRET: 1}, {1: SECRET}, int(SECRET, 16),
    [int(SECRET, 16) / 2**64, 0.5], SECRET.encode(), complex(int(SECRET[:8], 16), 1),
)  # fmt: skip
WRONG = ([], 0, "", {}, (), {1, 2}, {(1, 2): [3.5]}, b"x", 1j, float("nan"), 10**5000, [[[1]]])
FRAMES = tuple(b"V" + json.dumps(codec.to_json(value)).encode() for value in WRONG)
METHODS = ("calibrated", "paper", "lcb", "exact", "floats", "unordered_tokens")


def make_outcome(result: bytes, **changed: Any) -> Outcome:
    """A program that ended well and left these bytes on its result pipe."""
    fields: dict[str, Any] = {
        "status": 0, "killed": None, "phase": Phase.FINISHED, "cpu_s": 0.01, "wall_s": 0.01,
        "peak_memory": 1 << 20, "stdout": b"", "stderr": b"", "result": result, **changed,
    }  # fmt: skip
    return Outcome(**fields)


@pytest.mark.parametrize("method", METHODS)
@unhurried
@given(result=hostile_messages(*FRAMES, b"X" + b'"no"'), expected=st.sampled_from(EXPECTED))
def test_any_bytes_are_a_wrong_answer_or_an_error_of_the_program(
    method: str, result: bytes, expected: Any
) -> None:
    comparison = expect_result(make_comparer(method), expected).compare(make_outcome(result))
    assert comparison.verdict in (Verdict.WA, Verdict.RE)
    assert comparison.method is None
    assert comparison.detail is None or len(comparison.detail) < 1 << 20


def is_accepted(value: Any, expected: Any) -> bool:
    result = make_outcome(b"V" + json.dumps(value).encode())
    verdict = expect_result(make_comparer("calibrated"), expected).compare(result).verdict
    return verdict is Verdict.AC


@unhurried
@given(json_values, st.sampled_from(EXPECTED))
def test_a_well_formed_value_that_is_not_the_answer_is_not_accepted(
    value: Any, expected: Any
) -> None:
    assert not is_accepted(value, expected)


@pytest.mark.parametrize("expected", EXPECTED)
def test_the_answer_itself_is_accepted(expected: Any) -> None:
    assert is_accepted(codec.to_json(expected), expected)


RELATIONS = plan(
    f"assert f(1) == {SECRET!r}\nassert abs(f(1) - {int(SECRET, 16)}) < 1\n"
    f"assert sorted(f(1)) == [{SECRET!r}]\nassert f(1) in [{SECRET!r}]\n"
    f"assert set(f(1)) == {{{SECRET!r}}}\n",
    "f",
    None,
).tests  # fmt: skip


@unhurried
@given(result=hostile_messages(*FRAMES), test=st.sampled_from(RELATIONS))
def test_no_bytes_satisfy_an_assertion_about_a_secret(result: bytes, test: Any) -> None:
    comparison = expect_relation(test).compare(make_outcome(result))
    assert comparison.verdict in (Verdict.WA, Verdict.RE)
    assert comparison.method is None


@unhurried
@given(
    status=st.integers(0, 255).map(lambda code: code << 8) | st.integers(1, 64),
    killed=st.none() | st.sampled_from(Killed),
    phase=st.sampled_from(Phase),
    result=hostile_messages(*FRAMES),
    stderr=st.binary(max_size=40) | st.sampled_from([b"MemoryError\n", b"Time limit exceeded\n"]),
    flags=st.tuples(st.booleans(), st.booleans(), st.booleans()),
)
def test_every_outcome_is_a_verdict_unless_the_child_was_never_confined(
    status: int, killed: Any, phase: Phase, result: bytes, stderr: bytes, flags: Any
) -> None:
    memory, threads, early = flags
    outcome = make_outcome(
        result, status=status, killed=killed, phase=phase, stderr=stderr, refused_memory=memory,
        left_threads=threads, exited_early=early,
    )  # fmt: skip
    try:
        test_result = decide_verdict(
            outcome, LIMITS, 1.0, expect_result(make_comparer("calibrated"), SECRET)
        ).result
    except SandboxError:
        assert (phase, killed) == (Phase.SETUP, None)
        return
    assert test_result.verdict not in (Verdict.AC, Verdict.JE)
    if phase in (Phase.RUNNING, Phase.FINISHED) and killed is None and not memory:
        assert test_result.verdict in (Verdict.WA, Verdict.RE), (
            "what it printed must decide nothing"
        )
