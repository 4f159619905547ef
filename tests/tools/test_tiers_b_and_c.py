"""The bundled bodies and programs: two algorithms each, tests that find wrong programs out."""

from __future__ import annotations

import json
from collections import Counter
from random import Random
from typing import Any

import pytest
from microcoder_mini import build
from microcoder_mini.mutants import make_mutants
from microcoder_mini.programs import as_function, read_programs
from microcoder_mini.search import Material, WeakTaskError, find_difference, search_tests

from microcoder_eval import Judge
from tests.tools.bundled import rows_of

TIERS = ("b", "c")
MUTANTS = 8  # of each right program, taken evenly
# Mutants that mean the same are counted too; measured: some 6 % survive in tier C.
SURVIVORS = {"b": 0.05, "c": 0.08}
FRESH = 300  # inputs on which a survivor that means the same must agree, besides the extremes


def programs(row: dict[str, Any], verdict_is_ac: bool) -> list[dict[str, Any]]:
    return [one for one in row["solutions"] if (one["verdict"] == "AC") == verdict_is_ac]


@pytest.mark.parametrize("tier", TIERS)
def test_there_are_enough_problems_in_small_families(tier: str) -> None:
    families = Counter(row["family"] for row in rows_of(tier))
    assert families.total() >= 60
    assert max(families.values()) <= 4
    assert len({row["problem_id"] for row in rows_of(tier)}) == families.total()


@pytest.mark.parametrize("tier", TIERS)
def test_each_problem_has_two_named_algorithms_and_tests(tier: str) -> None:
    for row in rows_of(tier):
        right = programs(row, verdict_is_ac=True)
        assert len(right) >= 2, row["problem_id"]
        assert len({one["algorithm"] for one in right}) == len(right), row["problem_id"]
        assert len({one["code"] for one in right}) == len(right), row["problem_id"]
        assert len(row["tests"]) >= 8, row["problem_id"]
        assert len({json.dumps(test["output"]) for test in row["tests"]}) > 1, row["problem_id"]


def test_a_statement_tells_input_and_output() -> None:
    for row in rows_of("c"):
        for part in ("\n\nInput: ", "\n\nOutput: "):
            assert row["statement"].count(part) == 1, row["problem_id"]


def test_a_statement_of_tier_c_shows_two_samples_with_different_outputs() -> None:
    for row in rows_of("c"):
        outputs = set()
        for number, test in enumerate(row["tests"][:2], 1):
            for part, text in (("input", test["input"]), ("output", test["output"])):
                sample = f"\n\nSample {part} {number}:\n```\n{text}```"
                assert sample in row["statement"], row["problem_id"]
            outputs.add(test["output"])
        assert len(outputs) == 2, row["problem_id"]


@pytest.mark.long
@pytest.mark.parametrize("tier", TIERS)
def test_few_mutants_survive(pool: Judge, tier: str) -> None:
    pending = []
    for row in rows_of(tier):
        problem = row | {"limits": {"time_s": 0.5}}
        for one in programs(row, verdict_is_ac=True):
            mutants = list(make_mutants(one["code"]))
            some = mutants[:: max(1, len(mutants) // MUTANTS)]
            pending += [pool.submit({"code": code}, problem) for code in some]
    verdicts = Counter(future.result().verdict for future in pending)
    assert verdicts["JE"] == 0
    assert verdicts["AC"] <= SURVIVORS[tier] * verdicts.total(), verdicts


@pytest.mark.long
def test_nearly_all_programs_that_differ_from_the_right_one_on_fresh_inputs_are_killed() -> None:
    """No mutant counts as one that means the same unless it agrees on 300 fresh inputs."""
    tasks = {f"mini-c/{task.name}": task for name in build.TIERS["C"]
             for task in read_programs(build.read_table(name))}  # fmt: skip
    killed, missed = 0, []
    for row in rows_of("c"):
        shape = tasks[row["problem_id"]].shape
        right = [as_function(one["code"]) for one in programs(row, verdict_is_ac=True)]
        rng = Random(f"fresh {row['problem_id']}")
        fresh = [[text] for text in (*shape.edges, *(shape.draw(rng) for _ in range(FRESH)))]
        given = [[test["input"]] for test in row["tests"]]
        for one in programs(row, verdict_is_ac=True):
            mutants = list(make_mutants(one["code"]))
            for code in mutants[:: max(1, len(mutants) // MUTANTS)]:
                mutant = as_function(code)
                if find_difference(mutant, right[0], given) is not None:
                    killed += 1
                elif (at := find_difference(mutant, right[0], fresh)) is not None:
                    missed.append((row["problem_id"], code, at))
    assert len(missed) <= 0.05 * (killed + len(missed)), missed


@pytest.mark.parametrize(
    "table",
    [
        "name < array\n  Text.\n  < n\n  > n\n  = one:\n    print(n)\n  = two:\n    print(+n)",
        "# f\nname < nothing\n  T.\n  < n\n  > n\n  = a:\n    print(n)\n  = b:\n    print(+n)",
        "# f\nname < array\n  Text.\n  < n\n  > n\n  = one:\n    print(n)",
        "# f\nname < array\n  Text.\n  > n\n  = one:\n    print(n)\n  = two:\n    print(+n)",
    ],
    ids=["before any family", "unknown shape", "one algorithm only", "no input"],
)
def test_a_block_that_breaks_the_notation_is_refused(table: str) -> None:
    with pytest.raises(ValueError, match="not a task"):
        read_programs(table)


def material(right: tuple[tuple[str, str], ...], hand: tuple[str, ...] = ()) -> Material:
    return Material(
        name="absolute",
        build=lambda body: eval(f"lambda x: {body}"),
        draws=lambda rng: iter(lambda: [rng.randint(-9, 9)], None),
        edges=((0, 1, -1),),
        right_bodies=right,
        wrong_bodies=hand,
        narrowed=(),
    )


@pytest.mark.parametrize(
    ("right", "hand", "reason"),
    [
        ((("a", "abs(x)"), ("b", "abs(x) if x < 9 else 0")), (), "differs"),
        ((("a", "abs(x)"),), ("max(x, -x)",), "passes every test"),
        ((("a", "abs(x)"),), ("abs(x) + 1",), "fails every test"),
        ((("a", "0 * x"),), (), "all results"),
        ((("a", "1 // x"),), (), "raises"),
    ],
)
def test_a_weak_task_is_refused(
    right: tuple[tuple[str, str], ...], hand: tuple[str, ...], reason: str
) -> None:
    with pytest.raises(WeakTaskError, match=reason):
        search_tests(material(right, hand), Random(1))
