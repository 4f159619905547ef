"""Which names a program finds without importing them, where Python code tests it.

The tests' author runs the imports of the problem's text, the program and the tests as one module,
so the program finds what the text imports. LeetCode gives more, and its problems show it: their
text uses names such as List and ListNode without importing them, or says how it uses a class.
"""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator, Mapping

from microcoder_eval.syntax import count_leading, parse_starter_code, parse_structure
from microcoder_sandbox import record, source_analysis

from .test_code import TestCode, parse_tests

_OF_LEETCODE = frozenset(
    ["Solution", "ListNode", "TreeNode", "list_node", "tree_node", "is_same_list", "is_same_tree"]
)
# What LeetCode gives besides the names of ``program_names``. A program that uses one without
# an import gets the import.
_MORE_OF_LEETCODE = {
    "copy": "deepcopy",
    "operator": "itemgetter xor",
    "random": "randint randrange shuffle",
    "sortedcontainers": "SortedDict SortedList SortedSet",
    "string": "ascii_letters ascii_lowercase ascii_uppercase",
}
_LEETCODE_IMPORTS = {
    name: f"from {module} import {name}"
    for module, names in _MORE_OF_LEETCODE.items()
    for name in names.split()
}
# From the comment that ends LeetCode's starter code of a class.
_USE_OF_A_CLASS = "object will be instantiated and called as such"


@record
class GivenNames:
    """The names that a program may use without importing them.

    imports: the statement that imports each name. A star import has itself for a name.
    has_leetcode_names: whether the names in ``program_names`` are among them.
    """

    imports: Mapping[str, str]
    has_leetcode_names: bool


def find_given_names(test_code: str, entry_point: str | None, starter_code: str) -> GivenNames:
    """Return the names that a problem's text gives to programs."""
    starter = parse_starter_code(starter_code) or ast.Module([], [])
    tests = parse_tests(test_code) or TestCode("", ast.Module([], []))
    imported = tests.select(ast.Import, ast.ImportFrom)
    is_apart = any(map(source_analysis.is_candidate_import, imported))
    imports = {
        name: text
        for tree in ([starter] if is_apart else [starter, tests.tree])
        for statement in _iter_statements(tree)
        for name, text in _split_import(statement)
    }
    names_not_given = source_analysis.find_free_names(ast.unparse(starter))
    names = names_not_given | tests.free_names
    statements = (*starter.body, *tests.tree.body)
    names |= {statement.name for statement in statements if isinstance(statement, ast.ClassDef)}
    names.add(source_analysis.get_entry_root(entry_point) or "")
    if names_not_given or names & _OF_LEETCODE or _USE_OF_A_CLASS in starter_code:
        return GivenNames({**list_leetcode_imports(names), **imports}, has_leetcode_names=True)
    return GivenNames(imports, has_leetcode_names=False)


def list_leetcode_imports(asked_names: Collection[str]) -> dict[str, str]:
    """Return the statements that import what LeetCode gives besides the names of ``program_names``.

    asked_names: what the tests ask the program for, which it must define itself.
    """
    return {n: text for n, text in _LEETCODE_IMPORTS.items() if n not in asked_names}


def add_imports(source: str, imports: Mapping[str, str]) -> str:
    """Return a program after the imports of those names that it uses and does not bind."""
    star_imports = [text for name, text in imports.items() if name == text]
    if not star_imports and not any(name in source for name in imports):
        return source
    try:
        text = source.removeprefix("\ufeff")  # Python skips it at the start of a file
        tree = parse_structure(text)  # within bounds: no child has compiled it yet
        missing_names = source_analysis.find_free_names(text)
    except (SyntaxError, ValueError, RecursionError):
        return source  # Python itself will say what is wrong
    texts = [imports[name] for name in imports if name in missing_names]
    if missing_names:
        texts += star_imports
    if not texts:
        return source
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    if leading := tree.body[: count_leading(tree)]:  # a docstring, imports of __future__
        last, column = (leading[-1].end_lineno or 0) - 1, leading[-1].end_col_offset
        before, after = lines[last].encode()[:column], lines[last].encode()[column:]
        lines[last] = "; ".join([before.decode(), *texts]) + after.decode()
    else:
        lines.insert(0, "; ".join(texts))
    return "\n".join(lines)


def _iter_statements(tree: ast.AST) -> Iterator[ast.stmt]:
    """Yield the statements that run with the module, those in ``try`` and ``if`` as well."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.stmt):
            yield node
        if not isinstance(node, source_analysis.DEFINITIONS):
            yield from _iter_statements(node)


def _split_import(statement: ast.stmt) -> Iterator[tuple[str, str]]:
    """Yield (name, statement that imports it alone)."""
    match statement:
        case ast.ImportFrom(module="__future__"):
            return
        case ast.Import(names=items):
            for item in items:
                yield item.asname or item.name.partition(".")[0], ast.unparse(ast.Import([item]))
        case ast.ImportFrom(module=module, names=items, level=level):
            for item in items:
                text = ast.unparse(ast.ImportFrom(module, [item], level))
                yield (text if item.name == "*" else item.asname or item.name), text
