"""Keys of a row that hold tests, or decide verdicts, and that its format does not read.

Without these keys a row would be judged by less than its set does, so they are always reported.
Other keys that nothing reads are kept without a message.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from microcoder_eval.syntax import parse_structure

from .format import Format

# Names that sets and judges without a format here use.
OTHER_NAMES = frozenset(
    {"contract", "assertion", "hidden_tests", "hidden_test_cases", "unit_tests", "test_cases",
     "testcases", "output_checker", "special_judge", "verifier"}
)  # fmt: skip
# Examples of the statement, which the tests repeat, and what nobody runs.
SAMPLES = frozenset({"examples", "samples", "sample_tests", "meta"})
_INPUT, _OUTPUT = (
    re.compile(r"(?i)in(puts?)?|args|arguments|stdin"),
    re.compile(r"(?i)(expected_?)?(out(puts?)?|results?|answers?|stdout)|expected"),
)
# In the text of tests in JSON, in this order; one search for both would take quadratic time.
_INPUT_KEY = re.compile(r'"inputs?"\s*:')
_OUTPUT_KEY = re.compile(r'"(?:expected_)?outputs?"\s*:')
_ASSERTION = re.compile(r"\s*assert\b")
_ASSERTIONS = re.compile(r'\s*\[\s*(?:"(?:\\[nrt]|\s)*assert\b|\{\s*"assert_code")')
_TEST_CODE = re.compile(
    r"^(assert\b|def (test\w*|check)\(|class \w+\((unittest\.)?TestCase\))", re.M
)
# Keys of tests besides others, in a form unknown here.
_MORE_TESTS = re.compile(
    r"(?i)(?:private|hidden|secret|held_?out|plus|challenge|extra|more|generated)"
    r".*(?:test|case|input|_io$)"
)
_MAX_CHARS = 1 << 16  # of a text that is searched
_MAX_CODE = 1 << 20


def describe_unread(keys: list[str], row_format: Format) -> str:
    """Return a sentence that names the keys."""
    names = ", ".join(f'"{key[:60]}"' for key in keys[:5]) + (", …" if len(keys) > 5 else "")
    one = len(keys) == 1
    verb, them = ("holds tests or decides", "it") if one else ("hold tests or decide", "them")
    return f'{names} {verb} verdicts, and the format "{row_format.name}" does not read {them}'


def is_empty(value: Any) -> bool:
    """Whether there is nothing in a value that could be a test."""
    if isinstance(value, Mapping):
        return all(map(is_empty, value.values()))
    if isinstance(value, str):
        return not value.strip() or value.strip() in ("[]", "{}", "null")
    return not value


def may_hold_more(key: str, value: Any) -> bool:
    """Whether the name of a key says that it holds tests besides others."""
    return _MORE_TESTS.search(key) is not None and not is_empty(value)


def holds_tests(value: Any, depth: int = 3) -> bool:
    """Whether a value, or one in it down to a depth, has the shape of tests: pairs of inputs and
    outputs, or assertions."""
    if isinstance(value, str):
        return is_json_of_tests(value) or is_test_code(value)
    if isinstance(value, list) and value:
        first = value[0]
        if isinstance(first, str):
            return _ASSERTION.match(first) is not None
        return isinstance(first, Mapping) and ("assert_code" in first or _has_pair(first))
    if isinstance(value, Mapping):
        lists = {key: item for key, item in value.items() if isinstance(item, list)}
        nested = [item for key, item in value.items() if key not in SAMPLES and depth]
        return _has_pair(lists) or any(holds_tests(item, depth - 1) for item in nested)
    return False


def _has_pair(fields: Mapping[Any, Any]) -> bool:
    names = [key for key in fields if isinstance(key, str)]
    return any(map(_INPUT.fullmatch, names)) and any(map(_OUTPUT.fullmatch, names))


def is_json_of_tests(text: str) -> bool:
    """Whether a text is JSON that holds tests, as far as a look at its start says."""
    if text.lstrip()[:1] not in ("[", "{"):
        return False
    start = text[:_MAX_CHARS]
    first = _INPUT_KEY.search(start)
    has_pair = first is not None and _OUTPUT_KEY.search(start, first.end()) is not None
    return has_pair or _ASSERTIONS.match(start) is not None


def is_test_code(text: str) -> bool:
    """Whether a text is Python code that tests a program."""
    if len(text) > _MAX_CODE or not _TEST_CODE.search(text):
        return False
    try:
        parse_structure(text)  # a statement may show assertions between its sentences
    except SyntaxError:
        return False
    return True
