"""Turns one object of our own format into a Problem or a Solution (design: records and files).

Every other format is first rewritten into this one, so that the rules stand in one place.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from pydantic import BaseModel, ValidationError

from microcoder_eval.errors import DataError
from microcoder_eval.formats import words
from microcoder_eval.formats.assertions import style_of
from microcoder_eval.formats.models import (
    TESTS,
    LimitsLine,
    ProblemLine,
    SolutionLine,
    TestLine,
)
from microcoder_eval.languages import NAMES, find_language
from microcoder_eval.records import Kind, Limits, Problem, Solution, Test
from microcoder_sandbox import codec

_CALL_OF_CLASS = re.compile(r"^([^\W\d]\w*)\(\s*\)\.")
_EACH_TEST = 'each test needs "input" and "output"'
_INTERACTOR_CHOICES = {"language": ("python", "cpp"), "protocol": ("testlib", "kattis")}
_CHECKER_CHOICES = {"language": ("python", "cpp"), "protocol": ("python", "testlib", "kattis")}


def problem(obj: Mapping[str, Any]) -> Problem:
    """The problem written in ``obj``. Raises DataError that names the problem."""
    try:
        line = ProblemLine.model_validate(dict(obj))
        _check_texts(line)
        return _problem(line)
    except ValidationError as error:
        known = tuple(LimitsLine.model_fields)
        message = words.sentence(error, 'each problem needs "problem_id" and "tests"', known)
        raise DataError(named(obj, message)) from None
    except DataError as error:
        raise DataError(named(obj, error.message)) from None


def named(obj: Mapping[str, Any], message: str) -> str:
    """The message, after the name of the problem where the object has one."""
    name = obj.get("problem_id")
    if not isinstance(name, str) or not name:
        return message
    return f'problem "{words.brief(name, 80)}": {message}'


def _is_text(value: object) -> bool:
    return isinstance(value, str) and bool(value)


def _problem(line: ProblemLine) -> Problem:
    kind = _kind(line)
    style = line.test_style
    if kind is Kind.ASSERT:
        found = style_of(line.test_code or "")  # also the proof that it can fail at all
        style = style or found  # type: ignore[assignment]  # one of the four words
    limits = line.limits or LimitsLine()
    return Problem(
        problem_id=line.problem_id,
        kind=kind,
        tests=() if kind is Kind.ASSERT else _tests(line.tests or [], kind),
        entry_point=_entry_point(line.entry_point, kind),
        test_code=line.test_code,
        test_style=style,
        limits=Limits(
            limits.time_s, limits.wall_s, limits.memory_mb, limits.output_mb, limits.files_mb
        ),
        checker=_checker(line.checker),
        interactor=_interactor(line.interactor, kind),
        statement=line.statement,
        starter_code=line.starter_code,
        platform=line.platform,
        difficulty=_difficulty(line.difficulty),
        date=line.date,
        solutions=tuple(line.solutions or ()),
        meta=_meta(line.model_extra),
    )


def _kind(line: ProblemLine) -> Kind:
    if line.kind is not None:
        kind = Kind(line.kind)
    elif line.test_code is not None:
        kind = Kind.ASSERT
    else:
        kind = _kind_of_tests(line.tests)
    if kind is Kind.ASSERT and not (line.test_code or "").strip():
        raise DataError('kind "assert" needs "test_code" with at least one assertion')
    if kind is not Kind.ASSERT and not line.tests:
        raise DataError(f'there is no test in "tests"; kind "{kind}" needs at least one')
    return kind


def _kind_of_tests(tests: list[Any] | None) -> Kind:
    if not tests:
        raise DataError('there is neither a test in "tests" nor "test_code"; give one of them')
    first = tests[0].get("input") if isinstance(tests[0], dict) else None
    # Whatever is neither list nor string is told precisely when the tests are read.
    return Kind.CALL if isinstance(first, list) else Kind.STDIN


def _tests(rows: list[Any], kind: Kind) -> tuple[Test, ...]:
    try:
        lines = TESTS.validate_python(rows)
    except ValidationError as error:
        raise DataError(_test_fault(error)) from None
    tests: list[Test] = []
    for number, line in enumerate(lines, start=1):
        try:
            if kind is Kind.STDIN:
                tests.append(Test(_text(line.input, "input"), _text(line.output, "output")))
            else:
                tests.append(_call(line))
        except DataError as error:
            raise DataError(f"test {number}: {error.message}") from None
        except ValueError as error:
            raise DataError(f"test {number}: {error}") from None
    return tuple(tests)


def _test_fault(error: ValidationError) -> str:
    first = error.errors(include_url=False)[0]
    number = first["loc"][0]
    assert isinstance(number, int)
    if first["type"] == "missing":
        found = words.keys_of(first["input"])
        return f'test {number + 1} has no "{first["loc"][1]}" ({found}); {_EACH_TEST}'
    return f"test {number + 1} is {words.described(first['input'])}; {_EACH_TEST}"


def _text(value: Any, key: str) -> str:
    if not isinstance(value, str):
        raise DataError(
            f'"{key}" must be a string for kind "stdin", not {words.described(value)}; '
            'functions are tested with kind "call" and a list of arguments'
        )
    if not value.isascii():
        encodable(value, key)
    return value


def encodable(text: str, key: str) -> None:
    """Raise DataError where ``text`` holds half of a surrogate pair: no file can hold that."""
    try:
        text.encode("utf-8")
    except UnicodeEncodeError as error:
        raise DataError(
            f'"{key}" has half of a surrogate pair (\\u{ord(text[error.start]):04x}) at character '
            f"{error.start + 1}, which UTF-8 cannot hold; write the whole character"
        ) from None


def _call(line: TestLine) -> Test:
    test = Test(_arguments(line.input), codec.from_json(line.output))
    try:  # what cannot cross the cage's border (nested too deeply) is told here and not later
        codec.to_json([test.input, test.output])
    except codec.NotEncodableError as error:
        raise DataError(str(error)) from None
    return test


def _check_texts(line: BaseModel) -> None:
    # pydantic lets such text pass; hashing it or handing it to a program would fail much later.
    for key in type(line).model_fields:
        value = getattr(line, key)
        if isinstance(value, str) and not value.isascii():
            encodable(value, key)


def _arguments(value: Any) -> list[Any]:
    arguments = codec.from_json(value)
    if not isinstance(arguments, list):
        raise DataError(
            f'"input" must be the list of arguments for kind "call", not {words.described(value)}'
        )
    return arguments


def _entry_point(name: str | None, kind: Kind) -> str | None:
    if name is not None:
        name = _CALL_OF_CLASS.sub(r"\1.", name.strip()) or None
    if kind is not Kind.CALL:
        return name
    if name is None:
        raise DataError(
            'kind "call" needs "entry_point", the function to call: "name" or "Solution.name"'
        )
    parts = name.split(".")
    if len(parts) > 2 or not all(map(str.isidentifier, parts)):
        raise DataError(
            f'"entry_point" must be "name" or "Solution.name", not "{words.brief(name, 60)}"'
        )
    return name


def _checker(value: Any) -> Mapping[str, Any] | None:
    """A mapping with "name" or "source"; whether the name exists is for the comparers to say."""
    if value is None:
        return None
    if isinstance(value, str):
        value = {"name": value}
    if not isinstance(value, Mapping):
        raise DataError(
            f'"checker" must be a name, an object or null, not {words.described(value)}'
        )
    if ("name" in value) == ("source" in value):
        raise DataError(f'"checker" needs either "name" or "source" ({words.keys_of(value)})')
    key = "name" if "name" in value else "source"
    if isinstance(value[key], str):
        encodable(value[key], f"checker.{key}")
    if not _is_text(value[key]):
        raise DataError(
            f'"checker": "{key}" must be text that is not empty, not {words.described(value[key])}'
        )
    for option, choices in _CHECKER_CHOICES.items() if key == "source" else ():
        if value.get(option) not in (None, *choices):
            raise DataError(
                f'"checker": "{option}" must be one of {", ".join(choices)}, '
                f"not {words.described(value[option])}"
            )
    return dict(value)


def _interactor(value: Any, kind: Kind) -> Mapping[str, Any] | None:
    """A mapping with "source", for problems of text."""
    if value is None:
        return None
    if kind is not Kind.STDIN:
        raise DataError(f'"interactor": only stdin problems have one, this is a {kind} problem')
    if not isinstance(value, Mapping):
        raise DataError(f'"interactor" must be an object or null, not {words.described(value)}')
    if not _is_text(value.get("source")):
        raise DataError(f'"interactor" needs "source" ({words.keys_of(value)})')
    encodable(value["source"], "interactor.source")
    for option, choices in _INTERACTOR_CHOICES.items():
        if value.get(option) not in (None, *choices):
            raise DataError(
                f'"interactor": "{option}" must be one of {", ".join(choices)}, '
                f"not {words.described(value[option])}"
            )
    return dict(value)


def _difficulty(value: Any) -> str | None:
    # Codeforces rates with numbers, the others with words; reports group by it as text.
    if isinstance(value, str):
        return value
    if value is None:
        return None
    if isinstance(value, int | float) and not isinstance(value, bool):
        return str(value) if abs(value) < 1e15 else words.described(value)
    raise DataError(f'"difficulty" must be a string, not {words.described(value)}')


def _meta(extra: Mapping[str, Any] | None) -> Mapping[str, Any]:
    """The unknown keys. An object called "meta" is merged: records written out come back equal.

    Raises DataError for what could be read but not be written to the results again.
    """
    rest = dict(extra or {})
    inner = rest.get("meta")
    if isinstance(inner, dict):
        del rest["meta"]
        rest = {**inner, **rest}
    try:
        codec.to_json({"meta": rest})
    except codec.NotEncodableError as error:
        raise DataError(f"the keys that are carried along: {error}") from None
    return rest


def solution(obj: Mapping[str, Any], default_id: str | None, language: str = "python") -> Solution:
    """The solution written in ``obj``; ``default_id`` and ``language`` where it names none.
    Raises DataError."""
    try:
        line = SolutionLine.model_validate(dict(obj))
    except ValidationError as error:
        needs = 'each solution needs "problem_id", and "code" or "response"'
        raise DataError(words.sentence(error, needs)) from None
    _check_texts(line)
    solution_id = line.solution_id or default_id
    if solution_id is None:
        raise DataError('no "solution_id", and no place in a file to make one from')
    if line.code is None and line.response is None:
        raise DataError(
            f'neither "code" (a program) nor "response" (a model\'s answer) '
            f"({words.keys_of(obj)}); give one of them"
        )
    if line.code is not None and line.response is not None:
        raise DataError(
            'both "code" and "response"; keep "code" to judge the program as it is, '
            'or "response" to extract it from the answer'
        )
    return Solution(
        problem_id=line.problem_id,
        solution_id=solution_id,
        code=line.code,
        response=line.response,
        language=_language(language if line.language is None else line.language),
        meta=_meta(line.model_extra),
    )


def _language(name: str) -> str:
    language = find_language(name)
    if language is None:
        raise DataError(
            f'language "{words.brief(name, 40)}" is not supported; supported: {", ".join(NAMES)}'
        )
    return language.name
