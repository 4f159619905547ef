"""Python is parsed without a warning; starter code is parsed where a program can follow it."""

from __future__ import annotations

import ast

import pytest

from microcoder_eval.syntax import parse_python, parse_starter_code
from tests.files import read_table

TABLE = read_table(__file__)


@pytest.mark.parametrize("code", TABLE["open_code"])
def test_a_function_is_found_in_code_that_ends_before_it_does(code: str) -> None:
    tree = parse_starter_code(code)
    assert tree is not None
    functions = [node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)]
    assert functions == ["find"]


@pytest.mark.parametrize("code", ["int find(int a) {", "def find(a) return", "x = \0", "(" * 999])
def test_code_that_starts_no_program_has_no_tree(code: str) -> None:
    assert parse_starter_code(code) is None


def test_python_that_would_warn_warns_nobody_and_keeps_its_constants() -> None:
    tree = parse_python(r'pattern = "\d"')  # a warning would be an error (pyproject.toml)
    assert tree is not None
    assert ast.unparse(tree) == r"pattern = '\\d'"
