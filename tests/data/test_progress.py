"""What a person sees: progress with a total, whole labels, and reasons in the words of the file."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from microcoder_data import source_files
from microcoder_eval.console import progress as progress_module
from microcoder_eval.console.progress import ProgressCounter, format_seconds
from tests.commands import Command
from tests.data.clean import problems
from tests.data.lines import read, write


def test_a_line_of_progress_has_count_total_rate_and_time_left() -> None:
    with ProgressCounter("problems", 100, done=20) as progress:
        for _ in range(10):
            progress.advance()
        assert progress.format_line(9.0) == "30 of 100 problems"
        assert progress.format_line(9.5) == "30 of 100 problems"
        for _ in range(20):
            progress.advance()
    assert progress.format_line(19.0) == "50 of 100 problems · 2.0/s · 25 s left"


def test_a_count_without_a_total_tells_its_rate() -> None:
    progress = ProgressCounter("programs", None)
    assert progress.format_line(1.0) == "0 programs"
    progress.advance()
    assert progress.format_line(11.0) == "1 programs · 0.1/s"


@pytest.mark.parametrize(
    ("seconds", "text"), [(0, "0 s"), (89, "89 s"), (600, "10 min"), (9000, "2.5 h")]
)
def test_durations_are_short(seconds: float, text: str) -> None:
    assert format_seconds(seconds) == text


def test_every_stage_tells_how_many_problems_there_are(
    command: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(progress_module, "PLAIN_SECONDS", 0.0)
    write(Path("in.jsonl"), [*problems(3), b"{torn"])
    write(Path("eval.jsonl"), problems(1, seed=5))
    Path("r.toml").write_text(
        '[run]\ninputs = ["in.jsonl"]\noutput = "out.jsonl"\n'
        '[decontaminate]\nagainst = ["eval.jsonl"]\n[verify]\nmutants = 0\n'
    )
    progress = command("run", "r.toml", "--workers", "1")[2]
    for text in ("4 of 4 problems: collect", "3 of 3 problems: process", "3 of 3 problems: filter",
                 "problems: filter, compared with each other", "problems: decontaminate",
                 "problems: verify"):  # fmt: skip
        assert text in progress


def test_records_of_all_sources_are_counted(tmp_path: Path) -> None:
    import pyarrow as pa
    from pyarrow import parquet

    write(tmp_path / "a.jsonl", [*problems(3), b"{torn"])
    (tmp_path / "b.json").write_text(json.dumps(problems(2)))
    parquet.write_table(pa.table({"problem_id": ["p", "q"]}), tmp_path / "c.parquet")
    sources = source_files.find_sources([str(tmp_path)])
    assert (
        source_files.count_records(sources, 64)
        == len(list(source_files.read_records(sources, 64)))
        == 8
    )


def test_labels_are_shown_whole(command: Command) -> None:
    licence = "Licence" + "-of-many-words" * 9
    write(Path("in.jsonl"), [{**row, "licence": licence} for row in problems(2)])
    code, out, _ = command("stats", "in.jsonl", "--html", "page.html")
    assert code == 0
    assert licence in "".join(out.split())
    assert f">{licence}<" in Path("page.html").read_text()


def test_the_reasons_are_shown_in_the_words_of_the_dropped_file(command: Command) -> None:
    row = {**problems(1)[0], "problem_id": "bare", "statement": "", "starter_code": ""}
    write(Path("in.jsonl"), [*problems(2), row])
    code, processed, _ = command("process", "in.jsonl", "-o", "out.jsonl")
    assert code == 0
    (dropped,) = read(Path("out.dropped.jsonl"))
    example = f"bare: {dropped['detail']}"
    manifest = json.loads(Path("out.manifest.json").read_text())
    assert manifest["examples"] == {"not_trainable": example}
    for shown in (processed, command("stats", "out.jsonl")[1]):
        assert "".join(example.split()) in "".join(shown.split())
