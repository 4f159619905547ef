"""Which functions of the starter code test code uses as its own.

A function that the candidate has to write is never a helper: in the test code it would take the
candidate's place, and every program would pass or fail alike.
"""

from __future__ import annotations

import ast

from microcoder_eval.syntax import count_leading, is_of_the_compiler, parse_python
from microcoder_sandbox import source_analysis

_IMPORTS = (ast.Import, ast.ImportFrom)

walk = source_analysis.walk


def add_helpers(tree: ast.Module, entry_point: str | None, starter_code: str | None) -> bool:
    """Put helper functions of the starter code at the start of the test code. Returns whether it
    uses any.

    The candidate has to write the entry point or, if there is none, the functions of the starter
    code that have no body yet. A complete function is a helper only if there is also one of these.
    """
    starter = parse_python(starter_code or "")
    if starter is None:
        return False  # HumanEval's prompts parse; a bare signature does not
    functions = [n for n in starter.body if isinstance(n, ast.FunctionDef)]
    complete_functions = [n for n in functions if not _is_stub(n)]
    root = source_analysis.get_entry_root(entry_point)
    asked_names = {root} if root else {n.name for n in functions} - _get_names(complete_functions)
    helpers = [n for n in complete_functions if n.name not in asked_names]
    if not helpers:
        return False
    if not (asked_names & _find_names(tree) or source_analysis.leaves_check_to_us(tree)):
        return False  # the complete functions are what is tested
    if not source_analysis.find_free_names(ast.unparse(tree)) & _get_names(helpers):
        return False
    imports = [n for n in starter.body if isinstance(n, _IMPORTS)]
    start = count_leading(tree)
    first = [n for n in imports if is_of_the_compiler(n)]
    others = [n for n in imports if not is_of_the_compiler(n)]
    tree.body[start:start] = [*first, *others, *helpers]
    return True


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


def _find_names(tree: ast.Module) -> set[str]:
    """Return names and attributes that the test code uses, or imports from the candidate."""
    nodes = walk(tree)
    names = {n.id for n in nodes if isinstance(n, ast.Name)}
    names |= {n.attr for n in nodes if isinstance(n, ast.Attribute)}
    imported_names, _modules = source_analysis.find_candidate_imports(nodes)
    return names | set(imported_names.values())
