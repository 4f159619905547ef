"""MBPP and MBPP+: assertions in "test_list", or a whole script in "test".

Source: google-research/mbpp (task_id, text, code, test_list, test_setup_code,
challenge_test_list), the sanitized set (prompt, test_imports), evalplus/mbppplus (test).
"""

from __future__ import annotations

import ast

from microcoder_eval.formats import error_text
from microcoder_eval.syntax import parse_structure

from . import row_fields
from .format import Format, Row, get_optional_text, has_keys

_PLUS_INPUTS = "\ninputs = ["


def _read_fields(row: Row) -> Row:
    assertions = [*_read_texts(row, "test_list"), *_read_texts(row, "challenge_test_list")]
    setup = [*_read_texts(row, "test_imports"), *_read_texts(row, "test_setup_code")]
    code = get_optional_text(row.get("code"))
    script = get_optional_text(row.get("test"))
    if script is None:
        test_code = "\n".join([*setup, *assertions]) + "\n"
    else:
        missing = [text for text in assertions if text.strip() not in script]
        is_whole = not missing or _PLUS_INPUTS in script  # MBPP+'s own inputs repeat the others
        test_code = script if is_whole else "\n".join([*setup, script, *missing]) + "\n"
    return {
        "kind": "assert",
        "entry_point": _find_entry_point(code, assertions),
        "test_code": test_code,
        "statement": row.get("prompt") or row.get("text"),
        "solutions": row_fields.read_programs([code]),
    }


def _read_texts(row: Row, key: str) -> list[str]:
    value = row.get(key) or []
    if isinstance(value, str):
        return [value]
    if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
        raise error_text.wrong_value(f'"{key}" must be a list of texts', value)
    return value


def _find_entry_point(code: str | None, assertions: list[str]) -> str | None:
    """Find the function of the reference that assertions call, else the first that they call."""
    called_names = [name for text in assertions for name in _find_names(text, calls=True)]
    defined_names = set(_find_names(code or "", calls=False))
    names = [name for name in called_names if name in defined_names] or called_names
    return names[0] if names else None


def _find_names(text: str, *, calls: bool) -> list[str]:
    try:
        nodes = list(ast.walk(parse_structure(text)))
    except SyntaxError:
        return []
    if calls:
        return [
            n.func.id for n in nodes if isinstance(n, ast.Call) and isinstance(n.func, ast.Name)
        ]
    return [n.name for n in nodes if isinstance(n, ast.FunctionDef | ast.ClassDef)]


FORMAT = Format(
    name="mbpp",
    names=("task_id",),
    holds_problem=has_keys("test_list", "task_id"),
    read_fields=_read_fields,
    uses=frozenset({"text", "prompt", "code", "test_imports"}),
    judges=frozenset({"test_list", "challenge_test_list", "test", "test_setup_code"}),
    integer_prefix="Mbpp/",
)
