"""Lists the commands that a shell would run for a generator script, without running a shell.

Read: simple commands, assignments, quotes, ``$NAME``, ``$((…))``, words with one ``{1..9}``, loops
over words, functions with ``$1``. Everything else is refused with its line; nothing is guessed.

Source: POSIX.1-2017, XCU 2, "Shell Command Language"; bash for braces.
"""

from __future__ import annotations

import ast
import itertools
import operator
import re
import shlex
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

from microcoder_eval.formats.packages.package import PackageError
from microcoder_eval.syntax import parse_tree

NOT_GENERATED = "tests_not_generated"
# Bounds on the cost of reading a script, which is as untrusted as a program: the characters of all
# statements that run, with what stands in the place of variables and ranges (the longest of 54
# public scripts has 84,000); loops and calls in others.
_MAX_CHARS, _STATEMENT_CHARS, _MAX_DEPTH = 1_000_000, 20, 20
_MAX_NUMBER = 2**63  # of a shell, too
_ASSIGNMENT = re.compile(r"(?:export\s+|local\s+)?([A-Za-z_]\w*)=(.*)", re.DOTALL)
_LOOP = re.compile(r"for\s+([A-Za-z_]\w*)\s+in\s+(.*)")
_FUNCTION = re.compile(r"(?:function\s+(\w+)\s*(?:\(\s*\))?|(\w+)\s*\(\s*\))\s*\{")
_EXPANSION = re.compile(
    r"\$\(\((?P<sum>(?:[^$]|\$\w+|\$\{\w+\})*?)\)\)|\$\{(?P<braced>\w+)\}|\$(?P<name>\w+)"
)
_UNREADABLE = re.compile(r"[`|<>&]|\$[{(@*#?!-]|\\")
_QUOTED_VARIABLE = re.compile(r"'[^']*\$[^']*'")
# Up to a semicolon outside of quotes; a comment, which is no part, up to the end.
_PART = re.compile(r"((?:[^;'\"#]|'[^']*'|\"[^\"]*\"|['\"]|(?<=[^\s;])#)+)|#.*")
_BRACES = re.compile(r"\{\S*(?:,|\.\.)\S*\}")
_RANGE = re.compile(r"([^{}]*)\{(-?\d{1,18})\.\.(-?\d{1,18})\}([^{}]*)")
_OPERATIONS: dict[type[ast.operator], Callable[[int, int], int]] = {
    ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul,
    ast.Div: operator.floordiv, ast.Mod: operator.mod,
}  # fmt: skip
_DIRECTORY = "$(realpath ..)"  # a usual assignment; no supported command uses its value


@dataclass(frozen=True, slots=True)
class Command:
    """A simple command. line: of the script, from 1."""

    words: tuple[str, ...]
    line: int


@dataclass(frozen=True, slots=True)
class _Statement:
    text: str
    line: int


def list_commands(text: str, script: str, deciding: frozenset[str]) -> list[Command]:
    """Return the commands of a script. script: its name, for messages. deciding: commands that must
    not depend on a condition; an ``if`` without any of them is skipped. Raises
    PackageError."""
    reader = _Reader(script, deciding)
    reader.run(_split(text))
    return reader.commands


def _split(text: str) -> Iterator[_Statement]:
    """Yield the statements: lines, and parts of lines between semicolons outside of quotes."""
    lines = text.split("\n")
    number = 0
    while number < len(lines):
        start, line = number + 1, lines[number]
        while line.endswith("\\") and number + 1 < len(lines):
            number += 1
            line = line[:-1] + " " + lines[number]
        number += 1
        for part in _split_line(line):
            yield _Statement(part, start)


def _split_line(line: str) -> Iterator[str]:
    for part in _PART.findall(line):
        text = part.strip()
        if (head := _FUNCTION.match(text)) and head.end() < len(text):
            yield head[0]
            text = text[head.end() :].strip()
        for keyword in ("do", "then", "else"):
            if text == keyword or text.startswith(f"{keyword} "):
                yield keyword
                text = text[len(keyword) :].strip()
        if text:
            yield text


class _Reader:
    """Follows the statements of a script. ``_statement`` is the one that is read, which errors
    name: loops assign to it."""

    def __init__(self, script: str, deciding: frozenset[str]) -> None:
        self._script = script
        self._deciding = deciding
        self._variables: dict[str, str] = {}
        self._calls: list[dict[str, str]] = []  # the arguments of the functions that run
        self._functions: dict[str, list[_Statement]] = {}
        self._statement, self._char_count, self._depth = _Statement("", 0), 0, 0
        self.commands: list[Command] = []

    def run(self, statements: Iterable[_Statement]) -> None:
        """Read statements one after the other. Raises PackageError."""
        if self._depth >= _MAX_DEPTH:
            raise self._make_error("a loop or function in so many others")
        self._depth += 1
        rest = iter(statements)
        for self._statement in rest:
            self._count(_STATEMENT_CHARS)
            text = self._statement.text
            word = text.split()[0]
            if word == "for":
                self._run_loop(text, self._take_block(rest, "a loop", "for", "done"))
            elif word == "if":
                body = self._take_block(rest, "an if", "if", "fi")
                self._skip_condition([self._statement, *body])
            elif function := _FUNCTION.fullmatch(text):
                body = list(itertools.takewhile(lambda item: item.text != "}", rest))
                self._functions[function[1] or function[2]] = body
            else:
                self._run_simple(text)
        self._depth -= 1

    def _count(self, char_count: int) -> None:
        self._char_count += char_count
        if self._char_count > _MAX_CHARS:
            raise self._make_error(f"more than {_MAX_CHARS} characters")

    def _take_block(
        self, rest: Iterator[_Statement], what: str, opening: str, closing: str
    ) -> list[_Statement]:
        """Take the statements of the block that the one being read opens, and the one that ends
        it."""
        depth, body = 1, list[_Statement]()
        for statement in rest:
            word = statement.text.split()[0]
            depth += (word == opening) - (word == closing)
            if depth == 0:
                return body
            body.append(statement)
        raise self._make_error(f"{what} without its end")

    def _run_loop(self, head: str, body: Sequence[_Statement]) -> None:
        loop = _LOOP.fullmatch(head)
        if loop is None or not body or body[0].text != "do":
            raise self._make_error("a loop of another form")
        for value in self._split_words(loop[2]):
            self._variables[loop[1]] = value
            self.run(body[1:])

    def _skip_condition(self, statements: Sequence[_Statement]) -> None:
        for self._statement in statements:
            words = set(self._statement.text.split())
            if not words.isdisjoint(self._deciding | self._functions.keys()):
                raise self._make_error("a test under a condition")
            if assignment := _ASSIGNMENT.match(self._statement.text):
                self._variables.pop(assignment[1], None)  # its value is unknown from here on

    def _call(self, words: Sequence[str]) -> None:
        self._calls.append({str(number): word for number, word in enumerate(words) if number})
        self.run(self._functions[words[0]])
        self._calls.pop()

    def _list_variables(self) -> dict[str, str]:
        """Return the variables, and the arguments of the function that runs under their numbers."""
        return {**self._variables, **(self._calls[-1] if self._calls else {})}

    def _run_simple(self, text: str) -> None:
        assignment = _ASSIGNMENT.fullmatch(text)
        if assignment and assignment[2].strip("\"'") == _DIRECTORY:
            return
        if assignment:
            words = self._split_words(assignment[2])
            if len(words) > 1:
                raise self._make_error("an assignment before a command")
            self._variables[assignment[1]] = "".join(words)
            return
        words = self._split_words(text)
        if words and words[0] in self._functions:
            self._call(words)
        elif words:
            self.commands.append(Command(tuple(words), self._statement.line))

    def _split_words(self, text: str) -> list[str]:
        if _QUOTED_VARIABLE.search(text):
            raise self._make_error("a $ in single quotes")
        expanded = _EXPANSION.sub(self._expand, text)
        self._count(len(expanded))
        if _UNREADABLE.search(expanded):
            raise self._make_error("what only a shell can do")
        try:
            words = shlex.split(expanded)
        except ValueError as error:
            raise self._make_error(str(error)) from None
        if "'" in expanded or '"' in expanded:
            return words
        return [one for word in words for one in self._expand_range(word)]

    def _expand_range(self, word: str) -> Iterator[str]:
        """Yield the words that a shell makes of one with ``{1..9}`` in it. Where a number has
        leading zeros, all are as long as the longer of the two."""
        if not _BRACES.search(word):
            yield word
            return
        match = _RANGE.fullmatch(word)
        if match is None:
            raise self._make_error("a list in braces")
        start, first, last, end = match.groups()
        low, high = int(first), int(last)
        self._count((abs(high - low) + 1) * len(word))
        width = max(len(first), len(last)) if {first, last} != {str(low), str(high)} else 0
        step = 1 if low <= high else -1
        for number in range(low, high + step, step):
            yield f"{start}{number:0{width}}{end}"

    def _expand(self, match: re.Match[str]) -> str:
        if match["sum"] is not None:
            return str(self._calculate(match["sum"]))
        name = match["braced"] or match["name"]
        variables = self._list_variables()
        if name not in variables:
            raise self._make_error(f"the variable {name}, which is not set")
        return variables[name]

    def _calculate(self, text: str) -> int:
        names = {key: value for key, value in self._list_variables().items() if value}
        plain = _EXPANSION.sub(self._expand, text)
        try:
            number = _evaluate(parse_tree(plain.strip(), "eval").body, names)
            if abs(number) >= _MAX_NUMBER:
                raise ValueError("too large for a shell")
            return number
        except (SyntaxError, ValueError, KeyError, ZeroDivisionError, RecursionError):
            raise self._make_error(f"the number {text.strip()!r}") from None

    def _make_error(self, what: str) -> PackageError:
        place = f"data/{self._script} line {self._statement.line}"
        text = f"{place}: {what} is not read here: {self._statement.text[:60]!r}"
        return PackageError(text, NOT_GENERATED)


def _evaluate(node: ast.expr, names: dict[str, str]) -> int:
    if isinstance(node, ast.Constant) and type(node.value) is int:
        return node.value
    if isinstance(node, ast.Name):
        return int(names[node.id])
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        return -_evaluate(node.operand, names)
    if isinstance(node, ast.BinOp) and type(node.op) in _OPERATIONS:
        left, right = _evaluate(node.left, names), _evaluate(node.right, names)
        if isinstance(node.op, ast.Div | ast.Mod) and (left < 0 or right < 0):
            raise ValueError("shells round towards zero")
        return _OPERATIONS[type(node.op)](left, right)
    raise ValueError(ast.dump(node))
