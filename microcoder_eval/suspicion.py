"""Tells problems that look as if they had several right answers but would compare with only one.

What is looked at: the English words of the statement, and tests that ask the same and expect
something else. It is a suspicion, never a verdict: it becomes the flag multiple_answers_suspected
of results and a line of ``microcoder-eval audit``.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

from microcoder_sandbox import codec

from .records import Kind, Problem

_MOST_TEXT = 50_000  # characters of a statement that are read
_QUOTED = 80
# Comparers that already accept more than one answer. The others (floats, kattis, ...) accept
# other spellings of the one answer, which is no help where the statement says "print any".
_FREE_ORDER = frozenset({"unordered_lines", "unordered_tokens", "uncmp", "testlib_uncmp"})

_SENTENCE_END = re.compile(r"(?<=[.!?])\s+|\n\s*\n|\n(?=\s*[-*•])|;")
_SEVERAL = (
    r"(?:multiple|several|many|more than one|two or more)(?: \w+){0,3}? "
    r"(?:answer|solution|possibilit|way|option|output|arrangement|permutation|sequence|path|set)"
)
_SUCH = r"(?:such|valid|correct|possible|suitable|optimal|feasible|acceptable|appropriate)"
_ANSWER = r"(?:answers?|outputs?|solutions?|results?)"
_TELL = r"(?:print|output|return|report|write|give|display|provide|submit)(?:ing|ed|s)?"
_ORDER = re.compile(
    r"\bin (?:any|arbitrary|whatever|whichever|an arbitrary) order\b|\bin any (?:\w+ )?order\b"
)
_ORDER_TOLD = re.compile(rf"\b(?:{_TELL}|{_ANSWER}|list (?:them|all))\b")
_ORDER_DONE = re.compile(
    r"\b(?:giv(?:en|es)|input|perform|appl(?:y|ied|ies)|operat|rearrang|arrang|reorder|permut|"
    r"shuffl|sort|choos|chosen|pick|execut|process|visit|swap|merg|remov|delet|mov|taken?\b|"
    r"tak(?:es|ing)\b|add(?:ed|ing)?\b|insert|us(?:e|ed|ing)\b|play|eat|complet|finish|solv|read|"
    r"contain|appear|occur|concatenat|combin|place|put\b|fill|connect|stack)"
)
_WORDS = tuple(
    re.compile(pattern)
    for pattern in (
        # "if there are multiple answers, print any of them", "print any"
        rf"\b{_SEVERAL}\w*\b.*\b(?:any(?: one)? of (?:them|these|those)|any (?:one|{_SUCH})|"
        r"any(?=\s*(?:[.,:)]|$))|either|one of them|an arbitrary)",
        rf"\b(?:any|either|all)(?: one)?(?: of)?(?: them| these| those| the)?(?: {_SUCH})?"
        rf"(?: {_ANSWER}| order)? (?:will be|is|are|would be|may be|can be)"
        r"(?: also| all| considered)? (?:accepted|acceptable|correct|fine|allowed|ok|okay|valid)\b",
        rf"\b{_TELL} (?:\w+ )?any(?: one)? (?:of (?:them|these|those|the|your)\b|one\b|{_SUCH}\b|"
        rf"{_ANSWER}\b)",
        rf"\b{_TELL} any(?=\s*(?:[.,:)]|$))",
        rf"\b(?:find|construct|build|determine|choose) any(?: one)?(?: of)?(?: the)? {_SUCH}\b",
        rf"\b{_TELL} (?:\w+ ){{0,2}}?an arbitrary (?:one|{_SUCH}|{_ANSWER})\b",
        # "one possible answer", "there are other correct outputs"
        rf"\bone (?:of the )?(?:{_SUCH}) {_ANSWER}\b",
        rf"\b(?:an)?other (?:{_SUCH} )?{_ANSWER} (?:is|are|may|might|can|could)"
        r"(?: be)?(?: also)? (?:accepted|acceptable|correct|valid|possible|allowed)\b",
        rf"\b(?:is|are) also (?:accepted|(?:an? )?(?:acceptable|correct|valid|possible) {_ANSWER})",
        r"\b(?:answer|solution|output)s? (?:is|are|may|might|need)(?: be)? not(?: be)?"
        r"(?: necessarily)? unique\b",
        # the order of what is printed
        rf"\border (?:in which (?:you|they|the)(?: \w+){{0,3}} |of (?:\w+ ){{0,4}}?)"
        rf"(?:{_TELL}|{_ANSWER})\b.*\b(?:does not|doesn't|do not|don't) matter",
    )
)
_MARKUP = re.compile(r"</?[a-z][^<>]{0,200}>|[*_`]")
_CHEAP = re.compile(r"\b(?:any|either|arbitrary|one|all|other|also|unique|order)\b")
# The statement chooses among several answers, or forbids what the words seem to allow.
_CHOOSES = re.compile(
    r"\b(?:lexicographically|alphabetically|smallest|largest|minimal|maximal|minimum|maximum|"
    r"least|greatest|earliest|latest|first|last|lowest|highest|shortest|longest|leftmost)\b"
)
_FORBIDS = re.compile(r"\b(?:not|never|without|don't|avoid|cannot|n't)\s+(?:\w+\s+)?$")


def multiple_answers_suspected(problem: Problem) -> str | None:
    """Why the problem seems to have several right answers with nothing to judge them; else None.

    A checker that is given as source, or that leaves the order free, settles the question. English
    statements only; a problem without a statement is suspected by its tests alone.
    """
    if problem.interactor is not None or _has_checker(problem.checker):
        return None
    said = _said(problem.statement or "")
    if said is not None:
        return f'the statement says "{said}"'
    pair = next(contradictions(problem), None)
    if pair is not None:
        first, second = pair
        return f"tests {first + 1} and {second + 1} have the same input and different outputs"
    return None


def _has_checker(checker: Mapping[str, Any] | None) -> bool:
    given = checker or {}
    return "source" in given or given.get("name") in _FREE_ORDER


def _said(statement: str) -> str | None:
    """The sentence, shortened, that allows several answers."""
    for sentence in _SENTENCE_END.split(statement[:_MOST_TEXT]):
        text = sentence.lower()
        if not _CHEAP.search(text):
            continue
        text = " ".join(_MARKUP.sub("", text).replace("’", "'").split())
        found = next(filter(None, (_allowed(pattern, text) for pattern in _WORDS)), None)
        found = found or _free_order(text)
        if found is not None:
            return _around(" ".join(sentence.split()), found)
    return None


def _allowed(pattern: re.Pattern[str], text: str) -> re.Match[str] | None:
    found = pattern.search(text)
    if found is None or _FORBIDS.search(text[: found.start()]):
        return None
    return None if _chosen(text, found) else found


def _chosen(text: str, found: re.Match[str]) -> bool:
    """Whether one answer is chosen in the sentence: "print any one; the smallest if several"."""
    rest = text[found.end() :]
    return bool(re.search(r"\b(?:print|output|return|choose|take) the\b", rest)) and bool(
        _CHOOSES.search(rest)
    )


def _free_order(text: str) -> re.Match[str] | None:
    """ "Print them in any order", but not "the edges are given in any order"."""
    for found in _ORDER.finditer(text):
        before = text[: found.start()]
        told = _last(_ORDER_TOLD, before)  # the nearest word decides whose order it is
        if told > _last(_ORDER_DONE, before):
            return found
    return None


def _last(pattern: re.Pattern[str], text: str) -> int:
    return max((found.start() for found in pattern.finditer(text)), default=-1)


def _around(sentence: str, found: re.Match[str]) -> str:
    """As much of the sentence as fits, with what was found in it."""
    if len(sentence) <= _QUOTED:
        return sentence
    start = max(0, min(found.start(), len(sentence) - _QUOTED))
    piece = sentence[start : start + _QUOTED]
    return f"{'…' if start else ''}{piece}{'…' if start + _QUOTED < len(sentence) else ''}"


def contradictions(problem: Problem) -> Iterator[tuple[int, int]]:
    """Pairs of tests (positions from 0) with the same input and outputs that cannot both be right,
    as the default comparer sees it."""
    for first, *others in equal_inputs(problem):
        for other in others:
            if _differ(problem, first, other):
                yield first, other


def equal_inputs(problem: Problem) -> list[list[int]]:
    """Groups of two or more tests (positions from 0) that give a program the same input.

    White space around the input of a program does not count.
    """
    groups: dict[bytes, list[int]] = {}
    for position, test in enumerate(problem.tests):
        if problem.kind is Kind.STDIN:
            data = test.input.strip().encode("utf-8", "surrogatepass")
        else:
            arguments = [codec.to_json(test.input), codec.to_json(test.kwargs)]
            data = json.dumps(arguments, sort_keys=True).encode()
        key = hashlib.blake2b(data, digest_size=16).digest()
        groups.setdefault(key, []).append(position)
    return [group for group in groups.values() if len(group) > 1]


def _differ(problem: Problem, first: int, second: int) -> bool:
    from .compare import comparer

    one, other = problem.tests[first].output, problem.tests[second].output
    default = comparer("calibrated")
    if problem.kind is not Kind.STDIN:
        return default.value(one, other).method is None and default.value(other, one).method is None
    one, other = (text.encode("utf-8", "surrogatepass") for text in (one, other))
    return default.text(one, other).method is None and default.text(other, one).method is None
