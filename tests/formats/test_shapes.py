"""Every format is recognised by its keys alone, judged as it stands, and converted without loss."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from microcoder_eval import Judge
from microcoder_eval.errors import DataError
from microcoder_eval.formats import open_problems, problem_from, registry
from microcoder_eval.formats.writing import encode_problem
from microcoder_eval.records import Kind, Limits
from tests.files import ROOT, write_jsonl
from tests.formats.shapes import BIGCODEBENCH, SHAPES, Shape, find_shape


@pytest.fixture(params=SHAPES, ids=str)
def shape(request: pytest.FixtureRequest) -> Shape:
    shape: Shape = request.param
    return shape


def list_recognisers(row: dict[str, Any]) -> list[str]:
    return [each.name for each in registry.FORMATS if each.holds_problem(row)]


def test_exactly_one_format_recognises_it(shape: Shape) -> None:
    assert list_recognisers(shape.row) == [shape.format]
    others = [known.name for known in registry.FORMATS if known.holds_solution(shape.row)]
    # Its own reference is in "completion": converting takes such a row for the problem it is.
    assert others == (["humaneval"] if shape.format == "leetcodedataset" else [])


def test_a_name_given_by_a_caller_changes_nothing(shape: Shape) -> None:
    # But that "test_code" of a problem with our key is our own, whatever else is in the row.
    ours = "native" if "test_code" in shape.row else shape.format
    assert list_recognisers({**shape.row, "problem_id": "mine"}) == [ours]


def test_its_name_is_kept_or_made_from_its_statement(shape: Shape) -> None:
    name = problem_from(shape.row).problem_id
    assert name == shape.problem_id or re.match(r"(apps|deepcoder)/[0-9a-f]{16}$", name)
    assert problem_from(shape.row).problem_id == name


def test_it_comes_back_equal_from_our_own_form(shape: Shape) -> None:
    problem = problem_from(shape.row)
    assert problem_from(json.loads(encode_problem(problem))) == problem


@pytest.mark.sampled(4, "slow")
def test_a_right_program_passes_and_a_wrong_one_fails(shape: Shape, judge: Judge) -> None:
    problem = problem_from(shape.row)
    judgements = [judge.judge({"code": code}, problem) for code in (shape.right, shape.wrong)]
    assert [judgement.passed for judgement in judgements] == [True, False], judgements


def test_taco_says_its_limits_in_words() -> None:
    problem = problem_from(find_shape("apps-taco").row)
    assert problem.limits == Limits(time_s=2.0, memory_mb=256.0)
    assert problem.tests[0].input == "1 2\n"
    assert (problem.platform, problem.date, problem.difficulty) == (
        "codeforces",
        "2031-02-03",
        "EASY",
    )


def test_codecontests_gives_all_three_kinds_of_tests_and_both_kinds_of_solutions() -> None:
    problem = problem_from(find_shape("codecontests").row)
    assert [test.output for test in problem.tests] == ["3\n", "34\n", "10\n"]
    assert problem.limits.time_s == 1.5
    assert problem.limits.memory_mb == pytest.approx(244.14, abs=0.01)
    kinds = [(s["verdict"], s["language"]) for s in problem.solutions]
    assert kinds == [("AC", "python"), ("AC", "cpp"), ("WA", "python")]


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"input_output": "{"}, "does not hold JSON"),
        ({"input_output": ""}, '"input_output" is empty'),
        ({"input_output": "[]"}, "must hold an object"),
        ({"input_output": '{"inputs": ["1"], "outputs": []}'}, "1 inputs and 0 outputs"),
        ({"input_output": '{"inputs": [], "outputs": []}'}, "no test"),
        (
            {"input_output": '{"inputs": ["x"], "outputs": ["1"], "fn_name": "f"}'},
            "one JSON value a line",
        ),
        ({"input_output": '{"inputs": [[1]], "outputs": [1], "fn_name": 3}'}, "must be text, not"),
    ],
)  # fmt: skip
def test_what_is_wrong_with_a_foreign_row_is_said(change: dict[str, Any], reason: str) -> None:
    row = {"problem_id": 1, "question": "q", "starter_code": "", **change}
    with pytest.raises(DataError, match=re.escape(reason)):
        problem_from(row)


@pytest.mark.parametrize("change", [{}, {"input_output": None}])
def test_tests_that_are_missing_are_not_called_null(change: dict[str, Any]) -> None:
    reason = '"input_output" is missing (keys found: problem_id, question'
    with pytest.raises(DataError, match=re.escape(reason)):
        problem_from({"problem_id": 1, "question": "q", **change}, format="apps")


def test_a_row_without_a_name_is_refused() -> None:
    with pytest.raises(DataError, match='"task_id" must name the problem'):
        problem_from({**find_shape("humaneval").row, "task_id": ""})


def test_bigcodebench_is_recognised_and_refused_with_the_reason(tmp_path: Path) -> None:
    assert registry.detect_problem_format(BIGCODEBENCH, None).name == "bigcodebench"
    write_jsonl(tmp_path / "bcb.jsonl", BIGCODEBENCH)
    with open_problems(tmp_path / "bcb.jsonl") as problems:
        assert len(problems) == 0
        assert "candidate could decide" in problems.bad[0].reason


@pytest.mark.parametrize(
    ("key", "value", "reason"),
    [("interaction_format", "ask", "interactive"), ("input_mode", "file", "reads a file")],
)
def test_codeforces_problems_that_need_more_are_refused(key: str, value: str, reason: str) -> None:
    with pytest.raises(DataError, match=reason):
        problem_from({**find_shape("codeforces").row, key: value})


def test_kinds_are_told_from_the_tests() -> None:
    kinds = {str(shape): problem_from(shape.row).kind for shape in SHAPES}
    assert kinds["apps-function"] is Kind.CALL
    assert kinds["deepcoder-function"] is Kind.CALL
    assert kinds["verl"] is Kind.STDIN
    assert kinds["mbpp-plus"] is Kind.ASSERT


def test_the_page_on_formats_names_them_all() -> None:
    page = (ROOT / "docs" / "formats.md").read_text()
    named = set(re.findall(r"^\| `([a-z_]+)`", page, re.MULTILINE))
    assert named == {known.name for known in registry.FORMATS}
