"""Reads fields that many sets have besides tests: JSON in texts, statements, programs, samples."""

from __future__ import annotations

import ast
import json
from collections.abc import Collection, Container, Mapping
from contextlib import suppress
from typing import Any

from microcoder_eval.errors import DataError
from microcoder_eval.formats import error_text, jsontext
from microcoder_eval.records import Problem
from microcoder_eval.syntax import parse_tree

from .format import Problems, Row

_MAX_LITERAL = 1 << 18  # characters: Python's parser takes five hundred times their memory


def read_json(row: Row, key: str) -> Any:
    """Return the value under ``key``, parsed if it is text: as JSON, or as Python prints it. Raises
    DataError."""
    value = row.get(key)
    return parse_text(value, f'"{key}"') if isinstance(value, str) else value


def parse_text(text: str, where: str) -> Any:
    """Return the value of a text, which is JSON or what Python prints. Raises DataError."""
    if not text.strip():
        raise DataError(f"{where} is empty")
    try:
        return jsontext.parse_text(text)
    except json.JSONDecodeError as error:
        if text.lstrip().startswith(("{'", "[{'", "['")) and len(text) <= _MAX_LITERAL:
            with suppress(ValueError, SyntaxError, MemoryError, RecursionError):
                return ast.literal_eval(parse_tree(text.strip(), "eval"))
        raise DataError(f"{where} does not hold JSON ({error.msg})") from None


def read_text(row: Row, key: str) -> str:
    """Return the text under ``key``. Raises DataError if there is none."""
    value = row.get(key)
    if isinstance(value, str) and value.strip():
        return value
    raise error_text.wrong_value(f'"{key}" must be text that is not empty', value, row=row)


def read_test_language(row: Row, names: Collection[str]) -> str:
    """Return the row's language, which its tests are in. names: those that are judged. Raises
    DataError for any other."""
    language = row.get("language")
    if isinstance(language, str) and language in names:
        return language
    raise DataError(
        f"tests in {error_text.describe_value(language)} are not judged; judged: {', '.join(names)}"
    )


def get_first_object(values: Any) -> Row:
    """Return the first of a list, such as the first test; an empty object where it is none."""
    first = values[0] if isinstance(values, list) and values else None
    return first if isinstance(first, Mapping) else {}


def read_statement(value: Any) -> str | None:
    """Return a text, or the last user message of a chat."""
    if isinstance(value, list):
        messages = [message for message in value if isinstance(message, Mapping)]
        contents = [message.get("content") for message in messages if message.get("role") == "user"]
        value = contents[-1] if contents else None
    return value if isinstance(value, str) else None


def read_programs(value: Any, verdict: str = "AC") -> list[dict[str, Any]]:
    """Read reference solutions: a list of programs, also as JSON text, or one program."""
    if isinstance(value, str):
        try:
            value = jsontext.parse_text(value)
        except json.JSONDecodeError:
            value = [value]
    if not isinstance(value, list):
        return []
    return [
        {"code": code, "verdict": verdict}
        for code in value
        if isinstance(code, str) and code.strip()
    ]


def read_answers(row: Row, key: str) -> list[str]:
    """Return the text under ``key``, or those of the list under its plural. Raises DataError."""
    texts = row[f"{key}s"] if f"{key}s" in row else [row.get(key)]
    if not isinstance(texts, list) or not all(isinstance(text, str) for text in texts):
        raise DataError(f'a sample needs text in "{key}", or a list of it in "{key}s"')
    return texts


def get_continued(problems: Problems | None, name: Any, key: str) -> Problem:
    """Return the problem whose prompt the text under ``key`` continues. Raises DataError."""
    if problems is None or not isinstance(name, str):
        raise DataError(
            f'"{key}" continues the problem\'s prompt, so the problems must be given too (--tests)'
        )
    return problems.get(name)


def collect_unused(row: Row, used_keys: Container[str]) -> dict[str, Any]:
    """Return the fields that are not used, to be kept in meta."""
    return {key: value for key, value in row.items() if key not in used_keys}
