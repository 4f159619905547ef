"""What is worth training on: quality, duplicates, window, difficulty."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from microcoder_data.decontaminate.words import parse_words
from microcoder_data.filter import labels, pass_rates
from microcoder_data.filter.features import compute_dimensions
from microcoder_data.filter.stage import FilterStage
from microcoder_data.recipe import Difficulty, Filter, parse_recipe
from microcoder_eval.errors import DataError
from tests.commands import Command
from tests.data.clean import problems
from tests.data.lines import Row, Run, read, write

SENTENCES = [
    "A baker counts the loaves that are left at night and prints how many there are.",
    "Given the heights of some trees, find the tallest tree of the whole forest and return it.",
    "Two trains leave one station; compute after how many minutes they meet again on the track.",
    "A word is given. Decide whether it reads the same from both ends and print yes or no.",
    "Sort the names of all pupils by their last letter and output them one on each line.",
]


def problem(number: int, **changes: Any) -> Row:
    """A problem with a statement of its own."""
    tests = [{"input": f"{number} {n}\n", "output": f"{number * n} is it\n"} for n in range(9)]
    return {"problem_id": f"p{number}", "kind": "stdin", "tests": tests,
            "statement": SENTENCES[number % len(SENTENCES)], **changes}  # fmt: skip


def filtered(run: Run, *rows: Row, **recipe: Any) -> tuple[list[Row], dict[str, str]]:
    """What filter keeps and why it drops."""
    remaining, dropped, _ = run(FilterStage(Filter(**recipe)), *rows)
    return remaining, dropped


def test_problems_without_fault_are_kept(run: Run) -> None:
    rows = problems(30)
    assert filtered(run, *rows, near_duplicate=0)[1] == {}


@pytest.mark.parametrize(
    ("statement", "reason"),
    [
        ("Print it.", "statement_too_short"),
        ("See https://example.org/contests/1/problems/17", "statement_too_short"),
        ("Print one number. " * 2000, "statement_too_long"),
        ("Print the su\ufffd of all the numbers that are given here.", "mojibake"),
        ("## Input\n\n```\n1 2\n```\n\n## Sample Output\n\n```\n3\n```", "statement_too_short"),
    ],
)  # fmt: skip
def test_bad_text_is_dropped_by_name(run: Run, statement: str, reason: str) -> None:
    assert filtered(run, problem(1, statement=statement))[1] == {"p1": reason}


@pytest.mark.parametrize(
    "statement",
    [
        "Prove that you can win: print the moves of the first player, or -1 where none wins.",
        "Of course, Alice may be wrong. Print the number of cookies that she sells to subscribers.",
        "Code For 1: print how many ones there are in the list of n numbers.",
        "Phone Numbers: print 555-0100 200 300 where the call to +1 202 555 0100 is in the book.",
    ],
)
def test_words_of_stories_are_no_finding(run: Run, statement: str) -> None:
    assert filtered(run, problem(1, statement=statement))[1] == {}


def test_what_is_said_of_a_problem_is_flagged_where_it_cannot_be(run: Run) -> None:
    rows = [problem(1), problem(2, licence="CC0-1.0", pass_rate=1.7)]
    assert [row["findings"] for row in filtered(run, *rows)[0]] == [
        ["no_licence"],
        ["invalid_pass_rate"],
    ]
    assert set(filtered(run, *rows, drop=["no_licence"])[1]) == {"p1"}


def test_of_equal_problems_the_better_one_stays(run: Run) -> None:
    poor = problem(1)
    same_words = problem(1, problem_id="words", tests=[*problem(2)["tests"], *problem(3)["tests"]])
    same_tests = problem(2, problem_id="tests", tests=problem(1)["tests"])
    remaining, dropped = filtered(run, poor, same_words, same_tests)
    assert [row["problem_id"] for row in remaining] == ["words", "tests"]
    assert dropped == {"p1": "exact_duplicate"}
    with_program = problem(1, problem_id="run", solutions=[{"code": "print(1)", "verdict": "AC"}])
    assert filtered(run, poor, with_program)[1] == {"p1": "exact_duplicate"}


def test_two_problems_of_one_name_are_not_kept(run: Run) -> None:
    _, dropped = filtered(run, problem(1), problem(2, problem_id="p1"))
    assert dropped == {"p1": "duplicate_id"}


def test_near_duplicates_are_found_and_may_be_kept(run: Run) -> None:
    long = " ".join(SENTENCES[:3])
    one = problem(1, statement=long)
    other = problem(2, statement=long.replace("tallest", "highest"), tests=one["tests"][:1])
    assert filtered(run, one, other)[1] == {"p2": "near_duplicate"}
    assert filtered(run, one, other, near_duplicate=0)[1] == {}


def test_what_an_estimate_calls_alike_is_kept_where_it_is_not(run: Run) -> None:
    # Their MinHash says .82, and .69 is true.
    names = ("clean/largest-greenhouse", "clean/largest-orchestra")
    some = [row for row in problems(192, seed=1) if row["problem_id"] in names]
    assert len(filtered(run, *some)[0]) == 2


def test_a_problem_with_most_of_the_tests_of_another_is_a_near_duplicate(run: Run) -> None:
    one, other = problem(1), problem(2)
    other["tests"] = one["tests"][1:]
    assert filtered(run, one, other)[1] == {"p2": "near_duplicate"}
    other["tests"] = [*one["tests"][:4], *problem(3)["tests"]]
    assert filtered(run, one, other)[1] == {}


@pytest.mark.parametrize(
    ("text", "level"),
    [
        ("Ann has 3 cats", "ann has # cats"),
        ("Give Ann 1000 cats. Ann waits", "give @ # cats @ waits"),
        ("a list `xs` of n words", "a list v of v words"),
        ("call get_all(x1, maxSum)", "call v v v"),
        ("the x-th of five, in steps of 2.5", "the v th of five in steps of # #"),
        ("return `True` if a < b", "return true if a v"),
    ],
)
def test_what_a_paraphrase_changes_is_made_alike(text: str, level: str) -> None:
    others = "and so on until so many words are told that nobody takes this for a short text at all"
    assert (
        " ".join(parse_words(f"{text} {others} or so").normalized_words)
        == f"{level} {others} or so"
    )


def test_the_identifiers_of_a_short_text_stay() -> None:
    assert parse_words("the first 3 of `xs`").normalized_words == ("the", "first", "#", "of", "xs")


def test_an_operator_makes_another_problem(run: Run) -> None:
    one, other = (problem(n, statement=f"Return the value of a {sign} b for integers.")
                  for n, sign in ((1, "+"), (2, "-")))  # fmt: skip
    assert filtered(run, one, other)[1] == {}


@pytest.mark.parametrize(
    ("date", "reason"),
    [("2023-12-31", "too_old"), ("2024-01-01", None), ("2024-06-30", None),
     ("2024-07-01", "too_new"),
     ("nonsense", "invalid_date"), (None, "undated")],
)  # fmt: skip
def test_the_window_is_by_days(run: Run, date: str | None, reason: str | None) -> None:
    recipe = {"since": "2024-01-01", "until": "2024-06-30", "undated": "drop"}
    dropped = filtered(run, problem(1, date=date), **recipe)[1]
    assert dropped == ({} if reason is None else {"p1": reason})


def test_a_window_that_is_none_is_told() -> None:
    with pytest.raises(DataError, match="2024-08-01"):
        FilterStage(Filter(since="yesterday"))


def rates(tmp_path: Path, values: dict[str, float]) -> str:
    """A file of pass rates."""
    rows = [{"problem_id": name, "pass_rate": rate} for name, rate in values.items()]
    return str(write(tmp_path / "rates.jsonl", rows))


def test_measured_problems_are_labelled_by_their_rate(run: Run, tmp_path: Path) -> None:
    measured = [0.7, 0.69, 0.3, 0.29]
    path = rates(tmp_path, {f"p{number}": rate for number, rate in enumerate(measured)})
    remaining, _ = filtered(run, *map(problem, range(5)), difficulty=Difficulty(pass_rates=path))
    assert [row["difficulty"] for row in remaining[:4]] == ["easy", "medium", "medium", "hard"]
    assert [row.get("pass_rate") for row in remaining] == [*measured, None]
    assert set(remaining[4]["difficulty_dimensions"]) == {
        "algorithm", "implementation", "mathematics", "edge_cases", "reading",
    }  # fmt: skip


def test_what_teaches_nothing_can_be_dropped(run: Run, tmp_path: Path) -> None:
    path = rates(tmp_path, {"p0": 1.0, "p1": 0.0, "p2": 0.5})
    recipe = Difficulty(pass_rates=path, drop_solved=True, drop_unsolved=True)
    _, dropped = filtered(run, *map(problem, range(3)), difficulty=recipe)
    assert dropped == {"p0": "always_solved", "p1": "never_solved"}


def test_quotas_hold_and_do_not_depend_on_the_order(run: Run) -> None:
    rows = [problem(n, statement=f"{SENTENCES[n % 5]} Number {n} of {n * n}.", pass_rate=rate)
            for n, rate in enumerate([0.9] * 8 + [0.5] * 4 + [0.1] * 4)]  # fmt: skip
    recipe = Difficulty(quota={"easy": 0.2, "medium": 0.4, "hard": 0.4})
    only = {"difficulty": recipe, "near_duplicate": 0}
    remaining, dropped = filtered(run, *rows, **only)
    labels = [row["difficulty"] for row in remaining]
    assert (labels.count("easy"), labels.count("medium"), labels.count("hard")) == (2, 4, 4)
    assert set(dropped.values()) == {"quota"}
    again, _ = filtered(run, *reversed(rows), **only)
    assert {row["problem_id"] for row in again} == {row["problem_id"] for row in remaining}


def test_rates_are_read_from_results_without_the_judges_failures(tmp_path: Path) -> None:
    results = [(True, "AC"), (False, "WA"), (False, "JE")]
    rows = [
        {"problem_id": "p", "solution_id": str(n), "passed": passed, "verdict": verdict}
        for n, (passed, verdict) in enumerate(results)
    ]
    assert pass_rates.read_pass_rates(str(write(tmp_path / "r.jsonl", rows))) == {"p": 0.5}


@given(st.lists(st.tuples(st.integers(0, 9), st.floats(0, 1)), min_size=1, max_size=40))
def test_the_fitted_rates_fall_and_keep_their_mean(pairs: list[tuple[int, float]]) -> None:
    steps = labels.fit_falling_rates([(float(score), rate) for score, rate in pairs])
    fitted = dict(steps)
    assert [rate for _, rate in steps] == sorted((rate for _, rate in steps), reverse=True)
    total = sum(fitted[float(score)] for score, _ in pairs)
    assert total == pytest.approx(sum(rate for _, rate in pairs), abs=1e-6)


def test_boundaries_lie_where_the_rates_cross() -> None:
    pairs = [
        (score / 10, 1.0 if score < 30 else 0.5 if score < 60 else 0.0) for score in range(100)
    ]
    assert labels.fit_boundaries(pairs, Difficulty()) == (2.9, 6.0)


NO_FEATURES = dict.fromkeys(
    (
        "topics", "code_depth", "code_imports", "magnitude", "code_nodes", "code_functions",
        "code_branches", "has_code", "words", "maths", "variables", "edges",
    ),
    0.0,
)  # fmt: skip


@pytest.mark.parametrize(
    ("features", "dimensions"),
    [
        ({}, {}),
        ({"topics": 1, "code_depth": 1, "code_imports": 1}, {"algorithm": 3.1}),
        ({"code_nodes": 4, "has_code": 1}, {"algorithm": 0.4, "implementation": 2.2}),
        ({"code_functions": 1, "has_code": 1}, {"implementation": 0.8}),
        ({"code_branches": 1, "has_code": 1}, {"implementation": 0.9, "edge_cases": 1.0}),
        ({"words": 3.5}, {"implementation": 0.9, "reading": 3.0}),
        ({"words": 3.5, "has_code": 1}, {"reading": 3.0}),
        ({"maths": 1, "variables": 1}, {"mathematics": 2.8, "edge_cases": 0.4, "reading": 0.6}),
        ({"magnitude": 2}, {"algorithm": 0.3, "mathematics": 0.4}),
        ({"edges": 9}, {"edge_cases": 10.0}),
    ],
)
def test_dimensions_are_weighted_sums_from_0_to_10(features: Row, dimensions: Row) -> None:
    measures = compute_dimensions({**NO_FEATURES, **features})
    assert {name: value for name, value in measures.items() if value} == dimensions


@pytest.mark.parametrize(
    ("recipe", "message"),
    [
        ({"filter": {"near_duplicates": 0.5}}, 'did you mean "near_duplicate"'),
        ({"verify": {"max_test": 3}}, 'did you mean "max_tests"'),
        ({"filter": {"keep": ["near_duplicat"]}}, 'did you mean "near_duplicate"'),
        ({"process": {"purpose": "fun"}}, "purpose"),
        ({"seeds": 1}, 'did you mean "seed"'),
    ],
)
def test_a_wrong_key_of_a_recipe_is_told_with_the_nearest(recipe: Row, message: str) -> None:
    with pytest.raises(DataError, match=message):
        parse_recipe(recipe)


@pytest.fixture
def filter_by(command: Command) -> Callable[..., tuple[int, str, str]]:
    """filter_by(names, rules, rows, *words): the command with own filters of rules.py."""

    def call(names: Any, rules: str, rows: list[Row], *words: str) -> tuple[int, str, str]:
        Path("rules.py").write_text(rules)
        Path("r.toml").write_text(f"filter = {{own = {json.dumps(names)}, near_duplicate = 0}}\n")
        write(Path("in.jsonl"), rows)
        recipe = Path("r.toml").resolve()  # a file of filters is read once, by its whole name
        return command("filter", "in.jsonl", "-o", "out.jsonl", "--recipe", recipe, *words)

    return call


def test_own_filters_drop_with_reason_and_evidence(filter_by: Command) -> None:
    """A changed file of filters is another recipe; an exception sets a problem aside."""
    rules = (
        "def keep(row):\n"
        "    row['statement'] = ''\n"
        "    if row['problem_id'].endswith('0'):\n        return 'a round one', {'digit': 0}\n"
        "    return len(row['tests']) > 3\n"
        "def rare(row):\n    1 / (row['problem_id'] != 'odd')\n"
    )
    rows = [{**row, "problem_id": str(number)} for number, row in enumerate(problems(12))]
    rows[3]["problem_id"] = "odd"
    rows[4]["tests"] = rows[4]["tests"][:3]
    names = ["rules.py:keep", "rules.py:rare"]
    assert filter_by(names, rules, rows, "--workers", "2")[0] == 2
    dropped = {one["problem_id"]: one for one in read(Path("out.dropped.jsonl"))}
    assert dropped["0"]["detail"] == "keep: a round one"
    assert dropped["0"]["evidence"]["digit"] == 0
    assert dropped["4"]["reason"] == dropped["10"]["reason"] == "own_filter"
    assert dropped["odd"]["reason"] == "step_failed"
    assert "ZeroDivisionError" in dropped["odd"]["detail"]
    assert len(read(Path("out.jsonl"))) == 8
    assert all(row["statement"] for row in read(Path("out.jsonl")))
    rules = "def keep(row): return True\ndef rare(row): return 5\n"
    code, _, err = filter_by(names, rules, rows, "--resume")
    assert (code, "--resume refused" in err) == (2, True)


MUST = "must return None, a bool, a text, or a text and an object of evidence, not"


@pytest.mark.parametrize(
    ("answer", "detail"),
    [
        ("5", f"{MUST} 5"),
        ("(1, 2, 3)", f"{MUST} (1, 2, 3)"),
        ("('why', 4)", f"{MUST} ('why', 4)"),
        ("row['stars'] > 3", "/rules.py:keep: KeyError: 'stars'"),
    ],
)
def test_a_mistake_in_an_own_filter_is_placed_there_and_sets_the_problem_aside(
    filter_by: Command, answer: str, detail: str
) -> None:
    rules = f"def keep(row):\n    return {answer}\n"
    assert filter_by("rules.py:keep", rules, problems(1))[0] != 0
    (dropped,) = read(Path("out.dropped.jsonl"))
    assert dropped["reason"] == "step_failed"
    assert detail in dropped["detail"]


@pytest.mark.parametrize("name", ["none.py:keep", "rules.py:none", "rules.txt:keep", "rules.py"])
def test_an_own_filter_that_is_none_is_refused(filter_by: Command, name: str) -> None:
    assert filter_by(name, "x = 1\n", problems(1))[0] == 2


@pytest.mark.parametrize(
    ("rules", "message"),
    [
        ("import sys\nsys.exit(1)\n", "cannot be imported: SystemExit: 1 (rules.py:2); it must"),
        ("x = 1\n1 / 0\n", "cannot be imported: ZeroDivisionError: division by zero (rules.py:2)"),
        ("def keeps(row): return True\n", 'no function has this name; did you mean "keeps"?'),
    ],
)
def test_a_file_of_own_filters_that_fails_is_refused_by_its_line(
    filter_by: Command, rules: str, message: str
) -> None:
    code, _, err = filter_by("rules.py:keep", rules, problems(1))
    assert (code, message in err) == (2, True), err


def test_an_own_filter_may_keep_dataclasses_and_exit(filter_by: Command) -> None:
    """A dataclass looks up its module; a filter that exits is a mistake on one problem."""
    rules = (
        "from __future__ import annotations\nfrom dataclasses import dataclass\n"
        "@dataclass\nclass Bound:\n    number: int\n"
        "def keep(row):\n"
        "    return row['problem_id'] != 'bad' or exit(Bound(3).number)\n"
    )
    rows = [
        {**row, "problem_id": name} for row, name in zip(problems(2), ["a", "bad"], strict=True)
    ]
    filter_by("rules.py:keep", rules, rows, "--workers", "2")
    assert [row["problem_id"] for row in read(Path("out.jsonl"))] == ["a"]
    assert "SystemExit: 3" in read(Path("out.dropped.jsonl"))[0]["detail"]
