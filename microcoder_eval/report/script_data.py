"""Encodes data for the page's script as JSON in script elements, which data cannot close."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from microcoder_eval.html.markup import Markup
from microcoder_eval.html.page import encode_json, make_data_element

from .builder import ReportBuilder
from .excerpts import shorten
from .solution_rows import Row

_DETAILS_PER_BLOCK = 50  # the script decodes a block at a time
MAX_DETAIL_BYTES = 32 << 20  # bytes of all details; programs that passed are left out first
_MAX_TABLE_BYTES = 16 << 20
_MAX_PROBLEM_BYTES = 16 << 20  # of the table of problems; half of it for statements
_MAX_PROBLEM_TESTS = 500  # a problem shows figures of at most this many tests


class InternTable:
    """Distinct values, numbered in the order in which they were added."""

    def __init__(self) -> None:
        self._numbers: dict[Any, int] = {}

    def intern(self, value: Any) -> int:
        """Add a value if it is new; return its number."""
        return self._numbers.setdefault(value, len(self._numbers))

    def measure_cost(self, value: Any) -> int:
        """Return how many bytes of JSON the value would add."""
        return 0 if value in self._numbers else len(encode_json(value)) + 1

    @property
    def values(self) -> list[Any]:
        """All values, by number."""
        return list(self._numbers)


class DetailBlocks:
    """The blocks of details, up to a size limit.

    numbers: the number of each solution's detail by its position; complete after ``make_elements``.
    """

    def __init__(self, builder: ReportBuilder, max_bytes: int = MAX_DETAIL_BYTES) -> None:
        self.numbers: dict[int, int] = {}
        self._builder = builder
        self._bytes_left = max_bytes

    def make_elements(self) -> Iterator[Markup]:
        """Yield elements of _DETAILS_PER_BLOCK details each, named "d0", "d1" and so on."""
        rows = self._builder.list_rows_by_interest()
        for start in range(0, len(rows), _DETAILS_PER_BLOCK):
            batch = rows[start : start + _DETAILS_PER_BLOCK]
            texts = InternTable()  # samples of one problem share inputs, and often whole programs
            details = [_intern_texts(self._builder.read_detail(row), texts) for _, row in batch]
            text = encode_json({"texts": texts.values, "details": details})
            self._bytes_left -= len(text)
            if self._bytes_left < 0:
                return
            self.numbers.update((position, start + i) for i, (position, _) in enumerate(batch))
            yield make_data_element(f"d{start // _DETAILS_PER_BLOCK}", text)


def _intern_texts(detail: dict[str, Any], texts: InternTable) -> dict[str, Any]:
    if detail["code"] is not None:
        detail["code"] = texts.intern(detail["code"])
    if detail["answer"] is not None:
        detail["answer"]["text"] = texts.intern(detail["answer"]["text"])
    failure = detail.get("fail", {})
    for key in ("input", "expected", "got", "stderr"):
        excerpt = failure.get(key)
        if excerpt is not None:
            excerpt["text"] = texts.intern(excerpt["text"])
    return detail


def make_table_element(
    builder: ReportBuilder, details: DetailBlocks, max_bytes: int = _MAX_TABLE_BYTES
) -> Markup:
    """Make the element named "table" with as many rows as fit into ``max_bytes``."""
    problems, texts = InternTable(), InternTable()
    rows: list[list[Any]] = []
    omitted_count = builder.omitted_count
    for position, row in builder.list_rows():
        problem = builder.describe_problem(row.problem_id)
        labels = [shorten(label) for label in (*row.flags, *row.methods)]
        max_bytes -= problems.measure_cost(problem) + sum(map(texts.measure_cost, labels))
        detail = details.numbers.get(position, -1)
        label_numbers = [texts.intern(label) for label in labels]
        entry = _make_entry(position, row, problems.intern(problem), label_numbers, detail)
        max_bytes -= len(encode_json(entry)) + 1
        if max_bytes < 0:
            omitted_count += 1
        else:
            rows.append(entry)
    value = {
        "rows": rows,
        "problems": [list(problem) for problem in problems.values],
        "texts": texts.values,
        "leftOut": omitted_count,
        "inBlock": _DETAILS_PER_BLOCK,
    }
    return make_data_element("table", encode_json(value))


def make_problems_element(builder: ReportBuilder, max_bytes: int = _MAX_PROBLEM_BYTES) -> Markup:
    """Make the element named "problems". Beyond ``max_bytes``, statements are left out first, then
    rows.

    A row: name, difficulty, platform, accepted, judged, failures and runs of the first tests,
    statement. Its order is that of PROBLEM_COLUMNS in problems.js.
    """
    rows: list[list[Any]] = []
    omitted_count = 0
    statement_bytes = max_bytes // 2
    for name, figures in builder.figures.problems.items():
        statement = builder.read_statement(name)
        statement_bytes -= len(encode_json(statement))
        row = [
            *builder.describe_problem(name),
            figures.passed,
            figures.judged,
            figures.failures[:_MAX_PROBLEM_TESTS].tolist(),
            figures.runs[:_MAX_PROBLEM_TESTS].tolist(),
            statement if statement_bytes >= 0 else None,
        ]
        max_bytes -= len(encode_json(row)) + 1
        if max_bytes < 0:
            omitted_count += 1
        else:
            rows.append(row)
    return make_data_element("problems", encode_json({"rows": rows, "leftOut": omitted_count}))


def _make_entry(
    position: int, row: Row, problem: int, label_numbers: list[int], detail: int
) -> list[Any]:
    """Make a row; its order is that of COLUMNS in report.js."""
    return [
        position,
        problem,
        shorten(row.solution_id),
        row.verdict,
        _round(row.score, 4),
        row.pass_count,
        row.test_count,
        _round(row.seconds, 3),
        _round(row.memory_mb, 2),
        label_numbers[: len(row.flags)],
        label_numbers[len(row.flags) :],
        row.first_failure,
        detail,
    ]


def _round(value: float | None, digits: int) -> float | None:
    return None if value is None else round(value, digits)
