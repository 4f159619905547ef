"""Why some test code cannot run outside the candidate's process."""

from __future__ import annotations

import ast
from collections.abc import Callable

from microcoder_sandbox import source_analysis, test_names

from .self_judging import find_self_judging_function
from .test_code import TestCode

NEEDS_IN_PROCESS = "test needs in-process access"  # what the reasons stand behind
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
    for find, reason in _REASONS:
        name = find(tests, root)
        if name is not None:
            return reason.format(name)
    return None


def _find_inspection(tests: TestCode, _root: str | None) -> str | None:
    for node in tests.select(ast.Import, ast.ImportFrom, ast.Attribute):
        if isinstance(node, ast.Attribute):
            if node.attr in _IN_PROCESS_ATTRIBUTES:
                return f"uses {node.attr}"
            continue
        module = getattr(node, "module", None)
        for name in [*([module] if module else []), *(alias.name for alias in node.names)]:
            if name.partition(".")[0] in _IN_PROCESS_MODULES | _LOADERS:
                return f"imports {name}"
            if name in _IN_PROCESS_ATTRIBUTES:
                return f"uses {name}"
    return None


def _find_recorder(tests: TestCode, _root: str | None) -> str | None:
    """Return the call that records warnings."""
    for call in tests.select(ast.Call):
        options = {keyword.arg for keyword in call.keywords}
        if source_analysis.get_called_name(call) == "catch_warnings" and "record" in options:
            return ast.unparse(call)
    return None


def _find_decorator(tests: TestCode, _root: str | None) -> str | None:
    """Return what the program is to make of a method in a class of the test's: its objects would
    have to be in both processes."""
    for method in [method for node in tests.select(ast.ClassDef) for method in node.body]:
        for decorator in getattr(method, "decorator_list", ()):
            if not isinstance(method, ast.ClassDef) and _names_program(tests, decorator):
                return ast.unparse(decorator)
    return None


def _find_pattern(tests: TestCode, _root: str | None) -> str | None:
    """Return the class of the program's in a pattern of ``match``, which must be a real class."""
    classes = [node.cls for node in tests.select(ast.MatchClass)]
    return next((ast.unparse(cls) for cls in classes if _names_program(tests, cls)), None)


def _names_program(tests: TestCode, expression: ast.expr) -> bool:
    names = tests.candidate_names | tests.candidate_modules
    return not names.isdisjoint(source_analysis.find_names(expression))


def _find_replaced(tests: TestCode, _root: str | None) -> str | None:
    """Return what test code assigns to in a module that it imports, or in a part of one."""
    imports = [alias for node in tests.select(ast.Import) for alias in node.names]
    modules = {alias.asname or alias.name: alias.name for alias in imports}
    for node in tests.select(ast.Attribute, ast.Subscript):
        target: ast.AST = node
        while isinstance(target, ast.Subscript):
            target = target.value
        match node.ctx, target:
            case (
                ast.Store(),
                ast.Attribute(value=ast.Name(id=name), attr=attribute),
            ) if name in modules and f"{modules[name]}.{attribute}" not in _STREAMS:
                return f"{name}.{attribute}"
    return None


def _find_compared_class(tests: TestCode, root: str | None) -> str | None:
    """Return a class of the candidate's where all assertions compare objects of it, which the test
    makes, by ``==``: its ``__eq__`` would decide alone. A class is a name in capitals, as in
    ``Vector(1, 2) + Vector(3, 4) == Vector(4, 6)``."""
    bindings = tests.bindings
    if not any(_is_class(call.func) for call in tests.select(ast.Call)):
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
    for node in tests.select(ast.Assign):
        match node:
            case ast.Assign(targets=[ast.Name(id=name)], value=value) if bindings[name] == 1:
                if (class_name := find_class(value)) is not None:
                    objects[name] = class_name
    class_name = None
    for node in tests.select(ast.Assert, ast.Expr, ast.With, ast.AsyncWith):
        match node:
            case ast.Assert(test=ast.Compare(left, [ast.Eq()], [right])) if find_class(right):
                class_name = find_class(left)
                if class_name is None:
                    return None
            case _ if source_analysis.is_assertion(node):
                return None
    return class_name


def _is_class(function: ast.expr) -> bool:
    return isinstance(function, ast.Name) and function.id[:1].isupper()


# What finds a reason, and how it is told.
_REASONS: tuple[tuple[Callable[[TestCode, str | None], str | None], str], ...] = (
    (_find_inspection, "the test {}"),
    (_find_recorder, "the test records warnings, which stay in the program's process"),
    (_find_replaced, "the test assigns to {}, which the program does not share"),
    (_find_decorator, "the test decorates a method with {}, which the program defines"),
    (_find_pattern, "the test matches {}, a class of the program's, by case"),
    (
        _find_compared_class,
        "the test only compares objects of the program's class {} by ==, which would be the "
        "program's own; compare an attribute, too",
    ),
    (
        find_self_judging_function,
        "the test has {}, which only the program could define, judge the program's own results; "
        "define it in the test code",
    ),
)
