"""Constants of problem.yaml are filled in where the format says so, and nowhere else."""

from __future__ import annotations

from pathlib import Path

import pytest

from microcoder_eval.formats.packages import PackageError, read_package
from tests.commands import write_files

pytest.importorskip("yaml", reason="yaml is missing: install microcoder[data]")

YAML = """
problem_format_version: 2025-09
name: x
constants: {LIMIT: 7, WORD: good}
"""
FILES = {
    "data/secret/1.in": "{{LIMIT}}\n",
    "data/secret/1.ans": "{{WORD}}\n",
    "data/secret/1.yaml": "output_validator_args: ['{{LIMIT}}']",
    "output_validator/check.py": "print('{{WORD}}', '{{OTHER}}', '{{ WORD }}')",
    "include/python3/main.py": "N = {{LIMIT}}",
    "submissions/accepted/a.py": "n = {{LIMIT}}",
    "statement/problem.en.md": "At most {{LIMIT}}.",
}


def write(folder: Path, yaml: str) -> Path:
    return write_files(folder, {**FILES, "problem.yaml": yaml})


def test_programs_arguments_and_statement_have_the_values(tmp_path: Path) -> None:
    package = read_package(write(tmp_path, YAML))
    assert package.checker is not None
    assert package.checker.source == "print('good', '{{OTHER}}', '{{ WORD }}')"  # type: ignore[union-attr]
    assert package.includes == {"python": {"main.py": "N = 7"}}
    assert package.submissions[0].code == "n = 7"
    assert package.statement == "At most 7."
    assert package.tests[0].checker_args == ("7",)


def test_a_constant_may_have_variants_and_stand_in_latex(tmp_path: Path) -> None:
    constants = "{LIMIT: {value: 7, tex: '7{,}0'}, WORD: good}"
    files = {
        **FILES,
        "problem.yaml": YAML.replace("{LIMIT: 7, WORD: good}", constants),
        "submissions/accepted/a.py": "n = {{LIMIT.value}}; s = '{{LIMIT.tex}} {{LIMIT.no}}'",
        "statement/problem.en.tex": r"At most \constant{LIMIT.tex}, \constant{WORD}, {{LIMIT}}.",
    }
    del files["statement/problem.en.md"]
    package = read_package(write_files(tmp_path, files))
    assert package.submissions[0].code == "n = 7; s = '7{,}0 {{LIMIT.no}}'"
    assert package.statement == r"At most 7{,}0, good, 7."
    with pytest.raises(PackageError, match='the constant LIMIT has no "value"'):
        read_package(write(tmp_path, YAML.replace("LIMIT: 7", "LIMIT: {tex: 7}")))


def test_test_data_is_as_it_is(tmp_path: Path) -> None:
    (test,) = read_package(write(tmp_path, YAML)).tests
    assert (test.input, test.output) == ("{{LIMIT}}\n", "{{WORD}}\n")


def test_constants_that_are_no_mapping_break_the_package(tmp_path: Path) -> None:
    with pytest.raises(PackageError, match="constants must be a mapping"):
        read_package(write(tmp_path, YAML.replace("{LIMIT: 7, WORD: good}", "[7]")))
