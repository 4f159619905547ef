"""MBPP and MBPP+: assertions in "test_list", or a whole script in "test".

Source: google-research/mbpp (task_id, text, code, test_list, test_setup_code,
challenge_test_list), the sanitized set (prompt, test_imports), evalplus/mbppplus (test).
"""

from __future__ import annotations

import ast

from microcoder_eval.errors import DataError
from microcoder_eval.extract import syntax_tree
from microcoder_eval.formats import inouts, words
from microcoder_eval.formats.format import Format, Row

_USED = {"task_id", "text", "prompt", "code", "test_list", "test_setup_code", "test_imports",
         "challenge_test_list", "test"}  # fmt: skip


def _holds_problem(row: Row) -> bool:
    return "test_list" in row and "task_id" in row


def _problem(row: Row) -> Row:
    asserted = [*_texts(row, "test_list"), *_texts(row, "challenge_test_list")]
    setup = [*_texts(row, "test_imports"), *_texts(row, "test_setup_code")]
    code = inouts.optional_text(row.get("code"))
    whole = inouts.optional_text(row.get("test"))
    return {
        "problem_id": FORMAT.name_in(row) or inouts.text_in(row, "task_id"),
        "kind": "assert",
        "entry_point": _entry(code, asserted),
        "test_code": whole or "\n".join([*setup, *asserted]) + "\n",
        "statement": row.get("prompt") or row.get("text"),
        "solutions": inouts.programs([code]),
        "meta": inouts.rest(row, _USED),
    }


def _texts(row: Row, key: str) -> list[str]:
    value = row.get(key) or []
    if isinstance(value, str):
        return [value]
    if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
        raise DataError(f'"{key}" must be a list of texts, not {words.described(value)}')
    return value


def _entry(code: str | None, asserted: list[str]) -> str | None:
    """The function of the reference that the assertions call; without one, what they call first."""
    called = [name for text in asserted for name in _names(text, calls=True)]
    defined = set(_names(code or "", calls=False))
    return next((name for name in called if name in defined), called[0] if called else None)


def _names(text: str, *, calls: bool) -> list[str]:
    try:
        nodes = list(ast.walk(syntax_tree(text)))
    except SyntaxError:
        return []
    if calls:
        return [
            n.func.id for n in nodes if isinstance(n, ast.Call) and isinstance(n.func, ast.Name)
        ]
    return [n.name for n in nodes if isinstance(n, ast.FunctionDef | ast.ClassDef)]


FORMAT = Format(
    name="mbpp",
    id_key="task_id",
    holds_problem=_holds_problem,
    problem=_problem,
    integer_names="Mbpp/",
)
