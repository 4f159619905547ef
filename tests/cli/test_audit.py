"""``microcoder-eval audit`` as its users meet it: files, exit codes, interruptions."""

from __future__ import annotations

import gzip
import json
import signal
import subprocess
import time
from pathlib import Path

import psutil
import pytest

from tests.commands import run, start
from tests.files import read_jsonl, write_jsonl
from tests.processes import list_descendants, wait_until

pytestmark = pytest.mark.slow

SQUARE = {"problem_id": "sq", "tests": [{"input": f"{n}", "output": f"{n * n}"} for n in (2, 3)]}
SUM = {
    "problem_id": "sum",
    "tests": [{"input": "1 2", "output": "3"}, {"input": "4 5", "output": "9"}],
}
RIGHT = {"problem_id": "sq", "code": "print(int(input()) ** 2)"}
ADDS = {"problem_id": "sum", "code": "print(sum(map(int, input().split())))"}
FAILS = {"problem_id": "sq", "solution_id": "bad", "code": "print(4)"}


def audit(*words: object) -> subprocess.CompletedProcess[str]:
    return run("audit", "--workers", 1, *words)


def test_findings_are_written_in_the_order_of_the_problems(tmp_path: Path) -> None:
    tests = write_jsonl(tmp_path / "t.jsonl", SUM, SQUARE)
    solutions = write_jsonl(
        tmp_path / "s.jsonl", FAILS, {**RIGHT, "verdict": "WA"}, {**ADDS, "verdict": "TLE"}
    )
    result = audit(tests, solutions, "-o", tmp_path / "f.jsonl")
    assert result.returncode == 1
    findings = [(row["problem_id"], row["finding"]) for row in read_jsonl(tmp_path / "f.jsonl")]
    assert findings == [
        ("sum", "wrong_accepted"),
        ("sum", "no_reference"),
        ("sq", "reference_fails"),
        ("sq", "wrong_accepted"),
    ]
    assert {"problem_id", "finding", "severity", "detail", "evidence"} == set(
        read_jsonl(tmp_path / "f.jsonl")[0]
    )
    assert sorted(path.name for path in tmp_path.iterdir()) == ["f.jsonl", "s.jsonl", "t.jsonl"]


def test_the_table_counts_problems_and_then_tells_each_finding(tmp_path: Path) -> None:
    tests = write_jsonl(tmp_path / "t.jsonl", SQUARE, SUM)
    result = audit(tests, write_jsonl(tmp_path / "s.jsonl", FAILS, ADDS))
    assert "problems audited: 2, with findings: 1 (2 right and 0 wrong programs" in result.stdout
    assert "       1  reference_fails  a program known to be right does not pass" in result.stdout
    assert "\nreference_fails: compare the program's label with the failing test" in result.stdout
    assert "  error   sq: bad: WA on test 2 (1 of 2 tests pass)" in result.stdout
    assert "programs without a label, taken to be right: 2; a key" in result.stderr


def test_json_is_one_object_and_everything_else_is_on_standard_error(tmp_path: Path) -> None:
    tests = write_jsonl(tmp_path / "t.jsonl", SQUARE, SUM, "{")
    solutions = write_jsonl(
        tmp_path / "s.jsonl", RIGHT, FAILS, {"problem_id": "nosuch", "code": "1"}
    )
    result = audit(tests, solutions, "--json", "-o", tmp_path / "f.jsonl")
    facts = json.loads(result.stdout)
    assert facts["problems"] == 2
    assert facts["programs"] == {"right": 2, "wrong": 0}
    assert facts["findings"] == {"reference_fails": 1, "references_disagree": 1, "no_reference": 1}
    assert facts["bad_lines"] == 2
    assert result.returncode == 2
    assert f"{tests}:3: " in result.stderr
    assert f"{solutions}:3: " in result.stderr
    assert len(read_jsonl(tmp_path / "f.errors.jsonl")) == 2


def test_files_may_be_packed(tmp_path: Path) -> None:
    with gzip.open(tmp_path / "t.jsonl.gz", "wt") as file:
        file.write(json.dumps(SQUARE) + "\n")
    solutions = write_jsonl(tmp_path / "s.jsonl", FAILS)
    result = audit(tmp_path / "t.jsonl.gz", solutions, "-o", tmp_path / "f.jsonl.gz")
    assert result.returncode == 1
    with gzip.open(tmp_path / "f.jsonl.gz", "rt") as file:
        assert json.loads(file.readline())["finding"] == "reference_fails"


def test_options_reach_the_judge(tmp_path: Path) -> None:
    tests = write_jsonl(tmp_path / "t.jsonl", {**SQUARE, "checker": {"name": "kattis"}})
    shouting = {"problem_id": "sq", "code": "print(f'{int(input()) ** 2}.0')"}
    solutions = write_jsonl(tmp_path / "s.jsonl", shouting)
    out = tmp_path / "f.jsonl"
    words = (tests, solutions, "-o", out, "--repeat", 1)
    assert audit(*words).returncode == 1
    audit(*words, "--ignore-checkers", "--compare", "floats")
    assert "reference_fails" not in {row["finding"] for row in read_jsonl(out)}


def test_wrong_programs_in_a_language_nobody_speaks_are_said_to_be_left_out(tmp_path: Path) -> None:
    own = [{"code": "x", "language": "cobol"}, {"code": RIGHT["code"], "verdict": "AC"}]
    result = audit(write_jsonl(tmp_path / "t.jsonl", {**SQUARE, "solutions": own}))
    assert result.returncode == 0
    assert 'language "cobol" is not supported' in result.stderr


@pytest.mark.timed
def test_told_to_stop_it_ends_at_once_keeps_what_was_found_and_leaves_nobody(
    tmp_path: Path,
) -> None:
    waits = {"problem_id": "sq", "code": "import time\ntime.sleep(600)"}
    problem = {**SQUARE, "statement": "Print any of them.", "limits": {"wall_s": 600}}
    tests = write_jsonl(tmp_path / "t.jsonl", problem)
    solutions = write_jsonl(tmp_path / "s.jsonl", waits)
    words = ("audit", tests, solutions, "-o", tmp_path / "f.jsonl", "--workers", 1)
    begun = time.monotonic()
    with start(*words) as process:
        assert wait_until(lambda: len(list_descendants(process.pid)) >= 3)
        ours = psutil.Process(process.pid).children(recursive=True)
        start_seconds = time.monotonic() - begun
        process.send_signal(signal.SIGTERM)
        output, _errors = process.communicate(timeout=120)
        whole_seconds = time.monotonic() - begun
    assert process.returncode == 130
    assert "interrupted" in output
    assert whole_seconds < 6 * start_seconds
    assert psutil.wait_procs(ours, timeout=60)[1] == []
    assert [row["finding"] for row in read_jsonl(tmp_path / "f.part")] == [
        "multiple_answers_suspected"
    ]
    assert not (tmp_path / "f.jsonl").exists()
