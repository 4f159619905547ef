"""Rewrites programs so that every run of them goes the same way: they stop after so many steps, and
draw random numbers from a seed.

The choice of tests depends on where wrong programs and mutants fail, and must be the same in every
run. A time limit may stop a program in one run and not in the next; a step count cannot.
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from dataclasses import replace

from microcoder_eval.records import Solution
from microcoder_eval.syntax import parse_tree

OUT_OF_STEPS = "microcoder-data: out of steps"
_BODIES = (ast.For, ast.AsyncFor, ast.While, ast.FunctionDef, ast.AsyncFunctionDef)
# It names nothing special (sys.exit, not SystemExit), so that a plain program stays plain
# (microcoder_eval.plain): its tests share a process.
_COUNTER = """
import sys as _microcoder_sys
_microcoder_left, _microcoder_visits = {steps}, {{}}
def _microcoder_step(place):
    global _microcoder_left
    _microcoder_left -= 1
    if _microcoder_left < 0:
        _microcoder_sys.exit({message!r})
    _microcoder_visits[place] = _microcoder_visits.get(place, 0) + 1
    return True
"""
_SEED = """
import random as _microcoder_random
_microcoder_random.seed({seed})
"""


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
        tree = parse_tree(program.code)
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
    tree.body[start:start] = parse_tree(code).body


def _insert_steps(tree: ast.Module, steps: int) -> None:
    """Change a program so that it exits with status 1 and OUT_OF_STEPS on stderr after ``steps``
    steps. ``_microcoder_visits`` counts the steps at each place.

    A step is one iteration of a loop or comprehension, one call, or one branch taken.
    """
    _StepInserter().visit(tree)
    _insert_first(tree, _COUNTER.format(steps=steps, message=OUT_OF_STEPS))


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
