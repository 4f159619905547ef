"""Test code in the language of the programs: programs that end before it, or tamper with it.

Comparisons with values are made outside of the program's process; a loop or a condition around them
keeps them in it.
"""

from __future__ import annotations

import re

import pytest

from microcoder_eval import DataError, Judge, Judgement
from microcoder_eval.foreign_tests.rewrite import refuse_in_process_tests
from microcoder_eval.integrations.rows import get_problem
from microcoder_eval.integrations.scorer import Scorer
from tests.files import read_table
from tests.judges import require_toolchain

TABLE = read_table(__file__)
TESTS = TABLE["tests"]
PROGRAMS, VALUES, FORMS = TABLE["programs"], TABLE["values"], TABLE["kept"]
OWN_ENTRIES, FORGERS = TABLE["own_entries"], TABLE["forgers"]
FAILURES = TABLE["failures"]
BROKEN_TESTS, STARTERS, IMPORTS = TABLE["broken"], TABLE["starters"], TABLE["imports"]
# Ends of programs of which most do not compile; the tests become a part of the last ones.
BROKEN_ENDS = ("no such name;", "}", "(", '"', "{", "/*")

# Where the body of the tests begins, and a condition in each language.
BODIES = {
    "cpp": ("main() {", "if (0) return 1;"),
    "java": ("[] a) {", "if (a.length > 9) return;"),
    "javascript": ("", "if (0) {}"),
    "rust": ("fn test_half() {", "if false { return; }"),
    "go": ("(t *testing.T) {", "if false { return };"),
}


def keep_in_process(language: str, tests: str) -> str:
    """The same tests behind a condition, which nothing is read out of."""
    start, condition = BODIES[find_build(language)]
    at = tests.index(start) + len(start)
    return f"{tests[:at]} {condition} {tests[at:]}"


def find_build(language: str) -> str:
    names = {"cpp11": "cpp", "cpp17": "cpp", "rust2015": "rust"}
    return names.get(language, language.partition("_")[0])


def make_problem(build: str, tests: str) -> dict[str, str]:
    """tests: a name in the table, or a text."""
    tests = TESTS.get(tests, tests)
    return {"problem_id": "p", "kind": "assert", "test_code": tests, "test_language": build}


def judge_beside(judge: Judge, build: str, code: str, tests: str) -> Judgement:
    """Judge a program in the language of its tests, where this machine can."""
    language = find_build(build)
    require_toolchain(language)
    return judge.judge({"code": code, "language": language}, make_problem(build, tests))


@pytest.mark.slow
@pytest.mark.parametrize("in_process", [False, True], ids=["outside", "in process"])
@pytest.mark.parametrize("name", PROGRAMS)
def test_programs_beside_their_tests(judge: Judge, name: str, in_process: bool) -> None:
    row = PROGRAMS[name]
    build, tests, verdict = row["build"], TESTS[row["tests"]], row["verdict"]
    tests = keep_in_process(build, tests) if in_process else tests
    judgement = judge_beside(judge, build, row["code"], tests)
    assert judgement.verdict == verdict, (judgement.error, judgement.tests)
    assert ("in_process_tests" in judgement.flags) is (in_process and verdict != "CE")


@pytest.mark.slow
@pytest.mark.parametrize("name", VALUES)
def test_values_are_compared_outside_as_the_language_compares_them(judge: Judge, name: str) -> None:
    row = VALUES[name]
    judgement = judge_beside(judge, row["build"], row["code"], row["tests"])
    assert judgement.verdict == row["verdict"], (judgement.error, judgement.tests)
    assert "in_process_tests" not in judgement.flags


@pytest.mark.slow
@pytest.mark.parametrize("name", FORMS)
def test_each_form_of_tests_tells_right_programs_from_wrong_ones(judge: Judge, name: str) -> None:
    row = FORMS[name]
    for code, verdicts in ((row["right"], ["AC"]), (row["wrong"], ["WA", "RE"])):
        judgement = judge_beside(judge, row["build"], code, row["tests"])
        assert judgement.verdict in verdicts, (judgement.error, judgement.tests)


@pytest.mark.slow
@pytest.mark.parametrize("name", OWN_ENTRIES)
def test_a_program_may_have_an_entry_of_its_own(judge: Judge, name: str) -> None:
    build, code, tests = (OWN_ENTRIES[name][key] for key in ("build", "code", "tests"))
    wrong_code = code.replace("n / 2", "n / 1")
    assert judge_beside(judge, build, code, tests).verdict == "AC"
    assert judge_beside(judge, build, wrong_code, tests).verdict in ("WA", "RE")


@pytest.mark.slow
@pytest.mark.parametrize("name", FORGERS)
def test_no_program_forges_what_is_compared_outside_of_its_process(judge: Judge, name: str) -> None:
    row = FORGERS[name]
    judgement = judge_beside(judge, row["build"], row["code"], row["tests"])
    assert judgement.verdict in ("WA", "RE", "CE"), (judgement.error, judgement.tests)


@pytest.mark.slow
@pytest.mark.parametrize("name", FAILURES)
def test_tests_in_the_process_tell_a_failed_assertion_from_what_a_program_throws(
    judge: Judge, name: str
) -> None:
    row = FAILURES[name]
    for code, verdict in ((row["wrong"], "WA"), (row["throws"], "RE")):
        judgement = judge_beside(judge, row["build"], code, row["tests"])
        (test,) = judgement.tests
        assert test.verdict == verdict, test.detail
        assert re.fullmatch(row[verdict], test.detail or ""), test.detail


def test_a_reward_refuses_tests_that_run_in_the_programs_process_unless_it_is_asked() -> None:
    outside = make_problem("cpp11", "cpp")
    inside = make_problem("cpp11", keep_in_process("cpp11", TESTS["cpp"]))
    refuse_in_process_tests(get_problem(outside), "a setting")
    with pytest.raises(DataError, match=r"no reward; allow_in_process_tests=True"):
        Scorer().judge_samples([("x", inside)])
    scorer = Scorer(allow_in_process_tests=True, workers=1)
    (judgement,) = scorer.judge_samples(
        [("```cpp\nint half(int n) { return n / 2; }\n```", inside)]
    )
    assert (judgement.verdict, judgement.flags) == ("AC", ("in_process_tests",))


def test_what_the_problem_needs_and_is_not_here_is_no_fault_of_the_program(judge: Judge) -> None:
    problem = {
        **make_problem("cpp11", "cpp"),
        "starter_code": "#include <no/such/header.h>\nint half(int n) {\n",
    }
    code = "#include <no/such/header.h>\nint half(int n) { return n / 2; }"
    judgement = judge.judge({"code": code, "language": "cpp"}, problem)
    assert judgement.verdict == "JE"
    assert "no/such/header.h" in (judgement.error or "")


def test_what_only_the_program_includes_is_its_own_fault(judge: Judge) -> None:
    problem = {**make_problem("cpp11", "cpp"), "starter_code": "int half(int n) {\n"}
    code = "#include <half>\nint half(int n) { return n / 2; }"
    assert judge.judge({"code": code, "language": "cpp"}, problem).verdict == "CE"


@pytest.mark.slow
@pytest.mark.parametrize("build", BROKEN_TESTS)
def test_test_code_whose_grammar_is_wrong_is_no_fault_of_the_program(
    judge: Judge, build: str
) -> None:
    row = BROKEN_TESTS[build]
    judgement = judge_beside(judge, build, row["code"], row["tests"])
    assert judgement.verdict == "JE"
    assert (judgement.error or "").startswith("the test code does not compile: ")


@pytest.mark.slow
@pytest.mark.parametrize("language", STARTERS)
def test_no_program_makes_test_code_fail_to_compile(judge: Judge, language: str) -> None:
    require_toolchain(language)
    starter, ending, alone = (STARTERS[language][key] for key in ("starter", "ending", "alone"))
    cases = ((ending, starter, BROKEN_ENDS), (alone, "", BROKEN_ENDS[-2:]))
    for tests, starter_code, ends in cases:
        problem = {**make_problem(language, tests), "starter_code": starter_code}
        for end in ends:
            submission = {"code": f"{starter}\n{end}", "language": language}
            judgement = judge.judge(submission, problem)
            assert judgement.verdict in ("CE", "WA"), (end, judgement.error, judgement.tests)


def test_a_program_in_another_language_than_the_tests_is_not_judged(judge: Judge) -> None:
    judgement = judge.judge({"code": "x", "language": "rust"}, make_problem("cpp11", "cpp"))
    assert judgement.verdict == "JE"
    assert judgement.error == (
        "the problem's tests are in cpp, and the program is in rust; a program in cpp says so by "
        '"language": "cpp", or --language cpp'
    )


@pytest.mark.parametrize(("language", "tests", "code", "package"), TABLE["missing_packages"])
def test_a_problem_whose_tests_need_a_package_is_no_fault_of_the_program(
    judge: Judge, language: str, tests: str, code: str, package: str
) -> None:
    require_toolchain(language)
    judgement = judge.judge({"code": code, "language": language}, make_problem(language, tests))
    assert judgement.verdict == "JE"
    assert judgement.error == f"the problem needs {package}, which this machine does not have"


@pytest.mark.parametrize("line", ["import { half } from './half';", "half = require('./half');"])
def test_tests_in_javascript_that_load_the_program_say_so(judge: Judge, line: str) -> None:
    require_toolchain("javascript")
    problem = make_problem("javascript", f"{line}\nif (half(4) != 2) throw 'wrong';\n")
    submission = {"code": "function half(n) { return n / 2; }", "language": "javascript"}
    judgement = judge.judge(submission, problem)
    assert judgement.verdict == "JE"
    assert "the test code loads ./half; leave that line out" in (judgement.error or "")


@pytest.mark.parametrize(("tests", "starter", "verdict"), TABLE["frameworks"])
def test_tests_of_a_framework_that_nothing_defines_are_no_fault_of_the_program(
    judge: Judge, tests: str, starter: str, verdict: str
) -> None:
    require_toolchain("javascript")
    problem = {**make_problem("javascript", tests), "starter_code": starter}
    submission = {"code": "const half = () => ({ toBe: () => 4 });", "language": "javascript"}
    judgement = judge.judge(submission, problem)
    assert judgement.verdict == verdict
    if verdict == "JE":
        assert "from node:test, and compare with node:assert" in (judgement.error or "")


@pytest.mark.parametrize(
    ("lines", "attribute"),
    [
        ("#[test]\n#[ignore]", "ignore"),
        ('#[cfg(feature = "big")]\n#[test]', "cfg"),
        ("#[test]\n#[should_panic(expected = 'n')]", "should_panic"),
    ],
)
def test_tests_in_rust_that_only_run_sometimes_are_refused(
    judge: Judge, lines: str, attribute: str
) -> None:
    require_toolchain("rust")
    tests = f"#[test]\nfn a() {{ assert_eq!(half(4), 2); }}\n{lines}\nfn b() {{ half(1); }}\n"
    submission = {"code": "fn half(n: i32) -> i32 { n / 2 }", "language": "rust"}
    judgement = judge.judge(submission, make_problem("rust", tests))
    assert judgement.verdict == "JE"
    assert f"test code with #[{attribute}] is not run; leave" in (judgement.error or "")


@pytest.mark.parametrize("start", ["#[test] #[allow(unused)] fn", "#[test] pub(crate) fn"])
@pytest.mark.parametrize("divisor", [2, 3])
def test_a_test_in_rust_runs_whatever_stands_before_its_name(
    judge: Judge, start: str, divisor: int
) -> None:
    tests = (
        f"#[test] fn a() {{ assert_eq!(half(0), 0); }}\n{start} b() {{ assert_eq!(half(8), 4); }}"
    )
    code = f"fn half(n: i32) -> i32 {{ n / {divisor} }}"
    assert judge_beside(judge, "rust", code, tests).verdict == ("AC" if divisor == 2 else "WA")


RUST_CASE = "#[test] fn a() { let n = 8; assert_eq!(half(n), 4); }"
RUST_MACRO = (
    "macro_rules! t { ($a:ident) => { #[test] fn $a() { assert_eq!(half(8), 4); } } } t!(b);"
)


@pytest.mark.parametrize(
    ("build", "tests", "reason"),
    [
        ("rust", f"{RUST_CASE} {RUST_MACRO}", "a #[test] in a macro"),
        ("rust", f"{RUST_CASE} #[test] async fn b() {{}}", "on an async function"),
        (
            "rust",
            "".join(f"#[cfg(test)] mod {name} {{ use super::*; {RUST_CASE} }}" for name in "ab"),
            "in a second module",
        ),
        (
            "go",
            "func TestMain(m *testing.M) { os.Exit(m.Run()) }\n"
            'func TestHalf(t *testing.T) { if Half(8) != 4 { t.Fatal("no") } }',
            "a function TestMain, as the judge does",
        ),
        (
            "go",
            'func Testhalf(t *testing.T) { if Half(8) != 4 { t.Fatal("no") } }',
            "needs a function such as TestName",
        ),
        (
            "java",
            "class HalfTest { void test() { assert Main.half(8) == 4; } }",
            "needs a function main",
        ),
    ],
)
def test_tests_that_cannot_be_started_are_no_fault_of_the_program(
    judge: Judge, build: str, tests: str, reason: str
) -> None:
    code = {
        "rust": "fn half(n: i32) -> i32 { n / 2 }",
        "go": "package main\nfunc Half(n int) int { return n / 2 }",
        "java": "public class Main { static int half(int n) { return n / 2; } }",
    }[build]
    judgement = judge_beside(judge, build, code, tests)
    assert judgement.verdict == "JE"
    assert reason in (judgement.error or "")


@pytest.mark.slow
def test_testify_has_functions_of_the_package_as_well(judge: Judge) -> None:
    require_toolchain("go")
    tests = """func TestHalf(t *testing.T) {
\tassert.Equal(t, 4, Half(8), "of %d", 8)
\tassert.NotEqual(t, 5, Half(8))
\tassert.EqualValues(t, int64(4), Half(8))
\tassert.True(t, Half(8) == 4)
\tassert.False(t, Half(8) == 5)
\tassert.Nil(t, nil)
\tassert.NotNil(t, Half)
\tassert.Empty(t, Half(1))
\tassert.NotEmpty(t, Half(2))
\tassert.Len(t, []int{Half(8)}, 1)
\tassert.Contains(t, []int{4}, Half(8))
\tassert.InDelta(t, 4.0, Half(8), 0.1)
\tassert.InEpsilon(t, 4.0, Half(8), 0.1)
}"""
    for divisor, verdict in ((2, "AC"), (3, "WA")):
        code = f"package main\nfunc Half(n int) int {{ return n / {divisor} }}"
        assert judge_beside(judge, "go", code, tests).verdict == verdict


def test_a_program_that_writes_of_a_missing_module_which_is_here_is_at_fault(judge: Judge) -> None:
    require_toolchain("javascript")
    tests = 'const assert = require("assert");\nfor (const n of [4]) assert(half(n) == 2);\n'
    code = "function half() { throw Error(\"Cannot find module 'assert'\"); }"
    judgement = judge.judge(
        {"code": code, "language": "javascript"}, make_problem("javascript", tests)
    )
    assert judgement.verdict in ("WA", "RE")


@pytest.mark.slow
@pytest.mark.parametrize(
    "start", ["use super::*;", "use super::halves::half;", "use halves::half;"]
)
def test_a_program_without_the_module_that_tests_call_does_not_compile(
    judge: Judge, start: str
) -> None:
    call = "half(8)" if start.endswith("half;") else "halves::half(8)"
    tests = f"#[cfg(test)]\nmod tests {{ {start} #[test] fn a() {{ assert_eq!({call}, 4); }} }}"
    code = "pub fn half(n: i32) -> i32 { n / 2 }"
    assert judge_beside(judge, "rust", code, tests).verdict == "CE"
    if "super" in start:
        module = f"mod halves {{ {code} }}"
        assert judge_beside(judge, "rust", module, tests).verdict == "AC"


@pytest.mark.slow
@pytest.mark.parametrize("language", IMPORTS)
def test_a_verdict_names_the_package_that_a_program_imports_and_is_not_here(
    judge: Judge, language: str
) -> None:
    require_toolchain(language)
    row = IMPORTS[language]
    solution = {"code": row["code"], "language": language}
    judgement = judge.judge(solution, [{"input": "", "output": "1"}])
    outcome = (judgement.verdict, judgement.flags)
    assert outcome == (row["verdict"], (f"missing_package:{row['missing']}",)), judgement.tests
