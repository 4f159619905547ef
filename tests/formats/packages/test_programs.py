"""Programs of packages: their languages, and scripts that build or start them."""

from __future__ import annotations

from pathlib import Path

import pytest

from microcoder_eval.formats.packages import PackageError, read_package
from microcoder_eval.formats.packages.programs import read_checker, read_program
from tests.files import write_files

pytest.importorskip("yaml", reason="yaml is missing: pip install '.[data]'")

PYTHON_2 = {
    "print": "print 'x'\n",
    "print to a file": "import sys\nprint >>sys.stderr, 'x'\n",
    "raise": "def f():\n    raise ValueError, 'x'\n",
    "except": "try:\n    f()\nexcept ValueError, error:\n    pass\n",
    "except several": "try:\n    f()\nexcept (A, B), error:\n    pass\n",
    "exec": "exec 'x = 1'\n",
    "backticks": "x = `1`\n",
    "not equal": "x = 1\nif x <> 2:\n    x = 3\n",
    "octal": "x = 0777\n",
    "xrange": "for i in xrange(3):\n    pass\n",
    "unicode": "x = unicode(input())\n",
    "raw_input": "n = int(raw_input())\n",
    "first line": "#!/usr/bin/env python2\nx = 1\n",
}
PYTHON_3 = {
    "its own name": "xrange = range\nprint(*xrange(3))\n",
    "both": "try:\n    read = raw_input\nexcept NameError:\n    read = input\n",
    "an argument": "def f(unicode):\n    return unicode\n",
    "shifts": "x = 5\nprint(x >> 1)\n",
    "in a text": "print('print raw_input()')\n",
    "a mistake": "def f(:\n    pass\n",
}


@pytest.mark.parametrize("name", [*PYTHON_2, *PYTHON_3])
def test_python_2_is_told_by_what_python_3_has_not(name: str, tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text({**PYTHON_2, **PYTHON_3}[name])
    program = read_program(tmp_path / "a.py")
    assert program is not None
    assert program.language == ("python2" if name in PYTHON_2 else "python")


@pytest.mark.parametrize("suffix", [".js", ".mjs", ".cjs"])
def test_all_suffixes_of_node_are_javascript(suffix: str, tmp_path: Path) -> None:
    (tmp_path / f"a{suffix}").write_text("console.log(1)\n")
    program = read_program(tmp_path / f"a{suffix}")
    assert program is not None
    assert program.language == "javascript"


# File, its text, whose program it is, and the language that is named.
PROGRAMS = [
    ("g.py", "print 'AC 1'\n", "grader", "Python 2"),
    ("g.hs", "main = return ()\n", "output validator", "another language"),
    ("g.rs", "fn main() {}\n", "interactor", "another language"),
    ("g", "#!/bin/bash\nexit 42\n", "grader", "another language"),
]
ROLES = {
    "grader": ("graders", "type: scoring\n", "grading: custom\n"),
    "output validator": ("output_validators", "validation: custom\n", ""),
    "interactor": ("output_validators", "validation: custom interactive\n", ""),
}


@pytest.mark.parametrize(("name", "text", "role", "language"), PROGRAMS)
def test_one_sentence_names_the_file_and_its_role(
    name: str, text: str, role: str, language: str, tmp_path: Path
) -> None:
    folder, config, settings = ROLES[role]
    texts = {"problem.yaml": config, "data/testdata.yaml": settings, f"{folder}/{name}": text,
             "data/secret/1.in": "1\n", "data/secret/1.ans": "1\n"}  # fmt: skip
    write_files(tmp_path, texts)
    with pytest.raises(PackageError) as caught:
        read_package(tmp_path)
    assert f"the {role} {name} is in {language};" in caught.value.message


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
    with pytest.raises(PackageError, match=r"build|run"):
        read_checker([write_files(tmp_path / "check", files)], "kattis")
