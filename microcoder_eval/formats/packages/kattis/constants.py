"""Constants of problem.yaml, which stand as {{NAME}} in a package's programs and statement.

Source: the problem package format, 2025-09, "Constants".
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import fields, is_dataclass, replace
from typing import Any

from microcoder_eval.formats.packages.package import BrokenPackageError, Package

_TAG = re.compile(r"\{\{([A-Za-z_]\w*)\}\}")
# Test data, names and authors hold no constants.
_FILLED_FIELDS = ("statement", "checker", "interactor", "includes", "submissions")


def fill_constants(package: Package, constants: object) -> Package:
    """Return the package with its constants filled in. constants: those of problem.yaml, or None.
    Raises BrokenPackageError."""
    if constants is None:
        return package
    if not isinstance(constants, Mapping):
        raise BrokenPackageError("problem.yaml: constants must be a mapping")
    texts = {str(name): str(value) for name, value in constants.items()}
    tests = tuple(
        replace(test, checker_args=_fill(test.checker_args, texts)) for test in package.tests
    )
    filled = {name: _fill(getattr(package, name), texts) for name in _FILLED_FIELDS}
    return replace(package, tests=tests, **filled)


def _fill(value: Any, texts: Mapping[str, str]) -> Any:
    """Return the value with constants filled in; an unknown {{NAME}} stays."""
    if isinstance(value, str):
        return _TAG.sub(lambda match: texts.get(match[1], match[0]), value)
    if isinstance(value, tuple):
        return tuple(_fill(item, texts) for item in value)
    if isinstance(value, Mapping):
        return {key: _fill(item, texts) for key, item in value.items()}
    if is_dataclass(value) and not isinstance(value, type):
        changes = {item.name: _fill(getattr(value, item.name), texts) for item in fields(value)}
        return replace(value, **changes)
    return value
