"""What scopes.py takes for a function's variable is one to the compiler of this Python."""

from __future__ import annotations

import ast
import dis
import sys
import warnings
from collections.abc import Iterator
from random import Random
from textwrap import indent
from types import CodeType

from hypothesis import given, settings
from hypothesis import strategies as st

from microcoder_eval.plain.scopes import find_local_names, list_nodes

Use = tuple[str, int | None, int | None]  # a name, its line and column


def compiled_uses(code: CodeType) -> Iterator[tuple[Use, bool]]:
    """Where a compiled program reads or binds names, and whether each is a function's variable.

    What a class body reads is looked up, even if only the function around it binds the name.
    """
    for instruction in dis.get_instructions(code):
        operation, where = instruction.opname, instruction.positions
        looked_up = any(word in operation for word in ("NAME", "GLOBAL", "CLASS", "DICT"))
        if where is not None and (looked_up or "FAST" in operation or "DEREF" in operation):
            yield (instruction.argval, where.lineno, where.col_offset), not looked_up
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from compiled_uses(constant)


def left_to_the_module(tree: ast.Module) -> set[str]:
    """Names that scopes.py may take for the module's: bound by an import, a pattern or a loop in a
    comprehension, declared in a class, or in a comprehension in a class."""
    names: set[str | None] = set()
    for node in ast.walk(tree):
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            names |= {alias.asname or alias.name for alias in node.names}
        elif isinstance(node, (ast.MatchAs, ast.MatchStar)):
            names.add(node.name)
        elif isinstance(node, ast.MatchMapping):
            names.add(node.rest)
        elif isinstance(node, ast.comprehension):
            names |= names_in(node.target)
        elif isinstance(node, ast.ClassDef):
            for inner in ast.walk(node):
                if isinstance(inner, (ast.Global, ast.Nonlocal)):
                    names.update(inner.names)
                elif hasattr(inner, "generators"):
                    names |= names_in(inner)
        names |= {parameter.name for parameter in getattr(node, "type_params", ())}
    return {name for name in names if name}


def names_in(tree: ast.AST) -> set[str]:
    return {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}


def assert_scopes_agree(source: str) -> None:
    tree = compile(source, "solution.py", "exec", ast.PyCF_ONLY_AST)
    uses = dict(compiled_uses(compile(source, "solution.py", "exec")))
    local = find_local_names(tree)
    excused = left_to_the_module(tree)
    for node in list_nodes(tree):
        if type(node) is not ast.Name:
            continue
        is_variable = uses.get((node.id, node.lineno, node.col_offset))  # None: never executed
        place = f"{node.id} in line {node.lineno}, column {node.col_offset} of\n{source}"
        if id(node) in local:
            assert is_variable is not False, f"the compiler looks up {place}"
        else:
            assert not is_variable or node.id in excused, f"the compiler has a variable {place}"


def write_name(random: Random) -> str:
    return random.choice("abcd")


def write_expression(random: Random, depth: int) -> str:
    n, m = write_name(random), write_name(random)
    if depth == 0 or random.random() < 0.4:
        return n
    e, f, g = (write_expression(random, depth - 1) for _ in range(3))
    return random.choice(
        [
            f"({e}, {f})",
            f"{e}.{n}",
            f"f'{{{n}}}'",
            f"({n} := {e})",
            f"(lambda {write_parameters(random, depth - 1)}: {e})",
            f"[{e} for {n} in {f}]",
            f"{{{e} for {n} in {f} if {g} for {m} in {n}}}",
            f"{{{e}: {f} for {n}, *{m} in {g}}}",
            f"print({e} for {n} in {f})",
        ]
    )


def write_parameters(random: Random, depth: int) -> str:
    a, b, c, d = random.sample("abcd", 4)
    forms = [f"{a}, /", b, f"{c} = {write_expression(random, depth)}", f"*{d}"]
    return ", ".join(form for form in forms if random.random() < 0.4)


def write_statement(random: Random, depth: int) -> str:
    n, m = write_name(random), write_name(random)
    e, f = write_expression(random, 2), write_expression(random, 2)
    if depth == 0 or random.random() < 0.5:
        return random.choice(
            [
                e,
                f"{n} = {e}",
                f"{n}, [*{m}] = {n}.x = {m}[{e}] = {f}",
                f"{n} += {e}",
                f"{n}: {m} = {e}",
                f"{n}: {m}",
                f"({n}): {m}",
                f"del {n}",
                f"import {n}",
                f"from x import y as {n}",
            ]
        )
    body = indent(write_block(random, depth - 1), "    ")
    declared = random.choice(["", "", f"    global {n}\n", f"    nonlocal {n}\n"])
    parameters = write_parameters(random, 1)
    typed = f"[{m}]" if sys.version_info >= (3, 12) and random.random() < 0.3 else ""
    pattern = random.choice(
        [n, f"[{n}, *{m}]", f"{{'x': {n}, **{m}}}", f"print(x={n})", f"1 | 2 as {n}"]
    )
    return random.choice(
        [
            f"@{e}\ndef {n}{typed}({parameters}) -> {m}:\n{declared}{body}",
            f"def {m}({parameters}):\n{declared}{body}",
            f"@{e}\nclass {n}{typed}({f}):\n{declared}{body}",
            f"for {n}, *{m} in {e}:\n{body}",
            f"if {e}:\n{body}",
            f"with {e} as {n}:\n{body}",
            f"try:\n{body}\nexcept {m} as {n}:\n    {e}",
            f"match {e}:\n    case {pattern}:\n{indent(body, '    ')}",
        ]
    )


def write_block(random: Random, depth: int) -> str:
    return "\n".join(write_statement(random, depth) for _ in range(random.randint(1, 3)))


def write_program(random: Random) -> str:
    """A program with functions in functions that the compiler takes."""
    while True:
        source = "def a(b):\n" + indent(write_block(random, 3), "    ")
        try:
            compile(source, "solution.py", "exec")
        except SyntaxError:
            continue
        return source


@settings(max_examples=150)
@given(st.randoms(use_true_random=True))
def test_a_name_is_a_functions_variable_here_only_if_it_is_to_the_compiler(random: Random) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of "is not callable" and its like
        assert_scopes_agree(write_program(random))
