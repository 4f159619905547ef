"""The table of comparers: description, options, and methods from strict to lenient."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import field
from decimal import Decimal
from functools import partial
from typing import Any

from microcoder_sandbox import record

from . import arrays, calibrated, floats, kattis, lcb, paper, testlib, texts, values
from .blocks import FindMismatch, find_unequal, find_unequal_ignoring_case, split_lines, split_words
from .comparer import ValuePredicate
from .difference import (
    NONBLANK_LINE,
    LineReader,
    find_byte_difference,
    find_line_difference,
    find_member_difference,
    find_word_difference,
)
from .methods import FindDifference, TextMethod, TextPredicate, make_text_method, make_word_method
from .numbers import Tolerance


@record
class Methods:
    """The methods of a comparer with given options.

    reporting_method: the method whose objection is reported; empty: the most lenient one.
    """

    text_methods: tuple[TextMethod, ...]
    value_methods: tuple[tuple[str, ValuePredicate], ...]
    reporting_method: str = ""


@record
class Entry:
    """One comparer of the table. options: their defaults by name."""

    description: str
    make_methods: Callable[..., Methods]
    options: Mapping[str, Any] = field(default_factory=dict)
    aliases: tuple[str, ...] = ()
    ignores_bom: bool = False


_EXACT = make_text_method("exact", texts.has_same_bytes, find_byte_difference)
_LINES = make_text_method("lines", texts.has_same_lines, find_line_difference)
_TOKENS = make_word_method("tokens", find_unequal)
_EXACT_VALUE: tuple[str, ValuePredicate] = ("exact", values.is_same_typed_value)
# For results of calls, in comparers without a tolerance.
_VALUES = (_EXACT_VALUE, ("same_value", values.is_same_value))


def _make_value_methods(absolute: float | None, relative: float | None) -> Any:
    same_close_value = partial(values.is_same_value, absolute=absolute, relative=relative)
    return (_EXACT_VALUE, ("same_value", same_close_value))


def _make_exact() -> Methods:
    return Methods((_EXACT,), (_EXACT_VALUE,))


def _make_lines() -> Methods:
    return Methods((_EXACT, _LINES), _VALUES)


def _make_tokens(case_sensitive: bool, line_sensitive: bool) -> Methods:
    if line_sensitive:
        find_mismatch = find_unequal if case_sensitive else find_unequal_ignoring_case
        return Methods(
            (_EXACT, make_word_method("tokens", find_mismatch, texts.breaks_lines_elsewhere)),
            _VALUES,
        )
    if case_sensitive:
        return Methods((_EXACT, _TOKENS), _VALUES)
    return Methods(
        (_EXACT, _TOKENS, make_word_method("case_insensitive", find_unequal_ignoring_case)), _VALUES
    )


def _make_floats(abs: float | None, rel: float | None, case_sensitive: bool) -> Methods:
    tolerance = Tolerance(_convert_to_decimal(abs), _convert_to_decimal(rel))
    find_mismatch = partial(
        floats.find_float_mismatch, tolerance=tolerance, case_sensitive=case_sensitive
    )
    all_match = partial(arrays.words_are_close, tolerance=tolerance)
    float_method = make_word_method("floats", find_mismatch, all_match=all_match)
    return Methods((_EXACT, _TOKENS, float_method), _make_value_methods(abs, rel))


def _convert_to_decimal(number: float | None) -> Decimal | None:
    return None if number is None else Decimal(repr(number))


def _make_kattis(
    case_sensitive: bool,
    space_change_sensitive: bool,
    float_tolerance: float | None,
    float_absolute_tolerance: float | None,
    float_relative_tolerance: float | None,
) -> Methods:
    absolute = _choose_first(float_absolute_tolerance, float_tolerance)
    relative = _choose_first(float_relative_tolerance, float_tolerance)
    flags = kattis.KattisFlags(case_sensitive, space_change_sensitive, absolute, relative)
    find_mismatch = partial(kattis.find_kattis_mismatch, flags=flags)
    is_excluded = kattis.gaps_differ if space_change_sensitive else None
    return Methods(
        (_EXACT, make_word_method("kattis", find_mismatch, is_excluded)),
        _make_value_methods(absolute, relative),
    )


def _choose_first(*candidates: float | None) -> float | None:
    return next((value for value in candidates if value is not None), None)


def _make_lcb() -> Methods:
    line_reader = LineReader(lcb.split_lcb_lines, skips_leading_blanks=True)
    find_difference = partial(
        find_line_difference, find_mismatch=lcb.find_line_mismatch, line_reader=line_reader
    )
    return Methods(
        (_EXACT, make_text_method("lcb", lcb.is_same_lcb_text, find_difference)),
        (("lcb", lcb.is_same_lcb_value),),
    )


def _make_python() -> Methods:
    return Methods((_EXACT,), (("python_equal", values.python_equal),))


def _make_unordered(by_line: bool) -> Methods:
    if by_line:
        name, strict_method, read, predicate = (
            "unordered_lines", _LINES, texts.normalize_lines, texts.has_same_lines_any_order,
        )  # fmt: skip
    else:
        name, strict_method, read, predicate = (
            "unordered_tokens", _TOKENS, split_words, texts.has_same_tokens_any_order,
        )  # fmt: skip
    unordered_method = make_text_method(name, predicate, partial(find_member_difference, read=read))
    return Methods(
        (_EXACT, strict_method, unordered_method),
        (*_VALUES, ("unordered", values.has_same_members)),
    )


def _make_calibrated() -> Methods:
    line_reader = LineReader(calibrated.split_nonblank_lines, NONBLANK_LINE)
    find_difference = partial(
        find_line_difference, find_mismatch=calibrated.find_line_mismatch, line_reader=line_reader
    )
    text_methods = (
        _EXACT,
        _LINES,
        make_word_method("tokens", find_unequal, calibrated.is_drawing),
        make_word_method(
            "close_tokens",
            calibrated.find_token_mismatch,
            calibrated.is_drawing,
            all_match=calibrated.words_are_close,
        ),
        make_text_method("literals", calibrated.lines_match_as_literals, find_difference),
    )
    epsilon = float(calibrated.EPSILON)
    return Methods(
        text_methods, _make_value_methods(epsilon, epsilon), reporting_method="close_tokens"
    )


def _make_paper() -> Methods:
    find_difference = partial(find_line_difference, line_reader=LineReader(split_lines))
    find_nonblank_difference = partial(
        find_line_difference, line_reader=LineReader(calibrated.split_nonblank_lines, NONBLANK_LINE)
    )
    text_methods = (
        _EXACT,
        make_text_method("stripped", paper.equals_stripped, find_difference),
        make_text_method("stripped_lines", paper.equals_stripped_lines, find_difference),
        make_text_method("single_line", paper.equals_single_line, find_difference),
        make_text_method("split_expected", paper.equals_split_expected, find_difference),
        make_text_method("nonempty_lines", paper.equals_nonempty_lines, find_nonblank_difference),
        make_text_method("allclose", paper.all_close, find_nonblank_difference),
        make_text_method("set_of_tokens", paper.equals_set_of_tokens, find_nonblank_difference),
        make_text_method("sets", paper.equals_sets, find_nonblank_difference),
        make_text_method("rounded_sets", paper.equals_rounded_sets, find_nonblank_difference),
    )
    value_methods = (
        ("call_equal", paper.equals_call),
        ("call_first", paper.equals_first_element),
        ("call_rows", paper.equals_rows),
    )
    return Methods(text_methods, value_methods, reporting_method="nonempty_lines")


def _make_testlib_entry(
    name: str, predicate: TextPredicate, description: str, find_difference: FindDifference
) -> tuple[str, Entry]:
    # Without "exact", since the format matters: 007 is refused even if 007 is expected.
    methods = Methods((make_text_method(name, predicate, find_difference),), _VALUES)
    return name, Entry(
        f"testlib {name}: {description}", lambda: methods, aliases=(f"testlib_{name}",)
    )


def _make_testlib_case_entry(
    name: str, description: str, is_item: Callable[[bytes], bool], *, single: bool = False
) -> tuple[str, Entry]:
    predicate = partial(testlib.has_same_cases, is_item=is_item, single=single)
    find_difference = partial(find_word_difference, find_mismatch=find_unequal)
    return _make_testlib_entry(name, predicate, description, find_difference)


def _make_testlib_word_entry(
    name: str, predicate: TextPredicate, description: str, find_mismatch: FindMismatch[bytes]
) -> tuple[str, Entry]:
    return _make_testlib_entry(
        name, predicate, description, partial(find_word_difference, find_mismatch=find_mismatch)
    )


def _make_testlib_line_entry(
    name: str, predicate: TextPredicate, description: str, find_mismatch: FindMismatch[bytes]
) -> tuple[str, Entry]:
    line_reader = LineReader(testlib.read_lines)
    return _make_testlib_entry(
        name,
        predicate,
        description,
        partial(find_line_difference, find_mismatch=find_mismatch, line_reader=line_reader),
    )


def _make_testlib_double_entry(
    name: str, epsilon: float, description: str, *, absolute: bool = False, single: bool = False
) -> tuple[str, Entry]:
    compare = testlib.absolute_compare if absolute else testlib.double_compare
    is_close = partial(compare, epsilon=epsilon)
    predicate = partial(testlib.has_same_doubles, is_close=is_close, single=single)
    find_difference = partial(
        find_word_difference, find_mismatch=partial(testlib.find_double_mismatch, is_close=is_close)
    )
    value_methods = _make_value_methods(epsilon, None if absolute else epsilon)
    methods = Methods((make_text_method(name, predicate, find_difference),), value_methods)
    return name, Entry(
        f"testlib {name}: {description}", lambda: methods, aliases=(f"testlib_{name}",)
    )


_KATTIS_OPTIONS: dict[str, Any] = {
    "case_sensitive": False,
    "space_change_sensitive": False,
    "float_tolerance": None,
    "float_absolute_tolerance": None,
    "float_relative_tolerance": None,
}
COMPARERS: dict[str, Entry] = {
    "calibrated": Entry(
        "what an official judge would accept (the default)", _make_calibrated, ignores_bom=True
    ),
    "case_insensitive": Entry(
        "the same words, upper and lower case alike",
        partial(_make_tokens, case_sensitive=False, line_sensitive=False),
    ),
    "exact": Entry("equal to the byte", _make_exact),
    "floats": Entry(
        "words, with a tolerance where a real number is expected",
        _make_floats,
        {"abs": 1e-6, "rel": 1e-6, "case_sensitive": False},
    ),
    "kattis": Entry(
        "Kattis' default validator", _make_kattis, _KATTIS_OPTIONS, aliases=("kattis_default",)
    ),
    "lcb": Entry("LiveCodeBench's rules exactly", _make_lcb),
    "lines": Entry("line by line, except for trailing white space", _make_lines),
    "paper": Entry(
        "the paper's chain of fallbacks: for reproduction, accepts too much", _make_paper
    ),
    "python": Entry("Python's == on values; text to the byte", _make_python),
    "tokens": Entry(
        "the same words in the same order",
        _make_tokens,
        {"case_sensitive": True, "line_sensitive": False},
    ),
    "unordered_lines": Entry("the same lines in any order", partial(_make_unordered, by_line=True)),
    "unordered_tokens": Entry(
        "the same words in any order", partial(_make_unordered, by_line=False)
    ),
    **dict(
        (
            _make_testlib_word_entry("wcmp", testlib.wcmp, "words", find_unequal),
            _make_testlib_line_entry("fcmp", testlib.fcmp, "lines to the byte", find_unequal),
            _make_testlib_line_entry(
                "lcmp", testlib.lcmp, "words, line by line", testlib.find_line_words_mismatch
            ),
            _make_testlib_word_entry(
                "ncmp", testlib.ncmp, "64-bit integers", testlib.find_int64_mismatch
            ),
            _make_testlib_word_entry(
                "icmp", testlib.icmp, "one 32-bit integer", testlib.find_int32_mismatch
            ),
            _make_testlib_word_entry(
                "hcmp", testlib.hcmp, "one integer of any length", testlib.find_integer_mismatch
            ),
            _make_testlib_entry(
                "uncmp",
                testlib.uncmp,
                "64-bit integers in any order",
                partial(find_member_difference, read=testlib.read_words),
            ),
            _make_testlib_word_entry(
                "yesno", testlib.yesno, "one YES or NO, any case", testlib.find_yes_no_mismatch
            ),
            _make_testlib_word_entry(
                "nyesno", testlib.nyesno, "YES and NO, any case", testlib.find_yes_no_mismatch
            ),
            _make_testlib_double_entry("rcmp4", 1e-4, "doubles, 1e-4 absolute or relative"),
            _make_testlib_double_entry("rcmp6", 1e-6, "doubles, 1e-6 absolute or relative"),
            _make_testlib_double_entry("rcmp9", 1e-9, "doubles, 1e-9 absolute or relative"),
            _make_testlib_double_entry(
                "dcmp", 1e-6, "one double, 1e-6 absolute or relative", single=True
            ),
            _make_testlib_double_entry(
                "rcmp", 1.5e-6, "one double, 1.5e-6 absolute", absolute=True, single=True
            ),
            _make_testlib_double_entry(
                "acmp", 1.5e-6, "one double, 1.5e-6 absolute", absolute=True, single=True
            ),
            _make_testlib_case_entry("casewcmp", "words of cases", lambda _word: True),
            _make_testlib_case_entry("casencmp", "64-bit integers of cases", testlib.is_int64),
            _make_testlib_case_entry(
                "caseicmp", "a 64-bit integer of each case", testlib.is_int64, single=True
            ),
            _make_testlib_double_entry("rncmp", 1.5e-5, "doubles, 1.5e-5 absolute", absolute=True),
        )
    ),
}
