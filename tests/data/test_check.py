"""microcoder-data check: submissions of packages against what the packages declare."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from microcoder_data.check.agreement import find_broken_requirement
from microcoder_data.check.packages import PackageCheck, check_package
from microcoder_eval.formats.packages.package import Requirement
from microcoder_eval.records import DEFAULT_TIME_S, TestResult, Verdict
from tests.commands import Command
from tests.files import write_files
from tests.judges import SharedJudge

PACKAGES = Path(__file__).parents[1] / "packages"
pytestmark = pytest.mark.slow


Check = Callable[[int], Any]


@pytest.fixture
def check(command: Command) -> Check:
    """check(code): what checking the packages in the test's folder tells, with that exit code."""

    def call(code: int) -> Any:
        exit_code, out, err = command("check", "--json", ".")
        assert exit_code == code, err
        return json.loads(out)

    return call


def copy_package(name: str, folder: Path) -> Path:
    return Path(shutil.copytree(PACKAGES / name, folder / name))


def test_a_package_that_agrees_with_its_submissions_passes(command: Command) -> None:
    code, output, _ = command("check", PACKAGES / "stamps")
    assert code == 0
    assert "stamps: 4 tests" in output
    assert "(derived)" in output
    assert "points of 50" in output
    assert "packages: 1, submissions judged: 3, disagree: 0" in output


def test_no_line_is_folded_off_a_terminal(command: Command, tmp_path: Path) -> None:
    folder = copy_package("stamps", tmp_path) / "submissions" / "accepted"
    name = "_".join(["a_word"] * 25) + ".py"
    (folder / "round_up.py").rename(folder / name)
    assert f"accepted/{name} " in command("check", ".")[1]


def test_a_submission_in_the_wrong_folder_is_told(
    check: Check, command: Command, tmp_path: Path
) -> None:
    folder = copy_package("stamps", tmp_path) / "submissions"
    (folder / "partially_accepted" / "crash.py").rename(folder / "accepted" / "crash.py")
    (package,) = check(1)
    by_name = {item["name"]: item for item in package["submissions"]}
    assert not by_name["accepted/crash.py"]["agrees"]
    assert by_name["accepted/crash.py"]["points"] == 25
    assert by_name["accepted/round_up.py"]["agrees"]
    assert command("check", ".")[1].count("expected AC") == 1


def test_a_submission_that_is_not_to_compile_agrees_without_any_result(
    check: Check, tmp_path: Path
) -> None:
    write_files(
        copy_package("stamps", tmp_path) / "submissions", {"compiler_error/open.py": "print(("}
    )
    (package,) = check(0)
    assert [one["agrees"] for one in package["submissions"] if "open" in one["name"]] == [True]


def test_submissions_that_cannot_run_here_are_not_judged(check: Check, tmp_path: Path) -> None:
    folder = copy_package("stamps", tmp_path) / "submissions" / "accepted"
    main_file = 'require("./add")'
    write_files(folder, {"a.scala": "", "b/main.js": main_file, "b/add.js": "exports.add = 1"})
    (package,) = check(0)
    reasons = {item["name"]: item["reason"] for item in package["submissions"]}
    assert reasons["accepted/a.scala"] == "programs in scala are not supported"
    assert reasons["accepted/b"] == "programs in javascript of several files are not supported"


def test_points_are_compared_with_the_declared_range(check: Check, tmp_path: Path) -> None:
    rules = copy_package("beacons", tmp_path) / "submissions" / "submissions.yaml"
    check(0)
    rules.write_text(rules.read_text().replace("score: [60, 80]", "score: [60, 79]"))
    (package,) = check(1)
    wrong = [item["name"] for item in package["submissions"] if not item["agrees"]]
    assert wrong == ["partial/mean.py"]


SLOW = "import time\nwhile time.process_time() < 0.8:\n    pass\nprint(input())"


KATTIS = "name: x\nproblem_format_version: 2025-09\n"
SECRET = {"data/secret/1.in": "1\n", "data/secret/1.ans": "1\n"}
RULES = "submissions/submissions.yaml"


@pytest.mark.parametrize(
    ("folder", "files", "expected", "is_derived"),
    [
        ("accepted", {}, 2.0, True),
        ("time_limit_exceeded", {}, 1.0, True),
        ("wrong_answer", {}, 1.0, True),
        ("accepted", {"problem.yaml": f"{KATTIS}limits: {{time_limit: 3}}"}, 3.0, False),
    ],
)
def test_a_limit_is_derived_from_the_slowest_accepted_submission(
    tmp_path: Path, folder: str, files: dict[str, str], expected: float, is_derived: bool
) -> None:
    programs = {"accepted/fast.py": "print(input())", f"{folder}/slow.py": SLOW}
    files = {"problem.yaml": KATTIS, **SECRET} | files
    files |= {f"submissions/{name}": code for name, code in programs.items()}
    package = find_limit(tmp_path, files)
    assert package.is_derived == is_derived
    # A busy machine may take longer for the slow one.
    assert package.time_s == expected or package.time_s > expected == 2.0


def find_limit(folder: Path, files: dict[str, str]) -> PackageCheck:
    """What checking a package with these files derives."""
    with SharedJudge(workers=1) as judge:
        return check_package(judge, "x", write_files(folder, files))


def test_in_other_formats_only_right_submissions_bound_the_limit(tmp_path: Path) -> None:
    files = {
        "init.yml": "test_cases: [{in: 1.in, out: 1.out, points: 1}]\n",
        "1.in": "1\n",
        "1.out": "1\n",
        "solution.py": "print(input())",
        "tests/w/test.yml": "{source: w.py, expect: WA}",
        "tests/w/w.py": SLOW,
    }
    package = find_limit(tmp_path, files)
    assert (package.time_s, len(package.submissions)) == (1.0, 2)


def test_without_an_accepted_submission_the_limit_is_the_default(tmp_path: Path) -> None:
    files = {"problem.yaml": "name: x\n", "submissions/wrong_answer/a.py": "print(0)", **SECRET}
    package = find_limit(tmp_path, files)
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


@pytest.mark.parametrize(("number", "code"), [("2", 0), ("3", 1)])
def test_a_submission_that_fails_other_tests_than_declared_is_told(
    command: Command, tmp_path: Path, number: str, code: int
) -> None:
    files = {"problem.yaml": f"{KATTIS}limits: {{time_limit: 2}}\n"}
    for name in ("sample/1", "secret/2", "secret/3"):
        files |= {f"data/{name}.in": name[-1], f"data/{name}.ans": name[-1]}
    files["submissions/wrong_answer/w.py"] = "n = input()\nprint(0 if n == '2' else n)"
    rules = "wrong_answer/w.py: {sample: {permitted: [AC]}, secret/%s: {required: [WA]}}\n"
    write_files(tmp_path / "p", {**files, RULES: rules % number})
    exit_code, output, _ = command("check", ".")
    assert (exit_code, "there is none" in output) == (code, bool(code))


def test_what_cannot_be_used_is_named(command: Command) -> None:
    code, output, _ = command("check", PACKAGES / "answerkey")
    assert (code, "submit-answer" in output) == (2, True)
    code, _, err = command("check", ".")
    assert (code, "holds no package" in err) == (2, True)
    assert command("check", "missing")[0] == 2


# Grades of another number of groups say nothing, and no points are not partly right.
GRADES = {"WA WA WA": 0, "AC WA WA": 1, "WA RTE WA": 0, "WA WA": 1}


@pytest.mark.parametrize("grades", GRADES)
def test_what_a_program_says_of_its_groups_is_compared(
    check: Check, tmp_path: Path, grades: str
) -> None:
    """One that is wrong everywhere is among the partly right ones."""
    folder = copy_package("seedlings", tmp_path) / "submissions" / "partially_accepted"
    (folder / "nothing.py").write_text(f"# @EXPECTED_GRADES@ {grades}\nprint('nothing')\n")
    check(GRADES[grades])


SCRIPTS = {
    "generator.sh": ("#!/bin/bash\nset -e\npython3 gen.py 1 > secret/1.in\n", "line 3"),
    "gen_all.sh": ("#!/bin/bash\n\nmkdir -p secret\nfor i in 1 2; do\n./gen $i\ndone\n", "line 3"),
    "make_tests.sh": ("ls *.py | while read f; do python3 $f; done\n", "line 1"),
    "empty.sh": ("# nothing\n", "line 1"),
}


SAMPLE = {"problem.yaml": "name: x\n", "data/sample/1.in": "1\n", "data/sample/1.ans": "1\n"}


@pytest.mark.parametrize("name", SCRIPTS)
def test_a_script_that_needs_a_shell_is_refused_by_its_line(
    name: str, tmp_path: Path, command: Command
) -> None:
    text, line = SCRIPTS[name]
    write_files(tmp_path / "p", {**SAMPLE, f"data/{name}": text})
    code, output, _ = command("check", "p")
    assert code == 2
    assert f"data/{name} {line}: " in output
    assert "run the script yourself" in output
    assert "microcoder-data check" not in output


@pytest.mark.parametrize("name", ["generators/make.sh", "data/secret/gen.sh", "data/gen.rb"])
def test_samples_are_not_all_tests_where_there_is_a_generator(
    name: str, tmp_path: Path, command: Command
) -> None:
    write_files(tmp_path / "p", {**SAMPLE, name: ""})
    code, output, _ = command("check", "p")
    assert code == 2
    assert f"run the package's generator first ({name})" in output
