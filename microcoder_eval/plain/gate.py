"""Which programs are plain: those that can carry nothing from one test to the next.

Decided on the syntax tree, in the worker. The checks are in the order of the proof in
sandbox/SESSIONS.md: syntax, names, attributes, the program's own code. What is not understood here
is not plain.
"""

from __future__ import annotations

import _ast
import warnings
from typing import Any

from .catalogue import (
    Catalogue,
    Place,
    list_module_names,
    list_reserved_attributes,
    list_stream_methods,
    load_catalogue,
    split_words,
)
from .names import Names, NotPlain, list_nodes

_MAX_SOURCE = 1 << 16  # bytes; the tree of a text is some hundred times as large
_ONLY_AST = 0x400  # PyCF_ONLY_AST
_NODES = split_words(
    "Module FunctionDef ClassDef Return Delete Assign AugAssign AnnAssign For While If Raise Try "
    "Assert Import ImportFrom Global Nonlocal Expr Pass Break Continue BoolOp NamedExpr BinOp "
    "UnaryOp Lambda IfExp Dict Set ListComp SetComp DictComp GeneratorExp Compare Call "
    "FormattedValue JoinedStr Constant Attribute Subscript Starred Name List Tuple Slice "
    "comprehension ExceptHandler arguments arg keyword alias "
    "And Or Add Sub Mult Div Mod Pow LShift RShift BitOr BitXor BitAnd FloorDiv "
    "Invert Not UAdd USub Eq NotEq Lt LtE Gt GtE Is IsNot In NotIn"
)
_IN_ANNOTATIONS = split_words("Name Attribute Constant Subscript Tuple List BinOp BitOr")


def is_plain(source: bytes, *, call: bool) -> bool:
    """Whether tests of a program may share a child. call: whether it is called, not run as a
    script."""
    return find_batch_obstacle(source, load_catalogue(call=call)) is None


def find_batch_obstacle(source: bytes, catalogue: Catalogue) -> str | None:
    """Return why each test needs a process of its own, None for a plain program.

    source: the text of a program that a child has compiled; no other text reaches the parser here.
    """
    if len(source) > _MAX_SOURCE:
        return "is long"
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # standard error is the judge's, not the program's
            tree = compile(source, "solution.py", "exec", _ONLY_AST, dont_inherit=True)
            nodes = list_nodes(tree)
            for node in nodes:
                if type(node).__name__ not in _NODES:
                    raise NotPlain(f"has {type(node).__name__}")
            _Checker(Names(source, tree, nodes, catalogue), nodes).check()
    except NotPlain as reason:
        return str(reason)
    except (SyntaxError, ValueError, RecursionError, MemoryError, SystemError) as error:
        return f"gives {type(error).__name__}"
    return None


class _Checker:
    """Records the place of each expression, then checks whether it is allowed there."""

    def __init__(self, names: Names, nodes: list[Any]) -> None:
        self._names = names
        self._nodes = nodes
        self._places: dict[int, Place] = {}  # by the id of an expression
        self._reserved = list_reserved_attributes()

    def check(self) -> None:
        """Raise NotPlain for a program that is not."""
        for node in self._nodes:
            self._record_place(node)
        for node in self._nodes:  # attributes before the modules that they are of
            check = _CHECKS.get(type(node))
            if check is not None:
                check(self, node)

    def _record_place(self, node: Any) -> None:
        kind = type(node)
        if kind is _ast.Call:
            self._places.setdefault(id(node.func), Place.CALLED)
        elif kind is _ast.FunctionDef:
            for decorator in node.decorator_list:
                is_call = type(decorator) is _ast.Call and _is_maxsize_only(decorator)
                self._places[id(decorator.func if is_call else decorator)] = Place.MEMO
            self._record_annotation(node.returns)
        elif kind in (_ast.arg, _ast.AnnAssign):
            self._record_annotation(node.annotation)

    def _record_annotation(self, annotation: Any) -> None:
        """Allow shared objects in an annotation that runs no code of the program. Everything in
        such an annotation is listed, a literal, or a class that the program makes."""
        names = self._names
        nodes = list_nodes(annotation) if annotation is not None else []
        for node in nodes:
            kind = type(node)
            is_value = kind is _ast.Name and node.id in names.values
            is_member = kind is _ast.Attribute and not self._is_module(node.value)
            if kind.__name__ not in _IN_ANNOTATIONS or is_value or is_member:
                return
        for node in nodes:
            self._places[id(node)] = Place.ANNOTATION

    def _is_module(self, node: Any) -> bool:
        names = self._names
        return type(node) is _ast.Name and node.id in names.modules and not names.is_own(node.id)

    def _check_place(self, node: Any, name: str, allowed: Place | None) -> None:
        place = self._places.get(id(node))
        is_type = allowed is Place.CALLED and place is Place.ANNOTATION
        if allowed is not None and place is not allowed and not is_type:
            raise NotPlain(f"passes {name} on")

    def _check_name(self, node: Any) -> None:
        names, name = self._names, node.id
        if name == "__name__" and type(node.ctx) is _ast.Load:
            return
        _check_not_special(name)
        if names.is_own(name):
            return
        if name in names.unlisted or not (name in names.shared or name in names.modules):
            raise NotPlain(f"names {name}")
        if name in names.modules:
            self._check_place(node, name, Place.MODULE)
        else:
            self._check_place(node, name, names.shared[name])

    def _check_attribute(self, node: Any) -> None:
        name, names = node.attr, self._names
        _check_not_special(name)
        if type(node.ctx) is not _ast.Load:
            if name in list_stream_methods() or name in self._reserved:  # x.name += 1 reads it
                raise NotPlain(f"sets .{name}")
        elif self._is_module(node.value):
            module = names.modules[node.value.id]
            listed_names = list_module_names(module)
            if name not in listed_names:
                raise NotPlain(f"names {module}.{name}")
            self._check_place(node, f"{module}.{name}", listed_names[name])
            self._places[id(node.value)] = Place.MODULE
        elif name in self._reserved or (name[0] == "_" and name not in names.attributes):
            raise NotPlain(f"reads .{name}")

    def _check_function(self, node: Any) -> None:
        if node.name != "__init__":
            _check_not_special(node.name)

    def _check_class(self, node: Any) -> None:
        _check_not_special(node.name)
        bases = [base for base in node.bases if getattr(base, "id", "") != "object"]
        if bases or node.keywords or node.decorator_list or "object" in self._names.values:
            raise NotPlain("has a class with a base, a keyword or a decorator")

    def _check_comparison(self, node: Any) -> None:
        """Refuse comparisons by identity, except with a singleton: they reveal addresses, and which
        texts the interpreter keeps."""
        operands = [node.left, *node.comparators]
        for index, operator in enumerate(node.ops):
            is_identity = type(operator) in (_ast.Is, _ast.IsNot)
            if is_identity and not any(map(_is_singleton, operands[index : index + 2])):
                raise NotPlain("compares by identity")

    def _check_handler(self, node: Any) -> None:
        if node.name is not None:  # it gives access to frames, which the interpreter reuses
            raise NotPlain("names an exception")


_CHECKS = {
    _ast.Name: _Checker._check_name,
    _ast.Attribute: _Checker._check_attribute,
    _ast.FunctionDef: _Checker._check_function,
    _ast.ClassDef: _Checker._check_class,
    _ast.arg: lambda _checker, node: _check_not_special(node.arg),
    _ast.alias: lambda _checker, node: _check_not_special(node.asname or ""),
    _ast.Compare: _Checker._check_comparison,
    _ast.ExceptHandler: _Checker._check_handler,
}


def _check_not_special(name: str) -> None:
    if name[:2] == "__":  # the interpreter's, or a name that stands for another one in a class
        raise NotPlain(f"names {name}")


def _is_maxsize_only(call: Any) -> bool:
    """Whether a decorator is called with a literal and nothing else, as maxsize."""
    values = [*call.args, *(keyword.value for keyword in call.keywords if keyword.arg == "maxsize")]
    is_one = len(values) == len(call.args) + len(call.keywords) == 1
    return is_one and type(values[0]) is _ast.Constant


def _is_singleton(node: Any) -> bool:
    return type(node) is _ast.Constant and type(node.value) in (bool, type(None))
