"""Which tests are distinct, how large each is, and which edge cases its input covers."""

from __future__ import annotations

import json
import math
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

from microcoder_eval.records import Kind, Problem, Test
from microcoder_eval.suspicion import group_equal_inputs
from microcoder_sandbox import codec

_NUMBER = re.compile(r"-?\d+")
_MAX_CHARACTERS = 100_000  # only this much of an input is classified
# If a problem has at most this many different outputs, each of them is a class.
_MAX_OUTPUT_CLASSES = 4
# Upper ends of classes by the number of digits of the largest number, up to 64 bits.
_DIGITS = (1, 2, 4, 7, 10, 19)


def format_input(problem: Problem, test: Test) -> str:
    """Return a test's input as text, for problems of any kind."""
    if problem.kind is Kind.STDIN:
        return str(test.input)
    return json.dumps(codec.to_json(test.input))


def format_output(problem: Problem, test: Test) -> str:
    """Return a test's output as text."""
    if problem.kind is Kind.STDIN:
        return str(test.output)
    return json.dumps(codec.to_json(test.output))


def classify_tests(problem: Problem) -> list[frozenset[str]]:
    """Return the classes of each test: of its input and, if a problem has few different outputs,
    its output."""
    outputs = [" ".join(format_output(problem, test).split()) for test in problem.tests]
    are_few = len(set(outputs)) <= _MAX_OUTPUT_CLASSES
    return [
        frozenset(_classify_input(format_input(problem, test)))
        | ({f"output {output}"} if are_few else set())
        for test, output in zip(problem.tests, outputs, strict=True)
    ]


def _classify_input(text: str) -> Iterator[str]:
    yield f"size {int(math.log10(len(text) + 1))}"
    text = text[:_MAX_CHARACTERS]
    if not text.strip():
        yield "empty"
    for empty in ("[]", '""', "{}"):
        if empty in text:
            yield f"holds {empty}"
    numbers = [int(digits) for digits in _NUMBER.findall(text) if len(digits) < 4000]
    if not numbers:
        return
    if min(numbers) < 0:
        yield "negative"
    if 0 in numbers:
        yield "zero"
    digit_count = len(str(max(map(abs, numbers)))) if len(numbers) < 50_000 else 10
    yield f"digits {sum(digit_count > limit for limit in _DIGITS)}"
    sequence = _find_longest_sequence(text)
    if len(sequence) >= 3:
        yield from _classify_order(sequence)


def _find_longest_sequence(text: str) -> list[int]:
    line = max(text.split("\n"), key=len)
    return [int(digits) for digits in _NUMBER.findall(line)[:5000] if len(digits) < 4000]


def _classify_order(sequence: Sequence[int]) -> Iterator[str]:
    if len(set(sequence)) == 1:
        yield "all equal"
    elif list(sequence) == sorted(sequence):
        yield "ascending"
    elif list(sequence) == sorted(sequence, reverse=True):
        yield "descending"
    elif len(set(sequence)) == len(sequence):
        yield "all different"


def find_singletons(classes: Sequence[frozenset[str]]) -> set[int]:
    """Positions of tests that are alone in one of their classes."""
    counts = Counter(class_name for test_classes in classes for class_name in test_classes)
    return {
        position
        for position, test_classes in enumerate(classes)
        if any(counts[class_name] == 1 for class_name in test_classes)
    }


def find_distinct_tests(problem: Problem) -> list[int]:
    """Positions of tests, without those that repeat the input and output of another one."""
    duplicates: set[int] = set()
    for positions in group_equal_inputs(problem):
        outputs: set[str] = set()
        for position in positions:
            key = _make_key(problem.tests[position].output)
            if key in outputs:
                duplicates.add(position)
            outputs.add(key)
    return [number for number in range(len(problem.tests)) if number not in duplicates]


def _make_key(value: Any) -> str:
    """Text that is the same for equal values."""
    return repr(codec.to_json(value.strip() if isinstance(value, str) else value))


def measure_sizes(problem: Problem) -> list[int]:
    """Bytes of each test."""
    return [
        len(format_input(problem, test)) + len(format_output(problem, test))
        for test in problem.tests
    ]
