"""Validators with build or run scripts: nothing here runs scripts, but one in Python."""

from __future__ import annotations

from pathlib import Path

import pytest

from microcoder_eval.formats.packages.package import UnsupportedPackageError
from microcoder_eval.formats.packages.programs import read_checker
from tests.commands import write_files

CPP = "int main() { return 42; }\n"


def test_a_run_script_in_python_is_the_validator(tmp_path: Path) -> None:
    script = "#!/usr/bin/env python3\nimport rules\nrules.judge()\n"
    files = {"run": script, "rules.py": "def judge(): raise SystemExit(42)\n"}
    checker = read_checker([write_files(tmp_path / "check", files)], "kattis")
    assert (checker.language, checker.source) == ("python", script)
    assert checker.files.keys() == {"rules.py"}


@pytest.mark.parametrize(
    "files",
    [
        {"check.cpp": CPP, "build": "#!/bin/sh\ng++ check.cpp -o run\n"},
        {"check.cpp": CPP, "run": "#!/bin/sh\nexit 42\n"},
        {"run": "#!/usr/bin/perl\nexit 42;\n"},
    ],
    ids=["build", "shell", "perl"],
)
def test_any_other_script_is_named(files: dict[str, str], tmp_path: Path) -> None:
    with pytest.raises(UnsupportedPackageError, match=r"build|run"):
        read_checker([write_files(tmp_path / "check", files)], "kattis")
