"""Every regular expression of the judge, read from its source, takes linear time.

Texts are made of what each pattern consists of: a beginning that it matches, then a character or
two of its classes over and over, then a character that it does not expect.
"""

from __future__ import annotations

import ast
import re
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]
# What these read is never a candidate's: problems and packages, options, versions.
OTHER_TEXTS = (
    "microcoder_eval/formats/", "microcoder_eval/audit/", "microcoder_eval/cli/",
    "microcoder_eval/cli/verbs/version.py", "microcoder_eval/suspicion.py",
)  # fmt: skip
FUNCTIONS = frozenset(
    ("compile", "search", "match", "fullmatch", "sub", "subn", "findall", "finditer", "split")
)
AT_ONE_PLACE = frozenset(("match", "fullmatch"))
PLACEHOLDER = "add"  # for what a pattern is given when it is made
SMALL, TIMES, MAX_GROWTH = 8_000, 8, 24  # quadratic: 64
NEGLIGIBLE_SECONDS = 0.002
MAX_CHARS, MAX_HEADS = 10, 8
CATEGORIES = {"DIGIT": "1", "SPACE": " \n", "NOT_SPACE": "a", "WORD": "a", "NOT_WORD": "-"}


@dataclass(frozen=True)
class Usage:
    """A pattern in a source file, and the methods of it that the file names."""

    place: str
    pattern: re.Pattern[str] | re.Pattern[bytes]
    methods: frozenset[str]

    def read(self, text: str) -> object:
        """Apply the pattern as the file does: at the start of the text, or at every place."""
        content = text if isinstance(self.pattern.pattern, str) else text.encode()
        if self.methods and self.methods <= AT_ONE_PLACE:
            return [getattr(self.pattern, method)(content) for method in self.methods]
        return self.pattern.sub(content[:0], content)  # type: ignore[arg-type]


class Texts:
    """Beginnings that a pattern matches in part, and the characters that it names."""

    def __init__(self, pattern: re.Pattern[str] | re.Pattern[bytes]) -> None:
        text = pattern.pattern if isinstance(pattern.pattern, str) else pattern.pattern.decode()
        self.heads: dict[str, None] = {"": None}
        self.chars: dict[str, None] = {}
        tree = re._parser.parse(text, pattern.flags & ~re.UNICODE)  # type: ignore[attr-defined]
        self._walk(tree, "")

    def __iter__(self) -> Iterator[Callable[[int], str]]:
        heads = list(self.heads)[-MAX_HEADS:]
        chars = list(self.chars)[:MAX_CHARS]
        pairs = [first + second for first in chars for second in chars]
        for tail in ("\0", "", "\\"):
            for head in heads:
                for pump in (*chars, *pairs, *heads):
                    if pump:
                        yield lambda size, h=head, p=pump, t=tail: h + p * (size // len(p)) + t  # type: ignore[misc]
                    for char in chars:
                        yield lambda size, p=pump + char, t=tail: p * (size // len(p)) + t  # type: ignore[misc]

    def _walk(self, tree: object, head: str) -> str:
        for operation, argument in tree:  # type: ignore[attr-defined]
            name = str(operation)
            if name == "BRANCH":
                heads = [self._walk(branch, head) for branch in argument[1]]
                head = heads[0]
            elif name.endswith("_REPEAT"):
                head = self._walk(argument[2], head)
            elif name in ("SUBPATTERN", "ATOMIC_GROUP"):
                head = self._walk(argument[-1] if name == "SUBPATTERN" else argument, head)
            else:
                chars = _list_chars(name, argument)
                self.chars |= dict.fromkeys(chars)
                head += chars[:1]
            self.heads[head] = None
        return head


def _list_chars(name: str, argument: object) -> str:
    """Return characters that a part of a pattern names."""
    if name == "LITERAL":
        return chr(argument)  # type: ignore[arg-type]
    if name in ("ANY", "NOT_LITERAL"):
        return "x" + (chr(argument) if name == "NOT_LITERAL" else "")  # type: ignore[arg-type]
    if name == "RANGE":
        return chr(argument[0])  # type: ignore[index]
    if name == "CATEGORY":
        return CATEGORIES.get(str(argument).removeprefix("CATEGORY_"), "x")
    if name == "IN":
        parts = [_list_chars(str(kind), part) for kind, part in argument]  # type: ignore[attr-defined]
        is_negated = str(argument[0][0]) == "NEGATE"  # type: ignore[index]
        return ("x" if is_negated else "") + "".join(parts)
    return ""


@dataclass
class Reader(ast.NodeVisitor):
    """Collects the patterns of one source file."""

    place: str
    usages: list[Usage] = field(default_factory=list)
    _texts: dict[str, ast.expr] = field(default_factory=dict)
    _methods: dict[str, set[str]] = field(default_factory=dict)
    _calls: list[tuple[ast.Call, str]] = field(default_factory=list)

    def collect(self, module: ast.Module) -> list[Usage]:
        """Return the patterns. Fails for one that is not written where it is made."""
        for node in ast.walk(module):
            if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
                self._texts[node.targets[0].id] = node.value
            elif isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
                self._methods.setdefault(node.value.id, set()).add(node.attr)
        for node in ast.walk(module):
            if isinstance(node, ast.Call) and _is_of_re(node.func):
                self._add(node)
        return self.usages

    def _add(self, call: ast.Call) -> None:
        assert isinstance(call.func, ast.Attribute)
        place = f"{self.place}:{call.lineno}"
        text = self._read_text(call.args[0])
        assert text is not None, f"{place}: the pattern cannot be read from the source"
        is_compiled = call.func.attr == "compile"
        flags = call.args[1:] if is_compiled else []
        flags += [keyword.value for keyword in call.keywords if keyword.arg == "flags"]
        value = eval(ast.unparse(flags[0]), {"re": re}) if flags else 0
        name = next((name for name, node in self._texts.items() if node is call), "")
        # Another module may use a public name in another way.
        is_local = is_compiled and name.startswith("_")
        methods = self._methods.get(name, set()) if is_local else {call.func.attr}
        self.usages.append(Usage(place, re.compile(text, value), frozenset(methods)))

    def _read_text(self, node: ast.expr) -> str | bytes | None:
        match node:
            case ast.Constant(value=str() | bytes() as text):
                return text
            case ast.JoinedStr():
                parts = [self._read_text(part) for part in node.values]
                return "".join(part for part in parts if isinstance(part, str))
            case ast.FormattedValue():
                return self._read_text(node.value) or PLACEHOLDER
            case ast.BinOp(op=ast.Add()):
                sides = self._read_text(node.left), self._read_text(node.right)
                return None if None in sides else sides[0] + sides[1]  # type: ignore[operator]
            case ast.Name() if node.id in self._texts:
                return self._read_text(self._texts[node.id])
        return None


def _is_of_re(function: ast.expr) -> bool:
    match function:
        case ast.Attribute(value=ast.Name(id="re")):
            return function.attr in FUNCTIONS
    return False


def _list_usages() -> list[Usage]:
    usages = []
    for folder in ("microcoder_eval", "sandbox/microcoder_sandbox"):
        for path in sorted((ROOT / folder).rglob("*.py")):
            place = str(path.relative_to(ROOT))
            if not place.startswith((*OTHER_TEXTS, "sandbox/microcoder_sandbox/test_runner/")):
                usages += Reader(place).collect(ast.parse(path.read_text(encoding="utf-8")))
    return usages


@pytest.mark.long
@pytest.mark.parametrize("usage", _list_usages(), ids=lambda usage: usage.place)
def test_a_pattern_takes_linear_time(usage: Usage) -> None:
    slow = []
    for make_text in Texts(usage.pattern):
        text = make_text(SMALL)
        if _seconds(usage, text) < NEGLIGIBLE_SECONDS:
            continue
        small = min(_seconds(usage, text) for _ in range(3))
        if small < NEGLIGIBLE_SECONDS:
            continue
        large = make_text(SMALL * TIMES)
        growth = min(_seconds(usage, large) for _ in range(2)) / small
        if growth > MAX_GROWTH:
            slow.append((text[:40], round(growth)))
            break
    assert slow == []


@pytest.mark.parametrize(
    ("text", "method"),
    [
        (r"(?m)^\s*package", "search"),
        (r"(?m)^import\s*\([^)]*\)", "search"),
        (r"add\s*(?:<>)?\s*\(", "search"),
        (r'"(?:\\.|[^"\\])*+"', "sub"),
    ],
)
def test_slow_patterns_are_seen(text: str, method: str) -> None:
    usage = Usage("", re.compile(text), frozenset({method}))
    assert any(
        _seconds(usage, make_text(SMALL))
        > MAX_GROWTH * min(_seconds(usage, make_text(SMALL // TIMES)) for _ in range(3))
        for make_text in Texts(usage.pattern)
    )


def _seconds(usage: Usage, text: str) -> float:
    start = time.process_time()
    usage.read(text)
    return time.process_time() - start
