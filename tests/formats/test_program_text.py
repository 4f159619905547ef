"""Programs that are files: what of their bytes is a program's text."""

from __future__ import annotations

from pathlib import Path

import pytest

from microcoder_eval.formats import BadLine, open_problems, read_solutions
from microcoder_eval.formats.packages.programs import read_program
from microcoder_eval.records import Solution
from tests.commands import write_files


@pytest.mark.parametrize(
    ("name", "program", "text"),
    [
        ("a.py", b"\xef\xbb\xbfprint(1)", "print(1)"),
        ("a.py", b"# coding: latin-1\nprint('\xe9')", "# coding: latin-1\nprint('é')"),
        ("a.cpp", b"// \xe9\nint main(){}", "// é\nint main(){}"),
    ],
)
def test_text_is_read_as_the_language_reads_it(
    tmp_path: Path, name: str, program: bytes, text: str
) -> None:
    assert _read(tmp_path, name, program).code == text
    submission = read_program(tmp_path / name)  # of a package
    assert submission is not None
    assert submission.code == text


def test_python_that_is_no_text_is_said_and_not_judged(tmp_path: Path) -> None:
    assert "Python cannot read" in _read(tmp_path, "a.py", b"print('\xe9')").reason


def _read(folder: Path, name: str, program: bytes) -> Solution | BadLine:
    write_files(folder, {"tests/1.in": "", "tests/1.out": "1\n"})
    (folder / name).write_bytes(program)
    with open_problems(folder / "tests") as problems:
        (found,) = read_solutions(str(folder / name), problems)
    return found
