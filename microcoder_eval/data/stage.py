"""What a stage is: work on one problem at a time, then at most one decision over all of them.

line -> work (in parallel, any order) -> Page -> settle (in input order) -> OUT or dropped
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Protocol

from .rows import Row


@dataclass(frozen=True, slots=True)
class Drop:
    """Why a problem is not in OUT: a name of reasons.py, a sentence, and facts for programs."""

    reason: str
    detail: str
    evidence: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Page:
    """What became of one problem in one stage.

    row: as it goes on, or as it was when it was dropped; None where it could not be read.
    features: what ``settle`` decides by. timing: measured times, kept out of OUT.
    """

    row: Row | None
    drop: Drop | None = None
    features: Any = None
    timing: Mapping[str, Any] | None = None


@dataclass(frozen=True, slots=True)
class Given:
    """One problem of the input, not read yet.

    source: the number of its input, from 0. line: in its file, from 1; 0 where there are none.
    raw: its JSON. fault: why there is none. folder: a package to read instead.
    """

    source: int
    line: int
    raw: bytes = b""
    fault: str | None = None
    folder: str | None = None


@dataclass(frozen=True, slots=True)
class Kept:
    """A problem that its own stage's work kept, as ``settle`` sees it."""

    position: int
    problem_id: str
    features: Any


Settled = Mapping[int, Drop | Mapping[str, Any]]


class Engine(StrEnum):
    """Where the work of a stage is done: in processes of our own, or by a judge's."""

    PROCESSES = "processes"
    THREADS = "threads"


class Stage(Protocol):
    """One stage. Travels to worker processes by pickle unless ``engine`` is THREADS."""

    name: str
    engine: Engine

    def settings(self) -> Mapping[str, Any]:
        """Everything that can change the output, for hashes and the manifest."""

    def open(self, workers: int) -> None:
        """Start what the work needs. Raises MicrocoderError."""

    def close(self, cancel: bool) -> None:
        """End it; with ``cancel`` without waiting."""

    def work(self, given: Given) -> Page:
        """Read and treat one problem. Raises DataError for one that cannot be used."""

    def settle(self, kept: Iterator[Kept]) -> Settled:
        """Decide over all problems: by position a Drop, or the keys to set."""

    def facts(self) -> Mapping[str, Any]:
        """What to tell in the manifest besides counts, once settled."""


class Plain:
    """The parts of a stage that most do not need."""

    engine = Engine.PROCESSES

    def open(self, workers: int) -> None:
        """Nothing to start."""

    def close(self, cancel: bool) -> None:
        """Nothing to end."""

    def settle(self, kept: Iterator[Kept]) -> Settled:
        """Nothing to decide."""
        return {}

    def facts(self) -> Mapping[str, Any]:
        """Nothing to tell."""
        return {}
