"""The lines of tests.jsonl and solutions.jsonl as pydantic models.

They are strict: "6" is not a number and 1 is not a string. Unknown keys are kept. A model exists
for one line; only records leave this package.

pydantic records every fault of a value, in hundreds of bytes each, and only the first is reported.
So no model has a list of models, and a strict one sees at most one unknown key: the number of
fields bounds the memory of validation.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, model_validator

from microcoder_eval.records import HIGHEST_LIMIT

Identifier = Annotated[str, Field(min_length=1)]
Positive = Annotated[float, Field(gt=0, le=HIGHEST_LIMIT, allow_inf_nan=False)]


class StrictModel(BaseModel):
    """A model that refuses unknown keys, which may be misspelt."""

    model_config = ConfigDict(strict=True, extra="forbid")

    @model_validator(mode="before")
    @classmethod
    def _keep_first_unknown_key(cls, value: Any) -> Any:
        """Drop all unknown keys except the first, which is reported."""
        if not isinstance(value, dict):
            return value
        unknown = next((key for key in value if key not in cls.model_fields), None)
        if unknown is None:
            return value
        known_fields = {key: value[key] for key in cls.model_fields if key in value}
        return {**known_fields, unknown: value[unknown]}


class LimitsLine(StrictModel):
    """Limits of one test; null means the default."""

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
    includes: Any = None
    statement: str | None = None
    starter_code: str | dict[str, str] | None = None
    test_language: str | None = None
    platform: str | None = None
    difficulty: Any = None
    date: str | None = None
    solutions: list[Any] | None = None
    groups: Any = None
    grader: Any = None
    objective: Literal["max", "min"] | None = None


class SolutionLine(BaseModel):
    """One solution in our own format."""

    model_config = ConfigDict(strict=True, extra="allow", protected_namespaces=())
    problem_id: Identifier
    solution_id: Identifier | None = None
    code: str | None = None
    response: str | None = None
    language: str | None = None
    file: str | None = None
    files: Any = None
