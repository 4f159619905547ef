"""Which functions of the starter code test code uses as its own.

A function that the candidate has to write is never a helper: in the test code it would take the
candidate's place, and every program would pass or fail alike.
"""

from __future__ import annotations

import ast

from microcoder_eval.syntax import count_leading, is_future_import, parse_python_cached
from microcoder_sandbox import source_analysis

from .test_code import TestCode

_IMPORTS = (ast.Import, ast.ImportFrom)


def list_helpers(
    tests: TestCode, entry_point: str | None, starter_code: str | None
) -> list[ast.stmt]:
    """Return the helper functions of the starter code, after its imports, if the test code uses any
    of them.

    The candidate has to write the entry point or, if there is none, the functions of the starter
    code that have no body yet. A complete function is a helper only if there is also one of these.
    """
    starter = parse_python_cached(starter_code or "")
    if starter is None:
        return []  # HumanEval's prompts parse; a bare signature does not
    functions = [n for n in starter.body if isinstance(n, ast.FunctionDef)]
    complete_functions = [n for n in functions if not _is_stub(n)]
    root = source_analysis.get_entry_root(entry_point)
    asked_names = {root} if root else {n.name for n in functions} - _get_names(complete_functions)
    helpers = [n for n in complete_functions if n.name not in asked_names]
    if not helpers:
        return []
    if not (asked_names & _find_names(tests) or source_analysis.omits_check_call(tests.tree)):
        return []  # the complete functions are what is tested
    if not tests.free_names & _get_names(helpers):
        return []
    return [*(n for n in starter.body if isinstance(n, _IMPORTS)), *helpers]


def insert_helpers(tree: ast.Module, helpers: list[ast.stmt]) -> ast.Module:
    """Return test code with helpers at its start, after what must stay first."""
    start = count_leading(tree)
    first = [n for n in helpers if is_future_import(n)]
    others = [n for n in helpers if not is_future_import(n)]
    return ast.Module([*tree.body[:start], *first, *others, *tree.body[start:]], [])


def _is_stub(function: ast.FunctionDef) -> bool:
    """Whether a body is still to be written: it does nothing but import, or says that it is."""
    return all(
        isinstance(statement, (ast.Pass, *_IMPORTS))
        or (isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant))
        or (isinstance(statement, ast.Raise) and "NotImplemented" in ast.unparse(statement))
        for statement in function.body
    )


def _get_names(functions: list[ast.FunctionDef]) -> set[str]:
    return {function.name for function in functions}


def _find_names(tests: TestCode) -> set[str]:
    """Return names and attributes that the test code uses, or imports from the candidate."""
    names = {n.id for n in tests.select(ast.Name)} | {n.attr for n in tests.select(ast.Attribute)}
    return names | set(tests.candidate_imports.values())
