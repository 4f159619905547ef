"""Programs that stop after so many steps: whether one runs on for ever must not depend on a clock.

Tests are chosen by what wrong programs and mutants fail at, and the choice must be the same in
every run. A limit of time would now and then be hit in one run and not in the next; a count of
steps never is.
"""

from __future__ import annotations

import ast
import re
from dataclasses import replace

from microcoder_eval.records import Solution

OUT_OF_STEPS = "microcoder-data: out of steps"
_CHANCE = re.compile(
    r"\b(?:random|randint|urandom|secrets|uuid|perf_counter|process_time|monotonic)\b"
    r"|\b(?:import|from)\s+time\b|\btime\.time\b"
)
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
    """Whether a program draws random numbers or reads clocks: what kills it would be chance."""
    return _CHANCE.search(code) is not None


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
