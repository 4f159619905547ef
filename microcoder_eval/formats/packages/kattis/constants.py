"""Constants of problem.yaml, which stand as {{NAME}} or {{NAME.VARIANT}} in a package's programs
and statement; in LaTeX also as \\constant{NAME}.

Source: the problem package format, 2025-09, "Constants".
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import fields, is_dataclass, replace
from typing import Any

from microcoder_eval.formats.packages.package import Package, PackageError

_NAME = r"([A-Za-z_]\w*(?:\.[A-Za-z_]\w*)?)"
_TAG = re.compile(rf"\{{\{{{_NAME}\}}\}}")
_COMMAND = re.compile(rf"\\constant\{{{_NAME}\}}")
# Test data, names and authors hold no constants.
_FILLED_FIELDS = ("statement", "checker", "interactor", "includes", "submissions")


def fill_constants(package: Package, constants: object) -> Package:
    """Return the package with its constants filled in. constants: those of problem.yaml, or None.
    Raises PackageError."""
    if constants is None:
        return package
    if not isinstance(constants, Mapping):
        raise PackageError("problem.yaml: constants must be a mapping")
    texts = dict(_iterate_texts(constants))
    tests = tuple(
        replace(test, checker_args=_fill(test.checker_args, texts)) for test in package.tests
    )
    filled = {name: _fill(getattr(package, name), texts) for name in _FILLED_FIELDS}
    if filled["statement"]:
        filled["statement"] = _replace_names(_COMMAND, filled["statement"], texts)
    return replace(package, tests=tests, **filled)


def _iterate_texts(constants: Mapping[Any, Any]) -> Iterator[tuple[str, str]]:
    """Yield each name, alone and with each variant, and its text. Raises PackageError."""
    for name, value in constants.items():
        variants = value if isinstance(value, Mapping) else {"value": value}
        if "value" not in variants:
            raise PackageError(f'problem.yaml: the constant {name} has no "value"')
        yield str(name), str(variants["value"])
        for variant, text in variants.items():
            yield f"{name}.{variant}", str(text)


def _replace_names(pattern: re.Pattern[str], text: str, texts: Mapping[str, str]) -> str:
    return pattern.sub(lambda match: texts.get(match[1], match[0]), text)


def _fill(value: Any, texts: Mapping[str, str]) -> Any:
    """Return the value with constants filled in; an unknown {{NAME}} stays."""
    if isinstance(value, str):
        return _replace_names(_TAG, value, texts)
    if isinstance(value, tuple):
        return tuple(_fill(item, texts) for item in value)
    if isinstance(value, Mapping):
        return {key: _fill(item, texts) for key, item in value.items()}
    if is_dataclass(value) and not isinstance(value, type):
        changes = {item.name: _fill(getattr(value, item.name), texts) for item in fields(value)}
        return replace(value, **changes)
    return value
