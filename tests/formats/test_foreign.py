"""LiveCodeBench and HumanEval: recognised by their keys, unpacked without running anything."""

from __future__ import annotations

import base64
import json
import os
import pickle
import re
import zlib
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from microcoder_eval.errors import DataError
from microcoder_eval.formats import (
    BadLine,
    open_problems,
    problem_from,
    read_solutions,
    solution_from,
)
from microcoder_eval.formats.datasets import leetcodedataset, packed
from microcoder_eval.records import Kind, Solution, Test
from tests.files import write_jsonl


def _pack(value: object, protocol: int = 4) -> str:
    return base64.b64encode(zlib.compress(pickle.dumps(value, protocol))).decode()


def _case(given: str, expected: str, testtype: str = "functional") -> dict[str, str]:
    return {"input": given, "output": expected, "testtype": testtype}


def _lcb(public: list[Any], private: object, **more: Any) -> dict[str, Any]:
    return {
        "question_title": "T",
        "question_content": "Add.",
        "platform": "leetcode",
        "question_id": "3716",
        "contest_id": "c",
        "contest_date": "2025-01-01T00:00:00",
        "starter_code": "",
        "difficulty": "easy",
        "public_test_cases": json.dumps(public),
        "private_test_cases": private,
        "metadata": "{}",
        **more,
    }


@pytest.mark.parametrize("protocol", range(pickle.HIGHEST_PROTOCOL + 1))
def test_livecodebench_stdin_problems_are_unpacked(protocol: int) -> None:
    private = _pack(json.dumps([_case("é\n", "2\n", "stdin")]), protocol)
    problem = problem_from(_lcb([_case("1\n", "1\n", "stdin")], private))
    assert problem.problem_id == "3716"
    assert problem.kind is Kind.STDIN
    assert problem.tests == (Test("1\n", "1\n"), Test("é\n", "2\n"))
    assert (problem.statement, problem.platform, problem.difficulty) == ("Add.", "leetcode", "easy")
    assert problem.date == "2025-01-01T00:00:00"
    assert problem.starter_code is None
    assert problem.meta == {"question_title": "T", "contest_id": "c"}


@pytest.mark.parametrize(
    ("starter", "entry_point"),
    [
        ("class Solution:\n    def add(self, a, b):\n        ", "Solution.add"),
        ("def add(a, b):\n    ", "add"),
    ],
)
def test_livecodebench_functions_become_calls(starter: str, entry_point: str) -> None:
    row = _lcb(
        [_case('[1, 2]\n"x"', "[true, null]")],
        json.dumps([_case("3\n4\n", "7")]),
        starter_code=starter,
        metadata='{"func_name": "add"}',
    )
    problem = problem_from(row)
    assert (problem.kind, problem.entry_point) == (Kind.CALL, entry_point)
    assert problem.tests == (Test([[1, 2], "x"], [True, None]), Test([3, 4], 7))
    assert problem.starter_code == starter


class _Evil:
    def __reduce__(self) -> Any:
        return os.mkdir, ("never-made-by-a-pickle",)


BOMB = base64.b64encode(zlib.compress(bytes(packed.MAX_TEXT_BYTES // 64))).decode()
MEMO = base64.b64encode(zlib.compress(b"\x80\x02X\x01\x00\x00\x00ar\xff\xff\xff\x7f.")).decode()


@pytest.mark.parametrize(
    "private",
    [
        _pack(_Evil()),
        _pack([_Evil()]),
        _pack(os.system),
        _pack({"a": "b"}),
        _pack(b"[]"),
        _pack(3),
        MEMO,
        base64.b64encode(zlib.compress(b"")).decode(),
        base64.b64encode(zlib.compress(b"cos\nsystem\n(S'true'\ntR.")).decode(),
        base64.b64encode(zlib.compress(b"Psomething\n.")).decode(),
        _pack("[]")[:-8],
        "AAAA",
        "not base64!",
        "é",
        _pack("{broken"),
        _pack('{"a": 1}'),
    ],
)
def test_private_tests_hold_a_text_or_nothing(
    private: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(DataError, match='"private_test_cases"'):
        problem_from(_lcb([], private))
    assert not list(tmp_path.iterdir())


def test_decompression_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(packed, "MAX_TEXT_BYTES", 1 << 20)
    with pytest.raises(DataError, match="decompresses to more than 1 MiB"):
        packed.unpack_text(BOMB)
    monkeypatch.setattr(packed, "MAX_PACKED_BYTES", 10)
    with pytest.raises(DataError, match="larger than"):
        packed.unpack_text(BOMB)


@given(st.text() | st.binary().map(lambda raw: base64.b64encode(zlib.compress(raw)).decode()))
def test_any_packed_text_is_a_text_or_a_data_error(data: str) -> None:
    try:
        assert isinstance(packed.unpack_text(data), str)
    except DataError:
        pass


@pytest.mark.parametrize(
    ("public", "metadata", "words"),
    [
        ([_case("1", "{")], '{"func_name": "f"}', "test 1 must hold one JSON value a line"),
        ([_case("1", "1")], "{}", 'calls a function, but neither "fn_name" nor "func_name"'),
        ([{"input": "1"}], '{"func_name": "f"}', 'test 1 has no "output"'),
        ([{"input": "1"}], "{}", 'test 1 has no "output"'),
        ([3], "{}", "test 1 is the number 3"),
        ([], "{}", "there is no test"),
        ([_case("1", "1")], "[1]", '"metadata" must hold an object'),
        ([_case("1", "1")], "{", '"metadata" does not hold JSON'),
    ],
)
def test_what_is_wrong_with_a_livecodebench_problem(
    public: list[Any], metadata: str, words: str
) -> None:
    with pytest.raises(DataError, match=re.escape(words)):
        problem_from(_lcb(public, "", metadata=metadata))


def test_livecodebench_outputs_are_several_solutions(tmp_path: Path) -> None:
    tests = write_jsonl(tmp_path / "lcb.json", [_lcb([_case("1\n", "1\n", "stdin")], "")])
    rows: list[Any] = [
        {"question_id": "3716", "code_list": ["a", ""], "graded_list": [True, False], "m": 1},
        {"question_id": "3716", "output_list": ["answer", None]},
        {"question_id": "3716", "code_list": []},
        {"question_id": "other", "code_list": ["a"]},
        ["a"],
    ]
    with open_problems(tests) as problems:
        lines = list(read_solutions(write_jsonl(tmp_path / "out.json", rows), problems))
    assert lines[:3] == [
        Solution("3716", "3716#1", code="a", meta={"m": 1, "graded": True}),
        Solution("3716", "3716#2", code="", meta={"m": 1, "graded": False}),
        Solution("3716", "3716#3", response="answer"),
    ]
    reasons = [bad.reason for bad in lines[3:] if isinstance(bad, BadLine)]
    assert [reason[:7] for reason in reasons] == ["item 2:", "item 3:", "item 4:", "item 5:"]
    assert 'problem "other" is not in' in reasons[2]


HUMANEVAL = {
    "task_id": "HumanEval/0",
    "prompt": "def add(a, b):\n",
    "entry_point": "add",
    "canonical_solution": "    return a + b\n",
    "test": "def check(candidate):\n    assert candidate(1, 2) == 3\n",
}


def test_humaneval_problems_become_assertions() -> None:
    problem = problem_from(HUMANEVAL)
    assert (problem.kind, problem.test_style) == (Kind.ASSERT, "check")
    assert problem.test_code == HUMANEVAL["test"] + "\n\ncheck(add)\n"
    assert problem.statement == HUMANEVAL["prompt"]
    assert problem.entry_point == "add"
    assert problem.meta == {"canonical_solution": "    return a + b\n"}


def test_humaneval_samples_continue_the_prompt(tmp_path: Path) -> None:
    rows: list[Any] = [
        {"task_id": "HumanEval/0", "completion": "    return a + b\n", "model": "m"},
        {"task_id": "HumanEval/0", "solution": "whole"},
        {"task_id": "HumanEval/1", "completion": "x"},
        {"task_id": "HumanEval/0", "completion": None},
        {"task_id": "HumanEval/0", "completion": "y"},
    ]
    with open_problems(write_jsonl(tmp_path / "problems.jsonl", HUMANEVAL)) as problems:
        lines = list(read_solutions(write_jsonl(tmp_path / "samples.jsonl", *rows), problems))
    code = "def add(a, b):\n    return a + b\n"
    assert lines[0] == Solution("HumanEval/0", "HumanEval/0#1", code=code, meta={"model": "m"})
    assert lines[1] == Solution("HumanEval/0", "HumanEval/0#2", code="whole")
    assert [type(line) for line in lines[2:]] == [BadLine, BadLine, Solution]
    assert lines[4].solution_id == "HumanEval/0#4"
    with pytest.raises(DataError, match="the problems must be given too"):
        solution_from(rows[0], default_id="i")


def test_a_format_can_be_forced() -> None:
    row = {**HUMANEVAL, "problem_id": "mine", "tests": []}
    assert problem_from(row, format="humaneval").problem_id == "HumanEval/0"
    with pytest.raises(DataError, match="neither a test"):
        problem_from(row, format="native")


def test_older_rows_of_leetcodedataset_have_statement_and_reference() -> None:
    row = {
        "task_id": "double-it",
        "prompt": "from string import *\n",
        "completion": "class Solution:\n    def twice(self, x):\n        return 2 * x\n",
        "entry_point": "Solution().twice",
        "test": "def check(candidate):\n    assert candidate(x = 2) == 4\n",
        "query": "q",
        "meta": {
            "question_id": 1,
            "difficulty": "Easy",
            "estimated_date": "2031-04-05",
            "question_title": "Double the number.",
            "lang_code": "class Solution:\n    def twice(self, x: int) -> int:",
        },
    }
    problem = problem_from(row)
    assert (problem.statement, problem.difficulty) == ("Double the number.", "Easy")
    assert (problem.date, problem.platform) == ("2031-04-05", "leetcode")
    assert problem.starter_code == "class Solution:\n    def twice(self, x: int) -> int:"
    solutions = leetcodedataset.FORMAT.rewrite_problem(row)["solutions"]
    assert [solution["code"] for solution in solutions] == [
        f"from string import *\n\n\n{row['completion']}"
    ]


@pytest.mark.parametrize("start", ["2024-03-09", 1709985600])
def test_codeforces_rows_keep_the_day_of_their_contest(start: Any) -> None:
    tests = [{"input": "1\n", "output": "2\n"}]
    row = {"id": "9/A", "description": "Add.", "official_tests": tests}
    assert problem_from({**row, "contest_start": start}).date == "2024-03-09"
