"""Whether two programs are the same but for their names and constants.

A held-out problem whose program is a training one with other names shows what was remembered, not
what was learnt.
"""

from __future__ import annotations

import ast
import builtins


class _Levelling(ast.NodeTransformer):
    """Numbers the program's own names in the order of their first use; constants become types."""

    def __init__(self) -> None:
        self._names: dict[str, str] = {}

    def _rename(self, name: str) -> str:
        if hasattr(builtins, name) or name == "math":
            return name
        return self._names.setdefault(name, f"name{len(self._names)}")

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        node.name, node.returns = self._rename(node.name), None
        if ast.get_docstring(node) is not None:
            del node.body[0]
        return self.generic_visit(node)

    def visit_arg(self, node: ast.arg) -> ast.AST:
        node.arg, node.annotation = self._rename(node.arg), None
        return node

    def visit_Name(self, node: ast.Name) -> ast.AST:
        node.id = self._rename(node.id)
        return node

    def visit_Constant(self, node: ast.Constant) -> ast.AST:
        return ast.Constant(type(node.value).__name__)


def level_program(code: str) -> str:
    """The program's syntax tree as text, with names and constants levelled."""
    return ast.dump(_Levelling().visit(ast.parse(code)))
