"""The lines of tests.jsonl and solutions.jsonl: their keys, and what each value may be.

They are strict: "6" is not a number and 1 is not a string. Unknown keys are kept. A line exists
for one row; only records leave this package.

A row whose values are certainly valid is read as it is. Any other is validated by pydantic_core,
which decides and words what is wrong; it is loaded for the first such row, since that takes as long
as much of what a command imports. It records every fault of a value, in hundreds of bytes each, and
only the first is reported. So no schema has a list of schemas, and a strict one sees at most one
unknown key: the number of fields bounds the memory of validation.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import field, fields
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from microcoder_eval.errors import DataError
from microcoder_eval.records import HIGHEST_LIMIT, Limits
from microcoder_sandbox import record

from . import error_text

if TYPE_CHECKING:
    from pydantic_core import CoreSchema, SchemaValidator

Line = TypeVar("Line")

LIMIT_KEYS = tuple(limit.name for limit in fields(Limits))


@record
class _Kind:
    """What a value may be. is_valid: whether a value certainly is; False: the schema decides.
    make_schema: of the functions of pydantic_core."""

    is_valid: Callable[[Any], bool]
    make_schema: Callable[[Any], CoreSchema]


def _value(
    is_valid: Callable[[Any], bool], make_schema: Callable[[Any], CoreSchema]
) -> dict[str, _Kind]:
    """Return the metadata of a field."""
    return {"kind": _Kind(is_valid, make_schema)}


def _nullable(
    is_valid: Callable[[Any], bool], make_schema: Callable[[Any], CoreSchema]
) -> dict[str, _Kind]:
    return _value(
        lambda value: value is None or is_valid(value),
        lambda schemas: schemas.nullable_schema(make_schema(schemas)),
    )


def _one_of(*texts: str) -> dict[str, _Kind]:
    return _nullable(
        lambda value: type(value) is str and value in texts,
        lambda schemas: schemas.literal_schema(list(texts)),
    )


def _is_text(value: Any) -> bool:
    """Whether it is a text without half of a surrogate pair."""
    if type(value) is not str:
        return False
    try:
        return value.isascii() or bool(value.encode())
    except UnicodeEncodeError:
        return False


def _are_texts(value: Any) -> bool:
    return _is_text(value) or (
        type(value) is dict and all(map(_is_text, value)) and all(map(_is_text, value.values()))
    )


def _are_limits(value: Any) -> bool:
    return type(value) is dict and all(
        key in LIMIT_KEYS
        and (limit is None or (type(limit) in (int, float) and 0 < limit <= HIGHEST_LIMIT))
        for key, limit in value.items()
    )


def keep_first_unknown_key(value: Any, known_keys: Collection[str]) -> Any:
    """Return an object with its known keys and one other, which is reported; any other value as it
    is. Takes time and memory by the number of keys, whatever they are."""
    if not isinstance(value, dict):
        return value
    unknown = next((key for key in value if key not in known_keys), None)
    if unknown is None:
        return value
    return {**{key: value[key] for key in known_keys if key in value}, unknown: value[unknown]}


def _make_limits_schema(schemas: Any) -> CoreSchema:
    limit = schemas.nullable_schema(
        schemas.float_schema(gt=0, le=HIGHEST_LIMIT, allow_inf_nan=False)
    )
    schema: CoreSchema = schemas.no_info_before_validator_function(
        lambda limits: keep_first_unknown_key(limits, LIMIT_KEYS),
        schemas.typed_dict_schema(
            {key: schemas.typed_dict_field(limit, required=False) for key in LIMIT_KEYS},
            extra_behavior="forbid",
            config={"strict": True},
        ),
    )
    return schema


def _make_name_schema(schemas: Any) -> CoreSchema:
    schema: CoreSchema = schemas.str_schema(min_length=1)
    return schema


def _make_texts_schema(schemas: Any) -> CoreSchema:
    text = schemas.str_schema()
    schema: CoreSchema = schemas.union_schema([text, schemas.dict_schema(text, text)])
    return schema


def _is_name(value: Any) -> bool:
    return _is_text(value) and bool(value)


def _text() -> dict[str, _Kind]:
    return _nullable(_is_text, lambda schemas: schemas.str_schema())


def _list() -> dict[str, _Kind]:
    return _nullable(lambda value: type(value) is list, lambda schemas: schemas.list_schema())


def _anything() -> dict[str, _Kind]:
    return _value(lambda _value: True, lambda schemas: schemas.any_schema())


@record
class ProblemLine:
    """One problem in our own format; None: the key is not there, or null. extra: unknown keys."""

    problem_id: str = field(metadata=_value(_is_name, _make_name_schema))
    kind: str | None = field(metadata=_one_of("stdin", "call", "assert"))
    tests: list[Any] | None = field(metadata=_list())
    entry_point: str | None = field(metadata=_text())
    test_code: str | None = field(metadata=_text())
    test_style: str | None = field(metadata=_one_of("assert", "check", "pytest", "unittest"))
    limits: Mapping[str, float | None] | None = field(
        metadata=_nullable(_are_limits, _make_limits_schema)
    )
    checker: Any = field(metadata=_anything())
    interactor: Any = field(metadata=_anything())
    includes: Any = field(metadata=_anything())
    statement: str | None = field(metadata=_text())
    starter_code: str | Mapping[str, str] | None = field(
        metadata=_nullable(_are_texts, _make_texts_schema)
    )
    test_language: str | None = field(metadata=_text())
    platform: str | None = field(metadata=_text())
    difficulty: Any = field(metadata=_anything())
    date: str | None = field(metadata=_text())
    solutions: list[Any] | None = field(metadata=_list())
    groups: Any = field(metadata=_anything())
    grader: Any = field(metadata=_anything())
    objective: str | None = field(metadata=_one_of("max", "min"))
    extra: Mapping[str, Any]


@record
class SolutionLine:
    """One solution in our own format; None: the key is not there, or null. extra: unknown keys."""

    problem_id: str = field(metadata=_value(_is_name, _make_name_schema))
    solution_id: str | None = field(metadata=_nullable(_is_name, _make_name_schema))
    code: str | None = field(metadata=_text())
    response: str | None = field(metadata=_text())
    language: str | None = field(metadata=_text())
    file: str | None = field(metadata=_text())
    files: Any = field(metadata=_anything())
    extra: Mapping[str, Any]


class LineReader(Generic[Line]):
    """Reads the lines of one class. keys: those that it knows."""

    def __init__(self, line_class: Callable[..., Line]) -> None:
        self._line_class = line_class
        self._kinds: dict[str, _Kind] = {
            one.name: one.metadata["kind"]
            for one in fields(line_class)  # type: ignore[arg-type]  # it is a record
            if one.name != "extra"
        }
        self.keys = tuple(self._kinds)
        self._validator: SchemaValidator | None = None

    def read(self, row: Mapping[str, Any], requirement: str) -> Line:
        """Return the line of a row. Raises DataError; requirement: as of ``describe_error``."""
        values = dict(row)
        if not self._is_certainly_valid(values):
            values = self._validate(values, requirement)
        return self._line_class(*[values.pop(key, None) for key in self.keys], values)

    def _is_certainly_valid(self, values: Mapping[Any, Any]) -> bool:
        return (
            "problem_id" in values
            and all(map(_is_text, values))
            and all(
                kind.is_valid(values[key]) for key, kind in self._kinds.items() if key in values
            )
        )

    def _validate(self, values: Mapping[str, Any], requirement: str) -> dict[str, Any]:
        from pydantic_core import ValidationError

        if self._validator is None:
            self._validator = self._make_validator()
        try:
            valid_values: dict[str, Any] = self._validator.validate_python(values)
        except ValidationError as error:
            raise DataError(error_text.describe_error(error, requirement, LIMIT_KEYS)) from None
        return valid_values

    def _make_validator(self) -> SchemaValidator:
        from pydantic_core import SchemaValidator, core_schema

        row_schema = core_schema.typed_dict_schema(
            {
                key: core_schema.typed_dict_field(
                    kind.make_schema(core_schema), required=key == "problem_id"
                )
                for key, kind in self._kinds.items()
            },
            extra_behavior="allow",
        )
        return SchemaValidator(row_schema, {"strict": True})


problem_lines, solution_lines = LineReader(ProblemLine), LineReader(SolutionLine)
