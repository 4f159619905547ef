"""Solutions of every form: which problem each is for, what is judged, its verdict."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from microcoder_eval import Judge
from microcoder_eval.formats import (
    open_problems,
    problem_from,
    read_solutions,
    registry,
)
from microcoder_eval.records import Solution
from tests.files import write_jsonl
from tests.formats.shapes import ADD, METHOD, SHAPES, TWICE

ROWS = {str(shape): shape.row for shape in SHAPES}
# Format, a line, the problem it is for, and what is judged.
SAMPLES = [
    ("native", {"problem_id": "sum", "code": ADD}, "native", ADD),
    ("native", {"problem_id": "sum", "response": "```python\nx\n```"}, "native", None),
    ("livecodebench", {"question_id": "abc999_a", "code_list": [ADD]}, "livecodebench", ADD),
    ("livecodebench", {"question_id": "abc999_a", "output_list": ["x"], "graded_list": [False]},
     "livecodebench", None),
    ("livecodebench", {"question_id": "abc999_a", "code": ADD}, "livecodebench", ADD),
    ("livecodebench", {"question_id": "abc999_a", "response": "x"}, "livecodebench", None),
    ("humaneval", {"task_id": "HumanEval/900", "solution": TWICE}, "humaneval", TWICE),
    ("humaneval", {"task_id": "HumanEval/900", "completion": "    return 2 * x\n"}, "humaneval",
     ROWS["humaneval"]["prompt"] + "    return 2 * x\n"),
    ("humaneval", {"task_id": "HumanEval/900", "code": TWICE}, "humaneval", TWICE),
    ("humaneval", {"task_id": "HumanEval/900", "response": f"```\n{TWICE}```"},
     "humaneval", None),
    ("humaneval", {"task_id": "Mbpp/9001", "solution": TWICE}, "mbpp", TWICE),
    ("humaneval", {"task_id": 9001, "completion": TWICE}, "mbpp", TWICE),
    ("humaneval", {"task_id": "9001", "code": TWICE}, "mbpp", TWICE),
    ("humaneval", {"task_id": "double-it", "completion": METHOD}, "leetcodedataset",
     ROWS["leetcodedataset"]["prompt"] + METHOD),
]  # fmt: skip


@pytest.mark.parametrize(("name", "line", "problem", "code"), SAMPLES)
def test_a_sample_is_recognised_by_one_format_and_finds_its_problem(
    name: str, line: dict[str, Any], problem: str, code: str | None, tmp_path: Path
) -> None:
    assert [known.name for known in registry.FORMATS if known.holds_solution(line)] == [name]
    assert not any(known.holds_problem(line) for known in registry.FORMATS)
    with open_problems(write_jsonl(tmp_path / "problems.jsonl", ROWS[problem])) as problems:
        (sample,) = read_solutions(write_jsonl(tmp_path / "samples.jsonl", line), problems)
        assert isinstance(sample, Solution)
        assert sample.problem_id == next(iter(problems))
    assert (sample.code, sample.response is None) == (code, code is not None)


@pytest.mark.parametrize(
    ("statement", "is_continued"),
    [
        ("Write def twice(x): the double of x.", False),
        ("Write the def of twice.\n\n    def twice(x):\n", False),
        ("def twice(x):\n", True),
        ("import math\n\ndef twice(x,\n          times=2):", True),
        ("class Doubler:\n    async def twice(self, x):\n        # the double\n", True),
    ],
)
def test_a_completion_continues_a_statement_that_is_code(
    statement: str, is_continued: bool, tmp_path: Path
) -> None:
    row = {"problem_id": "p", "entry_point": "twice", "statement": statement,
           "tests": [{"input": [1], "output": 2}]}  # fmt: skip
    line = {"task_id": "p", "completion": "        return 2 * x\n"}
    with open_problems(write_jsonl(tmp_path / "problems.jsonl", row)) as problems:
        (sample,) = read_solutions(write_jsonl(tmp_path / "samples.jsonl", line), problems)
    assert isinstance(sample, Solution)
    assert sample.code == (statement if is_continued else "") + line["completion"]


def test_a_format_forced_for_problems_leaves_solutions_of_another_alone(tmp_path: Path) -> None:
    line = {"problem_id": "4711", "code": ADD}
    solutions = list(read_solutions(write_jsonl(tmp_path / "s.jsonl", line), None, format="apps"))
    assert solutions == [Solution("4711", "4711#1", code=ADD)]


def test_a_generated_checker_that_breaks_on_an_answer_is_no_failure_of_the_judge(
    judge: Judge,
) -> None:
    row = ROWS["codeforces"]
    broken = {**row, "generated_checker": "raise ValueError('always')"}
    right = "n = int(input())\nprint(2, n - 2)"
    no_text = "import sys\nsys.stdout.buffer.write(b'\\xff\\xfe')"
    for problem, code, verdict, flags in (
        (row, right, "AC", ()),
        (row, "print('no', 'numbers')", "WA", ("checker_failed",)),
        (row, no_text, "WA", ("checker_failed",)),
        (broken, right, "WA", ("checker_failed",)),
    ):
        judgement = judge.judge({"code": code}, problem_from(problem))
        assert (judgement.verdict, judgement.flags) == (verdict, flags), code


def test_references_are_carried_as_programs() -> None:
    for name in (
        "humaneval", "primeintellect", "primeintellect-columns", "kodcode", "mbpp", "apps",
    ):  # fmt: skip
        (reference,) = problem_from(ROWS[name]).solutions
        assert reference["verdict"] == "AC"
        compile(reference["code"], name, "exec")
    assert json.loads(json.dumps(dict(reference))) == {"code": ADD, "verdict": "AC"}
