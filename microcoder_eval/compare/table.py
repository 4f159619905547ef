"""The table of comparers: description, options, and methods from strict to lenient."""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping
from dataclasses import field
from decimal import Decimal
from functools import partial
from typing import Any

from microcoder_sandbox import record

from . import arrays, calibrated, kattis, lcb, paper, testlib, texts, values
from .blocks import (
    Blocks,
    FindMismatch,
    find_unequal,
    find_unequal_ignoring_case,
    is_same_multiset,
    split_lines,
    split_words,
)
from .comparer import (
    Comparer,
    FindDifference,
    TextMethod,
    TextPredicate,
    ValuePredicate,
    make_text_method,
    make_word_method,
)
from .difference import (
    NONBLANK_LINE,
    LineReader,
    find_byte_difference,
    find_line_difference,
    find_member_difference,
    find_word_difference,
)
from .numbers import Tolerance, find_float_mismatch

ReadBlocks = Callable[[bytes], Blocks[bytes]]
ValueMethods = tuple[tuple[str, ValuePredicate], ...]


@record
class Entry:
    """One comparer of the table. make: makes it with given options. options: their defaults by
    name."""

    description: str
    make: Callable[..., Comparer]
    options: Mapping[str, Any] = field(default_factory=dict)
    aliases: tuple[str, ...] = ()


_EXACT = make_text_method("exact", operator.eq, find_byte_difference)
_LINES = make_text_method("lines", texts.has_same_lines, find_line_difference)
_TOKENS = make_word_method("tokens", find_unequal)
_find_nonblank_difference = partial(
    find_line_difference, line_reader=LineReader(calibrated.split_nonblank_lines, NONBLANK_LINE)
)
_EXACT_VALUE: tuple[str, ValuePredicate] = ("exact", values.is_same_typed_value)


def _make_value_methods(is_close: values.IsClose | None = None) -> ValueMethods:
    """is_close: the rule of the comparer's texts for two numbers."""
    return (_EXACT_VALUE, ("same_value", partial(values.is_same_value, is_close=is_close)))


_VALUES = _make_value_methods()  # the value methods of comparers without a tolerance


def _make_tokens(case_sensitive: bool, line_sensitive: bool) -> Comparer:
    if line_sensitive:
        find_mismatch = find_unequal if case_sensitive else find_unequal_ignoring_case
        method = make_word_method("tokens", find_mismatch, texts.breaks_lines_elsewhere)
        return Comparer((_EXACT, method), _VALUES)
    insensitive = make_word_method("case_insensitive", find_unequal_ignoring_case)
    return Comparer((_EXACT, _TOKENS, *(() if case_sensitive else (insensitive,))), _VALUES)


def _make_floats(abs: float | None, rel: float | None, case_sensitive: bool) -> Comparer:
    tolerance = Tolerance(_convert_to_decimal(abs), _convert_to_decimal(rel))
    find_mismatch = partial(find_float_mismatch, tolerance=tolerance, case_sensitive=case_sensitive)
    all_match = partial(arrays.words_are_close, tolerance=tolerance)
    float_method = make_word_method("floats", find_mismatch, all_match=all_match)
    return Comparer((_EXACT, _TOKENS, float_method), _make_value_methods(tolerance.covers_number))


def _convert_to_decimal(number: float | None) -> Decimal | None:
    return None if number is None else Decimal(repr(number))


def _make_kattis(
    case_sensitive: bool,
    space_change_sensitive: bool,
    float_tolerance: float | None,
    float_absolute_tolerance: float | None,
    float_relative_tolerance: float | None,
) -> Comparer:
    absolute = float_tolerance if float_absolute_tolerance is None else float_absolute_tolerance
    relative = float_tolerance if float_relative_tolerance is None else float_relative_tolerance
    find_mismatch = partial(
        kattis.find_kattis_mismatch,
        case_sensitive=case_sensitive,
        absolute=absolute,
        relative=relative,
    )
    is_excluded = kattis.gaps_differ if space_change_sensitive else None
    return Comparer(
        (_EXACT, make_word_method("kattis", find_mismatch, is_excluded)),
        _make_value_methods(partial(kattis.is_close, absolute=absolute, relative=relative)),
    )


def _make_lcb() -> Comparer:
    line_reader = LineReader(lcb.split_lcb_lines, skips_leading_blanks=True)
    find_difference = partial(
        find_line_difference, find_mismatch=lcb.find_line_mismatch, line_reader=line_reader
    )
    return Comparer(
        (_EXACT, make_text_method("lcb", lcb.is_same_lcb_text, find_difference)),
        (("lcb", lcb.is_same_lcb_value),),
    )


def _make_unordered(name: str, strict_method: TextMethod, read: ReadBlocks) -> Comparer:
    """name: of the method that accepts any order of what ``read`` splits an output into."""

    def accepts(actual: bytes, expected: bytes) -> bool:
        return is_same_multiset(read(actual), read(expected))

    method = make_text_method(name, accepts, partial(find_member_difference, read=read))
    value_methods = (*_VALUES, ("unordered", values.has_same_members))
    return Comparer((_EXACT, strict_method, method), value_methods)


def _make_calibrated() -> Comparer:
    find_difference = partial(
        _find_nonblank_difference, find_mismatch=calibrated.find_line_mismatch
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
    value_methods = _make_value_methods(calibrated.is_close)
    return Comparer(text_methods, value_methods, "close_tokens", ignores_bom=True)


def _make_paper() -> Comparer:
    find_difference = partial(find_line_difference, line_reader=LineReader(split_lines))
    steps: tuple[tuple[str, TextPredicate, FindDifference], ...] = (
        ("stripped", paper.equals_stripped, find_difference),
        ("stripped_lines", paper.equals_stripped_lines, find_difference),
        ("split_expected", paper.equals_split_expected, find_difference),
        ("nonempty_lines", paper.equals_nonempty_lines, _find_nonblank_difference),
        ("allclose", paper.all_close, _find_nonblank_difference),
        ("sets", paper.equals_sets, _find_nonblank_difference),
        ("rounded_sets", paper.equals_rounded_sets, _find_nonblank_difference),
    )
    text_methods = (_EXACT, *(make_text_method(*step) for step in steps))
    value_methods = (
        ("call_equal", paper.equals_call),
        ("call_first", paper.equals_first_element),
        ("call_rows", paper.equals_rows),
    )
    return Comparer(text_methods, value_methods, reporting_method="nonempty_lines")


# A checker of testlib: what it accepts, what it says of an output that it refuses, and how values
# are compared.
_Rules = tuple[TextPredicate, FindDifference, ValueMethods]


def _make_word_rules(
    find_mismatch: FindMismatch[bytes],
    *,
    single: bool = False,
    value_methods: ValueMethods = _VALUES,
) -> _Rules:
    """single: exactly one word is expected."""
    return (
        partial(testlib.has_same_words, find_mismatch=find_mismatch, single=single),
        partial(find_word_difference, find_mismatch=find_mismatch),
        value_methods,
    )


def _make_double_rules(
    epsilon: float, *, is_absolute: bool = False, single: bool = False
) -> _Rules:
    compare = testlib.absolute_compare if is_absolute else testlib.double_compare
    is_close = partial(compare, epsilon=epsilon)
    return _make_word_rules(
        partial(testlib.find_double_mismatch, is_close=is_close),
        single=single,
        value_methods=_make_value_methods(is_close),
    )


def _make_case_rules(is_item: Callable[[bytes], bool], *, single: bool = False) -> _Rules:
    """is_item: whether a word may be in a case. single: whether each case has one."""
    accepts = partial(testlib.has_same_cases, is_item=is_item, single=single)
    return accepts, find_word_difference, _VALUES


def _make_line_rules(find_mismatch: FindMismatch[bytes]) -> _Rules:
    find_difference = partial(
        find_line_difference,
        find_mismatch=find_mismatch,
        line_reader=LineReader(testlib.read_lines),
    )
    return partial(testlib.has_same_lines, find_mismatch=find_mismatch), find_difference, _VALUES


_UNORDERED_INTEGERS: _Rules = (
    testlib.has_same_integers_any_order,
    partial(find_member_difference, read=testlib.read_words),
    _VALUES,
)
_TESTLIB: dict[str, tuple[str, _Rules]] = {
    "wcmp": ("words", _make_word_rules(find_unequal)),
    "ncmp": ("64-bit integers", _make_word_rules(testlib.find_int64_mismatch)),
    "icmp": ("one 32-bit integer", _make_word_rules(testlib.find_int32_mismatch, single=True)),
    "hcmp": (
        "one integer of any length",
        _make_word_rules(testlib.find_integer_mismatch, single=True),
    ),
    "yesno": (
        "one YES or NO, any case",
        _make_word_rules(testlib.find_yes_no_mismatch, single=True),
    ),
    "nyesno": ("YES and NO, any case", _make_word_rules(testlib.find_yes_no_mismatch)),
    "rcmp4": ("doubles, 1e-4 absolute or relative", _make_double_rules(1e-4)),
    "rcmp6": ("doubles, 1e-6 absolute or relative", _make_double_rules(1e-6)),
    "rcmp9": ("doubles, 1e-9 absolute or relative", _make_double_rules(1e-9)),
    "dcmp": ("one double, 1e-6 absolute or relative", _make_double_rules(1e-6, single=True)),
    **dict.fromkeys(
        ("rcmp", "acmp"),
        ("one double, 1.5e-6 absolute", _make_double_rules(1.5e-6, is_absolute=True, single=True)),
    ),
    "rncmp": ("doubles, 1.5e-5 absolute", _make_double_rules(1.5e-5, is_absolute=True)),
    "casewcmp": ("words of cases", _make_case_rules(lambda _word: True)),
    "casencmp": ("64-bit integers of cases", _make_case_rules(testlib.is_int64)),
    "caseicmp": ("a 64-bit integer of each case", _make_case_rules(testlib.is_int64, single=True)),
    "fcmp": ("lines to the byte", _make_line_rules(find_unequal)),
    "lcmp": ("words, line by line", _make_line_rules(testlib.find_line_words_mismatch)),
    "uncmp": ("64-bit integers in any order", _UNORDERED_INTEGERS),
}


def _make_testlib_entry(name: str, description: str, rules: _Rules) -> Entry:
    accepts, find_difference, value_methods = rules
    # Without "exact", since the format matters: 007 is refused even if 007 is expected.
    comparer = Comparer((make_text_method(name, accepts, find_difference),), value_methods)
    aliases = (f"testlib_{name}",)
    return Entry(f"testlib {name}: {description}", lambda: comparer, aliases=aliases)


_KATTIS_OPTIONS: dict[str, Any] = {
    "case_sensitive": False,
    "space_change_sensitive": False,
    "float_tolerance": None,
    "float_absolute_tolerance": None,
    "float_relative_tolerance": None,
}
COMPARERS: dict[str, Entry] = {
    "calibrated": Entry("what an official judge would accept (the default)", _make_calibrated),
    "case_insensitive": Entry(
        "the same words, upper and lower case alike",
        partial(_make_tokens, case_sensitive=False, line_sensitive=False),
    ),
    "exact": Entry("equal to the byte", lambda: Comparer((_EXACT,), (_EXACT_VALUE,))),
    "floats": Entry(
        "words, with a tolerance where a real number is expected",
        _make_floats,
        {"abs": 1e-6, "rel": 1e-6, "case_sensitive": False},
    ),
    "kattis": Entry(
        "Kattis' default validator", _make_kattis, _KATTIS_OPTIONS, aliases=("kattis_default",)
    ),
    "lcb": Entry("LiveCodeBench's rules exactly", _make_lcb),
    "lines": Entry(
        "line by line, except for trailing white space", lambda: Comparer((_EXACT, _LINES), _VALUES)
    ),
    "paper": Entry(
        "the paper's chain of fallbacks: for reproduction, accepts too much", _make_paper
    ),
    "python": Entry(
        "Python's == on values; text to the byte",
        lambda: Comparer((_EXACT,), (("python_equal", operator.eq),)),
    ),
    "tokens": Entry(
        "the same words in the same order",
        _make_tokens,
        {"case_sensitive": True, "line_sensitive": False},
    ),
    "unordered_lines": Entry(
        "the same lines in any order",
        partial(_make_unordered, "unordered_lines", _LINES, texts.normalize_lines),
    ),
    "unordered_tokens": Entry(
        "the same words in any order",
        partial(_make_unordered, "unordered_tokens", _TOKENS, split_words),
    ),
    **{name: _make_testlib_entry(name, *checker) for name, checker in _TESTLIB.items()},
}
