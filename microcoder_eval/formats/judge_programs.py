"""Checks the programs that a problem brings with it: checker, interactor, grader, includes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from microcoder_eval.compare import parse_spec
from microcoder_eval.errors import ComparerError, DataError
from microcoder_eval.languages import CHECKER_LANGUAGES
from microcoder_eval.records import Kind

from . import error_text
from .values import check_args, check_encodable, check_file_name, check_files

_INTERACTOR_CHOICES = {"language": CHECKER_LANGUAGES, "protocol": ("testlib", "kattis")}
_MAX_PASSES = 1000  # of one test
_CHECKER_CHOICES = {"language": CHECKER_LANGUAGES, "protocol": ("python", "testlib", "kattis")}


def read_checker(value: Any) -> Mapping[str, Any] | None:
    """Check a mapping with "name" or "source"; ``compare`` checks whether the name exists."""
    if value is None:
        return None
    if isinstance(value, str):
        value = _read_comparer(value)
    if not isinstance(value, Mapping):
        raise DataError(
            f'"checker" must be a name, an object or null, not {error_text.describe_value(value)}'
        )
    if ("name" in value) == ("source" in value):
        raise DataError(
            f'"checker" needs either "name" or "source" ({error_text.describe_keys(value)})'
        )
    key = "name" if "name" in value else "source"
    if not _is_text(value[key]):
        raise DataError(
            f'"checker": "{key}" must be text that is not empty, not '
            f"{error_text.describe_value(value[key])}"
        )
    check_encodable(value[key], f"checker.{key}")
    if key == "source":
        _check_choices(value, "checker", _CHECKER_CHOICES)
        _check_program(value, "checker")
        _check_passes(value, "checker")
    return dict(value)


def read_interactor(value: Any, kind: Kind) -> Mapping[str, Any] | None:
    """Check a mapping with "source"; only stdin problems may have one."""
    if value is None:
        return None
    if kind is not Kind.STDIN:
        raise DataError(f'"interactor": only stdin problems have one, this is a {kind} problem')
    if not isinstance(value, Mapping):
        raise DataError(
            f'"interactor" must be an object or null, not {error_text.describe_value(value)}'
        )
    if not _is_text(value.get("source")):
        raise DataError(f'"interactor" needs "source" ({error_text.describe_keys(value)})')
    check_encodable(value["source"], "interactor.source")
    _check_choices(value, "interactor", _INTERACTOR_CHOICES)
    _check_program(value, "interactor")
    _check_passes(value, "interactor")
    if value.get("checked") not in (None, True, False):
        raise DataError('"interactor": "checked" must be true or false')
    if value.get("checked") and value.get("protocol") != "testlib":
        raise DataError('"interactor": "checked" needs the protocol testlib')
    return dict(value)


def read_grader(value: Any) -> Mapping[str, Any] | None:
    """Check a mapping with "source": a program that decides groups."""
    if value is None:
        return None
    if not isinstance(value, Mapping) or not _is_text(value.get("source")):
        raise DataError('"grader" must be an object with "source", the text of a program')
    check_encodable(value["source"], "grader.source")
    _check_choices(value, "grader", {"language": CHECKER_LANGUAGES})
    _check_program(value, "grader")
    return dict(value)


def read_includes(value: Any, kind: Kind) -> Mapping[str, Mapping[str, str]]:
    """Check an object of files by language; only stdin problems may have one."""
    if value is None or value == {}:
        return {}
    if kind is not Kind.STDIN:
        raise DataError(f'"includes": only stdin problems have them, this is a {kind} problem')
    if not isinstance(value, Mapping):
        raise DataError(
            f'"includes" must be an object of objects, not {error_text.describe_value(value)}'
        )
    return {name: check_files(files, f'includes": "{name}') for name, files in value.items()}


def _read_comparer(text: str) -> Mapping[str, Any]:
    """NAME or NAME:key=value as a mapping; ``compare`` says what is wrong with one that is none."""
    try:
        return parse_spec(text) if ":" in text else {"name": text}
    except ComparerError:
        return {"name": text}


def _is_text(value: object) -> bool:
    return isinstance(value, str) and bool(value)


def _check_choices(
    value: Mapping[str, Any], name: str, choices_by_option: Mapping[str, tuple[str, ...]]
) -> None:
    for option, choices in choices_by_option.items():
        if value.get(option) not in (None, *choices):
            raise DataError(
                f'"{name}": "{option}" must be one of {", ".join(choices)}, '
                f"not {error_text.describe_value(value[option])}"
            )


def _check_program(value: Mapping[str, Any], name: str) -> None:
    """Check what a checker or interactor has besides its source."""
    if value.get("args") is not None:
        check_args(value["args"], f'{name}": "args')
    if value.get("files") is not None:
        check_files(value["files"], f'{name}": "files')
    if value.get("file") is not None:
        check_file_name(value["file"], f'{name}": "file')


def _check_passes(value: Mapping[str, Any], name: str) -> None:
    passes = value.get("passes")
    if passes is None:
        return
    if not isinstance(passes, int) or isinstance(passes, bool) or not 0 < passes <= _MAX_PASSES:
        raise DataError(
            f'"{name}": "passes" must be an integer from 1 to {_MAX_PASSES}, not '
            f"{error_text.describe_value(passes)}"
        )
    if value.get("protocol") != "kattis":
        raise DataError(f'"{name}": "passes" need the protocol kattis')
