"""Puts the title and all samples into the statement, once and in one form, wherever the source
keeps them.

# Title · statement · ## Sample Input 1 · fence · ## Sample Output 1 · fence · ## Note
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any

from microcoder_data.rows import Row, get_kind, get_text

from .conversion.markdown import ANY_FENCE
from .conversion.notation import make_fence
from .examples import Example, find_program_examples

# Keys under which sources keep samples that are not in the statement's text.
_KEYS = ("examples", "samples", "sample", "sample_tests")
_OVERTITLE = re.compile(
    r"\n(?:#{1,2} )?(?:sample|example)s?(?: tests?| cases?)?[ \t]*\d*:?[ \t]*\n+\Z", re.IGNORECASE
)
_NOTE = re.compile(
    r"^(?:#{1,2} (?:notes?|explanations?|hints?)\b|(?:notes?|explanations?):?$)",
    re.IGNORECASE | re.MULTILINE,
)
_FROM_ZERO = re.compile(  # HackerRank, whose texts say "Explanation 0"
    r"^(?:#{1,2} )?(?:sample|example) input #?0\b", re.IGNORECASE | re.MULTILINE
)
_HEADING = re.compile(r"^# (.+)", re.MULTILINE)
_FENCE = re.compile(r"^```\n(.*?)^```$", re.DOTALL | re.MULTILINE)
_TWO_TITLES = re.compile(  # in one line, above the fence of each
    r"^(?:#{1,2} )?((?:sample |example )?input(?:[ \t]*+\d++)?+)[ \t]++"
    r"((?:sample |example )?output(?:[ \t]*+\d++)?+)\n\n"
    r"(```\n(?:(?!```)[^\n]*+\n)*+```\n\n)(?=```\n)",
    re.IGNORECASE | re.MULTILINE,
)
_PART = re.compile(  # a title within a fence; outputs and explanations may follow theirs
    r"^[ \t]*(?:#+ )?((?:sample |example )?(?:inputs?[ \t]*#?\d*(?=[ \t]*:?[ \t]*$)"
    r"|outputs?[ \t]*#?\d*(?=[ \t]*(?::|$)))|notes?(?=[ \t]*:?[ \t]*$)"
    r"|expl[a-z]*(?=[ \t]*[:;])|explanation(?=[ \t]*$))[ \t]*[:;]?[ \t]*\n?",
    re.IGNORECASE | re.MULTILINE,
)


def add_title(text: str, row: Row) -> str:
    """Return the statement below the row's title; unchanged if it already has a title."""
    title = " ".join(get_text(row, "title").split())
    first_line = text.partition("\n")[0]
    has_title = title.casefold() in first_line.casefold() and len(first_line) <= len(title) + 20
    if not title or has_title or find_own_title(text):
        return text
    return f"# {title}\n\n{text}"


def find_own_title(text: str) -> str:
    """Return the title that a statement begins with; empty where it has none. The first of several
    headings of one level is the title of a section: "Introduction", "Task"."""
    headings = _HEADING.findall(ANY_FENCE.sub("", text))
    return headings[0] if len(headings) == 1 and text.startswith("# ") else ""


def add_samples(text: str, row: Row) -> str:
    """Return the statement with all samples, its own and those of the row, in one form."""
    if get_kind(row) != "stdin":
        return text
    first_number = 0 if _FROM_ZERO.search(text) else 1
    text = _TWO_TITLES.sub(r"\1\n\n\3\2\n\n", _FENCE.sub(_split_fence, text))
    text = _rename_samples(text, first_number)
    shown = list(find_program_examples(text))
    shown_pairs = {_make_key(example) for _, _, example in shown}
    missing = [item for item in _read_examples(row) if _make_key(item) not in shown_pairs]
    if not missing:
        return text
    note = _NOTE.search(text, shown[-1][1][1] if shown else 0)
    end = note.start() if note else len(text)
    added = "\n\n".join(_format_samples(missing, len(shown) + first_number))
    return f"{text[:end].rstrip()}\n\n{added}\n\n{text[end:]}".strip()


def _read_examples(row: Row) -> Iterator[Example]:
    """Yield the samples that the row holds outside its statement."""
    value: Any = next((row[key] for key in _KEYS if row.get(key)), None)
    if isinstance(value, dict):  # of two columns
        columns = [value.get("input"), value.get("output")]
        are_lists = all(isinstance(column, list) for column in columns)
        value = list(zip(*columns, strict=False)) if are_lists else []
    for item in value if isinstance(value, list) else []:
        pair = [item.get("input"), item.get("output")] if isinstance(item, dict) else item
        is_pair = isinstance(pair, list | tuple) and len(pair) == 2
        if is_pair and all(isinstance(text, str) for text in pair):
            yield Example(*pair)


def _split_fence(match: re.Match[str]) -> str:
    """Return a fence that holds a sample, "Input:", lines, "Output:", lines, as one fence each."""
    before, *parts = _PART.split(match[1])
    titles, bodies = parts[::2], parts[1::2]
    names = [title.lower() for title in titles]
    has_both = bool(names) and "input" in names[0] and any("output" in name for name in names)
    is_sample = has_both and all(map(str.strip, bodies))
    if before.strip() or not is_sample:
        return match[0]
    pieces = zip(titles, map(make_fence, bodies), strict=True)
    return "\n\n".join(f"{title.strip().capitalize()}:\n\n{fence}" for title, fence in pieces)


def _rename_samples(text: str, first_number: int) -> str:
    """Return the statement with its own samples under our titles."""
    pieces: list[tuple[int, int, str]] = []  # start, end, what replaces it
    for number, (given, wanted, example) in enumerate(find_program_examples(text), first_number):
        sample = "\n\n".join(_format_samples([example], number))
        pieces += [(*given, f"\n\n{sample}\n\n"), (*wanted, "\n\n")]
    for start, end, replacement in sorted(pieces, reverse=True):
        before = _OVERTITLE.sub("\n", text[:start]) if replacement.strip() else text[:start]
        text = f"{before.rstrip()}{replacement}{text[end:].lstrip(chr(10))}"
    return text.strip("\n")


def _format_samples(examples: Sequence[Example], first_number: int) -> Iterator[str]:
    for number, example in enumerate(examples, first_number):
        yield f"## Sample Input {number}\n\n{make_fence(example.input)}"
        yield f"## Sample Output {number}\n\n{make_fence(example.output)}"


def _make_key(example: Example) -> tuple[str, str]:
    return " ".join(example.input.split()), " ".join(example.output.split())
