"""A stage leaves the same bytes however often it is killed, and for any number of workers."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any

import psutil
import pytest

from microcoder_data.cli import main
from microcoder_data.execution import RunConfig, run_stage
from microcoder_data.filter.stage import FilterStage
from microcoder_data.manifest import Files
from microcoder_data.process.stage import ProcessStage
from microcoder_data.recipe import Filter, Process
from microcoder_eval.results.files import OutputError
from tests.commands import ENVIRONMENT
from tests.data.clean import problems
from tests.data.lines import read, write

SAME = ("jsonl", "dropped.jsonl", "manifest.json")


def command(stage: str, source: Path, out: Path, *words: str) -> list[str]:
    """A command line of ``microcoder-data``."""
    recipe = source.with_name("recipe.toml")
    recipe.write_text("[verify]\nmutants = 4\n")
    return [sys.executable, "-m", "microcoder_data", stage, str(source), "-o", str(out),
            "--workers", "2", "--recipe", str(recipe), *words]  # fmt: skip


def contents(out: Path) -> dict[str, bytes]:
    """The bytes of all files that must not differ between runs, but for their own name."""
    stem = out.name.removesuffix(".jsonl")
    return {
        end: out.with_name(f"{stem}.{end}").read_bytes().replace(stem.encode(), b"OUT")
        for end in SAME
    }


class FragileStage(FilterStage):
    """Cannot handle one of its problems, as an oversight in our code would have it."""

    def handle_record(self, record: Any) -> Any:
        result = super().handle_record(record)
        if result.problem_id == "problem-1":
            raise AttributeError("no title")
        return result


def test_ctrl_c_while_the_workers_start_is_one_sentence(tmp_path: Path) -> None:
    source = write(tmp_path / "in.jsonl", problems(60))
    process = subprocess.Popen(
        command("process", source, tmp_path / "out.jsonl"), env=ENVIRONMENT, text=True,
        stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, start_new_session=True,
    )  # fmt: skip
    importing: list[psutil.Process] = []  # modules, in which Ctrl-C would be a traceback
    while not importing and process.poll() is None:
        time.sleep(0.02)
        importing = [
            child for child in psutil.Process(process.pid).children()
            if "spawn_main" in " ".join(child.cmdline()) and child.cpu_times().user > 0.1
        ]  # fmt: skip
    os.killpg(process.pid, signal.SIGINT)
    _, errors = process.communicate()
    assert process.returncode == 130
    assert errors.splitlines()[-1] == "microcoder-data: interrupted"
    assert "Traceback" not in errors


def test_a_problem_that_breaks_a_step_is_set_aside_and_the_run_goes_on(tmp_path: Path) -> None:
    rows = [{**row, "problem_id": f"problem-{i}"} for i, row in enumerate(problems(3))]
    source = write(tmp_path / "in.jsonl", rows)
    manifest = run_stage(
        FragileStage(Filter()), RunConfig([str(source)], str(tmp_path / "o.jsonl"))
    )
    assert manifest.counts["kept"] == 2
    (dropped,) = read(tmp_path / "o.dropped.jsonl")
    assert dropped["reason"] == "step_failed"
    assert dropped["problem"]["problem_id"] == "problem-1"
    assert dropped["evidence"]["exception"] == "AttributeError: no title"


TRIES = 10


def killed_after(words: list[str], part: Path, lines: int) -> bool:
    """Start, and kill with SIGKILL as soon as some lines are written; False: it was faster."""
    process = subprocess.Popen(
        words, env=ENVIRONMENT, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    pause, deadline = threading.Event(), time.monotonic() + 120
    while process.poll() is None and time.monotonic() < deadline:
        if part.exists() and part.read_bytes().count(b"\n") > lines:
            process.send_signal(signal.SIGKILL)
            process.wait()
            return True
        pause.wait(0.005)
    process.kill()
    process.wait()
    return False


# One that decides over all problems; one that decides problem by problem, and asks the judge.
@pytest.mark.slow
@pytest.mark.parametrize("stage", ["filter", "verify"])
def test_a_killed_run_goes_on_and_ends_in_the_same_bytes(tmp_path: Path, stage: str) -> None:
    rows = problems(12 if stage == "verify" else 96)
    if stage == "filter":  # copies under other names: work to be killed at, duplicates to find
        rows += [{**row, "problem_id": f"{row['problem_id']}/copy"} for row in rows]
    source = write(tmp_path / "in.jsonl", [*rows, b"{torn", {"no": "name"}])
    whole, broken = tmp_path / "whole.jsonl", tmp_path / "broken.jsonl"
    assert main(command(stage, source, whole)[3:]) == 2  # two lines are unreadable
    words = command(stage, source, broken)
    part = tmp_path / "broken.part"
    for _ in range(TRIES):
        if killed_after(words, part, 2):
            break
        for left in tmp_path.glob("broken.*"):  # it was done before we had a core to see it begin
            left.unlink()
    assert part.exists()
    killed_after([*words, "--resume"], part, part.read_bytes().count(b"\n") + 2)
    assert main([*words[3:], "--resume"]) == 2
    assert contents(broken) == contents(whole)
    assert not part.exists()


def order(source: Path, out: Path, **options: Any) -> RunConfig:
    """An order for a stage."""
    return RunConfig([str(source)], str(out), **options)


def test_a_finished_run_is_not_done_again(tmp_path: Path) -> None:
    source, out = write(tmp_path / "in.jsonl", problems(5)), tmp_path / "out.jsonl"
    first = run_stage(ProcessStage(Process()), order(source, out))
    before = out.stat().st_mtime_ns
    assert run_stage(ProcessStage(Process()), order(source, out, resume=True)) == first
    assert out.stat().st_mtime_ns == before


def test_what_is_there_is_not_replaced_unasked(tmp_path: Path) -> None:
    source, out = write(tmp_path / "in.jsonl", problems(5)), tmp_path / "out.jsonl"
    run_stage(ProcessStage(Process()), order(source, out))
    with pytest.raises(OutputError, match="exists already"):
        run_stage(ProcessStage(Process()), order(source, out))
    run_stage(ProcessStage(Process()), order(source, out, force=True))


@pytest.mark.parametrize("other", ["input", "recipe", "seed"])
def test_resuming_with_something_else_is_refused(tmp_path: Path, other: str) -> None:
    source, out = write(tmp_path / "in.jsonl", problems(5)), tmp_path / "out.jsonl"
    run_stage(ProcessStage(Process()), order(source, out))
    stage, seed = ProcessStage(Process()), 0
    if other == "input":
        write(source, problems(6))
    elif other == "recipe":
        stage = ProcessStage(Process(min_tests=3))
    else:
        seed = 7
    with pytest.raises(OutputError, match="--resume refused"):
        run_stage(stage, order(source, out, resume=True, seed=seed))


@pytest.mark.slow
def test_the_number_of_workers_changes_no_byte(tmp_path: Path) -> None:
    source = write(tmp_path / "in.jsonl", problems(60))
    outs = [tmp_path / name / "out.jsonl" for name in ("single", "double")]
    for workers, out in enumerate(outs, 1):
        out.parent.mkdir()
        run_stage(FilterStage(Filter()), order(source, out, workers=workers))
    assert contents(outs[0]) == contents(outs[1])


@pytest.mark.parametrize("ending", ["jsonl.gz", "jsonl.zst"])
def test_compressed_output_holds_neither_name_nor_time(tmp_path: Path, ending: str) -> None:
    source = write(tmp_path / "in.jsonl", problems(5))
    for name in ("a", "b"):
        run_stage(ProcessStage(Process()), order(source, tmp_path / f"{name}.{ending}"))
    one, other = ((tmp_path / f"{name}.{ending}").read_bytes() for name in ("a", "b"))
    assert one == other
    assert one[4:8] == b"\0\0\0\0" or ending.endswith("zst")


def test_no_path_and_no_time_is_in_what_is_kept_or_dropped(tmp_path: Path) -> None:
    source = write(tmp_path / "in.jsonl", [*problems(4), b"{torn"])
    run_stage(ProcessStage(Process()), order(source, tmp_path / "out.jsonl"))
    for name in ("out.jsonl", "out.dropped.jsonl", "out.manifest.json"):
        assert str(tmp_path).encode() not in (tmp_path / name).read_bytes()
        assert b"seconds" not in (tmp_path / name).read_bytes()
    assert {"problem_id", "seconds"} == set(read(tmp_path / "out.timings.jsonl")[0])


def test_the_manifest_says_what_became_of_every_problem(tmp_path: Path) -> None:
    source = write(tmp_path / "in.jsonl", [*problems(4), b"{torn", {"problem_id": "x"}])
    run_stage(ProcessStage(Process()), order(source, tmp_path / "out.jsonl"))
    manifest = json.loads((tmp_path / "out.manifest.json").read_text())
    assert manifest["counts"] == {"read": 6, "kept": 4, "dropped": 2, "trainable": 4}
    assert manifest["reasons"] == {"not_trainable": 1, "unreadable": 1}
    assert manifest["inputs"][0]["name"] == "in.jsonl"
    assert set(manifest["outputs"]) == {"out", "dropped"}


def test_a_foreign_file_in_the_place_of_the_journal_is_left_alone(tmp_path: Path) -> None:
    source = write(tmp_path / "in.jsonl", problems(2))
    (tmp_path / "out.part").write_text("somebody's notes\n")
    with pytest.raises(OutputError):
        run_stage(ProcessStage(Process()), order(source, tmp_path / "out.jsonl", resume=True))
    assert (tmp_path / "out.part").read_text() == "somebody's notes\n"
    assert Files.from_output(str(tmp_path / "out.jsonl")).paths.journal == tmp_path / "out.part"
