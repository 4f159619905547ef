"""Reads what a statement allows: bounds of named values, and properties described in words.

Each constraint keeps the text that it was read from. A statement may be misread, so callers ask
``Constraint.allows`` whether the stored inputs contradict a constraint. Data sets that lose markup
write 10^5 as 105. A test value above 105 proves this loss, for this bound and for all other bounds
in the same statement.
"""

from __future__ import annotations

import html
import re
import string
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any


class Aspect(StrEnum):
    """The aspect of a named value that a constraint bounds."""

    VALUE = "value"  # a number
    LENGTH = "length"  # of a text or list
    ITEM = "item"  # each number in a list, however deep
    ITEM_LENGTH = "item length"  # of each text or list in a list


class Trait(StrEnum):
    """A property that a statement describes in words. Each is one predicate in
    ``strengthen.predicates``."""

    DISTINCT = "distinct"
    ASCENDING = "ascending"
    DESCENDING = "descending"
    PERMUTATION = "permutation"
    EVEN = "even"
    ODD = "odd"


@dataclass(frozen=True, slots=True)
class Constraint:
    """Bounds of one aspect of a name, a trait, or choices. name: "" if the text gives no name.

    aspect: of bounds; others have none of their own.
    low, high: None where the text has no number there.
    high_name: a term that stands in the place of ``high`` ("n", "nums.length").
    choices: whole values, or the letters of a text; empty if any are allowed.
    text: the evidence.
    restored: the text before its lost powers were restored; empty if no power was lost.
    """

    name: str
    aspect: Aspect = Aspect.VALUE
    low: int | None = None
    high: int | None = None
    high_name: str = ""
    trait: Trait | None = None
    choices: frozenset[str] = frozenset()
    text: str = ""
    restored: str = ""

    def concerns(self, name: str) -> bool:
        """Whether the constraint is about a name. A constraint without a name is about every name
        in its text."""
        return self.name == name or (
            not self.name and bool(re.search(rf"\b{re.escape(name)}\b", self.text))
        )

    def allows(self, value: float) -> bool:
        """Whether a number is within the bounds."""
        is_low_enough = self.high is None or value <= self.high
        return is_low_enough and (self.low is None or value >= self.low)


Ranges = Mapping[tuple[str, Aspect], tuple[float, float]]
_COMMANDS = {
    "leqslant": "<=", "leq": "<=", "le": "<=", "lt": "<", "geqslant": ">=", "geq": ">=", "ge": ">=",
    "gt": ">", "cdot": "*", "times": "*", "dots": "...", "ldots": "...", "cdots": "...",
}  # fmt: skip
_COMMAND = re.compile(r"\\([A-Za-z]+)")
_MARKS = str.maketrans(
    {"≤": "<=", "≥": ">=", "⩽": "<=", "⩾": ">=", "·": "*", "×": "*", "−": "-", "–": "-"}
    | dict.fromkeys("`$\\{}", "")
    | {"\u00a0": " "}
)
_RAISED = "⁰¹²³⁴⁵⁶⁷⁸⁹"
_LOWERED = str.maketrans(_RAISED, "0123456789")
_SIGN = re.compile(r"\s*(<=|>=|<|>)\s*")
_NUMBER = (
    r"-?\d+(?:[ ,_]\d{3}(?!\d))*(?:[ \t]*\*[ \t]*\d+)?(?:[ \t]*(?:\^|\*\*)[ \t]*\d+)?"
    r"(?:(?:[ \t]*\+[ \t]*|-|[ \t]*-[ \t]*(?=1\b))\d+(?![\d\s]*[\^*<>]))?"  # not "≤ 10 - 20 points"
)
_NAME = r"[A-Za-z]\w*"
_INDEX = r"(?:\[[^\]\n]{1,8}\])"  # "_i" is a part of the name
_SIZE = r"(?:\.(?:length|size)(?:\(\))?)"
_TERM = rf"(?:\|{_NAME}{_INDEX}*\||len\({_NAME}\)|{_NAME}{_INDEX}*{_SIZE}?(?:{_INDEX})?)"
# Matches "n - 1". Does not match "with -5" in "with -5 < x", or the sign of an item in a list.
_CHANGE = r"(?:[ \t]*[+*/][ \t]*\d+|[ \t]*-[ \t]+\d+|-\d+)"
_OPERAND = rf"(?:{_TERM}(?:(?:\s*,\s*|\s+and\s+){_TERM}){{0,20}}{_CHANGE}?|{_NUMBER})"
_CHAIN = re.compile(rf"(?<![\w.^\]-]){_OPERAND}(?:\s*(?:<=|>=|<|>)\s*{_OPERAND})+(?![\w^\[])")
_RANGE = re.compile(
    rf"(?:\b(?:between|from)\s+(?P<low>{_NUMBER})\s+(?:and|to)\s+(?P<high>{_NUMBER})"
    rf"|\brange:?\s*\[\s*(?P<left>{_NUMBER})\s*,\s*(?P<right>{_NUMBER})\s*\])"
)
_QUOTED = r"'[^'\n]{1,12}'|\"[^\"\n]{1,12}\""
_CHOICE = (
    rf"(?:(?:{_QUOTED}|{_NUMBER})s?|(?:(?:lower|upper)[- ]?case|capital|english|latin|letters?|"
    r"digits?|binary strings?|numbers|alphanumeric|characters?|spaces?|integers?|only|of|either|"
    r"just|the|an?|and|or)\b)"
)
# "grid[i][j] is 0, 1, or 2.", "s consists of lowercase letters and '#'", "in lowercase"
_LISTING = re.compile(
    r"(?:\b(?:consist\w*|contain\w*|composed|made(?: up)?|ha(?:s|ve)|only|"
    r"(?:list|array|set|string|text|word)s? of)[\s,]+|"
    rf"^[\s*-]*{_TERM}(?: and {_TERM})? (?:is|are)[\s,]+|\b(?=lower|upper|capital|binary))"
    rf"(?P<choices>{_CHOICE}(?:[\s,]+{_CHOICE})*)",
    re.IGNORECASE,
)
_LETTERS = {
    "lower": string.ascii_lowercase, "upper": string.ascii_uppercase,
    "capital": string.ascii_uppercase, "digit": string.digits, "and numbers": string.digits,
    "numeric": string.digits, "binary": "01", "space": " ",
}  # fmt: skip
_COUNTED = re.compile(r"\b(?:number of|length|size)\b")  # before a range
_COUNT = re.compile(r"\s+(?:\w+\s+){0,2}(?:characters|letters|elements)\b")  # after it
_NUMBER_PARTS = re.compile(r"(-?)(?:(\d+)\*)?(\d+)(?:(?:\^|\*\*)(\d{1,3}))?(?:([+-])(\d+))?")
_MAX_DIGITS = 4000  # of a number that is read; Python converts no text of more than 4,300
# Only powers that are usual as bounds: 1000 is not read as 10^00, nor 20 as 2^0.
_LOST_POWER = re.compile(r"(10(?=[3-9]$|1[0-8]$)|2(?=3[0-2]$|53$|6[2-4]$))(\d{1,2})")
_LOST_TOKEN = re.compile(r"(?<![\w.^])(?:10|2)\d{1,2}(?![\w^])")
# The least value of a number that is described by this adjective.
_SIGN_WORDS = {"positive": 1, "nonnegative": 0, "natural": 1}
_SIGN_PHRASE = re.compile(
    r"\b(positive|non[- ]?negative|natural)\s+(?:\w+\s+){0,2}?"
    r"(integers?|numbers?|ints?|floats?|decimals?|values?)\b"
    rf"(?:\s+(?:(?:called|named)\s+({_NAME})|([B-Zb-z]\d?))\b)?",
    re.IGNORECASE,
)
_EMPTY_PHRASE = re.compile(
    r"\bnon[- ]?empty\s+(?:\w+\s+){0,2}?(?:array|list|string|sequence|tuple|text)s?\b",
    re.IGNORECASE,
)
_DOWN = r"(?:descending|decreasing|non-increasing)"
# The first pattern that matches a sentence decides its trait.
_TRAIT_PHRASES = tuple(
    (trait, re.compile(rf"\b(?:{pattern})\b", re.IGNORECASE))
    for trait, pattern in (
        (Trait.PERMUTATION, r"permutation(?! of \w+\W*$)"),
        (Trait.DISTINCT, "distinct|unique|different|no duplicates?"),
        (Trait.DESCENDING, f"sorted in {_DOWN}"),
        (Trait.ASCENDING, "sorted|ascending|increasing order"),
        (Trait.EVEN, "is even|even (?:number|length|integer)"),
        (Trait.ODD, "is odd|odd (?:number|length|integer)"),
    )
)


_SIGN_OF_WORDS = {
    "less than": "<", "below": "<", "at most": "<=", "no more than": "<=", "at least": ">=",
    "greater than": ">", "more than": ">", "above": ">",
}  # fmt: skip
_BOUND_PHRASE = re.compile(  # "base numbers are always less than 10"
    rf"(?<=\w)(?: numbers?| values?)? (?:is|are|will be)(?: always)? ({'|'.join(_SIGN_OF_WORDS)})"
    rf" (?={_NUMBER})",
    re.IGNORECASE,
)
# Words with which a statement promises what an input always has.
_PROMISE = re.compile(r"\b(?:guarante|garanter|assume\b)", re.IGNORECASE)
_EMPTY_PROMISE = re.compile(
    r"\bassume (?:that )?(?:the|all) inputs? (?:is|are)(?: always)? valid\b", re.IGNORECASE
)
# Words with which the section on input, where a statement has one, says more than types and bounds.
_RULE = re.compile(
    r"\b(?:no (?:two|three|pair|other)|must|never|always|connected|reachable|"
    r"will (?:be|not|have|contain))\b",
    re.IGNORECASE,
)
_HEADING = r"^\W*(?:section\*)?\W*(?:%s)\b[^\n.]{0,20}$"
_INPUT_HEADING = re.compile(_HEADING % "input|indata", re.IGNORECASE | re.MULTILINE)
_CONSTRAINT_HEADING = re.compile(_HEADING % "constraints?", re.IGNORECASE | re.MULTILINE)
_OUTPUT_HEADING = re.compile(_HEADING % "output|utdata", re.IGNORECASE | re.MULTILINE)
_FURTHER = re.compile(r"\b(?:and|not|no)\b")  # a promise of which a bound is read says more


def make_plain(statement: str) -> str:
    """Return a statement without markup, with plain signs in place of commands and entities."""
    text = re.sub(r"<sup>\s*(-?\w+)\s*</sup>", r"^\1", statement, flags=re.IGNORECASE)
    text = re.sub(f"[{_RAISED}]+", lambda match: "^" + match[0].translate(_LOWERED), text)
    text = html.unescape(re.sub(r"</?(?:code|em|strong|b|i|p|li|ul|span|sub)\b[^>]*>", "", text))
    text = _COMMAND.sub(lambda match: _COMMANDS.get(match[1], match[0]), text)
    return text.translate(_MARKS)


def read_number(text: str, *, restores: bool = False) -> int | None:
    """Return the whole number of a text such as 2*10^5, 1,000 or 2^31 - 1; None where it is none.

    restores: read 105 and 231 as 10^5 and 2^31.
    """
    match = _NUMBER_PARTS.fullmatch(re.sub(r"[\s,_{}]", "", text))
    if match is None:
        return None
    sign, factor, base, power, operator, rest = match.groups()
    if power is None and restores and (lost := _LOST_POWER.fullmatch(base)):
        base, power = lost.groups()
    if len(base) * int(power or 1) + len(text) > _MAX_DIGITS:
        return None
    value: int = int(base) ** int(power or 1) * int(factor or 1) * (-1 if sign else 1)
    difference = int(rest) if rest else 0
    return value - difference if operator == "-" else value + difference


def read_constraints(statement: str, seen: Ranges | None = None) -> list[Constraint]:
    """Return the constraints of a statement; bounds first, then properties described in words.

    seen: the least and the greatest value of each name in the tests. If one of them exceeds a bound
    that may be a lost power, every bound of the statement that may be a lost power is read as a
    power.
    """
    text = _BOUND_PHRASE.sub(
        lambda match: f" {_SIGN_OF_WORDS[match[1].lower()]} ", make_plain(statement)
    )
    bounds, words = list(read_bounds(text)), list(_read_words(text))
    if seen and any(_is_lost(item, seen) for item in (*bounds, *words)):
        originals = set(bounds)
        bounds = [
            item if item in originals else replace(item, restored=item.text)
            for item in read_bounds(text, restores=True)
        ]
    return bounds + words


def restore_lost_powers(statement: str, seen: Ranges) -> tuple[str, list[Constraint]]:
    """Return the statement with its lost powers written as 10^5, and the constraints that contain
    them. If the tests prove no loss, the statement is unchanged and the list is empty."""
    lost = [item for item in read_constraints(statement, seen) if item.restored]
    for token in {match[0] for item in lost for match in _LOST_TOKEN.finditer(item.restored)}:
        power = _LOST_POWER.sub(r"\1^\2", token)
        statement = re.sub(rf"(?<![\w.^]){token}(?![\w^]|\.\d)", power, statement)
    return statement, lost


def measure_names(names: Sequence[str], inputs: Iterable[Sequence[Any]]) -> Ranges:
    """Return the least and the greatest number of each aspect of each argument, and of all lengths
    under the name "". names: of the arguments."""
    values: dict[tuple[str, Aspect], list[float]] = {}
    for arguments in inputs:
        for name, value in zip(names, arguments, strict=False):
            for aspect, number in _list_numbers(value, False):
                values.setdefault((name, aspect), []).append(number)
                if aspect is Aspect.LENGTH:
                    values.setdefault(("", aspect), []).append(number)
    return {key: (min(numbers), max(numbers)) for key, numbers in values.items()}


def _list_numbers(value: Any, is_item: bool) -> Iterator[tuple[Aspect, float]]:
    if isinstance(value, int | float) and not isinstance(value, bool):
        yield Aspect.ITEM if is_item else Aspect.VALUE, value
    elif isinstance(value, str | list):
        yield Aspect.ITEM_LENGTH if is_item else Aspect.LENGTH, len(value)
        if isinstance(value, list):
            for item in value:
                yield from _list_numbers(item, True)


def _is_lost(constraint: Constraint, seen: Ranges) -> bool:
    """Whether test values violate a bound as written, but satisfy it once its powers are
    restored."""
    pair = seen.get((constraint.name, constraint.aspect))
    if pair is None or all(map(constraint.allows, pair)):
        return False
    # Without a name, the least may be another argument's.
    values = pair if constraint.name else pair[1:]
    changed = [
        item
        for item in read_bounds(constraint.text, restores=True)
        if (item.name, item.aspect) == (constraint.name, constraint.aspect)
        and (item.low, item.high) != (constraint.low, constraint.high)
    ]
    return bool(changed) and all(item.allows(value) for item in changed for value in values)


def read_bounds(text: str, *, restores: bool = False) -> Iterator[Constraint]:
    """Yield the bounds in a plain statement. restores: read 105 and 231 as 10^5 and 2^31."""
    for match in _CHAIN.finditer(text):
        yield from _read_chain(match[0], restores)
    for match in _RANGE.finditer(text):
        low = read_number(match["low"] or match["left"], restores=restores)
        high = read_number(match["high"] or match["right"], restores=restores)
        before = text[max(0, match.start() - 120) : match.start()]
        sentence = re.split(r"[.\n;](?=\s|$)", before)[-1]
        if low is not None and high is not None and low <= high:
            counted = _COUNT.match(text, match.end())
            aspect = Aspect.LENGTH if counted or _COUNTED.search(sentence) else Aspect.VALUE
            evidence = sentence + match[0] + (counted[0] if counted else "")
            yield Constraint("", aspect, low, high, text=evidence.strip())


def _read_chain(text: str, restores: bool) -> Iterator[Constraint]:
    """Yield the bounds of the terms in a chain such as ``1 <= l < r <= n``."""
    pieces = _SIGN.split(text)
    operands, signs = pieces[::2], pieces[1::2]
    if any(sign.startswith(">") for sign in signs):
        if any(sign.startswith("<") for sign in signs):
            return
        operands, signs = operands[::-1], [sign.replace(">", "<") for sign in signs[::-1]]
    numbers = [read_number(operand, restores=restores) for operand in operands]
    lows = _list_nearest(numbers, signs, 1)
    highs = _list_nearest(numbers[::-1], signs[::-1], -1)[::-1]
    for place, (operand, low, high) in enumerate(zip(operands, lows, highs, strict=True)):
        if numbers[place] is not None or re.search(r"[-+*/]\s*\d+$", operand):
            continue
        if low is None or high is None or low <= high:
            upper = operands[place + 1] if numbers[place + 1 : place + 2] == [None] else ""
            for term in re.split(r"\s*(?:,|\band\b)\s*", operand):
                name, aspect = split_term(term)
                yield Constraint(name, aspect, low, high, upper, text=text.strip())


def _list_nearest(
    numbers: Sequence[int | None], signs: Sequence[str], step: int
) -> list[int | None]:
    """Return, for each place of a chain, the nearest number before it, changed by ``step`` for each
    ``<`` between them."""
    nearest: int | None = None
    found = []
    for number, sign in zip(numbers, [*signs, ""], strict=True):
        found.append(nearest)
        nearest = nearest if number is None else number
        if nearest is not None and sign == "<":
            nearest += step
    return found


def list_promises(statement: str, *, is_call: bool) -> Iterator[str]:
    """Yield the sentences that promise something of the input in words that are not read, and that
    names differ (``u != v``). is_call: whether the caller applies traits to the input, which the
    arguments of calls have, and not the parts of a text."""
    text = make_plain(statement)
    heading = _INPUT_HEADING.search(text)
    section = "" if is_call or heading is None else text[heading.end() :]
    section = _OUTPUT_HEADING.split(section)[0]
    for line in _list_constraint_lines(text) if is_call else ():
        if not _is_read(line):
            yield line
    for one in read_bounds(text):
        if one.aspect is Aspect.ITEM and one.high_name in ("i", "j"):  # p_i < i
            yield one.text
    for part, words in ((text, _PROMISE), (section, _RULE)):
        for sentence in re.split(r"(?<=[.;!?])\s+|\n\s*\n", part):
            if not words.search(sentence) or _EMPTY_PROMISE.search(sentence):
                continue
            more = _RANGE.sub("", _CHAIN.sub("", sentence))
            is_bound = any(read_bounds(sentence)) and not _FURTHER.search(more)
            is_trait = is_call and any(one.trait or one.choices for one in _read_words(sentence))
            if not is_bound and not is_trait:
                yield " ".join(sentence.split())


def _list_constraint_lines(text: str) -> list[str]:
    """Return the items or, without items, the lines of the section Constraints of a plain
    statement, which ends with an empty line."""
    section = "".join(_CONSTRAINT_HEADING.split(text, maxsplit=1)[1:]).strip()
    block = re.split(r"\n\s*\n(?!\s*[-*] )", section)[0]
    lines = re.split(r"\n(?=\s*[-*] )" if block[:1] in ("-", "*") else r"\n", block)
    return [" ".join(line.split()) for line in lines if re.search(r"\w", line)]


def _is_read(line: str) -> bool:
    """Whether a line of the section Constraints says what may be, or what is read: bounds, lengths,
    columns, choices or traits."""
    if "!=" in line:
        return False
    if any(read_bounds(line)) or re.search(r"==|\] ?= ?\[|\bmay (?!not\b|assume\b)", line):
        return True
    rests = [line[match.end() :] for match in _LISTING.finditer(line)]
    return any(one.strip('. "') == "" for one in rests) or any(
        one.trait for one in _read_words(line)
    )


def list_empty_ranges(text: str) -> Iterator[str]:
    """Yield ranges of named terms whose least number is above their greatest, even if lost powers
    are restored."""
    for match in _CHAIN.finditer(text):
        pieces = _SIGN.split(match[0])
        signs = "".join(pieces[1::2])
        if len(pieces) > 3 and ("<" in signs) != (">" in signs) and not pieces[2].isdigit():
            texts = (pieces[0], pieces[-1]) if "<" in signs else (pieces[-1], pieces[0])
            ends = [[read_number(text, restores=on) for text in texts] for on in (False, True)]
            if all(low is not None and high is not None and low > high for low, high in ends):
                yield match[0]


def split_term(term: str) -> tuple[str, Aspect]:
    """Return the name in a term, and the aspect that the term stands for: ``nums[i]`` is an
    item."""
    has_length = bool(re.search(r"\.(?:length|size)\b|^\||^len\(", term))
    name = re.sub(r"^len\(|[|)]", "", term)
    has_index = bool(re.search(r"\[|_\w+$", name))
    name = re.split(r"[\[._]" if "[" not in name else r"[\[.]", name.strip())[0]
    if has_length:
        return name, Aspect.ITEM_LENGTH if has_index else Aspect.LENGTH
    return name, Aspect.ITEM if has_index else Aspect.VALUE


def _read_words(text: str) -> Iterator[Constraint]:
    """Yield constraints from phrases about signs, emptiness, letters and order."""
    for sentence in re.split(r"(?<=[.;!?])\s+|\n", text):
        for match in _SIGN_PHRASE.finditer(sentence):
            least = _SIGN_WORDS[re.sub(r"[- ]", "", match[1].lower())]
            name = match[3] or match[4] or ""
            is_many = match[2].lower().endswith("s") and not name
            aspect = Aspect.ITEM if is_many else Aspect.VALUE
            yield Constraint(name, aspect, low=least, text=sentence.strip())
        if _EMPTY_PHRASE.search(sentence):
            yield Constraint("", Aspect.LENGTH, low=1, text=sentence.strip())
        if choices := _read_choices(sentence):
            yield Constraint("", choices=choices, text=sentence.strip())
        for trait, pattern in _TRAIT_PHRASES:
            if pattern.search(sentence):
                yield Constraint("", trait=trait, text=sentence.strip())
                break


def _read_choices(sentence: str) -> frozenset[str]:
    """Return the values and letters that a sentence lists, by themselves or by their kinds."""
    lists = " ".join(match["choices"] for match in _LISTING.finditer(sentence))
    words = re.sub(_QUOTED, "", lists).lower()
    choices = {one[1:-1] for one in re.findall(_QUOTED, lists)}
    choices.update(str(read_number(one)) for one in re.findall(_NUMBER, words))
    choices.update(*(letters for kind, letters in _LETTERS.items() if kind in words))
    if re.search("letter|alpha", words) and choices.isdisjoint(string.ascii_letters):
        choices.update(string.ascii_letters)
    return frozenset(choices)
