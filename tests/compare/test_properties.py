"""Properties that hold for all outputs, found out by hypothesis."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from microcoder_eval.compare import COMPARERS, make_comparer

# testlib's checkers refuse an output in a wrong format even where the same is expected.
ALL = sorted(COMPARERS)
BY_FORMAT = {name for name, entry in COMPARERS.items() if f"testlib_{name}" in entry.aliases}
BY_CONTENT = [name for name in ALL if name not in BY_FORMAT]
KATTIS = "kattis:case_sensitive,space_change_sensitive,float_tolerance=1e-6"
# An example is drawn once for all of them: drawing takes longer than comparing.
COMPARERS = {name: make_comparer(name) for name in [*ALL, KATTIS]}

# Bytes at random hardly ever look like an output: half of them are made of what judges read.
# fmt: off
pieces = st.sampled_from([
    b" ", b"\n", b"\r\n", b"\t", b"\x00", b"\v", b"\f", b"\xef\xbb\xbf", b"\xd9\xa1", b"\xff",
    b"1", b"-0", b".5", b"0.0", b"1_0", b"1e", b"1e9999", b"1e-9999", b"0x1p9", b"0x1p999999",
    b"nan", b"-inf", b"YES", b"true", b"None", b"[", b"]", b"{", b"}", b"(", b")", b",", b":",
    b'"', b"'", b"\\", b"\\u", b"\\ud800", b"\\x", b"9" * 500, b"[" * 300,
])
# fmt: on
outputs = (
    st.binary(max_size=60)
    | st.lists(pieces, max_size=12).map(b"".join)
    | st.text("019.-eEnaif_ \n\r\t\x0b[](){}'\":,", max_size=20).map(str.encode)
)
begun = st.tuples(outputs, outputs, outputs).map(
    lambda parts: (parts[0] + parts[1], parts[0] + parts[2])
)
values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text() | st.just(10**4000),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.tuples(inner, inner)
        | st.dictionaries(
            st.none() | st.booleans() | st.integers() | st.floats() | st.text(), inner, max_size=3
        )
        | st.sets(st.integers() | st.text(), max_size=3)
    ),
    max_leaves=12,
)


def accepts(name: str, actual: bytes, expected: bytes) -> bool:
    return COMPARERS[name].compare_text(actual, expected).method is not None


@given(output=outputs)
def test_an_output_equals_itself_to_the_byte(output: bytes) -> None:
    for name in [*BY_CONTENT, KATTIS]:
        assert COMPARERS[name].compare_text(output, output).method == "exact", name


@pytest.mark.slow
@settings(max_examples=200)
@given(actual=outputs, expected=outputs, times=st.just(1) | st.integers(60, 200))
def test_no_bytes_and_no_long_list_of_words_make_a_comparer_raise(
    actual: bytes, expected: bytes, times: int
) -> None:
    for name, compare in COMPARERS.items():
        match = compare.compare_text(b" ".join([actual] * times), b" ".join([expected] * times))
        assert (match.method is None) == (match.detail is not None), name


@pytest.mark.slow
@given(pair=st.tuples(outputs, outputs) | outputs.map(lambda output: (output, output)) | begun)
def test_where_an_output_is_cut_into_blocks_makes_no_difference(pair: tuple[bytes, bytes]) -> None:
    for name, compare in COMPARERS.items():
        whole = compare.compare_text(*pair)
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr("microcoder_eval.compare.blocks.BLOCK_BYTES", 3)
            assert compare.compare_text(*pair) == whole, name


@given(actual=outputs, expected=outputs)
def test_what_exact_accepts_every_comparer_accepts(actual: bytes, expected: bytes) -> None:
    if accepts("exact", actual, expected):
        assert [name for name in BY_CONTENT if not accepts(name, actual, expected)] == []


@given(actual=outputs, expected=outputs)
def test_what_lines_and_tokens_accept_calibrated_explains(actual: bytes, expected: bytes) -> None:
    if accepts("lines", actual, expected):
        assert accepts("tokens", actual, expected)
        assert accepts("calibrated", actual, expected)


@given(
    digits=st.text("0123456789", max_size=600),
    lead=st.sampled_from("123456789"),
    sign=st.sampled_from(["", "-"]),
    step=st.sampled_from([-1, 1]),
    around=st.sampled_from([b"%s", b"[%s, 1]", b"3.5\n%s\n", b"Case #1: %s", b"yes %s 1e9"]),
)
def test_an_integer_off_by_one_is_refused_however_long(
    digits: str, lead: str, sign: str, step: int, around: bytes
) -> None:
    right = int(sign + lead + digits)
    wrong = around % str(right + step).encode()
    for name in ("calibrated", "tokens", "kattis", "floats"):
        assert not accepts(name, wrong, around % str(right).encode()), name
        assert COMPARERS[name].compare_value(right + step, right).method is None, name


@pytest.mark.slow
@given(actual=values, expected=values)
def test_no_values_make_a_comparer_raise(actual: Any, expected: Any) -> None:
    for name, compare in COMPARERS.items():
        match = compare.compare_value(actual, expected)
        assert (match.method is None) == (match.detail is not None), name


@given(value=values)
def test_a_value_is_the_same_value_as_itself(value: Any) -> None:
    for name in ("calibrated", "lines", "tokens", "floats", "kattis"):
        assert COMPARERS[name].compare_value(value, value).method is not None, name
