"""Extraction: which text of a model's answer is the program, and whether the answer was cut off."""

from __future__ import annotations

import threading
import time
import warnings

import pytest
from hypothesis import given
from hypothesis import strategies as st

from microcoder_eval.extract import extract
from microcoder_eval.syntax import MAX_COMPILED_CHARS, compiles
from tests.files import read_table

ANSWERS = read_table(__file__)


@pytest.mark.parametrize(
    ("kind", "name"), [(kind, name) for kind in ("whole", "cut") for name in ANSWERS[kind]]
)
def test_the_program_and_the_cut_are_found(kind: str, name: str) -> None:
    response, *programs = ANSWERS[kind][name]
    extraction = extract(response)
    assert [extraction.code] == (programs or [None])
    assert extraction.truncated is (kind == "cut")


@pytest.mark.parametrize("tag", ["c++", "c++20", "CPP23"])
def test_another_language_takes_its_own_fences(tag: str) -> None:
    response = f"```python\na\n```\n```{tag}\nint main(){{}}\n```"
    assert extract(response, "cpp").code == "int main(){}\n"
    assert extract("int main(){}", "cpp").code is None
    assert extract("```rust\nx\n```", "rust").code == "x\n"


@pytest.mark.slow
@pytest.mark.parametrize(
    "text",
    [
        "(" * 10_000,
        "-" * 10_000 + "1",
        "+".join(["1"] * 50_000),
        "x" + "[0]" * 50_000,
        "lambda:" * 20_000,
        "f'{" * 200,
        "\0",
        "\ud800",
        "x = '\ud800'",
        "\\",
        "a" * (MAX_COMPILED_CHARS + 1),
        "```python\n'''\n```\n" * 20_000,
        ("```python\nx='''\n" + "y\n" * 20_000 + "```\n") * 8,
        "`" * 300_000,
        "<think>" * 50_000,
        "</think>" * 50_000,
        " " * 300_000 + "```",
        "1_" * 100_000,
        "```\n```" + "<a> " * 100_000 + "x",
        "```\n" + "`<a>" * 100_000,
        "<:" * 100_000 + "```" + " " * 100_000 + "x",
    ],
    ids=lambda text: repr(text[:12]),
)
def test_hostile_text_is_answered_soon(text: str) -> None:
    begun = time.process_time()
    extract(text)
    assert time.process_time() - begun < 10


def test_compiling_never_warns() -> None:
    # Under pytest's settings a warning would be an error, and the program would not "compile".
    source = "import re\nre.match('\\d\\w', b'\\d')\nx = 1if 2else 3\nx is 1\nassert (x, 'y')\n"
    assert compiles(source)
    for number in ("1", "1_0", "1.5", "1.", ".5", "1e5", "2j", "0x1", "0b1", "0o7"):
        assert compiles(f"x = {number}in y"), number


def test_an_escape_outside_a_string_is_no_program() -> None:
    assert not compiles("\\d")
    assert not compiles("x = \\frac")


def test_an_integer_longer_than_python_reads_is_a_program() -> None:
    assert compiles("x = " + "9" * 5000)


def test_warning_filters_of_the_process_are_left_alone() -> None:
    before = list(warnings.filters)
    threads = [threading.Thread(target=extract, args=("'\\d'\n" * 200,)) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert warnings.filters == before


FENCES = ["```", "~~~", "````", "python", "<think>", "</think>", "'''", '"""', "x = 1"]
pieces = st.sampled_from([*FENCES, *"\n\r\t \\{}.-1\0\u2028a"])


@given(st.text() | st.lists(pieces | st.text(max_size=3)).map("".join))
def test_any_text_is_answered(text: str) -> None:
    extraction = extract(text)
    assert extraction.code is None or extraction.code.strip()
    assert extraction.code is None or "\r" not in extraction.code


@given(st.lists(st.sampled_from(["a = 1", "if a:", "    b()", "'''", "", "\tc"])).map("\n".join))
def test_what_is_fenced_comes_back(body: str) -> None:
    extraction = extract(f"So:\n\n````python\n{body}\n````\n")
    assert extraction.code == (f"{body}\n" if body.strip() else None)


@given(st.text(), st.lists(pieces).map("".join))
def test_thinking_never_counts(thought: str, inside: str) -> None:
    hidden = (thought + inside).replace("<think>", "").replace("</think>", "")
    assert extract(f"<think>{hidden}</think>\n```python\na\n```").code == "a\n"
    assert extract(f"```python\na\n```\n<think>{hidden}").code == "a\n"
