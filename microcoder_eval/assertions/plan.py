"""Plan how an assert problem is judged: (call, expected) pairs, and test code for the rest.

A pair is judged like a call problem: the expected value is never in the candidate's process. What
cannot be split stays test code, run beside the candidate (microcoder_sandbox.rpc_tests). Splitting
must not change the meaning: where assertions share state, the whole test code stays together.
"""

from __future__ import annotations

import ast
import copy
from collections import Counter
from collections.abc import Iterable, Iterator

from microcoder_sandbox import codec, rpc_prelude, rpc_source, rpc_tests

from .asserts_match import Scope, conjuncts, entry_called, match_assertion
from .asserts_records import AssertPlan, CallTest, Relation, Tolerance
from .errors import DataError

__all__ = ["AssertPlan", "CallTest", "Relation", "Tolerance", "plan"]

# What looks into the candidate's process: not possible through a proxy.
_IN_PROCESS_MODULES = frozenset({"inspect", "gc", "dis", "tracemalloc", "importlib"})
_IN_PROCESS_NAMES = frozenset(
    {"redirect_stdout", "redirect_stderr", "patch", "MagicMock", "Mock", "mock"}
)
_FIXTURES = frozenset({"capsys", "capfd", "monkeypatch", "tmp_path", "tmpdir", "mocker", "caplog"})
_HARMLESS_CALLS = frozenset({"print"})
# What they are given is a program; one returned by the candidate would run beside the answers.
_EVALUATORS = frozenset({"eval", "exec"})


def plan(
    test_code: str, entry_point: str | None, starter_code: str | None, style: str | None = None
) -> AssertPlan:
    """Split test code into calls with expected values and what must stay test code.

    starter_code: complete helper functions in it that the tests use are taken from there, not
    from the candidate. style: the problem's test_style, or None to tell from the code.
    Raises DataError when the code does not compile or holds no assertion at all.
    """
    try:
        tree = ast.parse(test_code)
        compile(test_code, rpc_source.FILE_NAME, "exec", dont_inherit=True)
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        raise DataError(f"test_code does not compile: {error}") from error
    sites = rpc_source.count_assertions(tree)
    if not sites.total:
        raise DataError("test_code holds no assertion: nothing would be tested")
    style = style or rpc_tests.style_of(tree)
    reason = _unsupported(tree, rpc_tests.entry_root(entry_point))
    if reason is not None:
        return AssertPlan((), test_code, max(1, sites.required), style, reason)
    tests: tuple[CallTest, ...] = ()
    opaque: str | None = test_code
    if style != "unittest":
        tests, opaque = _Planner(test_code, tree, entry_point).split(style)
    if opaque is None:
        return AssertPlan(tests, None, 0, style)
    opaque = _with_helpers(opaque, entry_point, starter_code)
    required = rpc_source.count_assertions(ast.parse(opaque)).required
    return AssertPlan(tests, opaque, max(1, required), style)


class _Planner:
    """One test code on its way to a plan."""

    def __init__(self, source: str, tree: ast.Module, entry_point: str | None) -> None:
        self._source = source
        self._tree = copy.deepcopy(tree)
        self._entry = _normalised(entry_point)
        free = rpc_source.free_names(source)
        self._root = rpc_tests.candidate_root(entry_point, tree, free)
        self._imported, _ = rpc_source.take_candidate_imports(copy.deepcopy(tree))
        self._bound = Counter(_bindings(tree))
        self._own_imports = Counter(_own_imports(tree))
        self._tests: list[CallTest] = []
        self._aliases: dict[str, str] = {}

    def split(self, style: str) -> tuple[tuple[CallTest, ...], str | None]:
        """The pairs, and the source of what is left (None: nothing)."""
        blocks = self._blocks(style)
        if blocks is None or any(self._changes_state(s) for block in blocks for s in block):
            return (), self._source
        for block in blocks:
            block[:] = self._without_pairs(block) or [ast.Pass()]
        if self._contradict():
            return (), self._source
        if not rpc_source.count_assertions(self._tree).total:
            return tuple(self._tests), (None if self._tests else self._source)
        left = ast.unparse(ast.fix_missing_locations(self._tree)) if self._tests else self._source
        return tuple(self._tests), left

    def _blocks(self, style: str) -> list[list[ast.stmt]] | None:
        """The bodies that run once from top to bottom; None: the code is of no known shape."""
        if style == "check":
            function = self._check_function()
            return None if function is None else [function.body]
        if style == "pytest":
            return [
                node.body
                for node in self._tree.body
                if isinstance(node, ast.FunctionDef)
                and node.name.startswith("test")
                and not node.decorator_list
                and not ast.unparse(node.args)
            ]
        return [self._tree.body]

    def _check_function(self) -> ast.FunctionDef | None:
        """``check(candidate)``, if it is called once, or never, with something plain."""
        found = [n for n in self._tree.body if isinstance(n, ast.FunctionDef) and n.name == "check"]
        calls = [
            node
            for node in ast.walk(self._tree)
            if isinstance(node, ast.Call) and rpc_source.called_name(node) == "check"
        ]
        if len(found) != 1 or len(calls) > 1 or len(found[0].args.args) != 1:
            return None
        target = self._entry
        if calls:
            if len(calls[0].args) != 1 or calls[0].keywords:
                return None
            target = entry_called(calls[0].args[0], self._entry_of)
        if target is None:
            return None
        self._aliases[found[0].args.args[0].arg] = target
        return found[0]

    def _without_pairs(self, block: list[ast.stmt]) -> list[ast.stmt]:
        left: list[ast.stmt] = []
        for statement in block:
            self._note_alias(statement)
            if not isinstance(statement, ast.Assert) or rpc_source.is_never(statement):
                left.append(statement)
                continue
            rest = []
            for part in conjuncts(statement.test):
                pair = match_assertion(part, Scope(self._entry_of, self._trusted))
                if pair is not None:
                    self._tests.append(pair)
                elif not (isinstance(part, ast.Constant) and part.value):
                    rest.append(part)
            if rest:
                test = rest[0] if len(rest) == 1 else ast.BoolOp(ast.And(), rest)
                left.append(ast.Assert(test, statement.msg))
        return left

    def _note_alias(self, statement: ast.stmt) -> None:
        match statement:
            case ast.Assign(targets=[ast.Name(id=name)], value=value) if self._bound[name] == 1:
                entry = entry_called(value, self._entry_of)
                if entry is not None:
                    self._aliases[name] = entry

    def _entry_of(self, name: str) -> str | None:
        if name in self._imported:
            return self._imported[name]
        if name in self._aliases:
            return self._aliases[name] if self._bound[name] == 1 else None
        if name in self._bound:
            return None
        if name != self._root and (name in rpc_source.BUILTINS or name in rpc_prelude.NAMES):
            return None
        return name

    def _trusted(self, name: str) -> bool:
        return (
            name != self._root
            and name not in self._imported
            and self._bound[name] == self._own_imports[name]
        )

    def _changes_state(self, statement: ast.stmt) -> bool:
        """A call for its effect, or an assignment into something of the candidate."""
        if isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Call):
            name = rpc_source.called_name(statement.value)
            mine = name == "check" or name in _HARMLESS_CALLS or name.startswith("test")
            return not (mine or rpc_source.is_assertion(statement))
        targets: Iterable[ast.expr] = ()
        if isinstance(statement, (ast.Assign, ast.Delete)):
            targets = statement.targets
        elif isinstance(statement, (ast.AugAssign, ast.AnnAssign)):
            targets = (statement.target,)
        return any(_base_name(t) not in self._bound for t in targets)

    def _contradict(self) -> bool:
        """The same call with two answers: the candidate is meant to keep state between calls."""
        answers: dict[str, tuple[Relation, str]] = {}
        for test in self._tests:
            call = repr((test.entry, codec.to_json(test.args), codec.to_json(dict(test.kwargs))))
            answer = (test.relation, repr(test.expected))
            if answers.setdefault(call, answer) != answer and test.relation is Relation.EQ:
                return True
        return False


def _bindings(tree: ast.AST) -> Iterator[str]:
    """Every name bound anywhere, once per binding; imports of the candidate are none."""
    for node in ast.walk(tree):
        match node:
            case ast.Name(id=name, ctx=ast.Store() | ast.Del()):
                yield name
            case ast.FunctionDef(name=name) | ast.ClassDef(name=name) | ast.arg(arg=name):
                yield name
            case ast.ImportFrom(module=module) if module in rpc_source.CANDIDATE_MODULES:
                continue
            case ast.Import(names=names) | ast.ImportFrom(names=names):
                for alias in names:
                    yield alias.asname or alias.name.partition(".")[0]


def _own_imports(tree: ast.AST) -> Iterator[str]:
    """Names imported as themselves: modules, and what comes from math or pytest."""
    for node in ast.walk(tree):
        match node:
            case ast.Import(names=names):
                pass
            case ast.ImportFrom(module="math" | "pytest", names=names):
                pass
            case _:
                continue
        yield from (alias.name for alias in names if alias.asname is None)


def _base_name(target: ast.expr) -> str:
    while isinstance(target, (ast.Attribute, ast.Subscript, ast.Starred)):
        target = target.value
    if isinstance(target, (ast.Tuple, ast.List)) and target.elts:
        return _base_name(target.elts[0])
    return target.id if isinstance(target, ast.Name) else ""


def _normalised(entry_point: str | None) -> str | None:
    if entry_point is None or "." not in entry_point:
        return entry_point
    holder, _, name = entry_point.rpartition(".")
    return f"{holder.removesuffix('()')}().{name}"


def _unsupported(tree: ast.Module, root: str | None) -> str | None:
    """Why test code cannot be run outside the candidate's process; None: it can."""
    for node in ast.walk(tree):
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            names = [a.name for a in node.names]
            module = getattr(node, "module", None) or ""
            for name in [module, *names] if module else names:
                if name.partition(".")[0] in _IN_PROCESS_MODULES or name == "unittest.mock":
                    return f"the test imports {name}"
                if name in _IN_PROCESS_NAMES:
                    return f"the test uses {name}"
        elif isinstance(node, ast.Name) and node.id in _EVALUATORS and node.id != root:
            return f"the test uses {node.id}, on text that may be the program's"
        elif isinstance(node, ast.Attribute) and node.attr in ("redirect_stdout", "patch"):
            return f"the test uses {node.attr}"
        elif isinstance(node, ast.FunctionDef) and node.name.startswith("test"):
            wanted = {a.arg for a in node.args.args} & _FIXTURES
            if wanted:
                return f"the test asks for the fixture {min(wanted)}"
    return None


def _with_helpers(opaque: str, entry_point: str | None, starter_code: str | None) -> str:
    """The test code with helper functions of the starter code that it uses put before it."""
    try:
        starter = ast.parse(starter_code or "")
    except (SyntaxError, ValueError, RecursionError):
        return opaque  # HumanEval's prompts parse; a bare signature does not
    wanted = rpc_source.free_names(opaque) - {rpc_tests.entry_root(entry_point)}
    helpers = [n for n in starter.body if isinstance(n, ast.FunctionDef) and _is_complete(n)]
    helpers = [n for n in helpers if n.name != entry_point]
    if not wanted.intersection(n.name for n in helpers):
        return opaque
    imports: list[ast.stmt] = [
        n for n in starter.body if isinstance(n, (ast.Import, ast.ImportFrom))
    ]
    return "\n".join([*map(ast.unparse, [*imports, *helpers]), opaque])


def _is_complete(function: ast.FunctionDef) -> bool:
    return any(
        not isinstance(s, ast.Pass)
        and not (isinstance(s, ast.Expr) and isinstance(s.value, ast.Constant))
        for s in function.body
    )
