"""A model writes a generator, whose inputs become tests where right programs agree."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from microcoder_data.recipe import Endpoint, Strengthen
from microcoder_data.strengthen.stage import StrengthenStage
from tests.data.lines import Row, Run
from tests.data.model import Model, say

pytestmark = pytest.mark.slow

# On the odd numbers it prints, the right programs disagree.
GENERATOR = "import random\nrandom.seed(int(input()))\nprint(random.randint(40, 90))"


def halve(model: tuple[type[Model], str], tmp_path: Path, answer: str) -> tuple[Row, Strengthen]:
    """A problem about even numbers, and a recipe with an endpoint and without other inputs."""
    handler, address = model
    handler.always(say(answer))
    row: dict[str, Any] = {
        "problem_id": "halve",
        "kind": "stdin",
        "statement": "Print half of an even number.",
        "tests": [{"input": "2\n", "output": "1\n"}, {"input": "6\n", "output": "3\n"}],
        "solutions": [
            {"code": "print(int(input()) // 2)", "verdict": "AC"},
            {"code": "print((int(input()) + 1) // 2)", "verdict": "AC"},
        ],
    }
    endpoint = Endpoint(url=address, model="fake", cache=str(tmp_path / "cache.jsonl"))
    return row, Strengthen(proposals=0, large=0, generator_runs=8, endpoint=endpoint)


def test_what_a_generator_prints_becomes_a_test_where_right_programs_agree(
    run: Run, model: tuple[type[Model], str], tmp_path: Path
) -> None:
    row, recipe = halve(model, tmp_path, f"```python\n{GENERATOR}\n```")
    rows, dropped, _ = run(StrengthenStage(recipe), row)
    assert dropped == {}
    numbers = [int(test["input"]) for test in rows[0]["tests"][2:]]
    assert numbers
    assert all(40 <= number <= 90 and number % 2 == 0 for number in numbers)
    assert "generator of fake, seed" in rows[0]["tests"][-1]["origin"]
    assert "needs_checker" in rows[0]["findings"]


def test_an_endpoint_that_gives_no_code_leaves_the_problem_pending(
    run: Run, model: tuple[type[Model], str], tmp_path: Path
) -> None:
    row, recipe = halve(model, tmp_path, "I cannot.")
    _, dropped, _ = run(StrengthenStage(recipe), row)
    assert dropped == {"halve": "endpoint_failed"}


def test_a_model_is_not_asked_where_one_program_alone_would_vouch_for_its_inputs(
    run: Run, model: tuple[type[Model], str], tmp_path: Path
) -> None:
    row, recipe = halve(model, tmp_path, f"```python\n{GENERATOR}\n```")
    rows, _, _ = run(StrengthenStage(recipe), {**row, "solutions": row["solutions"][:1]})
    assert rows[0]["strengthened"]["added"] == 0
    assert model[0].asked == []
