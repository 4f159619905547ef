"""Formulas and sections as mirrors of contest sites write them, and what translations must keep."""

from __future__ import annotations

import pytest

from microcoder_data.process.examples import Example, parse_program_examples
from microcoder_data.process.markup import clean_statement
from microcoder_data.process.translation import find_loss


@pytest.mark.parametrize(
    ("raw", "expected"),
    [
        (
            r"The weight $$$$$$|q_1 - p_2| + \ldots$$$$$$ is least.",
            "The weight |q_1 - p_2| + ... is least.",
        ),
        (r"Both $$$a_1$$$$$$b \le 3$$$ count.", "Both a_1b ≤ 3 count."),
        (r"a string S ($ 1 \le |S| \le 5 $) is given", "a string S (1 ≤ |S| ≤ 5) is given"),
        (r"> $c_{1,1}$$c_{1,2}$$\cdots$$c_{1,W}$", "> c_{1,1}c_{1,2}...c_{1,W}"),
        (r"$a&lt;b \leq c$ and $\hspace{1cm}\vdots$", "a < b ≤ c and ..."),
        (r"It is $$x \le 5$$ here.", "It is x ≤ 5 here."),
        ("`1 <= a<sub>i</sub> <= 10<sup>9</sup>`", "`1 <= a_i <= 10^9`"),
        ("k ( - 10<sup>9</sup> ≤ k ≤ 3⋅10<sup>9</sup>)", "k ( -10^9 ≤ k ≤ 3·10^9)"),
        ("Print `( - 1)` or:\n\n```\n( - 1)\n```", "Print `( - 1)` or:\n\n```\n( - 1)\n```"),
        ("*   Write `<pre>` before it.", "- Write `<pre>` before it."),
        (
            'Example 3:\n\nOutput: ""\n\n**Note:** it is empty.',
            'Example 3:\n\nOutput: ""\n\nNote: it is empty.',
        ),
        ("It costs $ 5 or $ 10 here.", "It costs $ 5 or $ 10 here."),
    ],
)
def test_formulas_of_codeforces_are_formulas(raw: str, expected: str) -> None:
    cleaned = clean_statement(raw)
    assert cleaned.text == expected
    assert not cleaned.faults


def test_outputs_belong_to_the_input_of_their_number() -> None:
    fences = "\n\n".join(
        f"Sample {what} {number}:\n\n```\n{value}\n```"
        for what, number, value in (("Input", 1, 3), ("Input", 2, 5), ("Output", 1, 6),
                                    ("Output", 2, 10))
    )  # fmt: skip
    assert parse_program_examples(fences) == [Example("3\n", "6\n"), Example("5\n", "10\n")]


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
    found = find_loss(RUSSIAN, translation)
    assert (found is None) if fault is None else (found is not None and fault in found)
