"""What the command says where its streams, names and files are not as usual."""

from __future__ import annotations

import gzip
import json
import random
import signal
from pathlib import Path

import pytest

from tests.cli.test_command import SQUARE
from tests.commands import run, shell, start
from tests.files import write_jsonl
from tests.processes import wait_until

RIGHT = {"problem_id": "sq", "code": "print(int(input()) ** 2)"}
SLOW = {"problem_id": "sq", "code": "import time; time.sleep(0.4); print(4)"}

pytestmark = pytest.mark.slow


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    write_jsonl(tmp_path / "t.jsonl", SQUARE)
    write_jsonl(tmp_path / "s.jsonl", RIGHT)
    return tmp_path


@pytest.mark.parametrize(
    "words",
    ["| head -0", "--json | head -0", ">&-", "--json >&-", "2>&-", "<&-", "2> /dev/full",
     "2> >(exec true)"],
)  # fmt: skip
def test_a_stream_that_is_not_there_changes_no_exit_code(folder: Path, words: str) -> None:
    result = shell(folder, f"$eval s.jsonl --tests t.jsonl -o o.jsonl {words}")
    assert result.returncode == 0, result.stderr
    assert result.stderr in ("", "judging 1 solution\n")
    assert json.loads((folder / "o.jsonl").read_text())["verdict"] == "AC"


@pytest.mark.parametrize(
    "verb", ["s.jsonl --tests t.jsonl -o o.jsonl", "compare s.jsonl s.jsonl", "doctor"]
)
def test_standard_output_on_a_full_disk_is_said(folder: Path, verb: str) -> None:
    result = shell(folder, f"$eval {verb} --json > /dev/full")
    assert result.returncode == 2
    assert "standard output cannot be written" in result.stderr
    assert "Traceback" not in result.stderr
    if "-o" in verb:  # no result is lost
        assert json.loads((folder / "o.jsonl").read_text())["verdict"] == "AC"


def test_names_are_shown_as_text_on_any_terminal(folder: Path) -> None:
    write_jsonl(
        folder / "t.jsonl",
        {**SQUARE, "difficulty": "[/red]", "platform": ":smile: é"},
        {**SQUARE, "problem_id": "other", "difficulty": "easy", "platform": "here"},
        {"problem_id": "\x1b[31m", "test_code": "import inspect\nassert f", "entry_point": "f"},
        {**SQUARE, "problem_id": "bad", "checker": "\x1b[31m"},
    )
    other = {**RIGHT, "problem_id": "other"}
    write_jsonl(
        folder / "s.jsonl", RIGHT, other, {"problem_id": "\x1b[31m", "code": "def f(): pass"}
    )
    result = shell(folder, "$eval s.jsonl --tests t.jsonl", PYTHONIOENCODING="ascii")
    assert result.returncode == 3, result.stderr
    assert "difficulty [/red]" in result.stdout
    assert "platform :smile: \\xe9" in result.stdout
    assert "\x1b" not in result.stdout + result.stderr


def test_what_lies_before_the_cut_of_a_file_is_judged(folder: Path) -> None:
    noise = random.Random(1)
    lines = (
        json.dumps({**RIGHT, "code": f"print(4) # {noise.randbytes(9000).hex()}"}) + "\n"
        for _ in range(40)
    )
    packed = gzip.compress("".join(lines).encode())
    (folder / "s.jsonl.gz").write_bytes(packed[: len(packed) // 2])
    words = ("s.jsonl.gz", "--tests", "t.jsonl", "-o", "o.jsonl", "--json")
    result = run(*words, cwd=folder)
    assert result.returncode == 2, result.stderr
    assert "cut off" in result.stderr
    assert json.loads(result.stdout)["verdicts"]["AC"] > 5


@pytest.mark.parametrize("words", ["--force", "--resume"])
def test_solutions_that_are_missing_cost_no_journal(folder: Path, words: str) -> None:
    (folder / "o.part").write_text("whatever\n")
    result = run("none.jsonl", "--tests", "t.jsonl", "-o", "o.jsonl", words, cwd=folder)
    assert result.returncode == 2
    assert (folder / "o.part").read_text() == "whatever\n"


def test_an_interrupted_forced_run_goes_on_from_its_journal(folder: Path) -> None:
    words = ("s.jsonl", "--tests", "t.jsonl", "-o", "o.jsonl", "--workers", "1")
    each = ({**SLOW, "code": f"{SLOW['code']}  # {n}"} for n in range(8))
    write_jsonl(folder / "s.jsonl", *each)
    assert run(*words, cwd=folder).returncode == 0
    forced = [*words, "--force", "--time-limit", "3"]
    with start(*forced, cwd=folder) as process:
        journal = folder / "o.part"
        assert wait_until(lambda: journal.exists() and journal.stat().st_size > 0)
        process.send_signal(signal.SIGINT)
    assert process.returncode == 130
    result = run(*forced, "--resume", "--json", cwd=folder)
    assert result.returncode == 0, result.stderr
    assert 1 <= json.loads(result.stdout)["resumed"] < 8
