"""EvalPlus's own files of HumanEval+ and MBPP+: inputs, and a reference that makes the outputs.

The reference runs in the process of the test code, never beside a candidate. Source:
evalplus/evalplus 0.3.1 (evalplus/eval: the comparison and its exceptions; data/mbpp: which
arguments JSON has turned into lists).
"""

from __future__ import annotations

import ast
import textwrap
from collections.abc import Callable
from typing import Any

from microcoder_eval.errors import DataError
from microcoder_eval.formats import error_text
from microcoder_eval.syntax import parse_structure

from . import row_fields
from .format import Format, Row, has_keys

_MAX_REFERENCE_CHARS = 1 << 16
_USED = {"task_id", "prompt", "entry_point", "canonical_solution", "base_input", "plus_input",
         "atol"}  # fmt: skip
# HumanEval's and MBPP's tests, whose inputs are in "base_input", and the conditions on inputs.
_REPEATED = {"test", "assertion", "contract"}
_TEST = """
from copy import deepcopy
nan, inf = float("nan"), float("inf")
ENTRY, ATOL = "{entry}", {atol!r}
INPUTS = {inputs!r}
SETS = ("similar_elements", "find_char_long", "common_in_nested_lists", "extract_singly",
        "larg_nnum", "intersection_array", "find_dissimilar", "Diff")
NOT_NONE = ("check_str", "text_match_three", "text_starta_endb")

{imports}

def load_reference():
{body}
    return {entry}

def holds_floats(value):
    if isinstance(value, (list, tuple)) and value:
        return all(isinstance(item, float) for item in value)
    return isinstance(value, float)

def is_close(out, exp, atol):
    if isinstance(exp, (list, tuple)):
        return isinstance(out, (list, tuple)) and len(out) == len(exp) and all(
            is_close(a, b, atol) for a, b in zip(out, exp))
    if not isinstance(out, (int, float, complex)) or not isinstance(exp, (int, float, complex)):
        return False
    return out == exp or abs(out - exp) <= atol + 1e-07 * abs(exp)

def find_digit_distance(a, b):
    a, b = str(a), str(b)
    size = max(len(a), len(b))
    return sum(abs(int(x) - int(y)) for x, y in zip(a.zfill(size), b.zfill(size)))

def find_surface(base, height):
    return round(base ** 2 + 2 * base * ((base / 2) ** 2 + height ** 2) ** 0.5)

def is_accepted(out, exp, arguments, atol):
    if ENTRY == "find_zero":
        return abs(sum(c * out ** i for i, c in enumerate(arguments[0]))) <= ATOL
    is_equal = out == exp
    if ENTRY == "are_equivalent":
        is_equal = True
    elif ENTRY == "sum_div":
        is_equal = is_equal or out == 0
    elif ENTRY == "surface_Area":
        is_equal = is_equal or abs(out - find_surface(*arguments)) <= atol
    elif ENTRY == "digit_distance_nums":
        is_equal = is_equal or out == find_digit_distance(*arguments)
    elif ENTRY in SETS:
        is_equal = set(out) == set(exp)
    elif ENTRY in NOT_NONE:
        exp = exp is not None
        is_equal = out == exp if isinstance(out, bool) else exp == (out is not None)
    return is_equal or (atol != 0 and type(out) == type(exp) and is_close(out, exp, atol))

def list_results(reference):
    return [reference(*deepcopy(arguments)) for arguments in INPUTS]

# Runs before the candidate is called, since a reference may evaluate text.
EXPECTED = list_results(load_reference())

def check(candidate):
    atol = ATOL
    for arguments, exp in zip(INPUTS, EXPECTED):
        if atol == 0 and holds_floats(exp):
            atol = 1e-6
        assert is_accepted(candidate(*deepcopy(arguments)), exp, arguments, atol)

from solution import {entry}  # a module of its own: a program imports what it uses
check({entry})
"""


def _to_tuples(value: Any) -> Any:
    return [tuple(item) for item in value]


def _to_deep_tuple(value: Any) -> Any:
    return tuple(map(_to_deep_tuple, value)) if isinstance(value, list) else value


def _to_shallow_tuple(value: Any) -> Any:
    return tuple(tuple(item) if isinstance(item, list) else item for item in value)


_Convert = Callable[[Any], Any]
# MBPP's problem numbers whose argument at a position, or every one (None), JSON has turned into a
# list.
_RESTORED: tuple[tuple[int | None, _Convert, set[int]], ...] = (
    (None, tuple, {2, 116, 132, 143, 222, 261, 273, 394, 399, 421, 424, 429, 470, 560, 579, 596,
                   616, 630, 726, 740, 744, 809}),
    (None, _to_tuples, {63, 64, 70, 94, 120, 237, 272, 299, 400, 409, 417, 438, 473, 614, 780}),
    (None, lambda value: tuple(_to_tuples(value)), {259, 401, 445}),
    (None, _to_deep_tuple, {580, 615, 791}),
    (None, _to_shallow_tuple, {278}),
    (0, _to_tuples, {75, 413, 444, 753}),
    (0, tuple, {250, 405, 446, 617, 720, 763, 808, 307}),
    (0, lambda value: [set(item) if isinstance(item, list) and item else {} for item in value],
     {115}),
    (0, lambda value: {key: tuple(item) for key, item in value.items()}, {722}),
    (0, complex, {252}),
    (0, float, {124}),
    (1, tuple, {106, 750}),
    (1, complex, {124}),
)  # fmt: skip


def _read_fields(row: Row) -> Row:
    keys = ("prompt", "entry_point", "canonical_solution")
    prompt, entry, reference = (row_fields.read_text(row, key) for key in keys)
    name, program = FORMAT.require_name(row), prompt + reference
    inputs = [*_read_inputs(row, "base_input"), *_read_inputs(row, "plus_input")]
    if name.startswith("Mbpp/"):
        inputs = [_restore_types(name, arguments) for arguments in inputs]
    atol = row.get("atol") or 0
    if not isinstance(atol, int | float):
        raise error_text.wrong_value('"atol" must be a number', atol)
    imports, body = _split_reference(program)
    test = _TEST.format(entry=entry, atol=atol, inputs=inputs, imports=imports, body=body)
    return {
        "kind": "assert",
        "test_style": "check",
        "entry_point": entry,
        "test_code": test,
        "statement": prompt,
        "solutions": row_fields.read_programs([program]),
        "meta": row_fields.collect_unused(row, _USED | _REPEATED),
    }


def _split_reference(source: str) -> tuple[str, str]:
    """Return the imports of a program, and the rest of it as the body of a function. Its own name
    would hide the candidate's function."""
    try:
        tree = parse_structure(source, _MAX_REFERENCE_CHARS)
    except SyntaxError as error:
        raise DataError(f"the reference does not compile: {error.msg}") from None
    imports = [node for node in tree.body if isinstance(node, ast.Import | ast.ImportFrom)]
    rest = [node for node in tree.body if node not in imports]
    texts = ["\n".join(map(ast.unparse, nodes)) for nodes in (imports, rest)]
    return texts[0], textwrap.indent(texts[1], "    ")


def _read_inputs(row: Row, key: str) -> list[Any]:
    value = row.get(key)
    # A row of MBPP+ without additional inputs has an object here.
    if value == {}:
        return []
    if not isinstance(value, list) or not all(isinstance(item, list) for item in value):
        raise error_text.wrong_value(f'"{key}" must be a list of lists of arguments', value)
    return value


def _restore_types(name: str, arguments: list[Any]) -> list[Any]:
    try:
        number = int(name.partition("/")[2])
        restored = list(arguments)
        for position, convert, numbers in _RESTORED:
            if number in numbers:
                for index in range(len(restored)) if position is None else [position]:
                    restored[index] = convert(restored[index])
    except (TypeError, ValueError, IndexError, AttributeError) as error:
        raise DataError(f"the inputs are not as in EvalPlus's own file: {error}") from None
    return restored


FORMAT = Format(
    name="evalplus",
    names=("task_id",),
    holds_problem=has_keys("plus_input", "task_id"),
    read_fields=_read_fields,
    uses=frozenset(_USED),
    judges=frozenset({"base_input", "plus_input", "atol"}),
    repeats=frozenset(_REPEATED),
)
