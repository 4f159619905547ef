"""Nothing is lost on the way: dropped rows keep their names, and a missing module is no wrong
program."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from microcoder_data.cli import main
from microcoder_data.recipe import Verify
from microcoder_data.verify.stage import VerifyStage
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


def test_a_problem_without_tests_is_dropped_by_verify_with_its_name(tmp_path: Path) -> None:
    rows = [{**DOUBLE, "tests": []}, {**DOUBLE, "problem_id": "good", "solutions": [RIGHT]}]
    source = write(tmp_path / "in.jsonl", rows)
    main(["verify", str(source), "-o", str(tmp_path / "out.jsonl")])
    (dropped,) = read(tmp_path / "out.dropped.jsonl")
    assert dropped["problem_id"] == "double"
    assert dropped["problem"]["statement"] == DOUBLE["statement"]


def test_a_reference_without_its_module_is_pending_and_no_failure(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code = "import microcoder_absent\nprint(2 * int(input()))"
    lacks = {**DOUBLE, "problem_id": "lacks", "solutions": [{"code": code, "verdict": "AC"}, RIGHT]}
    fails = {**DOUBLE, "problem_id": "fails", "solutions": [{"code": "1 / 0", "verdict": "AC"}]}
    code = "raise ModuleNotFoundError(\"No module named 'tkinter'\")"  # nobody can install it
    inner = {**DOUBLE, "problem_id": "inner", "solutions": [{"code": code, "verdict": "AC"}]}
    rows = [lacks, fails, inner, {**DOUBLE, "solutions": [RIGHT]}]
    source = write(tmp_path / "in.jsonl", rows)
    words = ["verify", str(source), "-o", str(tmp_path / "out.jsonl"), "--workers", "1"]
    assert main(words) == 3
    assert "1 missing_module" in capsys.readouterr().err
    dropped = {row["problem_id"]: row for row in read(tmp_path / "out.dropped.jsonl")}
    assert dropped["fails"]["reason"] == dropped["inner"]["reason"] == "reference_fails"
    assert dropped["lacks"]["reason"] == "missing_module"
    assert dropped["lacks"]["evidence"]["module"] == "microcoder_absent"
    assert [row["problem_id"] for row in read(tmp_path / "out.jsonl")] == ["double"]
    assert main(words) == 2  # what is pending is not begun again
    assert "--resume" in capsys.readouterr().err
    assert main([*words, "--resume"]) == 3  # it is tried again, and is missing still
    assert (tmp_path / "out.part").exists()
