"""Files of problems, solutions and results: any line is read or told, and none ends the rest."""

from __future__ import annotations

import gzip
import json
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from microcoder_eval import zstd
from microcoder_eval.errors import DataError
from microcoder_eval.extract import extract
from microcoder_eval.formats import BadLine, open_problems, read_solutions
from microcoder_eval.records import Judgement, Kind, Problem, Status, TestResult, Verdict
from microcoder_eval.results.files import OutputError, Paths
from microcoder_eval.results.journal import LINE_START, Journal
from microcoder_eval.results.lines import judgement_from_line, judgement_to_line
from tests.fuzz.material import damaged_messages, hostile_messages, json_values, unhurried

LCB_TESTS = json.dumps([{"input": "1\n", "output": "1\n", "testtype": "stdin"}])
PROBLEMS: tuple[Any, ...] = (
    {"problem_id": "a", "tests": [{"input": "1", "output": "2"}], "limits": {"time_s": 1.5}},
    {"problem_id": "b", "entry_point": "f", "tests": [{"input": [1], "output": {"$set": [1]}}]},
    {"problem_id": "c", "test_code": "assert f(1) == 1"},
    {"question_id": "d", "question_content": "", "public_test_cases": LCB_TESTS, "metadata": "{}"},
    {"task_id": "e", "prompt": "def f():", "entry_point": "f", "test": "def check(f): assert f()"},
)
SOLUTIONS: tuple[Any, ...] = (
    {"problem_id": "a", "code": "print(2)", "note": [1.5, None]},
    {"problem_id": "b", "solution_id": "b#1", "response": "```python\nx\n```"},
    {"question_id": "d", "code_list": ["x", "y"], "graded_list": [True, False]},
    {"task_id": "e", "solution": "def f(): pass"},
    {"task_id": "e", "completion": "    return 1"},
)
RESULT = Judgement(
    problem_id="a", solution_id="a#1", verdict=Verdict.WA, passed=False, score=0.5,
    status=Status.INCORRECT, error=None, flags=("near_limit",), sandbox_level=4,
    tests=(TestResult(Verdict.AC, 0.1, 0.2, 3.5, "exact", None), TestResult(None)),
    memory_method="rusage", isolation="test", tests_sha256="0", code_sha256="1",
    config_sha256="2", version="0", meta={"x": 1},
)  # fmt: skip
RESULT_LINE = judgement_to_line(RESULT)


def encode_lines(*rows: Any) -> tuple[bytes, ...]:
    return tuple(json.dumps(row).encode() for row in rows)


@st.composite
def changed_rows(draw: st.DrawFn, rows: tuple[Any, ...]) -> bytes:
    """A row in which one value, at any depth, is another one, or is missing, or is there twice."""
    row = json.loads(json.dumps(draw(st.sampled_from(rows))))
    place = row
    while True:
        key = draw(st.sampled_from(sorted(place) if isinstance(place, dict) else range(len(place))))
        if not (isinstance(place[key], dict | list) and place[key]) or draw(st.booleans()):
            break
        place = place[key]
    if draw(st.booleans()):
        place[key] = draw(json_values)
    else:
        del place[key]
    text = json.dumps(row).encode()
    return text if draw(st.booleans()) else text[:-1] + b"," + text[1:]


def files_of(rows: tuple[Any, ...]) -> st.SearchStrategy[bytes]:
    line = hostile_messages(*encode_lines(*rows)) | changed_rows(rows)
    lines = st.lists(line, max_size=4).map(b"\n".join)
    array = st.lists(line, max_size=3).map(lambda items: b"[" + b", ".join(items) + b"]")
    return lines | array | lines.map(lambda data: b"\xef\xbb\xbf" + data)


@pytest.fixture(scope="module")
def folder() -> Iterator[Path]:
    """One folder for all examples of a test: they write over each other's files."""
    with tempfile.TemporaryDirectory() as name:
        yield Path(name)


def can_fail(problem: Problem) -> bool:
    """Whether the problem can fail at all."""
    return bool(problem.test_code) if problem.kind is Kind.ASSERT else bool(problem.tests)


@unhurried
@given(data=files_of(PROBLEMS))
def test_a_file_of_problems_gives_problems_that_have_tests_and_bad_lines(
    folder: Path, data: bytes
) -> None:
    path = folder / "tests.jsonl"
    path.write_bytes(data)
    try:
        problems = open_problems(path)
    except DataError:
        return
    with problems:
        for bad in problems.bad:
            assert bad.line >= 1
            assert len(bad.reason) < 2000
            assert json.dumps([bad.reason, bad.text_start]).isascii()
        for name in problems:
            problem = problems.get(name)
            assert problem.problem_id == name
            assert can_fail(problem)
            assert problem.tests_sha256


@unhurried
@given(data=files_of(SOLUTIONS))
def test_a_file_of_solutions_gives_solutions_and_bad_lines(folder: Path, data: bytes) -> None:
    tests = folder / "known.jsonl"
    tests.write_bytes(b"\n".join(encode_lines(*PROBLEMS)))
    path = folder / "solutions.jsonl"
    path.write_bytes(data)
    with open_problems(tests) as problems:
        assert not problems.bad
        try:
            solutions = list(read_solutions(path, problems))
        except DataError:
            return
        for line in solutions:
            if isinstance(line, BadLine):
                assert json.dumps([line.reason, line.text_start]).isascii()
                continue
            assert line.problem_id in problems
            assert (line.code is None) != (line.response is None)
            carried = Judgement(**{**_fields(RESULT), "meta": line.meta})
            assert judgement_from_line(judgement_to_line(carried)).problem_id == "a"


def _fields(judgement: Judgement) -> dict[str, Any]:
    return {name: getattr(judgement, name) for name in judgement.__dataclass_fields__}


PACKED: tuple[Callable[[bytes], bytes], ...] = (gzip.compress, zstd.compress)
WHOLE = b"\n".join(encode_lines(*PROBLEMS))


@unhurried
@given(data=st.one_of([damaged_messages((pack(WHOLE), pack(b"[" + WHOLE))) for pack in PACKED]))
def test_a_damaged_compressed_file_is_a_data_error_or_says_which_lines_are_bad(
    folder: Path, data: bytes
) -> None:
    path = folder / "tests.jsonl.gz"
    path.write_bytes(data)
    try:
        with open_problems(path) as problems:
            assert all(can_fail(problems.get(name)) for name in problems)
    except DataError:
        pass


@unhurried
@given(hostile_messages(RESULT_LINE) | changed_rows((json.loads(RESULT_LINE),)))
def test_a_line_of_results_is_a_result_or_a_data_error(line: bytes) -> None:
    try:
        judgement = judgement_from_line(line)
    except DataError:
        return
    assert judgement_from_line(judgement_to_line(judgement)) == judgement or b"NaN" in line


journals = st.lists(
    st.just(RESULT_LINE) | hostile_messages(RESULT_LINE) | changed_rows((json.loads(RESULT_LINE),)),
    max_size=4,
).map(b"".join)


@unhurried
@given(journal=journals, results=journals)
def test_a_run_resumes_from_its_files_or_says_why_not(
    folder: Path, journal: bytes, results: bytes
) -> None:
    paths = Paths.from_output(str(folder / "results.jsonl"))
    paths.journal.write_bytes(journal)
    paths.results.write_bytes(results)
    try:
        open_journal = Journal.open(paths, resume=True, force=False)
    except OutputError:
        assert paths.journal.read_bytes() == journal, "what is not ours is left alone"
        return
    try:
        index = open_journal.index()
    except OutputError:
        pass
    else:
        stored = index.pop("a", "a#1")
        if stored is not None:
            assert judgement_from_line(open_journal.read(stored.extent)) == stored.judgement
    finally:
        open_journal.close()
        for path in (paths.journal, paths.results):
            path.unlink(missing_ok=True)


def test_the_journal_s_first_bytes_are_those_of_every_line() -> None:
    assert RESULT_LINE.startswith(LINE_START)


ANSWER = "Thus.\n```python\nprint(1)\n```\n<think>no</think>\n````py\nx = '''\n```\n'''\n````\n"
TEXT = st.text(max_size=20) | st.sampled_from(["```", "~~~", "<think>", "</think>", "'''", "\n"])


@unhurried
@given(st.lists(TEXT | st.sampled_from(ANSWER.splitlines(True)), max_size=20).map("".join))
def test_a_model_s_answer_gives_a_program_from_it_or_none(answer: str) -> None:
    extraction = extract(answer)
    assert extraction.code is None or extraction.code.strip()
