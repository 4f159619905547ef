"""Finds the program in a model's answer.

The rules are the contract's: thinking never counts; the last complete fence of the wanted language
wins, else the last untagged one; without any fence the whole text, if it compiles.

Standard library only and nothing global is touched: answers are hostile text, and callers are
threads of a trainer.
"""

from __future__ import annotations

import ast
import re
from dataclasses import dataclass

from .languages import PYTHON, find_language

# Four times what contests accept. Syntax trees take some 500 bytes a character at worst.
MAX_COMPILED_CHARS = 256 * 1024
# Bounds on the search for fences inside strings, in what one parse may read and in their number:
# together a few seconds for the most hostile text, nothing for any other.
MAX_MENDED_CHARS = 64 * 1024
MAX_PARSES = 32

_THINK = re.compile(r"</?think>")
# An opening fence may stand behind a list marker; info strings of ``` hold no backtick.
_OPENING = re.compile(
    r"([ \t]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)?)(?:(`{3,})([^`]*)|(~{3,})(.*))\Z", re.DOTALL
)
_TAG = re.compile(r"[^\s,:;{}()\[\]=\"']+")
_CLASS_TAG = re.compile(r"\.([^\s.{}=]+)")
_ESCAPE = re.compile(r"\\(.)", re.DOTALL)
_KNOWN_ESCAPES = frozenset("\n\\'\"abfnrtv01234567xNuU")
_LONG_NUMBER = re.compile(r"(?<![\w.])\d[\d_]{999,}")
_GLUED_NUMBER = re.compile(r"(?<![\w.])(\d+)(?=(?:if|else|and|or|in|is|for|not)\b)")


@dataclass(frozen=True, slots=True)
class Extraction:
    """The program, None where there is none, and whether the answer was cut off."""

    code: str | None
    truncated: bool


@dataclass(frozen=True, slots=True)
class _Fence:
    """One opening fence. indent: its column; mark: the run of ` or ~ that opened it."""

    indent: int
    mark: str
    tag: str


def extract(response: str, language: str = "python") -> Extraction:
    """The program in ``response``. Never raises, whatever the text."""
    text, thinking = _without_thinking(response.removeprefix("\ufeff"))
    blocks, fenced, is_open = _blocks(text)
    truncated = thinking or is_open
    known = find_language(language)
    wanted = known.name if known is not None else language.lower()
    tags = frozenset({wanted, *(known.aliases if known is not None else ())})
    for accepted in (tags, frozenset({""})):
        for tag, code in reversed(blocks):
            if tag in accepted and code.strip():
                return Extraction(code, truncated)
    if not fenced and wanted == "python" and compiles(text):
        return Extraction(text, truncated)
    return Extraction(None, truncated)


def _without_thinking(response: str) -> tuple[str, bool]:
    """The text outside thinking, with line ends as \\n, and whether thinking was still going on."""
    text = response.replace("\r\n", "\n").replace("\r", "\n")
    kept: list[str] = []
    thinking, start = False, 0
    for mark in _THINK.finditer(text):
        if mark.group() == "<think>":
            if not thinking:
                kept.append(text[start : mark.start()])
                thinking = True
            continue
        if not thinking:
            kept.clear()  # the template had opened it in the prompt: all so far was thinking
        thinking, start = False, mark.end()
    if not thinking:
        kept.append(text[start:])
    # A line break stands for what was cut, so that a fence right behind it starts its line.
    return "\n".join(part for part in kept if part), thinking


def _blocks(text: str) -> tuple[list[tuple[str, str]], bool, bool]:
    """(tag, code) of each complete block; whether there was any fence; whether the last is open."""
    strings = _Strings(text.split("\n"))
    lines = strings.lines
    blocks: list[tuple[str, str]] = []
    fence, start, fenced, at = None, 0, False, 0
    while at < len(lines):
        if fence is not None and _closes(lines[at], fence):
            at = strings.true_end(start, at, fence)
            blocks.append((fence.tag, _body(lines[start:at], fence.indent)))
            fence = None
        else:
            opened = _opening(lines[at])
            if opened is not None and (
                fence is None
                or (_restarts(opened, fence) and not strings.is_open(start, at, fence))
            ):
                fence, start, fenced = opened, at + 1, True
        at += 1
    return blocks, fenced, fence is not None


def _opening(line: str) -> _Fence | None:
    found = _OPENING.match(line)
    if found is None:
        return None
    info = found[3] if found[2] else found[5]
    return _Fence(len(found[1].expandtabs(4)), found[2] or found[4], _tag(info))


def _tag(info: str) -> str:
    """The language an info string names: 'python title=x', '{.python}'; '' for none."""
    info = info.strip().lower()
    found = _CLASS_TAG.search(info) if info.startswith("{") else None
    if found:
        return found[1]
    found = _TAG.search(info)
    return found[0] if found else ""


def _closes(line: str, fence: _Fence) -> bool:
    mark = line.strip()
    if len(mark) < len(fence.mark) or mark.strip(fence.mark[0]):
        return False
    # Four columns deeper than its opening it is part of the block (CommonMark, section 4.5): a
    # fence in a docstring, say.
    indent = len(line.expandtabs(4)) - len(line.expandtabs(4).lstrip())
    return indent < fence.indent + 4


def _restarts(opened: _Fence, fence: _Fence) -> bool:
    """A tagged fence inside an open block of the same kind: that one was never closed."""
    same = opened.mark[0] == fence.mark[0] and len(opened.mark) >= len(fence.mark)
    return same and bool(opened.tag) and opened.indent < fence.indent + 4


class _Strings:
    """Tells fence lines that lie inside a program's triple-quoted string from real ones.

    Each question costs a parse, and the text may be made to ask many: after MAX_PARSES the plain
    rule (the first closing line closes) is all there is.
    """

    def __init__(self, lines: list[str]) -> None:
        self.lines = lines
        self._parses = 0

    def is_open(self, start: int, end: int, fence: _Fence) -> bool:
        """Whether a string of the block is open at line ``end``."""
        if find_language(fence.tag) is not PYTHON or not self._may_parse(start, end):
            return False
        try:
            syntax_tree(_body(self.lines[start:end], fence.indent), MAX_MENDED_CHARS)
        except SyntaxError as error:
            return "unterminated triple-quoted" in (error.msg or "")
        return False

    def true_end(self, start: int, end: int, fence: _Fence) -> int:
        """The closing line of the block: ``end``, or a later one that makes it a program."""
        if not self.is_open(start, end, fence):
            return end
        for later in range(end + 1, len(self.lines)):
            if not _closes(self.lines[later], fence):
                continue
            if not self._may_parse(start, later):
                return end
            if compiles(_body(self.lines[start:later], fence.indent)):
                return later
        return end

    def _may_parse(self, start: int, end: int) -> bool:
        # Without a triple quote there is nothing to ask, and nearly all blocks end here.
        if not any('"""' in line or "'''" in line for line in self.lines[start:end]):
            return False
        self._parses += 1
        return self._parses <= MAX_PARSES


def _body(lines: list[str], indent: int) -> str:
    """The block's text; what an indented fence indented in common is taken off."""
    if indent:
        common = _common_space([line for line in lines if line.strip()])
        if common:
            lines = [line[common:] if line.strip() else "" for line in lines]
        else:  # a text inside reaches the margin: as CommonMark does, up to the fence's own column
            lines = [line[min(indent, len(line) - len(line.lstrip(" "))) :] for line in lines]
    return "\n".join(lines) + "\n" if lines else ""


def _common_space(lines: list[str]) -> int:
    if not lines:
        return 0
    low, high = min(lines), max(lines)  # what these two share, all share
    size = 0
    while size < min(len(low), len(high)) and low[size] == high[size] and low[size] in " \t":
        size += 1
    return size


def compiles(text: str) -> bool:
    """Whether ``text`` is a Python program that holds at least one statement."""
    try:
        tree = syntax_tree(text)
    except SyntaxError:
        return False
    return bool(tree.body) and not _is_misplaced(tree)


def syntax_tree(text: str, max_chars: int = MAX_COMPILED_CHARS) -> ast.Module:
    """The syntax tree, without warnings. Raises SyntaxError for all that Python cannot parse.

    Texts are changed where parsing would warn or refuse for reasons other than syntax, so
    constants in the tree may differ from the text: the tree tells structure, not values.
    """
    if len(text) > max_chars:
        raise SyntaxError(f"longer than {max_chars} characters")
    # Warnings pass through filters that belong to the whole process, and become errors where it
    # says so. Nothing may warn, then. "?" is harmless in a string and an error outside.
    quiet = _ESCAPE.sub(_known_escape, text)
    quiet = _GLUED_NUMBER.sub(r"\1 ", quiet)
    # Programs run without Python's limit on the digits of an integer; this process may have it.
    quiet = _LONG_NUMBER.sub("1", quiet)
    try:
        return ast.parse(quiet)
    except SyntaxError:
        raise
    except (ValueError, RecursionError, MemoryError, OverflowError) as error:
        raise SyntaxError(f"cannot be parsed ({type(error).__name__})") from None


def _known_escape(found: re.Match[str]) -> str:
    return found[0] if found[1] in _KNOWN_ESCAPES else "?" + found[1]


def _is_misplaced(tree: ast.Module) -> bool:
    """Whether a return or yield stands outside a function: only compiling in full would tell."""
    waiting: list[ast.AST] = [tree]
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.Return | ast.Yield | ast.YieldFrom):
            return True
        if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
            waiting.extend(ast.iter_child_nodes(node))
    return False
