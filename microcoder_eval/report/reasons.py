"""Why programs fail, in few words: RE by the exception, WA by what differs."""

from __future__ import annotations

import re

from microcoder_eval.records import Judgement, Verdict
from microcoder_eval.records.judgement import PROMPT_NOTE, parse_mismatch

_EXCEPTION = re.compile(
    r'(?:Uncaught |Caused by: |Exception in thread "[^"]*" )?'
    r"((?:\w+\.)*[A-Z][\w$]*|panic|fatal error)(?:: |:?$)"
)
_ENDING = re.compile(r"exit status \d+$|signal \d+ |too many threads$|the (program|result) ")
_TYPES = {'"': "text", "'": "text", "T": "bool", "F": "bool"}
_MAX_CHARS = 80  # of a reason
_MAX_DETAIL_CHARS = 1000  # looked at; the judge's own details are shorter


def find_reason(judgement: Judgement) -> str | None:
    """Return why a program is RE or WA, by the first test that says so, None if it is neither."""
    if judgement.verdict not in (Verdict.RE, Verdict.WA):
        return None
    details = (test.detail for test in judgement.tests if test.verdict is judgement.verdict)
    detail = (next(details, None) or "")[:_MAX_DETAIL_CHARS]
    return _name_error(detail) if judgement.verdict is Verdict.RE else _name_difference(detail)


def _name_error(detail: str) -> str:
    if _ENDING.match(detail):
        return detail.split(": ")[0][:_MAX_CHARS]
    match = _EXCEPTION.match(detail)
    return match[1][:_MAX_CHARS] if match else "another message on standard error"


def _name_difference(detail: str) -> str:
    if PROMPT_NOTE in detail:
        return "only the prompt of input() is too much"
    if detail.startswith("no output"):
        return "no output"
    if detail.startswith("the output ends too early"):
        return "the output ends too early"
    if detail.endswith("is more than is expected"):
        return "more output than expected"
    if detail.startswith(("only white space differs", "no token differs")):
        return "only the layout differs"
    mismatch = parse_mismatch(detail)
    if mismatch is not None and "," in mismatch.place:  # the place of a word
        return _compare_words(mismatch.actual[1:-1], mismatch.expected[1:-1])
    if re.search(r"\bgot None(, expected |$)", detail):
        return "None is returned"
    if mismatch is not None:
        return _compare_values(mismatch.actual, mismatch.expected)
    return "another value" if ": got " in detail else "something else"


def _compare_words(actual: str, expected: str) -> str:
    if actual.casefold() == expected.casefold():
        return "upper and lower case"
    match _is_number(actual), _is_number(expected):
        case True, True:
            return "another number"
        case False, True:
            return "text in place of a number"
        case _:
            return "another text"


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


def _compare_values(actual: str, expected: str) -> str:
    return "another value" if _find_type(actual) == _find_type(expected) else "another type"


def _find_type(text: str) -> str:
    """Return what tells the types of values apart in their repr."""
    return "number" if text[:1].isdigit() or text[:1] == "-" else _TYPES.get(text[:1], text[:1])
