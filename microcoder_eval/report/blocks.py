"""Data for the page's script: JSON in script elements, in which nothing can end the element."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from .gather import Gathering, Row, shortened
from .markup import Markup

IN_A_BLOCK = 50  # details decoded together when one of them is asked for
MOST_BYTES = 32 << 20  # of details; programs that passed are left out first
MOST_TABLE_BYTES = 16 << 20


def json_text(value: Any) -> str:
    """JSON that may stand in a script element: ASCII, and without <, > and &."""
    text = json.dumps(value, ensure_ascii=True, allow_nan=False, separators=(",", ":"))
    for sign in "<>&":
        text = text.replace(sign, f"\\u{ord(sign):04x}")
    return text


def block(name: str, text: str) -> Markup:
    """A script element that holds data."""
    return Markup(f'<script type="application/json" id="{name}">{text}</script>\n')


class Interned:
    """Values by number, each held once."""

    def __init__(self) -> None:
        self._numbers: dict[Any, int] = {}

    def put(self, value: Any) -> int:
        """The number of a value."""
        return self._numbers.setdefault(value, len(self._numbers))

    def cost(self, value: Any) -> int:
        """How many bytes of JSON the value adds: none where it is held."""
        return 0 if value in self._numbers else len(json_text(value)) + 1

    @property
    def values(self) -> list[Any]:
        """All of them, by number."""
        return list(self._numbers)


class Details:
    """The blocks of details, as far as there is room; which solution is where, after ``blocks``."""

    def __init__(self, gathering: Gathering, most_bytes: int = MOST_BYTES) -> None:
        self.numbers: dict[int, int] = {}  # position -> number of its detail
        self._gathering = gathering
        self._room = most_bytes

    def blocks(self) -> Iterator[Markup]:
        """The elements, IN_A_BLOCK details in each, named "d0", "d1" and so on."""
        wanted = self._gathering.by_interest()
        for start in range(0, len(wanted), IN_A_BLOCK):
            some = wanted[start : start + IN_A_BLOCK]
            text = json_text(self._block([row for _, row in some]))
            self._room -= len(text)
            if self._room < 0:
                return
            self.numbers.update((at, start + n) for n, (at, _) in enumerate(some))
            yield block(f"d{start // IN_A_BLOCK}", text)

    def _block(self, rows: list[Row]) -> dict[str, Any]:
        texts = Interned()  # samples of a problem share inputs, and often whole programs
        details = [_numbered(self._gathering.detail(row), texts) for row in rows]
        return {"texts": texts.values, "details": details}


def _numbered(detail: dict[str, Any], texts: Interned) -> dict[str, Any]:
    if detail["code"] is not None:
        detail["code"] = texts.put(detail["code"])
    failure = detail.get("fail", {})
    for side in ("input", "expected", "got", "stderr"):
        piece = failure.get(side)
        if piece is not None:
            piece["text"] = texts.put(piece["text"])
    return detail


def table(gathering: Gathering, details: Details, most_bytes: int = MOST_TABLE_BYTES) -> Markup:
    """The element named "table": all rows that there is room for."""
    problems, texts = Interned(), Interned()
    rows: list[list[Any]] = []
    left_out = gathering.beyond
    for position, row in gathering.in_order():
        problem = _problem(row, gathering)
        words = [shortened(word) for word in (*row.flags, *row.matched)]
        most_bytes -= problems.cost(problem) + sum(map(texts.cost, words))
        number = details.numbers.get(position, -1)
        entry = _entry(position, row, problems.put(problem), [*map(texts.put, words)], number)
        most_bytes -= len(json_text(entry)) + 1
        if most_bytes < 0:
            left_out += 1
        else:
            rows.append(entry)
    value = {
        "rows": rows,
        "problems": [list(problem) for problem in problems.values],
        "texts": texts.values,
        "leftOut": left_out,
        "inBlock": IN_A_BLOCK,
    }
    return block("table", json_text(value))


def _problem(row: Row, gathering: Gathering) -> tuple[str, str, str]:
    difficulty, platform = gathering.groups.get(row.problem_id, (None, None))
    return shortened(row.problem_id), shortened(difficulty or ""), shortened(platform or "")


def _entry(position: int, row: Row, problem: int, words: list[int], detail: int) -> list[Any]:
    """In the order that report.js has in COLUMNS."""
    return [
        position,
        problem,
        shortened(row.solution_id),
        row.verdict,
        _rounded(row.score, 4),
        row.passed,
        row.tests,
        _rounded(row.seconds, 3),
        _rounded(row.memory, 2),
        words[: len(row.flags)],
        words[len(row.flags) :],
        row.failing,
        detail,
    ]


def _rounded(value: float | None, digits: int) -> float | None:
    return None if value is None else round(value, digits)
