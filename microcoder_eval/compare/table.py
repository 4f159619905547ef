"""The table of comparers: what each is for, its options, and its methods from strict to lenient."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from functools import partial
from typing import Any

from . import calibrated, floats, kattis, lcb, paper, testlib, texts, values
from .blocks import Rule, any_case, identical, lines, words
from .comparer import ValueTest
from .difference import NOT_BLANK, LineView, by_bytes, by_lines, by_members, by_words
from .methods import Objection, TextMethod, TextTest, by_rule, by_test
from .numbers import Tolerance


@dataclass(frozen=True, slots=True)
class Methods:
    """What a comparer does, once its options are known.

    told_by: the method whose objection is told, the most lenient one if empty.
    """

    texts: tuple[TextMethod, ...]
    values: tuple[tuple[str, ValueTest], ...]
    told_by: str = ""


@dataclass(frozen=True, slots=True)
class Entry:
    """One line of the table."""

    about: str
    make: Callable[..., Methods]
    options: Mapping[str, Any] = field(default_factory=dict)  # name -> default
    aliases: tuple[str, ...] = ()
    ignores_bom: bool = False


_EXACT = by_test("exact", texts.same_bytes, by_bytes)
_LINES = by_test("lines", texts.same_lines, by_lines)
_TOKENS = by_rule("tokens", identical)
_EXACT_VALUE: tuple[str, ValueTest] = ("exact", values.identical)
# The methods of texts that know no numbers still meet results of calls: equal, no tolerance.
_VALUES = (_EXACT_VALUE, ("same_value", values.same_value))


def _values_within(absolute: float | None, relative: float | None) -> Any:
    close = partial(values.same_value, absolute=absolute, relative=relative)
    return (_EXACT_VALUE, ("same_value", close))


def _exact() -> Methods:
    return Methods((_EXACT,), (_EXACT_VALUE,))


def _lines() -> Methods:
    return Methods((_EXACT, _LINES), _VALUES)


def _tokens(case_sensitive: bool) -> Methods:
    if case_sensitive:
        return Methods((_EXACT, _TOKENS), _VALUES)
    return Methods((_EXACT, _TOKENS, by_rule("case_insensitive", any_case)), _VALUES)


def _floats(abs: float | None, rel: float | None, case_sensitive: bool) -> Methods:
    tolerance = Tolerance(_decimal(abs), _decimal(rel))
    rule = partial(floats.unlike_floats, tolerance=tolerance, case_sensitive=case_sensitive)
    close = by_rule("floats", rule)
    return Methods((_EXACT, _TOKENS, close), _values_within(abs, rel))


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
    rule = partial(kattis.unlike_kattis, flags=flags)
    gaps = kattis.other_gaps if space_change_sensitive else None
    return Methods((_EXACT, by_rule("kattis", rule, gaps)), _values_within(absolute, relative))


def _first(*given: float | None) -> float | None:
    return next((value for value in given if value is not None), None)


def _lcb() -> Methods:
    view = LineView(lcb.lcb_lines, from_first=True)
    objection = partial(by_lines, rule=lcb.unlike_lines, view=view)
    return Methods((_EXACT, by_test("lcb", lcb.lcb_text, objection)), (("lcb", lcb.lcb_value),))


def _python() -> Methods:
    return Methods((_EXACT,), (("python_equal", values.python_equal),))


def _unordered(line: bool) -> Methods:
    if line:
        name, strict, read, test = (
            "unordered_lines", _LINES, texts.line_keys, texts.same_lines_any_order,
        )  # fmt: skip
    else:
        name, strict, read, test = (
            "unordered_tokens", _TOKENS, words, texts.same_tokens_any_order,
        )  # fmt: skip
    free = by_test(name, test, partial(by_members, read=read))
    return Methods((_EXACT, strict, free), (*_VALUES, ("unordered", values.same_members)))


def _calibrated() -> Methods:
    view = LineView(calibrated.written_lines, NOT_BLANK)
    of_lines = partial(by_lines, rule=calibrated.unlike_lines, view=view)
    chain = (
        _EXACT,
        _LINES,
        by_rule("tokens", identical, calibrated.is_drawing),
        by_rule("close_tokens", calibrated.unlike_tokens, calibrated.is_drawing),
        by_test("literals", calibrated.literals, of_lines),
    )
    epsilon = float(calibrated.EPSILON)
    return Methods(chain, _values_within(epsilon, epsilon), told_by="close_tokens")


def _paper() -> Methods:
    split = partial(by_lines, view=LineView(lines))
    kept = partial(by_lines, view=LineView(calibrated.written_lines, NOT_BLANK))
    chain = (
        _EXACT,
        by_test("stripped", paper.stripped, split),
        by_test("stripped_lines", paper.stripped_lines, split),
        by_test("single_line", paper.single_line, split),
        by_test("split_expected", paper.split_expected, split),
        by_test("nonempty_lines", paper.nonempty_lines, kept),
        by_test("allclose", paper.allclose, kept),
        by_test("set_of_tokens", paper.set_of_tokens, kept),
        by_test("sets", paper.sets, kept),
        by_test("rounded_sets", paper.rounded_sets, kept),
    )
    calls = (
        ("call_equal", paper.call_equal),
        ("call_first", paper.call_first),
        ("call_rows", paper.call_rows),
    )
    return Methods(chain, calls, told_by="nonempty_lines")


def _testlib(name: str, method: TextTest, about: str, objection: Objection) -> tuple[str, Entry]:
    # Not "exact" first: the format counts, 007 is refused where 007 is expected.
    made = Methods((by_test(name, method, objection),), _VALUES)
    return name, Entry(f"testlib {name}: {about}", lambda: made, aliases=(f"testlib_{name}",))


def _testlib_words(name: str, method: TextTest, about: str, rule: Rule[bytes]) -> tuple[str, Entry]:
    return _testlib(name, method, about, partial(by_words, rule=rule))


def _testlib_lines(name: str, method: TextTest, about: str, rule: Rule[bytes]) -> tuple[str, Entry]:
    view = LineView(testlib.lines_of)
    return _testlib(name, method, about, partial(by_lines, rule=rule, view=view))


def _doubles(
    name: str, epsilon: float, about: str, *, absolute: bool = False, single: bool = False
) -> tuple[str, Entry]:
    test = testlib.absolute_compare if absolute else testlib.double_compare
    close = partial(test, epsilon=epsilon)
    method = partial(testlib.doubles, close=close, single=single)
    objection = partial(by_words, rule=partial(testlib.unlike_doubles, close=close))
    calls = _values_within(epsilon, None if absolute else epsilon)
    made = Methods((by_test(name, method, objection),), calls)
    return name, Entry(f"testlib {name}: {about}", lambda: made, aliases=(f"testlib_{name}",))


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
        {"abs": 1e-6, "rel": 1e-6, "case_sensitive": False},
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
            _testlib_words("wcmp", testlib.wcmp, "words", identical),
            _testlib_lines("fcmp", testlib.fcmp, "lines to the byte", identical),
            _testlib_lines("lcmp", testlib.lcmp, "words, line by line", testlib.same_words_a_line),
            _testlib_words("ncmp", testlib.ncmp, "64-bit integers", testlib.unlike_int64),
            _testlib_words("icmp", testlib.icmp, "one 32-bit integer", testlib.unlike_int32),
            _testlib_words(
                "hcmp", testlib.hcmp, "one integer of any length", testlib.unlike_integers
            ),
            _testlib(
                "uncmp",
                testlib.uncmp,
                "64-bit integers in any order",
                partial(by_members, read=testlib.words_of),
            ),
            _testlib_words(
                "yesno", testlib.yesno, "one YES or NO, any case", testlib.unlike_yes_no
            ),
            _testlib_words("nyesno", testlib.nyesno, "YES and NO, any case", testlib.unlike_yes_no),
            _doubles("rcmp4", 1e-4, "doubles, 1e-4 absolute or relative"),
            _doubles("rcmp6", 1e-6, "doubles, 1e-6 absolute or relative"),
            _doubles("rcmp9", 1e-9, "doubles, 1e-9 absolute or relative"),
            _doubles("dcmp", 1e-6, "one double, 1e-6 absolute or relative", single=True),
            _doubles("rcmp", 1.5e-6, "one double, 1.5e-6 absolute", absolute=True, single=True),
            _doubles("rncmp", 1.5e-5, "doubles, 1.5e-5 absolute", absolute=True),
        )
    ),
}
