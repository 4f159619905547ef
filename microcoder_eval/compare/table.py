"""The table of comparers: what each is for, its options, and its methods from strict to lenient."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from functools import partial
from operator import eq
from typing import Any

from . import calibrated, floats, kattis, lcb, paper, testlib, texts, values
from .comparer import TextMethod, ValueMethod
from .difference import TokenTest
from .numbers import Tolerance


@dataclass(frozen=True, slots=True)
class Methods:
    """What a comparer does, once its options are known."""

    texts: tuple[tuple[str, TextMethod], ...]
    values: tuple[tuple[str, ValueMethod], ...]
    same_token: TokenTest = eq


@dataclass(frozen=True, slots=True)
class Entry:
    """One line of the table."""

    about: str
    make: Callable[..., Methods]
    options: Mapping[str, Any] = field(default_factory=dict)  # name -> default
    aliases: tuple[str, ...] = ()
    ignores_bom: bool = False


_EXACT_TEXT: tuple[str, TextMethod] = ("exact", texts.same_bytes)
_EXACT_VALUE: tuple[str, ValueMethod] = ("exact", values.identical)
# The methods of texts that know no numbers still meet results of calls: equal, no tolerance.
_VALUES = (_EXACT_VALUE, ("same_value", values.same_value))


def _values_within(absolute: float | None, relative: float | None) -> Any:
    close = partial(values.same_value, absolute=absolute, relative=relative)
    return (_EXACT_VALUE, ("same_value", close))


def _exact() -> Methods:
    return Methods((_EXACT_TEXT,), (_EXACT_VALUE,))


def _lines() -> Methods:
    return Methods((_EXACT_TEXT, ("lines", texts.same_lines)), _VALUES)


def _any_case(actual: bytes, expected: bytes) -> bool:
    return actual.lower() == expected.lower()


def _tokens(case_sensitive: bool) -> Methods:
    chain = (_EXACT_TEXT, ("tokens", texts.same_tokens))
    if case_sensitive:
        return Methods(chain, _VALUES)
    folded = (*chain, ("case_insensitive", texts.same_tokens_any_case))
    return Methods(folded, _VALUES, _any_case)


def _floats(abs: float | None, rel: float | None) -> Methods:
    tolerance = Tolerance(_decimal(abs), _decimal(rel))
    chain = (
        _EXACT_TEXT,
        ("tokens", texts.same_tokens),
        ("floats", partial(floats.same_floats, tolerance=tolerance)),
    )
    same = partial(floats.same_float_token, tolerance=tolerance)
    return Methods(chain, _values_within(abs, rel), same)


def _decimal(number: float | None) -> Decimal | None:
    return None if number is None else Decimal(repr(number))


def _kattis(
    case_sensitive: bool,
    space_change_sensitive: bool,
    float_tolerance: float | None,
    float_absolute_tolerance: float | None,
    float_relative_tolerance: float | None,
) -> Methods:
    absolute = _first(float_absolute_tolerance, float_tolerance)
    relative = _first(float_relative_tolerance, float_tolerance)
    flags = kattis.KattisFlags(case_sensitive, space_change_sensitive, absolute, relative)
    return Methods(
        (_EXACT_TEXT, ("kattis", partial(kattis.kattis, flags=flags))),
        _values_within(absolute, relative),
        partial(kattis.same_kattis_token, flags=flags),
    )


def _first(*given: float | None) -> float | None:
    return next((value for value in given if value is not None), None)


def _lcb() -> Methods:
    return Methods((_EXACT_TEXT, ("lcb", lcb.lcb_text)), (("lcb", lcb.lcb_value),))


def _python() -> Methods:
    return Methods((_EXACT_TEXT,), (("python_equal", values.python_equal),))


def _unordered(line: bool) -> Methods:
    strict = ("lines", texts.same_lines) if line else ("tokens", texts.same_tokens)
    free = (
        ("unordered_lines", texts.same_lines_any_order)
        if line
        else ("unordered_tokens", texts.same_tokens_any_order)
    )
    return Methods((_EXACT_TEXT, strict, free), (*_VALUES, ("unordered", values.same_members)))


def _calibrated() -> Methods:
    chain = (
        _EXACT_TEXT,
        ("lines", texts.same_lines),
        ("tokens", calibrated.words),
        ("close_tokens", calibrated.close_tokens),
        ("literals", calibrated.literals),
    )
    epsilon = float(calibrated.EPSILON)
    return Methods(chain, _values_within(epsilon, epsilon), calibrated.same_token)


def _paper() -> Methods:
    chain = (
        _EXACT_TEXT,
        ("stripped", paper.stripped),
        ("stripped_lines", paper.stripped_lines),
        ("single_line", paper.single_line),
        ("split_expected", paper.split_expected),
        ("nonempty_lines", paper.nonempty_lines),
        ("allclose", paper.allclose),
        ("set_of_tokens", paper.set_of_tokens),
        ("sets", paper.sets),
        ("rounded_sets", paper.rounded_sets),
    )
    calls = (
        ("call_equal", paper.call_equal),
        ("call_first", paper.call_first),
        ("call_rows", paper.call_rows),
    )
    return Methods(chain, calls)


def _testlib(name: str, method: TextMethod, about: str) -> tuple[str, Entry]:
    # Not "exact" first: the format counts, 007 is refused where 007 is expected.
    def make() -> Methods:
        same = _any_case if "yesno" in name else eq
        return Methods(((name, method),), _VALUES, same)

    return name, Entry(f"testlib {name}: {about}", make, aliases=(f"testlib_{name}",))


def _doubles(
    name: str, epsilon: float, about: str, *, absolute: bool = False, single: bool = False
) -> tuple[str, Entry]:
    test = testlib.absolute_compare if absolute else testlib.double_compare
    method = partial(testlib.doubles, close=partial(test, epsilon=epsilon), single=single)

    def same(actual: bytes, expected: bytes) -> bool:
        return testlib.doubles(actual, expected, partial(test, epsilon=epsilon), single=True)

    def make() -> Methods:
        relative = None if absolute else epsilon
        return Methods(((name, method),), _values_within(epsilon, relative), same)

    return name, Entry(f"testlib {name}: {about}", make, aliases=(f"testlib_{name}",))


_KATTIS_OPTIONS: dict[str, Any] = {
    "case_sensitive": False,
    "space_change_sensitive": False,
    "float_tolerance": None,
    "float_absolute_tolerance": None,
    "float_relative_tolerance": None,
}
COMPARERS: dict[str, Entry] = {
    "calibrated": Entry(
        "what an official judge would accept (the default)", _calibrated, ignores_bom=True
    ),
    "case_insensitive": Entry(
        "the same words, upper and lower case alike", partial(_tokens, case_sensitive=False)
    ),
    "exact": Entry("equal to the byte", _exact),
    "floats": Entry(
        "words, with a tolerance where a real number is expected",
        _floats,
        {"abs": 1e-6, "rel": 1e-6},
    ),
    "kattis": Entry(
        "Kattis' default validator", _kattis, _KATTIS_OPTIONS, aliases=("kattis_default",)
    ),
    "lcb": Entry("LiveCodeBench's rules exactly", _lcb),
    "lines": Entry("line by line, trailing white space free", _lines),
    "paper": Entry("the paper's chain of fallbacks: for reproduction, accepts too much", _paper),
    "python": Entry("Python's == on values; text to the byte", _python),
    "tokens": Entry("the same words in the same order", _tokens, {"case_sensitive": True}),
    "unordered_lines": Entry("the same lines in any order", partial(_unordered, line=True)),
    "unordered_tokens": Entry("the same words in any order", partial(_unordered, line=False)),
    **dict(
        (
            _testlib("wcmp", testlib.wcmp, "words"),
            _testlib("fcmp", testlib.fcmp, "lines to the byte"),
            _testlib("lcmp", testlib.lcmp, "words, line by line"),
            _testlib("ncmp", testlib.ncmp, "64-bit integers"),
            _testlib("icmp", testlib.icmp, "one 32-bit integer"),
            _testlib("hcmp", testlib.hcmp, "one integer of any length"),
            _testlib("uncmp", testlib.uncmp, "64-bit integers in any order"),
            _testlib("yesno", testlib.yesno, "one YES or NO, any case"),
            _testlib("nyesno", testlib.nyesno, "YES and NO, any case"),
            _doubles("rcmp4", 1e-4, "doubles, 1e-4 absolute or relative"),
            _doubles("rcmp6", 1e-6, "doubles, 1e-6 absolute or relative"),
            _doubles("rcmp9", 1e-9, "doubles, 1e-9 absolute or relative"),
            _doubles("dcmp", 1e-6, "one double, 1e-6 absolute or relative", single=True),
            _doubles("rcmp", 1.5e-6, "one double, 1.5e-6 absolute", absolute=True, single=True),
            _doubles("rncmp", 1.5e-5, "doubles, 1.5e-5 absolute", absolute=True),
        )
    ),
}
