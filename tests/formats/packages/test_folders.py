"""Folders of packages are read wherever files of problems are; their small faults."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from microcoder_data.decontaminate.index import read_index
from microcoder_data.recipe import Decontaminate
from microcoder_data.source_files import find_sources
from microcoder_eval import DataError, Judge, judge
from microcoder_eval.cli import main
from microcoder_eval.formats import open_problems
from microcoder_eval.formats.packages import PackageError, read_package
from microcoder_eval.formats.packages.package import LimitRule
from tests.files import write_files
from tests.formats.packages.expectations import PACKAGES

LFS_POINTER = "version https://git-lfs.github.com/spec/v1\noid sha256:00ff\nsize 12345\n"
pytest.importorskip("yaml", reason="yaml is missing: pip install '.[data]'")


def test_a_tree_of_packages_is_a_set_of_problems() -> None:
    with open_problems(PACKAGES / "seasons") as problems:
        assert problems.ids == ["autumn/a", "autumn/b", "spring/a", "spring/b"]
        assert not problems.bad
        assert problems.get("spring/b").meta["origin"] == "package:spring/b"
        assert problems.get("spring/b").limits.memory_mb == 2048


def test_a_package_that_cannot_be_used_is_named_and_the_others_are_read() -> None:
    with open_problems(PACKAGES / "winteropen") as problems:
        assert problems.ids == ["apples", "bridge"]
        assert [line.reason for line in problems.bad] == ["drafts/clouds: there is no folder data"]
        assert problems.explain_absence("drafts/clouds") == (
            'problem "drafts/clouds" is not usable: there is no folder data (line 3)'
        )


def test_the_judge_takes_a_package_for_its_tests() -> None:
    program = {"code": "a, b = map(int, input().split())\nprint(a + b)"}
    judgement = judge(program, PACKAGES / "seasons", problem_id="spring/a")
    assert judgement.verdict == "AC"
    with Judge(workers=1) as pool, pytest.raises(ValueError, match="holds 4 problems"):
        pool.judge(program, PACKAGES / "seasons")


def test_convert_writes_the_problems_of_a_folder(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "out.jsonl"
    assert main(["convert", str(PACKAGES / "seasons"), "--to", "native", "-o", str(out)]) == 0
    rows = [json.loads(line) for line in out.read_text().splitlines()]
    assert [row["problem_id"] for row in rows] == ["autumn/a", "autumn/b", "spring/a", "spring/b"]
    assert "4 problems" in capsys.readouterr().err


def test_inputs_with_equal_ids_are_told_apart_by_their_contest(tmp_path: Path) -> None:
    for season in ("spring", "autumn"):
        shutil.copytree(PACKAGES / "seasons" / season, tmp_path / season)
    sources = find_sources([str(tmp_path / "spring"), str(tmp_path / "autumn")])
    assert [source.label for source in sources] == ["spring/a", "spring/b", "autumn/a", "autumn/b"]
    [single] = find_sources([str(tmp_path / "spring" / "a")])
    assert single.label == "a"


def test_what_holds_no_package_is_told_once(caplog: pytest.LogCaptureFixture) -> None:
    sources = find_sources([str(PACKAGES / "winteropen")])
    assert [source.label for source in sources] == ["apples", "bridge", "drafts/clouds"]
    [record] = caplog.records
    assert "7 entries without a package were skipped: .jury, Makefile, " in record.getMessage()


def test_beside_packages_no_other_file_is_read(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    shutil.copytree(PACKAGES / "seasons", tmp_path, dirs_exist_ok=True)
    (tmp_path / "teams.csv").write_text("email,name\n")
    (tmp_path / "autumn" / "package-lock.json").write_text("{}")
    sources = find_sources([str(tmp_path)])
    assert {source.is_package for source in sources} == {True}
    [record] = caplog.records
    assert "skipped: autumn/package-lock.json, teams.csv" in record.getMessage()


def test_an_unusable_package_of_an_evaluation_is_no_empty_problem() -> None:
    index, unreadable = read_index(Decontaminate(against=(str(PACKAGES / "winteropen"),)), 1024)
    assert [problem.name for problem in index.problems] == ["apples", "bridge"]
    assert unreadable == ["drafts/clouds: there is no folder data"]
    with pytest.raises(DataError, match="no problem to compare with"):
        read_index(Decontaminate(against=(str(PACKAGES / "winteropen" / "drafts"),)), 1024)


def test_a_folder_with_no_package_says_what_it_looked_for(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="is a folder without packages"):
        open_problems(tmp_path)


@pytest.mark.parametrize(
    ("texts", "reason"),
    [
        ({"problem.yaml": "", "data/secret/1.in": LFS_POINTER, "data/secret/1.ans": "1\n"},
         "1.in is a pointer of Git LFS"),
        ({"init.yml": "checker: {name: floats, args: {precision: many}}\n"}, "precision"),
        ({"init.yml": "checker: {name: floats, args: 6}\n"}, "args of the checker floats"),
        ({"init.yml": "checker: {name: bridged, args: {files: no.cpp}}\n"}, "no file no.cpp"),
        (
            {"problem.xml": '<problem><judging><testset name="tests">'
             "<test-count>many</test-count></testset></judging></problem>"},
            "test-count of problem.xml must be a number",
        ),
        (
            {"problem.yaml": "validation: custom\n", "data/secret/1.in": "",
             "output_validators/a.py": "import sys", "output_validators/b.py": "import sys"},
            "there are several programs as the output validator (a.py, b.py)",
        ),
        ({"problem.yaml": "name: x\nlimits: {memory: 5k}\n"}, "limits: memory is '5k', not a"),
        ({"problem.yaml": "limits: 2\n"}, "limits is 2, not a mapping"),
        ({"problem.yaml": "name: x\na: b: c\n"}, "problem.yaml, line 2 is not YAML"),
        ({"problem.yaml": "a: 2026-02-30\n"}, "problem.yaml is not YAML: day is out of range"),
        ({"problem.yaml": f"a: {'[' * 1500}\n"}, "problem.yaml is not YAML: maximum recursion"),
        (
            {"problem.yaml": f"limits: {{validation_passes: {'9' * 400}}}\n"},
            "validation_passes is 999",
        ),
        ({"problem.yaml": "name: x\n", "data/secret/a.txt": ""}, "there is no test where"),
        (
            {"problem.yaml": "validation: custom\n", "data/secret/1.in": "",
             "output_validators/v.rs": "fn main() {}"},
            "the output validator v.rs is in another language",
        ),
        (
            {"problem.yaml": "", "data/secret/1.in": "",
             "data/testdata.yaml": "output_validator_flags: float_tolerance much\n"},
            "float_tolerance needs a number",
        ),
        (
            {"problem.yaml": "problem_format_version: 2023-07-draft\n", "data/secret/1.in": "",
             "data/secret/1.args": "-v"},
            "data/secret/1.args gives submissions a command line",
        ),
        (
            {"problem.yaml": "", "data/secret/1.in": "", "data/secret/1.ans": "",
             "data/secret/a/2.ans": ""},
            "data/secret/a/2.ans is the answer of a test whose input is missing",
        ),
    ],
)  # fmt: skip
def test_a_package_that_asks_for_the_impossible_says_so(
    texts: dict[str, str], reason: str, tmp_path: Path
) -> None:
    with pytest.raises(PackageError) as error:
        read_package(write_files(tmp_path, texts))
    assert reason in error.value.message


def test_a_limit_follows_from_the_slowest_accepted_program() -> None:
    rule = LimitRule(multiplier=5.0)
    assert [rule.apply(seconds) for seconds in (0.0, 0.2, 0.21, 3.0)] == [1, 1, 2, 15]
    assert LimitRule(2.0, 0.5).apply(0.6) == 1.5


def test_links_to_folders_inside_a_package_are_followed_once(tmp_path: Path) -> None:
    write_files(tmp_path, {"problem.yaml": "", "data/secret/a/1.in": "", "data/secret/a/1.ans": ""})
    (tmp_path / "data" / "secret" / "b").symlink_to("a")
    (tmp_path / "data" / "secret" / "a" / "loop").symlink_to("..")
    assert [test.name for test in read_package(tmp_path).tests] == ["secret/a/1"]


def test_a_statement_in_an_older_encoding_is_read(tmp_path: Path) -> None:
    write_files(tmp_path, {"problem.yaml": "", "data/secret/1.in": "", "data/secret/1.ans": ""})
    (tmp_path / "problem_statement").mkdir()
    (tmp_path / "problem_statement" / "problem.tex").write_bytes("Färjan".encode("latin-1"))
    assert read_package(tmp_path).statement == "Färjan"


def test_a_name_with_dots_keeps_them(tmp_path: Path) -> None:
    files = {
        "problem.yaml": "validator_flags: case_sensitive\n",
        "data/secret/1.5.in": "1",
        "data/secret/1.5.ans": "1",
        "data/secret/1.5.yaml": "output_validator_args: [x]\n",
    }
    [test] = read_package(write_files(tmp_path, files)).tests
    assert (test.name, test.output) == ("secret/1.5", "1")
    assert test.checker_args == ("case_sensitive", "x")
