"""The classes that test code defines for its arguments, as source that runs in any process.

Examples are a node of a linked list and a vertex of a graph. Their methods may use variables of the
test code, which both processes share as those of functions. A class stays in the test's process

* if its definition itself uses another name of the test code: a base, a decorator, a default;
* if it holds an assertion, or belongs to a test framework;
* if the tests only ask it (``Reference().solve(x)``, ``Expected.FIRST``): the program could, too;
* if its objects equal anything: a program that returns one would be right everywhere;
* if it counts in itself what the tests read (``Tracked.comparisons += 1``): the class in the
  program's process would count.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Sequence
from typing import Any

from microcoder_sandbox.rpc import functions
from microcoder_sandbox.rpc.classes import run_definitions
from microcoder_sandbox.test_code import source_analysis, test_names
from microcoder_sandbox.wire.light_record import LightRecord

_DIFFERENT_VALUES: tuple[Any, ...] = (None, 0, 1, "", "a", [], [0], {}, object())
_MAKERS = ("namedtuple", "NamedTuple", "TypeVar")
_READERS = frozenset({"eval", "exec", "getattr", "globals", "locals", "vars"})


class TestClasses(LightRecord):
    """Classes of the tests: their names, their definitions with the imports that they use, and the
    keys of the variables of the module that their methods use (``functions.find_variables``)."""

    names: frozenset[str] = frozenset()
    source: str = ""
    read: tuple[str, ...] = ()
    assigned: tuple[str, ...] = ()


def extract_classes(tree: ast.Module) -> TestClasses:
    """Return the classes that may be in both processes; none where the definitions fail."""
    classes = [node for node in tree.body if _is_definition(node) and not _is_of_tests(node)]
    imports = [node for node in tree.body if isinstance(node, (ast.Import, ast.ImportFrom))]
    imported_names = {name for node in imports for name in _list_bound_names(node)}
    while classes:
        free_names = source_analysis.find_free_names(_unparse(classes))
        missing_names = free_names - imported_names - test_names.NAMES - functions.REPLACED.keys()
        staying = [node for node in classes if missing_names & _find_names_at_definition(node)]
        if not staying:
            break
        classes = [node for node in classes if node not in staying]
    asked_names = _list_asked_classes(tree, classes)
    classes = [node for node in classes if _get_name(node) not in asked_names]
    if not classes:
        return TestClasses()
    free_names = source_analysis.find_free_names(_unparse(classes))
    used_imports = [
        node
        for node in imports
        if _is_future_import(node) or free_names.intersection(_list_bound_names(node))
    ]
    name_imports = [
        test_names.write_import(name)
        for name in sorted(free_names & test_names.NAMES - imported_names)
    ]
    source = "\n".join([_unparse(used_imports), *name_imports, _unparse(classes)])
    try:
        defined = run_definitions(source, functions.make_module())
    except Exception:
        return TestClasses()  # a test that passes such an object is refused
    staying = [
        node
        for node in classes
        if _equals_anything(defined.get(_get_name(node))) or _counts(node, tree)
    ]
    if staying:
        others = [node for node in tree.body if node not in staying]
        return extract_classes(ast.Module(others, []))
    return TestClasses(frozenset(map(_get_name, classes)), source, *_find_variables(source))


def _find_variables(source: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    code = compile(source, source_analysis.FILE_NAME, "exec", dont_inherit=True)
    read, assigned = functions.find_variables(code) or ((), ())
    free_keys = {f"global {name}" for name in source_analysis.find_free_names(source)}
    return tuple([key for key in read if key in free_keys or key in assigned]), tuple(assigned)


def _equals_anything(cls: Any) -> bool:
    """Whether an object of a class, before it has any attributes, equals values that differ."""

    def equals(value: Any) -> bool:
        try:
            return bool(object.__new__(cls) == value)
        except Exception:
            return False

    return sum(map(equals, _DIFFERENT_VALUES)) > 1


def _counts(definition: ast.stmt, tree: ast.Module) -> bool:
    """Whether the test code changes an attribute of a class itself that it also reads, outside of
    the class or in a method of the class's own."""
    if not isinstance(definition, ast.ClassDef):
        return False
    inner = [*ast.walk(definition)]
    read_names = _list_read_attributes({*ast.walk(tree)} - {*inner})
    for node in definition.body:
        if any(ast.unparse(d) == "classmethod" for d in getattr(node, "decorator_list", ())):
            read_names |= _list_read_attributes(ast.walk(node))
    changed = _list_changed(inner, "cls") | _list_changed(ast.walk(tree), definition.name)
    return not changed.isdisjoint(read_names)


def _list_changed(nodes: Iterable[ast.AST], owner: str) -> set[str]:
    """Return the attributes of a name that statements assign to, or call a method of."""
    names: set[str] = set()
    for node in nodes:
        targets: Sequence[ast.expr] = ()
        match node:
            case ast.Assign(targets=targets):
                pass
            case ast.AugAssign(target=target):
                targets = [target]
            case ast.Expr(value=ast.Call(func=ast.Attribute(value=receiver))):
                targets = [receiver]
        for changed in targets:
            while isinstance(changed, ast.Subscript):
                changed = changed.value
            match changed:
                case ast.Attribute(value=ast.Name(id=name), attr=attribute) if name == owner:
                    names.add(attribute)
    return names


def _list_read_attributes(nodes: Iterable[ast.AST]) -> set[str]:
    attributes = [node for node in nodes if isinstance(node, ast.Attribute)]
    return {node.attr for node in attributes if isinstance(node.ctx, ast.Load)}


def _list_asked_classes(tree: ast.Module, classes: Sequence[ast.stmt]) -> set[str]:
    """Return the names of the classes of which the program meets no object: the tests only read
    attributes of theirs, and nothing in them makes or hands out an object of the tests."""
    parents = {child: node for node in ast.walk(tree) for child in ast.iter_child_nodes(node)}
    loads = [node for node in parents if isinstance(getattr(node, "ctx", None), ast.Load)]
    whole_names = {
        _get_last_name(node)
        for node in loads
        if isinstance(node, (ast.Name, ast.Attribute))
        and not isinstance(parents[node], ast.Attribute)
    }
    passed_methods = {
        node.attr
        for node in loads
        if isinstance(node, ast.Attribute) and getattr(parents[node], "func", None) is not node
    }
    references = [node for node in loads if isinstance(node, ast.Name)]
    if _READERS & {node.id for node in references}:
        return set()  # of attributes whose name is not written down
    names = {*map(_get_name, classes), "cls"}
    parts = {part for definition in classes for part in ast.walk(definition)}
    asked_names: set[str] = set()
    for definition in classes:
        own_name, inner = _get_name(definition), {*ast.walk(definition)}
        methods = {n.name for n in inner if isinstance(n, ast.FunctionDef) and not n.decorator_list}
        hands_out = bool(getattr(definition, "bases", True) or methods & passed_methods) or any(
            node.id in names or (node.id == "self" and not isinstance(parents[node], ast.Attribute))
            for node in references
            if node in inner
        )
        uses = [node for node in references if node.id == own_name and node not in inner]
        is_asked = all(node not in parts and _is_asked(node, parents, whole_names) for node in uses)
        if uses and is_asked and not hands_out:
            asked_names.add(own_name)
    return asked_names


def _is_asked(node: ast.Name, parents: dict[ast.AST, ast.AST], whole_names: set[str]) -> bool:
    parent = parents[node]
    if isinstance(parent, ast.Call) and parent.func is node:
        above = parents[parent]
        match above:
            case ast.Assign(targets=[ast.Name() | ast.Attribute() as target]):
                return _get_last_name(target) not in whole_names
        return isinstance(above, ast.Attribute)
    return isinstance(parent, ast.Attribute)


def _get_last_name(node: ast.Name | ast.Attribute) -> str:
    return node.id if isinstance(node, ast.Name) else node.attr


def _is_definition(node: ast.stmt) -> bool:
    match node:
        case ast.ClassDef():
            return True
        case ast.Assign(targets=[ast.Name()], value=ast.Call() as call):
            return source_analysis.get_called_name(call) in _MAKERS
    return False


def _get_name(node: Any) -> str:
    name: str = node.name if isinstance(node, ast.ClassDef) else node.targets[0].id
    return name


def _is_of_tests(node: ast.stmt) -> bool:
    return any(
        isinstance(part, ast.stmt) and source_analysis.is_assertion(part) for part in ast.walk(node)
    ) or any("TestCase" in ast.unparse(base) for base in getattr(node, "bases", ()))


def _is_future_import(node: ast.stmt) -> bool:
    return isinstance(node, ast.ImportFrom) and node.module == "__future__"


def _list_bound_names(node: ast.Import | ast.ImportFrom) -> list[str]:
    return [item.asname or item.name.partition(".")[0] for item in node.names]


def _find_names_at_definition(node: ast.stmt) -> set[str]:
    """Return the global names that a definition needs at once, as those of its bases."""
    code = compile(ast.unparse(node), source_analysis.FILE_NAME, "exec", dont_inherit=True)
    return functions.list_names_of_bodies(code)


def _unparse(nodes: Sequence[ast.stmt]) -> str:
    return "\n".join(map(ast.unparse, nodes))
