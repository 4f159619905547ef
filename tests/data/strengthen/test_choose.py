"""Few tests are chosen, and those that kill most."""

from __future__ import annotations

from microcoder_data.strengthen.choose import choose_positions


def choose(kills: list[set[int]], count: int = 6, **options: int) -> list[int]:
    """Positions chosen for programs that no old test kills."""
    settings = {"cover": 1, "limit": 10, **options}
    return choose_positions(kills, [0] * len(kills), [1] * count, **settings)


def test_one_test_that_kills_all_is_enough() -> None:
    assert choose([{0, 3}, {1, 3}, {2, 3}]) == [3]


def test_a_program_that_one_test_kills_gets_that_test() -> None:
    assert set(choose([{0}, {0}, {0}, {5}])) == {0, 5}


def test_programs_that_old_tests_kill_need_no_more() -> None:
    assert choose_positions([{0}, {1}], [3, 0], [1, 1], cover=3, limit=10) == [1]


def test_no_more_tests_are_chosen_than_allowed() -> None:
    assert len(choose([{0}, {1}, {2}, {3}], limit=2)) == 2


def test_of_equal_tests_the_smallest_is_chosen() -> None:
    assert choose_positions([{0, 1, 2}], [0], [9, 3, 5], cover=1, limit=1) == [1]


def test_a_minimum_is_filled_with_others() -> None:
    assert choose([{3}], minimum=3) == [0, 1, 3]


def test_a_minimum_is_filled_with_rare_marks_first() -> None:
    marks = [{"no"}, {"no"}, {"no"}, {"yes"}, {"no"}, {"maybe"}]
    assert choose_positions([{0}], [0], [1] * 6, cover=1, limit=9, minimum=4, marks=marks) == [
        0,
        1,
        3,
        5,
    ]
