"""Finds problems that seem to have several right answers but compare with only one.

It reads the English words of the statement, and looks for tests with equal inputs and different
outputs. This is a suspicion, never a verdict: it becomes the flag multiple_answers_suspected of
results and a line of ``microcoder-eval audit``.
"""

from __future__ import annotations

import hashlib
import json
import marshal
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, Protocol

from microcoder_sandbox import codec

_MAX_STATEMENT_CHARS = 50_000  # characters of a statement that are read
_MAX_QUOTE_CHARS = 80
_WITHOUT_REFERENCES = 2  # the version of marshal that writes an object again where it comes again
# Comparers that already accept more than one answer. The others (floats, kattis, ...) accept
# other spellings of the one answer, which is no help where the statement says "print any".
_LENIENT_COMPARERS = frozenset({"unordered_lines", "unordered_tokens", "uncmp", "testlib_uncmp"})

_SENTENCE_END = re.compile(r"(?<=[.!?])\s+|\n\s*\n|\n(?=\s*[-*•])|;")
_SEVERAL = (
    r"(?:multiple|several|many|more than one|two or more)(?: \w+){0,3}? "
    r"(?:answer|solution|possibilit|way|option|output|arrangement|permutation|sequence|path|set)"
)
_GOOD = r"(?:such|valid|correct|possible|suitable|optimal|feasible|acceptable|appropriate)"
_ANSWER = r"(?:answers?|outputs?|solutions?|results?)"
_PRINT = r"(?:print|output|return|report|write|give|display|provide|submit)(?:ing|ed|s)?"
_ORDER = re.compile(
    r"\bin (?:any|arbitrary|whatever|whichever|an arbitrary) order\b|\bin any (?:\w+ )?order\b"
)
_ORDER_OF_OUTPUT = re.compile(rf"\b(?:{_PRINT}|{_ANSWER}|list (?:them|all))\b")
_ORDER_OF_OTHERS = re.compile(
    r"\b(?:giv(?:en|es)|input|perform|appl(?:y|ied|ies)|operat|rearrang|arrang|reorder|permut|"
    r"shuffl|sort|choos|chosen|pick|execut|process|visit|swap|merg|remov|delet|mov|taken?\b|"
    r"tak(?:es|ing)\b|add(?:ed|ing)?\b|insert|us(?:e|ed|ing)\b|play|eat|complet|finish|solv|read|"
    r"contain|appear|occur|concatenat|combin|place|put\b|fill|connect|stack)"
)
_PERMISSIONS = tuple(
    re.compile(pattern)
    for pattern in (
        # "if there are multiple answers, print any of them", "print any"
        rf"\b{_SEVERAL}\w*\b.*\b(?:any(?: one)? of (?:them|these|those)|any (?:one|{_GOOD})|"
        r"any(?=\s*(?:[.,:)]|$))|either|one of them|an arbitrary)",
        rf"\b(?:any|either|all)(?: one)?(?: of)?(?: them| these| those| the)?(?: {_GOOD})?"
        rf"(?: {_ANSWER}| order)? (?:will be|is|are|would be|may be|can be)"
        r"(?: also| all| considered)? (?:accepted|acceptable|correct|fine|allowed|ok|okay|valid)\b",
        rf"\b{_PRINT} (?:\w+ )?any(?: one)? (?:of (?:them|these|those|the|your)\b|one\b|{_GOOD}\b|"
        rf"{_ANSWER}\b)",
        rf"\b{_PRINT} any(?=\s*(?:[.,:)]|$))",
        rf"\b(?:find|construct|build|determine|choose) any(?: one)?(?: of)?(?: the)? {_GOOD}\b",
        rf"\b{_PRINT} (?:\w+ ){{0,2}}?an arbitrary (?:one|{_GOOD}|{_ANSWER})\b",
        # "one possible answer", "there are other correct outputs"
        rf"\bone (?:of the )?(?:{_GOOD}) {_ANSWER}\b",
        rf"\b(?:an)?other (?:{_GOOD} )?{_ANSWER} (?:is|are|may|might|can|could)"
        r"(?: be)?(?: also)? (?:accepted|acceptable|correct|valid|possible|allowed)\b",
        rf"\b(?:is|are) also (?:accepted|(?:an? )?(?:acceptable|correct|valid|possible) {_ANSWER})",
        r"\b(?:answer|solution|output)s? (?:is|are|may|might|need)(?: be)? not(?: be)?"
        r"(?: necessarily)? unique\b",
        # the order of what is printed
        rf"\border (?:in which (?:you|they|the)(?: \w+){{0,3}} |of (?:\w+ ){{0,4}}?)"
        rf"(?:{_PRINT}|{_ANSWER})\b.*\b(?:does not|doesn't|do not|don't) matter",
    )
)
_MARKUP = re.compile(r"</?[a-z][^<>]{0,200}>|[*_`]")
_PREFILTER = re.compile(r"\b(?:any|either|arbitrary|one|all|other|also|unique|order)\b")
# The statement chooses among several answers, or forbids what the words seem to allow.
_SUPERLATIVES = re.compile(
    r"\b(?:lexicographically|alphabetically|smallest|largest|minimal|maximal|minimum|maximum|"
    r"least|greatest|earliest|latest|first|last|lowest|highest|shortest|longest|leftmost)\b"
)
_NEGATION = re.compile(r"(?:\b(?:not|never|without|avoid|cannot)|n't)\s+(?:\w+\s+)?$")


class Problem(Protocol):
    """What is read of a problem (records.Problem, which imports this module). tests: each a
    records.Test."""

    @property
    def kind(self) -> str: ...
    @property
    def statement(self) -> str | None: ...
    @property
    def tests(self) -> Sequence[Any]: ...
    @property
    def checker(self) -> Mapping[str, Any] | None: ...
    @property
    def interactor(self) -> Mapping[str, Any] | None: ...


def explain_suspicion(problem: Problem) -> str | None:
    """Return why it seems to have several right answers and nothing to judge them, or None.

    A checker that is given as source, or that leaves the order free, settles the question. English
    statements only; a problem without a statement is suspected by its tests alone.
    """
    if problem.interactor is not None or _has_checker(problem.checker):
        return None
    sentence = _find_sentence(problem.statement or "")
    if sentence is not None:
        return f'the statement says "{sentence}"'
    pair = next(find_contradictions(problem), None)
    if pair is not None:
        first, second = pair
        return f"tests {first + 1} and {second + 1} have the same input and different outputs"
    return None


def _has_checker(checker: Mapping[str, Any] | None) -> bool:
    options = checker or {}
    return "source" in options or options.get("name") in _LENIENT_COMPARERS


def _find_sentence(statement: str) -> str | None:
    """Return the sentence, shortened, that allows several answers."""
    for sentence in _SENTENCE_END.split(statement[:_MAX_STATEMENT_CHARS]):
        text = sentence.lower()
        if not _PREFILTER.search(text):
            continue
        text = " ".join(_MARKUP.sub("", text).replace("’", "'").split())
        match = next(
            filter(None, (_find_permission(pattern, text) for pattern in _PERMISSIONS)), None
        )
        match = match or _find_free_order(text)
        if match is not None:
            return _quote(" ".join(sentence.split()), match)
    return None


def _find_permission(pattern: re.Pattern[str], text: str) -> re.Match[str] | None:
    for match in pattern.finditer(text):
        if not (_NEGATION.search(text[: match.start()]) or _chooses_one(text, match)):
            return match
    return None


def _chooses_one(text: str, match: re.Match[str]) -> bool:
    """Whether one answer is chosen in the sentence: "print any one; the smallest if several"."""
    remainder = text[match.end() :]
    return bool(re.search(r"\b(?:print|output|return|choose|take) the\b", remainder)) and bool(
        _SUPERLATIVES.search(remainder)
    )


def _find_free_order(text: str) -> re.Match[str] | None:
    """Find "print them in any order", but not "the edges are given in any order"."""
    for match in _ORDER.finditer(text):
        preceding_text = text[: match.start()]
        # The nearest word decides whose order it is.
        output_position = _find_last_position(_ORDER_OF_OUTPUT, preceding_text)
        if output_position > _find_last_position(_ORDER_OF_OTHERS, preceding_text):
            return match
    return None


def _find_last_position(pattern: re.Pattern[str], text: str) -> int:
    return max((match.start() for match in pattern.finditer(text)), default=-1)


def _quote(sentence: str, match: re.Match[str]) -> str:
    """Return as much of the sentence as fits, around the match."""
    if len(sentence) <= _MAX_QUOTE_CHARS:
        return sentence
    start = max(0, min(match.start(), len(sentence) - _MAX_QUOTE_CHARS))
    excerpt = sentence[start : start + _MAX_QUOTE_CHARS]
    return (
        f"{'…' if start else ''}{excerpt}{'…' if start + _MAX_QUOTE_CHARS < len(sentence) else ''}"
    )


def find_contradictions(problem: Problem) -> Iterator[tuple[int, int]]:
    """Yield pairs of tests (positions from 0) with the same input and outputs that cannot both be
    right, as the default comparer sees it."""
    for first, *others in group_equal_inputs(problem):
        for other in others:
            if _differ(problem, first, other):
                yield first, other


def group_equal_inputs(problem: Problem) -> list[list[int]]:
    """Return groups of two or more tests (positions from 0) that give a program the same input, and
    the checker the same arguments.

    White space around the input of a program does not count.
    """
    is_text = problem.kind == "stdin"
    mark = _mark_text if is_text else _mark_call
    if len(set(map(mark, problem.tests))) == len(problem.tests):
        return []
    if is_text:
        return group_equal(
            f"{test.checker_args} {test.input.strip()}".encode("utf-8", "surrogatepass")
            for test in problem.tests
        )
    return group_equal(encode_call(test.input, test.kwargs) for test in problem.tests)


def _mark_text(test: Any) -> int:
    """Return a number that tests of the same input share."""
    return hash(test.input.strip())


def _mark_call(test: Any) -> int:
    """Return a number that tests of the same call share; equal sets and dictionaries may give their
    members in another order. Takes a tenth of the time of ``encode_call``."""
    return sum(marshal.dumps((test.input, test.kwargs), _WITHOUT_REFERENCES))


def encode_call(*parts: Any) -> bytes:
    """Return the same bytes for calls whose parts (arguments, say) are equal."""
    return json.dumps([codec.to_json(part) for part in parts], sort_keys=True).encode()


def group_equal(items: Iterable[bytes]) -> list[list[int]]:
    """Return the positions of equal items, in groups of two or more."""
    groups: dict[bytes, list[int]] = {}
    for position, item in enumerate(items):
        digest = hashlib.blake2b(item, digest_size=16).digest()  # items may be large
        groups.setdefault(digest, []).append(position)
    return [group for group in groups.values() if len(group) > 1]


def _differ(problem: Problem, first: int, second: int) -> bool:
    from .compare import make_comparer

    default = make_comparer("calibrated")
    a, b = (problem.tests[index].output for index in (first, second))
    compare: Callable[[Any, Any], Any] = default.compare_value
    if problem.kind == "stdin":
        a, b = (text.encode("utf-8", "surrogatepass") for text in (a, b))
        compare = default.compare_text
    return compare(a, b).method is None and compare(b, a).method is None
