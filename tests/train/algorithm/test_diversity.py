"""Diversity, its alarms, the temperature chosen from it, and staged schedules."""

from __future__ import annotations

import math

import numpy as np
import pytest

from microcoder_train.algorithm.diversity import (
    ProbeRow,
    choose_temperature,
    compute_slope,
    find_alarms,
    is_uninformative,
    measure_diversity,
)
from microcoder_train.algorithm.schedule import list_schedule_warnings, parse_schedule
from microcoder_train.cli.probe import TEMPERATURES
from microcoder_train.config_layers import load_settings
from microcoder_train.run.metrics import measure_mean_diversity


def test_grams_are_pooled_over_the_responses() -> None:
    assert measure_diversity([[1, 2, 3, 4, 5], [1, 2, 3, 4, 6]]) == 0.75


def test_eight_copies_have_an_eighth_of_the_diversity() -> None:
    assert measure_diversity([list(range(40))] * 8) == 1 / 8


def test_responses_too_short_for_a_gram_add_nothing() -> None:
    assert measure_diversity([[1, 2, 3], [1, 2, 3, 4]]) == 1.0
    assert math.isnan(measure_diversity([[1, 2, 3]]))


def test_queries_without_grams_are_left_out_of_the_mean() -> None:
    assert measure_mean_diversity([[[1]], [[1, 2, 3, 4], [1, 2, 3, 4]]]) == 0.5
    assert measure_mean_diversity([[[1]], [[1, 2, 3, 4]], [[1, 2, 3, 4], [1, 2, 3, 4]]]) == 0.75
    assert math.isnan(measure_mean_diversity([[[1]]]))


def test_short_answers_make_diversity_uninformative() -> None:
    assert is_uninformative([list(range(15))] * 3 + [list(range(16))] * 2)
    assert not is_uninformative([list(range(15))] * 2 + [list(range(16))] * 2)


def test_it_is_the_count_of_different_tuples_whatever_the_tokens() -> None:
    noise = np.random.default_rng(0)
    for largest in (3, 50, 150_000, 2**40):
        for _ in range(5):
            group = [noise.integers(0, largest, size).tolist() for size in (0, 3, 4, 5, 90, 700)]
            grams = [tuple(ids[i : i + 4]) for ids in group for i in range(len(ids) - 3)]
            assert measure_diversity(group) == len(set(grams)) / len(grams)


def test_slope_is_that_of_the_last_fifty_values() -> None:
    assert compute_slope([5.0] * 30 + [0.01 * i for i in range(50)]) == pytest.approx(0.01)
    assert math.isnan(compute_slope([0.5]))


def test_no_alarm_for_the_papers_good_runs() -> None:
    converging = [0.72 - 0.06 * min(i, 100) / 100 for i in range(200)]
    assert all(not find_alarms(converging[:end]) for end in range(1, 200))


def test_alarm_when_diversity_is_low_and_falls_for_fifty_steps() -> None:
    falling = [0.6 - 0.004 * i for i in range(60)]
    assert not find_alarms(falling[:40])  # low, but not for long enough to be sure
    assert find_alarms(falling) == {
        "fall": "diversity 0.36 is below 0.42 and falling (-0.0040 a step), and rewards are not at "
        "their best"
    }


def test_a_model_that_learns_may_lose_diversity() -> None:
    falling = [0.99 - 0.009 * i for i in range(60)]
    learning = [min(0.99, 0.1 + 0.05 * i) for i in range(60)]
    assert not find_alarms(falling, rewards=learning)
    failing = [*learning[:40], *(0.99 - 0.04 * i for i in range(20))]
    assert list(find_alarms(falling, rewards=failing)) == ["fall"]
    assert list(find_alarms(falling, rewards=[0.0] * 60)) == ["fall"]  # never learned anything
    # Twenty rewards tell: the mean of the first ten, and that of the last.
    assert not find_alarms(falling, rewards=[math.nan] * 40 + [0.1] * 10 + [0.9] * 10)
    assert list(find_alarms(falling, rewards=[math.nan] * 41 + [0.1] * 9 + [0.9] * 10)) == ["fall"]


def test_a_known_convergence_value_needs_no_fifty_steps() -> None:
    assert find_alarms([0.575, 0.57, 0.565], converged=0.65)
    assert not find_alarms([0.575, 0.58, 0.585], converged=0.65)


def test_collapse_and_explosion_of_diversity_are_alarms() -> None:
    assert find_alarms([0.7, 0.13]) == {"collapse": "diversity collapsed: 0.13, 0.70 at the start"}
    assert not find_alarms([0.5, 0.8])
    assert find_alarms([0.72, 0.93]) == {"explosion": "diversity explodes: 0.93, 0.72 at the start"}


def test_what_starts_near_one_cannot_explode() -> None:
    assert not find_alarms([0.998, 1.0])


# Read off the paper's figure 3; accuracies flat up to 1.2.
FIGURE_3 = [
    ProbeRow(t, d, a, 2000, 0.1)
    for t, d, a in [
        (0.2, 0.60, 0.37),
        (0.6, 0.65, 0.38),
        (1.0, 0.71, 0.38),
        (1.2, 0.745, 0.37),
        (1.4, 0.80, 0.30),
        (2.0, 0.90, 0.05),
    ]
]


def test_the_lowest_temperature_above_convergence_is_chosen() -> None:
    row, why = choose_temperature(FIGURE_3, converged=0.65)
    assert row is not None
    assert row.temperature == 1.0
    assert why == "the lowest T with D >= 0.68 and accuracy >= 0.95 of the best (0.380)"


def test_no_temperature_is_chosen_that_the_settings_warn_of() -> None:
    """At low temperatures untrained models are most accurate, and diverse where tokens are few."""
    rows = [ProbeRow(t, 0.8 + t / 20, 0.9 - t / 100, 20, 0.1) for t in (0.2, 0.6, 1.0, 1.4)]
    row, _ = choose_temperature(rows, converged=0.65)
    assert row is not None
    assert row.temperature == 1.0
    for temperature in TEMPERATURES:
        config = load_settings(None, "grpo", [f"rollout.temperature={temperature}"]).config
        assert not any("rollout.temperature" in text for text in config.list_warnings())


def test_none_is_chosen_where_none_qualifies_and_the_nearest_is_explained() -> None:
    row, why = choose_temperature(FIGURE_3, converged=0.75)
    assert row is None
    assert why.startswith("no temperature qualifies; nearest is T 1.2: diversity 0.745 is below")


def test_stages_are_steps() -> None:
    schedule = parse_schedule([[0, 0.6], [140, 1.2]])
    assert [schedule.compute_value(step) for step in (0, 139, 140, 10_000)] == [0.6, 0.6, 1.2, 1.2]
    assert schedule.largest == 1.2
    assert parse_schedule(1.2).compute_value(7) == 1.2
    assert len(parse_schedule([[0, 0.6], [20, 0.7], [41, 0.8]]).stages) == 3


@pytest.mark.parametrize(
    ("stages", "message"),
    [
        ([[5, 1.0]], "the first stage must start at step 0"),
        ([], "the first stage must start at step 0"),
        ([[0, 1.0], [0, 1.1]], "stages must start at increasing steps"),
        ([[0, 0.6], [10, 0.7], [20, 0.8]], "three stages within 40 steps are a ramp"),
        ([[0, 0.6], [20, 0.7], [40, 0.8]], "three stages within 40 steps are a ramp"),
        ([[0, 0.6], [10, 0.7], [20, 0.8], [100, 0.9]], "three stages within 40 steps are a ramp"),
        ([[0, 0.6], [100, 0.7], [105, 0.8], [110, 0.9]], "continuous changes, even brief ones"),
    ],
)
def test_ramps_and_disorder_are_refused(stages: list[list[float]], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        parse_schedule(stages)


def test_short_and_many_stages_are_warned_of() -> None:
    assert list_schedule_warnings("T", parse_schedule([[0, 0.6], [140, 1.2]])) == []
    assert list_schedule_warnings("T", parse_schedule([[0, 0.6], [30, 1.2]])) == [
        "T: a stage of 30 steps is shorter than 50"
    ]
    assert (
        len(
            list_schedule_warnings(
                "T", parse_schedule([[0, 0.6], [100, 1], [200, 1.2], [300, 1.4]])
            )
        )
        == 1
    )
