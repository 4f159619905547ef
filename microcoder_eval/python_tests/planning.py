"""Plan how an assert problem is judged: (call, expected) pairs, and test code for the rest.

A pair is judged like a call problem: the expected value is never in the candidate's process. What
cannot be split stays test code, run beside the candidate (microcoder_sandbox.test_runner.runner).
Splitting must not change the meaning: where assertions share state, the whole test code stays
together.
"""

from __future__ import annotations

import ast
import copy
import warnings
from collections import Counter
from collections.abc import Iterable, Iterator

from microcoder_eval.errors import DataError
from microcoder_sandbox import codec, source_analysis, test_names

from .assert_plan import AssertPlan, CallTest, Relation
from .helpers import insert_helpers, list_helpers
from .match import match_assertion, match_entry, split_conjuncts
from .test_code import TestCode, add_callers, parse_tests
from .unsupported import find_unsupported

walk = source_analysis.walk
_HARMLESS_CALLS = frozenset({"print"})


def plan(test_code: str, entry_point: str | None, starter_code: str | None) -> AssertPlan:
    """Split test code into calls with expected values and what must stay test code.

    starter_code: helper functions in it that the tests use are taken from there, not from the
    candidate (list_helpers). Raises DataError when the code does not compile.
    """
    tests = _compile_tests(test_code)
    body = _unwrap_main_guards(tests)
    helpers = list_helpers(tests, entry_point, starter_code)
    if helpers or body != tests.tree.body:
        tests = _compile_tests(ast.unparse(insert_helpers(ast.Module(body, []), helpers)))
    reason = find_unsupported(tests, source_analysis.get_entry_root(entry_point))
    whole = AssertPlan((), tests.source, reason)
    if reason is not None:
        return whole
    layout = source_analysis.find_layout(tests.tree)
    # The test runner lets text be evaluated before the first call only, which may be any of them.
    evaluates = any(node.id in source_analysis.EVALUATORS for node in tests.select(ast.Name))
    if evaluates or layout == source_analysis.IN_CLASSES:
        return whole
    pairs, rest = _Planner(tests, entry_point).split(layout)
    if not pairs:
        return whole
    if rest is None:
        return AssertPlan(pairs, None, together=whole if len(pairs) > 1 else None)
    return AssertPlan(pairs, ast.unparse(rest), together=whole)


def _compile_tests(test_code: str) -> TestCode:
    """Return test code that compiles. Raises DataError."""
    try:
        with warnings.catch_warnings():  # the test code's author does not see them
            warnings.simplefilter("ignore")
            compile(test_code, source_analysis.FILE_NAME, "exec", dont_inherit=True)
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        raise DataError(f"test_code does not compile: {error}") from error
    tests = parse_tests(test_code)
    if tests is None:
        raise DataError("test_code does not compile: it cannot be parsed")
    return tests


def _unwrap_main_guards(tests: TestCode) -> list[ast.stmt]:
    """Return the statements of test code. Each ``if __name__ == "__main__"`` that asserts, or calls
    check or another function of the test code, is replaced by its body, as test code is never
    ``__main__``."""
    statements = tests.tree.body
    functions = {n.name for n in statements if isinstance(n, ast.FunctionDef)}
    body: list[ast.stmt] = []
    for statement in statements:
        match statement:
            case ast.If(
                test=ast.Compare(
                    left=ast.Name(id="__name__"),
                    ops=[ast.Eq()],
                    comparators=[ast.Constant("__main__")],
                )
            ) if _runs_tests(statement, functions):
                body += statement.body
            case _:
                body.append(statement)
    return body


def _runs_tests(statement: ast.stmt, functions: set[str]) -> bool:
    return any(
        isinstance(node, ast.Assert)
        or (isinstance(node, ast.Call) and source_analysis.get_called_name(node) == "check")
        or (isinstance(node, ast.Name) and node.id in functions)
        for node in walk(statement)
    )


class _Planner:
    """Splits one test code."""

    def __init__(self, tests: TestCode, entry_point: str | None) -> None:
        # Copies of the statements, whose bodies are changed here.
        self._tree = ast.Module([copy.copy(statement) for statement in tests.tree.body], [])
        self._calls: list[ast.Call] = tests.select(ast.Call)
        self._entry = _normalize_entry(entry_point)
        names = tests.free_names
        self._root = source_analysis.find_candidate_root(entry_point, tests.tree, names)
        self._candidate_imports = tests.candidate_imports
        self._binding_counts = tests.bindings
        self._unaliased_imports = Counter(_iter_unaliased_imports(tests))
        self._tests: list[CallTest] = []
        self._aliases: dict[str, str] = {}

    def split(self, layout: str) -> tuple[tuple[CallTest, ...], ast.Module | None]:
        """Return the pairs, and what is left, or None; no pairs if the code stays together."""
        owners = self._find_owners(layout)
        blocks = [owner.body for owner in owners]
        if any(self._changes_state(s) for block in blocks for s in block):
            return (), None
        if any(source_analysis.may_leave(s) for block in blocks for s in block[:-1]):
            return (), None  # what follows may never run
        for owner in owners:
            owner.body = self._remove_pairs(owner.body) or [ast.Pass()]
        if not self._tests or self._has_contradictions():
            return (), None
        if self._uses_candidate([owner.body for owner in owners]):
            if any(t.entry.isidentifier() and t.entry[0].isupper() for t in self._tests):
                return (), None  # what is left may tell that a class's ``==`` is meant
            return tuple(self._tests), self._tree
        if not source_analysis.find_assertions(self._tree).lines:
            return tuple(self._tests), None
        return (), None  # what is left would show nothing of the candidate alone

    def _find_owners(self, layout: str) -> list[ast.Module] | list[ast.FunctionDef]:
        """Return the module or the functions whose bodies run once from top to bottom."""
        if layout == source_analysis.IN_CHECK:
            function = self._find_check_function()
            return [] if function is None else [function]
        if layout == source_analysis.IN_FUNCTIONS:
            return [
                node
                for node in self._tree.body
                if isinstance(node, ast.FunctionDef)
                and node.name.startswith("test")
                and self._binding_counts[node.name] == 1
                and not node.decorator_list
                and not ast.unparse(node.args)
            ]
        return [self._tree]

    def _find_check_function(self) -> ast.FunctionDef | None:
        """Return ``check(candidate)`` if it is called once with something plain, or never."""
        functions = [
            n for n in self._tree.body if isinstance(n, ast.FunctionDef) and n.name == "check"
        ]
        calls = [c for c in self._calls if source_analysis.get_called_name(c) == "check"]
        if len(functions) != 1 or len(calls) > 1 or len(functions[0].args.args) != 1:
            return None
        entry = self._entry
        if calls:
            if len(calls[0].args) != 1 or calls[0].keywords:
                return None
            entry = match_entry(calls[0].args[0], self._resolve_entry)
        if entry is None:
            return None
        self._aliases[functions[0].args.args[0].arg] = entry
        return functions[0]

    def _remove_pairs(self, block: list[ast.stmt]) -> list[ast.stmt]:
        remaining: list[ast.stmt] = []
        for statement in block:
            self._record_alias(statement)
            if not isinstance(statement, ast.Assert) or source_analysis.is_failure(statement):
                remaining.append(statement)
                continue
            remaining_parts = []
            for part in split_conjuncts(statement.test):
                pair = match_assertion(part, self._resolve_entry, self._is_trusted)
                if pair is not None:
                    self._tests.append(pair)
                elif not (isinstance(part, ast.Constant) and part.value):
                    remaining_parts.append(part)
            if remaining_parts:
                test = (
                    remaining_parts[0]
                    if len(remaining_parts) == 1
                    else ast.BoolOp(ast.And(), remaining_parts)
                )
                remaining.append(ast.copy_location(ast.Assert(test, statement.msg), statement))
        return remaining

    def _record_alias(self, statement: ast.stmt) -> None:
        match statement:
            case ast.Assign(targets=[ast.Name(id=name)], value=value) if (
                self._binding_counts[name] == 1
            ):
                entry = match_entry(value, self._resolve_entry)
                if entry is not None:
                    self._aliases[name] = entry

    def _resolve_entry(self, name: str) -> str | None:
        if name in self._candidate_imports:
            return self._candidate_imports[name]
        if name in self._aliases:
            return self._aliases[name] if self._binding_counts[name] == 1 else None
        if name in self._binding_counts:
            return None
        if name != self._root and (name in source_analysis.BUILTINS or name in test_names.NAMES):
            return None
        return name

    def _is_trusted(self, name: str) -> bool:
        return (
            name != self._root
            and name not in self._candidate_imports
            and self._binding_counts[name] == self._unaliased_imports[name]
        )

    def _changes_state(self, statement: ast.stmt) -> bool:
        """Whether it is a call for its effect, or assigns to something of the candidate's."""
        if isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Call):
            name = source_analysis.get_called_name(statement.value)
            is_harmless = name == "check" or name in _HARMLESS_CALLS or name.startswith("test")
            return not (is_harmless or source_analysis.is_assertion(statement))
        targets: Iterable[ast.expr] = ()
        if isinstance(statement, (ast.Assign, ast.Delete)):
            targets = statement.targets
        elif isinstance(statement, (ast.AugAssign, ast.AnnAssign)):
            targets = (statement.target,)
        names = [name for target in targets for name in _list_base_names(target)]
        return any(name not in self._binding_counts for name in names)

    def _uses_candidate(self, blocks: list[list[ast.stmt]]) -> bool:
        """Whether the remaining code uses the candidate when it runs. It may then fail because of
        the candidate, even without an assertion. Second names of the candidate, and functions that
        nobody calls, do not count."""
        outer = [s for s in self._tree.body if getattr(s, "body", None) not in blocks]
        statements = [s for s in outer if not _calls_check(s)]
        for block in blocks:
            statements += [s for s in block if s not in outer]
        definitions = [s for s in self._tree.body if isinstance(s, source_analysis.DEFINITIONS)]
        functions = {definition.name: _list_names(definition) for definition in definitions}
        names = {n for n in _list_names(self._tree) if self._resolve_entry(n) is not None}
        users = add_callers(functions, names)
        return any(_list_names(s) & users for s in statements if not self._is_inert(s))

    def _is_inert(self, statement: ast.stmt) -> bool:
        if isinstance(statement, source_analysis.DEFINITIONS):
            return not source_analysis.is_test(statement) and not statement.decorator_list
        match statement:
            case ast.Assign(targets=[ast.Name(id=name)]):
                return name in self._aliases
        return False

    def _has_contradictions(self) -> bool:
        """Whether a call has two expected results: the candidate is meant to keep state."""
        expectations: dict[str, tuple[Relation, str]] = {}
        for test in self._tests:
            call = repr((test.entry, codec.to_json(test.args), codec.to_json(dict(test.kwargs))))
            expectation = (test.relation, repr(test.expected))
            if (
                expectations.setdefault(call, expectation) != expectation
                and test.relation is Relation.EQ
            ):
                return True
        return False


def _list_names(tree: ast.AST) -> set[str]:
    return {node.id for node in walk(tree) if isinstance(node, ast.Name)}


def _calls_check(statement: ast.stmt) -> bool:
    match statement:
        case ast.Expr(value=ast.Call() as call):
            return source_analysis.get_called_name(call) == "check"
    return False


def _iter_unaliased_imports(tests: TestCode) -> Iterator[str]:
    """Yield names imported as themselves: modules, and what comes from math or pytest."""
    for node in tests.select(ast.Import, ast.ImportFrom):
        if isinstance(node, ast.Import) or node.module in ("math", "pytest"):
            yield from (alias.name for alias in node.names if alias.asname is None)


def _list_base_names(target: ast.expr) -> list[str]:
    """Return the names through which a target is reached; "" stands for any other expression."""
    match target:
        case ast.Attribute(value=inner) | ast.Subscript(value=inner) | ast.Starred(value=inner):
            return _list_base_names(inner)
        case ast.Tuple(elts=items) | ast.List(elts=items):
            return [name for item in items for name in _list_base_names(item)]
        case ast.Name(id=name):
            return [name]
    return [""]


def _normalize_entry(entry_point: str | None) -> str | None:
    if entry_point is None or "." not in entry_point:
        return entry_point
    class_name, _, name = entry_point.rpartition(".")
    return f"{class_name.removesuffix('()')}().{name}"
