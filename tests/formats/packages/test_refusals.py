"""What a package asks for and no program of ours does is named, never judged as something else."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from microcoder_eval.formats.packages import make_row, read_package
from microcoder_eval.formats.packages.package import PackageError
from tests.files import write_files

BASE = {
    "problem.yaml": "problem_format_version: 2023-07-draft\nname: x\n",
    "data/secret/1.in": "1\n",
    "data/secret/1.ans": "1\n",
}
SCORING = {"problem.yaml": "name: x\ntype: scoring\n"}


@pytest.mark.parametrize(
    ("files", "reason"),
    [
        ({"data/secret/test_group.yaml": "static_validation: true"}, "static_validation"),
        ({"include/cpp/run.cpp": "int main() { if (fork() == 0) play(); }"}, "starts_processes"),
        ({"include/python3/main.py": "subprocess.run(['x'])"}, "starts_processes"),
        ({"include/java/Main.java": "Process p = new ProcessBuilder(\"x\");"}, "starts_processes"),
        ({"include/rust/main.rs": "use std::process::Command;"}, "starts_processes"),
        ({**SCORING, "data/testdata.yaml": "grading: custom\ngrader_flags: bonus 5\n"},
         "custom_grader"),
        ({"data/secret/1.yaml": "args: [quick]\n"}, "test_arguments"),
        ({"data/secret/test_group.yaml": "args: [quick]\n"}, "test_arguments"),
        ({"data/secret/1.args": "quick\n"}, "test_files"),
        ({"data/secret/1.files/words.txt": "a\n"}, "test_files"),
        ({"problem.yaml": "problem_format_version: 2025-09\ntype: submit-answer\n"},
         "submit_answer"),
        ({"problem.yaml": "problem_format_version: 2025-09\nconstants: {N: 7}\n"}, "constants"),
        ({"output_validator/a.py": "", "output_validator/B.java": "class B {}"},
         "unsupported_checker"),
        ({"output_validator/a.rs": "fn main() {}"}, "unsupported_checker"),
    ],
)  # fmt: skip
def test_the_reason_is_named(files: dict[str, str], reason: str, tmp_path: Path) -> None:
    with pytest.raises(PackageError) as caught:
        read_package(write_files(tmp_path, {**BASE, **files}))
    assert reason in caught.value.reason


@pytest.mark.parametrize(
    "files",
    [
        {"static_validator/check.py": ""},  # which no group asks for
        {"data/secret/1.yaml": "args: []\nhint: none\n"},
        {"include/cpp/fork.h": "int fork_road(int);  // the fork (left or right)"},
    ],
)
def test_what_only_looks_like_it_is_read(files: dict[str, str], tmp_path: Path) -> None:
    assert read_package(write_files(tmp_path, {**BASE, **files})).tests


def test_a_refusal_names_the_file(tmp_path: Path) -> None:
    files = {"data/secret/deep/1.in": "", "data/secret/deep/1.yaml": "args: [x]"}
    with pytest.raises(PackageError, match=r"data/secret/deep/1\.yaml: args"):
        read_package(write_files(tmp_path, {**BASE, **files}))


def test_programs_may_write_files_where_the_package_says_so(tmp_path: Path) -> None:
    config = {"problem.yaml": "problem_format_version: 2025-09\nallow_file_writing: true\n"}
    row = make_row(read_package(write_files(tmp_path, {**BASE, **config})))
    assert row["limits"]["files_mb"] > 0


@pytest.mark.parametrize(
    "maker",
    ["data/generator.sh", "generators/generators.yaml", "generator/Makefile", "generator.py"],
)
def test_a_package_whose_tests_have_yet_to_be_made_is_refused(maker: str, tmp_path: Path) -> None:
    samples = {"data/sample/1.in": "", "data/sample/1.ans": "", "problem.yaml": "name: x\n"}
    with pytest.raises(PackageError, match=rf"holds no test: .*\({re.escape(maker)}\)"):
        read_package(write_files(tmp_path, {**samples, maker: ""}))


@pytest.mark.parametrize(
    "init",
    ["generator: gen.cpp\ntest_cases: [{points: 1}]", "test_cases: [{generator: gen.cpp}]"],
)
def test_tests_that_a_dmoj_generator_makes_are_said_to_be_missing(
    init: str, tmp_path: Path
) -> None:
    (tmp_path / "init.yml").write_text(init)
    with pytest.raises(PackageError, match="a generator makes the tests"):
        read_package(tmp_path)
