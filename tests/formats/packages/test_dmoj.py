"""DMOJ packages: checkers that give points, and what its judge does before it runs anything."""

from __future__ import annotations

from pathlib import Path

import pytest

from microcoder_eval import Judge, Judgement
from microcoder_eval.formats import problem_from
from microcoder_eval.formats.packages import PackageError, make_row, read_package
from tests.files import read_table, write_files
from tests.judges import require_toolchain

FILES = read_table(__file__)
# Half of the points of the test for a pair with a zero.
CHECKER = FILES["checker"]
CASES = FILES["cases"]
ABSOLUTE = "return CheckerResult(True, 30)"


def write_package(folder: Path, checker: str = CHECKER) -> Path:
    texts = {"check.py": checker, "init.yml": CASES, "1.in": "5\n", "1.out": "1 4\n",
             "2.in": "9\n", "2.out": "4 5\n"}  # fmt: skip
    return write_files(folder, texts)


@pytest.mark.parametrize(
    ("code", "points"),
    [
        ("n = int(input())\nprint(2, n - 2)\n", 70),
        ("print(0, input())\n", 35),
        ("n = int(input())\nprint(0, n) if n > 5 else print(1, n - 1)\n", 40),
        ("print(1, 4)\n", 10),
    ],
    ids=["all", "half of each", "half of the batch", "one test alone"],
)
def test_a_checker_gives_a_part_of_the_points_of_its_test(
    code: str, points: float, tmp_path: Path, judge: Judge
) -> None:
    problem = problem_from(make_row(read_package(write_package(tmp_path))))
    judgement = judge.judge(code, problem)
    assert (judgement.points, judgement.max_points) == (points, 70), judgement.error


def test_a_checker_may_give_points_without_looking_at_the_value_of_the_test(
    tmp_path: Path, judge: Judge
) -> None:
    checker = CHECKER.split("    if standard")[0] + f"    {ABSOLUTE}\n"
    problem = problem_from(make_row(read_package(write_package(tmp_path, checker))))
    judgement = judge.judge("print(0)", problem)
    assert judgement.points == 10 + 30, judgement.error


RESULT = FILES["result"]


def test_a_checker_gets_the_result_of_the_test(tmp_path: Path, judge: Judge) -> None:
    problem = problem_from(make_row(read_package(write_package(tmp_path, RESULT))))
    assert judge.judge("print(1, 4)", problem).points == 10


@pytest.mark.parametrize("cost", ["max_memory", "execution_time"])
def test_a_checker_that_judges_what_a_test_cost_is_refused(tmp_path: Path, cost: str) -> None:
    checker = RESULT.replace("result.proc_output == process_output", f"result.{cost} < 65536")
    with pytest.raises(PackageError, match=f"check.py judges {cost}, which it is not told here"):
        read_package(write_package(tmp_path, checker))


def test_a_refused_output_may_have_a_part_of_the_points(tmp_path: Path, judge: Judge) -> None:
    checker = CHECKER.replace("CheckerResult(False, 0)", "CheckerResult(False, point_value / 5)")
    problem = problem_from(make_row(read_package(write_package(tmp_path, checker))))
    assert judge.judge("print(1, 1)", problem).points == 14


def test_outputs_are_recognised_by_their_own_expression(tmp_path: Path) -> None:
    config = "test_cases: {input_format: 'q(?P<case>[0-9]+)$', output_format: 'a(?P<case>[0-9]+)$'}"
    texts = {"init.yml": config, "q1": "5", "a1": "6", "q02": "7", "a2": "8"}
    tests = read_package(write_files(tmp_path, texts)).tests
    assert [(test.input, test.output) for test in tests] == [("5\n", "6\n"), ("7\n", "8\n")]


ONE_CASE = "test_cases: [{in: 1.in, out: 1.out}]\n"
ONE_TEST = {"1.in": "3\n", "1.out": "4\n"}
ASKING = """\
#include <stdio.h>
int main() {
    int answer;
    puts("3");
    return scanf("%d", &answer) != 1 || answer != 4;
}
"""
UNFLUSHED = (
    '#include <stdio.h>\nint main() { int n; puts("1"); scanf("%d", &n); printf("%d", n + 1); }'
)
HANDLER = '#include <stdio.h>\n#include "next.h"\nint main() { printf("%d", next(3)); }'
NEXT = "#ifdef SIGNATURE_GRADER\nint next(int n) { return n + 1; }\n#endif\n"


def judge_package(folder: Path, files: dict[str, str], judge: Judge, **solution: str) -> Judgement:
    require_toolchain("cpp")
    package = read_package(write_files(folder, {**ONE_TEST, **files}))
    return judge.judge(solution, problem_from(make_row(package)))


@pytest.mark.parametrize(
    ("config", "expected"),
    [("", ("3\n4\n", "7\n8\n")), ("binary_data: true\n", ("3\r\n4", "7\r8"))],
)
def test_line_ends_of_test_data_become_newlines(
    config: str, expected: tuple[str, str], tmp_path: Path
) -> None:
    (tmp_path / "1.in").write_bytes(b"3\r\n4")
    (tmp_path / "1.out").write_bytes(b"7\r8")
    [test] = read_package(write_files(tmp_path, {"init.yml": config + ONE_CASE})).tests
    assert (test.input, test.output) == expected


def test_a_file_that_a_case_names_and_nobody_has_is_named(tmp_path: Path) -> None:
    texts = {"init.yml": ONE_CASE, "1.in": "1\n"}
    with pytest.raises(PackageError, match=r"init.yml names 1.out: no such file there or in its"):
        read_package(write_files(tmp_path, texts))


@pytest.mark.slow
def test_an_interactor_need_not_flush(tmp_path: Path, judge: Judge) -> None:
    files = {"init.yml": f"interactive: {{files: ask.cpp}}\n{ONE_CASE}", "ask.cpp": ASKING}
    judgement = judge_package(tmp_path, files, judge, code="print(int(input()) + 1)")
    assert judgement.verdict == "AC", judgement.tests


@pytest.mark.slow
def test_submissions_need_not_flush_where_the_package_says_so(tmp_path: Path, judge: Judge) -> None:
    asking = ASKING.replace('    puts("3");\n', '    scanf("%d", &answer);\n    puts("3");\n')
    config = f"interactive: {{files: ask.cpp}}\nunbuffered: true\n{ONE_CASE}"
    files = {"init.yml": config, "ask.cpp": asking}
    judgement = judge_package(tmp_path, files, judge, code=UNFLUSHED, language="c")
    assert judgement.verdict == "AC", judgement.tests


@pytest.mark.slow
@pytest.mark.parametrize("language", ["c", "cpp"])
def test_a_signature_grader_is_in_the_language_of_the_submission(
    language: str, tmp_path: Path, judge: Judge
) -> None:
    config = f"signature_grader: {{entry: handler.c, header: next.h}}\n{ONE_CASE}"
    files = {"init.yml": config, "handler.c": HANDLER, "next.h": "int next(int);"}
    judgement = judge_package(tmp_path, files, judge, code=NEXT, language=language)
    assert judgement.verdict == "AC", judgement.error


def test_the_language_of_a_submission_is_the_declared_one(tmp_path: Path) -> None:
    files = {"tests/old/a.py": "print -1, 1", "tests/old/test.yml": "language: PY2\nsource: a.py\n"}
    [submission] = read_package(
        write_files(tmp_path, {**ONE_TEST, **files, "init.yml": ONE_CASE})
    ).submissions
    assert submission.language == "python2"
