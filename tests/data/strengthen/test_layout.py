"""The layout of a text is found from a few examples, and text and values convert both ways."""

from __future__ import annotations

import pytest

from microcoder_data.strengthen.layout import LayoutError, infer_layout, split_lines
from tests.files import read_table

TABLE = read_table(__file__)
LAYOUTS = TABLE["layouts"]


@pytest.mark.parametrize("name", LAYOUTS)
def test_a_layout_is_found_and_gives_the_same_text_back(name: str) -> None:
    *texts, documents = LAYOUTS[name]
    layout = infer_layout(texts)
    assert layout is not None
    assert [layout.parse(text) for text in texts] == documents
    assert [layout.render(document) for document in documents] == texts


def test_a_digit_text_keeps_its_leading_zeros() -> None:
    layout = infer_layout(["2\n0110 3\n07 1\n", "1\n0001 9\n"])
    assert layout is not None
    assert layout.parse("1\n0010 5\n")[1] == [["0010", 5]]


def test_dos_line_ends_and_blank_lines_at_the_end_do_not_matter() -> None:
    assert split_lines("1 2\r\n3\r\n\r\n") == [("1", "2"), ("3",)]


def test_a_text_of_another_layout_is_refused() -> None:
    layout = infer_layout(["2\n1 2\n", "3\n1 2 3\n"])
    assert layout is not None
    for text in ("3\n1 2\n", "2\n1 2\n3\n", "2\n", "x\n1\n"):
        with pytest.raises(LayoutError):
            layout.parse(text)


def test_no_layout_is_claimed_of_empty_inputs() -> None:
    assert infer_layout([""]) is None
    assert infer_layout([]) is None


def test_rows_of_numbers_need_a_reason_for_their_lengths() -> None:
    """Each row here has a name, a count and as many neighbours; no rule of layouts covers that."""
    assert infer_layout(["2\n5 1 7\n7 0\n", "3\n1 2 4 9\n4 0\n9 1 4\n"]) is None
