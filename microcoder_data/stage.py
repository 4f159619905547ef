"""The interface of a stage: a function on one problem, then a decision over all problems.

RawRecord -> handle_record (in parallel, any order) -> StageResult
-> finalize (in input order) -> OUT or dropped
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from pydantic import BaseModel

from .rows import Row


@dataclass(frozen=True, slots=True)
class Drop:
    """Why a problem is not in OUT. reason: a name of reasons.py. detail: a sentence for people.
    evidence: facts for programs."""

    reason: str
    detail: str
    evidence: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class StageResult:
    """The outcome of one problem in one stage.

    row: the row to pass on, or the row that was dropped; None where it could not be read.
    features: JSON that ``finalize`` decides by.
    timing: measured times, kept out of OUT.
    """

    row: Row | None
    drop: Drop | None = None
    features: Any = None
    timing: Mapping[str, Any] | None = None

    @property
    def problem_id(self) -> Any:
        """The problem's name; None where there is none."""
        return None if self.row is None else self.row.get("problem_id")


@dataclass(frozen=True, slots=True)
class RawRecord:
    """One problem of the input, not parsed yet.

    source_index: the number of its source, from 0.
    line: in its file, from 1; 0 for a package.
    raw: its JSON.
    fault: why raw cannot be used.
    folder: the package to read instead of raw, name: its id.
    """

    source_index: int
    line: int
    raw: bytes = b""
    fault: str | None = None
    folder: str | None = None
    name: str = ""


@dataclass(frozen=True, slots=True)
class KeptProblem:
    """A problem that ``handle_record`` kept; ``finalize`` gets these."""

    position: int
    problem_id: str
    features: Any


Decisions = Mapping[int, Drop | Mapping[str, Any]]  # by position: a drop, or keys to set in the row


class Stage(ABC):
    """One stage. It is pickled for worker processes where it has no threads.

    recipe: its section of the recipe.
    """

    name: str
    recipe: BaseModel

    def count_threads(self, workers: int) -> int:
        """Return how many threads run ``handle_record``, each waiting for a judge or an endpoint;
        0: processes run it, as many as the command asks for (``workers``)."""
        return 0

    def describe_settings(self) -> Mapping[str, Any]:
        """Return all settings that can change the output, for hashes and the manifest."""
        return self.recipe.model_dump(mode="json")

    def open(self, workers: int) -> None:  # noqa: B027  (most stages need nothing)
        """Acquire what ``handle_record`` needs. Raises MicrocoderError."""

    def close(self, cancel: bool) -> None:  # noqa: B027
        """Release what ``open`` acquired. cancel: do not wait for running work."""

    @abstractmethod
    def handle_record(self, record: RawRecord) -> StageResult:
        """Read and handle one problem. Raises DataError for one that cannot be used."""

    def finalize(self, problems: Iterator[KeptProblem]) -> Decisions:
        """Decide over all problems."""
        return {}

    def describe_facts(self) -> Mapping[str, Any]:
        """Return facts for the manifest, in addition to counts; called after ``finalize``."""
        return {}
