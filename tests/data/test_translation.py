"""What a translation must keep."""

from __future__ import annotations

import pytest

from microcoder_data.process.translation import find_loss

RUSSIAN = "Дано число n (1 ≤ n ≤ 100) и строка `abc`. Выведите его удвоенное значение m."


@pytest.mark.parametrize(
    ("translation", "fault"),
    [
        ("You are given a number n (1 ≤ n ≤ 100) and the string `abc`. Print m, its double.", None),
        ("I think it is hard.", "characters"),
        ("You are given a number n and the string `abc`. Print the double of it as m.", "numbers"),
        ("You are given a number (1 to 100, at least 1) and a string. Print its double.", "names"),
    ],
)
def test_a_translation_keeps_numbers_names_and_length(translation: str, fault: str | None) -> None:
    loss = find_loss(RUSSIAN, translation)
    assert (loss is None) if fault is None else (loss is not None and fault in loss)
