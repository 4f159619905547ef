"""The named comparers: which methods, in which order, with which options."""

from __future__ import annotations

import difflib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from functools import partial
from typing import Any

from microcoder_eval.errors import ComparerError

from . import calibrated, floats, kattis, lcb, texts, values
from .difference import first_difference

TextMethod = Callable[[bytes, bytes], bool]
ValueMethod = Callable[[Any, Any], bool]
_SHOWN = 80


@dataclass(frozen=True, slots=True)
class Match:
    """What a comparison found.

    method: the strictest method that accepted; None: refused.
    detail: when refused, the first difference in words.
    """

    method: str | None
    detail: str | None


@dataclass(frozen=True, slots=True)
class Comparer:
    """A named comparer: methods in order, strict to lenient; the first that accepts is named."""

    name: str
    options: Mapping[str, Any]
    texts: tuple[tuple[str, TextMethod], ...]
    values: tuple[tuple[str, ValueMethod], ...]
    ignores_bom: bool = False

    @property
    def methods(self) -> tuple[str, ...]:
        """The names of the text methods, strict to lenient."""
        return tuple(name for name, _ in self.texts)

    def text(self, actual: bytes, expected: bytes) -> Match:
        """Compare standard output with what is expected."""
        if actual == expected:
            return Match("exact", None)
        if self.ignores_bom:
            actual, expected = calibrated.without_bom(actual), calibrated.without_bom(expected)
        if bool(actual.strip()) == bool(expected.strip()) or self.name == "exact":
            for name, method in self.texts:
                if method(actual, expected):
                    return Match(name, None)
        return Match(None, first_difference(actual, expected))

    def value(self, actual: object, expected: object) -> Match:
        """Compare the result of a call with what is expected; both plain built-in values."""
        for name, method in self.values:
            if method(actual, expected):
                return Match(name, None)
        return Match(None, f"got {_shown(actual)}, expected {_shown(expected)}")


def _shown(value: object) -> str:
    if isinstance(value, (list, tuple, dict, set, frozenset)) and len(value) > _SHOWN:
        return f"{type(value).__name__} of {len(value)}"
    try:
        text = repr(value)
    except (ValueError, RecursionError):
        text = type(value).__name__
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}…"


@dataclass(frozen=True, slots=True)
class Entry:
    """One line of the table of comparers."""

    about: str
    defaults: Mapping[str, Any]
    make: Callable[
        ..., tuple[tuple[tuple[str, TextMethod], ...], tuple[tuple[str, ValueMethod], ...]]
    ]
    aliases: tuple[str, ...] = ()
    ignores_bom: bool = False


Methods = tuple[tuple[tuple[str, TextMethod], ...], tuple[tuple[str, ValueMethod], ...]]
_EQUAL: tuple[tuple[str, ValueMethod], ...] = (("equal", values.identical),)
_VALUES = (*_EQUAL, ("same_value", values.same_value))


def _exact() -> Methods:
    return (("exact", texts.same_bytes),), _EQUAL


def _lines() -> Methods:
    return (("lines", texts.same_lines),), _VALUES


def _tokens(case_sensitive: bool) -> Methods:
    name, method = ("tokens", texts.same_tokens)
    if not case_sensitive:
        name, method = ("case_insensitive", texts.same_tokens_any_case)
    return ((name, method),), _VALUES


def _floats(abs: Decimal | None, rel: Decimal | None) -> Methods:
    method = partial(floats.same_floats, absolute=abs, relative=rel)
    return (("tokens", texts.same_tokens), ("floats", method)), _VALUES


def _kattis(
    case_sensitive: bool,
    space_change_sensitive: bool,
    float_tolerance: Decimal | None,
    float_absolute_tolerance: Decimal | None,
    float_relative_tolerance: Decimal | None,
) -> Methods:
    method = partial(
        kattis.kattis,
        case_sensitive=case_sensitive,
        space_change_sensitive=space_change_sensitive,
        absolute=_first(float_absolute_tolerance, float_tolerance),
        relative=_first(float_relative_tolerance, float_tolerance),
    )
    return (("kattis", method),), _VALUES


def _first(*given: Decimal | None) -> Decimal | None:
    return next((value for value in given if value is not None), None)


def _lcb() -> Methods:
    return (("lcb", lcb.lcb_text),), (("lcb", lcb.lcb_value),)


def _python() -> Methods:
    return (("exact", texts.same_bytes),), (("python_equal", values.python_equal),)


def _unordered_lines() -> Methods:
    return (("lines", texts.same_lines), ("unordered_lines", texts.same_lines_any_order)), _VALUES


def _unordered_tokens() -> Methods:
    chain = (("tokens", texts.same_tokens), ("unordered_tokens", texts.same_tokens_any_order))
    return chain, _VALUES


def _case_insensitive() -> Methods:
    return _tokens(case_sensitive=False)


def _not_for_drawings(method: TextMethod) -> TextMethod:
    return lambda actual, expected: not calibrated.is_drawing(expected) and method(actual, expected)


def _calibrated() -> Methods:
    chain = (
        ("lines", texts.same_lines),
        ("tokens", _not_for_drawings(texts.same_tokens)),
        ("close_tokens", _not_for_drawings(calibrated.close_tokens)),
        ("literals", _not_for_drawings(calibrated.same_literals)),
    )
    return chain, _VALUES


_TOLERANCE = Decimal("1e-6")
_KATTIS_DEFAULTS: dict[str, Any] = {
    "case_sensitive": False,
    "space_change_sensitive": False,
    "float_tolerance": None,
    "float_absolute_tolerance": None,
    "float_relative_tolerance": None,
}
COMPARERS: dict[str, Entry] = {
    "calibrated": Entry("what an official judge would accept (the default)", {}, _calibrated,
                        ignores_bom=True),
    "case_insensitive": Entry("the same words, upper and lower case alike", {}, _case_insensitive),
    "exact": Entry("equal to the byte", {}, _exact),
    "floats": Entry(
        "words, with a tolerance where a real number is expected",
        {"abs": _TOLERANCE, "rel": _TOLERANCE},
        _floats,
    ),
    "kattis": Entry("Kattis' default validator", _KATTIS_DEFAULTS, _kattis, ("kattis_default",)),
    "lcb": Entry("LiveCodeBench's rules exactly", {}, _lcb),
    "lines": Entry("line by line, trailing white space free", {}, _lines),
    "python": Entry("Python's == on values; text to the byte", {}, _python),
    "tokens": Entry("the same words in the same order", {"case_sensitive": True}, _tokens),
    "unordered_lines": Entry("the same lines in any order", {}, _unordered_lines),
    "unordered_tokens": Entry("the same words in any order", {}, _unordered_tokens),
}  # fmt: skip
_ALIASES = {alias: name for name, entry in COMPARERS.items() for alias in entry.aliases}


def names() -> list[tuple[str, tuple[str, ...], str, dict[str, Any]]]:
    """(name, aliases, what it does, options with defaults) of every comparer."""
    return [(n, e.aliases, e.about, dict(e.defaults)) for n, e in sorted(COMPARERS.items())]


def parse_spec(text: str) -> dict[str, Any]:
    """Read NAME[:key=value,...] into {"name": ..., options}. Raises ComparerError."""
    name, _, rest = text.partition(":")
    spec: dict[str, Any] = {"name": name.strip()}
    for part in filter(None, (part.strip() for part in rest.split(","))):
        key, equals, value = part.partition("=")
        spec[key.strip()] = value.strip() if equals else True
    comparer(spec)
    return spec


def comparer(spec: str | Mapping[str, Any]) -> Comparer:
    """The comparer a name (with options) or a problem's ``checker`` asks for.

    Raises ComparerError naming what exists when there is no such comparer or option.
    """
    if isinstance(spec, str):
        return comparer(parse_spec(spec)) if ":" in spec else comparer({"name": spec})
    if "source" in spec:
        raise ComparerError("checkers given as source are not supported by this version")
    asked = str(spec.get("name"))
    name = _ALIASES.get(asked, asked)
    entry = COMPARERS.get(name)
    if entry is None:
        raise ComparerError(_unknown("comparer", asked, [*COMPARERS, *_ALIASES]))
    options = dict(entry.defaults)
    for key, value in spec.items():
        if key == "name":
            continue
        if key not in entry.defaults:
            raise ComparerError(_unknown(f'option of "{name}"', key, list(entry.defaults)))
        options[key] = _option(key, value, entry.defaults[key])
    text_methods, value_methods = entry.make(**options)
    return Comparer(name, options, text_methods, value_methods, entry.ignores_bom)


def _unknown(what: str, asked: str, known: list[str]) -> str:
    near = difflib.get_close_matches(asked, known, 1)
    hint = f', did you mean "{near[0]}"?' if near else ""
    listed = ", ".join(sorted(known)) or "none"
    return f'no {what} "{asked}"{hint} (there are: {listed})'


def _option(key: str, value: Any, default: Any) -> Any:
    if isinstance(default, bool):
        if isinstance(value, bool):
            return value
        if str(value).lower() in ("true", "1", "yes", "false", "0", "no"):
            return str(value).lower() in ("true", "1", "yes")
        raise ComparerError(f"{key} must be true or false, not {value!r}")
    if value is None or str(value).lower() in ("none", "null", ""):
        return None
    try:
        tolerance = Decimal(str(value))
    except InvalidOperation:
        raise ComparerError(f"{key} must be a number or null, not {value!r}") from None
    if not tolerance.is_finite() or tolerance < 0:
        raise ComparerError(f"{key} must be 0 or more, not {value!r}")
    return tolerance
