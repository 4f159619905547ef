"""Why some test code cannot run outside the candidate's process."""

from __future__ import annotations

import ast

from microcoder_sandbox import source_analysis, test_names

from .deciders import find_own_decider
from .late_evaluation import find_late_evaluation
from .test_code import TestCode

# Modules and names that inspect the candidate's process, which a proxy cannot do.
_IN_PROCESS_MODULES = frozenset(
    {"inspect", "gc", "weakref", "dis", "tracemalloc", "importlib", "doctest"}
)
# What they load may run code, and what a program returns may be loaded.
_LOADERS = frozenset({"pickle", "marshal", "shelve"})
# What the program sees if tests replace it, as the sandbox's ``test_runner.replacement`` says.
_STREAMS = frozenset({"sys.stdin", "sys.stdout", "sys.stderr", "builtins.input"})
# A proxy has another type than what it stands for; logs and warnings stay in their process.
_IN_PROCESS_ATTRIBUTES = frozenset(
    ["GeneratorType", "CoroutineType", "FunctionType", "MethodType",
     "assertLogs", "assertNoLogs", "assertWarns", "assertWarnsRegex"]
)  # fmt: skip


def find_unsupported(tests: TestCode, root: str | None) -> str | None:
    """Return why test code cannot be run outside the candidate's process, None if it can. root: the
    entry point's global name."""
    nodes = tests.nodes
    for node in nodes:
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            names = [a.name for a in node.names]
            module = getattr(node, "module", None) or ""
            for name in [module, *names] if module else names:
                root_module = name.partition(".")[0]
                if root_module in _IN_PROCESS_MODULES | _LOADERS:
                    return f"the test imports {name}"
                if name in _IN_PROCESS_ATTRIBUTES:
                    return f"the test uses {name}"
        elif isinstance(node, ast.Attribute) and node.attr in _IN_PROCESS_ATTRIBUTES:
            return f"the test uses {node.attr}"
    if any(map(_records_warnings, nodes)):
        return "the test records warnings, which stay in the program's process"
    attribute = _find_replaced(nodes)
    if attribute is not None:
        return f"the test assigns to {attribute}, which the program does not share"
    decorator = _find_decorator(tests)
    if decorator is not None:
        return f"the test decorates a method with {decorator}, which the program defines"
    class_name = _find_compared_class(tests, root)
    if class_name is not None:
        return (
            f"the test only compares objects of the program's class {class_name} by ==, which "
            "would be the program's own; compare an attribute, too"
        )
    evaluator = find_late_evaluation(tests, root)
    if evaluator is not None:
        return f"the test uses {evaluator}, on text that may be the program's"
    decider = find_own_decider(tests, root)
    if decider is not None:
        return (
            f"the test has {decider}, which only the program could define, judge the program's own "
            "results; define it in the test code"
        )
    return None


def _records_warnings(node: ast.AST) -> bool:
    return (
        isinstance(node, ast.Call)
        and source_analysis.get_called_name(node) == "catch_warnings"
        and any(keyword.arg == "record" for keyword in node.keywords)
    )


def _find_decorator(tests: TestCode) -> str | None:
    """Return what the program is to make of a method in a class of the test's: its objects would
    have to be in both processes."""
    classes = [node for node in tests.nodes if isinstance(node, ast.ClassDef)]
    names = tests.candidate_names | tests.candidate_modules
    for method in [method for node in classes for method in node.body]:
        for decorator in getattr(method, "decorator_list", ()):
            if not isinstance(method, ast.ClassDef) and names & {
                part.id for part in ast.walk(decorator) if isinstance(part, ast.Name)
            }:
                return ast.unparse(decorator)
    return None


def _find_replaced(nodes: list[ast.AST]) -> str | None:
    """Return what test code assigns to in a module that it imports, or in a part of one."""
    imports = [alias for node in nodes if isinstance(node, ast.Import) for alias in node.names]
    modules = {alias.asname or alias.name: alias.name for alias in imports}
    for node in nodes:
        target: ast.AST = node
        while isinstance(target, ast.Subscript):
            target = target.value
        match node, target:
            case (
                ast.Attribute(ctx=ast.Store()) | ast.Subscript(ctx=ast.Store()),
                ast.Attribute(value=ast.Name(id=name), attr=attribute),
            ) if name in modules and f"{modules[name]}.{attribute}" not in _STREAMS:
                return f"{name}.{attribute}"
    return None


def _find_compared_class(tests: TestCode, root: str | None) -> str | None:
    """Return a class of the candidate's where all assertions compare objects of it, which the test
    makes, by ``==``: its ``__eq__`` would decide alone. A class is a name in capitals, as in
    ``Vector(1, 2) + Vector(3, 4) == Vector(4, 6)``."""
    nodes, bindings = tests.nodes, tests.bindings
    if not any(isinstance(n, ast.Call) and _is_class(n.func) for n in nodes):
        return None

    def find_class(node: ast.expr) -> str | None:
        match node:
            case ast.Call(func=ast.Name(id=name)):
                is_known = name in bindings or name in test_names.NAMES
                is_known = (is_known or name in source_analysis.BUILTINS) and name != root
                return name if _is_class(node.func) and not is_known else None
            case ast.BinOp(left=left, right=right):
                return find_class(left) or find_class(right)
            case ast.Name(id=name):
                return objects.get(name)
        return None

    objects: dict[str, str] = {}
    for node in nodes:
        match node:
            case ast.Assign(targets=[ast.Name(id=name)], value=value) if bindings[name] == 1:
                if (class_name := find_class(value)) is not None:
                    objects[name] = class_name
    class_name = None
    for node in nodes:
        match node:
            case ast.Assert(test=ast.Compare(left, [ast.Eq()], [right])) if find_class(right):
                class_name = find_class(left)
                if class_name is None:
                    return None
            case ast.stmt() if source_analysis.is_assertion(node):
                return None
    return class_name


def _is_class(function: ast.expr) -> bool:
    return isinstance(function, ast.Name) and function.id[:1].isupper()
