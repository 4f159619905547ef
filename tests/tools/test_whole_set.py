"""The bundled set as a whole: reproducible, no duplicates, no leaks, statements that suffice."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from microcoder_mini.build import check_split, make_files
from microcoder_mini.search import WeakTaskError

from microcoder_data.cli import main
from microcoder_eval import Judge
from tests.files import read_jsonl
from tests.tools.bundled import MINI, SPLITS, read_rows, rows_of

BLIND = {"mini-a": 6, "mini-b": 7, "mini-c": 7}


@pytest.fixture(scope="module")
def set_rows() -> list[dict[str, Any]]:
    return [row for tier in "abc" for row in rows_of(tier)]


def join_rows(folder: Path, split: str) -> Path:
    path = folder / f"{split}.jsonl"
    parts = sorted(MINI.glob(f"tier_?_{split}.jsonl"))
    path.write_text("".join(part.read_text(encoding="utf-8") for part in parts), encoding="utf-8")
    return path


@pytest.mark.slow
def test_the_files_are_what_the_generators_write() -> None:
    for name, content in make_files().items():
        assert (MINI / name).read_bytes() == content, name


def test_a_family_is_in_one_split_only(set_rows: list[dict[str, Any]]) -> None:
    split: dict[str, str] = {}
    for row in set_rows:
        assert split.setdefault(row["family"], row["split"]) == row["split"], row["problem_id"]


def test_half_of_the_wrong_programs_of_a_family_are_written_by_hand(
    set_rows: list[dict[str, Any]],
) -> None:
    by: dict[str, Counter[str]] = {}
    for row in set_rows:
        wrong = [one["by"] for one in row["solutions"] if one["verdict"] != "AC"]
        assert len(wrong) >= 3, row["problem_id"]
        by.setdefault(row["family"], Counter()).update(wrong)
    assert [family for family, count in by.items() if 2 * count["hand"] < count.total()] == []


@pytest.mark.slow
@pytest.mark.parametrize("split", SPLITS)
@pytest.mark.parametrize("tier", "abc")
def test_programs_get_the_verdicts_stated_and_wrong_ones_pass_some_tests(
    tier: str, split: str
) -> None:
    # In the most problems wrong programs that do not end would take the limits of all tests.
    stop: Any = "first_failure" if (tier, split) == ("a", "train") else "never"
    rows = rows_of(tier, split)
    cases = [(row, one) for row in rows for one in row["solutions"]]
    with Judge(workers=2, stop=stop) as judge:
        judgements = list(judge.map(({"code": one["code"]}, row) for row, one in cases))
    odd = [
        (row["problem_id"], one["code"], judgement.verdict, judgement.score)
        for (row, one), judgement in zip(cases, judgements, strict=True)
        if judgement.verdict != one["verdict"]
        or (stop == "never" and one["verdict"] != "AC" and not 0.0 < judgement.score < 1.0)
    ]
    assert odd == []


@pytest.mark.slow
def test_at_least_200_problems_survive_the_filter_of_near_duplicates(tmp_path: Path) -> None:
    pytest.importorskip("ftfy", reason="the pipeline needs the extra `data`")
    every = [str(join_rows(tmp_path, split)) for split in SPLITS]
    out = tmp_path / "kept.jsonl"
    assert main(["filter", *every, "-o", str(out), "--workers", "1"]) == 0
    dropped = read_jsonl(tmp_path / "kept.dropped.jsonl")
    assert len(read_jsonl(out)) >= 200
    assert [row["problem_id"] for row in dropped if "duplicate" in row["reason"]] == []


@pytest.mark.slow
def test_no_training_problem_is_contaminated_by_a_held_out_one(tmp_path: Path) -> None:
    pytest.importorskip("ftfy", reason="the pipeline needs the extra `data`")
    train, held_out = (str(join_rows(tmp_path, split)) for split in SPLITS)
    out = tmp_path / "clean.jsonl"
    words = [train, "-o", str(out), "--against", held_out, "--workers", "1"]
    assert main(["decontaminate", *words]) == 0
    assert [row["problem_id"] for row in read_jsonl(tmp_path / "clean.dropped.jsonl")] == []


def test_the_blind_solutions_are_of_all_tiers(set_rows: list[dict[str, Any]]) -> None:
    # They were drawn by a seed from the problems that there were then.
    names = [row["problem_id"] for row in read_rows("blind.jsonl")]
    assert len(set(names)) == len(names)
    assert Counter(name.partition("/")[0] for name in names) == BLIND
    assert set(names) <= {row["problem_id"] for row in set_rows}


def test_every_row_has_a_licence(set_rows: list[dict[str, Any]]) -> None:
    assert {row.get("licence") for row in set_rows} == {"Apache-2.0"}


def test_no_held_out_program_is_a_training_one_with_other_names_and_constants() -> None:
    for tier in "abc":
        check_split(rows_of(tier))


def test_a_renamed_program_on_both_sides_of_the_split_is_refused() -> None:
    sides = [
        {"problem_id": name, "split": split, "solutions": [{"code": code, "verdict": "AC"}]}
        for name, split, code in (
            ("a", "heldout", "def f(xs: list[int]) -> int:\n    return sum(x > 3 for x in xs)\n"),
            ("b", "train", "def g(a: list[int]) -> int:\n    return sum(b > 70 for b in a)\n"),
        )
    ]
    with pytest.raises(WeakTaskError, match="a is held out and equals b"):
        check_split(sides)
    sides[1]["solutions"][0]["code"] = sides[1]["solutions"][0]["code"].replace("sum", "any")
    check_split(sides)


def test_a_solution_from_the_statement_alone_passes(
    pool: Judge, set_rows: list[dict[str, Any]]
) -> None:
    problems = {row["problem_id"]: row for row in set_rows}
    pairs = [
        ({"code": one["code"]}, problems[one["problem_id"]]) for one in read_rows("blind.jsonl")
    ]
    assert [judgement.verdict for judgement in pool.map(pairs)] == ["AC"] * 20
