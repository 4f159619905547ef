"""How packages score: testdata.yaml, test_group.yaml and init.yml as groups of tests."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from microcoder_eval.formats.packages import read_package
from microcoder_eval.formats.packages.kattis.group_settings import Settings
from microcoder_eval.formats.packages.kattis.problem_yaml import ProblemYaml
from microcoder_eval.formats.packages.kattis.reader import read_groups
from microcoder_eval.formats.packages.package import PackageError, PackageTest
from microcoder_eval.points import encode_groups
from tests.files import write_files

LEGACY = {"type": "scoring"}
FINAL = {"type": "scoring", "problem_format_version": "2025-09"}
NEW = {"type": "scoring", "problem_format_version": "2023-07-draft"}


def read(
    folder: Path, config: dict[str, Any], files: dict[str, str], groups: list[str]
) -> list[dict[str, Any]]:
    """The groups of a package with these YAML files, and one test in each of ``groups``."""
    write_files(folder / "data", files)
    tests = [PackageTest("", "", group) for group in groups]
    settings = Settings(folder / "data", {})
    return encode_groups(read_groups(settings, ProblemYaml(config), tests)[0])


def test_settings_are_inherited_and_sums_of_sums_are_flattened(tmp_path: Path) -> None:
    files = {
        "testdata.yaml": "on_reject: continue\ngrader_flags: ignore_sample",
        "secret/testdata.yaml": "grader_flags: accept_if_any_accepted sum",
        "secret/a/testdata.yaml": "accept_score: 30\ngrader_flags: min\non_reject: break",
        "secret/b/testdata.yaml": "accept_score: 5",
    }
    tests = ["sample", "secret/a", "secret/a", "secret/b", "secret/b"]
    assert read(tmp_path, LEGACY, files, tests)[1:] == [
        {"name": "secret/a", "tests": [1, 2], "points": 30.0, "on_fail": "stop"},
        # b inherits the flags of secret.
        {"name": "secret/b", "tests": [3, 4], "points": 10.0, "aggregation": "sum"},
    ]


def test_a_sample_that_is_not_ignored_decides_with_the_secret_tests(tmp_path: Path) -> None:
    files = {"sample/testdata.yaml": "accept_score: 0", "secret/testdata.yaml": "accept_score: 7"}
    (root,) = read(tmp_path, LEGACY, files, ["sample", "secret", "secret"])
    assert (root["name"], root["accept"], root["on_fail"]) == ("data", "all", "stop")
    sample, secret = root["groups"]
    assert (sample["points"], secret["points"], secret["aggregation"]) == (0, 14, "sum")


def test_problem_yaml_overrides_every_group(tmp_path: Path) -> None:
    grading = {"on_reject": "grade", "accept_score": 4, "objective": "min", "range": "3 90"}
    config = {**LEGACY, "validation": "custom score", "grading": grading}
    files = {"testdata.yaml": "grader_flags: ignore_sample"}
    (secret,) = read(tmp_path, config, files, ["secret", "secret"])
    assert (secret["points"], secret["test_points"]) == (3, 4)
    assert "on_fail" not in secret


def test_domjudge_gives_a_group_its_points_as_a_whole(tmp_path: Path) -> None:
    (tmp_path / "domjudge-problem.ini").write_text("timelimit = 1\n")
    files = {
        "testdata.yaml": "on_reject: continue\ngrader_flags: sum",
        "secret/a/testdata.yaml": "accept_score: 30",
    }
    sample, secret = read(tmp_path, LEGACY, files, ["sample", "secret/a", "secret/a"])
    assert sample["points"] == 0
    assert secret == {"name": "secret/a", "tests": [1, 2], "points": 30.0}


def test_scores_that_2023_07_does_not_name_are_inferred(tmp_path: Path) -> None:
    files = {
        "secret/test_group.yaml": "scoring: {score: 90}",
        "secret/1/test_group.yaml": "scoring: {score: 10}",
        "secret/2/test_group.yaml": "scoring: {aggregation: sum, require_pass: [sample, secret/1]}",
        "secret/3/deep/test_group.yaml": "{}",
    }
    tests = ["sample", "secret/1", "secret/2", "secret/2", "secret/3/deep"]
    assert read(tmp_path, NEW, files, tests) == [
        {"name": "sample", "tests": [0], "points": 0.0},
        {"name": "secret/1", "tests": [1], "points": 10.0},
        {
            "name": "secret/2",
            "tests": [2, 3],
            "points": 40.0,
            "aggregation": "sum",
            "requires": ["sample", "secret/1"],
        },
        {"name": "secret/3", "tests": [4], "points": 40.0},
    ]


def test_the_final_format_has_its_keys_without_a_mapping(tmp_path: Path) -> None:
    files = {
        "secret/test_group.yaml": "max_score: 100\nrequire_pass: sample",
        "secret/1/test_group.yaml": "max_score: 30",
        "secret/2/test_group.yaml": "max_score: 70\nscore_aggregation: sum\nrequire_pass: secret/1",
    }
    tests = ["sample", "secret/1", "secret/2", "secret/2/deep", "secret/2/deep"]
    _, first, second = read(tmp_path, FINAL, files, tests)
    assert (first["points"], first["requires"]) == (30.0, ["sample"])
    assert (second["points"], second["aggregation"]) == (70.0, "sum")
    assert second["requires"] == ["sample", "secret/1"]
    assert second["tests"] == [2, 3, 4]  # folders below a group are no groups


def test_early_drafts_score_as_the_legacy_format_does(tmp_path: Path) -> None:
    files = {
        "testdata.yaml": "on_reject: continue\ngrader_flags: ignore_sample",
        "secret/testdata.yaml": "grader_flags: accept_if_any_accepted sum",
        "secret/1/testdata.yaml": "accept_score: 30\ngrader_flags: min",
    }
    _, first = read(tmp_path, NEW, files, ["sample", "secret/1", "secret/1"])
    assert (first["name"], first["points"]) == ("secret/1", 30.0)


def test_drafts_had_the_settings_of_groups_in_testdata_yaml(tmp_path: Path) -> None:
    files = {
        "secret/1/testdata.yaml": "grading: {score: 30}",
        "secret/2/testdata.yaml": "scoring: {score: 70}",
    }
    _, first, second = read(tmp_path, NEW, files, ["sample", "secret/1", "secret/2"])
    assert (first["points"], second["points"]) == (30.0, 70.0)


@pytest.mark.parametrize(
    ("config", "files", "message"),
    [
        (LEGACY, {"testdata.yaml": "grader_flags: median"}, "grader_flags has 'median'"),
        (
            LEGACY,
            {"secret/testdata.yaml": "accept_score: many"},
            "'many' is not a number of points",
        ),
        (
            {**LEGACY, "validation": "custom score"},
            {"secret/testdata.yaml": "range: 1"},
            "range is 1, not two",
        ),
        ({**LEGACY, "grading": {"objective": "most"}}, {}, "objective is 'most'"),
        (NEW, {"secret/test_group.yaml": "scoring: {aggregation: median}"}, "'median'"),
        (NEW, {"secret/test_group.yaml": "scoring: 3"}, "scoring must be a mapping"),
    ],
)
def test_what_cannot_be_scored_is_refused(
    tmp_path: Path, config: dict[str, Any], files: dict[str, str], message: str
) -> None:
    with pytest.raises(PackageError, match=message):
        read(tmp_path, config, files, ["sample", "secret"])


@pytest.mark.parametrize("config", [NEW, FINAL])
def test_tests_beside_groups_are_refused_where_the_format_forbids_them(
    tmp_path: Path, config: dict[str, Any]
) -> None:
    files = {"secret/test_group.yaml": "{}"}
    with pytest.raises(PackageError, match="both tests and groups, which the format forbids"):
        read(tmp_path, config, files, ["secret", "secret/1"])


def test_tests_beside_groups_are_scored_in_the_legacy_format(tmp_path: Path) -> None:
    files = {
        "testdata.yaml": "on_reject: continue\ngrader_flags: ignore_sample accept_if_any_accepted",
        "secret/1/testdata.yaml": "accept_score: 30\ngrader_flags: min",
    }
    _, test, group = read(tmp_path, LEGACY, files, ["sample", "secret", "secret/1", "secret/1"])
    assert (test["tests"], test["points"]) == ([1], 1.0)
    assert (group["tests"], group["points"]) == ([2, 3], 30.0)


def test_a_problem_that_passes_or_fails_has_no_groups(tmp_path: Path) -> None:
    settings, tests = Settings(tmp_path / "data", {}), [PackageTest("", "", "a")]
    assert read_groups(settings, ProblemYaml({"type": "pass-fail"}), tests)[0] == ()


def read_dmoj(folder: Path, text: str, *names: str) -> list[dict[str, Any]]:
    files = {"init.yml": text, **dict.fromkeys(names, "")}
    return encode_groups(read_package(write_files(folder, files)).groups)


def test_dmojs_batches_need_pretests_and_what_they_depend_on(tmp_path: Path) -> None:
    text = """
points: 3
test_cases:
- {in: a, points: 0}
- {in: b}
- {batched: [{in: c}, {in: d}], points: 10}
- {batched: [{in: e}], points: 20, dependencies: [1]}
"""
    groups = read_dmoj(tmp_path, text, *"abcde")
    assert [group["name"] for group in groups] == ["case 1", "case 2", "batch 1", "batch 2"]
    assert [group["points"] for group in groups] == [0, 3, 10, 20]
    assert [group.get("requires") for group in groups] == [
        None,
        ["case 1"],
        ["case 1"],
        ["case 1", "batch 1"],
    ]


def test_dmojs_batches_named_by_files_take_the_listed_points(tmp_path: Path) -> None:
    text = "test_cases: {case_points: [10, 20]}"
    groups = read_dmoj(tmp_path, text, "t.1.in1", "t.1.in2", "t.2.in1")
    assert [(group["tests"], group["points"]) for group in groups] == [([0, 1], 10), ([2], 20)]


def test_a_dependency_on_a_later_batch_is_refused(tmp_path: Path) -> None:
    text = "test_cases:\n- {batched: [{in: a}], dependencies: [1]}"
    with pytest.raises(PackageError, match="but no earlier batch"):
        read_dmoj(tmp_path, text, "a")
