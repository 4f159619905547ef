"""``run`` executes what its recipe configures, and refuses what would be left out unnoticed."""

from __future__ import annotations

from pathlib import Path

import pytest

from microcoder_data.recipe import read_recipe
from tests.commands import Command
from tests.data.clean import problems
from tests.data.lines import write

HEAD = '[run]\ninputs = ["raw.jsonl"]\noutput = "corpus.jsonl"\n'


def write_recipe(text: str) -> str:
    """A recipe beside a dozen problems, the first of which an evaluation holds."""
    rows = problems(12)
    write(Path("raw.jsonl"), rows)
    write(Path("eval.jsonl"), [{**rows[0], "problem_id": "held-out"}])
    Path("r.toml").write_text(f"{HEAD}{text}\n")
    return "r.toml"


@pytest.mark.parametrize(
    ("recipe", "message"),
    [
        ('stages = ["collect", "process"]\n[decontaminate]\nagainst = ["eval.jsonl"]',
         "[decontaminate] would not be used"),
        ('stages = ["collect", "filter"]\n[process]\nlanguages = ["en", "de"]',
         "[process] would not be used"),
        ('stages = ["collect"]\n[verify]', "[verify] would not be used"),
        ('stages = ["process"]\n[filter]\nsince = "2024-01-01"', "[filter] would not be used"),
        ('stages = ["process"]\n[collect]\nlicence = "MIT"', "[collect] would not be used"),
        ('solutions = "s.jsonl"\nstages = ["collect"]', '"verify"'),
        ('stages = ["filter", "collect"]', "stages = ['collect'"),
        ('stages = ["collect", "collect"]', "stages = ['collect'"),
        ("stages = []", "stages"),
    ],
)  # fmt: skip
def test_what_would_be_left_out_unnoticed_is_refused(
    command: Command, recipe: str, message: str
) -> None:
    code, _, err = command("run", write_recipe(recipe))
    assert code == 2
    assert message in err
    assert "stages" in err
    assert not list(Path().glob("corpus*"))


def test_what_is_pending_cannot_be_dropped(command: Command) -> None:
    code, _, err = command("run", write_recipe('[verify]\ndrop = ["missing_module"]'))
    assert code == 2
    assert 'keep = ["missing_module"]' in err


@pytest.mark.usefixtures("command")
def test_the_stages_without_sections_are_the_usual_ones() -> None:
    assert read_recipe(write_recipe("")).list_stages() == (
        "collect", "process", "filter", "verify",
    )  # fmt: skip


@pytest.mark.parametrize(
    "path", sorted((Path(__file__).parents[2] / "datasets" / "recipes").glob("*.toml"))
)
def test_the_recipes_that_are_shipped_use_all_their_settings(path: Path) -> None:
    assert read_recipe(str(path)).list_stages()
