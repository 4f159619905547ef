"""Packages whose test data their own generator script has yet to make."""

from __future__ import annotations

import hashlib
import json
import shutil
import subprocess
from pathlib import Path

import pytest

from microcoder_data.check.generation import generate_tests
from microcoder_data.check.plan import GeneratedTest, TestPlan, read_plan
from microcoder_data.check.shell import list_commands
from microcoder_data.cli import main
from microcoder_eval.formats.packages import PackageError
from tests.files import read_table, write_files
from tests.judges import SharedJudge

SEEDLINGS = Path(__file__).parents[1] / "packages" / "seedlings"
WORDS = frozenset({"tc", "group"})
SCRIPTS = read_table(__file__)
UNREADABLE = {
    "a pipe": "tc a | cat",
    "a redirection": "tc a > file",
    "another command's output": "tc $(date)",
    "a sequence of another command": "tc $(seq 1 2)",
    "a division that shells round otherwise": "tc $((-7 / 2))",
    "an assignment before a command": "N=1 tc",
    "a number that no shell holds": "tc $((9223372036854775807 + 1))",
    "a variable that is not set": "tc $RANDOM",
    "a test under a condition": "if true; then\n  tc a\nfi",
    "a value under a condition": "N=1\nif true; then\n  N=2\nfi\ntc $N",
    "a list of conditions": "true && tc a",
    "a loop without its end": "for A in 1 2; do tc $A",
    "all arguments": "f() {\n tc $@\n}\nf 1 2",
    "endless functions": "f() {\n f\n}\nf",
    "loops in loops": "for A in 1; do\n" * 600 + "tc $A\n" + "done\n" * 600,
    "a text without its end": "tc 'a",
    "a loop that counts": "for ((i = 0; i < 9; i++)); do tc $i; done",
    "loops that come to nothing": "for A in {1..999}; do\nfor B in {1..999}; do\nset\ndone\ndone",
    "a number that grows": "N=99\n" + "N=$((N * N))\n" * 9,
    "a text that grows": "N=99\n" + "N=$N$N$N$N\n" * 20,
    "too many words": "tc {1..3000000}",
    "too many numbers": "tc {1..9000000000000000000}",
    "many braces": f"tc {'{1..2}' * 2000}",
    "a number of many digits": f"tc {{1..{'9' * 5000}}}",
    "braces in braces": f"tc {'{a,b}' * 2000}",
}


@pytest.mark.parametrize("script", SCRIPTS.values(), ids=SCRIPTS)
def test_a_script_is_read_as_bash_reads_it(script: str) -> None:
    prelude = "tc() { printf '%s\\t' tc \"$@\"; echo; }\n"
    bash = subprocess.run(
        ["bash", "-c", prelude + script], capture_output=True, text=True, check=True, timeout=20
    )
    commands = [command.words for command in list_commands(script, "gen.sh", WORDS)]
    assert [words for words in commands if words[0] == "tc"] == [
        tuple(line.split("\t")[:-1]) for line in bash.stdout.splitlines()
    ]


@pytest.mark.parametrize("script", UNREADABLE.values(), ids=UNREADABLE)
def test_what_needs_a_shell_is_named_by_its_line(script: str) -> None:
    with pytest.raises(PackageError, match=r"data/generator\.sh line \d+: .* is not read here"):
        list_commands(f"{script}\n", "generator.sh", WORDS)


def test_a_script_may_have_any_name(tmp_path: Path) -> None:
    shutil.copytree(SEEDLINGS, tmp_path, dirs_exist_ok=True)
    (tmp_path / "data" / "generator.sh").rename(tmp_path / "data" / "make_tests")
    assert read_plan(tmp_path) == read_plan(SEEDLINGS)


def test_a_script_says_groups_programs_and_copies_of_its_tests() -> None:
    plan = read_plan(SEEDLINGS)
    assert plan is not None
    assert [(group.name, group.points) for group in plan.groups] == [
        ("group1", "30"),
        ("group2", "50"),
        ("group3", "20"),
    ]
    tests = {test.path: test for test in plan.tests}
    test_plan = tests["secret/group2/008-same1"]
    seed = str(int(hashlib.md5(b"same1").hexdigest()[:6], 16))
    assert (test_plan.program, test_plan.arguments) == ("data/gen_same.cpp", ("40", "1", seed))
    assert tests["secret/group1/003-lonely"].source == "data/by_hand/lonely.in"
    assert tests["sample/gaps"].has_answer
    assert plan.copies["secret/group1/001-few"] == "sample/few"
    assert plan.copies["secret/group2/001-few"] == "sample/few"  # of a group that repeats it
    assert plan.copies["secret/group3/006-mixed-row-1"] == "secret/group2/006-mixed-row-1"


def test_a_script_without_points_has_no_groups(tmp_path: Path) -> None:
    lines = ". ../gen.sh", "USE_SCORING=0", "output_validator_flags close 1", "tc_manual old.in"
    plan = read_plan(write_files(tmp_path, {"data/gen.sh": "\n".join(lines), "data/old.in": ""}))
    assert plan is not None
    assert [(test.path, test.source) for test in plan.tests] == [("secret/001-old", "data/old.in")]
    assert (plan.is_scoring, plan.flags, plan.groups) == (False, "close 1", [])


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("tc nobody", "no test 'nobody'"),
        ("include_group group9", "no group 'group9'"),
        ("tc a gen_none 1", "no program 'gen_none'"),
        ("compile missing.py", "no file data/missing.py"),
        ("tc_manual ../../../secret.in", "outside the package"),
        ("tc lonely gen_row pots=1 low=1", "two tests 'lonely'"),
        ("group ../group4 10", "a group '../group4'"),
        ("group group4 ten", "with 'ten' points"),
        ("sample_manual few", "no file data/sample/few.ans"),
        ("python3 make_all.py", "the command 'python3'"),
        ("sample", "sample with 0 arguments"),
    ],
)
def test_a_line_that_fits_nothing_is_named(line: str, reason: str, tmp_path: Path) -> None:
    folder = Path(shutil.copytree(SEEDLINGS, tmp_path / "seedlings"))
    with (folder / "data/generator.sh").open("a") as script:
        script.write(f"{line}\n")
    with pytest.raises(PackageError) as error:
        read_plan(folder)
    assert reason in error.value.message


def test_a_file_that_two_groups_name_is_one_test(tmp_path: Path) -> None:
    lines = ". ../gen.sh", "group a 1", "tc_manual old.in", "group b 2", "tc_manual old.in"
    plan = read_plan(write_files(tmp_path, {"data/gen.sh": "\n".join(lines), "data/old.in": ""}))
    assert plan is not None
    assert [test.path for test in plan.tests] == ["secret/a/001-old"]
    assert plan.copies == {"secret/b/001-old": "secret/a/001-old"}


def test_a_script_of_another_kind_is_named_by_its_first_work(tmp_path: Path) -> None:
    folder = write_files(tmp_path, {"data/make.sh": "echo tests\npython3 make.py\n"})
    with pytest.raises(PackageError, match="line 2: the command 'python3' is not read here"):
        read_plan(folder)


@pytest.mark.slow
def test_tests_are_made_and_judged(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["check", "--json", "--keep-tests", str(tmp_path), str(SEEDLINGS)]
    assert main(arguments) == 0
    (package,) = json.loads(capsys.readouterr().out)
    assert (package["tests"], package["tests_generated"], package["max_points"]) == (20, True, 100)
    points = {item["name"]: item["points"] for item in package["submissions"]}
    assert points["partially_accepted/no_gaps.py"] == 30
    assert points["partially_accepted/small.cpp"] == 80
    secret = tmp_path / "seedlings/data/secret"
    assert (secret / "group2/009-same2.in").read_text() == "40\n" + " ".join(["2"] * 40) + "\n"
    assert (secret / "group2/009-same2.ans").read_text() == "80\n"
    repeated = [secret / f"group{number}/006-mixed-row-1.in" for number in (2, 3)]
    assert repeated[0].read_bytes() == repeated[1].read_bytes()
    assert main(arguments) == 2  # they are there already
    assert "choose another folder" in capsys.readouterr().out
    # The package that was kept is a package as any other.
    assert main(["check", "--json", str(tmp_path)]) == 0
    assert json.loads(capsys.readouterr().out)[0]["tests_generated"] is False


@pytest.mark.slow
def test_a_generator_that_fails_is_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = Path(shutil.copytree(SEEDLINGS, tmp_path / "seedlings"))
    (folder / "data/gen_row.py").write_text("raise SystemExit('no row')\n")
    assert main(["check", str(tmp_path)]) == 2
    output = " ".join(capsys.readouterr().out.split())
    assert "data/gen_row.py failed: no row" in output


@pytest.mark.slow
def test_what_a_generator_prints_is_kept_to_the_byte(tmp_path: Path) -> None:
    programs = {
        "data/latin.py": "import sys\nsys.stdout.buffer.write(b'\\xe9\\n')\n",
        "solution.py": "import sys\nsys.stdout.buffer.write(sys.stdin.buffer.read() * 2)\n",
    }
    folder, copy = write_files(tmp_path / "package", programs), tmp_path / "copy"
    plan = TestPlan(False, "solution.py", [GeneratedTest("secret/1", "data/latin.py")])
    with SharedJudge() as judge:
        generate_tests(judge, folder, copy, plan)
    assert (copy / "data/secret/1.in").read_bytes() == b"\xe9\n"
    assert (copy / "data/secret/1.ans").read_bytes() == b"\xe9\n\xe9\n"
