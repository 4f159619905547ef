"""The chain of fallbacks that the MicroCoder paper describes, in substance that of APPS.

For reproduction only, never a default: on adversarial pairs it accepts most wrong answers (any
order, any multiplicity, integers within 1e-5). Each step is a method of its own, so that a result
says which one was needed. The rules of hendrycks/apps eval/testing_util.py, typed anew; where that
code has a step inside try/except, a step here that does not apply raises StepSkippedError, with the
reason, and nothing else is ever swallowed.
"""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from itertools import chain, compress, count
from operator import ne
from typing import Any

from .bags import same_bag, set_key
from .blocks import (
    BLOCK,
    LINE_END,
    Blocks,
    alike,
    cuts,
    identical,
    in_common,
    lines,
    text_words,
)
from .texts import as_text, without_blank_ends

RTOL, ATOL = 1e-5, 1e-8  # numpy.allclose's defaults
_SMALL = 1 << 20  # bytes whose sets of tokens may be held as sets
_PLAIN = bytes(range(0x20, 0x7F)) + b"\n"
_PLACES_MATTER = 2.0**43  # from here on doubles are more than 0.001 apart

Members = Callable[[list[str]], list[str]]
"""What of a line's tokens goes into its set."""


class StepSkippedError(Exception):
    """A step does not apply to these outputs; the message says why. Not a bug, not a refusal."""


def stripped(actual: bytes, expected: bytes) -> bool:
    """Step 1: equal but for white space around the whole."""
    ours, theirs = without_blank_ends(actual), without_blank_ends(expected)
    start = _plain(ours, theirs)
    return alike(printed(ours, start), _split(theirs, start), identical)


def stripped_lines(actual: bytes, expected: bytes) -> bool:
    """Step 2: the same after stripping each printed line."""
    ours, theirs = without_blank_ends(actual), without_blank_ends(expected)
    start = _plain(ours, theirs)
    bare = (list(map(str.strip, block)) for block in printed(ours, start))
    return alike(bare, _split(theirs, start), identical)


def single_line(actual: bytes, expected: bytes) -> bool:
    """Step 3: one printed line, equal to the whole expected text. Step 1 accepts that already."""
    return alike(printed(actual), iter([[as_text(expected)]]), identical)


def split_expected(actual: bytes, expected: bytes) -> bool:
    """Step 4: printed lines equal to the expected lines, those stripped and none empty."""
    start = _plain(actual, expected)
    return alike(printed(actual, start), wanted(expected, start), identical)


def nonempty_lines(actual: bytes, expected: bytes) -> bool:
    """Step 5: empty printed lines dropped as well."""
    start = _plain(actual, expected)
    return alike(kept(actual, start), wanted(expected, start), identical)


def allclose(actual: bytes, expected: bytes) -> bool:
    """Step 6: every line one number, close as numpy.allclose has it; integers too."""
    return alike(kept(actual), wanted(expected), unlike_numbers)


def set_of_tokens(actual: bytes, expected: bytes) -> bool:
    """Step 7: printed lines compared with sets of expected tokens, which text never equals."""
    return not any(kept(actual)) and not any(wanted(expected))


def sets(actual: bytes, expected: bytes) -> bool:
    """Step 8: the set of each line's set of tokens: neither order nor multiplicity counts."""
    return _same_sets(actual, expected, list)


def rounded_sets(actual: bytes, expected: bytes) -> bool:
    """Step 9: the same with every token a number, rounded to three places."""
    return _same_sets(actual, expected, _rounded)


def call_equal(actual: Any, expected: Any) -> bool:
    """Call, first: a tuple is a list; equal as Python has it. Keys of a dict are integers."""
    return bool(_as_list(actual) == _with_int_keys(expected))


def call_first(actual: Any, expected: Any) -> bool:
    """Call, second: equal to the first element of an expected list."""
    expected = _with_int_keys(expected)
    return isinstance(expected, list) and bool(expected) and bool(_as_list(actual) == expected[0])


def call_rows(actual: Any, expected: Any) -> bool:
    """Call, third: a list of tuples, as lists, equal to what the expected value begins with."""
    try:
        if not isinstance(_as_list(actual)[0], tuple):
            return False
        return bool([list(row) for row in actual] == _with_int_keys(expected)[0])
    except (TypeError, LookupError) as error:
        raise StepSkippedError(f"no rows here: {error}"[:80]) from None


def _plain(actual: bytes, expected: bytes) -> int:
    """Where the lines begin that a step has to look at; those before mean the same to all."""
    start = in_common(actual, expected, LINE_END)
    same = actual[:start]
    odd = same.translate(None, _PLAIN) or same[:1] in (b" ", b"\n")
    return 0 if odd or any(gap in same for gap in (b"\n\n", b" \n", b"\n ")) else start


def printed(data: bytes, start: int = 0) -> Blocks[str]:
    """The lines as captured output is split: at all that Python calls a line's end."""
    return (as_text(data[begin:stop]).splitlines() for begin, stop in cuts(data, LINE_END, start))


def kept(data: bytes, start: int = 0) -> Blocks[str]:
    """The printed lines that are not empty."""
    return filter(None, (list(filter(None, block)) for block in printed(data, start)))


def worded(data: bytes, start: int = 0) -> Blocks[str]:
    """The printed lines that hold a token."""
    return filter(None, (list(filter(str.strip, block)) for block in printed(data, start)))


def wanted(data: bytes, start: int = 0) -> Blocks[str]:
    """The expected lines but for the empty ones, each stripped."""
    found = (list(map(str.strip, filter(None, block))) for block in _split(data, start))
    return filter(None, found)


def unlike_numbers(ours: list[str], theirs: list[str]) -> int | None:
    """The first pair of lines that are numbers and not close as numpy.isclose has it."""
    found, right = _floats(ours), _floats(theirs)
    for at in compress(count(), map(ne, found, right)):
        f, w = found[at], right[at]
        if not abs(f - w) <= ATOL + RTOL * abs(w) < math.inf:
            return at
    return None


def _split(data: bytes, start: int = 0) -> Blocks[str]:
    return (as_text(b"\n".join(block)).split("\n") for block in lines(data, start))


def _floats(texts: Iterable[str]) -> list[float]:
    # float() reads underscores and digits of other scripts: so does the original.
    try:
        return list(map(float, texts))
    except ValueError:
        first = next(text for text in texts if not _is_float(text))
        raise StepSkippedError(f"{first[:20]!r} is no number") from None


def _is_float(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


def _rounded(words: list[str]) -> list[str]:
    """Numbers to three places: printing rounds as round() does."""
    found = _floats(words)
    if max(map(abs, found), default=0.0) < _PLACES_MATTER:
        text = ("%.3f " * len(found)) % tuple(found)
        return text.replace("-0.000 ", "0.000 ").split()
    if any(map(math.isnan, found)):
        raise StepSkippedError("a set that holds nan equals no other")
    return [f"{n + 0.0:.3f}" if abs(n) < _PLACES_MATTER else repr(n) for n in found]


def _same_sets(actual: bytes, expected: bytes, members: Members) -> bool:
    start = _plain(actual, expected)
    if len(actual) + len(expected) - 2 * start > _SMALL:
        ours, theirs = _sets_of(worded(actual), members), _sets_of(wanted(expected), members)
        return same_bag(ours, theirs, once=True)
    # What they share is on both sides: it can only make up for what one side has alone.
    shared = _sets_of(wanted(expected[:start]), members)
    try:
        odd = set(chain.from_iterable(_sets_of(wanted(expected, start), members)))
        odd ^= set(chain.from_iterable(_sets_of(worded(actual, start), members)))
    except StepSkippedError:
        deque(shared, maxlen=0)  # its own reason, if it has one, comes first
        raise
    for block in shared:
        odd.difference_update(block)
    return not odd


def _sets_of(blocks: Blocks[str], members: Members) -> Iterator[list[bytes]]:
    """For each line a key that is the same for the same set of members."""
    for block in blocks:
        if len(block) == 1 and len(block[0]) > BLOCK:
            yield [set_key(_bytes(members(words)) for words in text_words(block[0]))]
            continue
        several = list(dict.fromkeys(block))  # how often a line comes does not count
        if "\n".join(several).split() == several:  # one token a line
            yield _bytes(members(several))
        else:
            yield [b" ".join(sorted(set(_bytes(members(line.split()))))) for line in several]


def _bytes(words: list[str]) -> list[bytes]:
    return "\n".join(words).encode("utf-8", "surrogateescape").split(b"\n")


def _as_list(value: Any) -> Any:
    return list(value) if isinstance(value, tuple) else value


def _with_int_keys(expected: Any) -> Any:
    """What JSON did to integer keys undone, where all are; the dict is then a list's only item."""
    first = expected[0] if isinstance(expected, list) and expected else expected
    if not isinstance(first, dict):
        return expected
    try:
        return [{int(key): value for key, value in first.items()}]
    except (TypeError, ValueError, OverflowError):
        return expected
