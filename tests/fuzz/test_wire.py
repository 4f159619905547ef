"""What crosses between processes: frames, replies, notes. One exception each, never a pass."""

from __future__ import annotations

import builtins
import contextlib
import json
import os
import socket
import sys
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from microcoder_eval.records import Verdict
from microcoder_eval.worker import channel
from microcoder_eval.worker.kinds.assertion import read_report
from microcoder_eval.worker.messages import WorkerExiting, encode
from microcoder_sandbox.host.outcome import Outcome, Phase
from microcoder_sandbox.server import main
from microcoder_sandbox.test_runner.candidate import Candidate
from microcoder_sandbox.test_runner.connection import Connection
from microcoder_sandbox.test_runner.failures import CandidateDiedError, Failures
from microcoder_sandbox.test_runner.origins import Origins
from microcoder_sandbox.test_runner.proxy import Proxy
from microcoder_sandbox.test_runner.runner import run_tests
from microcoder_sandbox.wire import frames, protocol
from microcoder_sandbox.wire.runner_messages import RunnerJob
from tests.fuzz.material import TAGS, hostile_messages, json_values, unhurried

SECRET = 0x5EC2E7_0F_7E575


def make_frame(value: Any) -> bytes:
    body = json.dumps(value).encode()
    return len(body).to_bytes(frames.HEADER_BYTES, "big") + body


@contextlib.contextmanager
def open_with(data: bytes) -> Iterator[int]:
    """A descriptor from which exactly ``data`` can be read."""
    descriptor = os.memfd_create("fuzz")
    try:
        os.write(descriptor, data)
        os.lseek(descriptor, 0, os.SEEK_SET)
        yield descriptor
    finally:
        os.close(descriptor)


@unhurried
@given(hostile_messages(make_frame({"id": 1, "ok": 2}), make_frame([]), make_frame("x" * 100)))
def test_a_stream_is_frames_to_its_end_or_an_error(data: bytes) -> None:
    with open_with(data) as descriptor:
        try:
            while (frame := frames.read_frame(descriptor)) is not None:
                assert len(frame) == 1
        except (ValueError, RecursionError):
            pass


def test_a_promised_length_is_not_believed() -> None:
    for length in (frames.MAX_FRAME_BYTES + 1, 2**32 - 1):
        with (
            open_with(length.to_bytes(4, "big")) as descriptor,
            pytest.raises(ValueError, match="claims"),
        ):
            frames.read_frame(descriptor)
    with open_with(frames.MAX_FRAME_BYTES.to_bytes(4, "big") + b"1") as descriptor:
        assert frames.read_frame(descriptor) is None


replies = st.fixed_dictionaries(
    {"id": st.just(1) | st.integers() | st.just(True)},
    optional={
        "ok": json_values,
        "raised": st.lists(st.text(max_size=6) | st.sampled_from(dir(builtins)), max_size=3)
        | json_values,
        "message": st.text(max_size=6) | json_values,
        "changed": st.lists(st.tuples(st.integers(-1, 4), json_values), max_size=3) | json_values,
        "dropped": st.lists(st.integers(-1, 4), max_size=3) | json_values,
    },
)
VALUES = [make_frame({"id": 1, "ok": {tag: [1, [2]]}}) for tag in TAGS]


@unhurried
@given(hostile_messages(*VALUES) | (replies | json_values).map(make_frame))
def test_a_candidate_can_only_answer_raise_or_die(data: bytes) -> None:
    out, failures = os.open(os.devnull, os.O_WRONLY), Failures()
    raised: BaseException | None = None
    with open_with(data) as descriptor:
        candidate = Candidate(descriptor, out, failures)
        connection = Connection(candidate, Origins(), failures, lambda: None)
        try:
            answer = Proxy(connection, {"$name": "f"})([1, 2], key={"a": [3]})
            assert not isinstance(answer, BaseException)
        except BaseException as error:  # SystemExit too, if it says so: it fails its test
            raised = error
        finally:
            os.close(out)
    if isinstance(raised, CandidateDiedError):
        assert failures.death
    elif raised is not None:
        # What it says that it raised, a class of its own, or what stands for a class that it does
        # not name; never an error of our reading.
        is_unnamed = str(raised).startswith("an exception of the program")
        is_own = type(raised).__module__ == "solution" or type(raised).__name__.encode() in data
        assert is_own or is_unnamed


SOURCES = (
    f"r = f(1)\nassert r == {SECRET}",
    f"assert [x for x in f(1)] == [{SECRET}]",
    f"def check(g):\n    assert g(1) in ({SECRET},)\ncheck(f)",
    f"try:\n    r = f(1)\nexcept Exception:\n    r = 0\nassert {SECRET} == r",
    f"with f(1) as r:\n    assert len(r) == {SECRET}",
    f"class TestF:\n    def test_it(self):\n        assert f(1)[0].name == {SECRET}",
)


def run_test_code(source: str, replies_of_the_program: bytes) -> Outcome:
    """The outcome of the test code's process, which got these bytes from the program."""
    out, report = os.open(os.devnull, os.O_WRONLY), os.memfd_create("report")
    modules = dict(sys.modules)  # test code finds another pytest
    try:
        with open_with(replies_of_the_program) as descriptor:
            run_tests(RunnerJob(source, "f"), descriptor, out, report)
        result = os.pread(report, 1 << 20, 0)
    finally:
        sys.modules.update(modules)
        os.close(out)
        os.close(report)
    return Outcome(0, None, Phase.FINISHED, 0.0, 0.0, 0, b"", b"", result)


@unhurried
@given(
    source=st.sampled_from(SOURCES),
    data=hostile_messages(*VALUES) | st.lists(replies.map(make_frame), max_size=3).map(b"".join),
)
def test_no_replies_make_test_code_pass_or_the_judge_fail(source: str, data: bytes) -> None:
    comparison = read_report(run_test_code(source, data), True)
    assert comparison.verdict in (Verdict.WA, Verdict.RE)
    assert comparison.method is None


def test_the_right_replies_do_make_it_pass() -> None:
    tests_outcome = run_test_code(SOURCES[0], make_frame({"id": 1, "ok": SECRET}))
    assert read_report(tests_outcome, True).verdict == Verdict.AC


@given(st.binary(min_size=16, max_size=16), st.binary(min_size=16, max_size=16))
def test_a_program_s_notes_never_name_an_earlier_phase(early: bytes, late: bytes) -> None:
    running = bytes([protocol.RUNNING]) + early[1:]
    context: Any = SimpleNamespace(setup_notes=running, run_notes=late)
    notes = main.read_notes(context)
    assert notes.phase in (protocol.RUNNING, *protocol.LATE_PHASES)
    assert notes.flags == late[protocol.FLAGS]
    assert (notes.step, notes.errno) == (0, 0)


@given(st.binary(max_size=200))
def test_a_worker_that_breaks_off_is_gone_and_nothing_else(rest: bytes) -> None:
    message = encode(WorkerExiting(rest.hex()))
    whole = len(message).to_bytes(8, "little") + message
    ours, theirs = socket.socketpair()
    with ours, theirs:
        theirs.sendall(whole[: len(rest) % len(whole)])
        theirs.close()
        with pytest.raises(channel.PeerGoneError):
            channel.FrameReader(ours).receive()


def test_test_code_that_ends_over_the_results_is_the_candidates_failure() -> None:
    # A process that was killed from outside has been run again by then.
    outcome = Outcome(9, None, Phase.RUNNING, 0.0, 0.0, 0, b"", b"", b"", asked_candidate=True)
    comparison = read_report(outcome, True)
    assert (comparison.verdict, comparison.flags) == (Verdict.WA, ("tests_failed",))
