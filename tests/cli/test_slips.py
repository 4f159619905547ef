"""What people mean by a small mistake is understood, or said with what to do."""

from __future__ import annotations

import asyncio
import errno
import json
import os
from pathlib import Path
from typing import Any

import pytest

from microcoder_eval import Judge, Limits, Problem, judge
from microcoder_eval.integrations.trl import Reward
from microcoder_eval.results.files import OutputError, Paths, make_write_error
from tests.commands import Command
from tests.files import write_jsonl

ADD = "a, b = map(int, input().split())\nprint(a + b)"
PROBLEM = {"problem_id": "sum", "tests": [{"input": "1 2", "output": "3"}]}
SOLUTION = {"problem_id": "sum", "code": ADD}


@pytest.fixture
def judge_files(command: Command) -> Command:
    """judge_files(problem, *solutions, words=()): exit code, standard output and error."""

    def call(
        problem: dict[str, Any], *solutions: dict[str, Any], words: tuple[str, ...] = ()
    ) -> tuple[int, str, str]:
        write_jsonl(Path("t.jsonl"), problem)
        write_jsonl(Path("s.jsonl"), *solutions)
        return command("s.jsonl", "--tests", "t.jsonl", "--workers", "1", *words)

    return call


@pytest.mark.parametrize(
    ("problem", "solution", "notices"),
    [
        ({"id": "sum", "tests": [{"stdin": "1 2", "stdout": "3"}]}, {"id": "sum", "solution": ADD},
         ['"id" is read as "problem_id"', '"stdin" is read as "input"', '"stdout" is read as "out',
          '"solution" is read as "code"']),
        ({"problem_id": "sum", "tests": [{"input": "1 2", "expected_output": "3"}]}, SOLUTION,
         ['"expected_output" is read as "output"']),
        ({"id": 7, "test_code": "assert f(1) == 2"},
         {"id": 7, "response": "```python\ndef f(x): return 2\n```"}, ['"id" is read as']),
    ],
)  # fmt: skip
def test_usual_names_are_read_as_ours_and_that_is_said(
    problem: dict[str, Any], solution: dict[str, Any], notices: list[str], judge_files: Command
) -> None:
    code, out, err = judge_files(problem, solution)
    assert code == 0, err
    assert "AC 1" in out
    assert [notice for notice in notices if notice not in err] == []


def test_what_converts_reads_usual_names_too(command: Command) -> None:
    write_jsonl(Path("t.jsonl"), {"id": "sum", "tests": [{"stdin": "1 2", "stdout": "3"}]})
    write_jsonl(Path("s.jsonl"), {"id": "s", "solution": "1"})
    for name in ("t.jsonl", "s.jsonl"):
        assert command("convert", name, "-o", f"new-{name}")[0] == 0
    assert json.loads(Path("new-t.jsonl").read_text())["problem_id"] == "sum"
    assert json.loads(Path("new-s.jsonl").read_text())["code"] == "1"


def test_the_library_takes_a_program_or_an_answer_by_name() -> None:
    tests = [{"input": "1 2", "output": "3"}]
    assert judge(code=ADD, tests=tests).passed
    assert judge(response=f"```python\n{ADD}\n```", tests=tests).passed
    with Judge(workers=1) as pool:
        assert pool.judge(code=ADD, tests=tests).passed
        assert pool.submit(response=f"```python\n{ADD}\n```", tests=tests).result().passed
        assert asyncio.run(pool.ajudge(code=ADD, tests=tests)).passed
    for arguments in ({}, {"code": ADD, "response": ADD}, {"solution": ADD, "code": ADD}):
        with pytest.raises(TypeError, match="give one of solution, code= "):
            judge(tests=tests, **arguments)
    with pytest.raises(TypeError, match="tests must be a list"):
        judge(code=ADD)


@pytest.mark.parametrize(
    ("fields", "kind"),
    [
        ({"tests": [{"input": "1 2", "output": "3"}]}, "stdin"),
        ({"tests": [{"input": [1], "output": 1}], "entry_point": "f"}, "call"),
        ({"test_code": "assert f(1) == 1"}, "assert"),
    ],
)
def test_a_problem_without_a_kind_has_that_of_its_tests(fields: dict[str, Any], kind: str) -> None:
    problem = Problem(problem_id="p", **fields)
    assert problem.kind == kind
    code = ADD if kind == "stdin" else "def f(x): return x"
    assert judge(code, problem).passed


@pytest.mark.parametrize(
    ("name", "usual", "unusual", "unit"),
    [
        ("time_s", 300, 2000, "seconds, not milliseconds"),
        ("memory_mb", 65536, 262144, "MiB, not GiB, KiB or bytes"),
        ("memory_mb", 64, 1, "MiB, not GiB, KiB or bytes"),
    ],
)
def test_a_limit_in_another_unit_is_warned_of(
    name: str, usual: int, unusual: int, unit: str, judge_files: Command
) -> None:
    assert unit in judge_files({**PROBLEM, "limits": {name: unusual}}, SOLUTION)[2]
    option = {"time_s": "--time-limit", "memory_mb": "--memory-limit"}[name]
    assert judge_files(PROBLEM, SOLUTION, words=(option, str(unusual)))[2].count(unit) == 1
    for limits in ({name: unusual}, Limits(**{name: unusual})):
        with pytest.warns(UserWarning, match=unit) as warned:
            judge(ADD, PROBLEM["tests"], limits=limits)  # type: ignore[arg-type]
        assert [warning.filename for warning in warned] == [__file__]
        with pytest.warns(UserWarning, match=unit) as warned:
            reward = Reward(limits=limits)
        assert [warning.filename for warning in warned] == [__file__]
        reward(["?"], [f"```python\n{ADD}\n```"], tests=[PROBLEM["tests"]])  # is not said again
    assert unit not in judge_files({**PROBLEM, "limits": {name: usual}}, SOLUTION)[2]


@pytest.mark.parametrize(
    ("number", "advice"),
    [
        (errno.EROFS, "choose a folder that you may write to"),
        (errno.EACCES, "choose a folder that you may write to"),
        (errno.EFBIG, "Raise the limit on the size of files (ulimit -f)"),
        (errno.ENOSPC, "Free some space"),
    ],
)
def test_a_file_that_cannot_be_written_says_what_helps(number: int, advice: str) -> None:
    assert advice in str(make_write_error(Path("r.jsonl"), OSError(number, "no")))


def test_only_a_folder_that_is_missing_is_asked_for() -> None:
    error = OSError(errno.ENOENT, "no")  # /proc says so of each new file
    assert "there is no folder" in str(make_write_error(Path("nowhere/r.jsonl"), error))
    assert "there is no folder" not in str(make_write_error(Path("/proc/r.jsonl"), error))


def test_a_folder_that_cannot_be_written_is_refused_before_the_work(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "access", lambda *_: False)  # root may write everywhere
    with pytest.raises(OutputError, match="choose a folder that you may write to"):
        Paths.from_output(str(tmp_path / "r.jsonl")).refuse_misuse([])
