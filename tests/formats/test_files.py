"""Files of problems: compressed, broken, huge, and memory that does not follow their size."""

from __future__ import annotations

import gzip
import json
import os
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from microcoder_eval import zstd
from microcoder_eval.errors import DataError
from microcoder_eval.formats import open_problems, problems, read_solutions
from microcoder_eval.formats.problems import ProblemReader, estimate_bytes, problem_from


def _problem(name: str, **more: Any) -> dict[str, Any]:
    return {"problem_id": name, "tests": [{"input": f"{name}\n", "output": "1"}], **more}


def _lines(*rows: object) -> bytes:
    return b"".join(json.dumps(row).encode() + b"\n" for row in rows)


@pytest.fixture(autouse=True)
def _small_cache(monkeypatch: pytest.MonkeyPatch) -> None:
    """All problems but the last that was read are read from the file again."""
    monkeypatch.setattr(problems, "CACHE_BYTES", 0)


PACK: dict[str, Callable[[bytes], bytes]] = {
    "jsonl": lambda data: data,
    "jsonl.gz": gzip.compress,
    "jsonl.zst": zstd.compress,
}


@pytest.mark.parametrize("ending", PACK)
def test_problems_are_found_in_file_order(tmp_path: Path, ending: str) -> None:
    path = tmp_path / f"tests.{ending}"
    path.write_bytes(PACK[ending](b"\xef\xbb\xbf" + _lines(*map(_problem, "cab")) + b"\r\n \n"))
    with open_problems(path) as problems:
        assert problems.ids == list(problems) == ["c", "a", "b"]
        assert len(problems) == 3
        assert "a" in problems
        assert [problems.get(name).tests[0].input for name in "abc"] == ["a\n", "b\n", "c\n"]
        assert problems.bad == []
        assert (
            problems.explain_absence("z")
            == f'problem "z" is not in {path}, which has "c" and 2 more'
        )
        with pytest.raises(DataError, match="is not in"):
            problems.get("z")


def test_several_zstd_frames_are_one_file(tmp_path: Path) -> None:
    path = tmp_path / "t.zst"
    path.write_bytes(b"".join(zstd.compress(_lines(_problem(name))) for name in "ab"))
    with open_problems(path) as problems:
        assert problems.ids == ["a", "b"]


@pytest.mark.parametrize("ending", [".gz", ".zst"])
def test_cut_off_and_corrupt_files_are_data_errors(tmp_path: Path, ending: str) -> None:
    whole = PACK["jsonl" + ending](
        _lines(*(_problem(str(n), statement="x" * n) for n in range(999)))
    )
    path = tmp_path / f"t.jsonl{ending}"
    middle = len(whole) // 2
    broken = [whole[:middle], whole[:middle] + bytes(50) + whole[middle + 50 :], b"not compressed"]
    for data in [*broken, whole[:-1]]:
        path.write_bytes(data)
        with pytest.raises(DataError, match=str(path)):
            open_problems(path)
        with pytest.raises(DataError, match=str(path)):
            list(read_solutions(path, None))


def test_files_that_cannot_be_read_say_so(tmp_path: Path) -> None:
    empty = tmp_path / "empty"
    empty.write_bytes(b"\n \n")
    array = tmp_path / "array.json"
    array.write_bytes(b"[]")
    for path, words in [
        (tmp_path / "none", "no such file"),
        (tmp_path, "is a folder"),
        (empty, "no problem in"),
        (array, "no problem in"),
        (empty / "x", "Not a directory"),
    ]:
        with pytest.raises(DataError, match=words):
            open_problems(path)
    for path, words in [(tmp_path / "none", "no such file"), (tmp_path, "is a folder")]:
        with pytest.raises(DataError, match=words):
            read_solutions(path, None)
    with pytest.raises(DataError, match="no solution in"):
        list(read_solutions(empty, None))


def test_bad_lines_are_told_and_remembered(tmp_path: Path) -> None:
    path = tmp_path / "t.jsonl"
    rows = [
        json.dumps(_problem("good")).encode(),
        b"{broken",
        b"\xff\xfe\x00",
        b"[1]",
        json.dumps({**_problem("bad"), "tests": []}).encode(),
        json.dumps(_problem("good", statement="later")).encode(),
        json.dumps({"x": 1}).encode(),
    ]
    path.write_bytes(b"\r\n".join(rows))
    with open_problems(path) as problems:
        assert problems.ids == ["good"]
        assert problems.get("good").statement is None
        assert [bad.line for bad in problems.bad] == [2, 3, 4, 5, 6, 7]
        reasons = [str(bad) for bad in problems.bad]
        assert "bad" not in problems
        assert problems.explain_absence("bad") == (
            'problem "bad" is not usable: there is neither a test in "tests" nor "test_code"; '
            "give one of them (line 5)"
        )
    for reason, words in zip(
        reasons,
        [
            "not JSON",
            "not UTF-8",
            "an object, not a list",
            'problem "bad"',
            "a second time",
            'no "',
        ],
        strict=True,
    ):
        assert reason.startswith(f"{path}:")
        assert words in reason


def test_a_second_problem_of_a_name_leaves_no_warning() -> None:
    reader = ProblemReader(None)
    reader.lines["a"] = 1
    with pytest.raises(DataError, match="a second time"):
        reader.read({**_problem("a"), "private_tests": [{"input": "1", "output": "2"}]}, 2)
    assert reader.warnings == {}


def test_a_csv_in_another_encoding_is_named(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_bytes(
        'problem_id,tests\np,"[{""input"":""é"",""output"":""1""}]"\n'.encode("cp1252")
    )
    with open_problems(path) as problems:
        assert [bad.line for bad in problems.bad] == [2]
        assert "not UTF-8 (byte 0xe9" in str(problems.bad[0])


def test_an_over_long_line_is_skipped(tmp_path: Path) -> None:
    path = tmp_path / "t.jsonl"
    long = _problem("long", statement="x" * 3_000_000)
    path.write_bytes(_lines(_problem("a"), long, _problem("b")))
    with open_problems(path, max_line_mb=1) as problems:
        assert problems.ids == ["a", "b"]
        assert [problems.get(name).problem_id for name in "ab"] == ["a", "b"]
        assert "longer than 1 MiB" in problems.bad[0].reason
        assert problems.bad[0].line == 2
        assert len(problems.bad[0].text_start) <= 80


@pytest.mark.parametrize("indent", [None, 2])
@pytest.mark.parametrize("name", ["t.json", "t.jsonl", "t.json.gz"])
def test_one_array_is_read_too(tmp_path: Path, name: str, indent: int | None) -> None:
    path = tmp_path / name
    text = json.dumps([_problem("a"), {"problem_id": "x"}, _problem("é")], indent=indent)
    path.write_bytes(gzip.compress(text.encode()) if name.endswith("gz") else text.encode())
    with open_problems(path) as problems:
        assert problems.ids == ["a", "é"]
        assert [problems.get(name).tests[0].input for name in "aé"] == ["a\n", "é\n"]
        assert problems.bad[0].reason.startswith("item 2: ")
        assert problems.bad[0].line == (
            1 if indent is None else text[: text.index('"x"')].count("\n")
        )


def test_a_broken_array_gives_what_came_before(tmp_path: Path) -> None:
    path = tmp_path / "t.json"
    path.write_text(json.dumps([_problem("a"), _problem("b")])[:-20])
    with open_problems(path) as problems:
        assert problems.ids == ["a"]
        assert "broken here" in problems.bad[0].reason


def test_a_first_line_that_is_a_list_does_not_make_an_array(tmp_path: Path) -> None:
    path = tmp_path / "t.jsonl"
    path.write_bytes(b"[1, 2]\n" + _lines(_problem("a")))
    with open_problems(path) as problems:
        assert problems.ids == ["a"]
        assert [bad.line for bad in problems.bad] == [1]


def test_a_pipe_can_be_read(tmp_path: Path) -> None:
    path = tmp_path / "pipe"
    os.mkfifo(path)
    writer = threading.Thread(target=path.write_bytes, args=(_lines(_problem("a")),))
    writer.start()
    with open_problems(path) as problems:
        assert problems.get("a").problem_id == "a"
    writer.join()


def test_a_file_changed_while_in_use_is_noticed(tmp_path: Path) -> None:
    path = tmp_path / "t.jsonl"
    path.write_bytes(_lines(_problem("a"), _problem("b")))
    with open_problems(path) as problems:
        path.write_bytes(_lines(_problem("b"), _problem("a")) + b"\n")
        with pytest.raises(DataError, match="changed since"):
            problems.get("a")


def test_a_closed_set_says_so(tmp_path: Path) -> None:
    path = tmp_path / "t.jsonl"
    path.write_bytes(_lines(_problem("a")))
    problems = open_problems(path)
    problems.close()
    problems.close()
    with pytest.raises(DataError, match="closed"):
        problems.get("a")


def test_memory_is_bounded_by_the_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(problems, "CACHE_BYTES", 1_000_000)
    path = tmp_path / "t.jsonl.gz"
    rows = [_problem(str(n), statement="x" * 300_000) for n in range(20)]
    path.write_bytes(gzip.compress(_lines(*rows)))
    with open_problems(path) as opened_set:
        assert len(opened_set) == 20
        assert 1 <= sum(name in opened_set._cache for name in opened_set) <= 3
        again = opened_set.get("0")
        assert opened_set.get("0") is again


def test_a_longer_text_takes_more_memory() -> None:
    short, long = (problem_from(_problem("a", statement="x" * n)) for n in (1, 1001))
    assert estimate_bytes(long) - estimate_bytes(short) == 1000


@settings(
    suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=60, deadline=None
)
@given(st.binary() | st.text().map(str.encode), st.sampled_from(["t.json", "t.jsonl"]))
def test_any_bytes_are_read_or_a_data_error(tmp_path: Path, data: bytes, name: str) -> None:
    path = tmp_path / name
    for content in (data, b"[{}," + data, gzip.compress(data), b"\x1f\x8b" + data):
        path.write_bytes(content)
        try:
            with open_problems(path) as problems:
                assert problems.bad or len(problems)
            assert list(read_solutions(path, None))
        except DataError:
            pass
