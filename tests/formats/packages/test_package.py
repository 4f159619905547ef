"""Packages of every format are read into one record, which keeps what a row leaves out."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from microcoder_eval.formats import problem_from
from microcoder_eval.formats.packages import PackageError, make_row, read_package
from microcoder_eval.formats.packages.package import CheckerProgram, Requirement
from microcoder_eval.points import CaseOutcome, score_groups
from tests.files import write_files

pytest.importorskip("yaml", reason="yaml is missing: pip install '.[data]'")

POLYGON = (
    '<problem><judging><testset name="tests"><input-path-pattern>%d</input-path-pattern>'
    '<tests><test sample="true"/><test group="2"/></tests></testset></judging></problem>'
)
TWO = dict.fromkeys(["1", "2", "tests/01.a", "tests/02.a"], "")
CHECKER = CheckerProgram("", "python", "kattis", "a.py")
DMOJ = "test_cases:\n- {points: 1}\n- {in: '1'}\n- batched: [{in: '2'}, {in: '1'}]\n"


def test_kattis_tests_know_their_group_and_files_to_include(tmp_path: Path) -> None:
    names = ("data/sample/1.in", "data/secret/easy/2.in", "include/cpp/grader.h")
    files = {"problem.yaml": "name: x", **dict.fromkeys(names, "")}
    problem = read_package(write_files(tmp_path, files))
    assert [(test.group, test.is_sample) for test in problem.tests] == [
        ("sample", True), ("secret/easy", False),
    ]  # fmt: skip
    assert problem.includes == {"cpp": {"grader.h": ""}}


def test_polygon_tests_know_their_group(tmp_path: Path) -> None:
    problem = read_package(write_files(tmp_path, {"problem.xml": POLYGON, **TWO}))
    assert [(test.group, test.is_sample) for test in problem.tests] == [("", True), ("2", False)]


def test_polygon_tests_have_no_line_ends_of_windows(tmp_path: Path) -> None:
    folder = write_files(tmp_path, {"problem.xml": POLYGON, **TWO})
    (folder / "1").write_bytes(b"1\r\n2\r\n")
    (folder / "tests/01.a").write_bytes(b"3\r\n")
    test = read_package(folder).tests[0]
    assert (test.input, test.output) == ("1\n2\n", "3\n")


def test_a_checker_may_need_no_answers_but_none_may_be_missing(tmp_path: Path) -> None:
    files = {"problem.yaml": "validation: custom", "output_validators/v.py": "import sys"}
    folder = write_files(tmp_path, {**files, "data/secret/1.in": "", "data/secret/2.in": ""})
    assert len(make_row(read_package(folder))["tests"]) == 2
    (folder / "data/secret/1.ans").write_text("")
    with pytest.raises(PackageError, match="the test secret/2 has no expected output"):
        make_row(read_package(folder))


def test_a_polygon_package_has_the_title_of_its_statement(tmp_path: Path) -> None:
    names = "".join(
        f'<name language="{language}" value="{title}"/>'
        for language, title in (("slovak", "Súčet"), ("slovene", "Vsota"))
    )
    text = {"statements/slovene/problem-properties.json": '{"legend": "Seštej."}'}
    xml = POLYGON.replace("<judging>", f"<names>{names}</names><judging>")
    problem = read_package(write_files(tmp_path, {"problem.xml": xml, **TWO, **text}))
    assert (problem.title, problem.statement) == ("Vsota", "Seštej.")


def test_a_polygon_package_without_an_answer_is_refused(tmp_path: Path) -> None:
    folder = write_files(tmp_path, {"problem.xml": POLYGON, **TWO})
    (folder / "tests/02.a").unlink()
    with pytest.raises(PackageError, match="test 2 has no answer: export it"):
        read_package(folder)
    row = make_row(replace(read_package(folder, allows_samples=True), interactor=CHECKER))
    assert "output" not in row["tests"][1], "verify makes it"


def test_polygon_groups_have_the_points_of_their_tests(tmp_path: Path) -> None:
    tests = (
        '<tests><test group="0" points="0"/><test group="1" points="30.0"/>'
        '<test group="1" points="10"/><test group="2" points="25"/><test group="2" points="35"/>'
        '</tests><groups><group name="0" points-policy="complete-group"/>'
        '<group name="1" points-policy="complete-group"><dependencies><dependency group="0"/>'
        '</dependencies></group><group name="2" points-policy="each-test"/></groups>'
    )
    xml = POLYGON.replace('<tests><test sample="true"/><test group="2"/></tests>', tests)
    names = [name for number in range(1, 6) for name in (f"{number}", f"tests/0{number}.a")]
    files = {"problem.xml": xml, **dict.fromkeys(names, "")}
    package = read_package(write_files(tmp_path, files))
    problem = problem_from({**make_row(package), "problem_id": "p"})
    accepted, failed = CaseOutcome(True), CaseOutcome(False)

    def score(*fails: int) -> float | None:
        outcomes = [failed if number in fails else accepted for number in range(5)]
        return score_groups(problem.groups, outcomes).points

    assert [score(), score(2), score(3), score(0), score(1, 4)] == [100, 60, 75, 60, 25]


def test_a_rule_of_submissions_yaml_adds_to_that_of_its_folder(tmp_path: Path) -> None:
    rules = {"accepted/b.py": {"permitted": ["AC", "WA"]}, "wrong_answer": {"permitted": ["TLE"]}}
    files = {f"submissions/{name}/b.py": "" for name in ("accepted", "wrong_answer", "wrong_answr")}
    files |= {"problem.yaml": "name: x", "data/secret/1.in": "", "data/secret/1.ans": ""}
    files["submissions/submissions.yaml"] = json.dumps(rules)
    submissions = read_package(write_files(tmp_path, files)).submissions
    assert [one.expected for one in submissions][:2] == [("AC",), ("TLE",)]
    assert submissions[2].declared.endswith('(declares no verdict; did you mean "wrong_answer"?)')


RULES = """\
mixed/half.py:
  sample: {permitted: [AC]}
  secret/*-hard: {permitted: [AC, TLE], required: [TLE]}
mixed: {required: [AC]}
time_limit_exceeded: {permitted: [AC, WA, TLE]}
"""


def test_what_submissions_yaml_says_of_tests_and_groups_is_read(tmp_path: Path) -> None:
    names = ("mixed/half.py", "time_limit_exceeded/slow.py")
    files = {f"submissions/{name}": "" for name in names}
    files |= {"problem.yaml": "name: x", "data/secret/1.in": "", "data/secret/1.ans": ""}
    files["submissions/submissions.yaml"] = RULES
    half, slow = read_package(write_files(tmp_path, files)).submissions
    assert half.requirements == (
        Requirement("sample", permitted=("AC",)),
        Requirement("secret/*-hard", ("AC", "TLE"), ("TLE",)),
        Requirement("", required=("AC",)),
    )
    assert "AC" not in half.expected
    assert "WA" in half.expected
    # Its own folder's default, as the rule does not say what is required.
    assert slow.requirements == (Requirement("", ("AC", "WA", "OLE", "TLE"), ("TLE",)),)
    assert sorted(slow.expected) == ["OLE", "TLE", "WA"]


def test_unknown_keys_of_problem_yaml_are_warned_of(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    text = "name: x\nvalidaton: custom\nuuid: 1\nlimits: {time_limt: 2, memory: 64, output: 8}\n"
    files = {"problem.yaml": text, "data/secret/1.in": "", "data/secret/1.ans": ""}
    read_package(write_files(tmp_path, files))
    messages = [record.getMessage().partition("problem.yaml: ")[2] for record in caplog.records]
    assert messages == [
        'validaton is not read; did you mean "validation"?',
        'limits: time_limt is not read; did you mean "time_limit"?',
    ]


def test_a_folder_of_python_starts_in_its_main_module(tmp_path: Path) -> None:
    names = ("__init__.py", "__main__.py", "helper.py")
    files = {f"output_validator/{name}": "import sys" for name in names}
    files |= {"data/secret/1.in": "", "data/secret/1.ans": ""}
    files["problem.yaml"] = "problem_format_version: 2025-09\nname: x\n"
    checker = read_package(write_files(tmp_path, files)).checker
    assert isinstance(checker, CheckerProgram)
    assert (checker.file, sorted(checker.files)) == ("__main__.py", ["__init__.py", "helper.py"])


def test_polygon_tags_say_what_a_submission_may_get(tmp_path: Path) -> None:
    tags = ("main", "rejected", "time-limit-exceeded-or-accepted", "do-not-run")
    solutions = "".join(
        f'<solution tag="{tag}"><source path="{tag}.py"/></solution>' for tag in tags
    )
    assets = f"<assets><solutions>{solutions}</solutions></assets></problem>"
    xml = POLYGON.replace("</problem>", assets)
    files = {"problem.xml": xml, **TWO, **{f"{tag}.py": "" for tag in tags}}
    problem = read_package(write_files(tmp_path, files))
    assert [(one.declared, one.verdict, one.expected) for one in problem.submissions] == [
        ("main", "AC", ("AC",)),
        ("rejected", "WA", ("WA", "TLE", "RE", "MLE", "OLE")),
        ("time-limit-exceeded-or-accepted", "unknown", ("AC", "TLE")),
    ]


def test_dmoj_tests_know_their_batch(tmp_path: Path) -> None:
    problem = read_package(write_files(tmp_path, {"init.yml": DMOJ, **TWO}))
    assert [test.group for test in problem.tests] == ["", "", "3", "3"]


def test_a_row_has_no_key_for_what_a_package_does_not_declare(tmp_path: Path) -> None:
    row = make_row(read_package(write_files(tmp_path, {"init.yml": DMOJ, **TWO})))
    keys = {"problem_id", "kind", "origin", "platform", "tests", "groups", "checker"}
    assert row.keys() == keys  # DMOJ's default checker is no other format's
    assert row["tests"][0] == {"input": ""}


@pytest.mark.parametrize("value", ["a 1", "[a, '1']", "{name: check, flags: a 1}"])
def test_flags_are_a_text_a_list_or_the_flags_of_a_named_validator(
    value: str, tmp_path: Path
) -> None:
    files = {
        "problem.yaml": "validation: custom",
        "data/testdata.yaml": f"output_validator_flags: {value}",
        "data/secret/1.in": "",
        "output_validators/check.py": "",
    }
    (test,) = read_package(write_files(tmp_path, files)).tests
    assert test.checker_args == ("a", "1")
