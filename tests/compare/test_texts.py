"""Standard output, comparer by comparer: the strictest method that accepts is the one recorded."""

from __future__ import annotations

import pytest

from microcoder_eval import judge
from microcoder_eval.compare import make_comparer


def accepted_by(spec: str, actual: bytes, expected: bytes) -> str | None:
    return make_comparer(spec).compare_text(actual, expected).method


@pytest.mark.parametrize(
    ("actual", "expected", "method"),
    [
        (b"1 2\n", b"1 2\n", "exact"),
        (b"1 2 \r\n\n", b"1 2", "lines"),
        (b"\xef\xbb\xbf5\n", b"5", "lines"),
        (b"1  2", b"1 2\n", "tokens"),
        (b"1\n2\n", b"1 2", "tokens"),
        (b"0.333333", b"0.3333333333", "close_tokens"),
        (b"17", b"17.0", "close_tokens"),
        (b"0.17e2", b"17.0", "close_tokens"),
        (b"0", b"0.0000001", "close_tokens"),
        (b"1e-8", b"0.00000001", "close_tokens"),
        (b"yes", b"YES", "close_tokens"),
        (b"inf", b"Infinity", "close_tokens"),
        (b"NaN", b"nan", "close_tokens"),
        (b"Case #1: 3.14159", b"Case #1: 3.141592", "close_tokens"),
        (b"[1, 2]", b"[1,2]", "literals"),
        (b"(1, 2)", b"[1, 2]", "literals"),
        (b"['a', True, None]", b'["a", true, null]', "literals"),
        (b"[[0.30000000000000004]]", b"[[0.3]]", "literals"),
        (b"n 5\n[1, 2]\n", b"n 5\n[1,2]\n", "literals"),
    ],
)
def test_calibrated_accepts_what_an_official_judge_would(
    actual: bytes, expected: bytes, method: str
) -> None:
    assert accepted_by("calibrated", actual, expected) == method


@pytest.mark.parametrize(
    ("actual", "expected"),
    [
        (b"", b"5"),
        (b" \n", b"5"),
        (b"5", b""),
        (b"5 5", b"5"),
        (b"1", b"1\n2\n3"),
        (b"21", b"1 2"),
        (b"2 1", b"1 2"),
        (b"1 1 2", b"1 2 2"),
        (b"1\n1\n1", b"1"),
        (b"-1000000007", b"-1000000008"),
        (b"1000000007\n3.5", b"1000000008\n3.5"),
        (b"1e18", b"1000000000000000001"),
        (b"5.0", b"5"),
        (b"+5", b"5"),
        (b"007", b"7"),
        (b"1_000", b"1000"),
        (b"1_000.0", b"1000.0"),
        ("\u0661\u0662".encode(), b"12"),
        ("\u0661.\u0662".encode(), b"1.2"),
        (b"0x1p1", b"2.0"),
        (b"0.0004", b"0.0009"),
        (b"0.00000001", b"0.00000002"),
        (b"nan", b"1.0"),
        (b"inf", b"1e308"),
        (b"-inf", b"inf"),
        (b"1.000002", b"1.0"),
        (b"aBc", b"abc"),
        (b"yes no", b"YES"),
        (b"  #\n #", b" #\n#"),
        (b"[2, 1]", b"[1,2]"),
        (b"[1, 2", b"[1,2]"),
        (b"['1']", b"[1]"),
        (b"[1000000007]", b"[1000000008]"),
        (b"__import__('os')", b"[1]"),
    ],
)
def test_calibrated_accepts_nothing_more(actual: bytes, expected: bytes) -> None:
    assert accepted_by("calibrated", actual, expected) is None


@pytest.mark.parametrize(
    ("spec", "actual", "expected", "method"),
    [
        ("exact", b"1\n", b"1", None),
        ("exact", b"", b"", "exact"),
        ("python", b"1\n", b"1", None),
        ("lines", b"a \r\n\n", b"a", "lines"),
        ("lines", b" a", b"a", None),
        ("lines", b"a\n\nb", b"a\nb", None),
        ("tokens", b"a\n b", b"a b", "tokens"),
        ("tokens", b"A", b"a", None),
        ("tokens", b"1.0", b"1", None),
        ("tokens:case_sensitive=false", b"A  b", b"a B", "case_insensitive"),
        ("case_insensitive", b"A", b"a", "case_insensitive"),
        ("case_insensitive", b"A", b"b", None),
        ("floats", b"1  2", b"1 2", "tokens"),
        ("floats", b"0.3000001", b"0.3", "floats"),
        ("floats", b"1000001.0", b"1000000.0", "floats"),
        ("floats", b"1000000007", b"1000000008", None),
        ("floats", b"-1000000007", b"-1000000008", None),
        ("floats", b"nan", b"1.0", None),
        ("floats", b"x", b"1.0", None),
        ("floats", b"1.0", b"x", None),
        ("floats:abs=null", b"0.0000001", b"0.0", None),
        ("floats:abs=null,rel=0.1", b"1.1", b"1.0", "floats"),
        ("floats:rel=null,abs=0.1", b"100.2", b"100.0", None),
        ("floats:abs=0,rel=0", b"1.50", b"1.5", "floats"),
        ("lcb", b"1\n2", b"1\n2", "exact"),
        ("lcb", b" 1 \n2\n\n", b"1\n2", "lcb"),
        ("lcb", b"1.0 2", b"1  2.00", "lcb"),
        ("lcb", b"1_000", b"1000", "lcb"),
        ("lcb", b"0.1", b"0.10000001", None),
        ("lcb", b"yes", b"YES", None),
        ("lcb", b"1\n\n2", b"1\n2", None),
        ("unordered_lines", b"b\na", b"a\nb\n", "unordered_lines"),
        ("unordered_lines", b"2 1", b"1 2", None),
        ("unordered_lines", b"a\na\nb", b"a\nb\nb", None),
        ("unordered_tokens", b"2\n1", b"1 2", "unordered_tokens"),
        ("unordered_tokens", b"1 1 2", b"1 2 2", None),
        ("unordered_tokens", b"21", b"1 2", None),
    ],
)
def test_a_named_comparer_keeps_to_its_own_rule(
    spec: str, actual: bytes, expected: bytes, method: str | None
) -> None:
    assert accepted_by(spec, actual, expected) == method


@pytest.mark.parametrize(
    ("options", "actual", "expected", "accepted"),
    [
        ("", b"HELLO  world", b"hello World", True),
        ("", b"1.0", b"1", False),
        ("case_sensitive", b"Hello", b"hello", False),
        ("space_change_sensitive", b"a b", b"a  b", False),
        ("space_change_sensitive", b"a b", b"a b\n", False),
        ("float_tolerance=1e-6", b"1.0", b"1", True),
        ("float_tolerance=1e-6", b"0x1p0", b"1", True),
        ("float_tolerance=1e-6", b"1000000007", b"1000000008", True),
        ("float_tolerance=1e-6", b"inf", b"inf", True),
        ("float_tolerance=1e-6", b"nan", b"1", False),
        ("float_tolerance=1e-6", b"abc", b"1", False),
        ("float_absolute_tolerance=0.1", b"1.4", b"1", False),
        ("float_absolute_tolerance=0.1", b"1.05", b"1", True),
        ("float_relative_tolerance=0.01", b"101", b"100", True),
        ("float_relative_tolerance=0.01", b"105", b"100", False),
        ("float_relative_tolerance=0.01", b"1", b"0", False),
        ("float_absolute_tolerance=0.5,float_relative_tolerance=0", b"0.5", b"0", True),
    ],
)
def test_kattis_follows_its_manual(
    options: str, actual: bytes, expected: bytes, accepted: bool
) -> None:
    method = accepted_by(f"kattis:{options}", actual, expected)
    assert method == ("kattis" if accepted else None) or (accepted and actual == expected)


@pytest.mark.parametrize(
    ("actual", "expected", "words"),
    [
        (b"", b"5\n", "5"),
        (b"1\n2 4\n", b"1\n2 3\n", "line 2"),
        (b"1\n2 4\n", b"1\n2 3\n", "token 2"),
        (b"\x00\x1b[31m", b"5", "expected"),
        (b"x" * 10**6, b"y" * 10**6, "…"),
    ],
)
def test_a_refusal_says_where_the_outputs_part(actual: bytes, expected: bytes, words: str) -> None:
    match = make_comparer("calibrated").compare_text(actual, expected)
    assert match.method is None
    assert match.detail is not None
    assert words in match.detail
    assert len(match.detail) < 400
    assert match.detail.isprintable()


@pytest.mark.parametrize("other", [b"-1.5", b"1.500002", b"1.4", b"0", b"-0.0", b"15e-2"])
def test_a_number_beyond_the_tolerance_is_refused_wherever_it_stands(other: bytes) -> None:
    compare = make_comparer("kattis:float_tolerance=1e-6")
    assert compare.compare_text(b"1.5 2 1.5000001", b"1.5 2 1.5").method is not None
    for form in (b"%s", b"2 %s", b"%s 2", b"1.5000001 %s 1.5"):
        assert compare.compare_text(form % other, form % b"1.5").method is None


def test_a_worker_compares_a_hundred_thousand_words_in_any_order() -> None:
    words = [str(n) for n in range(100_000)]
    tests = [{"input": "", "output": "\n".join(reversed(words))}]
    code = "print(*range(100_000), sep='\\n')"
    for compare in ("unordered_tokens", "unordered_lines", "uncmp", "paper"):
        assert judge({"code": code}, tests, compare=compare).passed
        wrong = code.replace("range(", "range(1, ")
        assert judge({"code": wrong}, tests, compare=compare).verdict == "WA"
