"""Rewrites programs so that they count their steps and stop after so many.

The choice of tests depends on where wrong programs and mutants fail, and must be the same in every
run. A time limit may stop a program in one run and not in the next; a step count cannot.
"""

from __future__ import annotations

import ast
import random
from collections.abc import Iterator, Mapping, Set
from dataclasses import replace

from microcoder_eval.records import Solution
from microcoder_eval.syntax import parse_python

OUT_OF_STEPS = "microcoder-data: out of steps"
# Names of these modules whose values differ from run to run; "*": all names.
_RANDOM_NAMES = {
    "random": frozenset(random.__all__) - {"seed", "Random"},
    "secrets": frozenset({"*"}),
    "uuid": frozenset({"uuid1", "uuid4"}),
    "os": frozenset({"urandom", "getrandom", "getpid"}),
    "time": frozenset({"time", "time_ns", "perf_counter", "perf_counter_ns", "process_time",
                       "process_time_ns", "monotonic", "monotonic_ns", "ctime", "localtime"}),
    "datetime": frozenset({"now", "utcnow", "today"}),
}  # fmt: skip
_DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
_BODIES = (ast.For, ast.AsyncFor, ast.While, ast.FunctionDef, ast.AsyncFunctionDef)
# It names nothing special (sys.exit, not SystemExit), so that a plain program stays plain
# (microcoder_eval.plain): its tests share a process.
_COUNTER = f"""
import sys as _microcoder_sys
_microcoder_left, _microcoder_visits = 0, {{}}
def _microcoder_step(place):
    global _microcoder_left
    _microcoder_left -= 1
    if _microcoder_left < 0:
        _microcoder_sys.exit({OUT_OF_STEPS!r})
    _microcoder_visits[place] = _microcoder_visits.get(place, 0) + 1
    return True
"""


def is_random(code: str) -> bool:
    """Whether a program uses random numbers or clocks, so that it may fail other tests next time.

    Only uses count, since many programs import more than they use. False for a program that does
    not parse.
    """
    tree = parse_python(code)
    if tree is None:
        return False
    modules: dict[str, str] = {}  # by the name in this program
    random_names: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            modules |= {alias.asname or alias.name: alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            random_names |= set(_list_random_names(node))
    defined_names = {
        node.id
        for node in ast.walk(tree)
        if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load)
    }
    defined_names |= {node.name for node in ast.walk(tree) if isinstance(node, _DEFINITIONS)}
    defined_names |= {node.arg for node in ast.walk(tree) if isinstance(node, ast.arg)}
    return any(
        _is_random_node(node, modules, random_names - defined_names) for node in ast.walk(tree)
    )


def _list_random_names(node: ast.ImportFrom) -> Iterator[str]:
    """Yield the random names that an import statement brings in."""
    random_names = _RANDOM_NAMES.get(node.module or "", frozenset())
    for alias in node.names:
        if alias.name == "*":
            yield from random_names
        elif alias.name in random_names or "*" in random_names:
            yield alias.asname or alias.name


def _is_random_node(node: ast.AST, modules: Mapping[str, str], random_names: Set[str]) -> bool:
    if isinstance(node, ast.Name):
        return node.id in random_names
    if not isinstance(node, ast.Attribute):
        return False
    if node.attr in _RANDOM_NAMES["datetime"] or node.attr in ("urandom", "default_rng"):
        return True
    if isinstance(node.value, ast.Attribute):  # numpy.random.rand
        return node.value.attr == "random"
    module_names = _RANDOM_NAMES.get(modules.get(getattr(node.value, "id", ""), ""), frozenset())
    return node.attr in module_names or "*" in module_names


def count_steps(program: Solution, steps: int) -> Solution:
    """Return the program with a step counter; unchanged where it is not Python or does not
    parse."""
    if program.code is None or program.language != "python":
        return program
    try:
        return replace(program, code=insert_steps(program.code, steps))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return program


def insert_steps(code: str, steps: int) -> str:
    """Return the program changed so that it exits with status 1 and OUT_OF_STEPS on stderr after
    ``steps`` steps. ``_microcoder_visits`` counts the steps at each place.

    A step is one iteration of a loop or comprehension, one call, or one branch taken. Raises
    SyntaxError.
    """
    tree = ast.parse(code)
    _StepInserter().visit(tree)
    # Imports from __future__ must come first.
    start = sum(
        isinstance(node, ast.ImportFrom) and node.module == "__future__" for node in tree.body
    ) + (ast.get_docstring(tree) is not None)
    tree.body[start:start] = ast.parse(_COUNTER.replace("= 0,", f"= {steps},")).body
    return ast.unparse(ast.fix_missing_locations(tree))


class _StepInserter(ast.NodeTransformer):
    """Inserts a step into every loop, comprehension, function and branch."""

    def __init__(self) -> None:
        self._places = 0

    def visit(self, node: ast.AST) -> ast.AST:
        """Insert steps into the children of a node, then into the node."""
        self.generic_visit(node)
        if isinstance(node, (*_BODIES, ast.If)):
            node.body.insert(0, ast.Expr(self._make_step()))
        if isinstance(node, ast.If) and node.orelse:
            node.orelse.insert(0, ast.Expr(self._make_step()))
        elif isinstance(node, ast.comprehension):
            # Conditions that are always true: of each item, and of each that passes the others.
            node.ifs = [self._make_step(), *node.ifs, *([self._make_step()] if node.ifs else [])]
        elif isinstance(node, ast.Lambda | ast.IfExp):
            node.body = ast.BoolOp(ast.And(), [self._make_step(), node.body])  # the body's value
        return node

    def _make_step(self) -> ast.Call:
        self._places += 1
        name = ast.Name("_microcoder_step", ast.Load())
        return ast.Call(name, [ast.Constant(self._places)], [])
