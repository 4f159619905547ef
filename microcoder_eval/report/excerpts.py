"""Cuts excerpts from long texts, such as those of a failed test, and marks what matters in them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypedDict

from microcoder_eval.conversion import normalize_newlines
from microcoder_eval.errors import DataError
from microcoder_eval.formats import error_text
from microcoder_eval.lru import LruCache
from microcoder_eval.python_tests.assert_plan import Relation
from microcoder_eval.python_tests.planning import plan
from microcoder_eval.records import Judgement, Kind, Problem, Test

Span = tuple[int, int]
MAX_CHARS = 2000  # characters shown of an input, an output, a message
_CHARS_BEFORE = 800  # of MAX_CHARS, before the mark
_MAX_NAME_CHARS = 160  # characters shown of an identifier
_NO_TESTS = "Input and expected output are not shown: the tests were not given."
OTHER_TESTS = "Input and expected output are not shown: the tests have changed since the judging."
_CACHE_SIZE = 256


class Excerpt(TypedDict, total=False):
    """A part of a text.

    before, after: how much is left out on each side: characters of a text, bytes of an output.
    line: the number of its first line.
    mark: [start, end] of the important place in ``text``.
    """

    text: str
    before: int
    after: int
    line: int
    mark: list[int]


def cut_start(text: str, max_chars: int = MAX_CHARS) -> Excerpt:
    """Cut the start of a text."""
    return {
        "text": text[:max_chars],
        "before": 0,
        "after": max(0, len(text) - max_chars),
        "line": 1,
    }


def cut_end(text: str, max_chars: int = MAX_CHARS) -> Excerpt:
    """Cut the end of a text."""
    start = max(0, len(text) - max_chars)
    line = text.count("\n", 0, start) + 1
    return {"text": text[start:], "before": start, "after": 0, "line": line}


def cut_around(data: bytes, span: Span, max_bytes: int = MAX_CHARS) -> Excerpt:
    """Cut the text around a span, from the start of a line if one is near, and mark the span."""
    start = _find_boundary(data, span[0])
    end = _find_boundary(data, span[1], forward=True)
    end = max(start, min(end, start + max_bytes - _CHARS_BEFORE))
    first = max(0, start - _CHARS_BEFORE)
    if first:
        line_end = data.find(b"\n", first, start)
        first = line_end + 1 if line_end >= 0 else _find_boundary(data, first)
    last = _find_boundary(data, min(len(data), max(end, first + max_bytes)), forward=True)
    prefix, mark, suffix = (
        _decode(data[a:b]) for a, b in ((first, start), (start, end), (end, last))
    )
    return {
        "text": prefix + mark + suffix,
        "before": first,
        "after": len(data) - last,
        "line": data.count(b"\n", 0, first) + 1,
        "mark": [len(prefix), len(prefix) + len(mark)],
    }


def cut_output(data: bytes) -> Excerpt:
    """Cut the start of an output, as text."""
    last = _find_boundary(data, min(len(data), MAX_CHARS), forward=True)
    return {"text": _decode(data[:last]), "before": 0, "after": len(data) - last, "line": 1}


def shorten(name: str) -> str:
    """Shorten an identifier for a table."""
    return error_text.shorten(name, _MAX_NAME_CHARS)


def format_value(value: Any) -> str:
    """Return the repr of a value, or the reason why it has none."""
    try:
        return repr(value)
    except (ValueError, RecursionError) as error:  # an integer of very many digits
        return f"(a value that cannot be written out: {error})"


def _decode(data: bytes) -> str:
    return data.decode("utf-8", "backslashreplace")


def _find_boundary(data: bytes, offset: int, *, forward: bool = False) -> int:
    """Move ``offset`` back to a UTF-8 character boundary; forward: move it on instead."""
    step = 1 if forward else -1
    for distance in range(4):
        candidate = offset + step * distance
        if not 0 < candidate < len(data) or data[candidate] & 0xC0 != 0x80:
            return candidate
    return offset


def explain_not_shown(judgement: Judgement, problem: Problem | None) -> str | None:
    """Return why the input and the expected output cannot be shown; None if they can."""
    if problem is None:
        return _NO_TESTS
    if judgement.tests_sha256 != problem.tests_sha256:
        return OTHER_TESTS
    return None


class TestExcerpts:
    """Excerpts of the inputs and expected outputs of tests, with a cache of the latest ones."""

    def __init__(self) -> None:
        self._cache: LruCache[tuple[str, str, int], dict[str, Any]] = LruCache(_CACHE_SIZE)

    def cut_test(self, problem: Problem, index: int) -> dict[str, Any]:
        """Return {"kind", "input", "expected"}; the last two are Excerpts or None."""
        key = problem.problem_id, problem.tests_sha256, index
        excerpts = self._cache.get(key)
        if excerpts is None:
            input_excerpt, expected = _cut_test(problem, index)
            excerpts = {"kind": str(problem.kind), "input": input_excerpt, "expected": expected}
            self._cache.put(key, excerpts)
        return dict(excerpts)


def _cut_test(problem: Problem, index: int) -> tuple[Excerpt | None, Excerpt | None]:
    if problem.kind is Kind.ASSERT:
        return _cut_assertion(problem, index)
    if index >= len(problem.tests):
        return None, None
    test = problem.tests[index]
    if isinstance(test.input, str) and isinstance(test.output, str):
        return cut_start(normalize_newlines(test.input)), cut_start(test.output)
    return cut_start(_format_call(problem, test)), cut_start(format_value(test.output))


def find_asserted(failure: Mapping[str, Any]) -> Excerpt | None:
    """Return what a tested call gave: the judge's detail says it after the source of the test."""
    start = f"{(failure['input'] or {}).get('text')}: got "
    detail = failure["detail"] or ""
    return cut_start(detail.removeprefix(start)) if detail.startswith(start) else None


def _format_call(problem: Problem, test: Test) -> str:
    """Format the call of a test as Python code."""
    args = [format_value(arg) for arg in test.input]
    args += [f"{name}={format_value(value)}" for name, value in (test.kwargs or {}).items()]
    return f"{problem.entry_point or '(the function)'}({', '.join(args)})"


def _cut_assertion(problem: Problem, index: int) -> tuple[Excerpt | None, Excerpt | None]:
    try:
        assert_plan = plan(problem.test_code or "", problem.entry_point, problem.starter_code or "")
    except DataError:
        return None, None
    if index >= len(assert_plan.tests):
        return (
            cut_start(assert_plan.test_source) if assert_plan.test_source is not None else None
        ), None
    test = assert_plan.tests[index]
    exact = test.relation in (Relation.EQ, Relation.IS)
    return cut_start(test.source), cut_start(format_value(test.expected)) if exact else None
