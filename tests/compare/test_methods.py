"""Each comparer of texts against the rules of the judge it is named after."""

from __future__ import annotations

import pytest

from microcoder_eval import judge
from microcoder_eval.compare import make_comparer

# Whether it is accepted, or by which method.
TABLE = [
    ("exact", b"", b"", "exact"),
    ("exact", b"1\n", b"1", False),
    ("python", b"1\n", b"1", False),
    ("lines", b"a \r\n\n", b"a", "lines"),
    ("lines", b"1  2", b"1 2", False),
    ("lines", b" 1", b"1", False),
    ("lines", b"1\n\n2", b"1\n2", False),
    ("tokens", b"a\n b", b"a b", "tokens"),
    ("tokens", b"1.0", b"1", False),
    ("tokens:case_sensitive=false", b"A  b", b"a B", "case_insensitive"),
    ("tokens", b"A", b"a", False),
    ("tokens:line_sensitive", b" 1  2\r\n\n3", b"1 2\n3\n", True),
    ("tokens:line_sensitive", b"1 2 3", b"1 2\n3\n", False),
    ("tokens:line_sensitive", b"1\n2 3", b"1 2\n3\n", False),
    ("tokens:line_sensitive", b"A\nb", b"a\nb\n", False),
    ("tokens:line_sensitive,case_sensitive=false", b"A\nb", b"a\nb\n", True),
    ("floats", b"1  2", b"1 2", "tokens"),
    ("floats", b"0.3000001", b"0.3", "floats"),
    ("floats", b"1000001.0", b"1000000.0", "floats"),
    ("floats", b"-1000000007", b"-1000000008", False),
    ("floats", b"nan", b"1.0", False),
    ("floats", b"x", b"1.0", False),
    ("floats", b"1.0", b"x", False),
    ("floats:abs=null,rel=0.1", b"1.1", b"1.0", "floats"),
    ("floats:rel=null,abs=0.1", b"100.2", b"100.0", False),
    ("floats:abs=0,rel=0", b"1.50", b"1.5", "floats"),
    ("floats", b"276.0", b"276", True),  # as official validators with a tolerance have it
    ("floats", b"nan", b"nan", True),  # the same bytes
    ("floats", b"NaN", b"nan", True),  # words to them: not close to anything, but of any case
    ("floats", b"Impossible 1.0000001", b"impossible 1.0", True),
    ("floats:case_sensitive=true", b"Impossible 1.0000001", b"impossible 1.0", False),
    ("floats", b"Possible", b"impossible", False),
    ("floats", b"1.0X", b"1.0x", True),
    ("floats", b"1.0X", b"1.1x", False),
    ("floats", b"inf", b"1e999", False),
    ("floats", b"0x1p0", b"1.0", False),
    ("floats:abs=none", b"0.0000001", b"0.0", False),
    ("floats:abs=none", b"1000000.1", b"1000000.0", True),
    ("floats:rel=none", b"1000000.1", b"1000000.0", False),
    ("floats:abs=0.1,rel=none", b"1.1", b"1.0", True),  # exact at the edge
    ("floats:abs=0.1,rel=none", b"1.1000000000000000000001", b"1.0", False),
    ("floats:abs=1e-9,rel=none", b"123456789012345678.1", b"123456789012345679.1", False),
    ("floats:abs=null,rel=null", b"1.50", b"1.5", True),
    ("floats:abs=null,rel=null", b"1.50000000000000000001", b"1.5", False),
    ("kattis", b"HELLO  world", b"hello World", "kattis"),
    ("kattis:case_sensitive", b"Hello", b"hello", False),
    ("kattis:space_change_sensitive", b"a b", b"a  b", False),
    ("kattis:float_tolerance=1e-6", b"1000000007", b"1000000008", "kattis"),
    ("kattis:float_tolerance=1e-6", b"nan", b"1", False),
    ("kattis:float_absolute_tolerance=0.1", b"1.4", b"1", False),
    ("kattis:float_absolute_tolerance=0.1", b"1.05", b"1", "kattis"),
    ("kattis:float_relative_tolerance=0.01", b"101", b"100", "kattis"),
    ("kattis:float_relative_tolerance=0.01", b"105", b"100", False),
    ("kattis:float_relative_tolerance=0.01", b"1", b"0", False),
    ("kattis:float_absolute_tolerance=0.5,float_relative_tolerance=0", b"0.5", b"0", True),
    ("kattis", b"1.0", b"1", False),
    ("kattis", b"1\n2", b"1 2", True),
    ("kattis", b"1 2", b"1", False),
    ("kattis:float_tolerance=1e-6", b"1", b"1.0000001", True),
    ("kattis:float_tolerance=1e-6", b"1000000500.0", b"1000000000.0", True),  # relative alone
    ("kattis:float_tolerance=1e-6", b"0.0000005", b"0.0", True),  # absolute alone
    ("kattis:float_tolerance=1e-6", b"1000005000.0", b"1000000000.0", False),
    ("kattis:float_tolerance=0.6", b"1.5", b"1", True),
    ("kattis:float_tolerance=0.5", b"0x1p0", b"1", True),
    ("kattis:float_tolerance=1e-6", b"0x1.0000008p30", b"0x1p30", True),  # relative alone
    ("kattis:float_tolerance=0.5", b"1_0", b"10", False),
    ("kattis:float_tolerance=0.5", b"INF", b"inf", True),
    ("kattis:float_tolerance=0.5", b"1e999", b"2e999", False),
    ("kattis:float_tolerance=0.5", b"abc", b"1.0", False),
    ("kattis:float_absolute_tolerance=0.1", b"1.1", b"1.0", False),  # doubles, as the source
    ("kattis:float_tolerance=1,float_absolute_tolerance=0", b"199", b"100", True),
    ("kattis:space_change_sensitive=true", b"a b", b"a b\n", False),
    ("kattis:space_change_sensitive=true", b"A b\n", b"a b\n", True),
    ("lcb", b" 1 \n2\n\n", b"1\n2", "lcb"),
    ("lcb", b"yes", b"YES", False),
    ("lcb", b"1.0", b"1", True),
    ("lcb", b"1e3 2", b"1000 2.0", True),
    ("lcb", b"1.0000001", b"1.0", False),
    ("lcb", b"a\n\nb", b"a\nb", False),
    ("lcb", b" a \nb", b"a\n b", True),
    ("lcb", b"1_0", b"10", True),
    ("lcb", b"sNaN", b"5", False),
    ("lcb", b"1e999999999999999999999", b"5", False),
    ("unordered_lines", b"b\na", b"a\nb\n", "unordered_lines"),
    ("unordered_lines", b"1\n1\n2", b"1\n2\n2", False),
    ("unordered_lines", b"2 1", b"1 2", False),
    ("unordered_tokens", b"2\n1", b"1 2", "unordered_tokens"),
    ("unordered_tokens", b"21", b"1 2", False),
    ("unordered_tokens", b"1 1 2", b"1 2 2", False),
    ("case_insensitive", b"Hello World", b"hello\nworld", "case_insensitive"),
    ("case_insensitive", b"Hello", b"hallo", False),
    ("wcmp", b"\xef\xbb\xbfa b", b"a\nb", True),
    ("wcmp", b"a\x0bb", b"a b", False),
    ("fcmp", b"a \n", b"a\n", False),
    ("fcmp", b"a\r\nb\n\n \n", b"a\nb", True),
    ("fcmp", b"a", b"a\n\n", True),
    ("fcmp", b"a\nb", b"a", False),
    ("fcmp", b"", b"a", False),
    ("lcmp", b" a  b\nc", b"a b\nc", True),
    ("lcmp", b"a\nb", b"a b", False),
    ("lcmp", b"a\nx", b"a", False),
    ("lcmp", b"a\n \n", b"a", True),
    ("ncmp", b"1 -2\n3", b"1 -2 3", True),
    ("ncmp", b"007", b"007", False),
    ("ncmp", b"+5", b"5", False),
    ("ncmp", b"9223372036854775808", b"9223372036854775808", False),
    ("ncmp", b"1 2", b"1", False),
    ("icmp", b"5", b"5", True),
    ("icmp", b"2147483648", b"2147483648", False),
    ("icmp", b"5 6", b"5", False),
    ("hcmp", b"1" * 5000, b"1" * 5000, True),
    ("hcmp", b"1" * 4999 + b"2", b"1" * 5000, False),
    ("hcmp", b"1 1", b"1 1", False),
    ("uncmp", b"2 1 1", b"1 1 2", True),
    ("uncmp", b"2 2 1", b"1 1 2", False),
    ("yesno", b"yes", b"YES", True),
    ("yesno", b"y", b"YES", False),
    ("yesno", b"yes no", b"yes no", False),
    ("nyesno", b"yes No", b"YES\nNO", True),
    ("nyesno", b"maybe", b"maybe", False),
    ("rcmp4", b"1.0001", b"1", True),
    ("rcmp4", b"1.0002", b"1", False),
    ("rcmp6", b"1000000.9", b"1000000", True),
    ("rcmp6", b"nan", b"nan", False),  # testlib reads no word as a double
    ("rcmp6", b"inf", b"inf", False),
    ("rcmp6", b"1e999", b"2e999", True),  # both overflow
    ("rcmp6", b"1e999", b"-1e999", False),
    ("rcmp6", b"inf", b"-inf", False),
    ("rcmp6", b"1 2", b"1", False),
    ("rcmp9", b"1.00000001", b"1", False),
    ("dcmp", b"1.0000005", b"1", True),
    ("dcmp", b"1 2", b"1 2", False),
    ("rcmp", b"1000000.9", b"1000000", False),
    ("rcmp", b"1.0000015", b"1", True),
    ("rncmp", b"1.00001 2", b"1 2", True),
    ("acmp", b"1.0000015", b"1", True),
    ("acmp", b"1000000.9", b"1000000", False),
    ("acmp", b"1 2", b"1 2", False),
    ("casewcmp", b"Case 1: a b\nCase 2:\n", b"Case 1:\na b Case 2:", True),
    ("casewcmp", b"Case 1: a Case 2: b", b"Case 1: a b Case 2:", False),
    ("casewcmp", b"a", b"a", False),
    ("casewcmp", b"Case 2: a", b"Case 2: a", False),
    ("casencmp", b"Case 1: 1 2", b"Case 1: 1 2", True),
    ("casencmp", b"Case 1: x", b"Case 1: x", False),
    ("caseicmp", b"Case 1: 5\nCase 2: -7", b"Case 1: 5 Case 2: -7", True),
    ("caseicmp", b"Case 1: 5 6", b"Case 1: 5 6", False),
    ("caseicmp", b"Case 1: Case 2: 1", b"Case 1: Case 2: 1", False),
    ("caseicmp", b"Case 1: 5", b"Case 1: 5 Case 2: 5", False),
]

PAPER = [
    (b" 5\n", b"5", "stripped"),
    (b"1 \n2", b"1\n2", "stripped_lines"),
    (b"1\n\n2\n", b"1\n2", "nonempty_lines"),
    (b"1000000007", b"1000000008", "allclose"),
    (b"2 1", b"1 2", "sets"),
    (b"1\n1\n1", b"1", "sets"),
    (b"0.1001 2", b"0.1004 2", "rounded_sets"),
    (b"NO", b"YES", None),
    (b"", b"5", None),
]


@pytest.mark.parametrize(("spec", "actual", "expected", "accepted"), TABLE)
def test_each_comparer_keeps_its_judge_s_rules(
    spec: str, actual: bytes, expected: bytes, accepted: bool | str
) -> None:
    match = make_comparer(spec).compare_text(actual, expected)
    assert accepted == (match.method if isinstance(accepted, str) else match.method is not None)


@pytest.mark.parametrize(("actual", "expected", "accepted_by"), PAPER)
def test_the_paper_s_chain_names_the_step_that_accepts(
    actual: bytes, expected: bytes, accepted_by: str | None
) -> None:
    assert make_comparer("paper").compare_text(actual, expected).method == accepted_by


@pytest.mark.parametrize(
    ("actual", "expected", "word"), [(b"NO", b"YES", "NO"), (b"1\nx", b"y\n2", "y")]
)
def test_a_step_that_does_not_apply_is_skipped_with_a_note_on_the_first_pair_of_lines(
    actual: bytes, expected: bytes, word: str
) -> None:
    detail = make_comparer("paper").compare_text(actual, expected).detail
    assert f"allclose skipped: '{word}' is not a number" in (detail or "")


@pytest.mark.parametrize("other", [b"-1.5", b"1.500002", b"1.4", b"0", b"-0.0", b"15e-2"])
def test_a_number_beyond_the_tolerance_is_refused_wherever_it_stands(other: bytes) -> None:
    compare = make_comparer("kattis:float_tolerance=1e-6")
    assert compare.compare_text(b"1.5 2 1.5000001", b"1.5 2 1.5").method is not None
    for form in (b"%s", b"2 %s", b"%s 2", b"1.5000001 %s 1.5"):
        assert compare.compare_text(form % other, form % b"1.5").method is None


@pytest.mark.parametrize(
    ("actual", "expected", "accepted"),
    [
        (b"0.10", b"0.1", True),
        (b"-0.", b"0.0", True),
        (b"0.10000000000000000001", b"0.1", False),
        (b"1e-400", b"0.0", False),
        (b"2e-400", b"1e-400", False),
    ],
)
@pytest.mark.parametrize("count", [1, 100], ids=["one", "many at once"])
def test_numbers_whose_doubles_are_equal_are_compared_as_they_are_written(
    actual: bytes, expected: bytes, accepted: bool, count: int
) -> None:
    compare = make_comparer("floats:abs=0,rel=null")
    match = compare.compare_text(b"%s\n" % actual * count, b"%s\n" % expected * count)
    assert (match.method is not None) == accepted


@pytest.mark.slow
def test_a_worker_compares_a_hundred_thousand_words_in_any_order() -> None:
    words = [str(n) for n in range(100_000)]
    tests = [{"input": "", "output": "\n".join(reversed(words))}]
    code = "print(*range(100_000), sep='\\n')"
    for compare in ("unordered_tokens", "unordered_lines", "uncmp", "paper"):
        assert judge({"code": code}, tests, compare=compare).passed
        wrong = code.replace("range(", "range(1, ")
        assert judge({"code": wrong}, tests, compare=compare).verdict == "WA"
