"""What a line of tests.jsonl and solutions.jsonl may hold, as pydantic models.

Strict: "6" is not a number and 1 is not a text. Keys that are not named here are kept. These
models live for one line and never leave this package; the records are what travels.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter

Identifier = Annotated[str, Field(min_length=1)]
Positive = Annotated[float, Field(gt=0, allow_inf_nan=False)]


class TestLine(BaseModel):
    """One test. Other keys (an explanation, say) are dropped."""

    __test__ = False  # not a pytest class

    model_config = ConfigDict(strict=True, extra="ignore")
    input: Any
    output: Any


class LimitsLine(BaseModel):
    """Limits of one test; null means the default."""

    model_config = ConfigDict(strict=True, extra="forbid")
    time_s: Positive | None = None
    wall_s: Positive | None = None
    memory_mb: Positive | None = None
    output_mb: Positive | None = None
    files_mb: Positive | None = None


class ProblemLine(BaseModel):
    """One problem in our own format."""

    model_config = ConfigDict(strict=True, extra="allow", protected_namespaces=())
    problem_id: Identifier
    kind: Literal["stdin", "call", "assert"] | None = None
    tests: list[Any] | None = None
    entry_point: str | None = None
    test_code: str | None = None
    test_style: Literal["assert", "check", "pytest", "unittest"] | None = None
    limits: LimitsLine | None = None
    checker: Any = None
    interactor: Any = None
    statement: str | None = None
    starter_code: str | None = None
    platform: str | None = None
    difficulty: Any = None
    date: str | None = None
    solutions: list[dict[str, Any]] | None = None


class SolutionLine(BaseModel):
    """One solution in our own format."""

    model_config = ConfigDict(strict=True, extra="allow", protected_namespaces=())
    problem_id: Identifier
    solution_id: Identifier | None = None
    code: str | None = None
    response: str | None = None
    language: str | None = None


TESTS = TypeAdapter(list[TestLine])
