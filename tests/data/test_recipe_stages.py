"""``run`` executes what its recipe configures, and refuses what would be left out unnoticed."""

from __future__ import annotations

from pathlib import Path

import pytest

from microcoder_data.cli import main
from microcoder_data.recipe import read_recipe
from tests.data.clean import problems
from tests.data.lines import write

HEAD = '[run]\ninputs = ["raw.jsonl"]\noutput = "corpus.jsonl"\n'


def write_recipe(folder: Path, text: str) -> str:
    """A recipe beside a dozen problems, the first of which an evaluation holds."""
    rows = problems(12)
    write(folder / "raw.jsonl", rows)
    write(folder / "eval.jsonl", [{**rows[0], "problem_id": "held-out"}])
    (folder / "r.toml").write_text(text)
    return str(folder / "r.toml")


@pytest.mark.parametrize(
    ("stages", "settings", "name"),
    [
        ('["collect", "process"]', '[decontaminate]\nagainst = ["eval.jsonl"]', "decontaminate"),
        ('["collect", "filter"]', '[process]\nlanguages = ["en", "de"]', "process"),
        ('["collect"]', "[verify]", "verify"),
        ('["process"]', '[filter]\nsince = "2024-01-01"', "filter"),
        ('["process"]', '[collect]\nlicence = "MIT"', "collect"),
    ],
)
def test_a_section_whose_stage_does_not_run_is_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], stages: str, settings: str, name: str
) -> None:
    recipe = write_recipe(tmp_path, f"{HEAD}stages = {stages}\n{settings}\n")
    assert main(["run", recipe]) == 2
    message = capsys.readouterr().err
    assert f"[{name}] would not be used" in message
    assert "stages" in message
    assert not list(tmp_path.glob("corpus*"))


def test_programs_that_no_stage_reads_are_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    recipe = write_recipe(tmp_path, f'{HEAD}solutions = "s.jsonl"\nstages = ["collect"]\n')
    assert main(["run", recipe]) == 2
    assert '"verify"' in capsys.readouterr().err


@pytest.mark.parametrize("stages", ['["filter", "collect"]', '["collect", "collect"]'])
def test_stages_in_another_order_are_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], stages: str
) -> None:
    assert main(["run", write_recipe(tmp_path, f"{HEAD}stages = {stages}\n")]) == 2
    assert "stages = ['collect'" in capsys.readouterr().err
    assert not list(tmp_path.glob("corpus*"))


def test_no_stages_at_all_are_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["run", write_recipe(tmp_path, f"{HEAD}stages = []\n")]) == 2
    assert "stages" in capsys.readouterr().err


def test_the_stages_without_sections_are_the_usual_ones(tmp_path: Path) -> None:
    recipe = read_recipe(write_recipe(tmp_path, HEAD))
    assert recipe.list_stages() == ("collect", "process", "filter", "verify")


@pytest.mark.parametrize(
    "path", sorted((Path(__file__).parents[2] / "datasets" / "recipes").glob("*.toml"))
)
def test_the_recipes_that_are_shipped_use_all_their_settings(path: Path) -> None:
    assert read_recipe(str(path)).list_stages()
