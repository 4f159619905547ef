"""Programs, checkers and interactors of several files, files that problems include, arguments."""

from __future__ import annotations

from typing import Any

import pytest

from microcoder_eval import DataError, Judge
from microcoder_eval.formats import problem_from, solution_from
from microcoder_eval.formats.writing import encode_problem, encode_solution
from microcoder_eval.languages import PYTHON, find_language
from microcoder_eval.worker.program_files import bundle_modules, gather_files
from microcoder_sandbox.toolchains.toolchain import find_toolchain
from tests.files import read_table
from tests.judge.conftest import verdicts

needs_compiler = pytest.mark.skipif(find_toolchain("g++") is None, reason="there is no g++")
needs_java = pytest.mark.skipif(find_toolchain("java") is None, reason="there is no javac")
TESTS = [{"input": "2\n", "output": "4\n"}, {"input": "5\n", "output": "10\n"}]
PROGRAMS = read_table(__file__)
PYTHON_CHECKER, CPP_CHECKER = PROGRAMS["checkers"]["python"], PROGRAMS["checkers"]["cpp"]
GRADERS = PROGRAMS["graders"]


@pytest.fixture
def judge(judge: Judge) -> Judge:
    return judge.with_changes(stop="never")


@pytest.mark.parametrize(
    "checker", [PYTHON_CHECKER, pytest.param(CPP_CHECKER, marks=needs_compiler)], ids=["py", "cpp"]
)
@pytest.mark.parametrize(
    ("args", "test_args", "expected"),
    [
        ([], None, ["WA", "WA"]),
        (["{0} and", "1"], None, ["AC", "AC"]),
        (["1"], [], ["WA", "AC"]),
        ([], ["x y", "1"], ["AC", "WA"]),
    ],
)
def test_a_checker_of_several_files_gets_its_arguments(
    judge: Judge, checker: dict[str, Any], args: list[str], test_args: Any, expected: list[str]
) -> None:
    tests: list[dict[str, Any]] = [dict(test) for test in TESTS]
    if test_args is not None:
        tests[0]["checker_args"] = test_args
    problem = {"tests": tests, "checker": {**checker, "args": args}}
    program = {"code": "print(2 * int(input()) + 1)"}
    assert verdicts(judge.judge(program, problem)) == expected


def test_flags_of_the_default_validator_hold_for_one_test(judge: Judge) -> None:
    tests = [{"input": "", "output": "1.0 A"}, {"input": "", "output": "1.0 A"}]
    tests[1] |= {"checker_args": ["float_tolerance", "0.5", "case_sensitive"]}  # type: ignore[dict-item]
    problem = {"tests": tests, "checker": {"name": "kattis", "float_tolerance": 1e-3}}
    assert verdicts(judge.judge({"code": "print('1.0001 a')"}, problem)) == ["AC", "WA"]
    assert verdicts(judge.judge({"code": "print('1.2 A')"}, problem)) == ["WA", "AC"]
    plain = judge.with_changes(stop="never", ignore_checkers=True, compare="tokens")
    assert verdicts(plain.judge({"code": "print('1.2 A')"}, problem)) == ["WA", "WA"]


def test_an_interactor_gets_the_arguments_of_the_test(judge: Judge) -> None:
    interactor = {
        "source": "import sys, talk\nsys.exit(42 if talk.ask() == sys.argv[4] else 43)\n",
        "files": {"talk.py": "def ask():\n    print('go', flush=True)\n    return input()\n"},
        "args": ["red"],
    }
    tests = [{"input": "", "output": ""}, {"input": "", "output": "", "checker_args": ["blue"]}]
    problem = {"tests": tests, "interactor": interactor}
    assert verdicts(judge.judge({"code": "input()\nprint('red')"}, problem)) == ["AC", "WA"]


@pytest.mark.parametrize(
    ("language", "code"),
    [
        ("python", "def twice(n):\n    return 2 * n\n"),
        pytest.param("cpp", "int twice(int n) { return 2 * n; }\n", marks=needs_compiler),
        pytest.param(
            "java", "class Twice { static int twice(int n) { return 2 * n; } }", marks=needs_java
        ),
    ],
)
def test_files_that_a_problem_includes_call_the_program(
    judge: Judge, language: str, code: str
) -> None:
    problem = {"tests": TESTS, "includes": GRADERS}
    assert verdicts(judge.judge({"code": code, "language": language}, problem)) == ["AC", "AC"]
    wrong = {"code": code.replace("2 *", "3 *"), "language": language}
    assert verdicts(judge.judge(wrong, problem)) == ["WA", "WA"]


def test_an_included_library_replaces_the_programs_own(judge: Judge) -> None:
    solution = {
        "code": "from library import answer\nprint(answer(int(input())))",
        "files": {"library.py": "def answer(n):\n    return 0\n"},
    }
    library = {"python": {"library.py": "def answer(n):\n    return 2 * n\n"}}
    assert verdicts(judge.judge(solution, {"tests": TESTS})) == ["WA", "WA"]
    assert verdicts(judge.judge(solution, {"tests": TESTS, "includes": library})) == ["AC", "AC"]


def test_modules_of_a_program_do_not_outlive_a_test(judge: Judge) -> None:
    solution = {
        "code": "import memory\nmemory.seen.append(1)\nprint(2 * int(input()) * len(memory.seen))",
        "files": {"memory.py": "seen = []\n"},
    }
    assert verdicts(judge.judge(solution, {"tests": TESTS})) == ["AC", "AC"]


@needs_compiler
def test_a_prologue_comes_before_the_programs_own_text(judge: Judge) -> None:
    includes = {"cpp": {"<prologue>": "#define main tried\n", "entry.cpp": (
        "#include <iostream>\nint twice(int);\n"
        "int main() { int n; std::cin >> n; std::cout << twice(n); }\n")}}  # fmt: skip
    code = "int twice(int n) { return 2 * n; }\nint main() { return 1; }\n"
    problem = {"tests": TESTS, "includes": includes}
    assert verdicts(judge.judge({"code": code, "language": "cpp"}, problem)) == ["AC", "AC"]


def test_a_module_that_only_an_included_file_imports_is_the_program() -> None:
    program = gather_files(PYTHON, "x = 1", includes={"python": {"main.py": "import json, steps"}})
    assert (program.main, program.others) == ("main.py", {"steps.py": "x = 1"})
    assert bundle_modules(program)[1] == {b"json", b"steps"}


@pytest.mark.skipif(find_toolchain("node") is None, reason="there is no node")
def test_a_program_in_javascript_may_have_a_name_of_its_own(judge: Judge) -> None:
    code = 'console.log(require("fs").readFileSync(0, "utf8").trim());\n'
    solution = {"code": code, "language": "javascript", "file": "echo.js"}
    problem = {"problem_id": "echo", "tests": [{"input": "7\n", "output": "7\n"}]}
    assert verdicts(judge.judge(solution, problem)) == ["AC"]


def test_a_file_in_no_language_of_the_compiler_is_renamed() -> None:
    cpp = find_language("cpp")
    assert cpp is not None
    assert gather_files(cpp, "", "odd.CPP").main == cpp.file


@pytest.mark.parametrize(
    ("fields", "reason"),
    [
        ({"includes": {"cpp": {"../x.h": ""}}}, '"includes": "cpp" must name a file'),
        ({"includes": {"cpp": {"-o.cpp": ""}}}, "must name a file in a folder"),
        ({"includes": {"cpp": {"@o.cpp": ""}}}, "must name a file in a folder"),
        ({"includes": {"cpp": {"a\0/o.h": ""}}}, "must name a file in a folder"),
        ({"includes": {"cpp": {"x.h": 1}}}, "must be text"),
        ({"includes": ["x.h"]}, '"includes" must be an object'),
        ({"checker": {**CPP_CHECKER, "args": "a b"}}, '"checker": "args" must be a list of texts'),
        ({"checker": {**CPP_CHECKER, "files": {"/x.h": ""}}}, "must name a file in a folder"),
        ({"tests": [{**TESTS[0], "checker_args": ["a"]}]}, '"checker_args" of a test need'),
        ({"checker": "tokens", "tests": [{**TESTS[0], "checker_args": []}]}, "of a test need"),
        (
            {"checker": "kattis", "tests": [{**TESTS[0], "checker_args": ["float_tolerance"]}]},
            "the flag float_tolerance needs a number",
        ),
        ({"tests": [{**TESTS[0], "checker_args": ["a\0"]}]}, "zero byte"),
    ],
)
def test_a_row_that_nobody_could_follow_is_refused(fields: dict[str, Any], reason: str) -> None:
    with pytest.raises(DataError) as error:
        problem_from({"problem_id": "p", "tests": TESTS, **fields})
    assert reason in error.value.message


@pytest.mark.parametrize("language", ["javascript", "pypy"])
def test_files_that_a_program_would_not_find_are_refused(language: str) -> None:
    row = {"problem_id": "p", "solution_id": "s", "code": "", "language": language}
    assert solution_from({**row, "files": {}}).files == {}
    with pytest.raises(DataError, match="is one file here"):
        solution_from({**row, "files": {"twice.js": ""}})


def test_what_is_written_reads_back_equal_and_is_hashed_only_where_set() -> None:
    row = {
        "problem_id": "p",
        "tests": [{**TESTS[0], "checker_args": ["a"]}],
        "checker": CPP_CHECKER,
        "includes": GRADERS,
    }
    problem = problem_from(row)
    from microcoder_eval.formats import jsontext

    assert problem_from(jsontext.parse(encode_problem(problem))) == problem
    plain = {key: value for key, value in row.items() if key != "includes"}
    hashes = {problem.tests_sha256, problem_from(plain).tests_sha256}
    hashes.add(problem_from({**plain, "tests": TESTS[:1]}).tests_sha256)
    assert len(hashes) == 3
    solution = solution_from(
        {"problem_id": "p", "code": "x", "file": "a.py", "files": {"b.py": "y"}}, default_id="s"
    )
    assert solution_from(jsontext.parse(encode_solution(solution))) == solution
