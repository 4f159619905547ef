"""In the judge and the test runner: the assertions of test code, and the candidate's names in it.

The judge counts the assertions that must complete; the test runner marks and runs them. Nothing is
executed here.
"""

from __future__ import annotations

import ast
import builtins
import symtable

from microcoder_sandbox.wire.light_record import LightRecord

from . import test_names

FILE_NAME = "<tests>"
PASSED = "__assertion_passed__"
CANDIDATE_MODULES = frozenset({"solution", "your_module", "main", "candidate", "submission"})
BUILTINS = frozenset(dir(builtins)) | {"__name__", "__file__", "__builtins__"}
# They run text as a program: a candidate's text would run beside the expected values.
EVALUATORS = frozenset({"eval", "exec"})
RAISING_CALLS = frozenset({"raises", "assertRaises", "assertRaisesRegex"})
_EXITS = frozenset({"exit", "quit", "_exit"})
DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)


class AssertionSites(LightRecord):
    """The assertions of test code. lines: where they are. required_count: how many of them
    straight-line code reaches.

    An assertion in a loop, a branch, a handler or a helper function may run many times or never,
    and one in a ``with`` block may fail unseen.
    One in the module, in ``check`` or in a test function runs unless something failed before.
    """

    lines: list[int]
    required_count: int


def find_assertions(tree: ast.Module) -> AssertionSites:
    """Find assertion sites without changing the tree."""
    marker = _Marker(mark=False)
    marker.mark_body(tree.body, is_straight=True)
    return marker.sites


def mark_assertions(tree: ast.Module) -> AssertionSites:
    """Add a call after each assertion that records that it passed; changes the tree."""
    marker = _Marker(mark=True)
    tree.body = marker.mark_body(tree.body, is_straight=True)
    ast.fix_missing_locations(tree)
    return marker.sites


class _Marker:
    def __init__(self, mark: bool) -> None:
        self._lines: list[int] = []
        self._required_count = 0
        self._mark = mark

    @property
    def sites(self) -> AssertionSites:
        """The assertions so far."""
        return AssertionSites(self._lines, self._required_count)

    def mark_body(self, statements: list[ast.stmt], is_straight: bool) -> list[ast.stmt]:
        """Return the statements, each assertion followed by its mark."""
        result: list[ast.stmt] = []
        last = {getattr(s, "name", ""): s for s in statements if isinstance(s, DEFINITIONS)}
        for statement in statements:
            is_replaced = isinstance(statement, DEFINITIONS) and last[statement.name] != statement
            self._descend(statement, is_straight and not is_replaced)
            result.append(statement)
            if is_assertion(statement):
                result += self._make_mark(statement, is_straight)
            is_straight = is_straight and not may_leave(statement)
        return result

    def _make_mark(self, statement: ast.stmt, is_straight: bool) -> list[ast.stmt]:
        number = len(self._lines)
        self._lines.append(statement.lineno)
        self._required_count += is_straight
        if not self._mark:
            return []
        call = ast.Call(ast.Name(PASSED, ast.Load()), [ast.Constant(number)], [])
        return [ast.copy_location(ast.Expr(call), statement)]

    def _descend(self, statement: ast.stmt, is_straight: bool) -> None:
        is_straight = is_straight and isinstance(statement, DEFINITIONS) and is_test(statement)
        for field in ("body", "orelse", "finalbody"):
            inner = getattr(statement, field, None)
            if isinstance(inner, list):
                setattr(statement, field, self.mark_body(inner, is_straight))
        for handler in getattr(statement, "handlers", []):
            handler.body = self.mark_body(handler.body, False)
            if isinstance(statement, ast.Try) and _must_raise(statement):
                handler.body += self._make_mark(handler.body[-1], False)
        for case in getattr(statement, "cases", []):
            case.body = self.mark_body(case.body, False)


# What ``find_layout`` returns.
IN_CLASSES, IN_CHECK, IN_FUNCTIONS, IN_MODULE = "classes", "check", "functions", "module"
# Most time of ``ast.walk`` goes into fields that hold texts, contexts and operators.
_TEXTS = {"id", "attr", "arg", "name", "asname", "module", "level", "kind", "ctx", "op", "ops"}
_CHILD_FIELDS = {
    node_type: tuple(field for field in node_type._fields if field not in _TEXTS)
    for node_type in vars(ast).values()
    if isinstance(node_type, type) and issubclass(node_type, ast.AST)
} | {ast.Constant: ()}  # most nodes of a test are such
_OWN_FIELDS = _CHILD_FIELDS | dict.fromkeys((*DEFINITIONS, ast.Lambda), ())


def walk(
    tree: ast.AST, fields: dict[type[ast.AST], tuple[str, ...]] = _CHILD_FIELDS
) -> list[ast.AST]:
    """Return the nodes of a tree in the order of ``ast.walk``, without contexts and operators, in a
    fifth of its time. fields: those of each type of node that hold nodes to visit."""
    nodes = [tree]
    for node in nodes:
        for field in fields[node.__class__]:  # no call for each node: they are many
            value = getattr(node, field, None)
            if value.__class__ is list:
                nodes += [item for item in value if isinstance(item, ast.AST)]
            elif isinstance(value, ast.AST):
                nodes.append(value)
    return nodes


def may_leave(statement: ast.stmt) -> bool:
    """Whether a statement may end its block early: it may return, raise or exit."""
    return any(
        isinstance(node, (ast.Return, ast.Raise))
        or (isinstance(node, ast.Call) and get_called_name(node) in _EXITS)
        for node in walk(statement, _OWN_FIELDS)
    )


def is_assertion(statement: ast.stmt) -> bool:
    """Whether a statement is an assert, a call of something named assert…, or a block that must
    raise."""
    if isinstance(statement, ast.Assert):
        return not is_failure(statement)
    if isinstance(statement, (ast.With, ast.AsyncWith)):
        return expects_error(statement)
    if isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Call):
        name = get_called_name(statement.value)
        return name.startswith("assert") or name == "raises"
    return False


def is_failure(statement: ast.stmt) -> bool:
    """Whether a statement says that its line must not be reached, as ``assert False`` does."""
    if isinstance(statement, ast.Assert):
        return isinstance(statement.test, ast.Constant) and not statement.test.value
    if isinstance(statement, ast.Raise):
        return True
    if isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Call):
        return get_called_name(statement.value) == "fail"
    return False


def _must_raise(statement: ast.Try) -> bool:
    return is_failure(statement.body[-1]) or bool(
        statement.orelse and is_failure(statement.orelse[-1])
    )


def expects_error(statement: ast.With | ast.AsyncWith) -> bool:
    """Whether it is ``with pytest.raises(…)`` or ``with self.assertRaises(…)``."""
    calls = [item.context_expr for item in statement.items]
    return any(
        isinstance(call, ast.Call) and get_called_name(call) in RAISING_CALLS for call in calls
    )


def is_test(statement: ast.stmt) -> bool:
    """Whether it is ``check``, a test function, or a class of tests, whose body runs from top to
    bottom. A class with a base that is not built in may be a TestCase."""
    if isinstance(statement, ast.ClassDef):
        if any(ast.unparse(s) == "__test__ = False" for s in statement.body):
            return False
        bases = [getattr(base, "id", None) for base in statement.bases]
        return statement.name.startswith("Test") or not BUILTINS.issuperset(bases)
    if isinstance(statement, ast.AsyncFunctionDef):
        return statement.name.startswith("test")
    if not isinstance(statement, ast.FunctionDef):
        return False
    return statement.name == "check" or statement.name.startswith("test")


def get_called_name(call: ast.Call) -> str:
    """Return the last part of the called name: ``raises`` for ``pytest.raises(…)``, or ""."""
    function = call.func
    if isinstance(function, ast.Attribute):
        return function.attr
    return function.id if isinstance(function, ast.Name) else ""


def find_layout(tree: ast.Module) -> str:
    """Return where test code has its assertions, which decides how it is run: IN_CLASSES of
    unittest, IN_CHECK, IN_FUNCTIONS that the code itself does not call, or IN_MODULE."""
    definitions = [node for node in tree.body if is_test(node)]
    for node in definitions:
        if isinstance(node, ast.ClassDef) and any("TestCase" in ast.unparse(b) for b in node.bases):
            return IN_CLASSES
    if any(isinstance(node, ast.FunctionDef) and node.name == "check" for node in definitions):
        return IN_CHECK
    called_names = find_called_names(tree)
    if any(getattr(node, "name", "") not in called_names for node in definitions):
        return IN_FUNCTIONS
    return IN_MODULE


def find_called_names(tree: ast.Module) -> set[str]:
    """Return the names that the module's expression statements call."""
    statements = [statement for statement in tree.body if isinstance(statement, ast.Expr)]
    nodes = [node for statement in statements for node in walk(statement)]
    return {get_called_name(node) for node in nodes if isinstance(node, ast.Call)}


def find_names(tree: ast.AST) -> set[str]:
    """Return the names that code reads."""
    nodes = [node for node in walk(tree) if isinstance(node, ast.Name)]
    return {node.id for node in nodes if isinstance(node.ctx, ast.Load)}


def omits_check_call(tree: ast.Module) -> bool:
    """Whether ``check`` is defined and never named: HumanEval's own files leave the call out."""
    is_defined = any(isinstance(n, ast.FunctionDef) and n.name == "check" for n in tree.body)
    return is_defined and "check" not in find_names(tree)


def find_free_names(source: str) -> set[str]:
    """Return global names that the code reads, and neither binds nor has as built-ins."""
    bound_names: set[str] = set()
    read_names: set[str] = set()
    module = symtable.symtable(source, FILE_NAME, "exec")
    scopes = [module]
    for scope in scopes:
        scopes += scope.get_children()
        for symbol in scope.get_symbols():
            is_bound = symbol.is_assigned() or symbol.is_imported()
            if is_bound and (scope is module or symbol.is_declared_global()):
                bound_names.add(symbol.get_name())
            if symbol.is_referenced() and (scope is module or symbol.is_global()):
                read_names.add(symbol.get_name())
    return read_names - bound_names - BUILTINS


def get_entry_root(entry_point: str | None) -> str | None:
    """Return the global name in an entry point: ``Solution`` of ``Solution().name``."""
    return entry_point.partition(".")[0].removesuffix("()") if entry_point else None


def find_candidate_root(
    entry_point: str | None, tree: ast.Module, free_names: set[str]
) -> str | None:
    """Return the entry point's global name. It is the candidate's, even if it is also a built-in.

    Returns None if a data set took a wrong name for the entry point: the name is a built-in, and
    the tests are bare assertions with another free name, such as ``int(f(1)) == 2``.
    """
    root = get_entry_root(entry_point)
    is_mistaken = root in BUILTINS and find_layout(tree) == IN_MODULE
    return None if is_mistaken and free_names - test_names.NAMES else root


def find_candidate_imports(nodes: list[ast.AST]) -> tuple[dict[str, str], set[str]]:
    """Return {name in the tests: name in the candidate}, and the names bound to the module
    itself."""
    names: dict[str, str] = {}
    modules: set[str] = set()
    for node in nodes:
        if isinstance(node, ast.ImportFrom) and is_candidate_import(node):
            names |= {
                item.asname or item.name: item.name for item in node.names if item.name != "*"
            }
        elif isinstance(node, ast.Import):
            modules |= {i.asname or i.name for i in node.names if i.name in CANDIDATE_MODULES}
    return names, modules


def is_candidate_import(node: ast.AST) -> bool:
    """Whether it imports the candidate, or names of it."""
    match node:
        case ast.ImportFrom(module=module, level=level):
            return module in CANDIDATE_MODULES or level != 0
        case ast.Import(names=items):
            return any(item.name in CANDIDATE_MODULES for item in items)
    return False
