"""The lines of tests.jsonl and solutions.jsonl: their keys, and what each value may be.

They are strict: "6" is not a number and 1 is not a string. Unknown keys are kept. A line exists
for one row; only records leave this package.

pydantic's validators do it without its models, whose import would take as long as everything else
that a command imports. They record every fault of a value, in hundreds of bytes each, and only the
first is reported. So no schema has a list of schemas, and a strict one sees at most one unknown
key: the number of fields bounds the memory of validation.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import field, fields
from typing import Any, Generic, TypeVar

from pydantic_core import CoreConfig, CoreSchema, SchemaValidator
from pydantic_core import core_schema as schemas

from microcoder_eval.records import HIGHEST_LIMIT, Limits
from microcoder_sandbox import record

Schema = Mapping[str, CoreSchema]  # as metadata of a field
Line = TypeVar("Line")

_STRICT = CoreConfig(strict=True)
LIMIT_KEYS = tuple(limit.name for limit in fields(Limits))


def _nullable(schema: CoreSchema) -> Schema:
    return {"schema": schemas.nullable_schema(schema)}


def _one_of(*texts: str) -> Schema:
    return _nullable(schemas.literal_schema(list(texts)))


def keep_first_unknown_key(value: Any, known_keys: Collection[str]) -> Any:
    """Return an object with its known keys and one other, which is reported; any other value as it
    is. Takes time and memory by the number of keys, whatever they are."""
    if not isinstance(value, dict):
        return value
    unknown = next((key for key in value if key not in known_keys), None)
    if unknown is None:
        return value
    return {**{key: value[key] for key in known_keys if key in value}, unknown: value[unknown]}


_LIMIT = schemas.nullable_schema(schemas.float_schema(gt=0, le=HIGHEST_LIMIT, allow_inf_nan=False))
_LIMITS = schemas.no_info_before_validator_function(
    lambda limits: keep_first_unknown_key(limits, LIMIT_KEYS),
    schemas.typed_dict_schema(
        {key: schemas.typed_dict_field(_LIMIT, required=False) for key in LIMIT_KEYS},
        extra_behavior="forbid",
        config=_STRICT,
    ),
)
_STRING = schemas.str_schema()
_NAME = schemas.str_schema(min_length=1)
_TEXT, _LIST = _nullable(_STRING), _nullable(schemas.list_schema())
_ANYTHING: Schema = {"schema": schemas.any_schema()}


@record
class ProblemLine:
    """One problem in our own format; None: the key is not there, or null. extra: unknown keys."""

    problem_id: str = field(metadata={"schema": _NAME})
    kind: str | None = field(metadata=_one_of("stdin", "call", "assert"))
    tests: list[Any] | None = field(metadata=_LIST)
    entry_point: str | None = field(metadata=_TEXT)
    test_code: str | None = field(metadata=_TEXT)
    test_style: str | None = field(metadata=_one_of("assert", "check", "pytest", "unittest"))
    limits: Mapping[str, float | None] | None = field(metadata=_nullable(_LIMITS))
    checker: Any = field(metadata=_ANYTHING)
    interactor: Any = field(metadata=_ANYTHING)
    includes: Any = field(metadata=_ANYTHING)
    statement: str | None = field(metadata=_TEXT)
    starter_code: str | Mapping[str, str] | None = field(
        metadata=_nullable(schemas.union_schema([_STRING, schemas.dict_schema(_STRING, _STRING)]))
    )
    test_language: str | None = field(metadata=_TEXT)
    platform: str | None = field(metadata=_TEXT)
    difficulty: Any = field(metadata=_ANYTHING)
    date: str | None = field(metadata=_TEXT)
    solutions: list[Any] | None = field(metadata=_LIST)
    groups: Any = field(metadata=_ANYTHING)
    grader: Any = field(metadata=_ANYTHING)
    objective: str | None = field(metadata=_one_of("max", "min"))
    extra: Mapping[str, Any]


@record
class SolutionLine:
    """One solution in our own format; None: the key is not there, or null. extra: unknown keys."""

    problem_id: str = field(metadata={"schema": _NAME})
    solution_id: str | None = field(metadata=_nullable(_NAME))
    code: str | None = field(metadata=_TEXT)
    response: str | None = field(metadata=_TEXT)
    language: str | None = field(metadata=_TEXT)
    file: str | None = field(metadata=_TEXT)
    files: Any = field(metadata=_ANYTHING)
    extra: Mapping[str, Any]


class LineReader(Generic[Line]):
    """Reads the lines of one class. keys: those that it knows."""

    def __init__(self, line_class: Callable[..., Line]) -> None:
        self._line_class = line_class
        values: dict[str, CoreSchema] = {
            one.name: one.metadata["schema"]
            for one in fields(line_class)  # type: ignore[arg-type]  # it is a record
            if one.name != "extra"
        }
        self.keys = tuple(values)
        row_schema = schemas.typed_dict_schema(
            {
                key: schemas.typed_dict_field(schema, required=key == "problem_id")
                for key, schema in values.items()
            },
            extra_behavior="allow",
        )
        self._validator = SchemaValidator(row_schema, _STRICT)

    def read(self, row: Mapping[str, Any]) -> Line:
        """Return the line of a row. Raises pydantic_core.ValidationError."""
        values = self._validator.validate_python(dict(row))
        return self._line_class(*[values.pop(key, None) for key in self.keys], values)


problem_lines, solution_lines = LineReader(ProblemLine), LineReader(SolutionLine)
