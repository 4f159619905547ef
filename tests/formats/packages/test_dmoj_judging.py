"""What DMOJ's judge does to test data, submissions and interactors before it runs them."""

from __future__ import annotations

from pathlib import Path

import pytest

from microcoder_eval import Judge, Judgement
from microcoder_eval.formats import problem_from
from microcoder_eval.formats.packages import PackageError, make_row, read_package
from tests.commands import require_toolchain, write_files

CASES = "test_cases: [{in: 1.in, out: 1.out}]\n"
FILES = {"1.in": "3\n", "1.out": "4\n"}
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
    package = read_package(write_files(folder, {**FILES, **files}))
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
    [test] = read_package(write_files(tmp_path, {"init.yml": config + CASES})).tests
    assert (test.input, test.output) == expected


def test_a_file_that_a_case_names_and_nobody_has_is_named(tmp_path: Path) -> None:
    texts = {"init.yml": CASES, "1.in": "1\n"}
    with pytest.raises(PackageError, match=r"init.yml names 1.out: no such file there or in its"):
        read_package(write_files(tmp_path, texts))


@pytest.mark.slow
def test_an_interactor_need_not_flush(tmp_path: Path, judge: Judge) -> None:
    files = {"init.yml": f"interactive: {{files: ask.cpp}}\n{CASES}", "ask.cpp": ASKING}
    judgement = judge_package(tmp_path, files, judge, code="print(int(input()) + 1)")
    assert judgement.verdict == "AC", judgement.tests


@pytest.mark.slow
def test_submissions_need_not_flush_where_the_package_says_so(tmp_path: Path, judge: Judge) -> None:
    asking = ASKING.replace('    puts("3");\n', '    scanf("%d", &answer);\n    puts("3");\n')
    config = f"interactive: {{files: ask.cpp}}\nunbuffered: true\n{CASES}"
    files = {"init.yml": config, "ask.cpp": asking}
    judgement = judge_package(tmp_path, files, judge, code=UNFLUSHED, language="c")
    assert judgement.verdict == "AC", judgement.tests


@pytest.mark.slow
@pytest.mark.parametrize("language", ["c", "cpp"])
def test_a_signature_grader_is_in_the_language_of_the_submission(
    language: str, tmp_path: Path, judge: Judge
) -> None:
    config = f"signature_grader: {{entry: handler.c, header: next.h}}\n{CASES}"
    files = {"init.yml": config, "handler.c": HANDLER, "next.h": "int next(int);"}
    judgement = judge_package(tmp_path, files, judge, code=NEXT, language=language)
    assert judgement.verdict == "AC", judgement.error


def test_the_language_of_a_submission_is_the_declared_one(tmp_path: Path) -> None:
    files = {"tests/old/a.py": "print -1, 1", "tests/old/test.yml": "language: PY2\nsource: a.py\n"}
    [submission] = read_package(
        write_files(tmp_path, {**FILES, **files, "init.yml": CASES})
    ).submissions
    assert submission.language == "python2"
