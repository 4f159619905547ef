"""Finds powers that lost their superscript, and restores those that are certainly powers."""

from __future__ import annotations

import re

_FENCE = re.compile(r"(```.*?(?:```|\Z))", re.DOTALL)
_RELATION = r"(?:≤|<=|<|≥|>=|>)"
_POWER_OF_TEN = r"10([3-9]|1[0-8])"
# In each pattern, the only group that matches is the exponent, and the match ends with it.
# A bound: "1 ≤ n ≤ 105", "-104 ≤ x", "in the range [1, 105]".
_BOUND = re.compile(
    rf"(?:(?<=[≤<≥>])|(?<=[<>]=)|(?<=[≤<≥>] )|(?<=[<>]= )|(?<=range \[\d, )) ?"
    rf"-?(?:\d+ ?[·×*] ?)?{_POWER_OF_TEN}(?![\w^]|[.,]\d| ?[·×*])|"
    rf"(?<![\w.^])-(?:(?:\d+ ?[·×*] ?)?{_POWER_OF_TEN}|2(31|63))(?= ?{_RELATION})"
)
# Lost powers look like this: "2 * 105", "109 + 7", "231 - 1". So does arithmetic with the numbers
# 105, 109 and 231, but that has a result ("116 = 109 + 7") or more terms ("2 * 105 + 3 * 104"), or
# a factor of several digits ("12 * 105"), which a number beside its power of ten does not have.
_MORE = r" ?=| ?[-+/·×*] ?\d"
_CERTAIN = re.compile(
    rf"(?<![\w.^])(?<!\d=)(?<!\d =)(?<!\d= )(?<!\d = )"
    rf"(?:[1-9] ?[·×*] ?{_POWER_OF_TEN}(?![\w^]|[.,]\d|{_MORE})|"
    rf"10(9)(?= ?\+ ?7\b(?!{_MORE}))|2(31|63)(?= ?- ?1\b(?!{_MORE})))"
)
_KEPT_POWER = re.compile(r"(?<!\d)10\^\{?\d")
# What a lost power looks like. Most statements hold none, and this pattern is quick to say so.
_LOST = re.compile(r"(?:10(?:[3-9]|1[0-8])|2(?:3[0-2]|53|6[2-4]))(?![\w^])")
_MIN_BOUNDS = 2  # different powers as bounds of one statement


def may_lose_powers(text: str) -> bool:
    """Whether a number of the text may be a power that lost its superscript."""
    return _LOST.search(text) is not None


def writes_powers(text: str) -> bool:
    """Whether the text has a power of ten that is written correctly, such as 10^5."""
    return _KEPT_POWER.search(_FENCE.sub(" ", text)) is not None


def restore_powers(text: str, *, is_proved: bool = False) -> tuple[str, str | None]:
    """Return the text with lost superscripts written as ``10^5``, and the first that was found.

    A single bound such as 105 may be meant literally, so the text stays unchanged. is_proved:
    restore it anyway, because tests or other statements of the source prove the loss.
    """
    prose = _FENCE.sub(" ", text)
    if not may_lose_powers(prose):
        return text, None
    bounds = {match[match.lastindex or 0] for match in _BOUND.finditer(prose)}
    certain = _CERTAIN.search(prose)
    first = certain or _BOUND.search(prose)
    if first is None:
        return text, None
    if is_proved or certain or len(bounds) >= _MIN_BOUNDS:
        parts = _FENCE.split(text)
        text = "".join(part if part.startswith("```") else _write_powers(part) for part in parts)
    return text, first[0].strip()


def _write_powers(text: str) -> str:
    for pattern in (_CERTAIN, _BOUND):
        text = pattern.sub(_write_power, text)
    return text


def _write_power(match: re.Match[str]) -> str:
    place = match.start(match.lastindex or 0) - match.start()
    return f"{match[0][:place]}^{match[0][place:]}"
