"""Our ``lcb`` says what LiveCodeBench's own graders say, pair by pair.

pytest -m long tests/long/test_lcb.py

Its package is installed into an environment of its own on first use (benchmarks/.envs/); a driver
process there answers for it. PAIRS in the environment sets how many pairs are generated.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from microcoder_eval.compare import make_comparer
from tests.files import ROOT, SHARED, read_jsonl

CASES = SHARED / "compare_cases.jsonl"
DRIVER = ROOT / "benchmarks" / "peers" / "lcb_pairs_driver.py"
PAIRS = int(os.environ.get("PAIRS", "20000"))
LCB = make_comparer("lcb")
LONG = "1" * 5001  # two rows of the cases stand for integers that the file does not spell out
MANY = settings(
    max_examples=PAIRS,
    deadline=None,
    database=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
pytestmark = pytest.mark.long
Grader = Callable[[str, str, str], bool]


@pytest.fixture(scope="module")
def ask_lcb() -> Iterator[Grader]:
    """(kind, output, expected) -> what LiveCodeBench says; values as Python source and as JSON."""
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(ROOT / "benchmarks"))
        from checkout import BenchmarkError
        from evaluators import LIVECODEBENCH

        try:
            python = LIVECODEBENCH.python()
        except BenchmarkError as error:
            pytest.skip(f"LIVECODEBENCH CANNOT BE INSTALLED, NOTHING WAS COMPARED: {error}")
    with subprocess.Popen(
        [python, str(DRIVER)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as driver:
        assert driver.stdin is not None
        assert driver.stdout is not None
        questions, answers = driver.stdin, driver.stdout

        def ask(kind: str, output: str, expected: str) -> bool:
            questions.write(json.dumps([kind, output, expected]) + "\n")
            questions.flush()
            return bool(json.loads(answers.readline()))

        yield ask
        questions.close()


def ours_of_text(output: str, expected: str) -> bool:
    return LCB.compare_text(output.encode(), expected.encode()).method is not None


def ours_of_value(output: str, expected: str) -> bool:
    """What the judge does: an answer that is no JSON, or holds too long a number, is refused."""
    try:
        wanted = json.loads(expected)
    except ValueError:
        return False
    value = eval(output, {"__builtins__": {"set": set, "frozenset": frozenset}, **NUMBERS})
    return LCB.compare_value(value, wanted).method is not None


NUMBERS = {"nan": float("nan"), "inf": float("inf")}

# fmt: off
BLANKS = [
    " ", "  ", "\t", "\n", "\n\n", "\r\n", "\r", "\v", "\f", "\x1c", "\x1d", "\x1e", "\x1f",
    "\x85", "\xa0", "\u1680", "\u2003", "\u2028", "\u2029", "\u202f", "\u3000",
]
TOKENS = [
    "", "\x00", "\ufeff", "\u200b", "\ufffd", "\U0001f600", "é", "e\u0301", "YES", "yes", "abc",
    "0", "-0", "+0", "00", "1", "+1", "-1", "01", "1.", ".1", ".", "1.0", "1.00", "0.1", "0.10",
    "1e0", "1E+0", "1e", "e1", "10", "1e1", "1_0", "_1", "1__0", "1,000", "1000", "1_000", "1e3",
    "0x1", "1/2", "1+0j", "½", "²", "٣", "３", "3", "৩", "1٣", "13",
    "nan", "NaN", "-nan", "nan1", "NaN0", "sNaN", "snan", "sNaN1", "inf", "Inf", "-inf", "+inf",
    "Infinity", "-INFINITY", "infinit", "1e400", "1e-400", "1e999999", "1e9999999999",
    "10e9999999998", "1e999999999999999999", "10e999999999999999998", "1e1000000000000000000",
    "0e1000000000000000000", "0e99999999999999999999", "0e0", "1e-999999999999999999",
    "1e-1999999999999999997",
    "1e99999999999999999999999", "-1e-99999999999999999999999", "9" * 30, "9" * 29 + "8",
    "1" + "0" * 30, "1e30", "0.1" + "0" * 30, "0." + "3" * 40, "0." + "3" * 39 + "4",
    "9007199254740993", "9007199254740992", "9007199254740993.0", LONG, LONG[:-1] + "2",
    "[1,", "2]", "[1]", "'a'", '"a"', "True", "None",
]
# fmt: on
blanks = st.sampled_from(BLANKS)
numbers = (
    st.integers().map(str)
    | st.integers(-(10**40), 10**40).map(str)
    | st.floats().map(repr)
    | st.decimals().map(str)
    | st.from_regex(r"[+-]?[0-9_]{0,4}\.?[0-9]{0,4}([eE][+-]?[0-9]{1,3})?", fullmatch=True)
)
tokens = st.sampled_from(TOKENS) | numbers | st.text(st.characters(codec="utf-8"), max_size=4)
outputs = st.lists(tokens | blanks, max_size=14).map("".join)
usual = st.lists(st.lists(tokens, max_size=4), max_size=5)


@st.composite
def pairs(draw: st.DrawFn) -> tuple[str, str]:
    """Two outputs that are nearly the same: what is equal by some rule is where rules differ."""
    lines = draw(usual)
    other = [[draw(similar_tokens(token)) for token in line] for line in lines]
    return laid_out_texts(draw, other), laid_out_texts(draw, lines)


def similar_tokens(token: str) -> st.SearchStrategy[str]:
    """The token as a rule; another form of it, or another token, now and then."""
    forms = [token] * 6 + [token + "0", "0" + token, "+" + token, "-" + token, token + ".0"]
    forms += [token + "e0", token + "E+00", token.upper(), token.lower(), token.swapcase()]
    forms += [token[:-1], token.translate(ARABIC), token.lstrip("+0"), f"{token[:1]}_{token[1:]}"]
    return st.sampled_from(forms) | tokens


ARABIC = str.maketrans("0123456789", "٠١٢٣٤٥٦٧٨٩")


def laid_out_texts(draw: st.DrawFn, lines: list[list[str]]) -> str:
    gap = st.just(" ") | st.just(" ") | blanks
    end = st.just("\n") | st.just("\n") | blanks
    edge = st.just("") | blanks
    text = draw(edge)
    for line in lines:
        for token in line:
            text += token + draw(gap)
        text = text[: -draw(st.integers(0, 1)) or None] + draw(end)
    return text + draw(edge)


@MANY
@given(pair=pairs() | st.tuples(outputs, outputs) | outputs.map(lambda text: (text, text)))
def test_generated_outputs_are_judged_alike(ask_lcb: Grader, pair: tuple[str, str]) -> None:
    assert ours_of_text(*pair) == ask_lcb("stdin", *pair)


leaves = (
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=3)
    | st.sampled_from([10**400, 2**53, float(2**53), 2**53 + 1, 0.1 + 0.2, 0.3, 1, 1.0, True])
)  # fmt: skip
keys = st.none() | st.booleans() | st.integers(-3, 3) | st.sampled_from(["1", "a", 1.0, (1, 2)])
values = st.recursive(
    leaves | st.complex_numbers(max_magnitude=4) | st.binary(max_size=2),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.lists(inner, max_size=3).map(tuple)
        | st.dictionaries(keys, inner, max_size=3)
        | st.sets(st.integers(-3, 3) | st.sampled_from(["a", 1.0]), max_size=3)
    ),
    max_leaves=6,
)


def spell_as_json(value: Any) -> Any:
    """What a data set would hold of it."""
    if isinstance(value, (list, tuple, set)):
        return list(map(spell_as_json, value))
    if isinstance(value, dict):
        return {str(key): spell_as_json(item) for key, item in value.items()}
    return str(value) if isinstance(value, (bytes, complex)) else value


@MANY
@given(value=values, other=values, same=st.integers(0, 3))
def test_generated_values_are_judged_alike(
    ask_lcb: Grader, value: Any, other: Any, same: int
) -> None:
    pair = repr(value), json.dumps(spell_as_json(value if same else other))
    assert ours_of_value(*pair) == ask_lcb("call", *pair)


@MANY
@given(expected=st.text(st.characters(codec="utf-8"), max_size=8))
def test_what_is_no_json_is_nobodys_answer(ask_lcb: Grader, expected: str) -> None:
    assume(expected)
    assert ours_of_value("1", expected) == ask_lcb("call", "1", expected)


def rows(kind: str) -> Iterator[dict[str, Any]]:
    if not CASES.exists():
        pytest.skip(f"THE SHARED COMPARISON CASES ARE NOT THERE ({CASES.name})")
    for row in read_jsonl(CASES):
        if row["kind"] == kind:
            yield row


def test_every_shared_output_is_judged_alike(ask_lcb: Grader) -> None:
    unlike, asked = [], 0
    for row in rows("stdin"):
        pair = row["output"], row["expected"]
        if "5001-digit" in row["why"]:
            wrong = "wrong" in row["why"]
            pair = (LONG[:-1] + "2" if wrong else LONG), LONG
        asked += 1
        if ours_of_text(*pair) != ask_lcb("stdin", *pair):
            unlike.append(row)
    print(f"{asked} outputs", file=sys.stderr)
    assert asked > 60
    assert unlike == []


def test_every_shared_value_is_judged_alike(ask_lcb: Grader) -> None:
    unlike, asked = [], 0
    for row in rows("call"):
        output = row["output"]
        if "Evil" in output:
            continue  # the codec refuses such an object before anything is compared
        if output.startswith("np."):
            output = output[output.index("(") + 1 : -1]  # the codec gives a plain number
        asked += 1
        if ours_of_value(output, row["expected"]) != ask_lcb("call", output, row["expected"]):
            unlike.append(row)
    print(f"{asked} values", file=sys.stderr)
    assert asked > 15
    assert unlike == []
