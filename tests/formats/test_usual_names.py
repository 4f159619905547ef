"""Rows of sets without a format of their own: their tests are found by their shape."""

from __future__ import annotations

import json
import time
from typing import Any

import pytest

from microcoder_eval.errors import DataError
from microcoder_eval.formats import native, problem_from, registry
from microcoder_eval.formats.datasets import unread
from microcoder_eval.formats.problems import find_warnings
from microcoder_eval.records import Kind

PAIRS = [{"input": "1\n", "output": "2\n"}, {"input": "3\n", "output": "6\n"}]
ASSERTIONS = ["assert double(1) == 2", "assert double(3) == 6"]
TEST_CODE = "def test_double():\n    assert double(1) == 2\n"
# In the form of AceCode-87K, rStar-Coder, CodeContests+, TACO-verified and of files without a name.
SETS: dict[str, tuple[dict[str, Any], Kind]] = {
    "assertions": ({"id": "a", "question": "Double it.", "test_cases": ASSERTIONS}, Kind.ASSERT),
    "assertions as JSON": (
        {"id": "a", "question": "Double it.", "tests_json": json.dumps(ASSERTIONS)}, Kind.ASSERT),
    "test code": ({"id": "a", "prompt": "Double it.", "unit_test": TEST_CODE}, Kind.ASSERT),
    "two lists": (
        {"question_id": "a", "question": "Double it.", "inputs": ["1\n"], "outputs": ["2\n"]},
        Kind.STDIN),
    "two lists of calls": (
        {"question_id": "a", "question": "Double it.", "inputs": [[1]], "outputs": [2],
         "func_name": "double"}, Kind.CALL),
    "pairs": ({"id": "a", "description": "Double it.", "test_cases": PAIRS}, Kind.STDIN),
    "columns": (
        {"uid": "a", "content": "Double it.", "hidden": {"input": ["1"], "output": ["2"]}},
        Kind.STDIN),
    "JSON text": ({"task_id": 7, "problem": "Double it.", "io": json.dumps(PAIRS)}, Kind.STDIN),
    "a chat": (
        {"id": "a", "prompt": [{"role": "user", "content": "Double it."}], "cases": PAIRS},
        Kind.STDIN),
    "stdin and expected_output": (
        {"id": "a", "question": "Double it.", "cases": [{"stdin": "1", "expected_output": "2"}]},
        Kind.STDIN),
    "programs as texts": (
        {"id": "a", "problem": "Double it.", "tests": PAIRS, "solutions": ["print(2)"]},
        Kind.STDIN),
    "tests and programs as texts": (
        {"problem_id": "a", "statement": "Double it.", "cases": PAIRS, "solutions": ["print(2)"]},
        Kind.STDIN),
    "tests under a name of ours": (
        {"content": "Double it.", "question": PAIRS}, Kind.STDIN),
    "assertions after a line end": (
        {"id": "a", "question": "Double it.", "unit_tests": json.dumps([f"\n{ASSERTIONS[0]}\n"])},
        Kind.ASSERT),
    "assertions in parentheses": (
        {"id": "a", "question": "Double it.", "cases": ["assert(double(1) == 2)"]}, Kind.ASSERT),
    "an object (SkyRL)": (
        {"id": "a", "prompt": "Double it.", "data_source": "s", "extra_info": {"split": "train"},
         "reward_spec": {"method": "rule", "ground_truth": json.dumps(PAIRS)}}, Kind.STDIN),
    "an object of two lists (NeMo Gym)": (
        {"id": "a", "question": "Double it.", "verifier_metadata":
         {"unit_tests": {"inputs": ["1", "2"], "outputs": ["2", "4"], "fn_name": "double"}}},
        Kind.CALL),
    "an object in JSON (INTELLECT-3)": (
        {"question": "Double it.", "answer": "", "info": json.dumps(
            {"source": "s", "tests": json.dumps({"inputs": ["1\n"], "outputs": ["2\n"]})})},
        Kind.STDIN),
    "objects with code (ROLL)": (
        {"id": "a", "prompt": "Double it.", "case_type": "pytest",
         "test_cases": json.dumps([{"assert_code": f"\n\n{TEST_CODE}"}])}, Kind.ASSERT),
    "no name": ({"question": "Double it.", "unit_tests": ASSERTIONS}, Kind.ASSERT),
}  # fmt: skip


@pytest.mark.parametrize("name", SETS)
def test_the_only_key_with_the_shape_of_tests_holds_them(name: str) -> None:
    row, kind = SETS[name]
    recognised = registry.recognise_row(row)
    problem = problem_from(row)
    assert recognised == ("problems", native.FORMAT)
    assert (problem.kind, problem.statement) == (kind, "Double it.")
    assert problem.problem_id
    assert problem.tests or problem.test_code
    assert all("is read as" in warning for warning in find_warnings(row, None))


def test_a_name_is_made_from_the_statement_and_does_not_depend_on_the_place() -> None:
    rows = [{"question": text, "cases": PAIRS} for text in ("Double it.", "Halve it.", "Halve it.")]
    names = [problem_from(row).problem_id for row in rows]
    assert names[0] != names[1] == names[2]


def test_a_row_keeps_its_own_keys_beside_those_of_the_object_with_tests() -> None:
    row = {"id": "a", "question": "Double it.", "cases": "two", "info": {"cases": PAIRS, "id": "b"}}
    problem = problem_from(row)
    assert (problem.problem_id, problem.meta["cases"], len(problem.tests)) == ("a", "two", 2)


def test_of_several_objects_with_tests_none_is_taken() -> None:
    row = {"id": "a", "question": "Double it.", "one": {"cases": PAIRS}, "two": {"cases": PAIRS}}
    assert registry.recognise_row(row) is None


def test_an_object_with_keys_that_are_no_texts_has_no_tests() -> None:
    row = {"problem_id": "a", "question": "Double it.", "info": {1: TEST_CODE}}
    with pytest.raises(DataError, match="neither a test"):
        problem_from(row)


def test_a_solution_may_carry_tests_in_an_object() -> None:
    row = {"id": "a", "code": "print(2)", "metadata": {"cases": PAIRS}}
    assert registry.recognise_row(row) == ("solutions", native.FORMAT)


def test_a_part_of_the_tests_in_an_object_is_not_taken_for_all() -> None:
    row = {"id": "a", "question": "Double it.", "info": {"public_tests": PAIRS}}
    with pytest.raises(DataError, match=r'"info.public_tests" holds tests, and its name says'):
        problem_from(row)


def test_a_row_without_a_statement_is_named_by_all_that_it_holds() -> None:
    rows = [{"ground_truth": [f"assert double({n}) == {2 * n}"]} for n in (1, 2, 2)]
    names = [problem_from(row).problem_id for row in rows]
    assert names[0] != names[1] == names[2]


def test_of_several_keys_with_tests_the_owner_chooses_one() -> None:
    row = {"id": "a", "question": "Double it.", "hidden": PAIRS, "more": PAIRS}
    with pytest.raises(DataError, match=r'"hidden", "more" hold tests; .* row\.pop'):
        problem_from(row)


@pytest.mark.parametrize(
    ("keys", "reason"),
    [
        ({"public_tests": PAIRS}, r'"public_tests" holds tests, and its name says that it has few'),
        ({"Examples": PAIRS}, "its name says that it has few"),
        ({"sample_io": json.dumps(PAIRS)}, "its name says that it has few"),
        ({"cases": PAIRS, "private_tests": "eJyLrgUAAQ=="}, '"private_tests" may hold more'),
        ({"unit_test": TEST_CODE, "plus_input": [[1]]}, r"more; .* row\.pop\('unit_test'\)"),
    ],
)
def test_a_part_of_the_tests_is_not_taken_for_all(keys: dict[str, Any], reason: str) -> None:
    row = {"id": "a", "question": "Double it.", **keys}
    with pytest.raises(DataError, match=reason):
        problem_from(row)


@pytest.mark.parametrize(
    "key", [{"private_tests": []}, {"generated_solution": "print(2)"}, {"extra_info": {"split": 1}}]
)
def test_other_keys_hold_no_more_tests(key: dict[str, Any]) -> None:
    row = {"id": "a", "question": "Double it.", "cases": PAIRS, **key}
    assert len(problem_from(row).tests) == 2


def test_code_is_test_code_under_the_name_of_tests_alone() -> None:
    row = {"id": "a", "question": "Double it.", "contest_code": TEST_CODE, "hiddenTests": TEST_CODE}
    assert problem_from(row).test_code == TEST_CODE


def test_a_text_that_is_no_json_of_tests_takes_linear_time() -> None:
    text = "[" + '"input":' * 30_000
    start = time.process_time()
    assert not unread.holds_tests(text)
    assert time.process_time() - start < 0.5


def test_a_solution_with_a_function_check_is_no_test_code() -> None:
    program = "def check(x):\n    return 2 * x\n\nprint(check(int(input())))\n"
    assert registry.recognise_row({"id": "a", "solution": program}) == (
        "solutions",
        native.FORMAT,
    )
    row = {"id": "a", "question": "Double it.", "solution": program, "cases": PAIRS}
    assert len(problem_from(row).tests) == 2


def test_our_own_names_come_first() -> None:
    row = {"problem_id": "a", "id": 3, "statement": "Ours.", "prompt": "Theirs.", "tests": PAIRS}
    problem = problem_from(row)
    assert (problem.problem_id, problem.statement) == ("a", "Ours.")
    assert list(find_warnings(row, None)) == []


@pytest.mark.parametrize(
    "truth",
    ["def check(candidate):\n    assert candidate(1) == 2\n\ncheck(double)\n",
     json.dumps(ASSERTIONS), json.dumps({"functional": "\n".join(ASSERTIONS)})],
)  # fmt: skip
def test_a_ground_truth_may_be_test_code(truth: str) -> None:
    row = {"data_source": "s", "prompt": [{"role": "user", "content": "Double it."}],
           "reward_model": {"ground_truth": truth, "style": "rule"}}  # fmt: skip
    assert problem_from(row).kind is Kind.ASSERT


def test_verification_info_is_read_as_python_prints_it() -> None:
    case = {"fn_name": None, "input": "1\n", "output": "2\n", "type": "stdin_stdout"}
    info = {"language": "python", "test_cases": [case]}
    problem = problem_from({"problem_id": "a", "prompt": "P", "verification_info": str(info)})
    assert [test.output for test in problem.tests] == ["2\n"]
