"""What a package asks for and no program of ours does is named, never judged as something else."""

from __future__ import annotations

from pathlib import Path

import pytest

from microcoder_eval.formats.packages import read_package
from microcoder_eval.formats.packages.package import UnsupportedPackageError

BASE = {
    "problem.yaml": "problem_format_version: 2023-07-draft\nname: x\n",
    "data/secret/1.in": "1\n",
    "data/secret/1.ans": "1\n",
}
SCORING = {"problem.yaml": "name: x\ntype: scoring\n"}
STATIC = {"static_validator/check.py": "", "data/secret/test_group.yaml": "static_validation: true"}


def write_package(folder: Path, files: dict[str, str]) -> Path:
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    return folder


@pytest.mark.parametrize(
    ("files", "reason"),
    [
        (STATIC, "static_validation"),
        ({"include/cpp/run.cpp": "int main() { if (fork() == 0) play(); }"}, "starts_processes"),
        ({"include/python3/main.py": "subprocess.run(['x'])"}, "starts_processes"),
        ({"include/java/Main.java": "Process p = new ProcessBuilder(\"x\");"}, "starts_processes"),
        ({"include/rust/main.rs": "use std::process::Command;"}, "starts_processes"),
        ({**SCORING, "data/testdata.yaml": "grading: custom\ngrader_flags: bonus 5\n"},
         "custom_grader"),
    ],
)  # fmt: skip
def test_the_reason_is_named(files: dict[str, str], reason: str, tmp_path: Path) -> None:
    with pytest.raises(UnsupportedPackageError) as caught:
        read_package(write_package(tmp_path, {**BASE, **files}))
    assert reason in caught.value.reason


@pytest.mark.parametrize(
    "files",
    [
        {"static_validator/check.py": ""},  # which no group asks for
        {"include/cpp/fork.h": "int fork_road(int);  // the fork (left or right)"},
    ],
)
def test_what_only_looks_like_it_is_read(files: dict[str, str], tmp_path: Path) -> None:
    assert read_package(write_package(tmp_path, {**BASE, **files})).tests


def test_tests_that_nobody_has_generated_are_said_with_their_script(tmp_path: Path) -> None:
    files = {"data/sample/1.in": "", "data/sample/1.ans": "", "data/generator.sh": "", **SCORING}
    with pytest.raises(UnsupportedPackageError, match=r"data/generator\.sh"):
        read_package(write_package(tmp_path, files))


@pytest.mark.parametrize(
    "init",
    ["generator: gen.cpp\ntest_cases: [{points: 1}]", "test_cases: [{generator: gen.cpp}]"],
)
def test_tests_that_a_dmoj_generator_makes_are_said_to_be_missing(
    init: str, tmp_path: Path
) -> None:
    (tmp_path / "init.yml").write_text(init)
    with pytest.raises(UnsupportedPackageError, match="a generator makes the tests"):
        read_package(tmp_path)
