"""Whether a plain program may keep something from one call of its functions to the next.

Tests of a plain program share a child, in which the program starts again for each of them. Where
the program may keep something, that makes a difference.
"""

from __future__ import annotations

import ast

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
    parts = (part for body in bodies for part in body)
    names = {part.name for part in parts if isinstance(part, ast.FunctionDef | ast.ClassDef)}
    changes = any(_changes_shared(node, names) for node in ast.walk(module))
    return changes or _hands_out(module, names)


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
            if decorators:  # of a plain program, that of a cache
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
    """Whether code changes what the next call finds. names: of the functions and classes."""
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


def _hands_out(module: ast.Module, names: set[str]) -> bool:
    """Whether a variable may come to hold a function or class of the program, which may then be
    changed under another name. Where they are called, read from or named as a type, none does."""
    harmless: set[ast.AST] = set()
    for node in ast.walk(module):
        match node:
            case ast.Call(func=func):
                harmless.add(func)
            case ast.Attribute(value=ast.Name() as owner):
                harmless.add(owner)
            case (
                ast.arg(annotation=ast.expr() as annotation)
                | ast.FunctionDef(returns=ast.expr() as annotation)
                | ast.AnnAssign(annotation=annotation)
            ):
                harmless.update(ast.walk(annotation))
    return any(_find_name(node) in names for node in ast.walk(module) if node not in harmless)


def _find_name(node: ast.AST) -> str | None:
    match node:
        case ast.Name(id=name, ctx=ast.Load()) | ast.Attribute(attr=name, ctx=ast.Load()):
            return name
    return None


def _is_immutable(value: ast.expr) -> bool:
    return all(isinstance(node, _IMMUTABLE) for node in ast.walk(value))
