"""microcoder-data check: submissions of packages against what the packages declare."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from microcoder_data.check import check_package, find_broken_requirement
from microcoder_data.cli import main
from microcoder_eval.formats.packages.package import Requirement
from microcoder_eval.records import DEFAULT_TIME_S, TestResult, Verdict
from tests.commands import SharedJudge, write_files

PACKAGES = Path(__file__).parents[1] / "packages"
pytestmark = pytest.mark.slow


def check(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str]:
    code = main(["check", *arguments])
    return code, capsys.readouterr().out


def copy_package(name: str, folder: Path) -> Path:
    return Path(shutil.copytree(PACKAGES / name, folder / name))


def test_a_package_that_agrees_with_its_submissions(capsys: pytest.CaptureFixture[str]) -> None:
    code, output = check(capsys, str(PACKAGES / "stamps"))
    assert code == 0
    assert "stamps: 4 tests" in output
    assert "(derived)" in output
    assert "points of 50" in output
    assert "packages: 1, submissions judged: 3, disagree: 0" in output


def test_a_submission_in_the_wrong_folder_is_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = copy_package("stamps", tmp_path) / "submissions"
    (folder / "partially_accepted" / "crash.py").rename(folder / "accepted" / "crash.py")
    code, output = check(capsys, "--json", str(tmp_path))
    assert code == 1
    (package,) = json.loads(output)
    by_name = {item["name"]: item for item in package["submissions"]}
    assert not by_name["accepted/crash.py"]["agrees"]
    assert by_name["accepted/crash.py"]["points"] == 25
    assert by_name["accepted/round_up.py"]["agrees"]
    assert check(capsys, str(tmp_path))[1].count("expected AC") == 1


def test_submissions_that_cannot_run_here_are_not_judged(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = copy_package("stamps", tmp_path) / "submissions" / "accepted"
    main_file = 'require("./add")'
    write_files(folder, {"a.scala": "", "b/main.js": main_file, "b/add.js": "exports.add = 1"})
    code, output = check(capsys, "--json", str(tmp_path))
    assert code == 0
    (package,) = json.loads(output)
    reasons = {item["name"]: item["reason"] for item in package["submissions"]}
    assert reasons["accepted/a.scala"] == "programs in scala are not supported"
    assert reasons["accepted/b"] == "programs in javascript of several files are not supported"


def test_points_are_compared_with_the_declared_range(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rules = copy_package("beacons", tmp_path) / "submissions" / "submissions.yaml"
    assert check(capsys, str(tmp_path))[0] == 0
    rules.write_text(rules.read_text().replace("score: [60, 80]", "score: [60, 79]"))
    code, output = check(capsys, "--json", str(tmp_path))
    assert code == 1
    (package,) = json.loads(output)
    wrong = [item["name"] for item in package["submissions"] if not item["agrees"]]
    assert wrong == ["partial/mean.py"]


SLOW = "import time\nwhile time.process_time() < 0.8:\n    pass\nprint(input())"


KATTIS = "name: x\nproblem_format_version: 2025-09\n"
RULES = "submissions/submissions.yaml"


@pytest.mark.parametrize(
    ("folder", "files", "expected", "is_derived"),
    [
        ("accepted", {}, 2.0, True),
        ("time_limit_exceeded", {}, 1.0, True),
        ("wrong_answer", {"problem.yaml": "name: x\n"}, 1.0, True),
        ("accepted", {RULES: "accepted/slow.py: {use_for_time_limit: false}"}, 1.0, True),
        ("accepted", {"problem.yaml": f"{KATTIS}limits: {{time_limit: 3}}"}, 3.0, False),
    ],
)
def test_a_limit_is_derived_from_the_slowest_submission_that_may_not_be_too_slow(
    tmp_path: Path, folder: str, files: dict[str, str], expected: float, is_derived: bool
) -> None:
    programs = {"accepted/fast.py": "print(input())", f"{folder}/slow.py": SLOW}
    files = {"problem.yaml": KATTIS, "data/secret/1.in": "1\n", "data/secret/1.ans": "1\n"} | files
    files |= {f"submissions/{name}": code for name, code in programs.items()}
    with SharedJudge(workers=1) as judge:
        package = check_package(judge, "x", write_files(tmp_path, files))
    assert package.is_derived == is_derived
    # A busy machine may take longer for the slow one.
    assert package.time_s == expected or package.time_s > expected == 2.0


def test_in_other_formats_only_right_submissions_bound_the_limit(tmp_path: Path) -> None:
    files = {
        "init.yml": "test_cases: [{in: 1.in, out: 1.out, points: 1}]\n",
        "1.in": "1\n",
        "1.out": "1\n",
        "solution.py": "print(input())",
        "tests/w/test.yml": "{source: w.py, expect: WA}",
        "tests/w/w.py": SLOW,
    }
    with SharedJudge(workers=1) as judge:
        package = check_package(judge, "x", write_files(tmp_path, files))
    assert (package.time_s, len(package.submissions)) == (1.0, 2)


def test_without_an_accepted_submission_the_limit_is_the_default(tmp_path: Path) -> None:
    files = {"problem.yaml": "name: x\n", "submissions/wrong_answer/a.py": "print(0)"}
    files |= {"data/secret/1.in": "1\n", "data/secret/1.ans": "1\n"}
    with SharedJudge(workers=1) as judge:
        package = check_package(judge, "x", write_files(tmp_path, files))
    assert (package.time_s, package.is_derived) == (DEFAULT_TIME_S, False)
    assert [one.agrees for one in package.submissions] == [True]


TESTS = {"sample/1": "AC", "secret/a/1": "WA", "secret/a/2": "AC", "secret/b": "TLE"}


@pytest.mark.parametrize(
    ("requirement", "message"),
    [
        (Requirement("", required=("WA",)), None),
        (Requirement("", required=("RE", "AC")), None),
        (Requirement("", required=("RE", "MLE")), "expected a test that is RE or MLE"),
        (Requirement("", ("AC", "WA", "TLE")), None),
        (Requirement("", ("AC", "TLE")), "expected AC or TLE, and secret/a/1 is WA"),
        (Requirement("secret/a", required=("TLE",)), "secret/a: expected a test that is TLE"),
        (Requirement("secret/a", ("AC", "WA")), None),
        (Requirement("secret/{a,b}", ("AC", "WA")), "and secret/b is TLE"),
        (Requirement("*/1", ("AC",)), None),
        (Requirement("secret/c", ("AC",), ("AC",)), None),
    ],
)
def test_a_requirement_is_of_all_its_tests_or_of_one(
    requirement: Requirement, message: str | None
) -> None:
    tests = {name: TestResult(Verdict(verdict)) for name, verdict in TESTS.items()}
    broken = find_broken_requirement([requirement], tests)
    assert (message in broken) if message and broken else broken is message


def test_a_submission_that_fails_other_tests_than_declared_is_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    files = {"problem.yaml": "name: x\nproblem_format_version: 2025-09\nlimits: {time_limit: 2}\n"}
    for name in ("sample/1", "secret/2", "secret/3"):
        files |= {f"data/{name}.in": name[-1], f"data/{name}.ans": name[-1]}
    files["submissions/wrong_answer/w.py"] = "n = input()\nprint(0 if n == '2' else n)"
    rules = "wrong_answer/w.py: {sample: {permitted: [AC]}, secret/%s: {required: [WA]}}\n"
    for number, expected_code in (("2", 0), ("3", 1)):
        files["submissions/submissions.yaml"] = rules % number
        write_files(tmp_path / number / "p", files)
        code, output = check(capsys, str(tmp_path / number))
        assert code == expected_code
        assert ("there is none" in output) == bool(code)


def test_what_cannot_be_used_is_named(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    code, output = check(capsys, str(PACKAGES / "answerkey"))
    assert code == 2
    assert "submit-answer" in output
    assert main(["check", str(tmp_path)]) == 2
    assert "holds no package" in capsys.readouterr().err
    assert main(["check", str(tmp_path / "missing")]) == 2


def declare_grades(tmp_path: Path, name: str, grades: str) -> None:
    """Put a program that is wrong everywhere among the partly right ones."""
    folder = copy_package(name, tmp_path) / "submissions" / "partially_accepted"
    (folder / "nothing.py").write_text(f"# @EXPECTED_GRADES@ {grades}\nprint('nothing')\n")


@pytest.mark.parametrize(("grades", "code"), [("WA WA WA", 0), ("AC WA WA", 1), ("WA RTE WA", 0)])
def test_what_a_program_says_of_its_groups_is_compared(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], grades: str, code: int
) -> None:
    declare_grades(tmp_path, "seedlings", grades)
    assert check(capsys, str(tmp_path))[0] == code


def test_without_grades_a_program_with_no_points_is_not_partly_right(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    declare_grades(tmp_path, "seedlings", "WA WA")  # of another number of groups
    assert check(capsys, str(tmp_path))[0] == 1


SCRIPTS = {
    "generator.sh": ("#!/bin/bash\nset -e\npython3 gen.py 1 > secret/1.in\n", "line 3"),
    "gen_all.sh": ("#!/bin/bash\n\nmkdir -p secret\nfor i in 1 2; do\n./gen $i\ndone\n", "line 3"),
    "make_tests.sh": ("ls *.py | while read f; do python3 $f; done\n", "line 1"),
    "empty.sh": ("# nothing\n", "line 1"),
}


@pytest.mark.parametrize("name", SCRIPTS)
def test_a_script_that_needs_a_shell_is_refused_by_its_line(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text, line = SCRIPTS[name]
    files = {"problem.yaml": "name: x\n", "data/sample/1.in": "1\n", "data/sample/1.ans": "1\n"}
    write_files(tmp_path / "p", {**files, f"data/{name}": text})
    code, output = check(capsys, str(tmp_path / "p"))
    assert code == 2
    assert f"data/{name} {line}: " in output
    assert "run the script yourself" in output
    assert "microcoder-data check" not in output


@pytest.mark.parametrize("name", ["generators/make.sh", "data/secret/gen.sh", "data/gen.rb"])
def test_samples_are_not_all_tests_where_there_is_a_generator(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    files = {"problem.yaml": "name: x\n", "data/sample/1.in": "1\n", "data/sample/1.ans": "1\n"}
    write_files(tmp_path / "p", {**files, name: ""})
    code, output = check(capsys, str(tmp_path / "p"))
    assert code == 2
    assert f"run the package's generator first ({name})" in output
