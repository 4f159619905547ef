"""The words of packages that the tools themselves know: problemtools, DMOJ's judge, DOMjudge.

Each list is that of the tool's source, named beside it, not that of packages seen here.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from microcoder_eval import judge
from microcoder_eval.formats import problem_from
from microcoder_eval.formats.packages import PackageError, make_row, read_package
from microcoder_eval.formats.packages.package import CheckerProgram, Package
from tests.files import write_files

pytest.importorskip("yaml", reason="yaml is missing: pip install '.[data]'")

# problemtools, support/default_grader.
GRADER_FLAGS = ("worst_error", "no_errors", "first_error", "always_accept", "sum", "avg", "max",
                "min", "ignore_sample", "accept_if_any_accepted")  # fmt: skip
# problemtools, support/default_validator; a word with a number stands for its own.
VALIDATOR_FLAGS = ("case_sensitive", "space_change_sensitive", "float_absolute_tolerance 1e-3",
                   "float_relative_tolerance 1e-3", "float_tolerance 1e-3")  # fmt: skip
# DMOJ, dmoj/checkers.
DMOJ_CHECKERS = ("easy", "floats", "floatsabs", "floatsrel", "identical", "linecount",
                 "linematches", "rstripped", "sorted", "standard", "unordered")  # fmt: skip
CASE = {"1.in": "1\n", "1.out": "1\n"}


def read_kattis(folder: Path, texts: dict[str, str]) -> Package:
    base = {"problem.yaml": "name: x\n", "data/secret/a/1.in": "1\n", "data/secret/a/1.ans": "1\n"}
    return read_package(write_files(folder, {**base, **texts}))


@pytest.mark.parametrize("flag", GRADER_FLAGS)
@pytest.mark.parametrize("kind", ["scoring", "pass-fail"])
def test_every_flag_of_the_default_grader_is_read(flag: str, kind: str, tmp_path: Path) -> None:
    texts = {"problem.yaml": f"type: {kind}\n", "data/testdata.yaml": f"grader_flags: {flag}\n"}
    assert read_kattis(tmp_path, texts).tests


def test_no_errors_is_another_name_of_worst_error(tmp_path: Path) -> None:
    groups = [
        read_kattis(
            tmp_path / flag,
            {
                "problem.yaml": "type: scoring\n",
                "data/testdata.yaml": f"grader_flags: {flag} min\n",
            },
        ).groups
        for flag in ("no_errors", "worst_error")
    ]
    assert groups[0] == groups[1]


@pytest.mark.parametrize("flag", VALIDATOR_FLAGS)
def test_every_flag_of_the_default_validator_is_read(flag: str, tmp_path: Path) -> None:
    assert read_kattis(tmp_path, {"problem.yaml": f"validator_flags: {flag}\n"}).checker


@pytest.mark.parametrize(
    "texts",
    [
        {"problem.yaml": "validator_flags: float_tolerence 1e-6\n"},
        {"data/testdata.yaml": "output_validator_flags: case_insensitive\n"},
    ],
)
def test_a_misspelt_flag_is_refused_as_the_default_validator_does(
    texts: dict[str, str], tmp_path: Path
) -> None:
    with pytest.raises(PackageError, match="is no flag of the default validator"):
        read_kattis(tmp_path, texts)


@pytest.mark.parametrize("validation", ["default", "custom"])
@pytest.mark.parametrize("key", ["special_compare", "special_run"])
def test_a_judge_program_that_only_domjudge_has_is_refused(
    key: str, validation: str, tmp_path: Path
) -> None:
    texts = {
        "problem.yaml": f"validation: {validation}\n",
        "domjudge-problem.ini": f"name = 'x'\n{key} = 'boolfind_cmp'\n",
    }
    with pytest.raises(PackageError, match=f"{key} is boolfind_cmp"):
        read_kattis(tmp_path, texts)


def test_the_limit_of_domjudges_file_goes_before_that_of_kattis(tmp_path: Path) -> None:
    texts = {"domjudge-problem.ini": "timelimit = '3'\n", ".timelimit": "7\n"}
    assert read_kattis(tmp_path, texts).time_s == 3
    (tmp_path / "domjudge-problem.ini").write_text("name = x\n")
    assert read_package(tmp_path).time_s == 7


@pytest.mark.parametrize("name", DMOJ_CHECKERS)
def test_every_checker_of_dmojs_judge_is_read(name: str, tmp_path: Path) -> None:
    init = f"checker: {name}\ntest_cases:\n- {{in: 1.in, out: 1.out}}\n"
    assert read_package(write_files(tmp_path, {**CASE, "init.yml": init})).tests


def test_dmojs_sorted_may_split_on_white_space(tmp_path: Path) -> None:
    init = "checker: {name: sorted, args: {split_on: whitespace}}\ntest_cases:\n- {in: 1.in}\n"
    package = read_package(write_files(tmp_path, {"init.yml": init, "1.in": ""}))
    assert package.checker == {"name": "unordered_tokens"}


LINES = "a\nb\nc\n"


@pytest.mark.parametrize(
    ("checker", "expected", "output", "score"),
    [
        ("rstripped", LINES, "a  \nb\nc\t\n", 1),
        ("rstripped", LINES, "a\n\nb\nc\n", 0),
        ("{name: rstripped, args: {filter_new_line: true}}", LINES, "a\n\nb\nc\n", 1),
        ("rstripped", LINES, " a\nb\nc\n", 0),
        ("{name: linematches, args: {point_distribution: [1, 2, 1]}}", LINES, LINES, 1),
        ("{name: linematches, args: {point_distribution: [1, 2, 1]}}", LINES, "a\nb\nx\n", 0.75),
        ("{name: linematches, args: {point_distribution: [1, 2, 1]}}", LINES, "a\nb\n", 0),
        ("{name: linematches, args: {point_distribution: [1, 2, 1], filler_lines_required: false}}",
         LINES, "a\nb\n", 0.75),
        ("floats", "1.5 a\n2\n", "1.5000001 a\n\n2.0\n", 1),
        ("floats", "1.5 a\n2\n", "1.5 a 2\n", 0),
        ("floats", "1.5 a\n2\n", "1.5 A\n2\n", 0),
        ("floats", "2\n", "2.0000001\n", 1),
        ("floats", "nan\n", "nan\n", 0),
        ("{name: floats, args: {precision: 3}}", "1000\n", "1000.9\n", 1),
        ("{name: floatsabs, args: {precision: 3}}", "1000\n", "1000.9\n", 0),
        ("{name: floatsrel, args: {precision: 3}}", "0\n", "0.0001\n", 0),
        ("easy", "\xa0b\n", "B\xa0\n", 1),
        ("easy", "a\n", "a\xa0\n", 0),
        ("easy", "Yes No", "on\nyES", 1),
        ("easy", "Yes No", "yes", 0),
        ("linecount", "1\n2\n3\n4", " 1\n\n2 \n0\n4", 0.75),
        ("linecount", "1\n2", "1\n2\n3", 0),
        ("linecount", "1\n2", "1\n2\n", 1),
        ("sorted", "1 2\n3 4", "3  4\n\n1 2", 1),
        ("sorted", "1 2\n3 4", "2 1\n3 4", 0),
    ],
)  # fmt: skip
def test_checkers_of_dmoj_score_outputs_as_it_does(
    checker: str, expected: str, output: str, score: float, tmp_path: Path
) -> None:
    init = f"checker: {checker}\ntest_cases:\n- {{in: 1.in, out: 1.out, points: 8}}\n"
    package = read_package(write_files(tmp_path, {"init.yml": init, "1.in": "", "1.out": expected}))
    assert isinstance(package.checker, CheckerProgram)
    names: dict[str, Any] = {}
    exec(package.checker.source, names)
    assert float(names["check"]("", output, expected)) == score


@pytest.mark.parametrize(
    ("output", "verdict"),
    [("1 2\n3\n", "AC"), ("  1   2 \r\n\n3", "AC"), ("1 2 3\n", "WA"), ("1\n2 3\n", "WA"),
     ("1.0 2\n3\n", "WA")],
)  # fmt: skip
@pytest.mark.parametrize("checker", ["", "checker: standard\n"])
def test_dmojs_standard_checker_tells_line_ends_from_spaces(
    checker: str, output: str, verdict: str, tmp_path: Path
) -> None:
    init = f"{checker}test_cases:\n- {{in: 1.in, out: 1.out}}\n"
    files = {"init.yml": init, "1.in": "", "1.out": "1 2\n3\n"}
    problem = problem_from(make_row(read_package(write_files(tmp_path, files))))
    assert judge(f"print({output!r}, end='')", problem).verdict == verdict


COCI = """
#include <cstdio>
int main(int, char **argv) {
    int got = 0;
    if (fscanf(fopen(argv[2], "r"), "%d", &got) != 1) return 1;
    fprintf(stderr, "partial %d/4\\n", got);
    return 7;
}
"""


@pytest.mark.slow
def test_a_checker_of_the_type_coci_gives_a_share_of_the_points(tmp_path: Path) -> None:
    init = (
        "checker: {name: bridged, args: {files: c.cpp, lang: CPP17, type: coci}}\n"
        "test_cases:\n- {in: 1.in, out: 1.out, points: 8}\n"
    )
    files = {**CASE, "init.yml": init, "c.cpp": COCI}
    problem = problem_from(make_row(read_package(write_files(tmp_path, files))))
    judgements = [judge(f"print({got})", problem) for got in (4, 3, 5, "'x'")]
    results = [(judgement.verdict, judgement.points) for judgement in judgements]
    assert results == [("AC", 8), ("WA", 6), ("WA", 0), ("WA", 0)]


# testlib, checkers.
TESTLIB_CHECKERS = ("acmp", "caseicmp", "casencmp", "casewcmp", "dcmp", "fcmp", "hcmp", "icmp",
                    "lcmp", "ncmp", "nyesno", "rcmp", "rcmp4", "rcmp6", "rcmp9", "rncmp", "uncmp",
                    "wcmp", "yesno")  # fmt: skip


@pytest.mark.parametrize("name", [*TESTLIB_CHECKERS, "pointscmp", "pointsinfo"])
def test_testlibs_checkers_are_comparers_but_for_those_that_give_points(
    name: str, tmp_path: Path
) -> None:
    xml = (
        "<problem><judging><testset name='tests'>"
        "<input-path-pattern>tests/%02d</input-path-pattern><answer-path-pattern>tests/%02d.a</answer-path-pattern><tests><test/></tests></testset>"
        f"</judging><assets><checker name='std::{name}.cpp' type='testlib'>"
        "<source path='check.cpp' type='cpp.g++17'/></checker></assets></problem>"
    )
    files = {
        "problem.xml": xml,
        "tests/01": "",
        "tests/01.a": "1\n",
        "check.cpp": "// its source\n",
    }
    checker = read_package(write_files(tmp_path, files)).checker
    assert checker is not None
    source_or_name = checker.source if isinstance(checker, CheckerProgram) else checker["name"]
    assert source_or_name == (name if name in TESTLIB_CHECKERS else "// its source\n")


def test_pretests_come_first_and_give_no_points(tmp_path: Path) -> None:
    init = (
        "pretest_test_cases:\n- {in: 1.in, out: 1.out, points: 5}\n"
        "- {batched: [{in: 2.in, out: 1.out}]}\n"
        "test_cases:\n- {in: 3.in, out: 1.out, points: 9}\n"
    )
    inputs = {f"{n}.in": f"{n}\n" for n in (1, 2, 3)}
    package = read_package(write_files(tmp_path, {"init.yml": init, "1.out": "0\n", **inputs}))
    assert [test.input for test in package.tests] == ["1\n", "2\n", "3\n"]
    assert [group.points for group in package.groups] == [0, 0, 9]
    assert package.groups[-1].requires == ("case 1", "batch 1")


def test_files_of_tests_are_found_as_dmojs_judge_finds_them(tmp_path: Path) -> None:
    names = ["DATA.IN1", "data.in2", "prob.3a.in1", "prob.3a.in2"]
    texts = {f"tests/{name}": f"{name}\n" for name in names}
    texts |= {f"tests/{re.sub('in', 'out', name, flags=re.I)}": "x\n" for name in names}
    package = read_package(write_files(tmp_path, {"init.yml": "points: 4\n", **texts}))
    assert [(test.input.strip(), test.group, test.output) for test in package.tests] == [
        ("DATA.IN1", "", "x\n"),
        ("data.in2", "", "x\n"),
        ("prob.3a.in1", "3", "x\n"),
        ("prob.3a.in2", "3", "x\n"),
    ]
    assert [group.points for group in package.groups] == [4, 4, 4]


def test_batches_and_cases_may_be_called_by_letters(tmp_path: Path) -> None:
    init = (
        r"test_cases: {input_format: '^(?P<batch>[a-z])(?P<case>\w)\.in$', "
        r"output_format: '^(?P<batch>[a-z])(?P<case>\w)\.out$', case_points: [1, 2]}"
    )
    texts = {f"{name}.{end}": f"{name}\n" for name in ("ax", "a2", "by") for end in ("in", "out")}
    package = read_package(write_files(tmp_path, {"init.yml": init, **texts}))
    assert [test.input.strip() for test in package.tests] == ["ax", "a2", "by"]
    assert [group.points for group in package.groups] == [1, 2]


@pytest.mark.parametrize(
    ("init", "reason"),
    [
        ("symlinks: {a: b}\n", "symlinks"),
        ("checker: {name: bridged, args: {files: c.cpp, flags: [-DX]}}\n", "flags"),
        ("checker: {name: floats, args: {error_mode: sloppy}}\n", "error_mode"),
        ("checker: {name: sorted, args: {split_on: words}}\n", "split_on"),
        ("checker: {name: bridged, args: {files: c.cpp, type: peg}}\n", "peg: give it testlib's"),
        ("checker: nosuch\n", "checker nosuch is none of DMOJ's: bridged, easy"),
        ("checker: {name: rstripped, args: {match: x}}\n", "match"),
        ("checker: {name: linecount, args: {match: 'lambda a, b: a < b'}}\n", "linecount"),
    ],
)
def test_what_changes_verdicts_and_is_not_done_is_named(
    init: str, reason: str, tmp_path: Path
) -> None:
    cases = "test_cases:\n- {in: 1.in, out: 1.out}\n"
    files = {**CASE, "c.cpp": "int main() {}\n", "init.yml": init + cases}
    with pytest.raises(PackageError, match=reason):
        read_package(write_files(tmp_path, files))


INTERACTOR = """
#include <cstdio>
int main(int argc, char **argv) {
    int got = 0, answer = 1;
    FILE *file = fopen(argv[2], "r");
    if (!file || fscanf(file, "%d", &answer) != 1) return 3;
    return scanf("%d", &got) == 1 && got == answer ? 0 : 1;
}
"""


@pytest.mark.slow
def test_an_interactor_of_the_type_default_gets_the_answer_second(tmp_path: Path) -> None:
    init = "interactive: {files: i.cpp}\ntest_cases:\n- {in: 1.in, out: 1.out}\n"
    files = {"init.yml": init, "i.cpp": INTERACTOR, "1.in": "7\n", "1.out": "42\n"}
    problem = problem_from(make_row(read_package(write_files(tmp_path, files))))
    verdicts = [judge(code, problem).verdict for code in ("print(42)", "print(7)")]
    assert verdicts == ["AC", "WA"]
