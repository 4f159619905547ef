"""Tests of a large problem are in one file for all workers, which no process below them gets."""

from __future__ import annotations

import hashlib
import os
import signal
import socket
import threading
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from microcoder_eval import Judge, Problem, Verdict
from microcoder_eval.arguments import read_problem
from microcoder_eval.conversion import SHARED_BYTES
from microcoder_eval.pool.payloads import write_tests
from microcoder_eval.records import Kind, Test
from microcoder_eval.records.encoding import encode_canonical
from microcoder_eval.worker import channel
from microcoder_eval.worker.prepared_problem import MAX_INPUT_BYTES, PreparedProblem
from tests.processes import list_descendants, wait_until

SECRET = "the-expected-output-of-a-test"
LONG = SECRET * (SHARED_BYTES // len(SECRET) // 3)
TESTS = [{"input": f"{n}\n", "output": f"{n} {LONG}\n"} for n in range(4)]
SEARCH = """
import os, sys
first = input()
mark = b"-".join([b"the", b"expected", b"output"])
found = []
for number in range(1024):
    try:
        data = os.pread(number, 1 << 26, 0)
    except OSError:
        continue
    if mark in data:
        found.append(f"descriptor {number}")
for name in ("/proc/self/maps", "/proc/1/maps", "/proc/1/fd", "/proc/self/map_files"):
    try:
        text = " ".join(os.listdir(name)) if os.path.isdir(name) else open(name).read()
    except OSError:
        continue
    if "memfd:tests" in text:
        found.append(name)
raise SystemExit(str(found) if found else "nothing was found, and input was " + first)
"""


@pytest.fixture(scope="module")
def judge() -> Iterator[Judge]:
    with Judge(workers=2, reuse=False, stop="never") as judge:
        yield judge


def make_program(wrong_test: int | None = None) -> str:
    return (
        f"n = input()\nprint(n, '{SECRET}' * {len(LONG) // len(SECRET)}"
        f" if n != '{wrong_test}' else 'no')\n"
    )


def test_the_verdicts_are_those_of_copied_tests(
    judge: Judge, monkeypatch: pytest.MonkeyPatch
) -> None:
    def list_verdicts() -> list[list[Any]]:
        pairs: list[Any] = [(make_program(n), TESTS) for n in (None, 0, 3)]
        return [[test.verdict for test in judgement.tests] for judgement in judge.map(pairs)]

    shared = list_verdicts()
    assert shared == [["AC"] * 4, ["WA", *["AC"] * 3], [*["AC"] * 3, "WA"]]
    monkeypatch.setattr("microcoder_eval.conversion.SHARED_BYTES", 1 << 40)
    assert list_verdicts() == shared


def test_the_caller_writes_a_problem_once(judge: Judge, monkeypatch: pytest.MonkeyPatch) -> None:
    written = []

    def write(tests: Any) -> Any:
        written.append(tests)
        return write_tests(tests)

    monkeypatch.setattr("microcoder_eval.conversion.write_tests", write)
    tests = [*TESTS, {"input": "once", "output": ""}]
    assert len(list(judge.map([(f"print({n})", tests) for n in range(8)]))) == 8
    assert len(written) == 1


def holds_tests(pid: int) -> bool:
    """Whether a process has such a file open, or maps one."""
    links = []
    for link in Path(f"/proc/{pid}/fd").iterdir():
        with suppress(FileNotFoundError):  # it was closed a moment ago
            links.append(os.readlink(link))
    return any("memfd:tests" in text for text in [*links, Path(f"/proc/{pid}/maps").read_text()])


def find_worker(others: list[int]) -> int:
    """The process that holds the tests, besides others."""
    own = [pid for pid in list_descendants(os.getpid()) if pid not in others]
    (worker,) = [pid for pid in own if holds_tests(pid)]
    return worker


def test_no_program_finds_expected_outputs(judge: Judge) -> None:
    judgement = judge.judge(SEARCH, TESTS)
    assert judgement.verdict is Verdict.RE
    details = [test.detail for test in judgement.tests]
    assert details == [f"nothing was found, and input was {n}" for n in range(4)]


def test_only_workers_hold_the_file() -> None:
    waits = "import time\ntime.sleep(60)\n"
    others = list_descendants(os.getpid())
    with Judge(workers=1, reuse=False, limits={"wall_s": 60}) as judge:
        try:
            assert judge.judge(make_program(), TESTS).passed
            judge.submit(waits, TESTS)
            worker = find_worker(others)
            assert wait_until(lambda: len(list_descendants(worker)) == 2)  # a server and a child
            assert not any(map(holds_tests, list_descendants(worker)))
        finally:
            judge.close(cancel=True)


def test_a_new_worker_gets_the_file_again() -> None:
    others = list_descendants(os.getpid())
    with Judge(workers=1, reuse=False) as judge:
        assert judge.judge(make_program(), TESTS).passed
        os.kill(find_worker(others), signal.SIGKILL)
        assert judge.judge(make_program(), TESTS).passed


def test_without_room_for_the_file_tests_are_copied(monkeypatch: pytest.MonkeyPatch) -> None:
    def memfd_create(name: str, flags: int) -> int:
        raise OSError("no room")

    with Judge(workers=1) as judge:
        monkeypatch.setattr(os, "memfd_create", memfd_create)
        assert judge.judge(make_program(), TESTS).passed


def test_tests_without_a_text_are_shared_as_well(
    judge: Judge, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("microcoder_eval.conversion.SHARED_BYTES", 1)
    assert judge.judge("print()", [{"input": "", "output": ""}]).passed


def test_nobody_can_change_the_file() -> None:
    file, _ = write_tests([])
    with pytest.raises(PermissionError):
        os.write(file.descriptor, b"x")


def test_a_descriptor_comes_with_its_frame() -> None:
    ours, theirs = socket.socketpair()
    reader = channel.FrameReader(theirs)
    large = bytes(3 << 20)
    with open(os.devnull) as first, open("/dev/zero") as second, ours, theirs:

        def send() -> None:
            channel.send(ours, large)
            channel.send(ours, b"first", descriptor=first.fileno())
            channel.send(ours, b"none")
            channel.send(ours, large, b"second", descriptor=second.fileno())

        thread = threading.Thread(target=send)
        thread.start()
        received = [reader.receive() for _ in range(5)]
        thread.join()
        assert received == [large, b"first", b"none", large, b"second"]
        names = [os.readlink(f"/proc/self/fd/{number}") for number in reader.descriptors]
        assert names == ["/dev/null", "/dev/zero"]
        assert not any(os.get_inheritable(number) for number in reader.descriptors)
        for number in reader.descriptors:
            os.close(number)


def test_inputs_that_stay_open_are_few_bytes() -> None:
    from microcoder_eval.conversion import resolve_problem
    from microcoder_eval.settings import JudgeOptions
    from microcoder_sandbox import make_sealed_memfd

    prepared = PreparedProblem(resolve_problem(read_problem(TESTS), JudgeOptions(), 1.0))
    size = MAX_INPUT_BYTES // 3
    files = [prepared.get_input_file(n, lambda: make_sealed_memfd(bytes(size))) for n in range(5)]
    assert os.fstat(files[-1]).st_size == size
    assert len(prepared._inputs) == 3
    prepared.release()
    assert prepared._input_bytes == 0


def test_the_hash_is_that_of_all_tests_at_once() -> None:
    tests = tuple(Test(f"{n} é\n", "x" * n) for n in range(9))
    for some in (tests, tests[:1], ()):
        record = Problem("p", Kind.STDIN, some)
        fields = {
            **dict.fromkeys(("entry_point", "test_code", "test_language", "starter_code")),
            **dict.fromkeys(("checker", "interactor", "grader")),
            "includes": {},
            "starter_codes": {},
            "limits": {},
            "groups": [],
            "objective": "max",
            "kind": "stdin",
            "tests": [[test.input, test.output, None, None] for test in some],
        }
        text = encode_canonical(fields)
        assert record.tests_sha256 == hashlib.sha256(text).hexdigest()
        assert record.size == len(text)
