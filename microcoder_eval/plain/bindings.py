"""What the names of a program may stand for, decided on its syntax tree.

By name, wherever it stands: a name that an import binds in one function is that import everywhere.
Only the variables of functions, which no import binds, are apart (scopes.py): they are the
program's own.
"""

from __future__ import annotations

import _ast
import builtins
import importlib
from typing import Any

from .catalogue import IMPORTABLE, LITERALS, MODULES, NEVER, Catalogue, split_words
from .scopes import find_local_names, list_nodes

# Special methods that a program's classes may have. Not those that are handed something that is
# not the program's: __exit__ a class and a traceback, __reduce__ and its kin a copier.
_METHODS = frozenset(
    f"__{name}__"
    for name in split_words(
        "init len getitem setitem delitem contains iter next reversed missing call "
        "add radd iadd sub rsub isub mul rmul imul truediv rtruediv itruediv floordiv rfloordiv "
        "ifloordiv mod rmod imod pow rpow ipow matmul rmatmul divmod rdivmod neg pos abs invert "
        "lshift rshift ilshift irshift rlshift rrshift and rand iand or ror ior xor rxor ixor "
        "eq ne lt le gt ge hash str repr bool int float complex index round floor ceil trunc "
        "format"
    )
)
_IMPORTS = (_ast.Import, _ast.ImportFrom)


class NotPlain(Exception):  # noqa: N818 - a finding, not an error
    """Why a program is not plain, in a few words."""


class Bindings:
    """The names of one program. A name may be in several of these sets.

    modules: those that may be a module -> which. shared: that may be an object which all tests
    share -> how it may be called (catalogue.ANY…). unlisted: that may be what is not listed.
    known: that are listed, or bound by the program. imported: that an import binds. classes: that
    a class statement binds to a class whose type is ``type``, unless they are in values. values:
    that may be any other value of the program's. attributes: those that the program sets or
    defines.
    """

    def __init__(self, tree: Any, nodes: list[Any], catalogue: Catalogue) -> None:
        """nodes: all of the tree, parents first. Raises NotPlain."""
        self.modules: dict[str, str] = {}
        self.shared: dict[str, int] = {}
        self.unlisted: set[str] = set()
        self.known: set[str] = set()
        self.imported: set[str] = set()
        self.classes: set[str] = set()
        self.values: set[str] = set()
        self.attributes: set[str] = set()
        self._tree = tree
        self._nodes = nodes
        self._locals = find_local_names(tree)
        self._catalogue = catalogue
        self._unbound: set[str] = set()  # names that the program may take away again
        self._slots: set[int] = set()  # ids of targets: __slots__ with literal names
        self._bind_builtins()
        self._bind_imports()
        for node in nodes:
            kind = type(node).__name__
            if kind in _BINDERS:
                _BINDERS[kind](self, node)
        self._mark_classes_of_unknown_type()
        self._remove_names_assigned_first()
        for name in self.modules.keys() & (self.values | self.classes):
            raise NotPlain(f"binds {name} anew")

    def is_local(self, node: Any) -> bool:
        """Whether a name is a function's variable, imported there or not."""
        return id(node) in self._locals

    def is_own(self, node: Any) -> bool:
        """Whether a name is a function's variable, which no import binds."""
        return id(node) in self._locals and node.id not in self.imported

    def is_module(self, node: Any) -> bool:
        """Whether an expression is the name of a module."""
        return type(node) is _ast.Name and node.id in self.modules and not self.is_own(node)

    def is_class(self, node: Any) -> bool:
        """Whether an expression can only be a class whose type is ``type``."""
        is_call = type(node) is _ast.Call
        callee = node.func if is_call else node
        if type(callee) is not _ast.Name or id(callee) in self._locals:
            return False
        name = callee.id
        if name in self.values:
            return False
        if is_call:  # namedtuple; a function of the program's may return anything
            return self.shared.get(name) == LITERALS and name not in self.classes
        if name in self.imported:
            return False
        return name in self.classes or isinstance(getattr(builtins, name, None), type)

    def _bind_builtins(self) -> None:
        catalogue = self._catalogue
        for name in self._list_module_variables():
            if name in catalogue.builtins:
                self._bind_object(name, catalogue.builtins[name])
            elif name in catalogue.modules:
                self.modules[name] = catalogue.modules[name]
                self.known.add(name)
            elif name in catalogue.unlisted:
                self.unlisted.add(name)

    def _list_module_variables(self) -> set[str]:
        """Names of variables that are not local to a function."""
        return {
            node.id
            for node in self._nodes
            if type(node) is _ast.Name and id(node) not in self._locals
        }

    def _bind_object(self, name: str, call: int | None) -> None:
        self.known.add(name)
        if call is not None:
            self.shared[name] = call if self.shared.get(name, call) == call else NEVER

    def _bind_imports(self) -> None:
        """Bind the names of imports; refuse imports in a class, which would be attributes.

        Before all other names: one that an import binds is nowhere a function's variable."""
        places = [self._tree, *[node for node in self._nodes if type(node) is _ast.FunctionDef]]
        allowed_ids = {id(node) for place in places for node in place.body}
        for node in self._nodes:
            if type(node) not in _IMPORTS:
                continue
            if id(node) not in allowed_ids:
                raise NotPlain("imports inside of another statement")
            if type(node) is _ast.Import:
                self._import(node)
            else:
                self._import_from(node)

    def _import(self, node: Any) -> None:
        for alias in node.names:
            _load_module_values(alias.name)
            name = alias.asname or alias.name.partition(".")[0]
            self._bind_import(name)
            if alias.name not in MODULES:
                self.unlisted.add(name)
            elif self.modules.setdefault(name, alias.name) != alias.name:
                raise NotPlain(f"imports two modules as {name}")

    def _import_from(self, node: Any) -> None:
        if node.level:
            raise NotPlain("imports from a package of its own")
        values = _load_module_values(node.module)
        listed_names = self._catalogue.get_module_names(node.module)
        for alias in node.names:
            if alias.name == "*":
                public_names = values.get("__all__") or [name for name in values if name[0] != "_"]
                for name in self._list_module_variables().intersection(public_names):
                    self._bind_listed(name, name, listed_names)
            elif alias.name not in values:
                raise NotPlain(f"imports {alias.name} from {node.module}")
            else:
                name = alias.asname or alias.name
                self._bind_import(name)
                self._bind_listed(name, alias.name, listed_names)

    def _bind_import(self, name: str) -> None:
        self.imported.add(name)
        self._bind(name)

    def _bind_listed(self, name: str, original: str, listed_names: dict[str, int | None]) -> None:
        if original in listed_names:
            self._bind_object(name, listed_names[original])
        else:
            self.unlisted.add(name)

    def _bind(self, name: str) -> None:
        self.known.add(name)
        self.attributes.add(name)  # in a class
        if name == "close":  # what a generator takes from is closed when it is collected
            raise NotPlain("defines close")
        if is_special(name):
            if name not in _METHODS:
                raise NotPlain(f"defines {name}")
        elif is_mangled(name):
            raise NotPlain(f"has a variable {name}")

    def _bind_name(self, node: Any) -> None:
        if type(node.ctx) is _ast.Load:
            return
        if not self.is_own(node):
            self.values.add(node.id)
        if id(node) not in self._slots:
            self._bind(node.id)
        if type(node.ctx) is _ast.Del:
            self._unbound.add(node.id)

    def _bind_slots(self, node: Any) -> None:
        target = node.targets[0]
        if type(target) is _ast.Name and target.id == "__slots__" and is_literal(node.value):
            self._slots.add(id(target))

    def _bind_attribute(self, node: Any) -> None:
        if type(node.ctx) is not _ast.Load:
            self.attributes.add(node.attr)

    def _bind_function(self, node: Any) -> None:
        self.values.add(node.name)
        if is_mangled(node.name):
            self.attributes.add(node.name)
        else:
            self._bind(node.name)

    def _bind_class(self, node: Any) -> None:
        self.classes.add(node.name)
        self._bind(node.name)

    def _bind_parameter(self, node: Any) -> None:
        self._bind(node.arg)
        if node.arg in self.imported:
            self.values.add(node.arg)

    def _bind_declared(self, node: Any) -> None:
        for name in node.names:
            self._bind(name)

    def _bind_captured(self, node: Any) -> None:
        name = node.rest if type(node) is _ast.MatchMapping else node.name
        if name is not None:
            self.values.add(name)
            self._bind(name)
            self._unbound.add(name)  # as an exception's name is, at the end of its handler

    def _mark_classes_of_unknown_type(self) -> None:
        """Count a class whose type may not be ``type`` as any value: one with decorators, or with
        a base that is neither a listed class nor one of the program's."""
        statements = [node for node in self._nodes if type(node) is _ast.ClassDef]
        subclasses: dict[str, list[Any]] = {}
        for node in statements:
            for base in node.bases:
                if type(base) is _ast.Name:
                    subclasses.setdefault(base.id, []).append(node)
        pending = [
            node
            for node in statements
            if node.decorator_list or not all(map(self.is_class, node.bases))
        ]
        for node in pending:
            self.values.add(node.name)
            pending += subclasses.pop(node.name, [])

    def _remove_names_assigned_first(self) -> None:
        """Remove names that the module assigns before any use from the sets of what is not the
        program's: they refer only to the program's values."""
        statements = self._tree.body
        statement_ids = set(map(id, statements))
        if any(type(node) in _IMPORTS and id(node) not in statement_ids for node in self._nodes):
            return
        foreign = self.unlisted | self.shared.keys() | self.modules.keys()
        names = (self.values & foreign) - self._unbound
        last_import = max(
            (i for i, node in enumerate(statements) if type(node) in _IMPORTS), default=-1
        )
        for index, statement in enumerate(statements):
            if not names:
                return
            nodes = [
                node
                for node in list_nodes(statement)
                if type(node) is _ast.Name and id(node) not in self._locals
            ]
            own_names: set[str] = set()
            if type(statement) is _ast.Assign and index > last_import:
                targets = {
                    id(node) for target in statement.targets for node in _list_target_names(target)
                }
                bound_names = {node.id for node in nodes if id(node) in targets}
                own_names = bound_names - {node.id for node in nodes if id(node) not in targets}
            for name in names & own_names:
                self.unlisted.discard(name)
                self.shared.pop(name, None)
                self.modules.pop(name, None)
            names -= {node.id for node in nodes}


_BINDERS = {
    "Name": Bindings._bind_name,
    "Assign": Bindings._bind_slots,
    "Attribute": Bindings._bind_attribute,
    "FunctionDef": Bindings._bind_function,
    "ClassDef": Bindings._bind_class,
    "arg": Bindings._bind_parameter,
    **dict.fromkeys(split_words("Global Nonlocal"), Bindings._bind_declared),
    **dict.fromkeys(
        split_words("ExceptHandler MatchStar MatchAs MatchMapping"), Bindings._bind_captured
    ),
}


def is_special(name: str) -> bool:
    """Whether a name is the interpreter's, as __len__."""
    return name[:2] == "__" == name[-2:]


def is_mangled(name: str) -> bool:
    """Whether a name stands for another one in a class: _Class__name."""
    return name[:2] == "__" != name[-2:]


def is_literal(node: Any) -> bool:
    """Whether an expression is a text that names nothing special, or a list of such texts."""
    if type(node) in (_ast.Tuple, _ast.List):
        return all(map(is_literal, node.elts))
    if type(node) is not _ast.Constant or type(node.value) is not str:
        return False
    return "__" not in node.value and "close" not in node.value


def _load_module_values(module: str) -> dict[str, Any]:
    """Return what is in a module whose import does nothing but make it."""
    if module not in IMPORTABLE:
        raise NotPlain(f"imports {module}")
    return vars(importlib.import_module(module))


def _list_target_names(target: Any) -> list[Any]:
    """Return the names that an assignment binds directly."""
    nodes = [target]
    for node in nodes:
        if type(node) in (_ast.Tuple, _ast.List):
            nodes += node.elts
        elif type(node) is _ast.Starred:
            nodes.append(node.value)
    return [node for node in nodes if type(node) is _ast.Name]
