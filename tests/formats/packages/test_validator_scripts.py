"""Validators with build or run scripts: read where these only compile and start them."""

from __future__ import annotations

from pathlib import Path

import pytest

from microcoder_eval.formats.packages.package import UnsupportedPackageError
from microcoder_eval.formats.packages.programs import read_checker
from tests.commands import write_files

CPP = "int main() { return 42; }\n"
START = '#!/bin/sh\nexec "$(dirname "$0")/check" "$@"\n'


@pytest.mark.parametrize(
    "files",
    [
        {"check.cpp": CPP, "build": "#!/bin/bash\nset -e\ng++ -O2 -std=gnu++17 check.cpp -o run\n"},
        {"check.cpp": CPP, "build": "#!/bin/sh\nc++ -O2 -o check *.cpp\n", "run": START},
        {
            "check.cpp": CPP,
            "lib/util.cc": "int two() { return 2; }\n",
            "lib/util.h": "int two();\n",
            "build": '#!/bin/sh\ncd "$(dirname "$0")"\n# all of it\n'
            "g++ -Wall \\\n  -o ./run check.cpp lib/util.cc\n",
        },
    ],
    ids=["one source", "with its start", "several lines and folders"],
)  # fmt: skip
def test_scripts_that_only_compile_and_start_are_read(
    files: dict[str, str], tmp_path: Path
) -> None:
    checker = read_checker([write_files(tmp_path / "check", files)], "kattis")
    assert (checker.language, checker.source) == ("cpp", CPP)
    assert not {"build", "run"} & checker.files.keys()


def test_a_run_script_in_python_is_the_validator(tmp_path: Path) -> None:
    script = "#!/usr/bin/env python3\nimport rules\nrules.judge()\n"
    files = {"run": script, "rules.py": "def judge(): raise SystemExit(42)\n"}
    checker = read_checker([write_files(tmp_path / "check", files)], "kattis")
    assert (checker.language, checker.source) == ("python", script)
    assert checker.files.keys() == {"rules.py"}


@pytest.mark.parametrize(
    "files",
    [
        {"check.cpp": CPP, "build": "#!/bin/sh\ng++ -DSTRICT check.cpp -o run\n"},
        {"check.cpp": CPP, "build": "#!/bin/sh\nmake\n"},
        {"check.cpp": CPP, "build": "#!/bin/sh\npython3 make_table.py\ng++ check.cpp -o run\n"},
        {"check.cpp": CPP, "build": "#!/bin/sh\ng++ -o check check.cpp\n"},
        {"check.cpp": CPP, "more.cpp": "", "build": "#!/bin/sh\ng++ check.cpp -o run\n"},
        {"check.cpp": CPP, "build": "#!/bin/sh\ng++ check.cpp -o check\n",
         "run": '#!/bin/sh\nexec "$(dirname "$0")/check" strict "$@"\n'},
        {"check.cpp": CPP, "run": START},
        {"build": "#!/bin/sh\ng++ 'check.cpp -o run\n"},
        {"run": "#!/bin/sh\nexit 42\n"},
        {"run": "#!/usr/bin/perl\nexit 42;\n"},
    ],
    ids=["defines", "make", "a step before", "makes no run", "not all sources",
         "arguments of its own", "nothing is compiled", "no shell syntax", "shell", "perl"],
)  # fmt: skip
def test_scripts_that_do_more_are_named(files: dict[str, str], tmp_path: Path) -> None:
    with pytest.raises(UnsupportedPackageError, match=r"build|run"):
        read_checker([write_files(tmp_path / "check", files)], "kattis")
