"""Whatever text is given stays text."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from microcoder_eval.html.markup import Markup, escape_html, escape_invisible, join_markup, tag
from microcoder_eval.html.page import encode_json, make_data_element
from tests.report.making import WORST
from tests.report.parsing import parse_page


def test_text_and_attributes_are_escaped() -> None:
    element = tag("p", "<b>&", tag("i", "x"), title='"<')
    assert element == '<p title="&quot;&lt;">&lt;b&gt;&amp;<i>x</i></p>'


def test_attributes_may_be_bare_or_left_out() -> None:
    assert tag("input", type="text", hidden=True, id=None, class_="a", data_at=3) == (
        '<input type="text" hidden class="a" data-at="3">'
    )


def test_markup_is_not_escaped_twice() -> None:
    assert join_markup(tag("b", "<"), escape_html(Markup("<hr>"))) == "<b>&lt;</b><hr>"


@given(st.text(), st.text())
def test_any_text_comes_back_as_the_only_child_of_its_element(text: str, title: str) -> None:
    page = parse_page(tag("p", text, title=title))
    assert page.tags == [("p", {"title": escape_invisible(title)})]
    assert "".join(page.texts) == escape_invisible(text)


@pytest.mark.parametrize("sign", ["\x00", "\x1b", "\x7f", "\u202e", "\u2028", "\u200b", "\ud800"])
def test_what_cannot_be_seen_is_written_out(sign: str) -> None:
    assert escape_invisible(f"a{sign}b") == f"a\\u{ord(sign):04x}b"


def test_line_ends_and_letters_of_any_script_stay() -> None:
    assert escape_invisible("a\tb\nżółw 漢字 🙂") == "a\tb\nżółw 漢字 🙂"


@given(st.text() | st.just(WORST))
def test_data_in_a_script_element_cannot_end_it_and_comes_back(text: str) -> None:
    page = parse_page(make_data_element("x", encode_json({"text": text})) + "<p>after</p>")
    assert [name for name, _ in page.tags] == ["script", "p"]
    assert page.data("x") == {"text": text}


def test_data_in_a_script_element_is_plain_ascii_without_signs_of_markup() -> None:
    text = encode_json([WORST])
    assert text.isascii()
    assert not set(text) & set("<>&")


def test_numbers_that_are_none_are_refused_rather_than_written() -> None:
    with pytest.raises(ValueError, match="not JSON compliant"):
        encode_json(float("nan"))
