"""How a problem's answers are compared, and what its tests expect, whatever its kind."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from microcoder_eval.asserts import Relation, plan
from microcoder_eval.compare import Comparer, comparer
from microcoder_eval.compare.difference import quoted
from microcoder_eval.compare.valuetext import shown
from microcoder_eval.errors import DataError
from microcoder_eval.records import Kind, Problem
from microcoder_eval.suspicion import equal_inputs
from microcoder_sandbox import codec

_EXCERPT = 200


@dataclass(frozen=True, slots=True)
class Answers:
    """The expected answers of a problem and what accepts others for them.

    expected: bytes for stdin, values for the other kinds; of an assert problem those of its
    comparisons with literals. inputs: how each test's question is told to people.
    same: groups of tests (positions from 0) with the same input.
    comparer: None where a checker given as source decides, which is not run here.
    whole: whether these are all the tests; not so where assertions stay opaque.
    """

    expected: tuple[Any, ...]
    inputs: tuple[str, ...]
    same: tuple[tuple[int, ...], ...]
    comparer: Comparer | None
    texts: bool
    whole: bool = True

    def accepts(self, actual: Any, expected: Any) -> bool:
        """Whether ``actual`` would pass where ``expected`` is expected."""
        assert self.comparer is not None
        if self.texts:
            return self.comparer.text(actual, expected).method is not None
        return self.comparer.value(actual, expected).method is not None

    def alike(self, first: int, second: int) -> bool:
        """Whether one answer passes two tests."""
        one, other = self.expected[first], self.expected[second]
        return self.accepts(one, other) or self.accepts(other, one)

    def told(self, test: int) -> str:
        """The expected answer of a test, short."""
        return tell(self.expected[test])


def excerpt(output: bytes) -> str:
    """The start of an output, as it is, for a record."""
    text = output[: 4 * _EXCERPT].decode("utf-8", "replace")
    return text if len(text) <= _EXCERPT else f"{text[:_EXCERPT]}…"


def tell(answer: Any) -> str:
    """An answer for people: short, printable."""
    if isinstance(answer, bytes):
        return quoted(answer.strip() or answer)
    text = shown(answer)
    return text if len(text) <= 80 else f"{text[:80]}…"


def answers_of(problem: Problem, compare: str | Mapping[str, Any]) -> Answers:
    """What a problem expects. compare: how answers are compared where it has no checker.

    Raises DataError when its test code cannot be read.
    """
    if problem.kind is Kind.ASSERT:
        return _of_assertions(problem)
    checker = problem.checker
    by = None if checker and "source" in checker else comparer(checker or compare)
    texts = problem.kind is Kind.STDIN
    return Answers(
        expected=tuple(
            test.output.encode("utf-8", "surrogatepass") if texts else test.output
            for test in problem.tests
        ),
        inputs=tuple(
            quoted(test.input[:400].encode("utf-8", "replace")) if texts else _call(test.input)
            for test in problem.tests
        ),
        same=tuple(map(tuple, equal_inputs(problem))),
        comparer=by,
        texts=texts,
    )


def _call(arguments: Any) -> str:
    return ", ".join(map(shown, arguments))[:120]


def _of_assertions(problem: Problem) -> Answers:
    style = problem.test_style if problem.test_style in ("pytest", "unittest") else None
    made = plan(problem.test_code or "", problem.entry_point, problem.starter_code, style)
    if made.unsupported is not None:
        raise DataError(f"test needs in-process access: {made.unsupported}")
    tests = [test for test in made.tests if test.relation is Relation.EQ]
    groups: dict[bytes, list[int]] = {}
    for position, test in enumerate(tests):
        asked = [test.entry, codec.to_json(list(test.args)), codec.to_json(dict(test.kwargs))]
        key = hashlib.blake2b(json.dumps(asked, sort_keys=True).encode(), digest_size=16).digest()
        groups.setdefault(key, []).append(position)
    return Answers(
        expected=tuple(test.expected for test in tests),
        inputs=tuple(test.source[:120] for test in tests),
        same=tuple(tuple(group) for group in groups.values() if len(group) > 1),
        comparer=comparer("python"),
        texts=False,
        whole=made.opaque is None and len(tests) == len(made.tests),
    )
