"""What a caller may hand to the judge, and what it says of everything else."""

from __future__ import annotations

import inspect
import pickle
import pydoc
import re
from dataclasses import fields
from pathlib import Path
from types import MappingProxyType
from typing import Any, cast

import pytest

from microcoder_eval import DataError, Judge, Limits, Problem, Solution, judge, run
from microcoder_eval.settings import JudgeOptions
from tests.formats.shapes import find_shape
from tests.judges import SharedJudge

TESTS = [{"input": "3\n", "output": "9\n"}, {"input": "4\n", "output": "16\n"}]
RIGHT = "print(int(input()) ** 2)"
JSON_SHAPED = {"inputs": ["3\n", "4\n"], "outputs": ["9\n", "16\n"]}
CALLS = {"inputs": [[3], [4]], "outputs": [9, 16], "fn_name": "square"}
SQUARE = "def square(n):\n    return n * n\n"


@pytest.mark.parametrize(
    "solution", [RIGHT, {"code": RIGHT}, {"response": f"So:\n```python\n{RIGHT}\n```"}]
)
def test_a_program_is_a_text_or_a_dict(pool: Judge, solution: Any) -> None:
    assert pool.judge(solution, TESTS).passed


@pytest.mark.parametrize(
    ("code", "tests"),
    [
        (RIGHT, JSON_SHAPED),
        (RIGHT, {"tests": JSON_SHAPED, "limits": {"time_s": 3}}),
        (SQUARE, CALLS),
        (SQUARE, {"problem_id": "p", "tests": CALLS}),
        (SQUARE, {**CALLS, "fn_name": None, "entry_point": "square"}),
    ],
)
def test_tests_may_be_two_lists(pool: Judge, code: str, tests: dict[str, Any]) -> None:
    assert pool.judge(code, tests).passed
    wrong = code.replace("**", "+").replace("*", "+")
    assert pool.judge(wrong, tests).verdict == "WA"


class Name(str):
    """A text of a type that workers do not know."""


def test_names_and_mappings_may_be_of_any_type(pool: Judge) -> None:
    name, empty = Name("p"), cast(dict[str, Any], MappingProxyType({}))
    files = MappingProxyType({"helper.py": "N = 2"})
    checker = MappingProxyType({"name": "exact"})
    problem = Problem(name, tests=TESTS, checker=checker, meta=empty, date=name)  # type: ignore[arg-type]
    code = "from helper import N\nprint(int(input()) ** N)"
    assert pool.judge(Solution(name, name, code, meta=empty, files=files), problem).passed


def test_lists_of_another_length_are_no_tests(pool: Judge) -> None:
    with pytest.raises(DataError, match="2 inputs and 1 outputs"):
        pool.judge(RIGHT, {**JSON_SHAPED, "outputs": ["9\n"]})


@pytest.mark.parametrize("solution", [b"print(1)", Path("a.py"), 5, ["print(1)"]])
def test_what_is_no_solution_is_refused_in_one_sentence(pool: Judge, solution: Any) -> None:
    with pytest.raises(TypeError, match=r'a text, \{"code": program\}') as caught:
        pool.judge(solution, TESTS)
    assert type(solution).__name__ in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("tests", [None, b"[]", 5, {"a", "b"}, "3\n9\n", ""])
def test_what_are_no_tests_is_refused_in_one_sentence(pool: Judge, tests: Any) -> None:
    with pytest.raises(TypeError, match="tests must be a list of") as caught:
        pool.judge({"code": RIGHT}, tests)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("tests", [TESTS, JSON_SHAPED, {"tests": TESTS}])
@pytest.mark.parametrize("solution", [RIGHT, {"code": RIGHT}, {"response": RIGHT}])
def test_swapped_arguments_are_named(pool: Judge, solution: Any, tests: Any) -> None:
    with pytest.raises(TypeError, match="arguments look swapped"):
        pool.judge(tests, solution)


def test_an_empty_answer_holds_no_program_and_an_empty_program_is_run(pool: Judge) -> None:
    tests = [{"input": "", "output": ""}]
    answer, program = pool.judge("", tests), pool.judge({"code": ""}, tests)
    assert (answer.verdict, answer.status) == ("CE", "incomplete")
    assert answer.error == "the program is empty"
    assert (program.verdict, program.status) == ("AC", "correct")


@pytest.mark.parametrize("tests", ['[{"input": "", "output": ""}]', '{"tests": []}'])
def test_json_as_text_is_to_be_read_first(pool: Judge, tests: str) -> None:
    with pytest.raises(TypeError, match="not a JSON text: json"):
        pool.judge({"code": RIGHT}, tests)


@pytest.mark.parametrize("item", ["print(1)", ("print(1)", TESTS, 3), None, ("print(1)", [])])
def test_an_item_that_is_no_pair_or_cannot_be_read_is_named(pool: Judge, item: Any) -> None:
    with pytest.raises((TypeError, DataError)) as caught:
        list(pool.map([(RIGHT, TESTS), item]))
    assert caught.value.__notes__ == ["item 1 of the pairs, counted from 0"]
    assert "must be a pair (solution, tests)" in str(caught.value) or len(item or ()) == 2


@pytest.mark.parametrize("code", [None, 5, Path("a.py"), ["print(1)"]])
def test_a_program_to_run_is_text(pool: Judge, code: Any) -> None:
    with pytest.raises(TypeError, match="code must be text or bytes"):
        pool.run(code)
    with pytest.raises(TypeError, match="stdin must be text or bytes"):
        pool.run("print(1)", code)


@pytest.mark.parametrize(
    ("keywords", "message"),
    [
        ({"workers": "2"}, "workers must be a whole number, 1 or more, not '2'"),
        ({"workers": 0}, "workers must be"),
        ({"workers": True}, "workers must be"),
        ({"workers": 1.5}, "workers must be"),
        ({"max_pending": "9"}, "max_pending must be"),
        ({"max_pending": 0}, "max_pending must be"),
        ({"min_level": "3"}, "min_level must be"),
        ({"min_level": 5}, "min_level must be"),
        ({"max_level": 0}, "max_level must be"),
        ({"packages": "numpy"}, "packages must be a list of names"),
        ({"packages": [1]}, "packages must be a list of names"),
        ({"reuse": "no"}, "reuse must be True or False"),
        ({"ignore_checkers": 1}, "ignore_checkers must be True or False"),
        ({"stop": "first"}, "stop must be one of first_failure, never"),
        ({"compare": 5}, "compare must be a comparer's name"),
        ({"compare": "no such method"}, "no such method"),
        ({"engine": "steam"}, "engine must be"),
        ({"time_scale": 0}, "time_scale must be"),
        ({"limits": 5}, "limits must be Limits or a mapping"),
        ({"limits": {"time": 5}}, "there is no limit 'time'"),
    ],
)
def test_an_option_of_another_kind_is_named(keywords: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=re.escape(message)):
        Judge(**keywords)


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("worker", 'did you mean "workers"'),
        ("time_s", 'limits={"time_s": …} sets it'),
        ("timeout", 'limits={"time_s": …} sets it'),
        ("profile", "there is no option"),
        ("zzz", "known: workers, engine"),
        ("problem", 'did you mean the argument "tests"'),
        ("input", 'did you mean the argument "stdin"'),
    ],
)
def test_an_unknown_option_leads_to_the_known_ones(name: str, message: str) -> None:
    with pytest.raises(TypeError, match=re.escape(message)):
        Judge(**{name: None})  # type: ignore[misc]


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("limits", "limits is an option of Judge; judge.with_changes(limits=…)"),
        ("time_limit", 'limits={"time_s": …} sets it'),
    ],
)
def test_an_option_beside_a_solution_leads_to_its_place(name: str, message: str) -> None:
    with SharedJudge(workers=1) as judge, pytest.raises(TypeError, match=re.escape(message)):
        judge.judge(SQUARE, [{"input": [3], "output": 9}], **{name: 3})


@pytest.mark.parametrize("wrong", [["f"], True])
@pytest.mark.parametrize("keyword", ["problem_id", "kind", "entry_point"])
def test_a_keyword_of_a_problem_that_is_no_text_is_refused(keyword: str, wrong: Any) -> None:
    with pytest.raises(DataError, match=f'"{keyword}" must be'):
        judge(SQUARE, [{"input": [3], "output": 9}], **{keyword: wrong})


@pytest.mark.parametrize("spelling", ["first_failure", "first-failure"])
def test_stop_has_two_spellings_and_one_meaning(spelling: str) -> None:
    options = JudgeOptions.from_keywords(stop=spelling)
    assert options == JudgeOptions()
    assert options.config_sha256 == JudgeOptions().config_sha256


def test_limits_may_be_a_dict_everywhere() -> None:
    limits = {"time_s": 0.3, "wall_s": 20}
    loop = "while True: pass"
    with SharedJudge(workers=1, limits=limits) as own:
        assert own.options.limits == Limits(time_s=0.3, wall_s=20)
        assert own.judge(loop, TESTS).verdict == "TLE"
        assert own.run(loop).killed == "cpu"
        assert own.run(loop, limits={"time_s": 0.2}).killed == "cpu"
    assert judge(loop, TESTS, limits=limits).verdict == "TLE"
    assert run(loop, limits=limits).killed == "cpu"


def test_a_program_is_run_with_arguments_and_files(pool: Judge) -> None:
    code = "import sys, words\nprint(words.FIRST, *sys.argv[1:])\n"
    for function in (pool.run, run):
        outcome = function(code, arguments=["a b"], files={"words.py": "FIRST = 1\n"})
        assert outcome.stdout == "1 a b\n", outcome.stderr


@pytest.mark.parametrize("function", [judge, run])
def test_help_lists_every_keyword_with_its_default(function: Any) -> None:
    text = pydoc.render_doc(function, renderer=pydoc.plaintext)
    for option in fields(JudgeOptions):
        assert option.name in inspect.signature(function).parameters
        (line,) = re.findall(rf"^ {{4}}{option.name}: .*(?:\n {{8}}.*)*", text, re.MULTILINE)
        assert "default" in line, option.name


def test_a_judge_shows_what_differs_from_the_defaults() -> None:
    with Judge(workers=1, stop="never", limits={"time_s": 2}) as own:
        assert repr(own).startswith(
            "Judge(workers=1, limits=Limits(time_s=2), stop='never'), workers: 1, level: "
        )


@pytest.mark.parametrize(
    ("name", "message"),
    [("C++ 20", 'did you mean "c++20"?'), ("python 3", '"python3"?'), ("c#", "; known: python")],
)
def test_an_unknown_language_leads_to_the_known_ones(pool: Judge, name: str, message: str) -> None:
    with pytest.raises(ValueError, match=re.escape(message)):
        pool.judge(RIGHT, TESTS, language=name)
    with pytest.raises(ValueError, match=re.escape(message)):
        pool.run(RIGHT, language=name)


@pytest.mark.parametrize("key", ["language", "lang", "programming_language"])
def test_a_program_is_never_judged_in_another_language_than_it_says(pool: Judge, key: str) -> None:
    with pytest.raises(DataError, match='language "klingon" is not supported'):
        pool.judge({"code": RIGHT, key: "klingon"}, TESTS)
    assert pool.judge({"code": RIGHT, key: "Python3"}, TESTS).passed
    assert not pool.judge({"code": RIGHT, key: "js"}, TESTS).passed


def test_a_misspelt_key_of_a_solution_is_warned_of(pool: Judge) -> None:
    with pytest.warns(
        UserWarning, match='"langauge" is not read: did you mean "language"'
    ) as warnings:
        assert pool.judge({"code": RIGHT, "langauge": "cpp", "note": 1}, TESTS).passed
    assert len(warnings) == 1


def test_a_function_with_texts_as_input_is_warned_of(pool: Judge) -> None:
    # Texts are standard input, whatever the entry point: it is not called.
    tests = [{"input": "3", "output": "9"}]
    with pytest.warns(UserWarning, match='"entry_point" is not called: the inputs are texts'):
        assert not pool.judge(SQUARE, {"tests": tests, "entry_point": "square"}).passed
    with pytest.warns(UserWarning, match='"entry_point" is not called: the inputs are texts'):
        assert not judge(SQUARE, tests, entry_point="square").passed
    stdin_problem = {"tests": tests, "entry_point": "main", "kind": "stdin"}
    assert pool.judge(RIGHT, stdin_problem).passed


HUMANEVAL = find_shape("humaneval").row


@pytest.mark.parametrize(
    "sample",
    [
        {"completion": "    return 2 * x\n"},
        {"solution": "def twice(x): return x + x"},
        {"code": "def twice(x): return x + x"},
        {"response": "So:\n```python\ndef twice(x): return x + x\n```"},
    ],
)
def test_samples_of_a_set_are_judged_by_its_row(pool: Judge, sample: dict[str, str]) -> None:
    assert pool.judge({"task_id": "HumanEval/900", **sample}, HUMANEVAL).passed
    wrong = {key: text.replace("2 * x", "x").replace("x + x", "x") for key, text in sample.items()}
    assert pool.judge({"task_id": "HumanEval/900", **wrong}, HUMANEVAL).verdict == "WA"


def test_a_completion_of_another_problem_is_refused(pool: Judge) -> None:
    with pytest.raises(DataError, match='the tests are of "HumanEval/900", not of "HumanEval/1"'):
        pool.judge({"task_id": "HumanEval/1", "completion": "    return 1"}, HUMANEVAL)


@pytest.mark.parametrize(
    "name", ["solution.py", "A.PY", "./out/main.cpp", "~/a.java", "answer.txt"]
)
def test_the_name_of_a_file_is_no_program_whether_the_file_exists_or_not(
    pool: Judge, name: str
) -> None:
    with pytest.raises(TypeError, match="is the name of a file: read the file"):
        pool.judge(name, TESTS)
    with pytest.raises(TypeError, match="is the name of a file: read the file"):
        pool.run(name)


def test_a_judge_that_would_be_sent_to_another_process_says_so() -> None:
    with SharedJudge(workers=1) as judge, pytest.raises(TypeError, match="another process: make"):
        pickle.dumps(judge)
