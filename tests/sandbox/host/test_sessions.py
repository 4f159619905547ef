"""What is promised of every answer of a session holds for any program, plain or not."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace

import pytest

from microcoder_sandbox.host.outcome import Killed, ResourceLimits
from microcoder_sandbox.host.requests import make_script_request
from microcoder_sandbox.host.sandbox import Sandbox
from microcoder_sandbox.host.session import BatchSession
from tests.delays import measured_delays
from tests.files import read_table

TABLE = read_table(__file__)
LIMITS = ResourceLimits(0.5, 10.0, 128 << 20, 1 << 20)
# The ends of the two pipes: pipes above the standard streams, as nothing else is in a child.
DONE_AND_GO = TABLE["done_and_go"]


@contextmanager
def session_of(sandbox: Sandbox, source: str) -> Iterator[BatchSession]:
    program = sandbox.prepare_program(source.encode())
    session = sandbox.open_session(program, call=False)
    try:
        yield session
    finally:
        session.close()
        program.close()


def test_cpu_time_is_the_kernels_whatever_is_handed_over(sandbox: Sandbox) -> None:
    code = DONE_AND_GO + "hand_over(); burn(.1); hand_over(); burn(.2); hand_over()"
    with session_of(sandbox, code) as session:
        used = []
        for _ in range(3):
            session.run(b"", LIMITS)
            used.append(session.cpu_s)
        assert used[0] < 0.1 < used[1] < 0.3 <= used[2] < 0.4


def test_work_after_a_hand_over_is_counted_with_the_next_test(sandbox: Sandbox) -> None:
    # The last work is done before the host can have given the next input.
    code = DONE_AND_GO + "os.write(done, b'\\n'); burn(.2); os.read(go, 1); hand_over()"
    with session_of(sandbox, code) as session:
        session.run(b"", LIMITS)
        assert session.run(b"", LIMITS).cpu_s >= 0.15


def test_a_program_is_kept_compiled_only_for_children_of_their_own(sandbox: Sandbox) -> None:
    # Most programs end with their session: what it costs to keep them would be for nothing.
    program = sandbox.prepare_program(b"print(input())")
    session = sandbox.open_session(program, call=False)
    assert session.run(b"1", LIMITS).stdout == b"1\n"
    session.end()
    session.close()
    assert os.fstat(program.cache_fd).st_size == 0
    for text in (b"2", b"3"):
        outcome = sandbox.run(make_script_request(program, text, LIMITS))
        assert outcome.stdout == text + b"\n"
        assert os.fstat(program.cache_fd).st_size > 0
    program.close()


@pytest.mark.slow
def test_a_test_after_others_is_stopped_at_its_limit_by_its_own_time(sandbox: Sandbox) -> None:
    code = DONE_AND_GO + "burn(.3); hand_over()\nwhile True: pass"
    with session_of(sandbox, code) as session:
        session.run(b"", LIMITS)
        outcome = session.run(b"", LIMITS)
        assert outcome.killed is Killed.CPU
        assert 0.5 <= outcome.cpu_s < 0.65


def test_a_child_ends_with_its_last_test_and_that_is_counted(sandbox: Sandbox) -> None:
    code = "import time\nend = time.process_time() + .1\nwhile time.process_time() < end: pass"
    with session_of(sandbox, f"{code}\nprint(input())") as session:
        first = session.run(b"1", LIMITS)
        assert session.waiting
        last = session.run(b"2", LIMITS, last=True)
        assert not session.waiting
        assert (first.stdout, last.stdout, last.exit_code) == (b"1\n", b"2\n", 0)
        assert 0.1 <= last.cpu_s < 0.2 <= session.cpu_s
        assert session.end().cpu_s == session.cpu_s


def test_the_peak_of_memory_is_the_whole_childs(sandbox: Sandbox) -> None:
    code = DONE_AND_GO + "hand_over(); x = b'x' * (90 << 20); del x; hand_over()"
    with session_of(sandbox, code) as session:
        session.run(b"", LIMITS)
        assert session.read_peak() < 10 << 20
        session.run(b"", LIMITS)
        least = 85 << 20  # the kernel counts each core's last pages late
        assert session.read_peak() > least
        assert (session.end().peak_memory or 0) > least


def test_an_output_is_what_was_written_before_its_hand_over(sandbox: Sandbox) -> None:
    code = DONE_AND_GO + (
        "for n in range(3):\n"
        "    os.write(1, b'%d ' % n + os.pread(0, 9, 0))\n"
        "    os.write(done, b'\\n')\n"
        "    os.write(1, b'late %d ' % n)\n"
        "    os.read(go, 1)\n"
    )
    with session_of(sandbox, code) as session:
        outputs = [session.run(text, LIMITS).stdout for text in (b"a", b"b", b"c")]
        assert outputs[0] in (b"0 a", b"0 alate 0 ")
        assert outputs[1].endswith(b"1 b") or b"1 blate 1" in outputs[1]
        assert b"b" not in outputs[0]
        assert b"c" not in outputs[0] + outputs[1]


@pytest.mark.parametrize("path", ["/dev/stdin", "/proc/self/fd/0"])
def test_the_input_cannot_be_written_by_the_program(sandbox: Sandbox, path: str) -> None:
    code = (
        "import os, mmap\n"
        "attempts = [\n"
        f"    lambda: os.open({path!r}, os.O_RDWR), lambda: os.open({path!r}, os.O_WRONLY),\n"
        f"    lambda: os.truncate({path!r}, 0), lambda: os.ftruncate(0, 0),\n"
        "    lambda: os.write(0, b'x'), lambda: os.pwrite(0, b'x', 5),\n"
        "    lambda: os.fchmod(0, 0o777), lambda: os.chmod('/dev/stdin', 0o777),\n"
        "    lambda: mmap.mmap(0, 1, mmap.MAP_SHARED, mmap.PROT_READ | mmap.PROT_WRITE),\n"
        "]\n"
        "for attempt in attempts:\n"
        "    try: attempt()\n"
        "    except (OSError, PermissionError): continue\n"
        "    print('written')\n"
        "print(os.pread(0, 99, 0))"
    )
    with session_of(sandbox, code) as session:
        assert session.run(b"ab", LIMITS).stdout == b"b'ab'\n"
        assert session.run(b"c", LIMITS).stdout == b"b'c'\n"


@pytest.mark.parametrize(
    "ending",
    ["os._exit(0)", "os.close(done); os.close(go)", "os.abort()", "os.close(go); hand_over()"],
)
def test_a_child_that_leaves_the_conversation_only_ends(sandbox: Sandbox, ending: str) -> None:
    with session_of(sandbox, DONE_AND_GO + "hand_over()\n" + ending) as session:
        for _ in range(3):
            session.run(b"", replace(LIMITS, wall_seconds=3.0))
            if not session.waiting:
                break
        assert not session.waiting


def test_hand_overs_in_advance_give_the_host_nothing(sandbox: Sandbox) -> None:
    code = DONE_AND_GO + "os.write(1, b'x'); os.write(done, b'\\n' * 5)\nburn(.1); print(input())"
    with session_of(sandbox, code) as session:
        outputs = [session.run(b"%d" % n, LIMITS).stdout for n in range(5)]
        assert session.cpu_s < 0.5
        assert all(str(n).encode() not in b"".join(outputs[:n]) for n in range(5))


def test_a_thread_that_works_between_tests_works_on_their_time(sandbox: Sandbox) -> None:
    code = DONE_AND_GO + (
        "import threading\nthreading.Thread(target=burn, args=(9,), daemon=True).start()\n"
        "hand_over(); burn(.1); hand_over()"
    )
    with session_of(sandbox, code) as session:
        session.run(b"", LIMITS)
        session.run(b"", LIMITS)
        assert session.cpu_s >= 0.1


def test_the_time_of_a_child_that_hands_over_and_goes_on_is_one(sandbox: Sandbox) -> None:
    code = DONE_AND_GO + "import time; time.sleep(.4); os.write(done, b'\\n'); time.sleep(9)"
    with measured_delays() as delays, session_of(sandbox, code) as session:
        session.run(b"", replace(LIMITS, wall_seconds=0.6))
        whole = session.end()
    assert whole.killed is Killed.WALL
    assert 0.55 < whole.wall_s < 0.9 + delays.seconds
