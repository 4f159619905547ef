"""What people mean by a small mistake is understood, or said with what to do."""

from __future__ import annotations

import asyncio
import errno
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from microcoder_eval import Judge, Problem, judge
from microcoder_eval.cli import main
from microcoder_eval.results.files import make_write_error

Command = Callable[..., tuple[int, str, str]]
ADD = "a, b = map(int, input().split())\nprint(a + b)"
PROBLEM = {"problem_id": "sum", "tests": [{"input": "1 2", "output": "3"}]}
SOLUTION = {"problem_id": "sum", "code": ADD}


@pytest.fixture
def command(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Command:
    """command(problem, *solutions, words=(), file="s.jsonl"): exit code, stdout, stderr. Solutions
    are objects, or the text of the file."""
    monkeypatch.chdir(tmp_path)

    def run(
        problem: dict[str, Any], *solutions: Any, words: tuple[str, ...] = (), file: str = "s.jsonl"
    ) -> tuple[int, str, str]:
        Path("t.jsonl").write_text(json.dumps(problem))
        lines = [line if isinstance(line, str) else json.dumps(line) for line in solutions]
        Path(file).write_text("\n".join(lines))
        code = main([file, "--tests", "t.jsonl", "--workers", "1", *words])
        return (code, *capsys.readouterr())

    return run


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
    problem: dict[str, Any],
    solution: dict[str, Any],
    notices: list[str],
    command: Command,
    caplog: pytest.LogCaptureFixture,
) -> None:
    code, out, err = command(problem, solution)
    assert code == 0, err
    assert "AC 1" in out
    assert [notice for notice in notices if notice not in err + caplog.text] == []


def test_a_completion_is_no_solution(command: Command) -> None:
    code, _out, err = command(PROBLEM, {"problem_id": "sum", "completion": ADD})
    assert code == 2
    assert 'neither "code"' in err


@pytest.mark.parametrize(
    ("problem", "solution", "question"),
    [
        ({**PROBLEM, "tests": None, "testz": []}, SOLUTION, 'rename "testz" to "tests"?'),
        ({"problem_ids": "sum", "tests": []}, SOLUTION, 'rename "problem_ids" to "problem_id"?'),
        (PROBLEM, {"problem_id": "sum", "cod": ADD}, 'rename "cod" to "code"?'),
    ],
)
def test_a_key_close_to_one_that_is_missing_is_asked_about(
    problem: dict[str, Any], solution: dict[str, Any], question: str, command: Command
) -> None:
    code, _out, err = command(problem, solution)
    assert code == 2
    assert question in err


def test_what_converts_reads_usual_names_too(command: Command, tmp_path: Path) -> None:
    command({"id": "sum", "tests": [{"stdin": "1 2", "stdout": "3"}]}, {"id": "s", "solution": "1"})
    for name in ("t.jsonl", "s.jsonl"):
        assert main(["convert", name, "-o", f"new-{name}"]) == 0
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
    ],
)
def test_a_limit_in_another_unit_is_warned_of(
    name: str, usual: int, unusual: int, unit: str, command: Command
) -> None:
    assert unit in command({**PROBLEM, "limits": {name: unusual}}, SOLUTION)[2]
    option = {"time_s": "--time-limit", "memory_mb": "--memory-limit"}[name]
    assert f"{option}: " in command(PROBLEM, SOLUTION, words=(option, str(unusual)))[2]
    with pytest.warns(UserWarning, match=unit) as warned:
        judge(ADD, PROBLEM["tests"], limits={name: unusual})  # type: ignore[arg-type]
    assert warned[0].filename == __file__
    assert unit not in command({**PROBLEM, "limits": {name: usual}}, SOLUTION)[2]


@pytest.mark.parametrize("prompt", ['"Enter: "', "'two numbers?'"])
def test_a_prompt_is_named_as_the_only_fault(prompt: str) -> None:
    judgement = judge(ADD.replace("input()", f"input({prompt})"), PROBLEM["tests"])  # type: ignore[arg-type]
    assert judgement.verdict == "WA"
    assert "right but for the prompt" in (judgement.reason or "")


def test_a_program_that_is_wrong_without_its_prompt_too_is_only_wrong() -> None:
    code = ADD.replace("input()", "input('numbers: ')").replace("a + b", "a - b")
    assert "prompt" not in (judge(code, PROBLEM["tests"]).reason or "")  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("file", "text", "message"),
    [
        ("s.jsonl", '{"problem_id": "sum", "code": "",}', "remove the comma before the bracket"),
        ("s.jsonl", '{"problem_id": "sum", "code": ""},', "remove the comma at its end"),
        ("s.txt", "print(3)", "programs are files such as sum.py, plain tests a folder"),
        ("s.xlsx", "PK\x03\x04", "is a spreadsheet, which is not read; save it as CSV"),
        ("s.jsonl", "", "no solution in s.jsonl: the file is empty"),
    ],
)
def test_a_file_of_another_form_says_what_to_do(
    file: str, text: str, message: str, command: Command
) -> None:
    code, _out, err = command(PROBLEM, text, file=file)
    assert code == 2
    assert message in err


def test_cells_may_be_separated_by_bars(command: Command) -> None:
    text = 'problem_id|code\nsum|"print(3)"\n'
    assert "AC 1" in command(PROBLEM, text, file="s.csv")[1]


def test_a_report_that_is_not_named_as_a_page_is_refused(command: Command) -> None:
    code, _out, err = command(PROBLEM, SOLUTION, words=("--report", "r.txt"))
    assert code == 2
    assert "r.txt: the report is an HTML page; choose another name, such as r.html" in err


def test_lines_that_are_not_shown_are_named_by_a_whole_reason(command: Command) -> None:
    names = ("a", "b", "c", "d", "e")
    err = command(PROBLEM, *({"problem_id": name, "code": ""} for name in names))[2]
    assert 's.jsonl: 2 more like this: problem "d" is not in t.jsonl' in err


@pytest.mark.parametrize(
    ("number", "advice"),
    [
        (errno.EROFS, "choose a folder for -o that you may write to"),
        (errno.EACCES, "choose a folder for -o that you may write to"),
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
