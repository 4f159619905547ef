"""Duplicates are told from boilerplate, and renamed ones are known by their programs."""

from __future__ import annotations

import random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from microcoder_data.filter.stage import FilterStage
from microcoder_data.recipe import Filter
from microcoder_data.similarity import SimilarSets, pack_grams
from tests.data.lines import Row, Run
from tests.files import read_table

PROGRAMS = read_table(__file__)
CODE = PROGRAMS["code"]
RENAMED = PROGRAMS["renamed"]
STARTS, ENDS = (
    ["ba", "ko", "lu", "mi", "ner", "pal", "rin", "sto", "tur"],
    ["dan", "gor", "hil", "jam", "kes", "lop", "mun"],
)
WORDS = [start + end for start in STARTS for end in ENDS]


def row(name: str, statement: str, **fields: Any) -> Row:
    """A problem with tests of its own."""
    tests = [{"input": f"{name} {n}\n", "output": f"{n} of {name}\n"} for n in range(3)]
    return {"problem_id": name, "kind": "stdin", "statement": statement, "tests": tests, **fields}


def two_stories(code: str, other: str, **changes: Any) -> list[Row]:
    """Two problems that share nothing but, perhaps, their program."""
    return [
        row(
            "one", "The hills beside a road have heights. Print the longest climb of them all.",
            solutions=[{"code": code, "verdict": "AC"}],
        ),
        row(
            "other", "A trader writes down prices. For how many days did they rise in a row?",
            solutions=[{"code": other, "verdict": "AC"}], **changes,
        ),
    ]  # fmt: skip


@pytest.mark.parametrize(("count", "reason"), [(4, {}), (5, {"one": "near_duplicate"})])
def test_five_tests_nearly_all_the_same_make_a_duplicate(
    run: Run, count: int, reason: dict[str, str]
) -> None:
    tests = [{"input": f"{n}" * 40 + "\n", "output": f"{n * 1234567}\n"} for n in range(1, 40)]
    one, other = two_stories(SHORT, SHORT)
    one["tests"], other["tests"] = tests[:count], tests[: count + 1]
    assert run(FilterStage(Filter()), one, other)[1] == reason


LATER = "async def main() -> int:\n    return best\n"


@pytest.mark.parametrize(
    ("code", "other"),
    [
        (CODE, RENAMED),
        (CODE.replace("best", "self.best"), CODE.replace("best", "self.longest")),
        (CODE + LATER, CODE + LATER.replace(" -> int", "")),
    ],
    ids=["other names", "other attributes", "annotations of a coroutine"],
)
def test_a_story_told_again_with_the_same_program_is_a_duplicate(
    run: Run, code: str, other: str
) -> None:
    rows = two_stories(code, other)
    assert run(FilterStage(Filter()), *rows)[1] == {"other": "near_duplicate"}
    assert run(FilterStage(Filter(near_duplicate=0)), *rows)[1] == {}


FUNCTION = {"kind": "call", "entry_point": "f", "tests": [{"input": [[1]], "output": 7}]}
SHORT, BROKEN = "print(int(input()) + 1)", "not python at all("


@pytest.mark.parametrize(
    ("code", "other", "changes"),
    [
        (CODE, CODE.replace("> before", ">= before"), {}),
        (CODE, CODE.replace("= 1\n", "= 2\n"), {}),
        (CODE, CODE.replace("max(", "min("), {}),
        (CODE, CODE.replace("best = max(best, current)", "best = max(best, best)"), {}),
        (CODE, CODE.replace("split()", 'split(",")'), {}),
        (CODE, CODE, FUNCTION),
        (SHORT, SHORT, {}),
        (BROKEN, BROKEN, {}),
    ],
    ids=["another operator", "another constant", "another builtin", "another name", "another text",
         "a function and a program", "too short to tell", "no program"],
)  # fmt: skip
def test_programs_that_prove_nothing_make_no_duplicate(
    run: Run, code: str, other: str, changes: Row
) -> None:
    assert code is other or code != other
    assert run(FilterStage(Filter()), *two_stories(code, other, **changes))[1] == {}


def statement(chance: random.Random, shared: str) -> str:
    """A text that shares four fifths with others."""
    return f"{shared} {' '.join(chance.choice(WORDS) for _ in range(len(shared.split()) // 4))}"


def test_what_all_say_makes_no_two_problems_alike(run: Run) -> None:
    chance = random.Random(1)
    shared = " ".join(chance.choice(WORDS) for _ in range(160))
    rows = [row(f"p{number}", statement(chance, shared)) for number in range(60)]
    copy = str(rows[7]["statement"]).rpartition(" ")[0] + " otherwise"
    rows.append(row("copy", copy, tests=rows[7]["tests"][:1]))
    kept, dropped, _ = run(FilterStage(Filter(min_words=1)), *rows)
    assert dropped == {"copy": "near_duplicate"}
    assert len(kept) == 60


@settings(max_examples=60, deadline=None)
@given(
    st.lists(st.sets(st.integers(0, 14), min_size=1, max_size=12), min_size=1, max_size=12),
    st.sampled_from([0.3, 0.5, 0.8, 1.0]),
    st.booleans(),
)
def test_no_similar_set_is_missed(
    sets: list[set[int]], threshold: float, boilerplate: bool
) -> None:
    grams = [{str(number) for number in numbers} for numbers in sets]
    packed = [pack_grams(sorted(item)) for item in grams]
    index = SimilarSets(packed, threshold, ignores_boilerplate=boilerplate)
    for number, text in enumerate(packed):
        expected = max(
            (
                len(grams[number] & grams[other]) / len(grams[number] | grams[other])
                for other in range(number)
            ),
            default=0,
        )
        match = index.find_most_similar(text)
        assert (match is None) == (expected < threshold)
        if match is not None:
            assert match[0] == pytest.approx(expected)
        index.add(number, text)


@settings(max_examples=60, deadline=None)
@given(
    st.lists(st.sets(st.integers(0, 14), min_size=1, max_size=12), min_size=1, max_size=12),
    st.sets(st.integers(0, 20), min_size=1, max_size=12),
    st.sampled_from([0.3, 0.5, 0.8, 1.0]),
)
def test_a_set_that_is_not_in_the_index_may_have_grams_of_its_own(
    sets: list[set[int]], other: set[int], threshold: float
) -> None:
    packed = [pack_grams([*map(str, numbers)]) for numbers in sets]
    index = SimilarSets(packed, threshold)
    for number, text in enumerate(packed):
        index.add(number, text)
    similar = [
        number
        for number, numbers in enumerate(sets)
        if len(numbers & other) >= threshold * len(numbers | other)
    ]
    assert [number for _, number in index.find_similar(pack_grams([*map(str, other)]))] == similar


def test_boilerplate_alone_makes_equal_sets_similar_and_no_others() -> None:
    shared = {f"shared {number}" for number in range(200)}
    packed = [pack_grams([*shared, f"own {number}"]) for number in range(100)]
    index = SimilarSets(packed, 0.8, ignores_boilerplate=True)
    for number, text in enumerate(packed):
        assert index.find_most_similar(text) is None
        index.add(number, text)
    assert index.find_most_similar(packed[3]) == (1.0, 3)


def test_grams_that_no_set_of_the_index_has_are_no_boilerplate() -> None:
    shared = {f"shared {number}" for number in range(200)}
    own = [{f"own {number} {gram}" for gram in range(9)} for number in range(100)]
    packed = [pack_grams([*shared, *grams]) for grams in own]
    index = SimilarSets(packed, 0.1, ignores_boilerplate=True)
    for number, text in enumerate(packed):
        index.add(number, text)
    unseen = {f"unseen {number}" for number in range(40)}
    match = index.find_most_similar(pack_grams([*shared, *own[3], *unseen]))
    assert match == (pytest.approx(9 / 49), 3)


def test_of_two_that_differ_in_their_limits_the_harder_one_stays(run: Run) -> None:
    story = "Hills beside a road have heights. Print how long the longest climb of them all is."
    one = row("climb-i", f"{story} There are n hills, 1 <= n <= 50.",
              solutions=[{"code": CODE, "verdict": "AC"}])  # fmt: skip
    other = row("climb-ii", f"{story} There are n hills, 1 <= n <= 10^5.",
                solutions=[{"code": CODE, "verdict": "AC"}])  # fmt: skip
    _, dropped, _ = run(FilterStage(Filter()), one, other)
    assert dropped == {"climb-i": "near_duplicate"}


def test_an_input_with_two_answers_proves_two_problems(run: Run) -> None:
    """They differ in one word; their statements alone count as one problem."""
    text = " ".join(f"A walker visits hill {n} and writes down word{n}." for n in range(12))
    tests = [{"input": f"{n}\n", "output": f"{n}\n"} for n in (1, 2)]
    one = {"problem_id": "one", "kind": "stdin", "statement": f"{text} Upwards.", "tests": tests}
    other = {**one, "problem_id": "other", "statement": f"{text} Downwards."}
    assert run(FilterStage(Filter()), one, other)[1] == {"other": "near_duplicate"}
    other["tests"] = [tests[0], {"input": " 2", "output": "-2"}]
    assert run(FilterStage(Filter()), one, other)[1] == {}
    other["tests"] = [tests[0], {"input": " 2", "output": " 2"}]
    assert run(FilterStage(Filter()), one, other)[1] == {"other": "near_duplicate"}


@pytest.mark.parametrize(
    ("sample", "reason"),
    [
        (("5\n", "7\n"), {"other": "near_duplicate"}),
        (("5\n", "3\n"), {}),
        (("8\n", "1\n"), {}),
    ],
    ids=["the same sample", "another output", "another input"],
)
def test_statements_with_different_samples_are_two_problems(
    run: Run, sample: tuple[str, str], reason: dict[str, str]
) -> None:
    """They differ in one word, and have no test in common."""
    text = " ".join(f"A walker visits hill {n} and writes down word{n}." for n in range(12))
    one = row("one", f"{text} Upwards.", examples=[{"input": "5\n", "output": "7\n"}])
    given, wanted = sample
    other = row("other", f"{text} Downwards.", examples=[{"input": given, "output": wanted}])
    assert run(FilterStage(Filter()), one, other)[1] == reason
