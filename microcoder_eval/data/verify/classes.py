"""What kind of input a test is: its size and the edges it stands on."""

from __future__ import annotations

import json
import math
import re
from collections import Counter
from collections.abc import Iterator, Sequence

from microcoder_eval.records import Kind, Problem, Test
from microcoder_sandbox import codec

_NUMBER = re.compile(r"-?\d+")
_READ = 100_000  # characters of an input that are looked at
_FEW_OUTPUTS = 4  # so many different outputs or fewer are classes themselves
# Digits of the largest number: units, tens, thousands, millions, 32 bits, 64 bits, more.
_DIGITS = (1, 2, 4, 7, 10, 19)


def input_text(problem: Problem, test: Test) -> str:
    """A test's input as text, whatever its kind."""
    if problem.kind is Kind.STDIN:
        return str(test.input)
    return json.dumps(codec.to_json(test.input))


def output_text(problem: Problem, test: Test) -> str:
    """A test's output as text."""
    if problem.kind is Kind.STDIN:
        return str(test.output)
    return json.dumps(codec.to_json(test.output))


def classes_of(problem: Problem) -> list[frozenset[str]]:
    """The classes of each test."""
    outputs = [" ".join(output_text(problem, test).split()) for test in problem.tests]
    few = len(set(outputs)) <= _FEW_OUTPUTS
    return [
        frozenset(_classes(input_text(problem, test))) | ({f"output {output}"} if few else set())
        for test, output in zip(problem.tests, outputs, strict=True)
    ]


def _classes(text: str) -> Iterator[str]:
    yield f"size {int(math.log10(len(text) + 1))}"
    text = text[:_READ]
    if not text.strip():
        yield "empty"
    for empty in ("[]", '""', "{}"):
        if empty in text:
            yield f"holds {empty}"
    numbers = [int(found) for found in _NUMBER.findall(text) if len(found) < 4000]
    if not numbers:
        return
    if min(numbers) < 0:
        yield "negative"
    if 0 in numbers:
        yield "zero"
    most = len(str(max(map(abs, numbers)))) if len(numbers) < 50_000 else 10
    yield f"digits {sum(most > limit for limit in _DIGITS)}"
    row = _longest_row(text)
    if len(row) >= 3:
        yield from _order(row)


def _longest_row(text: str) -> list[int]:
    line = max(text.split("\n"), key=len)
    return [int(found) for found in _NUMBER.findall(line)[:5000] if len(found) < 4000]


def _order(row: Sequence[int]) -> Iterator[str]:
    if len(set(row)) == 1:
        yield "all equal"
    elif list(row) == sorted(row):
        yield "ascending"
    elif list(row) == sorted(row, reverse=True):
        yield "descending"
    elif len(set(row)) == len(row):
        yield "all different"


def alone(classes: Sequence[frozenset[str]]) -> set[int]:
    """Tests that are the only ones of some class."""
    counts = Counter(name for some in classes for name in some)
    return {
        position for position, some in enumerate(classes) if any(counts[name] == 1 for name in some)
    }
