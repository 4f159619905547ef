"""The golden pairs: a problem, a solution and a name that never changes.

The other modules of this folder make them; the verdicts that they must get stand in
verdicts.jsonl. A verdict depends on nothing but the pair: programs are far from every limit,
or far beyond it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, slots=True)
class Pair:
    """One golden pair. languages: toolchains that judging it needs, solution and checker."""

    name: str
    problem: Mapping[str, Any]
    solution: Mapping[str, Any]
    languages: frozenset[str] = field(default=frozenset())


def stdin(name: str, code: str, *tests: tuple[str, str], **problem: Any) -> Pair:
    """A program that reads and prints. tests: (input, expected output)."""
    return _pair(f"stdin/{name}", {"kind": "stdin", "tests": _rows(tests), **problem}, code)


def call(name: str, code: str, *tests: tuple[list[Any], Any], **problem: Any) -> Pair:
    """A function, named f by default. tests: (arguments, expected value)."""
    row = {"kind": "call", "entry_point": "f", "tests": _rows(tests), **problem}
    return _pair(f"call/{name}", row, code)


def asserted(name: str, code: str, test_code: str, **problem: Any) -> Pair:
    """A function f, judged by test code."""
    row = {"kind": "assert", "entry_point": "f", "test_code": test_code, **problem}
    return _pair(f"assert/{name}", row, code)


def compiled(name: str, language: str, code: str, *tests: tuple[str, str], **problem: Any) -> Pair:
    """A program in a language that is compiled."""
    return Pair(
        f"{language}/{name}",
        {"problem_id": name, "kind": "stdin", "tests": _rows(tests), **problem},
        {"code": code, "language": language},
        frozenset({language}),
    )


def _pair(name: str, problem: Mapping[str, Any], code: str) -> Pair:
    return Pair(name, {"problem_id": name, **problem}, {"code": code})


def _rows(tests: tuple[tuple[Any, Any], ...]) -> list[dict[str, Any]]:
    return [{"input": given, "output": expected} for given, expected in tests]


def all_pairs() -> Iterator[Pair]:
    """Every golden pair, in the order of verdicts.jsonl."""
    # Late: these modules import this one.
    from tests.golden import assertions, calls, comparers, languages, limits, texts

    for module in (texts, calls, assertions, comparers, limits, languages):
        yield from module.pairs()
