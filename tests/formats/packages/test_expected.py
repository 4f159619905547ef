"""The packages in tests/packages are read as their formats' own judges read them.

The expectations were written from the formats' specifications (tests/packages/README.md).
"""

from __future__ import annotations

import json
import re

import pytest

from microcoder_eval.formats import problem_from
from microcoder_eval.formats.packages import PackageError, make_row, read_package
from microcoder_eval.formats.packages.package import LimitRule
from microcoder_eval.formats.packages.tree import scan_tree
from tests.formats.packages.expectations import EXPECTED, PACKAGES, READ, REFUSED, VERDICTS

pytest.importorskip("yaml", reason="yaml is missing: pip install '.[data]'")

TREES = ("winteropen", "seasons")


@pytest.mark.parametrize("name", REFUSED)
def test_a_package_that_cannot_be_judged_is_refused_with_the_reason(name: str) -> None:
    with pytest.raises(PackageError) as error:
        read_package(PACKAGES / name)
    message = f"{error.value.reason} {error.value.message}".lower()
    assert any(word.lower() in message for word in EXPECTED[name]["reason_names_any_of"])


@pytest.mark.parametrize("name", READ)
def test_tests_statement_and_kind_are_read(name: str) -> None:
    expected, package = EXPECTED[name], read_package(PACKAGES / name)
    assert len(package.tests) == expected["tests"]
    if "samples" in expected:
        assert sum(test.is_sample for test in package.tests) == expected["samples"]
    assert package.title == expected.get("title")
    statement = expected.get("statement")
    if statement is None or statement["begins"] is None:
        assert package.statement is None
    else:
        plain = re.sub(r"\s+", " ", (package.statement or "").replace("&amp;", "&"))
        assert statement["begins"] in plain
    assert (package.interactor is not None) == (expected["kind"] == "interactive")
    languages = {"python": "python3"}
    assert sorted(languages.get(key, key) for key in package.includes) == expected.get(
        "grader_languages", []
    )


@pytest.mark.parametrize("name", READ)
def test_the_checker_and_its_flags_are_read(name: str) -> None:
    expected, row = EXPECTED[name]["checker"], make_row(read_package(PACKAGES / name))
    checker = row.get("interactor") or row.get("checker") or {}
    if "files" in expected and "source" in checker:
        own = {checker["file"]} if "file" in checker else set()
        names = own | checker.get("files", {}).keys()
        names = {name for name in names if name != "main.py" and not name.startswith("dmoj")}
        # A checker of one file has no name but in C++; its text is "source".
        assert sorted(names) == sorted(expected["files"]) or len(expected["files"]) == 1
    assert ("source" in checker) == (expected["kind"] not in ("default", "standard"))
    if "protocol" in expected:
        assert checker["protocol"] == "testlib"
    if isinstance(expected.get("flags"), str) and "source" in checker:
        assert " ".join(checker.get("args", [])) == expected["flags"]


@pytest.mark.parametrize("name", [name for name in READ if "flags" in EXPECTED[name]["checker"]])
def test_flags_of_groups_reach_their_tests(name: str) -> None:
    expected, package = EXPECTED[name]["checker"], read_package(PACKAGES / name)
    flags_by_group = expected.get("flags_of_groups", {})
    for test in package.tests:
        if test.checker_args is None:
            assert flags_by_group.get(test.group, expected["flags"]) == expected["flags"]
        elif test.group in flags_by_group:
            assert " ".join(test.checker_args) == flags_by_group[test.group]


@pytest.mark.parametrize("name", READ)
def test_limits_are_declared_or_have_a_rule(name: str) -> None:
    expected, package = EXPECTED[name]["limits"], read_package(PACKAGES / name)
    assert package.memory_mb == expected["memory_mb"]
    declared = expected["time_s"] or EXPECTED[name].get("may_declare_time_s")
    assert package.time_s == declared
    if declared is None and (rule := expected["derived"]):
        assert package.limit_rule == LimitRule(rule["multiplier"], rule["resolution_s"])
    # or calibrate would take a limit for one of these programs'
    assert "limits_derived" not in make_row(package)


@pytest.mark.parametrize("name", READ)
def test_submissions_keep_their_names_and_declared_verdicts(name: str) -> None:
    package, expected = read_package(PACKAGES / name), EXPECTED[name]["submissions"]
    submissions = {submission.name: submission for submission in package.submissions}
    assert submissions.keys() == expected.keys()
    for path, fields in expected.items():
        permitted = {VERDICTS.get(verdict, verdict) for verdict in fields.get("permitted", [])}
        assert permitted <= set(submissions[path].expected)
        is_partial = "partial" in path or "points" in fields
        if not is_partial:
            verdict = VERDICTS.get(fields["verdict"], fields["verdict"])
            assert verdict in submissions[path].expected


@pytest.mark.parametrize("name", READ)
def test_the_row_of_a_package_reads_as_a_problem(name: str) -> None:
    row = make_row(read_package(PACKAGES / name))
    problem = problem_from(row)
    assert len(problem.tests) == EXPECTED[name]["tests"]
    assert json.loads(json.dumps(row)) == row


@pytest.mark.parametrize("name", TREES)
def test_a_tree_names_its_problems_and_what_it_skips(name: str) -> None:
    expected = json.loads((PACKAGES / "expected" / f"{name}.json").read_text())
    tree = scan_tree(PACKAGES / name)
    assert [problem_id for problem_id, _ in tree.packages] == sorted(expected["problems"])
    assert list(tree.strays) == expected["skipped"]
