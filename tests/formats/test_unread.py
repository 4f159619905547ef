"""Keys that hold tests are read, or said not to be; all others are carried along in silence."""

from __future__ import annotations

import json
import warnings
from pathlib import Path
from typing import Any

import pytest

from microcoder_data.row_reader import read_row
from microcoder_data.stage import RawRecord
from microcoder_eval.errors import DataError
from microcoder_eval.formats import open_problems, problem_from, registry
from microcoder_eval.formats.row_stream import Records
from tests.files import write_jsonl

from .shapes import SHAPES, Shape, find_shape

# The keys of the sets' own files, as they are published.
REAL_KEYS = {
    "livecodebench": "question_title question_content platform question_id contest_id contest_date "
    "starter_code difficulty public_test_cases private_test_cases metadata",
    "leetcodedataset": "task_id question_id difficulty tags problem_description starter_code "
    "estimated_date prompt completion entry_point test input_output query response",
    "bigcodebench": "task_id complete_prompt instruct_prompt canonical_solution code_prompt test "
    "entry_point doc_struct libs",
    "humaneval": "task_id prompt canonical_solution test entry_point",
    "evalplus": "task_id prompt entry_point canonical_solution test contract base_input atol "
    "plus_input assertion",
    "humaneval_x": "task_id prompt canonical_solution test text declaration example_test "
    "test_setup import",
    "multipl_e": "name language prompt doctests original prompt_terminology tests stop_tokens",
    "cruxeval": "id code input output",
    "quixbugs": "name buggy_program docstring solution tests",
    "mbpp": "task_id text code prompt source_file test_imports test_list test_setup_code "
    "challenge_test_list test",
    "apps": "problem_id question solutions input_output difficulty url starter_code raw_tags name "
    "source tags skill_types time_limit date picture_num memory_limit",
    "kodcode": "version style subset conversation_id question_id question solution test test_info "
    "gpt_pass_sequence gpt_pass_trial_num gpt_difficulty gpt_pass_percentage split test_code "
    "test_entry_point",
    "codecontests": "name description public_tests private_tests generated_tests source "
    "difficulty solutions incorrect_solutions cf_contest_id cf_index cf_points cf_rating cf_tags "
    "is_description_translated untranslated_description time_limit memory_limit_bytes input_file "
    "output_file",
    "codeforces": "id aliases contest_id contest_name contest_type contest_start "
    "contest_start_year index time_limit memory_limit title description input_format "
    "output_format interaction_format note examples editorial rating tags testset_size "
    "official_tests official_tests_complete input_mode generated_checker executable "
    "generated_tests",
    "primeintellect": "source task_type in_source_id prompt gold_standard_solution "
    "verification_info metadata problem_id",
    "verl": "data_source ability prompt reward_model extra_info question ground_truth uid index "
    "metadata starter_code",
    "deepcoder": "problem tests solutions starter_code metadata",
    "cure": "task_id question example_input example_output test_input test_output test_time_limit",
}
OWN = {"url": "https://example.org", "tags": ["a"], "votes": 3, "author": {"name": "x"},
       "translations": ["de", "fr"], "messages": [{"role": "user", "content": "assert this"}],
       "notes": "assert f(1) == 2 holds, as one sees.\n", "empty_tests": "[]",
       "reference": "def f(x):\n    assert x\n    return x\n"}  # fmt: skip
PAIRS = [{"input": "1\n", "output": "2\n"}]
PLUS = {
    "task_id": "HumanEval/900",
    "prompt": "def twice(x):\n    '''Double it.'''\n",
    "entry_point": "twice",
    "canonical_solution": "    return 2 * x\n",
    "test": "def check(candidate):\n    assert candidate(2) == 4\n",
    "contract": "\n    assert x > 0\n",
    "base_input": [[2]],
    "plus_input": [[0], [-3]],
    "atol": 0,
}


def read_warnings(folder: Path, row: dict[str, Any], format: str | None = None) -> list[str]:
    with open_problems(write_jsonl(folder / "rows.jsonl", row), format=format) as problems:
        assert problems.bad == []
        return list(problems.warnings)


@pytest.mark.parametrize("name", [one.name for one in registry.FORMATS if one.name != "native"])
def test_keys_of_a_sets_own_files_that_name_tests_are_read_or_declared(name: str) -> None:
    row_format = registry.get_format(name)
    row = dict.fromkeys(REAL_KEYS[name].split(), "x")
    assert registry.find_unread_tests(row, row_format) == []
    assert row_format.judges <= row_format.reads
    assert not row_format.judges & row_format.repeats


@pytest.mark.parametrize("shape", SHAPES, ids=str)
def test_rows_as_published_and_with_keys_of_their_users_say_nothing(
    shape: Shape, tmp_path: Path
) -> None:
    assert read_warnings(tmp_path, shape.row) == []
    own = {key: value for key, value in OWN.items() if key not in shape.row}
    assert read_warnings(tmp_path, {**shape.row, **own}) == []


FOREIGN = [
    ("humaneval", "test_cases", ["assert twice(0) == 0"]),
    ("humaneval", "base_input", [[0]]),
    ("humaneval", "contract", "assert x > 0"),
    ("mbpp", "private_tests", {"input": ["1"], "output": ["2"]}),
    ("apps", "private_test_cases", json.dumps(PAIRS)),
    ("apps", "generated_tests", PAIRS),
    ("kodcode", "plus_input", [[1]]),
    ("codecontests", "checker", "int main() {}"),
    ("deepcoder", "generated_checker", "print(1)"),
    ("primeintellect", "hidden_tests", PAIRS),
    ("verl", "atol", 0.001),
]


@pytest.mark.parametrize(("name", "key", "value"), FOREIGN)
def test_a_row_with_another_formats_tests_is_refused_by_their_name(
    name: str, key: str, value: Any, tmp_path: Path
) -> None:
    row = {**find_shape(name).row, key: value}
    with pytest.raises(DataError, match=f'"{key}"'):
        problem_from(row)
    with pytest.raises(DataError, match=f'"{key}"'):
        read_row(RawRecord(0, 1, json.dumps(row).encode()))
    (warning,) = read_warnings(tmp_path, row, name)  # the user says which format it is
    assert f'"{key}"' in warning


@pytest.mark.parametrize("empty", [None, "", [], {}, 0, "[]", {"input": [], "output": []}])
def test_an_empty_key_holds_no_tests(empty: Any) -> None:
    assert problem_from({**find_shape("humaneval").row, "generated_tests": empty})


@pytest.mark.parametrize(
    ("truth", "key"),
    [
        ({"functional": "assert f(1) == 2", "inputs": ["1"], "outputs": ["2"]}, "inputs"),
        ({"inputs": ["1"], "outputs": ["2"], "private_inputs": ["3"]}, "private_inputs"),
        ({"inputs": ["1"], "outputs": ["2"], "hidden_tests": PAIRS}, "hidden_tests"),
    ],
)
def test_tests_inside_of_tests_are_read_or_refused(truth: dict[str, Any], key: str) -> None:
    row = find_shape("verl").row
    with pytest.raises(DataError, match=f'"{key}"'):
        problem_from({**row, "reward_model": {"ground_truth": json.dumps(truth)}})


SHAPED = [
    PAIRS,
    json.dumps(PAIRS),
    {"inputs": ["1"], "outputs": ["2"]},
    [{"stdin": "1", "expected_output": "2"}],
    [{"in": "1", "out": "2"}],
    {"evaluation": {"hidden": PAIRS}},
    ["assert f(1) == 2"],
    "from m import f\nassert f(1) == 2\n",
    "def check(candidate):\n    assert candidate(1)\n",
    "import unittest\nclass T(unittest.TestCase):\n    pass\n",
]


@pytest.mark.parametrize(
    ("name", "value"),
    [*(("humaneval", value) for value in SHAPED),
     *((name, PAIRS) for name in ("native", "livecodebench", "codeforces"))],
    ids=str,
)  # fmt: skip
def test_a_key_that_looks_like_tests_is_warned_of_once_a_file(
    name: str, value: Any, tmp_path: Path
) -> None:
    row = {**find_shape(name).row, "more": value}
    (warning,) = read_warnings(tmp_path, row)
    assert '"more"' in warning


@pytest.mark.parametrize("key", ["extra_inputs", "more_tests", "privateCases"])
def test_a_key_whose_name_says_that_it_holds_more_tests_is_warned_of(
    key: str, tmp_path: Path
) -> None:
    (warning,) = read_warnings(tmp_path, {**find_shape("humaneval").row, key: [[3], 4]})
    assert f'"{key}"' in warning


def test_a_problem_of_ours_with_tests_of_another_format_is_warned_of(tmp_path: Path) -> None:
    from microcoder_eval.arguments import read_problem

    row = {"problem_id": "a", "tests": PAIRS, "private_test_cases": PAIRS}
    (warning,) = read_warnings(tmp_path, row)
    assert '"private_test_cases"' in warning
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        read_problem(row)
    assert "private_test_cases" in str(caught[0].message)
    meta = {"problem_id": "a", "tests": PAIRS, "meta": {"private_test_cases": PAIRS}}
    assert read_warnings(tmp_path, meta) == []


def test_records_are_warned_of_as_problems_are(tmp_path: Path) -> None:
    row = {"problem_id": "a", "tests": [{"input": "1", "output": "2"}]}
    row["private_tests"] = [{"input": "3", "output": "4"}]
    path = write_jsonl(tmp_path / "problems.jsonl", row)
    records = Records(path)
    assert len(list(records)) == 1
    with open_problems(path) as problems:
        assert records.warnings == problems.warnings
    assert "private_tests" in next(iter(records.warnings))


def test_tests_under_two_names_of_one_format_are_refused_where_they_differ() -> None:
    row = {"question_id": "a", "question": "q", "solution": "s", "test": "assert f(1) == 2"}
    assert problem_from(row | {"test_code": row["test"]}).test_code == row["test"]
    with pytest.raises(DataError, match="different tests"):
        problem_from(row | {"test_code": "assert f(1) == 2\nassert f(2) == 3"})


def test_a_script_of_mbpp_is_judged_with_the_assertions_that_it_lacks() -> None:
    row = find_shape("mbpp").row
    first, *others = [*row["test_list"], *row["challenge_test_list"]]
    test_code = problem_from(row | {"test": first}).test_code or ""
    assert all(test_code.count(text) == 1 for text in [first, *others])


def test_a_row_of_the_corpus_keeps_what_its_format_leaves_unread(tmp_path: Path) -> None:
    row = read_row(RawRecord(0, 1, json.dumps(find_shape("leetcodedataset").row).encode()))
    assert row["input_output"]
    assert read_warnings(tmp_path, dict(row)) == []


@pytest.mark.parametrize(
    ("key", "value"), [("generated_tests", 12), ("official_tests_complete", False)]
)
def test_tests_that_a_set_keeps_elsewhere_are_said(key: str, value: Any, tmp_path: Path) -> None:
    (warning,) = read_warnings(tmp_path, {**find_shape("codeforces").row, key: value})
    assert f'"{key}"' in warning


def test_of_two_formats_the_one_that_reads_all_tests_is_chosen() -> None:
    row = {**PLUS, "problem_id": "mine", "tests": []}
    assert registry.detect_problem_format(row, None).name == "evalplus"
    mbpp = {**find_shape("mbpp").row, "prompt": "p", "entry_point": "twice", "test": PLUS["test"]}
    assert registry.detect_problem_format(mbpp, None).name == "mbpp"
