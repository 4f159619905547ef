"""How test code is rewritten for the process that runs it, and which of its lines matter there."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from itertools import chain

from microcoder_sandbox.test_code.source_analysis import (
    CANDIDATE_MODULES,
    RAISING_CALLS,
    find_names,
    get_called_name,
    is_assertion,
    is_candidate_import,
    walk,
)
from microcoder_sandbox.wire.light_record import LightRecord

from .program_errors import LOOP_ENDS

GET_CLASS = "__get_class__"
GET_CAUGHT = "__get_caught__"
GET_RAISED = "__get_raised__"
_CATCHING_CALLS = RAISING_CALLS | {"suppress"}
_LOOP_END_NAMES = frozenset(error.__name__ for error in LOOP_ENDS)


def rewrite_for_proxies(tree: ast.Module) -> None:
    """Remove imports of the candidate, and have ``type``, ``raise`` and ``except`` know proxies."""
    _ProxyRewriter().visit(tree)
    ast.fix_missing_locations(tree)


def _call(name: str, value: ast.expr) -> ast.expr:
    return ast.copy_location(ast.Call(ast.Name(name, ast.Load()), [value], []), value)


class _ProxyRewriter(ast.NodeTransformer):
    def visit_Call(self, node: ast.Call) -> ast.expr:
        self.generic_visit(node)
        match node:
            case ast.Call(func=ast.Name("type"), args=[value], keywords=[]):
                return _call(GET_CLASS, value)
        if get_called_name(node) in _CATCHING_CALLS:
            by_name = [k for k in node.keywords if k.arg == "expected_exception"]
            node.keywords = [k for k in node.keywords if k not in by_name]
            node.args[:0] = [k.value for k in by_name]
            count = len(node.args) if get_called_name(node) == "suppress" else 1
            node.args[:count] = [_call(GET_CAUGHT, value) for value in node.args[:count]]
        return node

    def visit_Attribute(self, node: ast.Attribute) -> ast.expr:
        self.generic_visit(node)
        is_read = node.attr == "__class__" and isinstance(node.ctx, ast.Load)
        return _call(GET_CLASS, node.value) if is_read else node

    def visit_Raise(self, node: ast.Raise) -> ast.stmt:
        self.generic_visit(node)
        node.exc = node.exc and _call(GET_RAISED, node.exc)
        node.cause = node.cause and _call(GET_RAISED, node.cause)
        return node

    def visit_ExceptHandler(self, node: ast.ExceptHandler) -> ast.ExceptHandler:
        self.generic_visit(node)
        node.type = node.type and _call(GET_CAUGHT, node.type)
        return node

    def visit_ImportFrom(self, node: ast.ImportFrom) -> ast.stmt:
        return ast.copy_location(ast.Pass(), node) if is_candidate_import(node) else node

    def visit_Import(self, node: ast.Import) -> ast.stmt:
        node.names = [item for item in node.names if item.name not in CANDIDATE_MODULES]
        return node if node.names else ast.copy_location(ast.Pass(), node)


class AssertingLines(LightRecord):
    """The lines of test code that belong to assertions. starts: where ``with`` blocks that hold one
    begin. all: the lines of such blocks, and of functions that hold one."""

    starts: frozenset[int] = frozenset()
    all: frozenset[int] = frozenset()


def find_asserting_lines(tree: ast.AST) -> AssertingLines:
    """Return the lines of test code that belong to assertions."""
    blocks = [
        node
        for node in walk(tree)
        if isinstance(node, (ast.With, ast.AsyncWith, ast.FunctionDef, ast.AsyncFunctionDef))
        and any(isinstance(n, ast.stmt) and is_assertion(n) for n in walk(node))
    ]
    starts = (
        range(block.lineno, max(block.lineno + 1, block.body[0].lineno))
        for block in blocks
        if isinstance(block, (ast.With, ast.AsyncWith))
    )
    lines = (range(block.lineno, (block.end_lineno or 0) + 1) for block in blocks)
    return AssertingLines(*(frozenset(chain.from_iterable(ranges)) for ranges in (starts, lines)))


def find_ending_lines(tree: ast.AST) -> frozenset[int]:
    """Return the lines at which the test expects an exception that would end a loop."""
    lines: set[int] = set()
    for node in walk(tree):
        block: Sequence[ast.stmt | ast.expr] = []
        expected: Sequence[ast.AST] = []
        match node:
            case ast.Try():
                block, expected = node.body, node.handlers
            case ast.With():
                block, expected = [node], node.items
            case ast.Call() if get_called_name(node) in RAISING_CALLS:
                block, expected = [node], node.args[:1]
        if any(_LOOP_END_NAMES & find_names(part) for part in expected):
            lines.update(range(block[0].lineno, (block[-1].end_lineno or 0) + 1))
    return frozenset(lines)
