"""The journal of a run: what it keeps of a run that was cut off, and what it refuses to touch."""

from __future__ import annotations

import json
import os
import resource
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from microcoder_eval.results.files import READ_BYTES, Extent, OutputError, Paths
from microcoder_eval.results.journal import Journal, LineExtents
from microcoder_eval.results.lines import judgement_to_line
from tests.fuzz.test_lines import RESULT

LINE = judgement_to_line(RESULT)
Open = Callable[..., Journal]


@pytest.fixture
def paths(tmp_path: Path) -> Paths:
    return Paths.from_output(str(tmp_path / "results.jsonl"))


def open_journal(paths: Paths, *, resume: bool = False, force: bool = False) -> Journal:
    return Journal.open(paths, resume=resume, force=force)


def test_a_line_is_read_where_it_was_written(paths: Paths) -> None:
    journal = open_journal(paths)
    assert not journal.holds_results
    assert [journal.append_line(LINE), journal.append_line(LINE)] == [
        (0, len(LINE)),
        (len(LINE), len(LINE)),
    ]
    assert journal.holds_results
    assert journal.read(Extent(len(LINE), len(LINE))) == LINE
    assert [line for _, line in journal.read_lines()] == [LINE, LINE]
    journal.close()


def test_a_journal_without_results_leaves_no_file(paths: Paths) -> None:
    journal = open_journal(paths)
    assert paths.journal.exists()
    journal.close()
    journal.close()
    assert not paths.journal.exists()


def test_a_journal_is_closed_where_standard_input_was(paths: Paths) -> None:
    code = f"""\
import os
from microcoder_eval.results.files import Paths
from microcoder_eval.results.journal import Journal

os.close(0)
journal = Journal.open(Paths.from_output({str(paths.results)!r}), resume=False, force=False)
journal.close()
print(os.path.exists({str(paths.journal)!r}), os.path.exists("/proc/self/fd/0"))
"""
    process = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60
    )
    assert process.stdout == "False False\n"


def test_a_journal_with_results_stays(paths: Paths) -> None:
    journal = open_journal(paths)
    journal.append_line(LINE)
    journal.close()
    assert paths.journal.read_bytes() == LINE


@pytest.mark.parametrize("torn", [b"", LINE[:1], LINE[:-1], LINE + LINE[:40], b"\0" * 9])
def test_resuming_drops_a_line_that_was_cut_off(paths: Paths, torn: bytes) -> None:
    paths.journal.write_bytes(LINE + torn)
    whole = LINE + torn[: torn.rfind(b"\n") + 1]
    journal = open_journal(paths, resume=True)
    assert journal.append_line(LINE) == (len(whole), len(LINE))
    assert paths.journal.read_bytes() == whole + LINE
    journal.close()


@pytest.mark.parametrize("size", [READ_BYTES - 1, READ_BYTES, READ_BYTES + 1, 3 * READ_BYTES])
def test_a_torn_line_may_be_long(paths: Paths, size: int) -> None:
    torn = LINE[:20] + b" " * (size - 20)
    paths.journal.write_bytes(LINE + torn)
    open_journal(paths, resume=True).close()
    assert paths.journal.read_bytes() == LINE
    paths.journal.write_bytes(torn)
    open_journal(paths, resume=True).close()
    assert not paths.journal.exists()


@pytest.mark.parametrize("content", [b"notes", b"[1, 2]\nnotes of mine"])
def test_another_programs_file_is_left_unchanged(paths: Paths, content: bytes) -> None:
    paths.journal.write_bytes(content)
    with pytest.raises(OutputError, match="not a journal of this program"):
        open_journal(paths, resume=True)
    assert paths.journal.read_bytes() == content


def test_a_line_of_another_programs_results_is_refused_with_its_number(paths: Paths) -> None:
    paths.results.write_bytes(LINE + b"[1]\n")
    journal = open_journal(paths, resume=True)
    with pytest.raises(OutputError, match=r"results\.jsonl:2: not a result"):
        journal.index()
    journal.close()


@pytest.mark.parametrize("name", ["results", "journal"])
def test_results_are_replaced_only_by_force(paths: Paths, name: str) -> None:
    file: Path = getattr(paths, name)
    file.write_bytes(LINE)
    with pytest.raises(OutputError, match=f"{file} exists already"):
        open_journal(paths)
    assert file.read_bytes() == LINE
    journal = open_journal(paths, force=True)
    assert not journal.holds_results
    assert journal.append_line(LINE) == (0, len(LINE))
    assert paths.journal.read_bytes() == LINE
    journal.close()


def test_an_empty_file_of_results_is_no_obstacle(paths: Paths) -> None:
    paths.results.touch()
    paths.journal.touch()
    open_journal(paths).close()


def test_two_runs_never_write_to_one_journal(paths: Paths) -> None:
    journal = open_journal(paths)
    with pytest.raises(OutputError, match="in use by another run"):
        open_journal(paths, resume=True)
    journal.append_line(LINE)
    journal.close()
    open_journal(paths, resume=True).close()


def test_the_end_is_written_in_the_order_of_the_input(paths: Paths) -> None:
    journal, extents = open_journal(paths), LineExtents()
    for position, line in ((4, b"4\n"), (0, b"0\n"), (2, b"22\n")):
        extents.record(position, journal.append_line(line))
    assert [position for position in range(6) if position in extents] == [0, 2, 4]
    journal.finish(extents)
    assert paths.results.read_bytes() == b"0\n22\n4\n"
    assert not paths.journal.exists()
    journal.close()


def test_the_results_are_on_disk_before_they_replace_others(
    paths: Paths, monkeypatch: pytest.MonkeyPatch
) -> None:
    synced: list[tuple[bytes, bool]] = []

    def sync(descriptor: int) -> None:
        file = Path(f"/proc/self/fd/{descriptor}")
        if file.resolve().is_file():
            synced.append((file.read_bytes(), paths.results.exists()))

    journal, extents = open_journal(paths), LineExtents()
    extents.record(0, journal.append_line(LINE))
    monkeypatch.setattr(os, "fsync", sync)
    journal.finish(extents)
    journal.close()
    assert (LINE, False) in synced


def test_a_full_disk_leaves_no_part_of_a_line(paths: Paths) -> None:
    journal = open_journal(paths)
    journal.append_line(LINE)
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    try:
        resource.setrlimit(resource.RLIMIT_FSIZE, (len(LINE) + 10, limits[1]))
        with pytest.raises(OutputError, match="--resume"):
            journal.append_line(LINE)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    assert paths.journal.read_bytes() == LINE
    assert journal.append_line(LINE) == (len(LINE), len(LINE))
    journal.close()


def test_the_first_result_that_is_no_failure_of_the_judge_counts(paths: Paths) -> None:
    failure = {**json.loads(LINE), "verdict": "JE", "status": "error", "score": None}
    failure_line = json.dumps(failure).encode() + b"\n"
    later_line = LINE.replace(b'"score": 0.5', b'"score": 0.25')
    paths.journal.write_bytes(failure_line + failure_line + LINE + failure_line + later_line)
    journal = open_journal(paths, resume=True)
    index = journal.index()
    assert index.find_remaining() == RESULT
    stored = index.pop("a", "a#1")
    assert stored is not None
    assert (stored.judgement, stored.extent.offset) == (RESULT, 2 * len(failure_line))
    assert index.find_remaining() is None
    journal.close()


@pytest.mark.parametrize("cut", [0, 1, len(LINE) // 2])
def test_results_of_an_earlier_run_are_taken_over_once(paths: Paths, cut: int) -> None:
    second, third = (LINE.replace(b'"a#1"', name) for name in (b'"a#2"', b'"a#3"'))
    paths.results.write_bytes(LINE + second + third[: len(third) - cut])
    paths.journal.write_bytes(LINE)
    journal = open_journal(paths, resume=True)
    journal.index(with_results=False)
    assert paths.journal.read_bytes() == LINE
    journal.index()
    # Without its line break alone a line is whole.
    lines = [LINE, second, third][: 3 if cut < 2 else 2]
    assert [line for _, line in journal.read_lines()] == lines
    journal.close()
