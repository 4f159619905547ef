"""Statements in HTML, LaTeX and Markdown, and the one form they all end up in."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from microcoder_data.process.markup import Form, clean_statement, detect_form
from tests.files import read_table

WRITTEN = [(form, *pair) for form, pairs in read_table(__file__).items() for pair in pairs]


@pytest.mark.parametrize(("form", "raw", "expected"), WRITTEN)
def test_every_form_becomes_one_markdown_which_stays_as_it_is(
    form: str, raw: str, expected: str
) -> None:
    if form == Form.LATEX:
        pytest.importorskip("pypandoc", reason="pypandoc is missing: pip install '.[data]'")
    cleaned = clean_statement(raw)
    assert cleaned.text == expected
    assert (detect_form(raw), cleaned.faults) == (form, ())
    assert clean_statement(expected).text == expected


def test_code_with_a_docstring_is_code() -> None:
    code = 'def f(x):\n    """Give x twice.\n\n    >>> f(2)\n    4\n    """'
    assert clean_statement(code).text == f"```python\n{code}\n```"


@pytest.mark.parametrize(
    "raw",
    [
        "<p>text ends in <im",
        "\\begin{itemize}\\item one",
        "\\textbf{open and never closed",
        "Let $n \\le 5 be given.",
    ],
)
def test_broken_markup_is_told(raw: str) -> None:
    assert clean_statement(raw).faults


def test_pictures_are_counted() -> None:
    assert clean_statement("<p>x <img src=a> <img src=b></p>").images == 2
    assert clean_statement("![](a) text").images == 1
    drawn = "<p>Read <svg role='img'><title>n</title><path d='M 1'/></svg>, <svg role='img'/>"
    formulas = clean_statement(f"{drawn} and <svg><path d='M 1'/></svg>.</p>")
    assert (formulas.text, formulas.images) == ("Read [image: n], [image] and .", 2)


@given(st.text(alphabet="ab1 $\\{}<>/pre`*_\n^&;#[]()lefrac", max_size=80))
def test_no_text_is_too_strange(text: str) -> None:
    assert isinstance(clean_statement(text).text, str)


def test_signs_that_begin_a_line_of_a_page_are_no_markdown() -> None:
    page = "<p>Cells:<br><b>*</b> - a trap<br>+ - A<sup>*</sup><br><b>#</b> - a wall</p>"
    assert clean_statement(page).text == "Cells:\n* - a trap\n+ - A^*\n# - a wall"


def test_blanks_within_code_stay_beside_it() -> None:
    text = "<p>From <code>a </code>or <code>b</code><code> c</code> to <code>d</code>.</p>"
    assert clean_statement(text).text == "From `a` or `b` `c` to `d`."
