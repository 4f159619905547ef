"""Whether test code evaluates text only before it calls the candidate.

``eval`` and ``exec`` run text as a program. Text of the candidate would run beside the expected
values. So test code may evaluate text only before it calls the candidate, for example a reference
that computes the expected values. The test's process enforces this at run time (test_runner); this
check of the source finds evaluations that a dry run may not reach.
"""

from __future__ import annotations

import ast

from microcoder_sandbox import source_analysis, test_names

from .test_code import TestCode, add_callers

walk = source_analysis.walk
_Function = ast.FunctionDef | ast.AsyncFunctionDef


def find_late_evaluation(tests: TestCode, root: str | None) -> str | None:
    """Return the name of an evaluator that may run after the candidate was called, or None. root:
    the entry point's global name."""
    evaluators = source_analysis.EVALUATORS - {root}
    if not any(node.id in evaluators for node in tests.select(ast.Name)):
        return None
    names_used = [(node, _list_global_names(node, evaluators)) for node in tests.tree.body]
    functions = {node.name: names for node, names in names_used if isinstance(node, _Function)}
    candidate_names = tests.free_names - test_names.NAMES
    evaluating = add_callers(functions, set(evaluators))
    calling = add_callers(functions, {*candidate_names, *([root] if root else [])})
    is_called = False
    for statement, names in names_used:
        evaluated = sorted(names & evaluating)
        if isinstance(statement, _Function) and not source_analysis.is_test(statement):
            if evaluated and statement.name in calling:
                return evaluated[0]
            continue
        is_called = is_called or bool(names & calling) or source_analysis.is_test(statement)
        if evaluated and (is_called or isinstance(statement, ast.ClassDef)):
            return evaluated[0]
    return None


def _list_global_names(statement: ast.stmt, evaluators: frozenset[str]) -> set[str]:
    """Return the evaluators and the global names, built-ins apart, that a statement reads."""
    names = {node.id for node in walk(statement) if isinstance(node, ast.Name)}
    return names & evaluators | source_analysis.find_free_names(ast.unparse(statement))
