"""Checks the programs that a problem brings with it: checker, interactor, grader, includes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from microcoder_eval.compare import parse_spec
from microcoder_eval.errors import ComparerError, DataError
from microcoder_eval.languages import CHECKER_LANGUAGES
from microcoder_eval.settings import check_testlib

from . import error_text
from .lines import check_args, check_encodable, check_file_name, check_files

_CHOICES: Mapping[str, Mapping[str, tuple[str, ...]]] = {
    "checker": {"language": CHECKER_LANGUAGES, "protocol": ("python", "testlib", "kattis")},
    "interactor": {"language": CHECKER_LANGUAGES, "protocol": ("testlib", "kattis")},
    "grader": {"language": CHECKER_LANGUAGES},
}
_MAX_PASSES = 1000  # of one test


def read_checker(value: Any) -> Mapping[str, Any] | None:
    """Check a mapping with "name" or "source"; ``compare`` checks whether the name exists."""
    if value is None:
        return None
    if isinstance(value, str):
        value = _read_comparer(value)
    if not isinstance(value, Mapping):
        raise error_text.wrong_value('"checker" must be a name, an object or null', value)
    if ("name" in value) == ("source" in value):
        raise DataError(
            f'"checker" needs either "name" or "source" ({error_text.describe_keys(value)})'
        )
    if "source" in value:
        return read_program(value, "checker")
    if not _is_text(value["name"]):
        requirement = '"checker": "name" must be text that is not empty'
        raise error_text.wrong_value(requirement, value["name"])
    check_encodable(value["name"], "checker.name")
    return dict(value)


def read_interactor(value: Any) -> Mapping[str, Any] | None:
    """Check a mapping with "source"."""
    if value is None:
        return None
    program = read_program(value, "interactor")
    if value.get("checked") not in (None, True, False):
        raise DataError('"interactor": "checked" must be true or false')
    if value.get("checked") and value.get("protocol") != "testlib":
        raise DataError('"interactor": "checked" needs the protocol testlib')
    return program


def read_includes(value: Any) -> Mapping[str, Mapping[str, str]]:
    """Check an object of files by language."""
    if value is None:
        return {}
    if not isinstance(value, Mapping):
        raise error_text.wrong_value('"includes" must be an object of objects', value)
    return {name: check_files(files, f'includes": "{name}') for name, files in value.items()}


def _read_comparer(text: str) -> Mapping[str, Any]:
    """Return NAME or NAME:key=value as a mapping; ``compare`` refuses any other text."""
    try:
        return parse_spec(text) if ":" in text else {"name": text}
    except ComparerError:
        return {"name": text}


def _is_text(value: object) -> bool:
    return isinstance(value, str) and bool(value)


def read_program(value: Any, name: str) -> Mapping[str, Any] | None:
    """Check an object with the source of a program, and its other keys. name: the problem's key
    that holds it."""
    if value is None:
        return None
    if not isinstance(value, Mapping) or not _is_text(value.get("source")):
        raise DataError(
            f'"{name}" must be an object with "source", the text of a program '
            f"({error_text.describe_keys(value)})"
        )
    check_encodable(value["source"], f"{name}.source")
    for option, choices in _CHOICES[name].items():
        if value.get(option) not in (None, *choices):
            requirement = f'"{name}": "{option}" must be one of {", ".join(choices)}'
            raise error_text.wrong_value(requirement, value[option])
    for key, check in (("args", check_args), ("files", check_files), ("file", check_file_name)):
        if value.get(key) is not None:
            check(value[key], f'{name}": "{key}')
    if value.get("protocol") == "testlib":
        check_testlib((value.get("files") or {}).get("testlib.h", ""), f'"{name}": its testlib.h')
    passes = value.get("passes")
    if passes is not None and "protocol" in _CHOICES[name]:
        if not isinstance(passes, int) or isinstance(passes, bool) or not 0 < passes <= _MAX_PASSES:
            requirement = f'"{name}": "passes" must be an integer from 1 to {_MAX_PASSES}'
            raise error_text.wrong_value(requirement, passes)
        if value.get("protocol") not in (None, "kattis"):
            raise DataError(f'"{name}": "passes" need the protocol kattis')
    return dict(value)
