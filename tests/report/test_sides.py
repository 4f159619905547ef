"""What is shown of two outputs: a cut around the place where the judge's comparer parts them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from microcoder_eval.compare import make_comparer
from microcoder_eval.report.excerpts import (
    MAX_CHARS,
    Excerpt,
    cut_around,
    cut_end,
    cut_output,
    cut_start,
)
from microcoder_eval.report.rerun import Diff, diff_outputs, diff_values, find_comparer

CALIBRATED = make_comparer("calibrated")


def marked(piece: Excerpt) -> str:
    start, end = piece["mark"]
    return piece["text"][start:end]


@pytest.mark.parametrize(
    ("sides", "marks"),
    [
        (diff_outputs(b"1 2\n3 5\n", b"1 2\n3 4\n", CALIBRATED), ("5", "4")),
        # White space that the comparer does not mind.
        (diff_outputs(b"1   2\n\n3 7", b"1 2\n3 4\n", CALIBRATED), ("7", "4")),
        # Without a comparer the first byte that differs, but never a part of a character.
        (diff_outputs(b"abcX", b"abcY", None), ("X", "Y")),
        (diff_outputs("aż".encode(), "aź".encode(), None), ("ż", "ź")),
        (diff_values("[1, 2, 3]", "[1, 5, 3]"), ("2", "5")),
    ],
)
def test_what_decides_is_marked_on_both_sides(sides: Diff, marks: tuple[str, str]) -> None:
    assert (marked(sides.actual), marked(sides.expected)) == marks
    assert not sides.is_accepted


def test_source_of_a_checker_is_no_comparer() -> None:
    assert find_comparer({"source": "def check(a, b, c): ...", "language": "python"}) is None


def test_what_is_missing_is_an_empty_mark_at_the_end() -> None:
    sides = diff_outputs(b"1\n2\n", b"1\n2\n3\n", CALIBRATED)
    assert marked(sides.actual) == ""
    assert sides.actual["mark"][0] == len("1\n2")
    assert marked(sides.expected) == "3"


def test_no_output_at_all_is_marked_as_such() -> None:
    sides = diff_outputs(b"", b"42\n", CALIBRATED)
    assert (sides.actual["text"], sides.actual["mark"]) == ("", [0, 0])
    assert sides.expected["text"] == "42\n"


def test_an_accepted_answer_is_marked_nowhere() -> None:
    sides = diff_outputs(b"1  2", b"1 2\n", CALIBRATED)
    assert sides.is_accepted
    assert "mark" not in sides.actual


def test_a_far_difference_is_shown_with_its_line_and_what_is_left_out() -> None:
    lines = [b"%d\n" % n for n in range(10_000)]
    wrong = [*lines]
    wrong[7000] = b"oops\n"
    sides = diff_outputs(b"".join(wrong), b"".join(lines), CALIBRATED)
    assert (marked(sides.actual), marked(sides.expected)) == ("oops", "7000")
    piece = sides.actual
    assert piece["text"].splitlines()[7000 - (piece["line"] - 1)] == "oops"
    assert piece["before"] == len(b"".join(wrong[: piece["line"] - 1]))
    assert piece["before"] + len(piece["text"]) + piece["after"] == len(b"".join(wrong))
    assert len(piece["text"]) <= MAX_CHARS + 10


def test_bytes_that_are_no_text_are_shown_as_such() -> None:
    assert cut_output(b"\xff5")["text"] == "\\xff5"


def test_starts_and_ends_say_how_much_is_left_out() -> None:
    assert cut_start("a" * 10, 4) == {"text": "aaaa", "before": 0, "after": 6, "line": 1}
    assert cut_end("1\n2\n3", 3) == {"text": "2\n3"[-3:], "before": 2, "after": 0, "line": 2}


@given(got=st.binary(max_size=40), expected=st.binary(max_size=40))
def test_any_two_outputs_can_be_shown(got: bytes, expected: bytes) -> None:
    for name in ("calibrated", "lines", "tokens", "unordered_lines", "paper"):
        sides = diff_outputs(got, expected, make_comparer(name))
        for piece in (sides.actual, sides.expected):
            start, end = piece.get("mark", [0, 0])
            assert 0 <= start <= end <= len(piece["text"]), name


@given(st.binary(max_size=60), st.data())
def test_a_cut_holds_its_mark_and_counts_the_rest(data: bytes, draw: st.DataObject) -> None:
    start = draw.draw(st.integers(0, len(data)))
    end = draw.draw(st.integers(start, len(data)))
    piece = cut_around(data, (start, end), max_bytes=1000)
    assert piece["before"] == piece["after"] == 0
    assert piece["text"] == "".join(
        [piece["text"][: piece["mark"][0]], marked(piece), piece["text"][piece["mark"][1] :]]
    )
    if data.isascii():
        assert marked(piece) == data[start:end].decode()
