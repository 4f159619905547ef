"""The bundled one-line problems: reproducible, judged as they are labelled, no two alike."""

from __future__ import annotations

import hashlib
import json
import re
from collections import Counter
from collections.abc import Iterable
from itertools import combinations
from typing import Any

import pytest
from microcoder_mini.mutants import make_mutants
from microcoder_mini.tables import read_tasks

from tests.tools.bundled import SPLITS, read_rows, rows_of

# All inputs there are: pairs of truth values.
FEW_INPUTS = {"exactly_one", "neither", "implies"}


@pytest.fixture(scope="module")
def problems() -> list[dict[str, Any]]:
    return rows_of("a")


def list_grams(text: str, size: int) -> set[tuple[str, ...]]:
    words = re.findall(r"\w+", text.lower())
    return {tuple(words[k : k + size]) for k in range(len(words) - size + 1)}


def list_all_grams(texts: Iterable[str], size: int) -> set[tuple[str, ...]]:
    return set().union(*(list_grams(text, size) for text in texts))


def test_there_are_enough_problems_and_families(problems: list[dict[str, Any]]) -> None:
    families = {split: Counter(row["family"] for row in rows_of("a", split)) for split in SPLITS}
    assert len(problems) >= 400
    assert len(families["train"]) + len(families["heldout"]) >= 180
    assert len(families["train"]) >= 150
    assert families["heldout"].total() >= 64
    assert max(max(sizes.values()) for sizes in families.values()) <= 4
    assert set(families["train"]) & set(families["heldout"]) == set()


def test_names_are_unique(problems: list[dict[str, Any]]) -> None:
    names = Counter(row["entry_point"] for row in problems)
    assert [name for name, count in names.items() if count > 1] == []


def test_a_prompt_ends_where_one_line_completes_it(problems: list[dict[str, Any]]) -> None:
    for row in problems:
        assert row["starter_code"].endswith('"""\n    return')
        compile(row["starter_code"] + " None\n", row["problem_id"], "exec")
        assert len(row["starter_code"]) < 700, row["problem_id"]


def test_each_problem_has_tests_and_wrong_programs(problems: list[dict[str, Any]]) -> None:
    for row in problems:
        least = 4 if row["entry_point"] in FEW_INPUTS else 8
        assert len(row["tests"]) >= least, row["problem_id"]
        verdicts = Counter(solution["verdict"] for solution in row["solutions"])
        assert verdicts["AC"] == 1
        assert verdicts.total() >= 4, row["problem_id"]


def test_most_problems_are_neither_too_hard_nor_too_easy_for_a_small_model(
    problems: list[dict[str, Any]],
) -> None:
    rates = {row["problem_id"]: row for row in read_rows("pass_rates.jsonl")}
    prompts = {
        row["problem_id"]: hashlib.sha256(row["starter_code"].encode()).hexdigest()[:16]
        for row in problems
    }
    for name, rate in rates.items():  # the very prompt that was measured
        assert rate["prompt_sha256"] == prompts[name], name
    assert len(rates) >= 0.85 * len(problems)  # tasks written later were not measured
    between = sum(0.05 < row["pass_rate"] < 0.95 for row in rates.values())
    assert between >= 0.6 * len(rates)


def test_no_constant_is_a_solution(problems: list[dict[str, Any]]) -> None:
    for row in problems:
        results = {json.dumps(test["output"]) for test in row["tests"]}
        assert len(results) > 1, row["problem_id"]


def test_held_out_problems_share_no_13_words_with_training() -> None:
    for key in ("statement", "starter_code"):
        seen = list_all_grams((row[key] for row in rows_of("a", "train")), 13)
        assert [
            row["problem_id"] for row in rows_of("a", "heldout") if list_grams(row[key], 13) & seen
        ] == []


def test_no_two_statements_are_near_duplicates(problems: list[dict[str, Any]]) -> None:
    shingles = [(row["problem_id"], list_grams(row["statement"], 5)) for row in problems]
    alike = [
        (left, right)
        for (left, a), (right, b) in combinations(shingles, 2)
        if len(a & b) >= 0.7 * len(a | b)
    ]
    assert alike == []


def test_mutants_differ_from_the_program_and_from_each_other() -> None:
    mutants = list(make_mutants("sorted([x + 1 for x in xs if x > 0])[:3]"))
    assert len(mutants) == len(set(mutants)) >= 8
    assert "sorted([(x - 1) for x in xs if x > 0])[:3]" in mutants
    assert "sorted([x + 1 for x in xs if (x >= 0)])[:3]" in mutants
    assert "sorted([x + 1 for x in xs])[:3]" in mutants
    for text in mutants:
        compile(text, text, "eval")


@pytest.mark.parametrize(
    "table",
    [
        "name(x: int) -> int\n  Text.\n  = x",  # before any family
        "# family\nname(x: int)\n  Text.\n  = x",  # no result type
        "# family\nname(x: int) -> int\n  Text.",  # no right program
        "# family\nname(x: int) -> int\n  = x",  # no text
    ],
)
def test_a_block_that_breaks_the_notation_is_refused(table: str) -> None:
    with pytest.raises(ValueError, match="not a task"):
        read_tasks(table)
