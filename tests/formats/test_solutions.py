"""Solutions: names, duplicates and bad lines, one at a time; programs that are files."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from microcoder_eval.errors import DataError
from microcoder_eval.formats import BadLine, open_problems, read_solutions, solution_from
from microcoder_eval.formats.packages.programs import read_program
from microcoder_eval.records import Solution
from tests.files import write_files, write_jsonl

GOOD = {"problem_id": "p", "code": "x"}


def _read(tmp_path: Path, *rows: object, problems: tuple[str, ...] = ("p", "q")) -> list[Any]:
    lines = [{"problem_id": name, "tests": [{"input": "", "output": ""}]} for name in problems]
    lines.append({"problem_id": "broken", "tests": []})
    path = tmp_path / "solutions.jsonl"  # whose last line has no end
    path.write_text("\n".join(row if isinstance(row, str) else json.dumps(row) for row in rows))
    with open_problems(write_jsonl(tmp_path / "tests.jsonl", *lines)) as problem_set:
        return list(read_solutions(path, problem_set))


def _ids(lines: list[Any]) -> list[str | None]:
    return [one.solution_id if isinstance(one, Solution) else None for one in lines]


def test_default_names_count_the_lines_of_a_problem(tmp_path: Path) -> None:
    lines = _read(
        tmp_path,
        GOOD,
        {**GOOD, "problem_id": "q"},
        "",
        "not json",
        {"problem_id": "p"},  # could be read as JSON, so it counts
        {**GOOD, "solution_id": "mine"},
        GOOD,
    )
    assert _ids(lines) == ["p#1", "q#1", None, None, "mine", "p#4"]
    assert [bad.line for bad in lines if isinstance(bad, BadLine)] == [4, 5]


def test_a_name_may_be_used_once(tmp_path: Path) -> None:
    lines = _read(
        tmp_path,
        {**GOOD, "solution_id": "a"},
        {**GOOD, "solution_id": "a"},
        {**GOOD, "problem_id": "q", "solution_id": "a"},
        {**GOOD, "solution_id": "p#4"},
        GOOD,
    )
    assert _ids(lines) == ["a", None, "a", "p#4", None]
    assert 'problem "p" has a solution "a" already' in lines[1].reason


def test_unknown_and_unusable_problems_are_told_apart(tmp_path: Path) -> None:
    lines = _read(tmp_path, {**GOOD, "problem_id": "z"}, {**GOOD, "problem_id": "broken"})
    assert 'problem "z" is not in' in lines[0].reason
    assert 'problem "broken" is not usable: there is neither a test' in lines[1].reason


def test_without_problems_any_name_is_accepted(tmp_path: Path) -> None:
    path = tmp_path / "s.jsonl"
    path.write_text('\ufeff{"problem_id": "any", "response": "hi", "model": "m", "code": null}\r\n')
    assert list(read_solutions(path, None)) == [
        Solution("any", "any#1", response="hi", meta={"model": "m"})
    ]


BAD = [
    ({"code": "x"}, 'no "problem_id" (keys found: code)'),
    ({"problem_id": "p", "program": "x"}, 'neither "code" (a program) nor "response"'),
    ({"problem_id": "p", "completion": "x"}, 'neither "code" (a program) nor "response"'),
    ({"problem_id": "p", "cod": "x"}, 'rename "cod" to "code"?'),
    ({**GOOD, "response": "y"}, 'both "code" and "response"'),
    ({**GOOD, "code": 5}, '"code" must be a string, not the number 5'),
    ({**GOOD, "code": ["x"]}, '"code" must be a string, not a list of 1'),
    ({**GOOD, "solution_id": 3.5}, '"solution_id" must be a string'),
    ({**GOOD, "language": "cobol"}, 'language "cobol" is not supported; known: python, cpp'),
    ({**GOOD, "problem_id": ["p"]}, '"problem_id" must be a string'),
    ([GOOD], "a solution must be an object, not a list of 1"),
    ("[" * 100_000, "nested too deeply"),
    ('{"problem_id": "p", "code": "x"} {}', "not JSON (Extra data"),
    ('{"problem_id": "p", "code": "x', "not JSON (Unterminated string"),
]


@pytest.mark.parametrize(("row", "words"), BAD, ids=range(len(BAD)))
def test_bad_lines_say_what_is_wrong(tmp_path: Path, row: object, words: str) -> None:
    good, bad = _read(tmp_path, GOOD, row)
    assert isinstance(good, Solution)
    assert isinstance(bad, BadLine)
    assert words in bad.reason
    assert str(bad) == f"{tmp_path / 'solutions.jsonl'}:2: {bad.reason}"
    assert len(str(bad)) < 400
    assert len(bad.text_start) <= 80


@pytest.mark.parametrize("name", ["python", "Python", "python3", "py", None])
def test_python_has_several_names(name: str | None) -> None:
    assert solution_from({**GOOD, "language": name}, default_id="i").language == "python"


def test_one_object_is_one_solution() -> None:
    assert solution_from({**GOOD, "solution_id": "s"}).solution_id == "s"
    with pytest.raises(DataError, match=r"^no \"solution_id\""):
        solution_from(GOOD)
    with pytest.raises(DataError, match="2 solutions in one object"):
        solution_from({"question_id": "p", "code_list": ["a", "b"]}, default_id="i")


@pytest.mark.parametrize("inmost", ["1", "NaN", "1" + "0" * 5000])
def test_what_cannot_be_written_to_the_results_again_is_a_bad_line(
    tmp_path: Path, inmost: str
) -> None:
    deep = "[" * 200 + inmost + "]" * 200
    (line,) = _read(tmp_path, f'{{"problem_id": "p", "code": "x", "note": {deep}}}')
    assert isinstance(line, BadLine)
    assert "nested deeper than 150 levels" in line.reason


@pytest.mark.parametrize("key", ["code", "response"])
def test_half_a_surrogate_pair_is_the_candidates_and_no_bad_line(key: str) -> None:
    text = "\ud800print(5)" if key == "code" else "\ud800```python\nprint(5)\n```"
    solution = solution_from({"problem_id": "p", "solution_id": "s", key: text})
    written = solution.code if key == "code" else solution.response
    assert written == text.replace("\ud800", "?")


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
    assert _read_program(tmp_path, name, program).code == text
    submission = read_program(tmp_path / name)  # of a package
    assert submission is not None
    assert submission.code == text


def test_python_that_is_no_text_is_said_and_not_judged(tmp_path: Path) -> None:
    assert "Python cannot read" in _read_program(tmp_path, "a.py", b"print('\xe9')").reason


def _read_program(folder: Path, name: str, program: bytes) -> Solution | BadLine:
    write_files(folder, {"tests/1.in": "", "tests/1.out": "1\n"})
    (folder / name).write_bytes(program)
    with open_problems(folder / "tests") as problems:
        (solution,) = read_solutions(str(folder / name), problems)
    return solution


def test_a_generation_continues_a_prompt_in_the_sets_of_humaneval_x_alone() -> None:
    with pytest.raises(DataError, match="keys found: task_id, generation"):
        solution_from({"task_id": "HumanEval/0", "generation": "    return 1"}, default_id="s")
