"""Statements that were cut off, and those that only look so."""

from __future__ import annotations

import pytest

from microcoder_data.process.truncation import find_cut_sentence, find_truncation


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("Add the numbers.\n\n## Input\n\n## Output\n\nTheir sum.", 'nothing follows "Input"'),
        ("Add the numbers.\n\n## Notes", 'nothing follows "Notes"'),
        ("# Add two numbers", None),
        ("Add the numbers.\n\n## Input\n\nTwo numbers.", None),
        ("Print the sum of all numbers that you were giv", 'it ends in "that you were giv"'),
        ("Print the sum of the numbers and the", 'it ends in "he numbers and the"'),
        ("Print how often the letter a follows a", None),
        ("Print how often one letter follows a", 'it ends in "e letter follows a"'),
        ("", None),
        (" \n", None),
        ("Sum and the", None),
        ("Sum one and the", "it ends in"),
        ('Add.\n\n"""\nTwo numbers.', "a docstring is not closed"),
        ('Add.\n\n"""Two\n"""\n\n"""Three\n""" numbers.', None),
        ('"""Two numbers.\n"""\n\nAdd "them".\n"""', "a docstring is not closed"),
        ("Print the sum of zzqx and then zzqx", None),
        ("Print the sum of all the numbers", None),
    ],
)
def test_the_end_says_whether_a_statement_is_whole(text: str, reason: str | None) -> None:
    found = find_truncation(text) or find_cut_sentence(text)
    assert (found is None) == (reason is None)
    if reason and reason.startswith("nothing"):
        assert found == reason
