"""The tests' source, made ready: assertions counted, names of the candidate found.

Shared by the planner, which must know how many assertions are to be completed, and by the
process that runs them. Nothing is executed here.
"""

from __future__ import annotations

import ast
import builtins
import symtable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

FILE_NAME = "<tests>"
PASSED = "__assertion_passed__"
CANDIDATE_MODULES = frozenset({"solution", "your_module", "main", "candidate", "submission"})
BUILTINS = frozenset(dir(builtins)) | {"__name__", "__file__", "__builtins__"}
_RAISING = frozenset({"raises", "assertRaises", "assertRaisesRegex"})
_DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)


class Sites:
    """The assertions of a piece of test code. ``required``: those that straight-line code reaches.

    A site in a loop, a branch, a handler or a helper function may run many times or never; one
    in the module, in ``check`` or in a test function runs unless something went wrong before.
    """

    __slots__ = ("required", "total")

    def __init__(self) -> None:
        self.total = 0
        self.required = 0


def count_assertions(tree: ast.Module) -> Sites:
    """Count assertion sites without changing the tree."""
    sites = Sites()
    _Marker(sites, mark=False).body(tree.body, straight=True)
    return sites


def mark_assertions(tree: ast.Module) -> Sites:
    """Follow each assertion by a call that says it passed; in place."""
    sites = Sites()
    tree.body = _Marker(sites, mark=True).body(tree.body, straight=True)
    ast.fix_missing_locations(tree)
    return sites


class _Marker:
    def __init__(self, sites: Sites, mark: bool) -> None:
        self._sites = sites
        self._mark = mark

    def body(self, statements: list[ast.stmt], straight: bool) -> list[ast.stmt]:
        """The statements, each assertion followed by its mark."""
        result: list[ast.stmt] = []
        for statement in statements:
            self._descend(statement, straight)
            result.append(statement)
            if is_assertion(statement):
                result += self._passed(statement, straight)
        return result

    def _passed(self, after: ast.stmt, straight: bool) -> list[ast.stmt]:
        number = self._sites.total
        self._sites.total += 1
        self._sites.required += straight
        if not self._mark:
            return []
        call = ast.Call(ast.Name(PASSED, ast.Load()), [ast.Constant(number)], [])
        return [ast.copy_location(ast.Expr(call), after)]

    def _descend(self, statement: ast.stmt, straight: bool) -> None:
        if isinstance(statement, _DEFINITIONS):
            straight = straight and is_test(statement)
        elif isinstance(statement, (ast.With, ast.AsyncWith)):
            straight = straight and not expects_error(statement)
        else:
            straight = False
        for field in ("body", "orelse", "finalbody"):
            inner = getattr(statement, field, None)
            if isinstance(inner, list):
                setattr(statement, field, self.body(inner, straight))
        for handler in getattr(statement, "handlers", []):
            handler.body = self.body(handler.body, False)
            if isinstance(statement, ast.Try) and _must_raise(statement):
                handler.body += self._passed(handler.body[-1], False)
        for case in getattr(statement, "cases", []):
            case.body = self.body(case.body, False)


def is_assertion(statement: ast.stmt) -> bool:
    """An assert, a call of something named assert…, or a block that must raise."""
    if isinstance(statement, ast.Assert):
        return not is_never(statement)
    if isinstance(statement, (ast.With, ast.AsyncWith)):
        return expects_error(statement)
    if isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Call):
        name = called_name(statement.value)
        return name.startswith("assert") or name == "raises"
    return False


def is_never(statement: ast.stmt) -> bool:
    """``assert False`` or the like: says that this line must not be reached."""
    if isinstance(statement, ast.Assert):
        return isinstance(statement.test, ast.Constant) and not statement.test.value
    if isinstance(statement, ast.Raise):
        return True
    if isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Call):
        return called_name(statement.value) == "fail"
    return False


def _must_raise(statement: ast.Try) -> bool:
    return is_never(statement.body[-1]) or bool(statement.orelse and is_never(statement.orelse[-1]))


def expects_error(statement: ast.With | ast.AsyncWith) -> bool:
    """``with pytest.raises(…)`` or ``with self.assertRaises(…)``."""
    calls = [item.context_expr for item in statement.items]
    return any(isinstance(call, ast.Call) and called_name(call) in _RAISING for call in calls)


def is_test(statement: ast.stmt) -> bool:
    """``check``, a test function, or a class of tests: its body runs from top to bottom."""
    if isinstance(statement, ast.ClassDef):
        return statement.name.startswith("Test") or bool(statement.bases)
    if not isinstance(statement, ast.FunctionDef):
        return False
    return statement.name == "check" or statement.name.startswith("test")


def called_name(call: ast.Call) -> str:
    """The last part of what is called: ``raises`` of ``pytest.raises(…)``, else ""."""
    function = call.func
    if isinstance(function, ast.Attribute):
        return function.attr
    return function.id if isinstance(function, ast.Name) else ""


def free_names(source: str) -> set[str]:
    """Global names that the code reads and neither binds nor finds among the built-ins."""
    table = symtable.symtable(source, FILE_NAME, "exec")
    bound = {symbol.get_name() for symbol in table.get_symbols() if _binds(symbol)}
    read: set[str] = set()
    for scope in _scopes(table):
        for symbol in scope.get_symbols():
            if symbol.is_declared_global() and symbol.is_assigned():
                bound.add(symbol.get_name())
            elif symbol.is_referenced() and (symbol.is_global() or scope is table):
                read.add(symbol.get_name())
    return read - bound - BUILTINS


def _binds(symbol: symtable.Symbol) -> bool:
    return symbol.is_assigned() or symbol.is_imported()


def _scopes(table: symtable.SymbolTable) -> Iterator[symtable.SymbolTable]:
    yield table
    for child in table.get_children():
        yield from _scopes(child)


def caught_names(tree: ast.Module) -> set[str]:
    """Names used as exception classes: in ``except X`` and ``raises(X)``."""
    found: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.ExceptHandler) and node.type is not None:
            found |= _names_in(node.type)
        elif isinstance(node, ast.Call) and called_name(node) in _RAISING and node.args:
            found |= _names_in(node.args[0])
    return found


def _names_in(node: ast.expr) -> set[str]:
    parts = node.elts if isinstance(node, ast.Tuple) else [node]
    return {part.id for part in parts if isinstance(part, ast.Name)}


def take_candidate_imports(tree: ast.Module) -> tuple[dict[str, str], set[str]]:
    """Remove imports of the candidate from the whole tree.

    Returns {name in the tests: name in the candidate} and the names bound to the module itself.
    """
    taker = _ImportTaker()
    taker.visit(tree)
    return taker.names, taker.modules


class _ImportTaker(ast.NodeTransformer):
    def __init__(self) -> None:
        self.names: dict[str, str] = {}
        self.modules: set[str] = set()

    def visit_ImportFrom(self, node: ast.ImportFrom) -> ast.stmt:
        if node.module not in CANDIDATE_MODULES and node.level == 0:
            return node
        pairs = {item.asname or item.name: item.name for item in node.names if item.name != "*"}
        self.names.update(pairs)
        return ast.copy_location(ast.Pass(), node)

    def visit_Import(self, node: ast.Import) -> ast.stmt:
        own = [item for item in node.names if item.name in CANDIDATE_MODULES]
        self.modules.update(item.asname or item.name for item in own)
        node.names = [item for item in node.names if item not in own]
        return node if node.names else ast.copy_location(ast.Pass(), node)
