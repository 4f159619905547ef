"""Statements that were cut off, and those that only look so."""

from __future__ import annotations

import pytest

from microcoder_data.process.wording import find_truncation

TASK = "A tram stops n times. Print how often it stops, and read n from the first line."


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("Add the numbers.\n\n## Input\n\n## Output\n\nTheir sum.", 'nothing follows "Input"'),
        (f"{TASK}\n\nInput\n\nOutput\n\nPrint n.", 'nothing follows "Input"'),
        ("Add the numbers.\n\n## Notes", 'nothing follows "Notes"'),
        ('Add.\n\n"""\nTwo numbers.', "a docstring is not closed"),
        ('"""Two numbers.\n"""\n\nAdd "them".\n"""', "a docstring is not closed"),
        ("The length is n =", 'it ends in "The length is n ="'),
        (f"{TASK}\n\nThe limits are 1 ≤", 'it ends in "The limits are 1 ≤"'),
        ("Two numbers (both small", 'a bracket is not closed in "Two numbers (both small"'),
        (f"{TASK}\n\nReturn f(x", 'a bracket is not closed in "Return f(x"'),
        (
            "Print f(n), twice the number (which is.",
            'a bracket is not closed in "), twice the number (which is."',
        ),
    ],
)
def test_what_is_missing_at_the_end_is_said(text: str, reason: str) -> None:
    assert find_truncation(text) == reason


@pytest.mark.parametrize(
    "text",
    [
        "# Add two numbers",
        "Add them.\n\n## Output\n\nOutput on a single line:\n\nTheir sum.",
        "Add the numbers.\n\n## Input\n\nTwo numbers.",
        "Add the numbers.\n\n## Output\n\nOutput a single integer.",
        f"{TASK}\n\n## Sample Input\n\n```\n1\n```",
        "",
        " \n",
        'Add.\n\n"""Two\n"""\n\n"""Three\n""" numbers.',
        "Print the sum of all the numbers",
        "n=",
        "Two numbers:\n\n| (a | b =",
        "Print a real number in (0, 1].",
        "Print a number in [0, n), but not f((1, 2]).",
        'Print ")" or "(".',
        "You have lost all of them :(.",
        "Black grapes are gone, so Andrew is not happy enough. :-(",
        'The answer to the query is f(")(((") in the unique bracket sequence s.',
        f"{TASK}\n\nPrint the least one, or ```-1`'' if there is none.",
        f'{TASK}\n\nNeither "(()" nor «(()» is one.',
        f"{TASK}\n\n1 <= nums[i] <= 127",
        f"{TASK}\n\n- `s` consists of lowercase letters",
        f"{TASK}\n\nn is at most 9",
        f"{TASK}\n\nPrint NONE where there is no such tram",
        f"{TASK}\n\nThe stones are 0 → 2 → 3",
        f"{TASK}\n\nBe careful with certain languages",
        f"{TASK}\n\n| 4 | 2 |",
        f"{TASK}\n\nAn array is a contiguous substring",
        f"{TASK}\n\nTime limit: 15 seconds",
    ],
)
def test_a_whole_statement_is_not_called_cut_off(text: str) -> None:
    assert find_truncation(text) is None
