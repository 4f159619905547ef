"""The explanation names the method that accepted and what each stricter one objected to."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from microcoder_eval.cli.verbs.compare import list_objections
from microcoder_eval.compare import COMPARERS, make_comparer

CALIBRATED = make_comparer("calibrated")


def test_stricter_methods_object_in_their_order_and_the_last_accepts() -> None:
    objections = list_objections(CALIBRATED, b"1 2\n3 4.0 \n", b"1 2\n3 4.00\n")
    assert [o.method for o in objections] == ["exact", "lines", "tokens"]
    assert objections[2].reason == 'line 2, token 2: got "4.0", expected "4.00"'


def test_white_space_is_made_visible_with_a_caret_under_the_first_difference() -> None:
    view = list_objections(CALIBRATED, b"a\tb \r\n", b"a b\n")[0].view
    assert view is not None
    assert (view.actual, view.expected, view.caret) == ("a→b·␍", "a·b", 1)


def test_a_long_line_is_shown_around_the_difference() -> None:
    view = list_objections(CALIBRATED, b"x" * 5000 + b"1" + b"y" * 5000, b"x" * 5000 + b"2")[0].view
    assert view is not None
    assert view.actual[view.caret] == "1"
    assert view.expected[view.caret] == "2"
    assert len(view.actual) < 100
    assert view.actual.startswith("…x")
    assert view.actual.endswith("y…")


@pytest.mark.parametrize(
    ("actual", "expected", "reason"),
    [
        (b"1\n2\n", b"1\n2", "is more than is expected"),
        (b"1\n2", b"1\n2\n", "the output ends too early"),
        (b"1\n2\n3\n", b"1\n", "line 2, column 1"),
        (b"1 \n", b"1\n", "line 1, column 2"),
    ],
)
def test_what_kind_of_difference_it_is(actual: bytes, expected: bytes, reason: str) -> None:
    assert reason in list_objections(CALIBRATED, actual, expected)[0].reason


def test_equal_outputs_have_nothing_to_list_objections() -> None:
    assert list_objections(CALIBRATED, b"1\n", b"1\n") == []


@given(
    st.binary(max_size=40),
    st.binary(max_size=40),
    st.sampled_from(sorted(COMPARERS)),
)
def test_any_two_outputs_are_explained_as_they_are_judged(a: bytes, b: bytes, name: str) -> None:
    comparer = make_comparer(name)
    objections = list_objections(comparer, a, b)
    names, method = [m.name for m in comparer.text_methods], comparer.compare_text(a, b).method
    assert [o.method for o in objections] == names[: names.index(method) if method else None]
    assert all(o.reason and o.reason.isprintable() for o in objections)
