"""Which names of a program are local to its functions: these are never module, built-in or import.

Conservative: what is not shown to be local here counts as looked up in the module.
"""

from __future__ import annotations

import _ast

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

_FUNCTIONS = (_ast.FunctionDef, _ast.AsyncFunctionDef, _ast.Lambda)
_OPERATORS = (_ast.operator, _ast.unaryop, _ast.boolop, _ast.cmpop)
_LEAVES = frozenset(  # half of all nodes: nothing that matters is below them
    [_ast.Name, _ast.Constant, *(kind for base in _OPERATORS for kind in base.__subclasses__())]
)
# Of all functions, each with those around it: a text of 64 KiB can have 8,000 around each of 8,000
# functions. The names of further functions count as the module's.
_MAX_NAMES = 200_000
_COMPREHENSIONS = (_ast.ListComp, _ast.SetComp, _ast.DictComp, _ast.GeneratorExp)


def list_child_nodes(node: Any) -> list[Any]:
    """Return the nodes directly below a node of a syntax tree, but for what says how a name is
    used.

    They are kept in the node: a program is walked several times.
    """
    if type(node) in _LEAVES:
        return []
    children: list[Any] | None = getattr(node, "child_nodes", None)
    if children is None:
        children = []
        for field in node._fields:
            value = getattr(node, field, None)
            if type(value) is list:
                children += [item for item in value if isinstance(item, _ast.AST)]
            elif isinstance(value, _ast.AST) and not isinstance(value, _ast.expr_context):
                children.append(value)
        node.child_nodes = children
    return children


def list_nodes(*trees: Any) -> list[Any]:
    """All nodes of trees, parents first."""
    nodes = list(trees)
    for node in nodes:
        nodes += list_child_nodes(node)
    return nodes


def find_local_names(module: Any) -> set[int]:
    """Return the ids of all Name nodes that stand for a variable of a function."""
    local_ids: set[int] = set()
    name_count = 0
    # Function, and the names that are variables of the functions around it.
    queue = [(node, frozenset[str]()) for node in _list_functions(list_child_nodes(module))]
    for function, outer_variables in queue:
        body = function.body if type(function.body) is list else [function.body]
        scope_nodes = list_nodes_outside_functions(body)
        class_node_ids = _find_class_nodes(scope_nodes)
        global_names = {
            name for node in scope_nodes if type(node) is _ast.Global for name in node.names
        }
        variables = (
            outer_variables | _find_bound_names(function.args, scope_nodes, class_node_ids)
        ) - global_names
        local_ids |= {
            id(node)
            for node in scope_nodes
            if type(node) is _ast.Name and node.id in variables and id(node) not in class_node_ids
        }
        queue += [(nested_function, variables) for nested_function in _list_functions(body)]
        name_count += len(variables)
        if name_count > _MAX_NAMES:
            break
    return local_ids


def list_nodes_outside_functions(nodes: Iterable[Any]) -> list[Any]:
    """Nodes that run in the scope of ``nodes``, or in a class or comprehension in it.

    Of a nested function these are its decorators, defaults and annotations."""
    result: list[Any] = []
    queue = list(nodes)
    for node in queue:
        result.append(node)
        if type(node) in _FUNCTIONS:
            queue += _list_outer_parts(node)
        else:
            queue += list_child_nodes(node)
    return result


def _list_outer_parts(function: Any) -> list[Any]:
    arguments = function.args
    nodes = [*arguments.defaults, *(node for node in arguments.kw_defaults if node is not None)]
    nodes += [argument for argument in _list_parameters(arguments) if argument.annotation]
    nodes += getattr(function, "decorator_list", [])
    returns = getattr(function, "returns", None)
    return [*nodes, returns] if returns is not None else nodes


def _list_parameters(arguments: Any) -> list[Any]:
    star_parameters = [
        parameter for parameter in (arguments.vararg, arguments.kwarg) if parameter is not None
    ]
    return [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs, *star_parameters]


def _list_functions(nodes: Iterable[Any]) -> list[Any]:
    return [node for node in list_nodes_outside_functions(nodes) if type(node) in _FUNCTIONS]


def _find_class_nodes(nodes: Iterable[Any]) -> set[int]:
    """Ids of nodes in class bodies: there a name that is bound may fall back on the module's."""
    return {
        id(inner)
        for node in nodes
        if type(node) is _ast.ClassDef
        for inner in list_nodes_outside_functions(node.body)
    }


def _find_bound_names(arguments: Any, nodes: list[Any], class_node_ids: set[int]) -> set[str]:
    """Names that a function binds for itself."""
    # A comprehension's variables are its own, and its first iterable is evaluated outside.
    comprehension_ids = {
        id(inner)
        for node in nodes
        if type(node) in _COMPREHENSIONS
        for generator in node.generators
        for inner in list_nodes(generator.target)
    }
    # "(name): type" binds nothing, though the tree has a target there.
    bare_annotation_ids = {
        id(node.target)
        for node in nodes
        if type(node) is _ast.AnnAssign and not node.simple and node.value is None
    }
    names = {argument.arg for argument in _list_parameters(arguments)}
    for node in nodes:
        if (
            id(node) in class_node_ids
            or id(node) in comprehension_ids
            or id(node) in bare_annotation_ids
        ):
            continue
        kind = type(node)
        if kind is _ast.Name and type(node.ctx) is not _ast.Load:
            names.add(node.id)
        elif kind in (_ast.FunctionDef, _ast.ClassDef, _ast.ExceptHandler) and node.name:
            names.add(node.name)
    return names
