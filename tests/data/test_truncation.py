"""Statements that were cut off, and those that only look so."""

from __future__ import annotations

import pytest

from microcoder_data.process.wording import find_truncation


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("Add the numbers.\n\n## Input\n\n## Output\n\nTheir sum.", 'nothing follows "Input"'),
        ("Add the numbers.\n\n## Notes", 'nothing follows "Notes"'),
        ("# Add two numbers", None),
        ("Add them.\n\n## Output\n\nOutput on a single line:\n\nTheir sum.", None),
        ("Add the numbers.\n\n## Input\n\nTwo numbers.", None),
        ("", None),
        (" \n", None),
        ('Add.\n\n"""\nTwo numbers.', "a docstring is not closed"),
        ('Add.\n\n"""Two\n"""\n\n"""Three\n""" numbers.', None),
        ('"""Two numbers.\n"""\n\nAdd "them".\n"""', "a docstring is not closed"),
        ("Print the sum of all the numbers", None),
        ("The length is n =", 'it ends in "The length is n ="'),
        ("n=", None),
        ("Two numbers (both small", 'a bracket is not closed in "Two numbers (both small"'),
        ("Two numbers:\n\n| (a | b =", None),
    ],
)
def test_the_end_says_whether_a_statement_is_whole(text: str, reason: str | None) -> None:
    assert find_truncation(text) == reason
