"""Rewrite test code so that it reports what calls return, in place of comparing it.

An assertion such as ``assert(add(1, 2) == 3)`` becomes ``if (the test asked for is number 0)
report(add(1, 2))``. The arguments stay as they are and are compiled with the program. The expected
value is taken out, and compared in the judge's own process. Either all assertions are rewritten or
none: if one has another form, or stands in a loop or a condition, the test code stays as it is.
"""

from __future__ import annotations

import re
from dataclasses import replace
from functools import lru_cache

from microcoder_eval.errors import DataError
from microcoder_eval.languages import TEST_LANGUAGES
from microcoder_eval.records import Problem
from microcoder_sandbox import record

from .assertions import FINDERS, Edit
from .expected import Expected
from .tokens import NotTranslatableError, Tokens, find_end, list_texts, tokenize

# Words of any of the languages that decide whether or how often an assertion runs, or that make
# test code fail in another way.
_CONTROL = frozenset({"if", "for", "while", "do", "loop", "switch", "match", "goto", "try", "throw",
                      "throws", "catch", "defer", "should_panic", "define"})  # fmt: skip
# Calls that make a value, and attributes of Rust.
_MAKERS = frozenset({"asList", "from", "vec", "Some", "cfg", "allow"})


@record
class ReportedTests:
    """Test code that reports values. source: its text. expected: what each of them must be."""

    source: str
    expected: tuple[Expected, ...]


@lru_cache(maxsize=64)
def rewrite_tests(test_language: str, source: str) -> ReportedTests | None:
    """Return the test code with each comparison taken out; None where that cannot be done."""
    try:
        return _rewrite(TEST_LANGUAGES[test_language].name, source)
    except (NotTranslatableError, RecursionError, LookupError, ValueError):
        return None


def runs_in_process(problem: Problem) -> bool:
    """Whether what a problem's tests compare is compared in the program's own process."""
    language = problem.test_language
    return language is not None and rewrite_tests(language, problem.test_code or "") is None


def refuse_in_process_tests(problem: Problem, setting: str) -> None:
    """Raise DataError if ``runs_in_process``. setting: the setting that allows such a problem."""
    if runs_in_process(problem):
        raise DataError(
            f"{problem.problem_id}: its tests run in the program's own process, where a program "
            f"can make them pass without solving anything, so they give no reward; {setting} "
            "takes their word for it"
        )


def _rewrite(language: str, source: str) -> ReportedTests:
    tokens = tokenize(language, source)
    edits = sorted(FINDERS[language](source, tokens), key=lambda edit: edit.start)
    assertions = [edit for edit in edits if edit.check.call]
    if not assertions:
        raise NotTranslatableError("no assertion")
    _refuse_rest(language, source, tokens, edits)
    _refuse_own_functions(tokens, assertions)
    _refuse_contradictions(source, assertions)
    pieces, start, number = [], 0, 0
    for edit in edits:
        pieces.append(_join(tokens, source, start, edit.start))
        start = edit.end
        if call := edit.check.call:
            text = _join(tokens, source, call[0].start, call[-1].end)
            pieces.append(edit.report.format(number, edit.check.expected.conversion.format(text)))
            number += 1
    pieces.append(_join(tokens, source, start, len(source)))
    expected = [
        replace(edit.check.expected, source=" ".join(source[edit.start : edit.end].split())[:200])
        for edit in assertions
    ]
    return ReportedTests("".join(pieces), tuple(expected))


def _join(tokens: Tokens, source: str, start: int, end: int) -> str:
    """Return a part of the source without its comments, which may tell what is expected."""
    text, place = "", start
    for token in tokens:
        if start <= token.start and token.end <= end:
            gap = source[place : token.start]
            text += re.sub(r"//[^\n]*|/\*.*?\*/", " ", gap, flags=re.DOTALL)
            text += source[token.start : token.end]
            place = token.end
    return text + re.sub(r"//[^\n]*|/\*.*?\*/", " ", source[place:end], flags=re.DOTALL)


def _refuse_rest(language: str, source: str, tokens: Tokens, edits: list[Edit]) -> None:
    """Raise NotTranslatableError if anything besides the assertions may fail or decide what runs: a
    control statement or a call. Calls of the test code's own functions, and calls that make a
    value, are allowed."""
    known_names = _MAKERS | _list_functions(tokens)
    for index, token in enumerate(tokens):
        if any(edit.start <= token.start < edit.end for edit in edits):
            continue
        is_header = language == "cpp" and source[token.start - 1] == "<"  # assert.h, cassert
        if token.text in _CONTROL or (
            "assert" in token.text and token.kind == "name" and not is_header
        ):
            raise NotTranslatableError(f"{token.text} beside the assertions")
        is_made = index > 0 and tokens[index - 1].text == "new"
        if _is_called(tokens, index) and not is_made and token.text not in known_names:
            raise NotTranslatableError(f"a call of {token.text} beside the assertions")


def _is_called(tokens: Tokens, index: int) -> bool:
    following = list_texts(tokens[index + 1 : index + 3])
    is_macro = following[:1] == ["!"] and following[1:] in (["("], ["["])
    return tokens[index].kind == "name" and (following[:1] == ["("] or is_macro)


def _list_functions(tokens: Tokens) -> set[str]:
    """Return the names of functions that the test code has: ``int main(``, ``test = () =>``."""
    names = set()
    for index, token in enumerate(tokens[:-1]):
        before = tokens[index - 1] if index else None
        if _is_called(tokens, index) and before is not None and before.kind == "name":
            if before.text not in ("return", "new", "else", "await"):
                names.add(token.text)
        elif list_texts(tokens[index + 1 : index + 3]) == ["=", "("]:
            end = find_end(tokens, index + 2)
            if list_texts(tokens[end + 1 : end + 2]) == ["=>"]:
                names.add(token.text)
    return names


def _refuse_own_functions(tokens: Tokens, assertions: list[Edit]) -> None:
    """Raise NotTranslatableError if an assertion calls a function that the test code itself
    defines, because that function would compare in the program's process. A second name for a
    function of the program is allowed."""
    function_names = set()
    for edit in assertions:
        names = list_texts(edit.check.call)
        function_names.add(names[names.index("(") - 1] if names[0] != "new" else names[5])
    for index, token in enumerate(tokens):
        if token.text not in function_names or index == 0:
            continue
        before, after = tokens[index - 1], list_texts(tokens[index + 1 : index + 4])
        if after[:1] in (["="], [":="]):
            is_alias = re.fullmatch(r"[A-Za-z_]\w*", after[1] if len(after) > 1 else "")
            if not is_alias or after[2:3] in (["("], ["=>"], ["."]) or after[1] == "function":
                raise NotTranslatableError("a function of the test code")
        elif after[:1] == ["("] and before.kind == "name" and before.text not in ("return", "not"):
            raise NotTranslatableError("a function of the test code")


def _refuse_contradictions(source: str, assertions: list[Edit]) -> None:
    """Raise NotTranslatableError where a call has two results: the program is meant to keep
    state."""
    result_of_call: dict[str, object] = {}
    for edit in assertions:
        call, value = edit.check.call, edit.check.expected.value
        if result_of_call.setdefault(source[call[0].start : call[-1].end], value) != value:
            raise NotTranslatableError("a call with two results")
