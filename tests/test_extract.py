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

CASES = {
    "one fence": ("Here:\n```python\nprint(1)\n```\nDone.", "print(1)\n", False),
    "py": ("```py\nx\n```", "x\n", False),
    "capitals": ("```Python3\nx\n```", "x\n", False),
    "title": ('```python title="a.py"\nx\n```', "x\n", False),
    "pandoc": ("```{.python .numberLines}\nx\n```", "x\n", False),
    "braces": ("```{python}\nx\n```", "x\n", False),
    "colon": ("```python:main.py\nx\n```", "x\n", False),
    "space before tag": ("```  python\nx\n```", "x\n", False),
    "last of two": ("```python\na\n```\n```python\nb\n```", "b\n", False),
    "tagged before untagged": ("```python\na\n```\n```\nb\n```", "a\n", False),
    "untagged": ("```\na\n```\n```\nb\n```", "b\n", False),
    "other languages": ("```cpp\nint x;\n```\n```text\n1\n```", None, False),
    "python among others": ("```python\na\n```\n```bash\nls\n```", "a\n", False),
    "empty block": ("```python\na\n```\n```python\n\n```", "a\n", False),
    "tildes": ("~~~python\na\n~~~", "a\n", False),
    "tildes hold backticks": ("~~~python\na\n```\n~~~", "a\n```\n", False),
    "longer fence": ("````python\na\n```\nb\n````", "a\n```\nb\n", False),
    "longer close": ("```python\na\n`````", "a\n", False),
    "windows": ("```python\r\na\r\nb\r\n```\r\n", "a\nb\n", False),
    "tabs": ("```python\nif x:\n\ty\n```", "if x:\n\ty\n", False),
    "list item": (
        "1. So:\n   ```python\n   if x:\n       y\n\n   z\n   ```\n",
        "if x:\n    y\n\nz\n",
        False,
    ),
    "list item, tabs": ("- a\n\t```python\n\tif x:\n\t\ty\n\t```\n", "if x:\n\ty\n", False),
    "on the marker's line": ("- ```python\n  a\n  ```\n", "a\n", False),
    "inside a tag": ("<think>x</think><answer>```python\na\n```</answer>", "a\n", False),
    "token of a chat template": ("```python\na\n``` <|im_end|><|endoftext|>", "a\n", False),
    "after a colon": ("Code: ```python\na\n```", "a\n", False),
    "after a colon in a comment": (
        "```python\n# so: ```python\na\n```",
        "# so: ```python\na\n",
        False,
    ),
    "after a sentence": ("Begin with ```python\nand so on", None, False),
    "inline code": ("Use ```x``` here, or ```python y```.", None, False),
    "inline print": ('```python\nprint("```")\n```', 'print("```")\n', False),
    "docstring": (
        '```python\ndef f():\n    """\n    ```\n    x\n    ```\n    """\n```\nbye',
        'def f():\n    """\n    ```\n    x\n    ```\n    """\n',
        False,
    ),
    "string at the margin": (
        '```python\ns = """\n```\n"""\nprint(s)\n```\nbye',
        's = """\n```\n"""\nprint(s)\n',
        False,
    ),
    "tagged fence in a string": (
        '```python\ns = """\n```python\nx\n```\n"""\n```\nbye',
        's = """\n```python\nx\n```\n"""\n',
        False,
    ),
    "unfinished string": ('```python\ns = """\n```\nHope it helps!', 's = """\n', False),
    "never closed, begun again": ("```python\na\n\n```python\nb\n```", "b\n", False),
    "open fence": ("```python\na\n```\nBetter:\n```python\nb", "a\n", True),
    "only an open fence": ("```python\na\n", None, True),
    "open fence of another language": ("```python\na\n```\n```text\n1", "a\n", True),
    "thinking": ("<think>\n```python\nbad\n```\n</think>\n```python\na\n```", "a\n", False),
    "only thinking": ("<think>\n```python\nbad\n```\n</think>\nSorry, no.", None, False),
    "glued to thinking": ("<think>x</think>```python\na\n```", "a\n", False),
    "open thinking": ("```python\na\n```\n<think>\n```python\nbad\n```", "a\n", True),
    "open thinking, no program": ("<think>print(1)", None, True),
    "thinking opened by the template": (
        "```python\nbad\n```\n</think>\n```python\na\n```",
        "a\n",
        False,
    ),
    "template, nothing after": ("```python\nbad\n```\n</think>\n", None, False),
    "program without fence": (
        "import sys\nprint(sys.argv)\n",
        "import sys\nprint(sys.argv)\n",
        False,
    ),
    "program after thinking": ("<think>hm</think>print(1)", "print(1)", False),
    "a mark in a string": ("```python\na = '<think>'\n```\nDone.", "a = '<think>'\n", False),
    "its end in a string": ("```python\na = '</think>'\n```", "a = '</think>'\n", False),
    "both in a string": ("~~~\nf('<think>a</think>')\n~~~", "f('<think>a</think>')\n", False),
    "marks on lines of their own": (
        "```python\na = '\n<think>\nb\n</think>\n'\n```",
        "a = '\n<think>\nb\n</think>\n'\n",
        False,
    ),
    "marks in a program without fence": ("a = '<think>'\n", "a = '<think>'\n", False),
    "a mark in a string after thinking": (
        "hm\n```python\nbad\n```</think>\n```python\na = '<think>'\n```",
        "a = '<think>'\n",
        False,
    ),
    "thinking that leaves a fence open": (
        "hm\n```python\nbad\n</think>\n```\na\n```",
        "a\n",
        False,
    ),
    "a mark in an open fence": ("```python\na = '<think>'\n", None, True),
    "prose": ("I cannot do that.", None, False),
    "nothing": ("", None, False),
    "comment": ("# nothing\n", None, False),
    "comment with a fence": ("```python\n# ```\nx\n```", "# ```\nx\n", False),
    "white space": (" \n\n", None, False),
    "a word": ("one", "one", False),
    "empty block only": ("```python\n```", None, False),
    "no program in a fence": ("```python\nprint(1\n```", "print(1\n", False),
    "Python 2": ("```python\nprint 1\n```", "print 1\n", False),
    "invalid escape": ("```python\nx = '\\d'\n```", "x = '\\d'\n", False),
    "a page": ("<pre>print(1)</pre>", None, False),
    "thinking that ends twice": (
        "```python\na\n```\n<think>a</think>\nb\n</think>\nNo.",
        None,
        False,
    ),
    "thinking again": (
        "<think>a</think>\n```python\na\n```\n<think>\n```python\nbad\n```\n</think>",
        "a\n",
        False,
    ),
    "body of a function": ("return 1", None, False),
    "byte order mark": ("\ufeffprint(1)", "print(1)", False),
    "form feed and separators": ("```python\na = '\u2028\x0c'\n```", "a = '\u2028\x0c'\n", False),
}


@pytest.mark.parametrize("name", CASES)
def test_the_program_and_the_cut_are_found(name: str) -> None:
    response, code, truncated = CASES[name]
    found = extract(response)
    assert (found.code, found.truncated) == (code, truncated)


def test_another_language_takes_its_own_fences() -> None:
    response = "```python\na\n```\n```c++\nint main(){}\n```"
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
    found = extract(text)
    assert found.code is None or found.code.strip()
    assert found.code is None or "\r" not in found.code


@given(st.lists(st.sampled_from(["a = 1", "if a:", "    b()", "'''", "", "\tc"])).map("\n".join))
def test_what_is_fenced_comes_back(body: str) -> None:
    found = extract(f"So:\n\n````python\n{body}\n````\n")
    assert found.code == (f"{body}\n" if body.strip() else None)


@given(st.text(), st.lists(pieces).map("".join))
def test_thinking_never_counts(thought: str, inside: str) -> None:
    hidden = (thought + inside).replace("<think>", "").replace("</think>", "")
    assert extract(f"<think>{hidden}</think>\n```python\na\n```").code == "a\n"
    assert extract(f"```python\na\n```\n<think>{hidden}").code == "a\n"
