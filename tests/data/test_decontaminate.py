"""Nothing of an evaluation stays, whatever its numbers and names; what stays is not of it."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from microcoder_data.decontaminate.index import Index, make_comparable
from microcoder_data.decontaminate.spans import collect_features, find_contaminated
from microcoder_data.decontaminate.stage import DecontaminateStage, find_matches
from microcoder_data.decontaminate.words import merge_runs, parse_words
from microcoder_data.execution import RunConfig, run_stage
from microcoder_data.fingerprints import hash_tests
from microcoder_data.recipe import Decontaminate
from microcoder_data.stage import KeptProblem
from microcoder_eval.audit.findings import Finding
from tests.data.lines import Row, read, write

STORY = (
    "A lighthouse keeper named Tomas climbs 120 steps each evening and counts the ships that pass "
    "before midnight. He writes 1 for a ship with sails and 2 for a ship with engines. Given his "
    "notes of one night, print how many more ships of one kind than of the other have passed."
)
CODE = (
    "import sys\n\n\ndef count(notes, kind):\n    total = 0\n    for note in notes:\n"
    "        if note == kind:\n            total += 1\n    return total\n\n\n"
    "notes = list(map(int, sys.stdin.read().split()))\n"
    "print(abs(count(notes, 1) - count(notes, 2)))\n"
)


def problem(name: str, statement: str, **changes: Any) -> Row:
    """A problem with tests of its own."""
    tests = [{"input": f"{name} {n}\n", "output": f"{n} of {name}\n"} for n in range(5)]
    return {"problem_id": name, "kind": "stdin", "statement": statement, "tests": tests, **changes}


EVALUATION = problem("eval", STORY, solutions=[{"code": CODE, "verdict": "AC"}])
OTHER = "Two bakers share one oven. Decide how many loaves both can bake in a day without waiting."


def compare_problems(rows: list[Row], evaluation: list[Row]) -> list[Finding]:
    """Every match of some problems with an evaluation, by the default recipe."""
    recipe = Decontaminate()
    index = Index(map(make_comparable, evaluation), recipe)
    problems = [make_comparable(row) for row in rows]
    features = [
        KeptProblem(number, problem.name, collect_features(problem, index))
        for number, problem in enumerate(problems)
    ]
    findings = [finding for _, finding in find_contaminated(features, recipe, len(index.problems))]
    return findings + [match for problem in problems for match in find_matches(problem, index)]


def reasons(row: Row) -> list[str]:
    """Names of what a row shares with the evaluation."""
    return [overlap.name for overlap in compare_problems([row], [EVALUATION])]


def test_the_same_statement_is_found_under_any_markup() -> None:
    assert "contaminated_statement" in reasons(problem("p", f"<p>{STORY.upper()}</p>"))


def test_a_passage_in_a_longer_statement_is_found_with_its_place() -> None:
    text = f"{OTHER} {STORY[:150]} {OTHER}"
    (finding,) = compare_problems([problem("p", text)], [EVALUATION])
    span = finding.evidence["spans"][0]
    assert finding.name == "contaminated_statement"
    assert text[slice(*span["at"])] == span["text"]
    assert STORY[slice(*span["there"])] == span["text"]


def test_other_numbers_and_names_do_not_hide_it() -> None:
    text = re.sub(r"\d+", "77", STORY).replace("Tomas", "Jelena")
    assert "contaminated_paraphrase" in reasons(problem("p", text))


def test_other_identifiers_do_not_hide_it() -> None:
    text = (
        "The list `xs` has n numbers. Print `best`, the least sum of k numbers of `xs` in a row, "
        "or the word none where `xs` is too short for k to fit into n."
    )
    other = text.replace("`xs`", "`heights`").replace("`best`", "`lowSum`")
    (finding, *_) = compare_problems(
        [problem("p", other.replace(" n ", " m ").replace(" k ", " w "))], [problem("eval", text)]
    )
    assert finding.name == "contaminated_paraphrase"


def test_bounds_of_arguments_are_no_sign() -> None:
    bounds = "`xs`: list, 0..10 integers -20..40; `low`: integer -40..60; `k`: integer 1..9"
    one, other = (
        problem(name, f"{asked} {bounds}")
        for name, asked in (
            ("p", OTHER),
            (
                "eval",
                "A word is given; say whether it reads the same "
                "from its end, and whether any letter stands in it more than once.",
            ),
        )
    )
    assert compare_problems([one], [other]) == []


def test_shared_tests_are_found() -> None:
    row = problem("p", OTHER, tests=[*EVALUATION["tests"][:3], {"input": "x", "output": "y"}])
    assert reasons(row) == ["contaminated_tests"]


def test_a_small_problem_is_found_beside_a_large_one_that_shares_more_tests() -> None:
    large = [{"input": f"large {n}\n", "output": f"{n} large\n"} for n in range(40)]
    small = [{"input": f"small {n}\n", "output": f"{n} small\n"} for n in range(2)]
    row = problem("p", OTHER, tests=[*EVALUATION["tests"], *large[:3], *small])
    evaluation = [problem("large", STORY, tests=large), problem("small", "", tests=small)]
    (finding,) = compare_problems([row], evaluation)
    assert finding.evidence == {"problem": "small", "shared": 2}


def test_tests_are_no_evidence_if_short_or_contradicted() -> None:
    def share(*tests: tuple[Any, Any]) -> list[str]:
        rows = [{"problem_id": name, "kind": "call", "tests": [
            {"input": [value], "output": wanted} for value, wanted in more]}
            for name, more in (("e", tests), ("p", [*tests, (0, 0)]))]  # fmt: skip
        evaluation, row = rows
        evaluation["tests"] = [*evaluation["tests"], {"input": [7], "output": 1}]
        return [match.name for match in compare_problems([row], [evaluation])]

    assert share((3, 2), (5, 4)) == []
    assert share(([1, 2, 3], 2), ([4, 5], 4)) == ["contaminated_tests"]
    assert share(([1, 2, 3], 2), ([4, 5], 4), (7, 2)) == []


def test_a_solution_with_other_names_is_found() -> None:
    code = CODE.replace("notes", "log").replace("count", "tally").replace("total", "n")
    row = problem("p", OTHER, solutions=[{"code": code, "verdict": "AC"}])
    assert reasons(row) == ["contaminated_solution"]


def test_short_statements_are_compared_as_a_whole() -> None:
    short = problem("eval", "Write a function to reverse the words of a sentence.")
    same = problem("p", "Write a function to reverse the words of a sentence")
    other = problem("q", "Write a function to count the vowels of a word.")
    findings = compare_problems([same, other], [short])
    assert [one.evidence["problem"] for one in findings] == ["eval"]


@pytest.mark.parametrize(
    "row",
    [
        problem("p", OTHER),
        problem("p", "Write a program that reads from standard input. " + OTHER),
        problem("p", OTHER, solutions=[{"code": "print(int(input()) + 1)", "verdict": "AC"}]),
    ],
)
def test_what_is_not_of_the_evaluation_is_not_called_so(row: Row) -> None:
    assert reasons(row) == []


def test_turns_of_phrase_of_many_problems_are_no_sign() -> None:
    phrase = "You are given an array of integers and have to answer a number of queries about it."
    many = [problem("e0", f"{phrase} {OTHER} 0")]
    many += [problem(f"f{n}", f"{phrase} Task {'abcdefgh'[n]} {'zyxwvuts'[n]}.") for n in range(8)]
    mine = "What is the longest run of equal lamps in this street after all of them were switched?"
    assert compare_problems([problem("p", f"{phrase} {mine} {mine.upper()}")], many) == []


@pytest.mark.slow
def test_the_stage_drops_with_evidence(tmp_path: Path) -> None:
    others = [problem(f"q{n}", OTHER) for n in range(20)]  # enough for both processes
    source = write(tmp_path / "in.jsonl", [problem("p", STORY), *others])
    against = write(tmp_path / "eval.jsonl", [EVALUATION])
    stage = DecontaminateStage(Decontaminate(against=(str(against),)), 64)
    manifest = run_stage(stage, RunConfig([str(source)], str(tmp_path / "out.jsonl"), workers=2))
    assert manifest.counts == {"read": 21, "kept": 20, "dropped": 1, "trainable": 0}
    (dropped,) = read(tmp_path / "out.dropped.jsonl")
    assert dropped["evidence"]["problem"] == "eval"
    assert dropped["evidence"]["spans"][0]["text"].startswith("A lighthouse keeper")


def test_a_stage_that_was_not_opened_decides_too(tmp_path: Path) -> None:
    stage = DecontaminateStage(
        Decontaminate(against=(str(write(tmp_path / "eval.jsonl", [EVALUATION])),)), 1024.0
    )
    assert stage.finalize(iter([])) == {}
    assert stage.describe_facts() == {"evaluation_problems": 1}


def test_runs_of_words_are_merged() -> None:
    assert merge_runs([0, 1, 2, 20], 5) == [(0, 7), (20, 25)]


def test_words_know_where_they_stand() -> None:
    words = parse_words("Then Ada counts 12 ships.")
    assert words.normalized_words == ("then", "@", "counts", "#", "ships")
    assert (words.starts[3], words.ends[3]) == (16, 18)


def hash_assertion(assertion: str) -> frozenset[str]:
    """Of a problem with one assertion."""
    return hash_tests({"kind": "assert", "test_code": f"assert {assertion}\n"})


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("add(1, 2) == 3", "plus(1, 2) == 3", True),
        ("f(f(2)) == 3", "g(g(2)) == 3", True),
        ("sorted(pick([2])) == [2]", "sorted(choose([2])) == [2]", True),
        ("sorted(pick([2])) == [2]", "list(pick([2])) == [2]", False),
        ("f('f(x)') == 1", "g('f(x)') == 1", True),
        ("f('f(x)') == 1", "g('g(x)') == 1", False),
        ("nth(1) == th(1)", "f(1) == g(1)", True),
        ("add(1, 2) == 3", "add(1, 2) == 4", False),
    ],
)
def test_an_assertion_is_the_same_whatever_the_function_is_called(
    one: str, other: str, same: bool
) -> None:
    assert (hash_assertion(one) == hash_assertion(other)) is same


MODULO = (
    "Since the answer may be very large, return it modulo 10^9 + 7. Example 1: Input: n = 2, k = 3 "
    "Output: 6 Explanation: there are six ways to do so."
)
STORIES = [
    "Tram tracks are laid around the old harbour.", "A gardener waters tulips in rows of beds.",
    "Seven bakers trade recipes before sunrise.", "Chess clocks are wound by careful apprentices.",
    "Lanterns float downstream past sleeping mills.", "A librarian stacks maps of lost islands.",
]  # fmt: skip


def test_phrases_that_many_different_problems_share_are_boilerplate(tmp_path: Path) -> None:
    rows = [
        problem(
            f"p{n}",
            f"{story} {' '.join(f'{word}{n}' for word in OTHER.split())} {OTHER[:60]} "
            f"{story.upper()} {MODULO}",
        )
        for n, story in enumerate(STORIES)
    ]
    evaluation = [problem("eval", f"{STORY} {MODULO}")]
    assert [item.name for item in compare_problems(rows[:1], evaluation)]
    assert compare_problems(rows, evaluation) == []


def test_copies_of_a_contaminated_problem_are_no_boilerplate() -> None:
    copies = [problem(f"p{n}", f"{STORY} {story}") for n, story in enumerate(STORIES)]
    findings = compare_problems(copies, [EVALUATION])
    assert sum(item.name == "contaminated_statement" for item in findings) >= len(copies)
