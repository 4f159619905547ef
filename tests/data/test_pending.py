"""Nothing is lost on the way: dropped rows keep their names, and a missing module is no wrong
program."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from microcoder_data.recipe import Verify
from microcoder_data.verify.stage import VerifyStage
from tests.commands import Command
from tests.data.lines import Row, Run, read, write

DOUBLE: Row = {
    "problem_id": "double", "kind": "stdin", "statement": "Print twice the number that is given.",
    "tests": [{"input": f"{n}\n", "output": f"{2 * n}\n"} for n in range(4)],
}  # fmt: skip
RIGHT = {"code": "print(2 * int(input()))", "verdict": "AC"}


@pytest.mark.parametrize(
    ("row", "name"),
    [
        ({"task_id": "HumanEval/1", "prompt": 5, "entry_point": "f", "test": "x"}, "HumanEval/1"),
        ({"id": 7, "official_tests": 5, "interaction_format": "ask"}, "7"),
        ({"problem_id": " ", "tests": []}, None),
        (b"{torn", None),
        (b"[1]", None),
    ],
)
def test_a_row_that_cannot_be_used_keeps_its_name(run: Run, row: Any, name: str | None) -> None:
    assert run(VerifyStage(Verify()), row)[1] == {str(name): "unreadable"}


def test_a_problem_without_tests_is_dropped_by_verify_with_its_name(command: Command) -> None:
    rows = [{**DOUBLE, "tests": []}, {**DOUBLE, "problem_id": "good", "solutions": [RIGHT]}]
    write(Path("in.jsonl"), rows)
    command("verify", "in.jsonl", "-o", "out.jsonl")
    (dropped,) = read(Path("out.dropped.jsonl"))
    assert dropped["problem_id"] == "double"
    assert dropped["problem"]["statement"] == DOUBLE["statement"]


def test_a_reference_without_its_module_is_pending_and_no_failure(command: Command) -> None:
    programs = {
        "lacks": ["import microcoder_absent\nprint(2 * int(input()))", RIGHT["code"]],
        "fails": ["1 / 0"],
        "inner": ["raise ModuleNotFoundError(\"No module named 'tkinter'\")"],  # not to be had
        "double": [RIGHT["code"]],
    }
    rows = [
        {**DOUBLE, "problem_id": name, "solutions": [{**RIGHT, "code": code} for code in codes]}
        for name, codes in programs.items()
    ]
    write(Path("in.jsonl"), rows)
    words = ("verify", "in.jsonl", "-o", "out.jsonl", "--workers", "1")
    code, _, err = command(*words)
    assert (code, "1 missing_module" in err) == (3, True)
    dropped = {row["problem_id"]: row for row in read(Path("out.dropped.jsonl"))}
    assert dropped["fails"]["reason"] == dropped["inner"]["reason"] == "reference_fails"
    assert dropped["lacks"]["reason"] == "missing_module"
    assert dropped["lacks"]["evidence"]["module"] == "microcoder_absent"
    assert [row["problem_id"] for row in read(Path("out.jsonl"))] == ["double"]
    code, _, err = command(*words)
    assert (code, "--resume" in err) == (2, True)  # what is pending is not begun again
    assert command(*words, "--resume")[0] == 3  # it is tried again, and is missing still
    assert Path("out.part").exists()
