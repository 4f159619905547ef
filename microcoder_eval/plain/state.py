"""Whether a plain program may keep something from one call of its functions to the next.

Tests of a plain program share a child, in which the program starts again for each of them. Where
the program may keep something, that makes a difference.
"""

from __future__ import annotations

import ast

_KEEPS_NOTHING = ("staticmethod", "classmethod", "property")
_IMMUTABLE = (ast.Constant, ast.Tuple, ast.BinOp, ast.UnaryOp, ast.operator, ast.unaryop, ast.Load)


def keeps_state(source: bytes) -> bool:
    """Whether a call may leave something for the next one: in a global variable, in an object that
    is bound in the module, in a class or as a default argument, in an attribute of a class or a
    function, or in what a decorator keeps.

    source: the text of a plain program that a child has compiled.
    """
    module = ast.parse(source)
    bodies = [module.body, *(n.body for n in ast.walk(module) if isinstance(n, ast.ClassDef))]
    if any(_binds_object(statement) for body in bodies for statement in body):
        return True
    names = {part.name for part in module.body if isinstance(part, ast.FunctionDef | ast.ClassDef)}
    return any(_changes_shared(node, names) for node in ast.walk(module))


def _binds_object(statement: ast.stmt) -> bool:
    outer_parts: list[ast.AST | None] = [statement]  # what runs with the module
    match statement:
        case ast.Assign(value=value):
            return not _is_immutable(value)
        case ast.AnnAssign(annotation=annotation, value=value):
            outer_parts = [annotation]
            if value is not None and not _is_immutable(value):
                return True
        case ast.FunctionDef(args=args, returns=returns, decorator_list=decorators):
            outer_parts = [args, returns]
            if any(getattr(decorator, "id", "") not in _KEEPS_NOTHING for decorator in decorators):
                return True
        case ast.ClassDef(bases=bases, keywords=keywords, decorator_list=decorators):
            outer_parts = [*bases, *keywords]
            if decorators:
                return True
        case ast.Import() | ast.ImportFrom() | ast.Expr() | ast.Pass():
            pass
        case _:
            return True
    nodes = (node for part in outer_parts if part is not None for node in ast.walk(part))
    return any(isinstance(node, ast.NamedExpr) for node in nodes)


def _changes_shared(node: ast.AST, names: set[str]) -> bool:
    """Whether code changes what the next call finds. names: the module's functions and classes."""
    match node:
        case ast.Global():
            return True
        case ast.arguments(defaults=defaults, kw_defaults=kw_defaults):
            return not all(v is None or _is_immutable(v) for v in (*defaults, *kw_defaults))
        case ast.Attribute(value=value, ctx=ast.Store() | ast.Del()):
            while isinstance(value, ast.Attribute | ast.Subscript):
                value = value.value
            return not isinstance(value, ast.Name) or value.id in names
    return False


def _is_immutable(value: ast.expr) -> bool:
    return all(isinstance(node, _IMMUTABLE) for node in ast.walk(value))
