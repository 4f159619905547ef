"""How the input of a program is laid out: the lines that read it, and inputs of that shape.

Inputs are small as a rule, so that slips show; the edges hold the smallest and the greatest that
the statements allow.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from random import Random

from .kinds import WORDS, shape_numbers

_BIG = Random("the greatest inputs")


@dataclass(frozen=True, slots=True)
class Shape:
    """reading: the lines that read the input into variables. edges: inputs that are always tested.
    draw: a typical input. cuts: lines that throw a part of it away."""

    reading: str
    edges: tuple[str, ...]
    draw: Callable[[Random], str]
    cuts: tuple[str, ...]


def _join(*lines: object) -> str:
    """Return the lines of an input."""
    return "".join(f"{line}\n" for line in lines)


def _space(values: Iterable[object]) -> str:
    """Return a line of values with blanks between them."""
    return " ".join(map(str, values))


def _draw_numbers(rng: Random, low: int, high: int, least: int = 1) -> list[int]:
    if rng.random() < 0.6:
        low, high = max(low, -4), max(low, -4) + 9
    return shape_numbers(
        [rng.randint(low, high) for _ in range(rng.randint(max(least, 2), 8))], rng
    )


def _make_array(xs: list[int]) -> str:
    return _join(len(xs), _space(xs))


def _make_array_k(xs: list[int], k: int) -> str:
    return _join(f"{len(xs)} {k}", _space(xs))


def _draw_big(low: int, high: int, count: int = 200) -> list[int]:
    return [_BIG.randint(low, high) for _ in range(count)]


def _draw_array_k(rng: Random) -> str:
    xs = _draw_numbers(rng, -1000, 1000)
    return _make_array_k(xs, rng.randint(1, len(xs)))


def _draw_number(rng: Random) -> int:
    return rng.randint(1, rng.choice((20, 200, 10000)))


def _draw_two_numbers(rng: Random) -> str:
    a, b = _draw_number(rng), _draw_number(rng)
    return _join(f"{a} {b}") if rng.random() < 0.6 else _join(f"{a} {a % 12 + 1}")


def _draw_word(rng: Random, letters: str = "") -> str:
    some = letters or rng.choice(("ab", "abc", ""))
    if not some:
        return rng.choice(WORDS)
    return "".join(rng.choice(some) for _ in range(rng.randint(2, 10)))


def _draw_two_words(rng: Random) -> str:
    a = _draw_word(rng)
    b = rng.choice(
        (_draw_word(rng), "".join(rng.sample(a, len(a))), a[1:] + a[0], a[:2] + _draw_word(rng))
    )
    return _join(a, b)


def _draw_words(rng: Random) -> str:
    pool = [_draw_word(rng) for _ in range(4)]
    words = [rng.choice(pool) for _ in range(rng.randint(2, 7))]
    return _join(len(words), *words)


def _make_grid(rows: list[str]) -> str:
    return _join(f"{len(rows)} {len(rows[0])}", *rows)


def _draw_grid(rng: Random) -> str:
    width, share = rng.randint(2, 6), rng.choice((0.3, 0.5, 0.7))
    count = rng.randint(2, 5)
    return _make_grid(
        ["".join(".#"[rng.random() < share] for _ in range(width)) for _ in range(count)]
    )


def _draw_spans(rng: Random, count: int = 0, high: int = 0) -> str:
    count, high = count or rng.randint(1, 6), high or rng.choice((12, 40, 1000))
    pairs = [sorted((rng.randint(0, high), rng.randint(0, high))) for _ in range(count)]
    return _join(count, *map(_space, pairs))


def _draw_roads(rng: Random, towns: int = 0, roads: int = -1) -> str:
    towns = towns or rng.randint(2, 7)
    roads = rng.randint(0, 2 * towns - 2) if roads < 0 else roads
    pairs = [rng.sample(range(1, towns + 1), 2) for _ in range(roads)]
    return _join(f"{towns} {roads}", *map(_space, pairs))


def _draw_queries(rng: Random, count: int = 0) -> str:
    xs = _draw_big(-1000, 1000, count) if count else _draw_numbers(rng, -1000, 1000)
    asked = [sorted(rng.choices(range(1, len(xs) + 1), k=2)) for _ in range(count or 3)]
    return _join(f"{len(xs)} {len(asked)}", _space(xs), *map(_space, asked))


def _draw_matrix(rng: Random, size: int = 0, high: int = 0) -> str:
    size, high = size or rng.randint(2, 4), high or rng.choice((2, 9))
    return _join(
        size, *(_space(rng.randint(-high, high) for _ in range(size)) for _ in range(size))
    )


def _draw_players(rng: Random, count: int = 0) -> str:
    names = sorted({_draw_word(rng, "abcdefgh") for _ in range(count or rng.randint(2, 6))})
    rng.shuffle(names)
    top = rng.choice((3, 100))
    return _join(len(names), *(f"{name} {rng.randint(0, top)}" for name in names))


def _draw_clocks(rng: Random, count: int = 0) -> str:
    count = count or rng.randint(2, 6)
    made = [f"{rng.randint(0, 23):02}:{rng.randint(0, 59):02}" for _ in range(count)]
    return _join(count, *made)


def _draw_prices(rng: Random, count: int = 0) -> str:
    cents = [rng.choice((rng.randint(1, 9999), rng.randint(1, 30) * 5)) for _ in range(count or 4)]
    if not count:
        cents = cents[: rng.randint(1, 4)]
    return _join(len(cents), *(f"{c // 100}.{c % 100:02}" for c in cents))


_ARRAY = "n = int(input())\nxs = list(map(int, input().split()))"
_ARRAY_K = "n, k = map(int, input().split())\nxs = list(map(int, input().split()))"
_CUT = ("xs = xs[:4]\nn = len(xs)", "xs = xs[1:]\nn -= 1", "xs = sorted(xs)", "xs = xs[::-1]")
_CUT_K = ("xs = sorted(xs)", "xs = xs[::-1]", "k = max(1, k - 1)", "k = min(k, 3)")
_CUT_WORD = ("word = word[:5]", "word = word[1:]", "word = word[:-1]")

SHAPES: dict[str, Shape] = {
    "array": Shape(
        _ARRAY,
        tuple(map(_make_array, ([], [0], [-7], [5, 5], [-1000] * 200, _draw_big(-1000, 1000)))),
        lambda rng: _make_array(_draw_numbers(rng, -1000, 1000)),
        _CUT,
    ),
    "counts": Shape(
        _ARRAY,
        tuple(map(_make_array, ([1], [1000], [2, 2], [1000] * 200, _draw_big(1, 1000)))),
        lambda rng: _make_array([abs(x) + 1 for x in _draw_numbers(rng, 0, 999)]),
        _CUT,
    ),
    "array_k": Shape(
        _ARRAY_K,
        (
            _make_array_k([5], 1),
            _make_array_k([-1000], 1),
            _make_array_k([3, 3], 2),
            _make_array_k(_draw_big(-1000, 1000), 200),
            _make_array_k(_draw_big(-1000, 1000), 7),
        ),
        _draw_array_k,
        _CUT_K,
    ),
    "number": Shape(
        "n = int(input())",
        tuple(map(_join, (1, 2, 3, 10, 9999, 10000))),
        lambda rng: _join(_draw_number(rng)),
        ("n = min(n, 50)", "n = max(n, 3)", "n = n // 10 * 10 + 1"),
    ),
    "two": Shape(
        "a, b = map(int, input().split())",
        tuple(map(_join, ("1 1", "1 10000", "10000 1", "10000 10000", "9999 10000"))),
        _draw_two_numbers,
        ("a = min(a, 99)", "b = min(b, 9)", "a, b = b, a", "a, b = min(a, b), max(a, b)"),
    ),
    "word": Shape(
        "word = input()",
        tuple(map(_join, ("a", "zz", "ab", "a" * 100, "abcdefghij" * 10))),
        lambda rng: _join(_draw_word(rng)),
        _CUT_WORD,
    ),
    "bits": Shape(
        "word = input()",
        tuple(map(_join, ("0", "1", "01", "1" * 60, "10" * 30))),
        lambda rng: _join(_draw_word(rng, "01")),
        _CUT_WORD,
    ),
    "moves": Shape(
        "word = input()",
        tuple(map(_join, ("N", "W", "NS", "E" * 200, "NESW" * 50))),
        lambda rng: _join(_draw_word(rng, rng.choice(("NESW", "NE", "NSS", "EWN")))),
        _CUT_WORD,
    ),
    "brackets": Shape(
        "word = input()",
        tuple(map(_join, ("(", ")", "()", "(" * 50 + ")" * 50, "()" * 50, ")("))),
        lambda rng: _join(
            rng.choice((_draw_word(rng, "()"), "(" + _draw_word(rng, "()") + ")", "(())()"))
        ),
        _CUT_WORD,
    ),
    "two_words": Shape(
        "a, b = input(), input()",
        tuple(_join(*pair) for pair in (("a", "a"), ("a", "b"), ("ab" * 20, "ba" * 20))),
        _draw_two_words,
        ("a = a[:4]", "b = b[:4]", "a, b = b, a", "a, b = min(a, b), max(a, b)"),
    ),
    "words": Shape(
        "n = int(input())\nwords = [input() for _ in range(n)]",
        (_join(1, "a"), _join(2, "b", "b"), _join(50, *WORDS[:25], *WORDS[:25])),
        _draw_words,
        ("words = words[:3]", "words = words[::-1]", "words = words[1:]", "words.sort()"),
    ),
    "grid": Shape(
        "h, w = map(int, input().split())\nrows = [input() for _ in range(h)]",
        tuple(
            map(_make_grid, (["."], ["#"], ["#.#"], ["#" * 20] * 20, ["#.." * 6, ".#." * 6] * 10))
        ),
        _draw_grid,
        ("rows = rows[:-1] or rows\nh = len(rows)", "rows = rows[:2]\nh = len(rows)"),
    ),
    "spans": Shape(
        "n = int(input())\nspans = [tuple(map(int, input().split())) for _ in range(n)]",
        (_join(1, "0 0"), _join(1, "0 1000"), _join(2, "0 5", "5 9"), _draw_spans(_BIG, 60, 1000)),
        _draw_spans,
        ("spans = spans[:2]", "spans = spans[1:]", "spans = [s for s in spans if s[0] < s[1]]"),
    ),
    "roads": Shape(
        "n, m = map(int, input().split())\n"
        "roads = [tuple(map(int, input().split())) for _ in range(m)]",
        (_join("1 0"), _join("2 1", "2 1"), _draw_roads(_BIG, 30, 0), _draw_roads(_BIG, 30, 45)),
        _draw_roads,
        ("roads = roads[:2]", "roads = roads[1:]", "roads = [(min(r), max(r)) for r in roads]"),
    ),
    "queries": Shape(
        "n, q = map(int, input().split())\nxs = list(map(int, input().split()))\n"
        "asked = [tuple(map(int, input().split())) for _ in range(q)]",
        (_join("1 1", 5, "1 1"), _join("2 1", "-9 4", "1 2"), _draw_queries(_BIG, 60)),
        _draw_queries,
        ("asked = [(a, min(b, 4)) for a, b in asked]", "xs = sorted(xs)"),
    ),
    "matrix": Shape(
        "n = int(input())\ncells = [list(map(int, input().split())) for _ in range(n)]",
        (_join(1, 0), _join(1, -100), _join(2, "1 1", "1 1"), _draw_matrix(_BIG, 12, 100)),
        _draw_matrix,
        ("cells = cells[::-1]", "cells = [list(c) for c in zip(*cells)]"),
    ),
    "players": Shape(
        "n = int(input())\nrows = [input().split() for _ in range(n)]\n"
        "points = [(name, int(score)) for name, score in rows]",
        (_join(1, "eva 0"), _join(2, "bo 5", "al 5"), _draw_players(_BIG, 40)),
        _draw_players,
        ("points = points[:3]", "points = points[::-1]", "points.sort()"),
    ),
    "clocks": Shape(
        "n = int(input())\ntimes = [tuple(map(int, input().split(':'))) for _ in range(n)]",
        (_join(1, "00:00"), _join(1, "23:59"), _join(2, "23:59", "00:00"), _draw_clocks(_BIG, 50)),
        _draw_clocks,
        ("times = times[:2]", "times.sort()", "times = [(h, 0) for h, _ in times]"),
    ),
    "prices": Shape(
        "n = int(input())\nprices = [input() for _ in range(n)]",
        (_join(1, "0.01"), _join(1, "99.99"), _join(2, "0.05", "0.05"), _draw_prices(_BIG, 50)),
        _draw_prices,
        ("prices = prices[:2]", "prices = [p[:-1] + '0' for p in prices]"),
    ),
}
