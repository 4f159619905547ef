"""The chain of fallbacks that the MicroCoder paper describes, in substance that of APPS.

For reproduction only, never a default: on adversarial pairs it accepts most wrong answers (any
order, any multiplicity, integers within 1e-5). Each step is a method of its own, so that a result
says which one was needed. The rules of hendrycks/apps eval/testing_util.py, typed anew; where that
code has a step inside try/except, a step here that does not apply raises StepSkippedError, with the
reason, and nothing else is ever swallowed.
"""

from __future__ import annotations

from typing import Any

RTOL, ATOL = 1e-5, 1e-8  # numpy.allclose's defaults
_PLACES = 3

TokenSets = set[frozenset[str]]
NumberSets = set[frozenset[float]]


class StepSkippedError(Exception):
    """A step does not apply to these outputs; the message says why. Not a bug, not a refusal."""


def stripped(actual: bytes, expected: bytes) -> bool:
    """Step 1: equal but for white space around the whole."""
    return "\n".join(_printed(actual)).strip() == _text(expected).strip()


def stripped_lines(actual: bytes, expected: bytes) -> bool:
    """Step 2: the same after stripping each printed line."""
    return "\n".join(map(str.strip, _printed(actual))).strip() == _text(expected).strip()


def single_line(actual: bytes, expected: bytes) -> bool:
    """Step 3: one printed line, equal to the whole expected text."""
    return _printed(actual) == [_text(expected)]


def split_expected(actual: bytes, expected: bytes) -> bool:
    """Step 4: printed lines equal to the expected lines, those stripped and none empty."""
    return _printed(actual) == _wanted(expected)


def nonempty_lines(actual: bytes, expected: bytes) -> bool:
    """Step 5: empty printed lines dropped as well."""
    return _kept(actual) == _wanted(expected)


def allclose(actual: bytes, expected: bytes) -> bool:
    """Step 6: every line one number, close as numpy.allclose has it; integers too."""
    ours, theirs = _floats(_kept(actual)), _floats(_wanted(expected))
    return len(ours) == len(theirs) and all(map(_isclose, ours, theirs))


def set_of_tokens(actual: bytes, expected: bytes) -> bool:
    """Step 7: printed lines compared with sets of expected tokens, which text never equals."""
    printed: list[Any] = _kept(actual)
    return printed == [set(line.split()) for line in _wanted(expected)]


def sets(actual: bytes, expected: bytes) -> bool:
    """Step 8: the set of each line's set of tokens: neither order nor multiplicity counts."""
    return _token_sets(_worded(actual)) == _token_sets(_wanted(expected))


def rounded_sets(actual: bytes, expected: bytes) -> bool:
    """Step 9: the same with every token a number, rounded to three places."""
    return _number_sets(_worded(actual)) == _number_sets(_wanted(expected))


def call_equal(actual: Any, expected: Any) -> bool:
    """Call, first: a tuple is a list; equal as Python has it. Keys of a dict are integers."""
    return bool(_as_list(actual) == _int_keys(expected))


def call_first(actual: Any, expected: Any) -> bool:
    """Call, second: equal to the first element of an expected list."""
    if not isinstance(expected, list) or not expected:
        return False
    return bool(_as_list(actual) == _int_keys(expected[0]))


def call_rows(actual: Any, expected: Any) -> bool:
    """Call, third: a list of tuples, as lists, equal to the first element of an expected list."""
    actual = _as_list(actual)
    if not (isinstance(expected, list) and expected and isinstance(actual, list) and actual):
        return False
    if not all(isinstance(row, tuple) for row in actual):
        return False
    return bool([list(row) for row in actual] == expected[0])


def _text(data: bytes) -> str:
    return data.decode("utf-8", "replace")


def _printed(data: bytes) -> list[str]:
    return _text(data).splitlines()


def _kept(data: bytes) -> list[str]:
    return list(filter(None, _printed(data)))


def _worded(data: bytes) -> list[str]:
    return list(filter(str.strip, _printed(data)))


def _wanted(data: bytes) -> list[str]:
    return [line.strip() for line in _text(data).split("\n") if line]


def _floats(texts: list[str]) -> list[float]:
    # float() reads underscores and digits of other scripts: so does the original.
    return [_float(text) for text in texts]


def _float(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        raise StepSkippedError(f"{text[:20]!r} is no number") from None


def _isclose(actual: float, expected: float) -> bool:
    if actual == expected:
        return True
    gap = abs(actual - expected)
    return gap < float("inf") and gap <= ATOL + RTOL * abs(expected)


def _token_sets(lines: list[str]) -> TokenSets:
    return {frozenset(words) for words in map(str.split, lines)}


def _number_sets(lines: list[str]) -> NumberSets:
    return {frozenset(round(number, _PLACES) for number in _floats(line.split())) for line in lines}


def _as_list(value: Any) -> Any:
    return list(value) if isinstance(value, tuple) else value


def _int_keys(value: Any) -> Any:
    """Keys forced to integers, as the original does to what JSON made text."""
    if not isinstance(value, dict):
        return value
    keys = [key if not isinstance(key, str) else _int_key(key) for key in value]
    return dict(zip(keys, value.values(), strict=True))


def _int_key(key: str) -> int:
    try:
        return int(key)
    except ValueError:
        raise StepSkippedError(f"the key {key[:20]!r} is no integer") from None
