"""Problems of many forms and places come in with licence, origin, platform and date."""

from __future__ import annotations

import json
import os
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from microcoder_data.collect import CollectStage
from microcoder_data.dates import to_iso_date
from microcoder_data.execution import RunConfig, run_stage
from microcoder_data.recipe import Collect
from microcoder_data.source_files import find_sources
from microcoder_eval.errors import DataError
from tests.data.lines import read, write
from tests.files import read_table, write_files

FILES = read_table(__file__)
NATIVE = {"problem_id": "p", "kind": "stdin", "tests": [{"input": "1", "output": "2"}]}
APPS = {
    "problem_id": 7,
    "question": "Add one.",
    "input_output": json.dumps({"inputs": ["1\n"], "outputs": ["2\n"]}),
    "difficulty": "interview",
    "url": "https://example.org/7",
    "starter_code": "",
    "solutions": "[]",
}


def collect_rows(tmp_path: Path, source: Path, **recipe: Any) -> tuple[list[Any], list[Any]]:
    """What collect keeps and drops of a file or folder."""
    out = tmp_path / "out.jsonl"
    run_stage(CollectStage(Collect(**recipe)), RunConfig([str(source)], str(out), force=True))
    return read(out), read(tmp_path / "out.dropped.jsonl")


def test_rows_of_other_formats_become_ours(tmp_path: Path) -> None:
    rows, dropped = collect_rows(tmp_path, write(tmp_path / "a.jsonl", [APPS]), licence="MIT")
    assert dropped == []
    assert rows[0]["statement"] == "Add one."
    assert rows[0]["tests"] == [{"input": "1\n", "output": "2\n"}]
    assert (rows[0]["licence"], rows[0]["origin"]) == ("MIT", "apps")


def test_what_a_problem_says_of_itself_wins_over_the_recipe(tmp_path: Path) -> None:
    row = {**NATIVE, "license": "CC0", "url": "https://x.org/p", "date": "May 3, 2024"}
    rows, _ = collect_rows(
        tmp_path, write(tmp_path / "a.jsonl", [row]), licence="MIT", platform="club", origin="us"
    )
    facts = {key: rows[0][key] for key in ("licence", "origin", "platform", "date")}
    assert facts == {
        "licence": "CC0", "origin": "https://x.org/p", "platform": "club", "date": "2024-05-03",
    }  # fmt: skip


def test_lines_that_are_no_problem_are_dropped_with_their_place(tmp_path: Path) -> None:
    nameless = {"tests": []}
    source = write(tmp_path / "a.jsonl", [NATIVE, b"{torn", nameless, b"[1]", b"\xff{}"])
    rows, dropped = collect_rows(tmp_path, source)
    assert [row["problem_id"] for row in rows] == ["p"]
    assert [one["reason"] for one in dropped] == ["unreadable"] * 4
    assert [one["evidence"]["line"] for one in dropped] == [2, 3, 4, 5]


def test_results_and_solutions_are_no_problems(tmp_path: Path) -> None:
    result = {"problem_id": "p", "verdict": "AC", "passed": True, "tests_sha256": "", "tests": []}
    solution = {"problem_id": "p", "solution_id": "p#1", "code": "print(1)"}
    problem = {"problem_id": "q", "statement": "Print 1.", "code": "print(1)"}
    source = write(tmp_path / "a.jsonl", [result, solution, problem])
    rows, dropped = collect_rows(tmp_path, source)
    assert [row["problem_id"] for row in rows] == ["q"]
    assert [one["detail"].partition(",")[0] for one in dropped] == [
        "it is a result of judging", "it is a solution",
    ]  # fmt: skip


def test_a_problem_with_an_odd_name_is_unreadable(tmp_path: Path) -> None:
    rows = [{**NATIVE, "problem_id": name} for name in (5.5, None, "  ", ["a"])]
    kept, dropped = collect_rows(tmp_path, write(tmp_path / "a.jsonl", rows))
    assert kept == []
    assert ['"problem_id"' in one["detail"] for one in dropped] == [True] * 4


def test_the_second_problem_of_a_name_is_dropped(tmp_path: Path) -> None:
    rows, dropped = collect_rows(tmp_path, write(tmp_path / "a.jsonl", [NATIVE, NATIVE]))
    assert len(rows) == 1
    assert dropped[0]["reason"] == "duplicate_id"


def test_a_folder_gives_its_files_in_the_order_of_their_names(tmp_path: Path) -> None:
    folder = tmp_path / "raw"
    (folder / "b").mkdir(parents=True)
    for name, problem in (("b/1.jsonl", "x"), ("a.jsonl", "y"), ("a.dropped.jsonl", "z")):
        write(folder / name, [{**NATIVE, "problem_id": problem}])
    (folder / "c.csv").write_text('problem_id,tests\nz,"[{""input"":""1"",""output"":""2""}]"\n')
    (folder / "notes.txt").write_text("not a problem")
    rows, _ = collect_rows(tmp_path, folder)
    assert [row["problem_id"] for row in rows] == ["y", "x", "z"]


def test_parquet_is_read(tmp_path: Path) -> None:
    import pyarrow
    from pyarrow import parquet

    row = {**APPS, "problem_id": "7", "when": __import__("datetime").date(2024, 1, 2)}
    parquet.write_table(pyarrow.Table.from_pylist([row]), tmp_path / "a.parquet")
    rows, dropped = collect_rows(tmp_path, tmp_path / "a.parquet")
    assert dropped == []
    assert (rows[0]["problem_id"], rows[0]["when"]) == ("7", "2024-01-02")


@pytest.mark.parametrize(
    ("name", "make", "message"),
    [
        ("a.parquet", lambda path: path.write_bytes(b"nothing of the kind"), "Parquet"),
        ("raw", Path.mkdir, "nothing to read"),
        ("pipe", os.mkfifo, "regular"),  # it cannot be read twice
    ],
)
def test_what_cannot_be_read_is_named(
    tmp_path: Path, name: str, make: Callable[[Path], object], message: str
) -> None:
    make(tmp_path / name)
    with pytest.raises(DataError, match=message):
        collect_rows(tmp_path, tmp_path / name)


def test_a_dataset_that_cannot_be_fetched_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HF_HOME", str(tmp_path / "cache"))
    monkeypatch.setenv("HF_ENDPOINT", "http://127.0.0.1:9")
    from huggingface_hub import constants

    monkeypatch.setattr(constants, "HF_HUB_OFFLINE", True)
    with pytest.raises(DataError, match="could not be fetched"):
        collect_rows(tmp_path, Path("nobody/no-such-set"))


KATTIS = FILES["kattis"]


def test_a_kattis_package_is_read(tmp_path: Path) -> None:
    rows, dropped = collect_rows(tmp_path, write_files(tmp_path / "raw" / "ferry", KATTIS).parent)
    assert dropped == []
    row = rows[0]
    assert row["problem_id"] == "ferry"
    assert row["licence"] == "cc by-sa"
    assert row["statement"] == "\\problemname{Ferry}\nHow many?"
    assert row["limits"] == {"time_s": 2.0, "memory_mb": 512.0}
    assert row["checker"]["float_tolerance"] == 1e-6
    assert [test["output"] for test in row["tests"]] == ["1\n", "4\n"]
    assert [(one["verdict"], one["language"]) for one in row["solutions"]] == [
        ("AC", "python"), ("TLE", "cpp"), ("WA", "python"),
    ]  # fmt: skip


def test_samples_are_the_tests_of_a_package_whose_others_have_yet_to_be_made(
    tmp_path: Path,
) -> None:
    files = {name: text for name, text in KATTIS.items() if "secret" not in name}
    files |= {"data/sample/1.in": "1\n", "data/sample/1.ans": "1\n", "data/gen.py": ""}
    files |= {"data/sample/2.in": "2\n"}  # its answer has yet to be made, too
    folder = write_files(tmp_path / "raw" / "ferry", files)
    rows, dropped = collect_rows(tmp_path, folder.parent)
    assert dropped == []
    assert rows[0]["tests"] == [{"input": "1\n", "output": "1\n"}]
    assert rows[0]["findings"] == ["tests_not_generated"]
    (folder / "data/sample/1.ans").unlink()
    assert collect_rows(tmp_path, folder.parent)[1][0]["reason"] == "tests_not_generated"


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"problem.yaml": "validation: custom interactive\n"}, "broken_package"),
        ({"problem.yaml": "validation: custom multi-pass\n"}, "broken_package"),
        ({"problem.yaml": "type: [multi-pass, interactive]\n"}, "broken_package"),
        ({"problem.yaml": "type: submit-answer\n"}, "submit_answer"),
        ({"problem.yaml": "validation: custom\n"}, "broken_package"),
        ({"problem.yaml": "name: [\n"}, "broken_package"),
    ],
)
def test_a_package_that_cannot_be_used_says_why(
    tmp_path: Path, changes: dict[str, str], reason: str
) -> None:
    folder = write_files(tmp_path / "raw" / "ferry", {**KATTIS, **changes})
    rows, dropped = collect_rows(tmp_path, folder.parent)
    assert rows == []
    assert (dropped[0]["problem_id"], dropped[0]["reason"]) == ("ferry", reason)


def test_a_validator_of_one_file_becomes_the_checker(tmp_path: Path) -> None:
    changes = {"problem.yaml": "validation: custom\n", "output_validators/v.py": "import sys"}
    rows, _ = collect_rows(
        tmp_path, write_files(tmp_path / "raw" / "ferry", {**KATTIS, **changes}).parent
    )
    assert rows[0]["checker"] == {
        "source": "import sys", "language": "python", "protocol": "kattis",
    }  # fmt: skip


POLYGON = FILES["polygon"]


def test_a_polygon_package_is_read(tmp_path: Path) -> None:
    rows, dropped = collect_rows(tmp_path, write_files(tmp_path / "raw" / "double", POLYGON).parent)
    assert dropped == []
    row = rows[0]
    assert row["limits"] == {"time_s": 1.5, "memory_mb": 256.0}
    assert row["checker"] == {"name": "wcmp"}
    assert row["tests"] == [{"input": "1\n", "output": "2\n"}, {"input": "4\n"}]
    assert row["title"] == "Double"
    assert row["examples"] == [{"input": "1\n", "output": "2 (twice 1)\n"}]
    assert row["statement"].startswith("Double $n$.\n\n\\section*{Input}\nA number.")
    sections = "\n\n\\section*{Interaction}\nFlush.\n\n\\section*{Scoring}\nAll or nothing."
    assert row["statement"].endswith(sections)
    assert [one["verdict"] for one in row["solutions"]] == ["AC", "WA"]


DMOJ = {
    "init.yml": "archive: t.zip\nchecker: standard\n"
    "test_cases:\n- {in: a.in, out: a.out, points: 1}\n- batched: [{in: b.in, out: b.out}]\n",
    "ReadMe.MD": "Halve it.",
}


def test_a_dmoj_package_is_read(tmp_path: Path) -> None:
    folder = write_files(tmp_path / "raw" / "half", DMOJ)
    with zipfile.ZipFile(folder / "t.zip", "w") as archive:
        for name, text in (("a.in", "2"), ("a.out", "1"), ("b.in", "5"), ("b.out", "2.5")):
            archive.writestr(name, text)
    rows, dropped = collect_rows(tmp_path, folder.parent)
    assert dropped == []
    assert rows[0]["tests"] == [
        {"input": "2\n", "output": "1\n"},
        {"input": "5\n", "output": "2.5\n"},
    ]
    assert rows[0]["checker"] == {"name": "tokens", "line_sensitive": True, "case_sensitive": True}
    assert (rows[0]["statement"], rows[0]["platform"]) == ("Halve it.", "dmoj")


@pytest.mark.parametrize(
    ("value", "day"),
    [
        ("2024-08-21T00:00:00", "2024-08-21"), ("2024/8/1", "2024-08-01"),
        ("2024-08", "2024-08-01"),
        ("21 August 2024", "2024-08-21"), ("Aug 21, 2024", "2024-08-21"),
        (1_724_198_400, "2024-08-21"),
        (1_724_198_400_000, "2024-08-21"), ("03/04/2024", None), ("2024-02-31", None),
        ("0001-01-01T00:00:00", None),  # no contest was held then
        ("soon", None), (7, None), (None, None), (True, None),
    ],
)  # fmt: skip
def test_dates_are_days_or_nothing(value: Any, day: str | None) -> None:
    assert to_iso_date(value) == day


def test_not_even_the_hash_of_a_package_reads_what_is_outside(tmp_path: Path) -> None:
    package, secret = write_files(tmp_path / "ferry", KATTIS), tmp_path / "secret.txt"
    secret.write_text("a secret of this machine")
    (package / "data" / "secret" / "2.in").symlink_to(secret)
    (before,) = find_sources([str(package)])
    secret.write_text("something else")
    (after,) = find_sources([str(package)])
    assert before.sha256 == after.sha256
