"""How the input of a program is laid out: the lines that read it, and inputs of that shape.

Inputs are small as a rule, so that slips show; the edges hold the smallest and the greatest that
the statements allow.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from random import Random

from .kinds import WORDS, shaped

_BIG = Random("the greatest inputs")


@dataclass(frozen=True, slots=True)
class Shape:
    """reading: the lines that read the input into variables. edges: inputs that are always tested.
    draw: a typical input. cuts: lines that throw a part of it away."""

    reading: str
    edges: tuple[str, ...]
    draw: Callable[[Random], str]
    cuts: tuple[str, ...]


def _lines(*lines: object) -> str:
    return "".join(f"{line}\n" for line in lines)


def _row(values: Iterable[object]) -> str:
    return " ".join(map(str, values))


def _numbers(rng: Random, low: int, high: int, least: int = 1) -> list[int]:
    if rng.random() < 0.6:
        low, high = max(low, -4), max(low, -4) + 9
    return shaped([rng.randint(low, high) for _ in range(rng.randint(max(least, 2), 8))], rng)


def _array(xs: list[int]) -> str:
    return _lines(len(xs), _row(xs))


def _array_k(xs: list[int], k: int) -> str:
    return _lines(f"{len(xs)} {k}", _row(xs))


def _many(low: int, high: int, count: int = 200) -> list[int]:
    return [_BIG.randint(low, high) for _ in range(count)]


def _draw_array_k(rng: Random) -> str:
    xs = _numbers(rng, -1000, 1000)
    return _array_k(xs, rng.randint(1, len(xs)))


def _number(rng: Random) -> int:
    return rng.randint(1, rng.choice((20, 200, 10000)))


def _two_numbers(rng: Random) -> str:
    a, b = _number(rng), _number(rng)
    return _lines(f"{a} {b}") if rng.random() < 0.6 else _lines(f"{a} {a % 12 + 1}")


def _word(rng: Random, letters: str = "") -> str:
    some = letters or rng.choice(("ab", "abc", ""))
    if not some:
        return rng.choice(WORDS)
    return "".join(rng.choice(some) for _ in range(rng.randint(2, 10)))


def _two_words(rng: Random) -> str:
    a = _word(rng)
    b = rng.choice((_word(rng), "".join(rng.sample(a, len(a))), a[1:] + a[0], a[:2] + _word(rng)))
    return _lines(a, b)


def _several_words(rng: Random) -> str:
    pool = [_word(rng) for _ in range(4)]
    words = [rng.choice(pool) for _ in range(rng.randint(2, 7))]
    return _lines(len(words), *words)


def _grid(rows: list[str]) -> str:
    return _lines(f"{len(rows)} {len(rows[0])}", *rows)


def _draw_grid(rng: Random) -> str:
    width, share = rng.randint(2, 6), rng.choice((0.3, 0.5, 0.7))
    count = rng.randint(2, 5)
    return _grid(["".join(".#"[rng.random() < share] for _ in range(width)) for _ in range(count)])


def _spans(rng: Random, count: int = 0, high: int = 0) -> str:
    count, high = count or rng.randint(1, 6), high or rng.choice((12, 40, 1000))
    pairs = [sorted((rng.randint(0, high), rng.randint(0, high))) for _ in range(count)]
    return _lines(count, *map(_row, pairs))


def _roads(rng: Random, towns: int = 0, roads: int = -1) -> str:
    towns = towns or rng.randint(2, 7)
    roads = rng.randint(0, 2 * towns - 2) if roads < 0 else roads
    pairs = [rng.sample(range(1, towns + 1), 2) for _ in range(roads)]
    return _lines(f"{towns} {roads}", *map(_row, pairs))


def _queries(rng: Random, count: int = 0) -> str:
    xs = _many(-1000, 1000, count) if count else _numbers(rng, -1000, 1000)
    asked = [sorted(rng.choices(range(1, len(xs) + 1), k=2)) for _ in range(count or 3)]
    return _lines(f"{len(xs)} {len(asked)}", _row(xs), *map(_row, asked))


def _matrix(rng: Random, size: int = 0, high: int = 0) -> str:
    size, high = size or rng.randint(2, 4), high or rng.choice((2, 9))
    return _lines(size, *(_row(rng.randint(-high, high) for _ in range(size)) for _ in range(size)))


def _players(rng: Random, count: int = 0) -> str:
    names = sorted({_word(rng, "abcdefgh") for _ in range(count or rng.randint(2, 6))})
    rng.shuffle(names)
    top = rng.choice((3, 100))
    return _lines(len(names), *(f"{name} {rng.randint(0, top)}" for name in names))


def _clocks(rng: Random, count: int = 0) -> str:
    count = count or rng.randint(2, 6)
    made = [f"{rng.randint(0, 23):02}:{rng.randint(0, 59):02}" for _ in range(count)]
    return _lines(count, *made)


def _prices(rng: Random, count: int = 0) -> str:
    cents = [rng.choice((rng.randint(1, 9999), rng.randint(1, 30) * 5)) for _ in range(count or 4)]
    if not count:
        cents = cents[: rng.randint(1, 4)]
    return _lines(len(cents), *(f"{c // 100}.{c % 100:02}" for c in cents))


_ARRAY = "n = int(input())\nxs = list(map(int, input().split()))"
_ARRAY_K = "n, k = map(int, input().split())\nxs = list(map(int, input().split()))"
_CUT = ("xs = xs[:4]\nn = len(xs)", "xs = xs[1:]\nn -= 1", "xs = sorted(xs)", "xs = xs[::-1]")
_CUT_K = ("xs = sorted(xs)", "xs = xs[::-1]", "k = max(1, k - 1)", "k = min(k, 3)")
_CUT_WORD = ("word = word[:5]", "word = word[1:]", "word = word[:-1]")

SHAPES: dict[str, Shape] = {
    "array": Shape(
        _ARRAY,
        tuple(map(_array, ([], [0], [-7], [5, 5], [-1000] * 200, _many(-1000, 1000)))),
        lambda rng: _array(_numbers(rng, -1000, 1000)),
        _CUT,
    ),
    "counts": Shape(
        _ARRAY,
        tuple(map(_array, ([1], [1000], [2, 2], [1000] * 200, _many(1, 1000)))),
        lambda rng: _array([abs(x) + 1 for x in _numbers(rng, 0, 999)]),
        _CUT,
    ),
    "array_k": Shape(
        _ARRAY_K,
        (
            _array_k([5], 1),
            _array_k([-1000], 1),
            _array_k([3, 3], 2),
            _array_k(_many(-1000, 1000), 200),
            _array_k(_many(-1000, 1000), 7),
        ),
        _draw_array_k,
        _CUT_K,
    ),
    "number": Shape(
        "n = int(input())",
        tuple(map(_lines, (1, 2, 3, 10, 9999, 10000))),
        lambda rng: _lines(_number(rng)),
        ("n = min(n, 50)", "n = max(n, 3)", "n = n // 10 * 10 + 1"),
    ),
    "two": Shape(
        "a, b = map(int, input().split())",
        tuple(map(_lines, ("1 1", "1 10000", "10000 1", "10000 10000", "9999 10000"))),
        _two_numbers,
        ("a = min(a, 99)", "b = min(b, 9)", "a, b = b, a", "a, b = min(a, b), max(a, b)"),
    ),
    "word": Shape(
        "word = input()",
        tuple(map(_lines, ("a", "zz", "ab", "a" * 100, "abcdefghij" * 10))),
        lambda rng: _lines(_word(rng)),
        _CUT_WORD,
    ),
    "bits": Shape(
        "word = input()",
        tuple(map(_lines, ("0", "1", "01", "1" * 60, "10" * 30))),
        lambda rng: _lines(_word(rng, "01")),
        _CUT_WORD,
    ),
    "moves": Shape(
        "word = input()",
        tuple(map(_lines, ("N", "W", "NS", "E" * 200, "NESW" * 50))),
        lambda rng: _lines(_word(rng, rng.choice(("NESW", "NE", "NSS", "EWN")))),
        _CUT_WORD,
    ),
    "brackets": Shape(
        "word = input()",
        tuple(map(_lines, ("(", ")", "()", "(" * 50 + ")" * 50, "()" * 50, ")("))),
        lambda rng: _lines(rng.choice((_word(rng, "()"), "(" + _word(rng, "()") + ")", "(())()"))),
        _CUT_WORD,
    ),
    "two_words": Shape(
        "a, b = input(), input()",
        tuple(_lines(*pair) for pair in (("a", "a"), ("a", "b"), ("ab" * 20, "ba" * 20))),
        _two_words,
        ("a = a[:4]", "b = b[:4]", "a, b = b, a", "a, b = min(a, b), max(a, b)"),
    ),
    "words": Shape(
        "n = int(input())\nwords = [input() for _ in range(n)]",
        (_lines(1, "a"), _lines(2, "b", "b"), _lines(50, *WORDS[:25], *WORDS[:25])),
        _several_words,
        ("words = words[:3]", "words = words[::-1]", "words = words[1:]", "words.sort()"),
    ),
    "grid": Shape(
        "h, w = map(int, input().split())\nrows = [input() for _ in range(h)]",
        tuple(map(_grid, (["."], ["#"], ["#.#"], ["#" * 20] * 20, ["#.." * 6, ".#." * 6] * 10))),
        _draw_grid,
        ("rows = rows[:-1] or rows\nh = len(rows)", "rows = rows[:2]\nh = len(rows)"),
    ),
    "spans": Shape(
        "n = int(input())\nspans = [tuple(map(int, input().split())) for _ in range(n)]",
        (_lines(1, "0 0"), _lines(1, "0 1000"), _lines(2, "0 5", "5 9"), _spans(_BIG, 60, 1000)),
        _spans,
        ("spans = spans[:2]", "spans = spans[1:]", "spans = [s for s in spans if s[0] < s[1]]"),
    ),
    "roads": Shape(
        "n, m = map(int, input().split())\n"
        "roads = [tuple(map(int, input().split())) for _ in range(m)]",
        (_lines("1 0"), _lines("2 1", "2 1"), _roads(_BIG, 30, 0), _roads(_BIG, 30, 45)),
        _roads,
        ("roads = roads[:2]", "roads = roads[1:]", "roads = [(min(r), max(r)) for r in roads]"),
    ),
    "queries": Shape(
        "n, q = map(int, input().split())\nxs = list(map(int, input().split()))\n"
        "asked = [tuple(map(int, input().split())) for _ in range(q)]",
        (_lines("1 1", 5, "1 1"), _lines("2 1", "-9 4", "1 2"), _queries(_BIG, 60)),
        _queries,
        ("asked = [(a, min(b, 4)) for a, b in asked]", "xs = sorted(xs)"),
    ),
    "matrix": Shape(
        "n = int(input())\ncells = [list(map(int, input().split())) for _ in range(n)]",
        (_lines(1, 0), _lines(1, -100), _lines(2, "1 1", "1 1"), _matrix(_BIG, 12, 100)),
        _matrix,
        ("cells = cells[::-1]", "cells = [list(c) for c in zip(*cells)]"),
    ),
    "players": Shape(
        "n = int(input())\nrows = [input().split() for _ in range(n)]\n"
        "points = [(name, int(score)) for name, score in rows]",
        (_lines(1, "eva 0"), _lines(2, "bo 5", "al 5"), _players(_BIG, 40)),
        _players,
        ("points = points[:3]", "points = points[::-1]", "points.sort()"),
    ),
    "clocks": Shape(
        "n = int(input())\ntimes = [tuple(map(int, input().split(':'))) for _ in range(n)]",
        (_lines(1, "00:00"), _lines(1, "23:59"), _lines(2, "23:59", "00:00"), _clocks(_BIG, 50)),
        _clocks,
        ("times = times[:2]", "times.sort()", "times = [(h, 0) for h, _ in times]"),
    ),
    "prices": Shape(
        "n = int(input())\nprices = [input() for _ in range(n)]",
        (_lines(1, "0.01"), _lines(1, "99.99"), _lines(2, "0.05", "0.05"), _prices(_BIG, 50)),
        _prices,
        ("prices = prices[:2]", "prices = [p[:-1] + '0' for p in prices]"),
    ),
}
