"""Messages between pool and worker arrive as they were sent."""

from __future__ import annotations

import pytest

from microcoder_eval.points import Grade, TestGroup
from microcoder_eval.records import Kind, Problem, Solution, TestResult, Verdict
from microcoder_eval.worker import messages
from microcoder_eval.worker.messages import Message, decode, encode
from microcoder_sandbox.host.outcome import Killed, Outcome, Phase, ResourceLimits

LIMITS = ResourceLimits(1.0, 5.0, 1 << 28, 0)
GROUP = TestGroup("all", (0, 1), points=2.5)
RESULT = TestResult(Verdict.WA, 0.25, 0.5, None, None, "got 1, expected 2")
OUTCOME = Outcome(9, Killed.CPU, Phase.RUNNING, 1.0, 2.0, 1 << 20, b"\xff", b"", b"", run_delay=0.1)


def make_message(
    kind: Kind, tests: tuple[messages.TextTest, ...] | tuple[messages.ValueTest, ...]
) -> Message:
    problem = Problem("p", kind, entry_point="f", starter_code="\ud83d", groups=(GROUP,))
    compare = {"name": "floats", "tolerance": 1e-6}
    return messages.ResolvedProblem(
        problem, tests, LIMITS, compare, "testlib", "never", False, True
    )


TEXTS = make_message(
    Kind.STDIN, (messages.TextTest(b"1\n", b"2\n"), messages.TextTest(b"", b"", ("7",)))
)
VALUES = make_message(Kind.CALL, (messages.ValueTest([1, [2.5]], {"k": None}, "x"),))
MESSAGES: tuple[Message, ...] = (
    TEXTS,
    VALUES,
    messages.SolutionRequest("key", Solution("p", "s", "print(1)\0\ud800"), alone=True),
    messages.SolutionReply(4, (RESULT, None), ("near_limit",), "0" * 64, contended=True),
    messages.SolutionReply(4, (RESULT,), (), "", grades={"all": Grade("AC", 2.5)}),
    messages.ProgramReply(4, OUTCOME),
)


@pytest.mark.parametrize("message", MESSAGES, ids=lambda message: type(message).__name__)
def test_a_message_arrives_as_it_was_sent(message: Message) -> None:
    received = decode(encode(message))
    assert received == message
    assert repr(received) == repr(message)  # a text is no StrEnum, though they are equal
