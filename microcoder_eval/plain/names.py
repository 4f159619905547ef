"""What the names of a program may stand for.

A name means the same wherever it stands: if an import binds it in one function, it counts as that
import everywhere. There is one exception: a name is the program's own if the compiler treats it
only as a variable of functions and no import binds it.
"""

from __future__ import annotations

import _ast
import _symtable  # type: ignore[import-not-found]  # a module of CPython
import importlib
from typing import Any

from microcoder_sandbox import source_analysis

from .catalogue import IMPORTABLE, MODULES, Catalogue, Place, list_module_names

_IMPORTS = (_ast.Import, _ast.ImportFrom)
_CHILD_FIELDS = {
    kind: tuple(field for field in kind._fields if field != "ctx")
    for kind in vars(_ast).values()
    if isinstance(kind, type) and issubclass(kind, _ast.AST)
} | dict.fromkeys((_ast.Name, _ast.Constant), ())  # half of all nodes

_GLOBAL_SCOPES = (_symtable.GLOBAL_EXPLICIT, _symtable.GLOBAL_IMPLICIT)
_NAME_FIELDS = {_ast.Name: "id", _ast.FunctionDef: "name"}  # of the name of a value


class NotPlain(Exception):  # noqa: N818 - a finding, not an error
    """Why a program is not plain, in a few words."""


class Names:
    """The names of one program.

    modules: names that may be a module, with that module.
    shared: names that may be an object which all tests share, with the place where it may stand.
    unlisted: names that may be something not listed.
    free: names that may be a listed object that nobody can change.
    classes: names that a class statement binds.
    values: names that may be any other value of the program's.
    attributes: those that the program sets.
    """

    def __init__(self, source: bytes, tree: Any, nodes: list[Any], catalogue: Catalogue) -> None:
        """tree, nodes: the syntax tree of the source, and all its nodes. Raises NotPlain."""
        self.modules: dict[str, str] = {}
        self.shared: dict[str, Place] = {}
        self.unlisted: set[str] = set()
        self.free: set[str] = set()
        self.classes: set[str] = set()
        self.values: set[str] = set()
        self.attributes: set[str] = set()
        self._variables, looked_up = _find_variables(source)
        self._imported: set[str] = set()
        for name in looked_up:
            if name in catalogue.modules:
                self.modules[name] = catalogue.modules[name]
            elif name in catalogue.unlisted:
                self.unlisted.add(name)
            elif name in catalogue.builtins:
                self._bind_listed(name, catalogue.builtins[name])
        places = [tree, *[node for node in nodes if type(node) is _ast.FunctionDef]]
        allowed_ids = {id(node) for place in places for node in place.body}
        for node in nodes:
            if type(node) in _IMPORTS:
                if id(node) not in allowed_ids:  # in a class, it would make an attribute
                    raise NotPlain("imports inside of another statement")
                self._import(node, looked_up)
        for node in nodes:
            self._bind(node)
        self.attributes |= self.values  # in a class
        bound = (self.values | self.classes) - self._variables | self._imported & self.values
        annotated = {n for n, place in self.shared.items() if place is Place.ANNOTATION}
        for name in bound & (self.modules.keys() | annotated | self.unlisted):
            if not self._is_bound_first(name, tree, nodes):
                raise NotPlain(f"binds {name} again")
            self.modules.pop(name, None)
            self.shared.pop(name, None)
            self.unlisted.discard(name)

    def is_own(self, name: str) -> bool:
        """Whether a name can only be the program's, or stand for what nobody can change."""
        if name in self._variables and name not in self._imported:
            return True
        is_foreign = name in self.modules or name in self.shared or name in self.unlisted
        return not is_foreign and (name in self.values or name in self.classes or name in self.free)

    def _bind_listed(self, name: str, place: Place | None) -> None:
        if place is None:
            self.free.add(name)
        elif self.shared.setdefault(name, place) is not place:
            self.unlisted.add(name)

    def _import(self, node: Any, looked_up: set[str]) -> None:
        if type(node) is _ast.Import:
            for alias in node.names:
                _check_importable(alias.name)
                name = self._import_name(alias)
                if alias.name not in MODULES:
                    self.unlisted.add(name)
                elif self.modules.setdefault(name, alias.name) != alias.name:
                    raise NotPlain(f"imports two modules as {name}")
            return
        _check_importable("" if node.level else node.module)
        values = vars(importlib.import_module(node.module))
        listed_names = list_module_names(node.module)
        for alias in node.names:
            if alias.name == "*":
                public_names = values.get("__all__") or [name for name in values if name[0] != "_"]
                bound_names = {name: name for name in looked_up.intersection(public_names)}
            else:
                bound_names = {self._import_name(alias): alias.name}
            for name, original in bound_names.items():
                if original in listed_names:
                    self._bind_listed(name, listed_names[original])
                else:
                    self.unlisted.add(name)

    def _import_name(self, alias: Any) -> str:
        name: str = alias.asname or alias.name
        self._imported.add(name)
        return name

    def _bind(self, node: Any) -> None:
        kind, is_read = type(node), type(getattr(node, "ctx", None)) is _ast.Load
        if kind is _ast.Attribute and not is_read:
            self.attributes.add(node.attr)
        elif kind is _ast.ClassDef:
            self.classes.add(node.name)
        elif kind is _ast.arg:
            self.values.add(node.arg)
        elif kind in _NAME_FIELDS and not is_read:
            self.values.add(getattr(node, _NAME_FIELDS[kind]))

    def _is_bound_first(self, name: str, tree: Any, nodes: list[Any]) -> bool:
        """Whether the module assigns a name before anything reads it: it is then the program's."""
        is_deleted = any(
            type(node) is _ast.Name and node.id == name and type(node.ctx) is _ast.Del
            for node in nodes
        )
        for statement in () if is_deleted or name in self._imported else tree.body:
            uses = [node for node in list_nodes(statement) if _get_name(node) == name]
            if uses:
                is_last_import = not any(
                    type(node) in _IMPORTS for node in tree.body[tree.body.index(statement) :]
                )
                targets = getattr(statement, "targets", ())
                return is_last_import and len(uses) == 1 and uses[0] in (statement, *targets)
        return False


def list_nodes(tree: Any) -> list[Any]:
    """Return the nodes of a tree, parents first, without those that only say how a name is used."""
    return source_analysis.walk(tree, _CHILD_FIELDS)


def _get_name(node: Any) -> str | None:
    field = _NAME_FIELDS.get(type(node))
    return getattr(node, field) if field is not None else None


def _check_importable(module: str) -> None:
    if module not in IMPORTABLE:
        raise NotPlain(f"imports {module or 'from a package of its own'}")


def _find_variables(source: bytes) -> tuple[set[str], set[str]]:
    """Return the names that are nothing but variables of functions, and those that are looked up
    in the module: by the module, by a class, or by a function."""
    variables: set[str] = set()
    looked_up: set[str] = set()
    # The classes of symtable take half as long again, and a function named top for the module.
    tables = [_symtable.symtable(source, "solution.py", "exec")]
    for table in tables:
        tables += table.children
        if table.type != _symtable.TYPE_FUNCTION:
            looked_up.update(table.symbols)
            continue
        for name, flags in table.symbols.items():
            scope = flags >> _symtable.SCOPE_OFF & _symtable.SCOPE_MASK
            (looked_up if scope in _GLOBAL_SCOPES else variables).add(name)
    return variables - looked_up, looked_up
