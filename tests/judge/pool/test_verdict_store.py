"""Verdicts are kept in a folder, and looked up by later runs that would give the same ones."""

from __future__ import annotations

import json
import os
import sqlite3
import stat
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from microcoder_eval import DataError, Judge, Judgement
from microcoder_eval.pool import verdict_store
from microcoder_eval.pool.verdict_store import FILE, VerdictStore, open_store
from microcoder_eval.records import TestResult, Verdict
from microcoder_eval.worker.messages import FailureReply, SolutionReply
from microcoder_sandbox.toolchains.toolchain import find_toolchain
from tests.judges import SharedJudge

TESTS = [{"input": "1\n", "output": "1\n"}, {"input": "2\n", "output": "2\n"}]
RIGHT, WRONG, SLOW = "print(input())", "print(1)", "while True: pass"


def make_reply(*flags: str, verdict: Verdict = Verdict.AC, contended: bool = False) -> Any:
    results = (TestResult(verdict, 0.25, 0.5, 1.5, "exact", 'got "1 ", expected \ud800'), None)
    return SolutionReply(4, results, flags, "ab" * 32, contended, 2, "Python 3.11.2")


@pytest.fixture
def store(tmp_path: Path) -> VerdictStore:
    return VerdictStore(str(tmp_path / "cache"))


def test_a_reply_comes_back_as_it_was(store: VerdictStore) -> None:
    reply = make_reply("truncated")
    store.put("key", reply)
    assert store.get("key") == reply
    assert store.get("other") is None


@pytest.mark.parametrize(
    "reply",
    [
        FailureReply("no worker"),
        make_reply("near_limit"),
        make_reply("rerun_alone"),
        make_reply(verdict=Verdict.JE),
        make_reply(contended=True),
    ],
)
def test_what_another_run_might_not_give_is_not_kept(store: VerdictStore, reply: Any) -> None:
    store.put("key", reply)
    assert store.get("key") is None


def test_only_the_user_can_read_the_folder(tmp_path: Path) -> None:
    VerdictStore(str(tmp_path / "cache")).put("key", make_reply())
    assert stat.S_IMODE((tmp_path / "cache").stat().st_mode) == 0o700
    assert {stat.S_IMODE(file.stat().st_mode) for file in (tmp_path / "cache").iterdir()} == {0o600}


def test_a_folder_of_another_user_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: 12345)
    with pytest.raises(DataError, match="folder of your own"):
        Judge(workers=1, cache=tmp_path)


def test_a_folder_that_others_may_write_to_is_refused(tmp_path: Path) -> None:
    tmp_path.chmod(0o777)
    with pytest.raises(DataError, match="folder of your own"):
        VerdictStore(str(tmp_path))


def test_a_file_that_is_no_database_is_refused(tmp_path: Path) -> None:
    (tmp_path / FILE).write_bytes(b"no database" * 100)
    with pytest.raises(DataError, match="is damaged; remove it"):
        VerdictStore(str(tmp_path))


def test_a_damaged_row_is_not_believed(store: VerdictStore, tmp_path: Path) -> None:
    store.put("key", make_reply(verdict=Verdict.WA))
    with sqlite3.connect(tmp_path / "cache" / FILE) as connection:
        connection.execute("UPDATE verdicts SET reply = replace(reply, 'WA', 'AC')")
    assert store.get("key") is None


def test_a_file_that_is_damaged_later_gives_nothing(store: VerdictStore, tmp_path: Path) -> None:
    for number in range(1000):
        store.put(f"key {number}", make_reply())
    path = tmp_path / "cache" / FILE
    with sqlite3.connect(path) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    path.write_bytes(path.read_bytes()[:4096] + b"\xff" * (path.stat().st_size - 4096))
    other = VerdictStore(str(tmp_path / "cache"))
    assert other.get("key 7") is None
    other.put("key 7", make_reply())


def test_a_full_disk_keeps_earlier_verdicts_and_raises_nothing(store: VerdictStore) -> None:
    store.put("first", make_reply())
    store._connect().execute("PRAGMA max_page_count = 1")
    for number in range(100):
        store.put(f"key {number}", make_reply())
    assert store.get("first") is not None
    assert store.get("key 99") is None


def test_the_oldest_go_where_there_are_too_many(tmp_path: Path) -> None:
    store = VerdictStore(str(tmp_path / "cache"), max_bytes=200_000)
    for number in range(2000):
        store.put(str(number), make_reply())
    numbers = [number for number in range(2000) if store.get(str(number)) is not None]
    assert 300 < len(numbers) < 1000
    assert numbers == list(range(numbers[0], 2000))
    assert (tmp_path / "cache" / FILE).stat().st_size < 300_000


def test_two_processes_may_use_one_folder(store: VerdictStore, tmp_path: Path) -> None:
    script = (
        "import sys; sys.path[:0] = sys.argv[2:]\n"
        "from tests.judge.pool.test_verdict_store import VerdictStore, make_reply\n"
        "store = VerdictStore(sys.argv[1])\n"
        "for number in range(100): store.put(f'{sys.argv[2]} {number}', make_reply())\n"
    )
    roots = [str(Path(__file__).parents[2]), str(Path(__file__).parents[2] / "sandbox")]
    command = [sys.executable, "-c", script, str(tmp_path / "cache")]
    others = [subprocess.Popen([*command, *order]) for order in (roots, roots[::-1])]
    for number in range(100):
        store.put(f"own {number}", make_reply())
    assert [other.wait(60) for other in others] == [0, 0]
    for name in ("own", *roots):
        assert all(store.get(f"{name} {number}") == make_reply() for number in range(100))


def test_a_fork_has_a_connection_of_its_own(store: VerdictStore) -> None:
    store.put("before", make_reply())
    child = os.fork()
    if child == 0:
        is_stored = store.get("before") is not None
        store.put("in the fork", make_reply())
        os._exit(0 if is_stored else 1)
    assert os.waitpid(child, 0)[1] == 0
    assert store.get("in the fork") is not None


@pytest.fixture
def folder(tmp_path: Path) -> Iterator[Path]:
    yield tmp_path / "cache"
    open_store.cache_clear()


def judge_all(folder: Path, *codes: str, **keywords: Any) -> tuple[list[Judgement], int]:
    """The judgements of a new run, and how many were looked up."""
    open_store.cache_clear()
    with SharedJudge(workers=1, cache=folder, **{"limits": {"time_s": 0.2}, **keywords}) as judge:
        judgements = list(judge.map([(code, TESTS) for code in codes]))
        return judgements, judge.stats().looked_up


def test_a_later_run_looks_its_verdicts_up(folder: Path) -> None:
    first, looked_up = judge_all(folder, RIGHT, WRONG, SLOW)
    assert looked_up == 0
    assert [str(judgement.verdict) for judgement in first] == ["AC", "WA", "TLE"]
    second, looked_up = judge_all(folder, RIGHT, WRONG, SLOW)
    assert looked_up == 3
    assert second == first


def test_other_settings_are_judged_again(folder: Path) -> None:
    changes: list[dict[str, Any]] = [
        {"limits": {"time_s": 0.3}},
        {"compare": "exact"},
        {"time_scale": 1.5},
        {"packages": ()},
        {"stop": "never"},
        {"max_level": 3},
    ]
    for changed in [{}, *changes]:
        assert judge_all(folder, RIGHT, **changed)[1] == 0, changed
    assert judge_all(folder, RIGHT)[1] == 1


@pytest.mark.skipif(find_toolchain("gcc") is None, reason="no gcc on this machine")
def test_another_toolchain_checker_or_judge_gives_verdicts_of_its_own(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def count(program: dict[str, str], checker: str) -> int:
        open_store.cache_clear()
        source = f"def check(input, output, expected):\n    return {checker}\n"
        problem = {"tests": TESTS, "checker": {"source": source}}
        with SharedJudge(workers=1, cache=folder) as judge:
            judge.judge(program, problem)
            return judge.stats().looked_up

    program = {"code": "int main() {}", "language": "c"}
    assert [count(program, "True"), count(program, "True")] == [0, 1]
    assert count(program, "False") == 0
    assert count({"code": "int main() {}", "language": "cpp"}, "True") == 0
    monkeypatch.setattr(verdict_store, "find_toolchain", lambda name: None)
    assert count(program, "True") == 0
    monkeypatch.undo()
    monkeypatch.setattr(verdict_store, "_hash_own_code", lambda: "another version")
    assert count(program, "True") == 0


def test_the_command_says_how_many_were_looked_up(
    folder: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    from microcoder_eval.cli import main

    solutions, tests = tmp_path / "solutions.jsonl", tmp_path / "tests.jsonl"
    solutions.write_text(json.dumps({"problem_id": "p", "code": RIGHT}) + "\n")
    tests.write_text(json.dumps({"problem_id": "p", "tests": TESTS}) + "\n")
    command = [str(solutions), "--tests", str(tests), "--workers", "1", "--cache", str(folder)]
    for count in (0, 1):
        assert main([*command, "--json"]) == 0
        assert json.loads(capfd.readouterr().out)["looked_up"] == count
    assert main(command) == 0
    assert "1: verdicts of earlier runs" in " ".join(capfd.readouterr().out.split())
    assert main([*command, "--repeat", "2"]) == 2


def test_a_cache_without_reuse_is_refused() -> None:
    with pytest.raises(ValueError, match="cache needs reuse=True"):
        Judge(workers=1, cache="folder", reuse=False)
