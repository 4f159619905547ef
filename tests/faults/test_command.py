"""The command while disks fill, streams break and its processes are harmed."""

from __future__ import annotations

import gzip
import json
import os
import random
import shlex
import signal
import subprocess
from pathlib import Path

import pytest

from tests.commands import shell, start
from tests.faults.processes import Process, list_children, list_descendants, wait_for
from tests.files import read_jsonl, write_jsonl

SECONDS = 60.0
SOLUTIONS = 12
# A kilobyte in each result, so that a small disk is full after some of them.
META = {"note": "x" * 1000}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    tests = [{"input": "2\n", "output": "4\n"}]
    write_jsonl(tmp_path / "t.jsonl", {"problem_id": "sq", "tests": tests})
    code = "import time; time.sleep(0.05); print(int(input()) ** 2)"
    good = {"problem_id": "sq", "code": code, **META}
    wrong = {"problem_id": "sq", "code": "print(5)", **META}
    write_jsonl(tmp_path / "s.jsonl", *[good, wrong] * (SOLUTIONS // 2))
    return tmp_path


def verdicts(path: Path) -> list[str]:
    return [line["verdict"] for line in read_jsonl(path)]


RIGHT = ["AC", "WA"] * (SOLUTIONS // 2)


def own_mounts() -> str:
    """The words that start a command among mounts of its own; skips where they are not to be
    had."""
    words = "unshare --mount" if os.getuid() == 0 else "unshare --user --map-root-user --mount"
    tried = subprocess.run(
        ["bash", "-c", f"{words} mount -t tmpfs -o size=64k none /mnt"],
        capture_output=True,
        check=False,
    )
    if tried.returncode:
        pytest.skip(f"no mount namespace: {tried.stderr.decode()}")
    return words


def on_small_disk(folder: Path, size: str, words: str) -> subprocess.CompletedProcess[str]:
    """Run ``words`` with folder ``disk`` on a disk of that size; what is on it comes back."""
    script = f"mount -t tmpfs -o size={size} none disk && {{ {words}\n}}"
    (folder / "disk").mkdir()
    return shell(folder, f"{own_mounts()} bash -c {shlex.quote(script)}")


def test_a_disk_that_fills_under_the_journal_loses_no_result_that_is_on_it(folder: Path) -> None:
    words = "$eval s.jsonl --tests t.jsonl -o disk/o.jsonl --workers 1"
    result = on_small_disk(
        folder, "8k", f"{words}; code=$?; cp disk/o.part . ; mount -o remount,size=1m disk; "
        f"{words} --resume --json; again=$?; cp disk/o.jsonl .; echo $code $again"
    )  # fmt: skip
    assert result.stdout.splitlines()[-1] == "2 0", result.stderr
    assert "No space left on device" in result.stderr
    assert "Traceback" not in result.stderr
    journal_lines = (folder / "o.part").read_text().splitlines()
    summary = json.loads(result.stdout.splitlines()[-2])
    assert 2 <= summary["resumed"] <= len(journal_lines) < SOLUTIONS
    assert verdicts(folder / "o.jsonl") == RIGHT


def test_a_disk_that_was_full_from_the_start_promises_nothing(folder: Path) -> None:
    words = "$eval s.jsonl --tests t.jsonl -o disk/o.jsonl --workers 1"
    result = on_small_disk(
        folder, "8k", f"head -c 1m /dev/zero > disk/fill; {words}; echo $?; ls disk"
    )
    assert result.stdout.split()[-2:] == ["2", "fill"], result.stderr
    assert "Free some space, then run the same command again" in result.stderr
    assert "kept" not in result.stderr


def test_a_disk_too_full_for_the_last_file_keeps_the_whole_journal(folder: Path) -> None:
    # Two kilobytes for each result: the journal fits, its copy in input order does not.
    words = "$eval s.jsonl --tests t.jsonl -o disk/o.jsonl --workers 1"
    result = on_small_disk(
        folder, "36k", f"{words}; code=$?; ls disk >&2; mount -o remount,size=1m disk; "
        f"{words} --resume --json; again=$?; cp disk/o.jsonl .; echo $code $again"
    )  # fmt: skip
    assert result.stdout.splitlines()[-1] == "2 0", result.stderr
    assert "o.jsonl\n" not in result.stderr, "a file that is not whole stands in the place of OUT"
    assert "Traceback" not in result.stderr
    assert json.loads(result.stdout.splitlines()[-2])["resumed"] == SOLUTIONS
    assert verdicts(folder / "o.jsonl") == RIGHT


def test_a_file_size_limit_is_told_like_a_full_disk(folder: Path) -> None:
    words = "$eval s.jsonl --tests t.jsonl -o o.jsonl"
    result = shell(folder, f"ulimit -S -f 8; {words}")
    assert result.returncode == 2, result.stderr
    assert "File too large" in result.stderr
    assert "ulimit -f" in result.stderr
    assert "Traceback" not in result.stderr
    again = shell(folder, f"{words} --resume --json")
    assert again.returncode == 0, again.stderr
    assert json.loads(again.stdout)["resumed"] >= 1
    assert verdicts(folder / "o.jsonl") == RIGHT


def test_a_file_size_limit_of_the_caller_is_not_the_programs(folder: Path) -> None:
    result = shell(
        folder, "ulimit -H -f 60000; ulimit -S -f 8; $eval s.jsonl --tests t.jsonl --json"
    )
    assert result.returncode == 0, result.stderr
    assert json.loads(result.stdout)["verdicts"]["AC"] == SOLUTIONS // 2


def test_judging_needs_no_room_in_the_folder_for_temporary_files(folder: Path) -> None:
    result = on_small_disk(
        folder, "4k", "head -c 8192 /dev/zero > disk/full; "
        "TMPDIR=disk $eval s.jsonl --tests t.jsonl -o o.jsonl"
    )  # fmt: skip
    assert result.returncode == 0, result.stderr
    assert verdicts(folder / "o.jsonl") == RIGHT


def test_compressed_tests_without_room_to_unpack_them_are_told_as_such(folder: Path) -> None:
    problem = json.loads((folder / "t.jsonl").read_text())
    noise = random.Random(3).randbytes(30_000).hex()
    packed = gzip.compress(json.dumps({**problem, "statement": noise}).encode() + b"\n")
    (folder / "t.jsonl.gz").write_bytes(packed)
    result = on_small_disk(
        folder, "4k", "TMPDIR=$PWD/disk $eval s.jsonl --tests t.jsonl.gz -o o.jsonl"
    )
    assert result.returncode == 2, result.stderr
    assert "No space left on device" in result.stderr
    assert "Traceback" not in result.stderr


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM, signal.SIGHUP])
def test_killing_the_workers_of_a_run_changes_no_result(folder: Path, number: int) -> None:
    words = ("s.jsonl", "--tests", "t.jsonl", "-o", "o.jsonl", "--workers", 2, "--json")
    process = start(*words, cwd=folder)
    victims: list[Process] = []
    journal = folder / "o.part"
    wait_for(lambda: journal.exists() and journal.stat().st_size > 0, "a result")
    for worker in list_children(process.pid):
        victims += [worker, *list_descendants(worker.pid)]
        worker.send(number)
    _, errors = process.communicate(timeout=SECONDS)
    assert process.returncode == 0, errors
    assert errors == "" or "Traceback" not in errors
    assert verdicts(folder / "o.jsonl") == RIGHT
    wait_for(lambda: not any(p.alive for p in victims), "everything to end", 5)
