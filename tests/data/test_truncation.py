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
        (f"{TASK}\n\n```\n2 10", "a fence of code is not closed"),
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
        "The length is n =",
        f"{TASK}\n\nReturn f(x",
        f"{TASK}\n\nPrint the least one, or ```-1`'' if there is none.",
        f"{TASK}\n\n- `s` consists of lowercase letters",
        f"{TASK}\n\n| 4 | 2 |",
    ],
)
def test_a_whole_statement_is_not_called_cut_off(text: str) -> None:
    assert find_truncation(text) is None
