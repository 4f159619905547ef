"""What an argument can be: its annotation, its words in a statement, and values of it.

A signature in the tables names a kind where Python would name a type: ``f(xs: ints1)`` takes a
list of at least one integer. Values come from a seeded generator, so that a problem's tests are a
pure function of its name.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from random import Random
from typing import Any

WORDS = """
apple banana level tea noon kite otter pepper window stone river moon bubble yellow cat bee eye
anna garden pillow tree mississippi radar sun coffee lemon egg ant stats jazz balloon cherry door
umbrella ink oasis queen book letter puzzle owl
""".split()  # noqa: SIM905  (a table of words, not of quotes)
TITLES = "Alice Bob Otto Paris Rome Monday Lisa Kim Nile Anna Hugo Oslo".split()  # noqa: SIM905
SIGNS = "!?.-_,:"


@dataclass(frozen=True, slots=True)
class Kind:
    """annotation: as shown to the solver. one, many: in words. edges: values always tested first
    after the examples. draw: a typical value."""

    annotation: str
    one: str
    many: str
    edges: tuple[Any, ...]
    draw: Callable[[Random], Any]


def _draw_integer(low: int, high: int, rng: Random) -> int:
    return rng.randint(low, high)


def _draw_integers(low: int, high: int, least: int, rng: Random) -> list[int]:
    # Half of the lists are narrow, so that equal elements and neighbours occur.
    bottom, top = (max(low, -4), max(low, -4) + 9) if rng.random() < 0.5 else (low, high)
    numbers = [rng.randint(bottom, top) for _ in range(rng.randint(max(least, 3), 7))]
    return shape_numbers(numbers, rng)


def shape_numbers(numbers: list[int], rng: Random) -> list[int]:
    """Now and then sorted, mirrored, constant or with zeros: pure chance hardly makes those."""
    match rng.randrange(14):
        case 0:
            return sorted(numbers)
        case 1:
            return sorted(numbers, reverse=True)
        case 2:
            return numbers[:3] + numbers[2::-1]
        case 3:
            return numbers[:1] * len(numbers)
    return numbers


def _draw_big_integer(rng: Random) -> int:
    return rng.randint(0, rng.choice((99, 999, 99999)))


def _draw_year(rng: Random) -> int:
    return rng.randint(1, 24) * 100 if rng.random() < 0.3 else rng.randint(1, 2400)


def _draw_word(rng: Random) -> str:
    if rng.random() < 0.75:
        return rng.choice(WORDS)
    return "".join(rng.choice("abc") for _ in range(rng.randint(3, 7)))


def _draw_runs(rng: Random) -> str:
    sizes = (rng.choice((1, 1, 2, 2, 3, 4, 11)) for _ in range(rng.randint(1, 4)))
    return "".join(rng.choice("abc") * size for size in sizes)[:24]


def _draw_mixed_text(rng: Random) -> str:
    letters = rng.choice(("aBcDeXyZ0123456789", "aBcDeXyZ", "xy0123456789"))
    return "".join(rng.choice(letters) for _ in range(rng.randint(4, 8)))


def _draw_name(rng: Random) -> str:
    word = rng.choice((*TITLES, *WORDS))
    return rng.choice((word, word.upper(), word.title(), word))


def _draw_line(rng: Random) -> str:
    return " ".join(_draw_word(rng) for _ in range(rng.randint(2, 5)))


def _draw_marked_text(rng: Random) -> str:
    marks = (rng.choice(("", " ", rng.choice(SIGNS))) for _ in range(3))
    return "".join(_draw_word(rng) + mark for mark in marks)


def _draw_words(rng: Random) -> list[str]:
    pool = [_draw_word(rng) for _ in range(4)]
    return [rng.choice(pool) for _ in range(rng.randint(1, 6))]


def _draw_names(rng: Random) -> list[str]:
    return [_draw_name(rng) for _ in range(rng.randint(2, 5))]


def _draw_flags(rng: Random) -> list[bool]:
    bias = rng.choice((0.15, 0.5, 0.85))
    return [rng.random() < bias for _ in range(rng.randint(2, 6))]


def _draw_pairs(rng: Random) -> list[tuple[int, int]]:
    return [(rng.randint(-9, 20), rng.randint(-9, 20)) for _ in range(rng.randint(2, 5))]


def _draw_table(rng: Random) -> dict[str, int]:
    return {word: rng.randint(-3, 12) for word in rng.sample(WORDS, rng.randint(2, 5))}


def _draw_grid(rng: Random) -> list[list[int]]:
    rows, columns = rng.randint(2, 4), rng.randint(2, 4)
    return [[rng.randint(-9, 20) for _ in range(columns)] for _ in range(rows)]


def _draw_digits(rng: Random) -> str:
    return "".join(rng.choice("0123456789") for _ in range(rng.randint(2, 7)))


def _draw_bits(rng: Random) -> str:
    return "".join(rng.choice("01") for _ in range(rng.randint(2, 8)))


def _make_integer_kind(low: int, high: int, words: str, edges: tuple[int, ...]) -> Kind:
    span = f"{low}..{high}"
    return Kind(
        "int", f"{words} {span}", f"{words}s {span}", edges, partial(_draw_integer, low, high)
    )


def _make_list_kind(low: int, high: int, least: int, words: str, *edges: list[int]) -> Kind:
    text = f"list, {least}..10 {words} {low}..{high}"
    draw = partial(_draw_integers, low, high, least)
    return Kind("list[int]", text, text.replace("list", "lists"), edges, draw)


def _make_text_kind(words: str, edges: tuple[str, ...], draw: Callable[[Random], str]) -> Kind:
    return Kind("str", words, words, edges, draw)


KINDS: dict[str, Kind] = {
    "int": _make_integer_kind(-40, 60, "integer", (0, -1, 1, -40)),
    "nat": _make_integer_kind(0, 60, "integer", (0, 1, 60)),
    "pos": _make_integer_kind(1, 60, "integer", (1, 2, 60)),
    "big": Kind("int", "integer 0..99999", "", (0, 7, 10, 99999), _draw_big_integer),
    "digit": _make_integer_kind(1, 9, "integer", (1, 9)),
    "small": _make_integer_kind(0, 8, "integer", (0, 1)),
    "year": Kind("int", "year 1..2400", "", (1, 100, 1900, 2000, 2024), _draw_year),
    "ints": _make_list_kind(-20, 40, 0, "integers", [], [5], [-7], [3, 3]),
    "ints1": _make_list_kind(-20, 40, 1, "integers", [5], [-7], [4, 4]),
    "ints2": _make_list_kind(-20, 40, 2, "integers", [5, 5], [-7, 2], [9, 1]),
    "ints3": _make_list_kind(-20, 40, 3, "integers", [5, 5, 5], [-7, 2, 0]),
    "nats": _make_list_kind(0, 40, 0, "integers", [], [0], [6, 6]),
    "nats1": _make_list_kind(1, 40, 1, "integers", [1], [6, 6]),
    "bit": _make_integer_kind(0, 1, "integer", (0, 1)),
    "flag": Kind("bool", "truth value", "truth values", (), lambda rng: rng.random() < 0.5),
    "flags": Kind(
        "list[bool]",
        "list, 0..10 truth values",
        "lists, 0..10 truth values",
        ([], [True], [False]),
        _draw_flags,
    ),
    "word": _make_text_kind("0..12 lower-case", ("", "a", "aa"), _draw_word),
    "runs": _make_text_kind("0..24 lower-case", ("", "a", "aaaaaaaaaa"), _draw_runs),
    "variant": _make_text_kind("0..12 lower-case", ("", "a", "aa"), _draw_word),
    "word1": _make_text_kind("1..12 lower-case", ("a", "bb"), _draw_word),
    "word2": _make_text_kind("2..12 lower-case", ("ab", "bb"), _draw_word),
    "word3": _make_text_kind("3..12 lower-case", ("abc", "bbb"), _draw_word),
    "name": _make_text_kind("0..12 letters of any case", ("", "a", "B"), _draw_name),
    "name1": _make_text_kind("1..12 letters of any case", ("a", "B", "aB"), _draw_name),
    "line": _make_text_kind(
        "0..5 lower-case words, single spaces", ("", "tea", "a b a"), _draw_line
    ),
    "line1": _make_text_kind("1..5 lower-case words, single spaces", ("tea", "a b a"), _draw_line),
    "marks": _make_text_kind(
        "0..50 letters, spaces, signs of !?.-_,:",
        ("", "a", "!", "a-b"),
        _draw_marked_text,
    ),
    "mixed": _make_text_kind("0..10 letters or digits", ("", "7", "x", "A1"), _draw_mixed_text),
    "digits": _make_text_kind("1..10 digits", ("0", "9", "10"), _draw_digits),
    "bits": _make_text_kind("1..10 binary digits", ("0", "1", "11"), _draw_bits),
    "letter": _make_text_kind("lower-case letter", (), lambda rng: rng.choice("abcdeghlnorst")),
    "words": Kind(
        "list[str]",
        "list, 0..10 lower-case words",
        "lists, 0..10 lower-case words",
        ([], ["tea"]),
        _draw_words,
    ),
    "words1": Kind(
        "list[str]", "list, 1..10 lower-case words", "", (["tea"], ["b", "a"]), _draw_words
    ),
    "names": Kind("list[str]", "list, 0..10 words of any case", "", ([], ["Tea"]), _draw_names),
    "pair": Kind(
        "tuple[int, int]",
        "pair of integers -9..20",
        "pairs of integers -9..20",
        ((0, 0), (1, 1), (-3, 4)),
        lambda rng: (rng.randint(-9, 20), rng.randint(-9, 20)),
    ),
    "pairs": Kind(
        "list[tuple[int, int]]",
        "list, 0..10 pairs of integers -9..20",
        "",
        ([], [(2, 2)]),
        _draw_pairs,
    ),
    "table": Kind(
        "dict[str, int]",
        "0..10 entries, words to integers -3..12",
        "",
        ({}, {"tea": 1}),
        _draw_table,
    ),
    "grid": Kind(
        "list[list[int]]",
        "1..4 rows by 1..4 columns, integers -9..20",
        "",
        ([[5]], [[1, 2]], [[4], [-2], [7]]),
        _draw_grid,
    ),
}

_SPAN = {"digit": range(1, 10), "int": range(-40, 61), "nat": range(61), "pos": range(1, 61)}


def relate_arguments(arguments: list[Any], kinds: list[str], rng: Random) -> list[Any]:
    """The same arguments with a later one taken out of the first, where that is legal: an element
    of the list, a letter of the word, a key of the dictionary, or the same value again."""
    first, *others = arguments
    return [
        first,
        *(_derive_argument(first, o, k, rng) for o, k in zip(others, kinds[1:], strict=True)),
    ]


def _derive_argument(first: Any, other: Any, kind: str, rng: Random) -> Any:
    match first, other:
        case dict(), dict():
            return other | {key: rng.randint(-3, 12) for key in list(first)[:2]}
        case list(), list():
            prefix = [x for x in first[:2] if kind != "nats1" or x > 0]
            return other[: len(first)] if rng.random() < 0.5 else prefix + other
    if kind == "variant":
        return _vary_word(first, other, rng)
    pool: list[Any] = [first]
    if isinstance(first, list | tuple):
        pool = list("".join(first)) if kind == "letter" else list(first)
    elif isinstance(first, dict):
        pool = [*first, *first.values()]
    elif isinstance(first, str):
        pool = list(first) if kind == "letter" else [first, *first.split()]
    legal_values = [v for v in pool if type(v) is type(other) and (v != "" or kind == "word")]
    legal_values = [v for v in legal_values if not kind.startswith("word") or " " not in v]
    if isinstance(other, int) and not isinstance(other, bool):
        legal_values = [v for v in legal_values if v in _SPAN.get(kind, ())]
    return rng.choice(legal_values) if legal_values else other


def _vary_word(word: str, other: str, rng: Random) -> str:
    """A word like the first one: letters in another order, one letter exchanged or doubled, its
    beginning followed by ``other``, or the word itself."""
    place = rng.randrange(len(word)) if word else 0
    mixed = "".join(rng.sample(word, len(word)))
    changed = word[:place] + rng.choice("abc") + word[place + 1 :]
    doubled = word[:place] + word[place : place + 1] + word[place:]
    return rng.choice((mixed, mixed, changed, changed, word[:place] + other, doubled, word))
