"""Test code, parsed once for all that look at it."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Set
from functools import lru_cache
from typing import Any

from microcoder_eval.forksafe import lazy_property
from microcoder_eval.syntax import parse_python
from microcoder_sandbox import source_analysis, test_names

_MAX_KEPT_CHARS = 1 << 16  # the tree of a text is some hundred times as large
# The fields with the names that other nodes than names and imports bind.
_BOUND_NAMES: dict[type[ast.AST], str] = {
    **dict.fromkeys((ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef), "name"),
    **dict.fromkeys((ast.ExceptHandler, ast.MatchAs, ast.MatchStar), "name"),
    ast.arg: "arg",
    ast.MatchMapping: "rest",
}


class TestCode:
    """The tree of test code and the names in it, for reading only: others read the same tree.

    nodes: those of the tree, without contexts and operators.
    candidate_imports: by the name that it binds, the name in the candidate.
    candidate_modules: the names that it binds to the candidate's module.
    bindings: how often it binds each name, except by imports from the candidate.
    """

    def __init__(self, source: str, tree: ast.Module) -> None:
        self.source, self.tree, self.nodes = source, tree, source_analysis.walk(tree)
        imports, modules = source_analysis.find_candidate_imports(self.nodes)
        self.candidate_imports, self.candidate_modules = imports, modules
        self.bindings = Counter(_iter_bindings(self.nodes))

    def select(self, *kinds: type[ast.AST]) -> list[Any]:
        """Return its nodes of these kinds, in the order of the tree."""
        return [node for node in self.nodes if node.__class__ in kinds]

    @lazy_property
    def free_names(self) -> set[str]:
        """The global names that it reads, and neither binds nor has as built-ins."""
        return source_analysis.find_free_names(self.source)

    @lazy_property
    def candidate_names(self) -> set[str]:
        """The global names that only the candidate can define, or that are imported from it."""
        return (self.free_names - test_names.NAMES) | self.candidate_imports.keys()


def parse_tests(source: str) -> TestCode | None:
    """Return test code; None if it is no Python. Short texts are kept for the next call."""
    return _parse_short(source) if len(source) <= _MAX_KEPT_CHARS else _parse(source)


def _parse(source: str) -> TestCode | None:
    tree = parse_python(source)
    return None if tree is None else TestCode(source, tree)


_parse_short = lru_cache(maxsize=2)(_parse)  # as it is written, and as it is planned


def add_callers(functions: Mapping[str, set[str]], names: Set[str]) -> set[str]:
    """Return the names, and those of functions that use one of them, directly or not. functions:
    the names in each."""
    result = set(names)
    while True:
        callers = {name for name, used_names in functions.items() if used_names & result}
        if callers <= result:
            return result
        result |= callers


def _iter_bindings(nodes: Iterable[ast.AST]) -> Iterator[str]:
    """Yield every name bound anywhere, once per binding, except by imports from the candidate."""
    for node in nodes:
        match node:
            case ast.Name(id=name):
                if not isinstance(node.ctx, ast.Load):
                    yield name
            case ast.Import(names=names) | ast.ImportFrom(names=names):
                if getattr(node, "module", None) not in source_analysis.CANDIDATE_MODULES:
                    yield from (item.asname or item.name.partition(".")[0] for item in names)
            case _ if field := _BOUND_NAMES.get(node.__class__):
                if (name := getattr(node, field)) is not None:
                    yield name
