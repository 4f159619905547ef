"""Puts samples without a fence, under titles such as "Sample Input 1", into fences.

A converter would take their lines for Markdown: ``#.#`` for a heading, ``* 3`` for an item.
"""

from __future__ import annotations

import re
import textwrap

_MARKS = r"[\s#*_:=.>–—-]*"  # no other signs: 'Output: ""' is a sample, not a title
_TITLE = re.compile(
    rf"{_MARKS}(?P<sample>(?:sample|example)s?[ \t]*(?:#?\d+[ \t]*)?)?(?P<what>input|output)s?"
    rf"(?:[ \t]*(?:copy|data|example|sample))?[ \t]*#?\d*{_MARKS}",
    re.IGNORECASE,
)
_EXAMPLES = re.compile(
    rf"{_MARKS}(?:sample|example)s?(?: test(?: case)?s?)?[ \t]*\d*{_MARKS}", re.IGNORECASE
)
_SECTION = re.compile(
    r"#{1,6} \S.*|\W{2,}[A-Z][\w ]+\W{2,}|(?:explanation|notes?)\b.*", re.IGNORECASE
)
_PROSE = re.compile(r"(?:^|\s)(?:[a-z]{2,}\W+){3}")
_FENCE = re.compile(r"\s*(?:```[^`]*|~~~.*)")  # its first or last line
_MARKED = re.compile(r"[ \t]*(?:```|~~~|</?[a-z]|\\begin\b)", re.IGNORECASE)


def fence_samples(text: str) -> str:
    """Return the text with each bare sample in a fence, exactly as it was written."""
    lines = text.split("\n")
    fenced_lines: list[str] = []
    in_examples = in_fence = False
    position = 0
    while position < len(lines):
        line = lines[position]
        fenced_lines.append(line)
        position += 1
        in_fence ^= bool(_FENCE.fullmatch(line))
        title = _TITLE.fullmatch(line)
        if in_fence:
            continue
        if title is None:
            in_examples = bool(_EXAMPLES.fullmatch(line)) or (
                in_examples and not _SECTION.fullmatch(line) and not _PROSE.search(line)
            )
        elif title["sample"] or (in_examples and not _begins_section(lines, position - 1)):
            end = _find_end(lines, position, is_input=title["what"].lower() == "input")
            body = textwrap.dedent("\n".join(lines[position:end])).strip("\n")
            if body:
                fenced_lines += ["", "```", body, "```", ""]
                position = end
    return "\n".join(fenced_lines)


def _begins_section(lines: list[str], position: int) -> bool:
    """Whether a heading "Input" or "Output" stands above a sentence, which says what an input
    holds: an example in the text came before it."""
    following = next(filter(str.strip, lines[position + 1 :]), "")
    return lines[position].lstrip().startswith("#") and bool(_PROSE.search(following))


def _find_end(lines: list[str], start: int, *, is_input: bool) -> int:
    """Return the line after a sample that begins at ``start``; ``start`` where no bare sample
    begins.

    An input ends at the title of its output. An output ends at an empty line: an explanation may
    follow without a title.
    """
    first = start
    while first < len(lines) and not lines[first].strip():
        first += 1
    if first == len(lines) or _MARKED.match(lines[first]):
        return start
    for number in range(first, len(lines)):
        line = lines[number]
        title = _TITLE.fullmatch(line)
        if is_input and title is not None:
            return number if title["what"].lower() == "output" else start
        if not is_input and (
            not line.strip()
            or title is not None
            or _EXAMPLES.fullmatch(line)
            or (number > first and _SECTION.fullmatch(line))
        ):
            return number
    return start if is_input else len(lines)
