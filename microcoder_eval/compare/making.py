"""Makes comparers by name, from the command line, a setting, or a problem's ``checker``."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from dataclasses import replace
from functools import lru_cache
from typing import Any

from microcoder_eval.errors import ComparerError, suggest

from .comparer import Comparer
from .table import COMPARERS

_ALIASES = {alias: name for name, entry in COMPARERS.items() for alias in entry.aliases}
_NAMES = sorted([*COMPARERS, *_ALIASES])
_BOOLEANS = {"true": True, "1": True, "yes": True, "false": False, "0": False, "no": False}


def parse_spec(text: str) -> dict[str, Any]:
    """Parse NAME[:key=value,...] into {"name": ..., options}. Raises ComparerError.

    A key without a value sets a flag: kattis:case_sensitive.
    """
    name, _, options = text.partition(":")
    spec: dict[str, Any] = {"name": name.strip()}
    for part in filter(None, map(str.strip, options.split(","))):
        key, equals, value = (field.strip() for field in part.partition("="))
        if key in spec:
            raise ComparerError(f'"{key}" is given twice in "{text}"')
        spec[key] = value if equals else True
    _read_spec(spec)
    return spec


def make_comparer(spec: str | Mapping[str, Any]) -> Comparer:
    """Return the comparer that NAME[:key=value,...] or a problem's ``checker`` describes.

    Raises ComparerError for an unknown comparer or option; the message lists the known ones.
    """
    if isinstance(spec, str):
        return _make_by_name(spec)
    name, options = _read_spec(spec)
    comparer = COMPARERS[name].make(**options)
    reporting_method = comparer.reporting_method or comparer.text_methods[-1].name
    return replace(comparer, name=name, options=options, reporting_method=reporting_method)


def _read_spec(spec: Mapping[str, Any]) -> tuple[str, dict[str, Any]]:
    """Return the name of a comparer in the table, and all of its options. Raises ComparerError."""
    if "source" in spec:
        raise ComparerError("a checker given as source is a program, not a comparer: give a name")
    requested = str(spec.get("name", ""))
    name = _ALIASES.get(requested, requested)
    entry = COMPARERS.get(name)
    if entry is None:
        if ":" in requested:
            parse_spec(requested)  # a text in a problem's checker: says which part is wrong
        hint = suggest(requested, _NAMES)
        if re.search(r"[./\s]", requested):
            hint = '; a program of your own is written as {"source": its text}'
        raise ComparerError(f'no comparer "{requested}"{hint}')
    options = dict(entry.options)
    for key, value in spec.items():
        if key == "name":
            continue
        if key not in options:
            hint = suggest(key, sorted(options)) if options else ": it has none"
            raise ComparerError(f'no option "{key}" of "{name}"{hint}')
        options[key] = _parse_option(key, value, entry.options[key])
    return name, options


@lru_cache(maxsize=64)
def _make_by_name(text: str) -> Comparer:
    return make_comparer(parse_spec(text) if ":" in text else {"name": text})


def _parse_option(key: str, value: Any, default: Any) -> Any:
    text = str(value).strip().lower()
    if isinstance(default, bool):
        if text not in _BOOLEANS:
            raise ComparerError(f"{key} must be true or false, not {value!r}")
        return _BOOLEANS[text]
    if text in ("none", "null", ""):
        return None
    try:
        tolerance = math.nan if isinstance(value, bool) or "_" in text else float(text)
    except ValueError:
        tolerance = math.nan
    if not math.isfinite(tolerance) or tolerance < 0:
        raise ComparerError(f"{key} must be a number, 0 or more, or null, not {value!r}")
    return tolerance
