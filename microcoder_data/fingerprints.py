"""Hashes tests and programs so that those of a copied problem are equal, also under other names."""

from __future__ import annotations

import ast
import builtins
import json
import keyword
from collections.abc import Iterator

from microcoder_eval.syntax import parse_python

from .rows import Row, get_kind, get_tests, get_text, hash_text, list_right_programs

# Programs with fewer nodes, such as print(int(input()) + 1), may be placeholders and are not
# hashed.
_MIN_NODES = 20
_PYTHON_NAMES = frozenset(dir(builtins)) | frozenset(keyword.kwlist)
_Definition = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef


def hash_tests(row: Row) -> dict[str, int]:
    """Return a hash of each test, with white space collapsed, and its length in characters."""
    if get_kind(row) == "assert":
        texts = list(_list_assertions(get_text(row, "test_code")))
    else:
        texts = [
            _format_value(test.get("input")) + "\x1f" + _format_value(test.get("output"))
            for test in get_tests(row)
        ]
    return {hash_text(text): len(text) for text in texts}


def _list_assertions(code: str) -> Iterator[str]:
    """Each assertion, with "candidate" for the names of called functions."""
    tree = parse_python(code)
    if tree is None:
        return
    for node in ast.walk(tree):
        if isinstance(node, ast.Assert):
            yield ast.unparse(_CallRenamer().visit(node.test))


class _CallRenamer(ast.NodeTransformer):
    """Calls every function that is not Python's "candidate". Texts and other names stay."""

    def visit_Call(self, node: ast.Call) -> ast.AST:
        self.generic_visit(node)
        if isinstance(node.func, ast.Name) and node.func.id not in _PYTHON_NAMES:
            node.func = ast.Name("candidate", ast.Load())
        return node


def _format_value(value: object) -> str:
    """Return a text with white space collapsed; another value as JSON."""
    return " ".join(value.split()) if isinstance(value, str) else json.dumps(value, sort_keys=True)


def hash_programs(row: Row) -> list[str]:
    """Return a hash of each right program that is long enough. The hash ignores the program's own
    names, comments, docstrings, annotations and imports, but not its constants."""
    texts = (normalize_program(code, _MIN_NODES) for code in list_right_programs(row))
    return sorted({hash_text(f"{get_kind(row)}\x1f{text}") for text in texts if text})


def normalize_program(code: str, min_nodes: int = 0) -> str | None:
    """Return a program as text that is the same for its copies under other names; None where it
    does not parse, or is smaller than ``min_nodes``."""
    tree = parse_python(code)
    if tree is None:
        return None
    try:
        tree = ast.fix_missing_locations(_Stripper().visit(tree))
        nodes = [node for node in ast.walk(tree) if not isinstance(node, ast.expr_context)]
        if len(nodes) < min_nodes:
            return None
        _Renamer(_list_own_names(nodes)).visit(tree)
        return ast.dump(tree)
    except RecursionError:
        return None


def _list_own_names(nodes: list[ast.AST]) -> set[str]:
    """Return the names that the program itself defines: all others are Python's or a module's."""
    names: set[str] = set()
    for node in nodes:
        if isinstance(node, _Definition):
            names.add(node.name)
        elif isinstance(node, ast.arg):
            names.add(node.arg)
        elif isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load):
            names.add(node.id)
        elif isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store):
            names.add(node.attr)
    return names


class _Stripper(ast.NodeTransformer):
    """Removes what does not change what a program does, and imports: the names used tell them."""

    def visit_Import(self, node: ast.Import) -> None:
        return None

    def visit_ImportFrom(self, node: ast.ImportFrom) -> None:
        return None

    def visit_Expr(self, node: ast.Expr) -> ast.AST | None:
        return None if isinstance(node.value, ast.Constant) else self.generic_visit(node)

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.AST | None:
        self.generic_visit(node)
        return node.value and ast.Assign([node.target], node.value)

    def visit_arg(self, node: ast.arg) -> ast.AST:
        return ast.arg(node.arg)

    def visit_FunctionDef(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> ast.AST:
        node.returns = None
        return self.generic_visit(node)

    visit_AsyncFunctionDef = visit_FunctionDef  # noqa: N815


class _Renamer(ast.NodeTransformer):
    """Numbers the given names in the order in which the tree first has them."""

    def __init__(self, names: set[str]) -> None:
        self._names = names
        self._numbers: dict[str, str] = {}

    def visit(self, node: ast.AST) -> ast.AST:
        """Rename the node, then its children."""
        for field in ("id", "arg", "attr", "name"):
            name = getattr(node, field, None)
            if isinstance(name, str) and name in self._names:
                setattr(node, field, self._numbers.setdefault(name, f"v{len(self._numbers)}"))
        return self.generic_visit(node)
