"""What a statement promises of the first line of an input, held against the tests.

Only where it is plain which number is which: names with one pair of bounds each, in the order of
the sentence on the first line or of the format shown, as many as every test's first line has words.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from microcoder_eval.data.reasons import Found
from microcoder_eval.data.rows import Row, kind_of, tests_of

_NUMBER = r"-?\d[\d,]*(?:(?: ?[·×*] ?\d+)?\^\{?\d+\}?)?"
_NAME = r"[A-Za-z](?:_?\w)?"
_SIGN = r" ?(?:≤|<=|<|\\le) ?"
_BOUNDS = re.compile(
    rf"(?<![\w.^-])(?P<low>{_NUMBER})(?P<one>{_SIGN})(?P<names>{_NAME}(?: ?, ?{_NAME})*)"
    rf"(?P<other>{_SIGN})(?P<high>{_NUMBER})(?![\w^]|[.,]\d| ?[·×*+-]| \d)"
)
_SENTENCE = re.compile(r"\bfirst line\b(?:[^.\n]|\.(?=\d))*", re.IGNORECASE)
_FORMAT = re.compile(
    r"\binput\b[^\n]*\bformat\b[^\n]*\n+```[^\n]*\n(?P<line>[^\n]+)\n", re.IGNORECASE
)
# A text of that length, so many numbers, "a" as an article: which number is meant is not plain.
_UNSURE = re.compile(
    r"\b(?:strings?|texts?|words?|digits|characters|letters|bits)\b|"
    rf"\b{_NAME} (?:(?:space|comma)-separated |different |distinct |positive )*"
    r"(?:integers|numbers|values)\b",
    re.IGNORECASE,
)
_ARTICLE = re.compile(r"\ba (?!and\b|or\b)[a-z]{2}", re.IGNORECASE)
_WORDS = re.compile(r"[A-Za-z_]\w*")
_VALUE = re.compile(r"(-?)(?:(\d+)[·×*])?(\d+)(?:\^(\d{1,2}))?")

Bounds = tuple[int, int]


def broken(row: Row, statement: str) -> Found | None:
    """A test whose first line is not within the bounds; None where none is or nothing is plain."""
    if kind_of(row) != "stdin":
        return None
    bounds = _bounds(statement)
    names = _first_line(statement, bounds)
    if not names:
        return None
    inputs = [str(test.get("input", "")).strip() for test in tests_of(row)]
    firsts = [text.partition("\n")[0].split() for text in inputs]
    if not all(len(words) == len(names) and all(map(_is_whole, words)) for words in firsts):
        return None
    for number, words in enumerate(firsts, 1):
        for name, word in zip(names, words, strict=True):
            low, high = bounds[name]
            if not low <= int(word) <= high:
                told = f"{name} is {word} in test {number}, and said to be from {low} to {high}"
                return Found("tests_break_limits", told, {"test": number})
    return None


def _bounds(statement: str) -> dict[str, Bounds]:
    """The bounds of each name that has one pair of them."""
    found: dict[str, set[Bounds]] = {}
    for part in _BOUNDS.finditer(statement.replace("`", "").replace("$", "")):
        low, high = _value(part["low"]), _value(part["high"])
        if low is None or high is None:
            continue
        pair = (low + _is_strict(part["one"]), high - _is_strict(part["other"]))
        for name in _WORDS.findall(part["names"]):
            found.setdefault(name, set()).add(pair)
    return {name: pairs.pop() for name, pairs in found.items() if len(pairs) == 1}


def _is_strict(sign: str) -> bool:
    return sign.strip() == "<"


def _value(text: str) -> int | None:
    found = _VALUE.fullmatch(re.sub(r"[ ,{}]", "", text))
    if found is None:
        return None
    size: int = int(found[3]) ** int(found[4] or 1) * int(found[2] or 1)
    return -size if found[1] else size


def _first_line(statement: str, bounds: dict[str, Bounds]) -> Sequence[str]:
    """The names of the numbers in the first line; none where that is not plain."""
    shown = _FORMAT.search(statement)
    if shown is not None:
        names = shown["line"].split()
        return names if all(name in bounds for name in names) else ()
    told = _SENTENCE.search(statement)
    if told is None or _UNSURE.search(told[0]):
        return ()
    names = dict.fromkeys(name for name in _WORDS.findall(told[0]) if name in bounds)
    return () if names.keys() & {"a", "A"} and _ARTICLE.search(told[0]) else list(names)


def _is_whole(word: str) -> bool:
    return bool(re.fullmatch(r"-?\d{1,18}", word))
