"""Problems: the rules of the contract, values of a line, and sentences that say what is wrong."""

from __future__ import annotations

import re
import sys
from collections.abc import Mapping
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from microcoder_eval.errors import DataError
from microcoder_eval.formats import jsontext, problem_from, solution_from
from microcoder_eval.records import Kind, Limits, Test

STDIN = {"problem_id": "sum-two", "tests": [{"input": "1 2\n", "output": "3\n"}]}
CALL = {"problem_id": "c", "entry_point": "add", "tests": [{"input": [1, 2], "output": 3}]}
ASSERT = {"problem_id": "a", "test_code": "assert add(1, 2) == 3"}


def _without(obj: Mapping[str, Any], key: str) -> dict[str, Any]:
    return {name: value for name, value in obj.items() if name != key}


@pytest.mark.parametrize(
    ("obj", "kind"), [(STDIN, Kind.STDIN), (CALL, Kind.CALL), (ASSERT, Kind.ASSERT)]
)
def test_the_kind_is_inferred(obj: Mapping[str, Any], kind: Kind) -> None:
    assert problem_from(obj).kind is kind
    assert problem_from({**obj, "kind": str(kind)}).kind is kind


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({**STDIN, **ASSERT}, 'both "tests" and "test_code"'),
        ({**STDIN, **ASSERT, "kind": "stdin"}, 'both "tests" and "test_code"'),
        ({**ASSERT, "checker": "tokens"}, '"checker": only stdin and call problems'),
        (
            {**STDIN, "checker": "tokens", "interactor": {"source": "pass"}},
            '"checker": beside an interactor',
        ),
    ],
)
def test_what_nothing_would_read_is_refused(fields: dict[str, Any], message: str) -> None:
    with pytest.raises(DataError, match=re.escape(message)):
        problem_from(fields)


def test_a_key_that_is_there_twice_is_refused() -> None:
    with pytest.raises(DataError, match='"tests" is there twice'):
        jsontext.parse(b'{"tests": [1], "tests": [2]}')
    many = ", ".join(f'"{number}": 1' for number in range(200))
    with pytest.raises(DataError, match='"tests" is there twice'):
        jsontext.parse(f'{{"tests": [1], {many}, "tests": [2]}}'.encode())
    assert jsontext.parse(f"{{{many}}}".encode())
    assert jsontext.parse(b'{"input": "\\"input\\"", "tests": [{"input": "1"}]}')


def test_every_field_of_a_row_arrives() -> None:
    problem = problem_from(
        {
            **STDIN,
            "limits": {"time_s": 2, "memory_mb": None},
            "checker": "kattis",
            "difficulty": 1500,
            "solutions": [{"code": "x", "verdict": "AC"}],
            "licence": "MIT",
            "meta": {"a": 1},
        }
    )
    assert problem.tests == (Test("1 2\n", "3\n"),)
    assert problem.limits == Limits(time_s=2.0)
    assert problem.checker == {"name": "kattis"}
    assert problem.difficulty == "1500"
    assert problem.meta == {"licence": "MIT", "a": 1}
    assert len(problem.tests_sha256) == 64


def test_tagged_values_are_decoded() -> None:
    test = {"input": [{"$tuple": [1]}], "output": {"$set": [1]}}
    assert problem_from({**CALL, "tests": [test]}).tests == (Test([(1,)], {1}),)


@pytest.mark.parametrize(
    ("written", "normal"),
    [
        ("f", "f"),
        ("Solution.f", "Solution.f"),
        ("Solution().f", "Solution.f"),
        (" Solution( ).f ", "Solution.f"),
    ],
)
def test_entry_points_are_normalised(written: str, normal: str) -> None:
    assert problem_from({**CALL, "entry_point": written}).entry_point == normal


@pytest.mark.parametrize(
    "code",
    [
        "assert f(1) == 2",
        "import pytest\ndef test_f():\n    with pytest.raises(ValueError):\n        f()",
        "class T(unittest.TestCase):\n    def test_a(self):\n        self.assertEqual(f(1), 2)",
        "if f(1) != 2:\n    raise AssertionError('no')",
        "assert f() == " + "9" * 5000,
        "assert re.match('\\d', f())",
        "assert f() == 1\n" + "#" * 2_000_000,
    ],
)
def test_assertions_are_found_and_the_style_of_a_file_is_kept(code: str) -> None:
    assert problem_from({"problem_id": "a", "test_code": code}).test_style is None
    named = {"problem_id": "a", "test_code": code, "test_style": "pytest"}
    assert problem_from(named).test_style == "pytest"


POINTLESS = ["", "  ", "f(1)", "# assert f", "'assert f'", "assert True", "assert (f(1) == 2, 'x')"]
UNREADABLE = ["assert f(", "x" * 2_000_000, "\0", "(" * 10_000, "def check(c):\n    pass\ncheck(f)"]


@pytest.mark.parametrize("code", POINTLESS + UNREADABLE, ids=lambda code: repr(code[:20]))
def test_test_code_that_cannot_fail_is_a_data_error(code: str) -> None:
    with pytest.raises(DataError, match="test_code"):
        problem_from({"problem_id": "a", "kind": "assert", "test_code": code})


DEEP: Any = []
for _ in range(300):
    DEEP = [DEEP]

BAD = [
    ({}, 'no "problem_id" (no keys found)'),
    ({"id": 1, "x": 2}, "(keys found: id, x)"),
    ({**STDIN, "problem_id": 5.5}, '"problem_id" must be a string, not the number 5.5'),
    ({**STDIN, "problem_id": ""}, '"problem_id" is empty'),
    (
        {"problem_id": "sum-two", "tests": [*STDIN["tests"] * 2, {"input": "", "expected": ""}]},
        'problem "sum-two": test 3 has no "output" (keys found: input, expected); '
        'each test needs "input" (a text',
    ),
    ({**STDIN, "tests": []}, 'neither a test in "tests" nor "test_code"'),
    (_without(STDIN, "tests"), 'neither a test in "tests" nor "test_code"'),
    ({**STDIN, "kind": "stdin", "tests": []}, 'kind "stdin" needs at least one'),
    ({**STDIN, "tests": ["1"]}, 'test 1 is the string "1"; each test needs'),
    ({**STDIN, "tests": [{"input": 1, "output": ""}]}, '"input" must be a string for kind "stdin"'),
    ({**STDIN, "tests": [{"input": "", "output": None}]}, '"output" must be a string'),
    ({**STDIN, "tests": [{"input": "\ud800", "output": ""}]}, "half of a surrogate pair"),
    ({**CALL, "kind": "call", "tests": [{"input": "1", "output": 1}]}, "the list of arguments"),
    (
        {**CALL, "tests": [{"input": [{"$set": 1}], "output": 1}]},
        'test 1: "input": $set must hold a',
    ),
    ({**CALL, "tests": [{"input": [DEEP], "output": 1}]}, 'test 1: "input": nested deeper than'),
    ({**STDIN, "checker": {"source": "\ud800"}}, '"checker.source" has half'),
    ({**STDIN, "checker": ""}, '"checker": "name" must be text that is not empty'),
    (_without(CALL, "entry_point"), '"Solution.name"; for a program that reads'),
    ({**CALL, "entry_point": "a b"}, '"entry_point" must be "name" or "Solution.name"'),
    ({**CALL, "entry_point": "a.b.c"}, '"entry_point" must be'),
    ({**STDIN, "kind": "assert"}, 'kind "assert" needs "test_code"'),
    ({**STDIN, "limits": {"tme_s": 1}}, 'limits: unknown key "tme_s"; did you mean "time_s"?'),
    (
        {**STDIN, "limits": {"time_s": "6"}},
        "limits: time_s must be a number above 0 and",
    ),
    ({**STDIN, "checker": 3}, '"checker" must be a name, an object or null'),
    ({**STDIN, "checker": {}}, 'either "name" or "source"'),
    ({**STDIN, "checker": {"name": "a", "source": "b"}}, 'either "name" or "source"'),
    ({**STDIN, "checker": {"source": "x", "language": "rust"}}, "must be one of python, cpp"),
    ({**STDIN, "solutions": [1]}, "solution 1 must be an object"),
    ({**STDIN, "tests": '[{"input": 1}]'}, 'not the string "[{"input": 1}]": it is a JSON'),
    ({**STDIN, "tests": [{"args": [1], "expected": 2}]}, "the list of arguments of a function"),
    ({**STDIN, "tests": ["assert f(1) == 2"]}, 'assertions go into "test_code"'),
    ({"problem_id": "a", "testz": []}, 'rename "testz" to "tests"?'),
    ({"problem_ids": "a", "tests": []}, 'rename "problem_ids" to "problem_id"?'),
    ({"problem_id": "a", "input": "1", "output": "2"}, 'give a list: "tests": [{"input": …'),
    ({**STDIN, "limits": {"memory_mb": "1G" * 999}}, "memory_mb must be a number above 0"),
]


@pytest.mark.parametrize(("obj", "words"), BAD, ids=range(len(BAD)))
def test_what_is_wrong_is_said_in_words(obj: Mapping[str, Any], words: str) -> None:
    with pytest.raises(DataError) as caught:
        problem_from(obj, where="tests.jsonl:17")
    assert words in caught.value.message
    assert str(caught.value).startswith("tests.jsonl:17: ")
    assert len(str(caught.value)) < 400
    assert "pydantic" not in str(caught.value)


def test_an_unknown_format_names_those_there_are() -> None:
    with pytest.raises(DataError, match=r'did you mean "humaneval".*livecodebench'):
        problem_from(STDIN, format="human-eval")


def test_long_integers_are_read_with_the_limit_of_the_process_as_it_is() -> None:
    limit = sys.get_int_max_str_digits()
    digits = "-" + "1234567890" * 1000
    value = jsontext.parse(b'{"a": [' + digits.encode() + b"]}")["a"][0]
    assert value < 0
    assert value % 10**9 == 10**9 - 234567890
    assert value.bit_length() == 33217
    assert sys.get_int_max_str_digits() == limit


def test_an_integer_of_absurd_length_is_a_data_error() -> None:
    with pytest.raises(DataError, match="digits"):
        jsontext.parse(b"9" * 2_000_000)


def test_nan_and_infinity_are_read() -> None:
    assert jsontext.parse(b"[NaN, Infinity, -Infinity]")[1:] == [float("inf"), float("-inf")]


@given(st.integers(min_value=1, max_value=10**30), st.integers(min_value=600, max_value=6000))
def test_long_integers_have_their_value(head: int, zeros: int) -> None:
    assert jsontext.parse(f"{head}{'0' * zeros}".encode()) == head * 10**zeros


def test_tests_may_be_two_lists_as_in_the_api() -> None:
    texts = {"inputs": ["1\n", "2\n"], "outputs": ["1\n", "4\n"]}
    calls = {"inputs": [[1], [2]], "outputs": [1, 4], "entry_point": "square"}
    for lists, kind in ((texts, "stdin"), (calls, "call"), ({"tests": texts}, "stdin")):
        problem = problem_from({"problem_id": "p", **lists, "checker": None})
        assert (problem.kind, len(problem.tests)) == (kind, 2)
        assert problem.meta == {}


def test_a_comparer_may_have_options_in_its_name_as_on_the_command_line() -> None:
    tests = [{"input": "1", "output": "1"}]
    short = problem_from({"problem_id": "p", "tests": tests, "checker": "floats:abs=0.01"})
    assert short.checker == {"name": "floats", "abs": "0.01"}
    wrong = problem_from({"problem_id": "p", "tests": tests, "checker": "flots:abs=0.01"})
    assert wrong.checker == {"name": "flots:abs=0.01"}


NUMBERS = (0, 1, True, 1.5, -1.0, float("nan"), float("inf"), 10**5000)
OTHERS: tuple[Any, ...] = ({}, {1: "x"}, (), set[str](), b"x")
EMPTY_TEST = {"input": "", "output": ""}
RIGHT: dict[str, tuple[Any, ...]] = {
    "kind": ("stdin",),
    "tests": ([EMPTY_TEST], (EMPTY_TEST,)),
    "statement": ("", "x", "é", type("Text", (str,), {})("x")),
    "starter_code": ("x", {}, {"python": "x"}),
    "limits": ({}, {"time_s": 1}, {"time_s": 1.5}, {"memory_mb": None}, {"wall_s": 1e9}),
    "difficulty": ("x", 0, -1.0, 10**5000),
    "other": ("x", 0, [1], {"a": 1}),
}
WRONG: dict[str, tuple[tuple[Any, ...], str]] = {
    "problem_id": ((None, 1.5, -1.0, *OTHERS), '"problem_id" must be a string, not'),
    "kind": (("", "x", *NUMBERS, *OTHERS), "\"kind\" must be 'stdin', 'call' or 'assert', not"),
    "test_style": (("max", *NUMBERS), "\"test_style\" must be 'assert', 'check', 'pytest' or"),
    "tests": (("x", *NUMBERS, {}), '"tests" must be a list, not'),
    "statement": ((*NUMBERS, *OTHERS, ["x"]), '"statement" must be a string, not'),
    "starter_code": ((*NUMBERS, ["x"]), '"starter_code" must be a string, or an object of'),
    "limits": (("x", *NUMBERS, ["x"]), '"limits" must be an object, not'),
}
WRONG_VALUES: tuple[tuple[str, Any, str], ...] = (
    ("statement", "\ud800", '"statement" has half of a surrogate pair'),
    ("checker", "\ud800", '"checker" has half of a surrogate pair'),
    ("starter_code", {"python": 1}, '"starter_code": "python" must be a string, not the number 1'),
    ("starter_code", {"python": "\ud800"}, '"starter_code": "python" has half of a surrogate pair'),
    ("tests", '[{"input": 1}]', "it is a JSON text; write what it holds"),
    ("limits", {1: 1}, 'limits: unknown key "1"'),
    (
        "limits",
        {"memory_mb": True},
        "limits: memory_mb must be a number above 0 and at most",
    ),
    *(
        ("limits", {"time_s": value}, "time_s must be a number above 0 and at most 1e+09, not")
        for value in (0, -1, 2e9, 10**400, float("nan"), float("inf"))
    ),
    (7, "x", "7: a key must be a string"),
    ("\ud800", "x", "half of a surrogate pair"),
)


@pytest.mark.parametrize("key", RIGHT)
def test_right_values_are_read(key: str) -> None:
    for value in RIGHT[key]:
        assert problem_from({"problem_id": "p", "tests": [EMPTY_TEST], key: value})


@pytest.mark.parametrize("key", WRONG)
def test_wrong_types_are_refused(key: str) -> None:
    values, message = WRONG[key]
    for value in values:
        with pytest.raises(DataError) as caught:
            problem_from({"problem_id": "p", "tests": [EMPTY_TEST], key: value})
        assert message in str(caught.value)


@pytest.mark.parametrize(("key", "value", "message"), WRONG_VALUES)
def test_wrong_values_are_refused(key: Any, value: object, message: str) -> None:
    with pytest.raises(DataError) as caught:
        problem_from({"problem_id": "p", "tests": [EMPTY_TEST], key: value})
    assert message in str(caught.value)


def test_null_is_as_good_as_no_key() -> None:
    nulls = dict.fromkeys(("code", "language", "file", "files", "solution_id"))
    named = {"problem_id": "p", "response": "x"}
    assert solution_from({**nulls, **named}, default_id="i") == solution_from(named, default_id="i")
