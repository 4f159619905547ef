"""What an audit says once programs have run: verdicts, outputs, comparers."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from microcoder_eval import Judge
from microcoder_eval.audit.examiner import check_programs
from microcoder_eval.audit.expected_answers import read_expected_answers
from microcoder_eval.audit.findings import Finding
from microcoder_eval.audit.labelled_programs import Program, Programs, classify_solution
from microcoder_eval.audit.trials import Runner, Trial
from microcoder_eval.audit.verdicts import check_verdicts
from microcoder_eval.errors import DataError
from microcoder_eval.formats import problem_from, solution_from
from microcoder_eval.records import Limits, Solution, Verdict
from tests.report.making import make_judgement, make_test

RIGHT, WRONG = True, False


@pytest.fixture(scope="module")
def runner() -> Iterator[Runner]:
    with Judge(workers=1, stop="never") as judge:
        yield Runner(judge)


def program(number: int, code: str, right: bool) -> Program:
    solution = solution_from({"problem_id": "p", "code": code}, default_id=f"s{number}")
    return Program(solution, right, "AC" if right else "WA")


def check(runner: Runner, problem: dict[str, Any], *codes: tuple[str, bool]) -> list[Finding]:
    given = problem_from({"problem_id": "p", **problem})
    programs = [program(number, *code) for number, code in enumerate(codes, 1)]
    return check_programs(runner, given, programs, 2)


def names(findings: list[Finding]) -> list[str]:
    return [str(finding.name) for finding in findings]


def test_outputs_that_are_as_expected_leave_nothing_to_say(runner: Runner) -> None:
    tests = [{"input": "1", "output": "a\nb"}]
    assert check(runner, {"tests": tests}, ("print('a \\nb')", RIGHT), ("print('c')", WRONG)) == []


def test_the_whole_verdict_must_hang_on_the_comparer_not_one_test(runner: Runner) -> None:
    tests = [{"input": "1", "output": "1 2"}, {"input": "2", "output": "3"}]
    ordered = "print('2 1' if input() == '1' else '3')"
    spoilt = "print('2 1' if input() == '1' else '4')"
    findings = check(runner, {"tests": tests}, (ordered, RIGHT))
    assert names(findings) == ["reference_fails", "comparers_disagree"]
    assert "unordered_tokens" in findings[1].evidence["others"]
    assert "tokens" not in findings[1].evidence["others"]
    assert names(check(runner, {"tests": tests}, (spoilt, RIGHT))) == ["reference_fails"]


def test_beside_a_checker_that_fails_no_comparer_is_advised(runner: Runner) -> None:
    problem = {
        "tests": [{"input": "1", "output": "1"}],
        "checker": {"source": "def check(*_): 1/0"},
    }
    findings = names(check(runner, problem, ("print(1)", RIGHT)))
    assert "checker_fails" in findings
    assert "comparers_disagree" not in findings


def test_a_right_answer_that_needs_a_tolerance_is_noted(runner: Runner) -> None:
    tests = [{"input": "1", "output": "0.5"}]
    code = ("print('0.50000001')", RIGHT)
    findings = check(runner, {"tests": tests}, code)
    assert [(str(f.name), str(f.severity)) for f in findings] == [("comparers_disagree", "note")]
    assert findings[0].evidence["matched_by"] == ["close_tokens"]
    assert check(runner, {"tests": tests, "checker": "floats"}, code) == []


def test_assertions_and_interactors_have_no_stricter_comparer(runner: Runner) -> None:
    assertion = {"entry_point": "f", "test_code": "assert f(1) == 2\nassert f(2) != 2"}
    assert check(runner, assertion, ("def f(n): return n + 1", RIGHT)) == []
    accept = {"source": "import sys\nsys.exit(42)"}
    interactive = {"tests": [{"input": "1", "output": ""}], "interactor": accept}
    assert check(runner, interactive, ("print(1)", RIGHT)) == []


def test_a_wrong_program_that_a_stricter_comparer_would_catch(runner: Runner) -> None:
    tests = [{"input": "1", "output": "0.5"}]
    findings = check(runner, {"tests": tests}, ("print('0.50000001')", WRONG))
    assert [(str(f.name), str(f.severity)) for f in findings] == [("wrong_accepted", "warning")]
    assert findings[0].evidence["matched_by"] == ["close_tokens"]


def test_programs_with_the_same_trouble_share_a_finding(runner: Runner) -> None:
    tests = [{"input": "1", "output": "0.5"}]
    codes = [(f"print('0.5000000{n}')", RIGHT) for n in range(1, 4)]
    (finding,) = check(runner, {"tests": tests}, *codes)
    assert finding.evidence["solutions"] == ["s1", "s2", "s3"]


def test_right_programs_that_print_different_things_are_shown_side_by_side(runner: Runner) -> None:
    tests = [{"input": "1", "output": "3"}, {"input": "9", "output": "5"}]
    one, other = "print(3 if input() == '1' else 5)", "print(3 if input() == '1' else 6)"
    findings = {
        str(f.name): f for f in check(runner, {"tests": tests}, (one, RIGHT), (other, RIGHT))
    }
    apart = findings["references_disagree"]
    assert apart.evidence["test"] == 2
    assert apart.evidence["solutions"] == ["s1", "s2"]
    assert 'got "6", expected "5"' in apart.detail


def test_a_disagreement_has_the_reason_of_the_program_that_it_names(runner: Runner) -> None:
    tests = [{"input": "1", "output": "3"}]
    codes = [(f"print({n})", RIGHT) for n in (4, 3, 5)]
    finding = {str(f.name): f for f in check(runner, {"tests": tests}, *codes)}[
        "references_disagree"
    ]
    assert finding.evidence["solutions"] == ["s2", "s3"]
    assert 'got "5", expected "3"' in finding.evidence["detail"]


def test_problems_with_points_are_examined_as_others(runner: Runner) -> None:
    tests = [{"input": f"{n}", "output": f"{n}"} for n in range(4)]
    groups = [{"name": "a", "tests": [0, 1], "points": 4}, {"name": "b", "tests": [2, 3]}]
    problem = {"tests": tests, "groups": groups, "checker": "tokens"}
    assert check(runner, problem, ("print(input())", RIGHT)) == []


def test_different_answers_that_a_checker_accepts_are_as_they_should_be(runner: Runner) -> None:
    checker = {"source": "def check(i, output, e): return output.strip() in ('1', '2')"}
    problem = {"tests": [{"input": "1", "output": "1"}], "checker": checker}
    assert check(runner, problem, ("print(1)", RIGHT), ("print(2)", RIGHT)) == []


def test_results_of_calls_are_compared_in_other_ways_by_judging_again(runner: Runner) -> None:
    problem = {"tests": [{"input": [3], "output": [1, 2]}], "entry_point": "f"}
    codes = [(f"def f(n): return {value}", RIGHT) for value in ([2, 1], [1, 2])]
    findings = check(runner, problem, *codes)
    assert names(findings) == ["reference_fails", "references_disagree", "comparers_disagree"]
    assert "unordered_tokens" in findings[2].evidence["others"]


def test_a_right_program_that_crashes_has_no_outputs_to_compare(runner: Runner) -> None:
    tests = [{"input": "1", "output": "1"}]
    findings = check(runner, {"tests": tests}, ("raise SystemExit(3)", RIGHT), ("def", RIGHT))
    assert names(findings) == ["reference_fails", "reference_fails"]
    assert "RE on test 1" in findings[0].detail
    assert "CE" in findings[1].detail


def test_memory_near_its_limit_is_told_with_figures(runner: Runner) -> None:
    problem = {"tests": [{"input": "1", "output": "1"}], "limits": {"memory_mb": 100}}
    (finding,) = check(runner, problem, ("x = bytearray(90 << 20); print(1)", RIGHT))
    assert (str(finding.name), finding.evidence["unit"]) == ("near_limit", "MiB")
    assert 85 < finding.evidence["used"] < 100


def test_time_near_its_limit_is_told_or_decides(runner: Runner) -> None:
    problem = {"tests": [{"input": "1", "output": "2"}], "limits": {"time_s": 0.55}}
    code = "import time\nwhile time.process_time() < 0.5: pass\nprint(2)"
    assert {"near_limit", "reference_fails"}.intersection(
        names(check(runner, problem, (code, RIGHT)))
    )


def test_near_means_near_the_limit_of_the_programs_language(runner: Runner) -> None:
    problem = problem_from({"problem_id": "p", "tests": [{"input": "1", "output": "2"}]})
    answers, limits = read_expected_answers(problem, "calibrated"), Limits(time_s=6)
    scaled = runner.judge.with_changes(language_time_scale={"cpp": 2})
    for language, near in (("python", ["near_limit"]), ("cpp", [])):
        program = Program(Solution("p", "s", code="", language=language))
        judgement = make_judgement(program.solution, make_test(Verdict.AC, 5.0))
        trials = [Trial(program, (judgement,))]
        findings = check_verdicts(answers, trials, limits, scaled.options.get_time_scale)
        assert names(list(findings)) == near


def kattis(condition: str) -> dict[str, str]:
    source = f"import sys\nsys.exit('a better answer than the jury' if {condition} else 42)"
    return {"source": source, "protocol": "kattis"}


NEEDS_PAIR = {"source": "def check(i, o, e):\n    a, b = o.split()\n    return a + b == i"}
ACCEPTS_ALL = {"source": "def check(i, o, e): return True"}
CALL = {"kind": "call", "entry_point": "f", "tests": [{"input": [1], "output": None}]}


@pytest.mark.parametrize(
    ("outputs", "checker", "codes", "name", "severity", "words"),
    [
        (("1 2", "bound"), NEEDS_PAIR, [], "checker_fails", "error", "stored output of test 2"),
        (("bound",), NEEDS_PAIR, ["print(*input())"], "checker_fails", "note", "stored output"),
        (("1",), kattis("input() > '1'"), ["print(2)"], "checker_fails", "error", "better answer"),
        (("1",), ACCEPTS_ALL, ["print(1)"], "careless_checker", "error", ""),
        (("x 1 0.5",), kattis("abs(float(input().split()[2]) - 0.5) > 1e-6"), ["print('x 1 0.5')"],
         "careless_checker", "error", "nan"),
    ],
    ids=["over a stored output", "over a stored output that right programs do not print",
         "over a right program", "accepts anything", "accepts nan"],
)  # fmt: skip
def test_checkers_are_tried(
    outputs: tuple[str, ...], checker: dict[str, str], codes: list[str],
    name: str, severity: str, words: str, runner: Runner,
) -> None:  # fmt: skip
    tests = [{"input": "12", "output": output} for output in outputs]
    problem = {"tests": tests, "checker": checker}
    findings = {str(f.name): f for f in check(runner, problem, *((code, RIGHT) for code in codes))}
    assert str(findings[name].severity) == severity
    assert words in findings[name].detail


def test_a_checker_of_calls_is_given_the_stored_values(runner: Runner) -> None:
    checker = {"source": "def check(i, o, e): return o[0] == 1"}
    assert "checker_fails" in names(check(runner, {**CALL, "checker": checker}))


@pytest.mark.parametrize(
    ("row", "right"),
    [
        ({}, True),
        ({"accept": True}, True),
        ({"accept": False, "verdict": "AC"}, False),
        ({"verdict": "Accepted"}, True),
        ({"verdict": "Wrong Answer"}, False),
        ({"verdict": "time-limit exceeded"}, False),
        ({"expected_verdict": "RE"}, False),
        ({"graded": False}, False),
        ({"verdict": None}, True),
    ],
)
def test_labels_are_read_as_people_write_them(row: dict[str, Any], right: bool) -> None:
    solution = solution_from({"problem_id": "p", "code": "1", **row}, default_id="s")
    assert classify_solution(solution).right is right


@pytest.mark.parametrize("row", [{"verdict": "JE"}, {"accept": "perhaps"}, {"verdict": ["AC"]}])
def test_a_label_that_says_nothing_is_refused(row: dict[str, Any]) -> None:
    with pytest.raises(DataError, match="must say whether the program is right"):
        classify_solution(solution_from({"problem_id": "p", "code": "1", **row}, default_id="s"))


def test_a_problems_own_programs_come_first_and_unusable_ones_are_named() -> None:
    own = [{"code": "1", "verdict": "WA"}, {"code": "1", "language": "brainfuck"}]
    tests = [{"input": "1", "output": "1"}]
    parsed_problem = problem_from({"problem_id": "p", "tests": tests, "solutions": own})
    programs = Programs()
    assert list(programs.read(iter([program(1, "1", RIGHT).solution]), "s.jsonl")) == []
    selection, unusable = programs.select_programs(parsed_problem)
    assert [(one.name, one.right) for one in selection] == [("p#own1", False), ("s1", True)]
    assert len(unusable) == 1
    assert "brainfuck" in unusable[0]


def test_a_program_whose_answer_is_the_order_of_a_set_is_flaky(runner: Runner) -> None:
    words = "ash elm fir oak yew"
    code = "print(*set(input().split()))"
    order = runner.run_program(code, words, Limits())
    problem = {"tests": [{"input": words, "output": order}], "checker": "exact"}
    (finding,) = check(runner, problem, (code, RIGHT))
    assert (str(finding.name), str(finding.severity)) == ("flaky", "error")
    assert "2 runs gave AC, WA, first on test 1" in finding.detail


def test_a_function_whose_answer_is_the_order_of_a_set_is_flaky(runner: Runner) -> None:
    code = "def f(*words): return ''.join(set(words))"
    letters = ["a", "b", "c", "d", "e"]
    order = runner.run_program(f"{code}\nprint(f(*{letters}))", "", Limits())
    problem = {
        "kind": "call",
        "entry_point": "f",
        "tests": [{"input": letters, "output": (order or "").strip()}],
    }
    assert names(check(runner, problem, (code, RIGHT))) == ["flaky"]
