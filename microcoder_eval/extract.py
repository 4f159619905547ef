"""Extracts the program from a model's answer.

Thinking is removed first; a mark of it inside a block belongs to the block. The program is the last
complete fence of the language, else the last complete fence without a tag; in a text without fences
it is the whole text, if it compiles.

The module imports the standard library only and changes no global state: answers are hostile text,
and callers are threads of a trainer.
"""

from __future__ import annotations

import os
import re
from bisect import bisect_right
from itertools import accumulate

from microcoder_sandbox import record

from .languages import PYTHON, find_language
from .syntax import compiles, find_syntax_error, parse_structure

# Bounds on the parses that look for fences inside strings: their size and number. They take a few
# seconds for the most hostile text, and no time for others.
_MAX_STRING_CHECK_CHARS = 64 * 1024
_MAX_PARSES = 32

_THINK = re.compile(r"</?think>")
# An opening fence may follow a list marker; info strings of ``` contain no backtick.
_OPENING = re.compile(
    r"([ \t]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)?)(`{3,}(?=[^`]*\Z)|~{3,})(.*)\Z", re.DOTALL
)
# Answers glue tags to a fence: <answer>, or tokens of a chat template such as <|im_end|>.
_TRAILING_TAGS = re.compile(r"(?<=[`~])(?:[ \t]*<[^<>`]+>)+\s*\Z")
_TAG = re.compile(r"([^\s,:;{}()\[\]=\"']+)")
_CLASS_TAG = re.compile(r"\.([^\s.{}=]+)")


@record
class Extraction:
    """The program of an answer, if it has one. truncated: whether the answer was cut off.
    other_language: the language of its last program, if it only has programs in other languages."""

    code: str | None
    truncated: bool
    other_language: str = ""


@record
class _Fence:
    """An opening fence. indent: its column; mark: its run of ` or ~; tag: its language or ""."""

    indent: int
    mark: str
    tag: str


@record
class _Block:
    """A complete block. tag: its language or ""; start, end: where its text lies between the
    fences."""

    tag: str
    code: str
    start: int
    end: int


@record
class _Fences:
    """The fences of a text. blocks: the complete ones. has_fence: whether there is any. is_open:
    whether the text ends in an open one."""

    blocks: list[_Block]
    has_fence: bool
    is_open: bool


def extract(response: str, language: str = "python") -> Extraction:
    """Extract the program from ``response``. Raises nothing, whatever the text."""
    answer = response.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
    text, is_thinking = _remove_thinking(answer)
    fences = _read_fences(text)
    truncated = is_thinking or fences.is_open
    language_record = find_language(language)
    tags = (language.lower(),) if language_record is None else language_record.tags
    for accepted_tags in (tags, ("",)):
        for block in reversed(fences.blocks):
            if block.tag in accepted_tags and block.code.strip():
                return Extraction(block.code, truncated)
    # Marks may also stand in strings of a program without a fence.
    for program, is_cut in {answer: False, text: truncated}.items():
        if not fences.has_fence and PYTHON.name in tags and compiles(program):
            return Extraction(program, is_cut)
    others = (find_language(block.tag) for block in reversed(fences.blocks))
    other_language = next((other.name for other in others if other is not None), "")
    return Extraction(None, truncated, other_language)


def _remove_thinking(text: str) -> tuple[str, bool]:
    """Return the text outside thinking, and whether thinking did not end."""
    marks = list(_THINK.finditer(text))
    blocks = _read_fences(text).blocks if marks else []
    starts = [block.start for block in blocks]
    parts: list[str] = []
    is_thinking, start = False, 0
    opened: _Block | None = None  # the block that holds a ``<think>``
    for mark in marks:
        if not is_thinking:
            # A mark in a block belongs to it, as in ``print('<think>')``. But thinking leaves
            # fences open, so ``</think>`` at the start of a line ends it even inside of what looks
            # like a block, unless the block holds the ``<think>``, too.
            before = bisect_right(starts, mark.start()) - 1
            block = blocks[before] if before >= 0 and mark.start() < blocks[before].end else None
            if mark.group() == "<think>":
                opened = block
            is_at_start = mark.start() == 0 or text[mark.start() - 1] == "\n"
            if block is not None and (block is opened or not is_at_start):
                continue
        if mark.group() == "<think>":
            if not is_thinking:
                parts.append(text[start : mark.start()])
                is_thinking = True
            continue
        if not is_thinking:
            parts.clear()  # the prompt opened the thinking, so all text before the mark is thinking
        is_thinking, start = False, mark.end()
    if not is_thinking:
        parts.append(text[start:])
    # A line break replaces the thinking, so that a fence right after it starts a line.
    return "\n".join(part for part in parts if part), is_thinking


def _read_fences(text: str) -> _Fences:
    lines = text.split("\n")
    places = list(accumulate((len(line) + 1 for line in lines), initial=0))
    strings = _StringTracker(lines)
    blocks: list[_Block] = []
    fence, start, has_fence, index = None, 0, False, 0
    while index < len(lines):
        if fence is not None and _is_closing(lines[index], fence):
            index = strings.find_end(start, index, fence)
            code = _dedent_block(lines[start:index], fence.indent)
            blocks.append(_Block(fence.tag, code, places[start], places[index]))
            fence = None
        else:
            opening = _parse_opening(lines[index], may_follow_text=fence is None)
            if opening is not None and (
                fence is None
                or (_is_restart(opening, fence) and not strings.is_open(start, index, fence))
            ):
                fence, start, has_fence = opening, index + 1, True
        index += 1
    return _Fences(blocks, has_fence, fence is not None)


def _parse_opening(line: str, may_follow_text: bool) -> _Fence | None:
    match = _OPENING.match(_remove_lead_in(line) if may_follow_text else line)
    if match is None:
        return None
    return _Fence(len(match[1].expandtabs(4)), match[2], _parse_tag(match[3]))


def _remove_lead_in(line: str) -> str:
    """Remove text before a fence that ends in a colon or a tag: ``Code:```python``."""
    text, mark, tag_text = line.partition("```")
    lead_in = text.rstrip()
    is_lead_in = lead_in.endswith(":") or (lead_in.endswith(">") and "<" in lead_in)
    if is_lead_in and tag_text.strip("` \t+").isidentifier():
        return mark + tag_text
    return line


def _parse_tag(tag_text: str) -> str:
    """Return the language of an info string such as 'python title=x' or '{.python}', or ''."""
    tag_text = tag_text.strip().lower()
    class_tag = _CLASS_TAG.search(tag_text) if tag_text.startswith("{") else None
    tag = class_tag or _TAG.search(tag_text)
    return tag[1] if tag else ""


def _is_closing(line: str, fence: _Fence) -> bool:
    mark = _TRAILING_TAGS.sub("", line).strip()
    if len(mark) < len(fence.mark) or mark.strip(fence.mark[0]):
        return False
    # A mark four columns deeper than the opening belongs to the block (CommonMark, fenced code
    # blocks): a fence in a docstring, for example.
    line = line.expandtabs(4)
    return len(line) - len(line.lstrip()) < fence.indent + 4


def _is_restart(opening: _Fence, fence: _Fence) -> bool:
    """Whether ``opening`` is a tagged fence inside an unclosed block of the same kind."""
    is_same_kind = opening.mark[0] == fence.mark[0] and len(opening.mark) >= len(fence.mark)
    return is_same_kind and bool(opening.tag) and opening.indent < fence.indent + 4


class _StringTracker:
    """Recognises fence lines inside a triple-quoted string of the program.

    Each check parses, and hostile text may cause many: after _MAX_PARSES the first closing line
    closes the block.
    """

    def __init__(self, lines: list[str]) -> None:
        self.lines = lines
        self._parse_count = 0

    def is_open(self, start: int, end: int, fence: _Fence) -> bool:
        """Whether a string of the block is open at line ``end``."""
        if find_language(fence.tag) is not PYTHON or not self._may_parse(start, end):
            return False
        try:
            parse_structure(
                _dedent_block(self.lines[start:end], fence.indent), _MAX_STRING_CHECK_CHARS
            )
        except SyntaxError as error:
            return "unterminated triple-quoted" in (error.msg or "")
        return False

    def find_end(self, start: int, end: int, fence: _Fence) -> int:
        """Return the closing line of the block: ``end``, or a later one that makes it compile."""
        if not self.is_open(start, end, fence):
            return end
        for candidate in range(end + 1, len(self.lines)):
            if not _is_closing(self.lines[candidate], fence):
                continue
            if not self._may_parse(start, candidate):
                return end
            if compiles(_dedent_block(self.lines[start:candidate], fence.indent)):
                return candidate
        return end

    def _may_parse(self, start: int, end: int) -> bool:
        # Nearly all blocks have no triple quote and need no parse.
        if not any('"""' in line or "'''" in line for line in self.lines[start:end]):
            return False
        self._parse_count += 1
        return self._parse_count <= _MAX_PARSES


def _dedent_block(lines: list[str], indent: int) -> str:
    """Return the text of a block, without the common indentation if its fence is indented."""
    if indent:
        texts = [line for line in lines if line.strip()]
        prefix = os.path.commonprefix(texts)  # noqa: RUF071 - of lines, which are no paths
        if common_indent := len(prefix) - len(prefix.lstrip(" \t")):
            lines = [line[common_indent:] if line.strip() else "" for line in lines]
        else:  # a string reaches the margin: remove up to the fence's column, as CommonMark does
            lines = [line[min(indent, len(line) - len(line.lstrip(" "))) :] for line in lines]
    return "\n".join(lines) + "\n" if lines else ""


def explain_no_program(text: str) -> str | None:
    """Return why a text without fence and thinking is no Python program, None if it is one or has
    one of these."""
    if _THINK.search(text) or _read_fences(text).has_fence:
        return None
    return find_syntax_error(text)
