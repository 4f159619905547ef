"""Files that are no JSON lines in UTF-8 and are read all the same, and keys that are misplaced."""

from __future__ import annotations

import codecs
import csv
import gzip
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from microcoder_eval import DataError, Solution, judge
from microcoder_eval.cli.inputs import guess_contents
from microcoder_eval.formats import BadLine, open_problems, read_solutions

PROBLEMS = [
    {"problem_id": "a", "tests": [{"input": "1\n", "output": "ä\n"}], "limits": {"time_s": 2.0}},
    {"problem_id": "b", "tests": [{"input": "", "output": '", "'}]},
]
SOLUTIONS = [
    {"problem_id": "a", "code": "print('ä')\nprint(1, 2)"},
    {"problem_id": "b", "code": 'print("x,y")'},
]
Rows = list[dict[str, Any]]


def write_csv(path: Path, rows: Rows) -> None:
    keys = list(dict.fromkeys(key for row in rows for key in row))
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, keys)
        writer.writeheader()
        writer.writerows(
            {k: v if isinstance(v, str) else json.dumps(v) for k, v in row.items()} for row in rows
        )


def write_parquet(path: Path, rows: Rows) -> None:
    pyarrow = pytest.importorskip("pyarrow")
    from pyarrow import parquet

    parquet.write_table(pyarrow.Table.from_pylist(rows), path)


def spell_lines(rows: Rows) -> str:
    return "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)


WRITERS: dict[str, Callable[[Path, Rows], object]] = {
    "x.jsonl": lambda path, rows: path.write_text(spell_lines(rows), encoding="utf-16"),
    "be.jsonl": lambda path, rows: path.write_bytes(
        codecs.BOM_UTF16_BE + spell_lines(rows).encode("utf-16-be")
    ),
    "array.jsonl": lambda path, rows: path.write_text(json.dumps(rows, indent=2)),
    "objects.json": lambda path, rows: path.write_text(
        "\n".join(json.dumps(row, indent=4) for row in rows)
    ),
    "table.csv": write_csv,
    "table.jsonl": write_csv,
    "table.parquet": write_parquet,
}  # fmt: skip


@pytest.mark.parametrize("name", WRITERS)
def test_problems_and_solutions_are_read(tmp_path: Path, name: str) -> None:
    path, solutions_path = tmp_path / name, tmp_path / f"solutions-{name}"
    WRITERS[name](path, PROBLEMS)
    WRITERS[name](solutions_path, SOLUTIONS)
    with open_problems(path) as problems:
        assert problems.bad == []
        assert problems.ids == ["a", "b"]
        assert problems.get("a").tests[0].output == "ä\n"
        assert problems.get("a").limits.time_s == 2.0
        assert problems.get("b").limits.time_s is None
        solutions = list(read_solutions(solutions_path, problems))
    assert [s.code for s in solutions if isinstance(s, Solution)] == [
        row["code"] for row in SOLUTIONS
    ]
    assert guess_contents(str(path)) == "problems"
    assert guess_contents(str(solutions_path)) == "solutions"


def test_a_compressed_table_is_read(tmp_path: Path) -> None:
    write_csv(tmp_path / "plain.csv", SOLUTIONS)
    path = tmp_path / "t.csv.gz"
    path.write_bytes(gzip.compress((tmp_path / "plain.csv").read_bytes()))
    assert len([s for s in read_solutions(path, None) if isinstance(s, Solution)]) == 2


LFS_POINTER = b"version https://git-lfs.github.com/spec/v1\noid sha256:00ff\nsize 12345\n"
TAR = b"tests/" + bytes(251) + b"ustar"
OTHER_KINDS = [
    ("s.jsonl", b"problem_id,code\na,b,c\n", "more cells than the header"),
    ("s.jsonl", b'problem_id,code\na,"b\n', "not CSV after line"),
    ("s.jsonl", b'{\n"problem_id": "a",\n"code": }\n', "object that begins here is broken"),
    ("s.jsonl", b'{"problem_id": "a", "code": "",}', "remove the comma before the bracket"),
    ("s.jsonl", b'{"problem_id": "a", "code": ""},', "remove the comma at its end"),
    ("s.jsonl", b"{'problem_id': 'a', 'code': 'x'}", "a dict that Python printed"),
    ("s.jsonl", b"", "the file is empty"),
    ("s.txt", b"print(3)", "if this is a program, give its file the suffix of its language"),
    ("s.xlsx", b"PK\x03\x04", "is a spreadsheet, which is not read; save it as CSV"),
    ("s.jsonl", b"PK\x03\x04rest", "is a file of ZIP, which is not read; unpack it first"),
    ("s.jsonl", b"BZh9rest", "is a file of bzip2"),
    ("s.jsonl", TAR, "is a file of tar"),
    ("s.jsonl", gzip.compress(TAR, mtime=0), "is a file of tar"),
    ("s.jsonl", LFS_POINTER, "is a pointer of Git LFS, which is not read; fetch"),
    ("s.jsonl", b"\x7fELF\x02\x01", "is a compiled program"),
    ("s.jsonl", b"<!DOCTYPE html>", "is a web page"),
    ("s.jsonl", b'{\n "cells": [1]}', "is a notebook"),
]


@pytest.mark.parametrize(("name", "data", "message"), OTHER_KINDS, ids=[m for *_, m in OTHER_KINDS])
def test_a_file_of_another_kind_and_a_broken_one_say_so_once(
    tmp_path: Path, name: str, data: bytes, message: str
) -> None:
    path = tmp_path / name
    path.write_bytes(data)
    assert message in describe_fault(path)


def describe_fault(path: Path) -> str:
    """What the reader says of a file without a good row, which names the file."""
    try:
        (line,) = read_solutions(path, None)
    except DataError as error:
        return str(error) if str(path) in str(error) else ""
    return line.reason if isinstance(line, BadLine) else ""


def test_a_torn_parquet_file_is_said(tmp_path: Path) -> None:
    path = tmp_path / "t.parquet"
    write_parquet(path, SOLUTIONS)
    path.write_bytes(path.read_bytes()[:-20])
    with pytest.raises(DataError, match="not a readable Parquet file"):
        list(read_solutions(path, None))


@pytest.mark.parametrize("first", ["{", "# problem_id, code", "not json"])
def test_a_first_line_of_another_kind_is_one_bad_line(tmp_path: Path, first: str) -> None:
    path = tmp_path / "s.jsonl"
    path.write_text(first + "\n" + spell_lines(SOLUTIONS))
    lines = list(read_solutions(path, None))
    assert [isinstance(line, BadLine) for line in lines] == [True, False, False]


@pytest.mark.parametrize("kinds", [(int, int), (int, str), (str, int)])
def test_names_that_are_numbers_match(tmp_path: Path, kinds: tuple[type, type]) -> None:
    tests, solutions = tmp_path / "t.jsonl", tmp_path / "s.jsonl"
    tests.write_text(spell_lines([{**PROBLEMS[0], "problem_id": kinds[0]("7")}]))
    row = {"problem_id": kinds[1]("7"), "code": "print()"}
    solutions.write_text(spell_lines([row, {**row, "solution_id": 3}, row]))
    with open_problems(tests) as problems:
        lines = list(read_solutions(solutions, problems))
    names = [(s.problem_id, s.solution_id) for s in lines if isinstance(s, Solution)]
    assert names == [("7", "7#1"), ("7", "3"), ("7", "7#3")]


def test_an_unknown_name_comes_with_one_that_is_there(tmp_path: Path) -> None:
    path = tmp_path / "t.jsonl"
    path.write_text(spell_lines([{**PROBLEMS[0], "problem_id": n} for n in ("sum", "HumanEval/0")]))
    with open_problems(path) as problems:
        assert 'which has "HumanEval/0"' in (problems.explain_absence("humaneval/0") or "")
        assert 'which has "sum"' in (problems.explain_absence("sums") or "")


@pytest.mark.parametrize(
    ("key", "place"),
    [
        ("time_limit", '"limits": {"time_s"'),
        ("time_s", '"limits": {"time_s"'),
        ("time_limit_ms", "seconds, not ms"),
        ("memory_limit_mb", '"limits": {"memory_mb"'),
        ("fn_name", '"entry_point"'),
        ("chceker", '"checker"'),
        ("starter-code", '"starter_code"'),
    ],
)
def test_a_key_at_the_wrong_place_is_named(tmp_path: Path, key: str, place: str) -> None:
    path = tmp_path / "t.jsonl"
    path.write_text(spell_lines([{**row, key: 2} for row in PROBLEMS]))
    with open_problems(path) as problems:
        ((warning, line),) = problems.warnings.items()
    assert warning.startswith(f'"{key}" is not read: ')
    assert place in warning
    assert line == 1
    with pytest.warns(UserWarning, match="is not read: (it belongs in|did you mean)"):
        judge({"code": "print('ä')"}, {**PROBLEMS[0], key: 2})


@pytest.mark.parametrize("key", ["points", "time_limit", "checker"])
def test_a_key_of_a_test_that_is_not_read_is_named(key: str) -> None:
    tests = [{"input": "", "output": "ä", key: 1}]
    with pytest.warns(UserWarning, match=f'"{key}" of a test is not read'):
        judge({"code": "print('ä')"}, {"problem_id": "p", "tests": tests})


@pytest.mark.parametrize("key", ["source", "rating", "tags", "url", "meta", "testset", "id"])
def test_other_keys_are_carried_along_silently(tmp_path: Path, key: str) -> None:
    path = tmp_path / "t.jsonl"
    path.write_text(spell_lines([{**row, key: {}} for row in PROBLEMS]))
    with open_problems(path) as problems:
        assert problems.warnings == {}


@pytest.mark.parametrize(
    ("name", "head", "delimiter"),
    [
        ("s.csv", "problem_id,code\n", ","),
        ("s.txt", "problem_id;code\n", ";"),
        ("s.csv", "problem_id\tcode\n", "\t"),
        ("s.csv", "problem_id|code\n", "|"),
        ("s.csv", "id;code\n", ";"),
        ("s.csv", "sep=;\nproblem_id;code\n", ";"),
        ("s.txt", "\ufeffsep=|\r\nproblem_id|code\r\n", "|"),
    ],
)
def test_cells_may_be_separated_by_other_signs(
    tmp_path: Path, name: str, head: str, delimiter: str
) -> None:
    path = tmp_path / name
    path.write_text(f'{head}sum{delimiter}"f(1,2);g()"\n')
    (solution,) = read_solutions(path, None)
    assert isinstance(solution, Solution)
    assert (solution.problem_id, solution.code) == ("sum", "f(1,2);g()")


@pytest.mark.parametrize("rows", ['sum,"print(1)"\n', 'sum,"print(1)"\nsum,"print(2)"\n'])
def test_a_table_without_a_header_is_said_to_have_none(tmp_path: Path, rows: str) -> None:
    path = tmp_path / "s.csv"
    path.write_text(rows)
    with pytest.raises(DataError, match='must be a header with "problem_id" or "task_id": "sum,'):
        list(read_solutions(path, None))
