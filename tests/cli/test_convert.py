"""``convert`` as its users meet it: real files, pipes, signals and messages."""

from __future__ import annotations

import gzip
import json
import os
import signal
import subprocess
from pathlib import Path
from typing import Any

import pytest

from microcoder_eval.formats import open_problems, problem_from, read_solutions
from microcoder_eval.records import Problem, Solution
from tests.commands import ENVIRONMENT, command, execute, run, start
from tests.files import read_jsonl, write_jsonl
from tests.formats.shapes import SHAPES
from tests.processes import wait_until

pytestmark = pytest.mark.slow

ROWS = {str(shape): shape.row for shape in SHAPES}
APPS = ROWS["apps"]
NATIVE = ("--to", "native")


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def problems_in(path: Path) -> list[Problem]:
    with open_problems(path) as problems:
        assert problems.bad == []
        return [problems.get(name) for name in problems]


def test_a_file_of_many_formats_becomes_equal_problems_of_our_own(tmp_path: Path) -> None:
    rows = {problem_from(row).problem_id: row for row in ROWS.values()}
    raw = write_jsonl(tmp_path / "raw.jsonl", *rows.values())
    out = tmp_path / "tests.jsonl"
    result = run("convert", raw, *NATIVE, "-o", out, "--json")
    assert result.returncode == 0, result.stderr
    assert problems_in(out) == problems_in(raw) == [problem_from(row) for row in rows.values()]
    assert json.loads(result.stdout) == {
        "converted": "problems",
        "format": "native",
        "lines": len(rows),
        "bad_lines": 0,
        "output": str(out),
    }
    again = tmp_path / "again.jsonl"
    assert run("convert", out, *NATIVE, "-o", again).returncode == 0
    assert again.read_bytes() == out.read_bytes()


def test_solutions_are_told_from_problems_and_go_to_standard_output(tmp_path: Path) -> None:
    samples = write_jsonl(
        tmp_path / "s.jsonl", {"task_id": "Mbpp/1", "solution": "x = 1", "model": "m"}
    )
    result = run("convert", samples, *NATIVE)
    assert result.returncode == 0
    assert json.loads(result.stdout) == {
        "problem_id": "Mbpp/1",
        "solution_id": "Mbpp/1#1",
        "code": "x = 1",
        "language": "python",
        "meta": {"model": "m"},
    }
    assert result.stderr == "1 solutions (humaneval), 0 bad lines\n"


def test_samples_that_continue_a_prompt_are_given_the_problems(tmp_path: Path) -> None:
    tests = write_jsonl(tmp_path / "problems.jsonl", ROWS["humaneval"])
    samples = write_jsonl(
        tmp_path / "s.jsonl", {"task_id": "HumanEval/900", "completion": "    pass"}
    )
    assert "the problems must be given too" in run("convert", samples, *NATIVE).stderr
    out = tmp_path / "out.jsonl"
    assert run("convert", samples, *NATIVE, "--tests", tests, "-o", out).returncode == 0
    (solution,) = read_solutions(out, None)
    assert isinstance(solution, Solution)
    assert solution.code == ROWS["humaneval"]["prompt"] + "    pass"
    tests = write_jsonl(tests, ROWS["humaneval"], "{broken")
    result = run("convert", samples, *NATIVE, "--tests", tests, "-o", out)
    assert (result.returncode, "problems.jsonl:2: not JSON" in result.stderr) == (2, True)


def test_a_row_that_is_both_is_the_problem(tmp_path: Path) -> None:
    raw = write_jsonl(tmp_path / "raw.jsonl", ROWS["leetcodedataset"])
    result = run("convert", raw, *NATIVE)
    assert "1 problems (leetcodedataset)" in result.stderr


def test_bad_lines_are_told_with_their_place_and_the_rest_is_converted(tmp_path: Path) -> None:
    raw = write_jsonl(
        tmp_path / "raw.jsonl",
        "{broken",
        {"a": 1},
        APPS,
        {**APPS, "problem_id": 2, "input_output": '{"inputs": ["1"], "outputs": []}'},
        APPS,
        {"problem_id": "s", "code": "a solution among problems"},
        {**APPS, "problem_id": 3},
    )
    out = tmp_path / "out.jsonl"
    result = run("convert", raw, *NATIVE, "-o", out, "--json")
    assert result.returncode == 2
    facts = json.loads(result.stdout)
    assert (facts["lines"], facts["bad_lines"]) == (2, 5)
    assert facts["errors"] == str(tmp_path / "out.errors.jsonl")
    assert [problem.problem_id for problem in problems_in(out)] == ["4711", "3"]
    errors = read_jsonl(tmp_path / "out.errors.jsonl")
    assert [bad["line"] for bad in errors] == [1, 2, 4, 5, 6]
    for bad, words in zip(
        errors,
        ("not JSON", "neither a problem nor a solution", "1 inputs and 0 outputs",
         "a second time (first on line 3)", "it is a solution, not a problem"),
        strict=True,
    ):  # fmt: skip
        assert words in bad["reason"]
        assert f"raw.jsonl:{bad['line']}: {bad['reason']}" in result.stderr


@pytest.mark.parametrize("suffix", [".gz", ".zst"])
def test_compressed_files_are_read_and_written(suffix: str, tmp_path: Path) -> None:
    raw = write_jsonl(tmp_path / "raw.jsonl", APPS)
    packed = tmp_path / f"packed.jsonl{suffix}"
    plain = tmp_path / "plain.jsonl"
    assert run("convert", raw, *NATIVE, "-o", packed).returncode == 0
    assert packed.read_bytes()[:2] in (b"\x1f\x8b", b"\x28\xb5")
    assert run("convert", packed, *NATIVE, "-o", plain).returncode == 0
    assert problems_in(plain) == [problem_from(APPS)]


def test_a_pipe_is_read_once(tmp_path: Path) -> None:
    text = json.dumps(APPS)
    result = execute(command("convert", "/dev/stdin", *NATIVE), input=f"{text}\n")  # fmt: skip
    assert result.returncode == 0, result.stderr
    assert problem_from(json.loads(result.stdout)) == problem_from(APPS)


def test_an_array_and_a_cut_off_file_are_converted_as_far_as_they_go(tmp_path: Path) -> None:
    array = tmp_path / "raw.json"
    array.write_text(json.dumps([APPS, {**APPS, "problem_id": 1}]))
    out = tmp_path / "out.jsonl"
    assert run("convert", array, *NATIVE, "-o", out).returncode == 0
    assert len(problems_in(out)) == 2
    cut = tmp_path / "cut.jsonl.gz"
    rows = [{**APPS, "problem_id": n, "pad": os.urandom(9000).hex()} for n in range(20)]
    cut.write_bytes(gzip.compress("".join(f"{json.dumps(row)}\n" for row in rows).encode())[:-9999])
    result = run("convert", cut, *NATIVE, "-o", out)
    assert result.returncode == 2
    assert "cut off" in result.stderr
    assert 0 < len(problems_in(out)) < 20


def test_text_that_utf8_cannot_hold_is_carried_as_an_escape(tmp_path: Path) -> None:
    raw = tmp_path / "raw.jsonl"
    raw.write_text(json.dumps({**APPS, "url": "\ud800 é"}))
    out = tmp_path / "out.jsonl"
    assert run("convert", raw, *NATIVE, "-o", out).returncode == 0
    assert problems_in(out)[0].meta["url"] == "\ud800 é"


def test_where_nothing_can_be_converted_what_was_there_stays(tmp_path: Path) -> None:
    out = tmp_path / "out.jsonl"
    out.write_text("of before")
    raw = write_jsonl(tmp_path / "raw.jsonl", {"a": 1}, "{")
    result = run("convert", raw, *NATIVE, "-o", out, "--json")
    assert result.returncode == 2
    assert json.loads(result.stdout)["output"] is None
    assert out.read_text() == "of before"
    assert names(tmp_path) == ["out.errors.jsonl", "out.jsonl", "raw.jsonl"]


def test_a_link_named_as_output_stays_one(tmp_path: Path) -> None:
    target = tmp_path / "target.jsonl"
    target.write_text("of before")
    (tmp_path / "link.jsonl").symlink_to(target)
    raw = write_jsonl(tmp_path / "raw.jsonl", APPS)
    assert run("convert", raw, *NATIVE, "-o", tmp_path / "link.jsonl").returncode == 0
    assert (tmp_path / "link.jsonl").is_symlink()
    assert problems_in(target) == [problem_from(APPS)]


def test_told_to_stop_it_leaves_everything_as_it_was(tmp_path: Path) -> None:
    out = tmp_path / "out.jsonl"
    out.write_text("of before")
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    in_background = ["/bin/sh", "-c", 'trap "" INT; exec "$@"', "sh"]  # as a shell's "&" does
    process = subprocess.Popen(
        [*in_background, *command("convert", pipe, *NATIVE, "-o", out)],
        env=ENVIRONMENT, stderr=subprocess.PIPE,
    )  # fmt: skip
    with process, open(pipe, "w") as feed:  # open() waits for the reader: it is at work then
        feed.write(f"{json.dumps(APPS)}\n")
        feed.flush()
        assert wait_until(lambda: any(name.startswith(".out.") for name in names(tmp_path)))
        process.send_signal(signal.SIGINT)
        assert process.wait(60) == 130
        assert process.stderr is not None
        assert b"interrupted" in process.stderr.read()
    assert names(tmp_path) == ["out.jsonl", "pipe"]
    assert out.read_text() == "of before"


def test_a_reader_that_leaves_is_no_failure(tmp_path: Path) -> None:
    rows: list[Any] = [{**APPS, "problem_id": n, "pad": "x" * 10_000} for n in range(50)]
    raw = write_jsonl(tmp_path / "raw.jsonl", *rows)
    with start("convert", raw, *NATIVE) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.read(10)
        process.stdout.close()
        assert "Traceback" not in process.stderr.read()
        assert process.wait(30) in (0, 2)
