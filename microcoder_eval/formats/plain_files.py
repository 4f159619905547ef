"""Programs and tests as plain files: sum.py, 1.in with 1.out, and folders of them.

The words "in" and "out" in a file's path say what it is. If the last of them is "in" or "input",
the file is the input of a test. Its expected output has "out", "output", "ans" or "answer" there.
In Polygon's names, 01.a is the output of 01. Tests below a folder belong to the problem with that
folder's name, unless the name is one of _DATA_FOLDERS. Folders in it that differ in a number
(group1, group2) are its parts.
"""

from __future__ import annotations

import io
import json
import os
import re
import tokenize
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path, PurePosixPath
from typing import Any

from microcoder_eval.errors import DataError
from microcoder_eval.languages import SUFFIXES, find_file_language

_DATA_FOLDERS = frozenset(
    {"data", "tests", "sample", "samples", "secret", "in", "input", "inputs", "out", "output"}
)
TEST_FILES = "test_files"  # the key of meta under which the files of the inputs stand
_SIDE = re.compile(
    r"(?<![a-z])(?:(?P<input>inputs?|in)|(?P<output>outputs?|out|ans|answers?))(?![a-z])",
    re.IGNORECASE,
)
_NUMBER = re.compile(r"(\d+)")
_PACKED = (".gz", ".zst", ".xz", ".bz2", ".zip")
# A clone without Git LFS has such a text in place of each large file.
LFS_POINTER = b"version https://git-lfs.github.com/spec/"
LFS_ADVICE = "fetch the files themselves (git lfs pull)"


_TestFiles = dict[str, list[str]]
"""The files of one test, by "input" and "output", as paths below the folder. A complete test has
one of each."""


def list_test_rows(folder: Path) -> Iterator[tuple[bytes, str | None]]:
    """Yield (row, why it cannot be used) of each problem whose tests are in a folder."""
    names = {path.relative_to(folder).as_posix() for path in list_files(folder)}
    tests: dict[str, _TestFiles] = defaultdict(lambda: {"input": [], "output": []})
    for name in sorted(names, key=_split_numbers):
        if name.endswith(".a") and name[:-2] in names:
            tests[name] = {"input": [name[:-2]], "output": [name]}
            continue
        sides = [str(word.lastgroup) for word in _SIDE.finditer(name)]
        if sides:  # folders hold such words, too: check-in/1.out, input/1.txt with output/1.txt
            tests[_SIDE.sub("*", name)][sides[-1]].append(name)
    problems: dict[str, list[_TestFiles]] = defaultdict(list)
    folders: dict[str, dict[str, str]] = defaultdict(dict)
    for files in tests.values():
        if not files["input"] and not is_text(folder / files["output"][0]):
            continue  # a.out, which a compiler left
        problem_id, *parts = _list_folders(files) or [folder.resolve().name]
        problems[problem_id].append(files)
        folders[problem_id].setdefault(
            _NUMBER.sub("", "/".join(parts)), "/".join((problem_id, *parts))
        )
    for problem_id, own_tests in sorted(problems.items()):
        row: dict[str, Any] = {"problem_id": problem_id}
        fault = None
        try:
            row["tests"] = [_read_test(files, folder) for files in own_tests]
            row["meta"] = {TEST_FILES: [files["input"][0] for files in own_tests]}
            _require_one_problem(problem_id, list(folders[problem_id].values()))
        except DataError as error:
            fault = f'problem "{problem_id}": {error.message}'
        yield json.dumps(row).encode(), fault


def is_text(path: Path) -> bool:
    """Whether a file seems to hold text, by its start."""
    with path.open("rb") as file:
        return b"\0" not in file.read(4096)


def _read_test(files: _TestFiles, folder: Path) -> dict[str, str]:
    for names in files.values():
        if len(names) > 1:
            raise DataError(f"{' and '.join(names)} belong to one test; keep one of them")
    for side, noun, word in (("output", "expected output", "out"), ("input", "input", "in")):
        if not files[side]:
            [name] = [name for names in files.values() for name in names]
            example = _name_other_side(name, word)
            raise DataError(f"{name} has no {noun} beside it, such as {example}")
    return {side: read_text(folder / name) for side, [name] in files.items()}


def _name_other_side(name: str, other: str) -> str:
    *_, word = _SIDE.finditer(name)
    suffix = "put" if "put" in word[0].lower() else ""
    return f"{name[: word.start()]}{other}{suffix}{name[word.end() :]}"


def read_text(path: Path) -> str:
    """Return a file's text. Raises DataError where it is not UTF-8, or only a pointer to it."""
    data = path.read_bytes()
    if data.startswith(LFS_POINTER):
        raise DataError(f"{path.name} is a pointer of Git LFS; {LFS_ADVICE}")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        advice = "; unpack it first" if path.suffix in _PACKED else ""
        raise DataError(f"{path.name} is not UTF-8 (byte {error.start + 1}){advice}") from None


def _list_folders(files: _TestFiles) -> list[str]:
    """Return the folders of a test, from the outside in, without those of any problem's data."""
    parents = PurePosixPath((files["input"] or files["output"])[0]).parts[:-1]
    return [part for part in parents if part not in _DATA_FOLDERS]


def _require_one_problem(problem_id: str, folders: list[str]) -> None:
    if len(folders) > 1:
        raise DataError(
            f"its tests are in {folders[0]} and {folders[1]}; if these are problems, name the "
            f"folder {problem_id} itself; if they are parts of one, put their tests into one folder"
        )


def _split_numbers(name: str) -> list[tuple[int, str]]:
    """Return a key by which 2.in comes before 10.in."""
    return [(int(part) if part.isdigit() else -1, part) for part in _NUMBER.split(name)]


def is_program(path: str) -> bool:
    """Whether the suffix of a path is of a program."""
    return find_file_language(path) is not None


def list_programs(path: str) -> list[str]:
    """Return the programs in a folder; the path itself if it is no folder. Raises DataError."""
    if not os.path.isdir(path):
        return [path]
    programs = [str(file) for file in sorted(list_files(Path(path))) if is_program(file.name)]
    if not programs:
        raise DataError(f"is a folder without programs (looked for {', '.join(SUFFIXES)})", path)
    return programs


def list_other_files(folder: str) -> list[str]:
    """Return the names of the files in a folder that ``list_programs`` leaves out."""
    return [file.name for file in list_files(Path(folder)) if not is_program(file.name)]


def list_problem_names(path: str) -> list[str]:
    """Return the names that the problem of a program may have: its file's, and the folders' around
    it from the inside out."""
    return [Path(path).stem, *(parent.name for parent in Path(path).resolve().parents)]


def make_program_row(path: str, problem_id: str) -> bytes:
    """Return the row of a program. Raises DataError for Python that is not text."""
    file, language = Path(path), find_file_language(path)
    row = {
        "problem_id": problem_id,
        "solution_id": path,
        "code": _read_program(file, language),
        "language": None if language == "python" else language,  # Python may be --language pypy
    }
    return json.dumps(row).encode()


def _read_program(file: Path, language: str | None) -> str:
    """Decode a Python program by Python's own rules. Other compilers take any bytes in comments."""
    program = file.read_bytes()
    if language != "python":
        return decode_text(program)
    try:
        return decode_python(program)
    except (SyntaxError, UnicodeError) as error:
        raise DataError(f"Python cannot read this program: {error}", str(file)) from None


def decode_text(data: bytes) -> str:
    """Decode UTF-8, with or without a mark; anything else as Latin-1, which takes any bytes."""
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        return data.decode("latin-1")


def decode_python(program: bytes) -> str:
    """Decode as Python does, by the encoding that one of the first two lines names (PEP 263).

    Raises SyntaxError for an encoding that does not exist, UnicodeError.
    """
    encoding, _ = tokenize.detect_encoding(io.BytesIO(program).readline)
    return program.decode(encoding)


def list_files(folder: Path) -> Iterator[Path]:
    """Yield all files below a folder, also in linked folders, sorted, without hidden ones."""
    pending, visited_folders = [folder], set()
    while pending:
        current = pending.pop()
        real = current.resolve()
        if real in visited_folders or not real.is_dir():
            continue
        visited_folders.add(real)
        entries = sorted(path for path in current.iterdir() if not path.name.startswith("."))
        yield from (path for path in entries if path.is_file())
        pending += reversed([path for path in entries if path.is_dir()])
