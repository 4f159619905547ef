"""What an audit says of tests before any program runs."""

from __future__ import annotations

from typing import Any

import pytest

from microcoder_eval.audit.examiner import check_tests
from microcoder_eval.audit.findings import Finding
from microcoder_eval.audit.labelled_programs import Program
from microcoder_eval.formats import problem_from, solution_from


def find_by_name(problem: dict[str, Any], compare: str = "calibrated") -> dict[str, Finding]:
    """The findings by name, with a reference so that none is missed."""
    parsed_problem = problem_from({"problem_id": "p", **problem})
    reference = Program(solution_from({"problem_id": "p", "code": "1"}, default_id="r"))
    findings = check_tests(parsed_problem, [reference], compare)
    assert len({finding.name for finding in findings}) == len(findings)
    return {str(finding.name): finding for finding in findings}


def make_stdin_problem(*outputs: str, **more: Any) -> dict[str, Any]:
    tests = [{"input": f"{n}\n", "output": output} for n, output in enumerate(outputs)]
    return {"tests": tests, **more}


def make_call_problem(*outputs: Any, **more: Any) -> dict[str, Any]:
    tests = [{"input": [n], "output": output} for n, output in enumerate(outputs)]
    return {"tests": tests, "entry_point": "f", **more}


@pytest.mark.parametrize(
    "problem",
    [
        make_stdin_problem("1\n", "20\n", "1000000000000000000000\n"),
        make_call_problem(1, [2, 3], "x"),
        make_stdin_problem("0.333333333\n", "2.5\n"),
        make_call_problem(0.3333333333333333, 2.5),
    ],
)
def test_different_numbers_under_the_default_comparer_have_no_finding(
    problem: dict[str, Any],
) -> None:
    assert find_by_name(problem) == {}


def test_a_group_that_contradicts_itself_is_not_told_as_duplicates_as_well() -> None:
    tests = [{"input": "1", "output": out} for out in ("1", "2", "1")]
    findings = find_by_name({"tests": [*tests, {"input": "5", "output": "5"}]})
    assert findings.keys() == {"contradictory_tests", "multiple_answers_suspected"}
    assert findings["contradictory_tests"].evidence["tests"] == [[1, 2]]
    assert 'expect "1" and "2"' in findings["contradictory_tests"].detail


def test_what_contradicts_is_for_the_comparer_in_effect_to_say() -> None:
    tests = [{"input": "1", "output": out} for out in ("1 2", "2 1")]
    tests.append({"input": "2", "output": "7"})
    assert "contradictory_tests" in find_by_name({"tests": tests})
    free = find_by_name({"tests": tests, "checker": "unordered_tokens"})
    assert free.keys() == {"duplicate_tests"}
    assert "contradictory_tests" not in find_by_name({"tests": tests}, compare="unordered_tokens")


def test_nothing_contradicts_where_a_checker_is_given_as_source() -> None:
    tests = [{"input": "1", "output": out} for out in ("1", "2")]
    checker = {"source": "def check(i, o, e): return True"}
    assert find_by_name({"tests": tests, "checker": checker}).keys() == {"duplicate_tests"}


def test_duplicates_count_what_adds_nothing() -> None:
    tests = [{"input": f"{n % 3}", "output": f"{n % 3}"} for n in range(8)]
    finding = find_by_name({"tests": tests})["duplicate_tests"]
    assert finding.evidence["superfluous"] == 5
    assert finding.evidence["tests"] == [[1, 4, 7], [2, 5, 8], [3, 6]]


def test_tests_whose_checker_gets_other_arguments_are_no_duplicates() -> None:
    tests = [
        {"input": "1", "output": "2.0", "checker_args": ["float_tolerance", f"1e-{n}"]}
        for n in (2, 9, 9)
    ]
    findings = find_by_name({"tests": tests, "checker": {"name": "kattis"}})
    assert findings["duplicate_tests"].evidence["tests"] == [[2, 3]]


def test_assertions_are_looked_at_as_the_calls_they_are() -> None:
    code = "assert f(1) == 2\nassert f(2) == 4\nassert f(2) == 4\n"
    findings = find_by_name({"test_code": code, "entry_point": "f"})
    assert findings.keys() == {"duplicate_tests"}
    assert "f(2)" in findings["duplicate_tests"].detail


def test_assertions_with_two_answers_to_one_call_ask_for_state_and_do_not_contradict() -> None:
    code = "assert counter() == 1\nassert counter() == 2\n"
    assert find_by_name({"test_code": code, "entry_point": "counter"}) == {}


def test_one_answer_to_all_questions_is_trivial() -> None:
    findings = find_by_name(make_stdin_problem("yes", "yes", "yes"))
    assert findings.keys() == {"trivial_tests"}
    assert 'all 3 tests expect "yes"' in findings["trivial_tests"].detail
    assert find_by_name(make_call_problem([], [])).keys() == {"trivial_tests"}
    code = "assert f(1) is not None\nassert f(2) == 4\nassert f(3) == 4\n"
    assert find_by_name({"test_code": code, "entry_point": "f"}) == {}  # the first asks for more


@pytest.mark.parametrize(
    "judge", [{"interactor": {"source": "pass"}}, {"checker": {"source": "def check(): pass"}}]
)
def test_tests_that_a_program_judges_are_not_called_trivial(judge: dict[str, Any]) -> None:
    assert find_by_name(make_stdin_problem("", "", "", **judge)) == {}


@pytest.mark.parametrize("count", [1, 3])
def test_a_single_test_however_often_it_is_there_is_not_called_trivial(count: int) -> None:
    assert "trivial_tests" not in find_by_name({"tests": [{"input": "1", "output": "7"}] * count})


def test_a_program_without_input_may_print_a_constant() -> None:
    tests = [{"input": "", "output": "7"}, {"input": "\n", "output": "7"}]
    assert "trivial_tests" not in find_by_name({"tests": tests})


@pytest.mark.parametrize(
    ("checker", "outputs", "words"),
    [
        ({"name": "kattis", "float_absolute_tolerance": 1}, ("7", "90"), "8 passes where test 1"),
        ({"name": "kattis", "float_tolerance": 1e-6}, ("5", "1000000000"), "1000000001 passes"),
        ({"name": "floats", "rel": 0.02, "abs": None}, ("1.5", "2.5"), "error of 1 %"),
        ({"name": "floats", "abs": 0.5, "rel": None}, ("0.1", "0.3"), "error of 1 %"),
        ({"name": "floats", "abs": 1e-4, "rel": None}, ("0.00001", "0.00002"), "error of 1 %"),
        ("exact", ("2.500000000\n", "0.5\n"), "2.5000000001 is refused"),
        ("kattis", ("0.333333333\n", "2.5\n"), "0.3333333331 is refused"),
        ({"name": "floats", "abs": 1e-9, "rel": 1e-9}, ("0.33333", "0.66667"), "is refused"),
    ],
)
def test_a_tolerance_is_tried_out_on_the_comparer_itself(
    checker: Any, outputs: tuple[str, ...], words: str
) -> None:
    findings = find_by_name(make_stdin_problem(*outputs, checker=checker))
    assert findings.keys() == {"suspicious_tolerance"}
    assert words in findings["suspicious_tolerance"].detail
    assert findings["suspicious_tolerance"].severity == "warning"


@pytest.mark.parametrize(
    ("checker", "outputs"),
    [
        ({"name": "floats", "abs": 1e-6, "rel": 1e-6}, ("0.333333333", "1000000000")),
        ({"name": "kattis", "float_tolerance": 1e-6}, ("5", "7")),
        ("rcmp6", ("0.333333333", "12.25")),
        ("tokens", ("abc", "def")),
        ("unordered_tokens", ("1 2", "3 4")),
    ],
)
def test_a_tolerance_that_fits_is_not_suspicious(checker: Any, outputs: tuple[str, ...]) -> None:
    assert find_by_name(make_stdin_problem(*outputs, checker=checker)) == {}


def test_few_decimals_compared_as_text_may_be_prices() -> None:
    findings = find_by_name(make_stdin_problem("12.50", "3.75", checker="tokens"))
    assert findings["suspicious_tolerance"].severity == "note"


def test_values_are_tried_like_texts() -> None:
    findings = find_by_name(make_call_problem([0.1, 0.3333333333333333], [2.5], checker="tokens"))
    assert findings["suspicious_tolerance"].severity == "warning"
    loose = find_by_name(
        make_call_problem([100, 5], [7], checker={"name": "kattis", "float_tolerance": 0.5})
    )
    assert loose == {}  # whole values are compared as they are, whatever the tolerance


def test_assertions_that_equal_long_fractions_are_suspicious() -> None:
    code = "assert f(1) == 3.141592653589793\nassert f(2) == 6.283185307179586\n"
    assert find_by_name({"test_code": code, "entry_point": "f"}).keys() == {"suspicious_tolerance"}
    halves = "assert f(1) == 0.5\nassert f(3) == 1.5\n"
    assert find_by_name({"test_code": halves, "entry_point": "f"}) == {}


@pytest.mark.parametrize(
    ("problem", "words"),
    [
        ({"tests": [{"input": "1", "output": "1"}], "checker": "nosuch"}, 'no comparer "nosuch"'),
        ({"test_code": "import inspect\nassert inspect.getsource(f)", "entry_point": "f"},
         "in-process access"),
    ],
)  # fmt: skip
def test_what_no_program_could_pass_is_unjudgeable(problem: dict[str, Any], words: str) -> None:
    findings = find_by_name(problem)
    assert findings.keys() == {"unjudgeable"}
    assert words in findings["unjudgeable"].detail


def test_without_a_right_program_that_is_said() -> None:
    problem = problem_from({"problem_id": "p", **make_stdin_problem("1", "2")})
    wrong = Program(solution_from({"problem_id": "p", "code": "1"}, default_id="w"), right=False)
    assert [str(finding.name) for finding in check_tests(problem, [wrong])] == ["no_reference"]
