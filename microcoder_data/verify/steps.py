"""Programs that stop after so many steps: whether one runs on for ever must not depend on a clock.

Tests are chosen by what wrong programs and mutants fail at, and the choice must be the same in
every run. A limit of time would now and then be hit in one run and not in the next; a count of
steps never is.
"""

from __future__ import annotations

import ast
import random
from collections.abc import Iterator, Mapping, Set
from dataclasses import replace

from microcoder_eval.data.syntax import parsed
from microcoder_eval.records import Solution

OUT_OF_STEPS = "microcoder-data: out of steps"
# What a program takes from these modules differs from run to run; "*": all of it.
_CHANCE = {
    "random": frozenset(random.__all__) - {"seed", "Random"},
    "secrets": frozenset({"*"}),
    "uuid": frozenset({"uuid1", "uuid4"}),
    "os": frozenset({"urandom", "getrandom", "getpid"}),
    "time": frozenset({"time", "time_ns", "perf_counter", "perf_counter_ns", "process_time",
                       "process_time_ns", "monotonic", "monotonic_ns", "ctime", "localtime"}),
    "datetime": frozenset({"now", "utcnow", "today"}),
}  # fmt: skip
_NAMED = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
_BODIES = (ast.For, ast.AsyncFor, ast.While, ast.FunctionDef, ast.AsyncFunctionDef)
_COUNTER = f"""
_microcoder_left = 0
def _microcoder_step():
    global _microcoder_left
    _microcoder_left -= 1
    if _microcoder_left < 0:
        raise SystemExit({OUT_OF_STEPS!r})
    return True
"""


def by_chance(code: str) -> bool:
    """Whether a program draws random numbers or reads clocks: what kills it would be chance.

    That it imports what could do so decides nothing: many programs begin with long lists of
    imports. One that cannot be read is no such program; nothing is changed in it, either.
    """
    tree = parsed(code)
    if tree is None:
        return False
    modules: dict[str, str] = {}  # what a module is called here: its name
    taken: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            modules |= {one.asname or one.name: one.name for one in node.names}
        elif isinstance(node, ast.ImportFrom):
            taken |= set(_taken(node))
    own = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name) and _is_set(node)}
    own |= {node.name for node in ast.walk(tree) if isinstance(node, _NAMED)}
    own |= {node.arg for node in ast.walk(tree) if isinstance(node, ast.arg)}
    return any(_is_chance(node, modules, taken - own) for node in ast.walk(tree))


def _taken(node: ast.ImportFrom) -> Iterator[str]:
    """Names that an import brings in and that are chance."""
    known = _CHANCE.get(node.module or "", frozenset())
    for one in node.names:
        if one.name == "*":
            yield from known
        elif one.name in known or "*" in known:
            yield one.asname or one.name


def _is_set(node: ast.Name) -> bool:
    return not isinstance(node.ctx, ast.Load)


def _is_chance(node: ast.AST, modules: Mapping[str, str], taken: Set[str]) -> bool:
    if isinstance(node, ast.Name):
        return node.id in taken
    if not isinstance(node, ast.Attribute):
        return False
    if node.attr in _CHANCE["datetime"] or node.attr in ("urandom", "default_rng"):
        return True
    if isinstance(node.value, ast.Attribute):  # numpy.random.rand
        return node.value.attr == "random"
    known = _CHANCE.get(modules.get(getattr(node.value, "id", ""), ""), frozenset())
    return node.attr in known or "*" in known


def counted(program: Solution, steps: int) -> Solution:
    """The program as it counts its steps; as it is where it is no Python that can be read."""
    if program.code is None or program.language != "python":
        return program
    try:
        return replace(program, code=stepped(program.code, steps))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return program


def stepped(code: str, steps: int) -> str:
    """The program, ending with OUT_OF_STEPS on stderr and status 1 after ``steps`` steps.

    A step is one round of a loop or comprehension, or one call. Raises SyntaxError.
    """
    tree = ast.parse(code)
    _Stepping().visit(tree)
    counter = ast.parse(_COUNTER.replace("_left = 0", f"_left = {steps}"))
    place = _after_imports_of_the_future(tree)
    tree.body[place:place] = counter.body
    return ast.unparse(ast.fix_missing_locations(tree))


def _after_imports_of_the_future(tree: ast.Module) -> int:
    """Where other statements may stand first."""
    places = [
        place
        for place, node in enumerate(tree.body, 1)
        if isinstance(node, ast.ImportFrom) and node.module == "__future__"
    ]
    return places[-1] if places else 0


def _step() -> ast.Call:
    return ast.Call(ast.Name("_microcoder_step", ast.Load()), [], [])


class _Stepping(ast.NodeTransformer):
    """Puts a step into all that may be run more than once."""

    def visit(self, node: ast.AST) -> ast.AST:
        """The node with a step in it, after those within it."""
        self.generic_visit(node)
        if isinstance(node, _BODIES):
            node.body.insert(0, ast.Expr(_step()))
        elif isinstance(node, ast.comprehension):
            node.ifs.insert(0, _step())  # a condition that always holds
        elif isinstance(node, ast.Lambda):
            node.body = ast.BoolOp(ast.And(), [_step(), node.body])  # which is the body
        return node
