"""Rewrites programs so that they count their steps and stop after so many.

The choice of tests depends on where wrong programs and mutants fail, and must be the same in every
run. A time limit may stop a program in one run and not in the next; a step count cannot.
"""

from __future__ import annotations

import ast
import random
from collections.abc import Callable, Iterator, Mapping, Set
from dataclasses import replace

from microcoder_data.rows import list_nodes
from microcoder_eval.records import Solution

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


_SEED = """
import random as _microcoder_random
_microcoder_random.seed({seed})
"""


def is_random(code: str) -> bool:
    """Whether a program uses random numbers or clocks, so that it may fail other tests next time.

    Only uses count, since many programs import more than they use; numbers of the module random
    do not count after a call of its ``seed`` with a value. False for a program that does not parse.
    """
    nodes = list_nodes(code)
    modules = {  # by the name in this program
        alias.asname or alias.name: alias.name
        for node in nodes
        if isinstance(node, ast.Import)
        for alias in node.names
    }
    is_seeded = any(isinstance(node, ast.Call) and _is_seed(node, modules) for node in nodes)
    chance = _RANDOM_NAMES | ({"random": frozenset({"SystemRandom"})} if is_seeded else {})
    own_names = {
        node.id
        for node in nodes
        if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load)
    }
    own_names |= {node.name for node in nodes if isinstance(node, _DEFINITIONS)}
    own_names |= {node.arg for node in nodes if isinstance(node, ast.arg)}
    imports = [node for node in nodes if isinstance(node, ast.ImportFrom)]
    names = {name for node in imports for name in _list_random_names(node, chance)} - own_names
    return any(
        node.id in names if isinstance(node, ast.Name) else _is_random_value(node, modules, chance)
        for node in nodes
        if isinstance(node, ast.Name | ast.Attribute)
    )


def _is_seed(call: ast.Call, modules: Mapping[str, str]) -> bool:
    module = getattr(getattr(call.func, "value", None), "id", "")
    is_seed = getattr(call.func, "attr", "") == "seed"
    return is_seed and bool(call.args) and modules.get(module) == "random"


def _list_random_names(node: ast.ImportFrom, chance: Mapping[str, Set[str]]) -> Iterator[str]:
    """Yield the random names that an import statement brings in."""
    random_names = chance.get(node.module or "", frozenset())
    for alias in node.names:
        if alias.name == "*":
            yield from random_names
        elif alias.name in random_names or "*" in random_names:
            yield alias.asname or alias.name


def _is_random_value(
    node: ast.Attribute, modules: Mapping[str, str], chance: Mapping[str, Set[str]]
) -> bool:
    if node.attr in chance["datetime"] or node.attr in ("urandom", "default_rng"):
        return True
    if isinstance(node.value, ast.Attribute):  # numpy.random.rand
        return node.value.attr == "random"
    names = chance.get(modules.get(getattr(node.value, "id", ""), ""), frozenset())
    return node.attr in names or "*" in names


def seed_random(program: Solution, seed: int) -> Solution:
    """Return the program with a seed for the module random; unchanged where it is not Python or
    does not parse."""
    return _rewrite(program, lambda tree: _insert_first(tree, _SEED.format(seed=seed)))


def count_steps(program: Solution, steps: int) -> Solution:
    """Return the program with a step counter; unchanged where it is not Python or does not
    parse."""
    return _rewrite(program, lambda tree: _insert_steps(tree, steps))


def _rewrite(program: Solution, change: Callable[[ast.Module], None]) -> Solution:
    if program.code is None or program.language != "python":
        return program
    try:
        tree = ast.parse(program.code)
        change(tree)
        return replace(program, code=ast.unparse(ast.fix_missing_locations(tree)))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return program


def _insert_first(tree: ast.Module, code: str) -> None:
    """Insert statements below the docstring and the imports from __future__, which must come
    first."""
    start = sum(
        isinstance(node, ast.ImportFrom) and node.module == "__future__" for node in tree.body
    ) + (ast.get_docstring(tree) is not None)
    tree.body[start:start] = ast.parse(code).body


def _insert_steps(tree: ast.Module, steps: int) -> None:
    """Change a program so that it exits with status 1 and OUT_OF_STEPS on stderr after ``steps``
    steps. ``_microcoder_visits`` counts the steps at each place.

    A step is one iteration of a loop or comprehension, one call, or one branch taken.
    """
    _StepInserter().visit(tree)
    _insert_first(tree, _COUNTER.replace("= 0,", f"= {steps},"))


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
