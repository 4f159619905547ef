"""How difficult a problem is: measured, told by its source, or ranked within its source."""

from __future__ import annotations

from collections import Counter

import pytest

from microcoder_data.filter.labels import Rated, label_problems, read_own_difficulty
from microcoder_data.filter.stage import FilterStage
from microcoder_data.recipe import Difficulty, Filter
from microcoder_eval.errors import DataError
from tests.data.clean import problems
from tests.data.lines import Row, Run

QUOTA = {"easy": 0.2, "medium": 0.4, "hard": 0.4}
NO_DUPLICATES = {"near_duplicate": 0}
FILL_QUOTA = FilterStage(Filter(difficulty=Difficulty(quota=QUOTA), **NO_DUPLICATES))


def unlabelled(count: int) -> list[Row]:
    return [{key: row[key] for key in row if key != "difficulty"} for row in problems(count)]


def names_of(rated: list[Rated]) -> list[str | None]:
    """The labels."""
    labels, _ = label_problems(rated, Difficulty())
    return [label and label.name for label in labels]


@pytest.mark.parametrize(
    ("fields", "own"),
    [
        ({"difficulty": "Easy"}, "easy"),
        ({"difficulty": "moderate"}, "medium"),
        ({"difficulty": "MEDIUM_HARD"}, "medium"),
        ({"difficulty": "very hard"}, "hard"),
        ({"difficulty": "interview"}, "medium"),
        ({"difficulty": 1900}, 1900.0),
        ({"difficulty": "2.5"}, 2.5),
        ({"difficulty": "UNKNOWN_DIFFICULTY"}, None),
        ({"difficulty": True}, None),
        ({"difficulty": "nan"}, None),
        ({"difficulty": ["hard"]}, None),
        ({}, None),
        ({"difficulty": "easy", "source_difficulty": "Hard"}, "hard"),
        ({"difficulty": "easy", "difficulty_basis": "score"}, None),
    ],
)
def test_the_sources_word_is_read(fields: Row, own: str | float | None) -> None:
    assert read_own_difficulty(fields) == own


def test_the_source_knows_better_than_the_score(run: Run) -> None:
    rows = [{**row, "difficulty": word, "platform": "x"}
            for row, word in zip(problems(3), ("Hard", "Easy", "Medium"), strict=True)]  # fmt: skip
    remaining, _, manifest = run(FilterStage(Filter(**NO_DUPLICATES)), *rows)
    assert [row["difficulty"] for row in remaining] == ["hard", "easy", "medium"]
    assert [row["source_difficulty"] for row in remaining] == ["Hard", "Easy", "Medium"]
    assert manifest["facts"]["difficulty_basis"] == {"source": 3}


def test_a_second_run_does_not_take_our_label_for_the_sources(run: Run) -> None:
    stage = FilterStage(Filter(**NO_DUPLICATES))
    remaining, _, _ = run(stage, *unlabelled(3))
    again, _, manifest = run(stage, *remaining)
    assert again == remaining
    assert manifest["facts"]["difficulty_basis"] == {"score": 3}


def test_scores_are_ranked_within_their_source() -> None:
    low = [Rated("low", score=number / 10) for number in range(9)]
    high = [Rated("high", score=5 + number / 10) for number in range(9)]
    assert names_of(low) == names_of(high) == ["easy"] * 3 + ["medium"] * 3 + ["hard"] * 3
    assert names_of([*low, *high]) == 2 * names_of(low)


def test_one_score_alone_and_equal_scores_are_in_the_middle() -> None:
    assert names_of([Rated("a", score=9.0), *[Rated("b", score=0.0)] * 5]) == ["medium"] * 6


def test_ratings_are_ranked_and_beat_the_score() -> None:
    ratings = [800.0, 3500.0, 1500.0]
    rated = [Rated("cf", own=rating, score=4000 - rating) for rating in ratings]
    assert names_of(rated) == ["easy", "hard", "medium"]


def test_labels_of_a_source_calibrate_the_scores_of_its_other_problems() -> None:
    words = ["easy"] * 18 + ["medium"] * 2
    known = [Rated("s", own=word, score=float(number)) for number, word in enumerate(words)]
    others = [Rated("s", score=score) for score in (15.0, 19.5)]
    labels, facts = label_problems([*known, *others], Difficulty())
    assert [label.name for label in labels[20:] if label] == ["easy", "medium"]
    assert facts == {"s": {"by": "labels of the source", "problems": 20}}
    known[0] = Rated("s", score=0.0, rate=0.9)
    assert label_problems([*known, *others], Difficulty())[1] == {
        "s": {"by": "labels of the source and pass rates", "problems": 20}
    }


def test_pass_rates_calibrate_the_scores_of_their_source_only() -> None:
    measured = [Rated("s", score=float(n), rate=0.9 if n < 15 else 0.1) for n in range(30)]
    labels, facts = label_problems(
        [*measured, Rated("s", score=3.0), Rated("s", score=20.0), Rated("t", score=3.0)],
        Difficulty(),
    )
    assert [label.name for label in labels[30:] if label] == ["easy", "hard", "medium"]
    assert facts["s"]["by"] == "pass rates"
    assert facts["t"]["by"] == "ranks, in thirds"


def labelled(count: int, *words: str) -> list[Row]:
    """Problems with the labels of their source, in turn."""
    return [{**row, "difficulty": words[number % len(words)]}
            for number, row in enumerate(problems(count))]  # fmt: skip


def test_a_label_that_no_problem_has_leaves_its_share_to_the_others(run: Run) -> None:
    remaining, _, manifest = run(FILL_QUOTA, *labelled(30, "easy", "medium", "medium"))
    assert Counter(row["difficulty"] for row in remaining) == {"easy": 10, "medium": 20}
    assert manifest["facts"]["selected"] == {"easy": 10, "medium": 20, "hard": 0}


def test_the_scarcest_label_limits_the_others(run: Run) -> None:
    remaining, _, manifest = run(FILL_QUOTA, *labelled(30, "easy", "medium", "hard"))
    assert len(remaining) == 25
    assert manifest["facts"]["difficulty"]["medium"] == manifest["facts"]["selected"]["medium"]


@pytest.mark.parametrize(
    "difficulty",
    [Difficulty(quota={"hard": 1.0}), Difficulty(quota={"easy": 0.2, "medium": 0.8}, total=1)],
)
def test_a_quota_that_leaves_nothing_is_an_error_with_counts(
    run: Run, difficulty: Difficulty
) -> None:
    rows = labelled(2, "easy", "medium")
    with pytest.raises(DataError, match="none of 2 problems: there are 1 easy, 1 medium, 0 hard"):
        run(FilterStage(Filter(difficulty=difficulty, **NO_DUPLICATES)), *rows)


def test_unlabelled_problems_of_many_kinds_fill_the_papers_quota(run: Run) -> None:
    remaining, _, manifest = run(FILL_QUOTA, *unlabelled(60))
    assert len(remaining) > 30
    assert manifest["facts"]["difficulty_basis"] == {"score": 60}
