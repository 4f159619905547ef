"""QuixBugs: programs of one function with a fault on one line, to be repaired.

A candidate is a whole program. Source: the table of the set on the Hub (name, buggy_program,
docstring, solution, tests), made from jkoppel/QuixBugs.
"""

from __future__ import annotations

from . import row_fields
from .format import Format, Row, get_optional_text, has_keys


def _read_fields(row: Row) -> Row:
    docstring = get_optional_text(row.get("docstring"))
    buggy = row_fields.read_text(row, "buggy_program")
    return {
        "kind": "assert",
        "test_code": row_fields.read_text(row, "tests"),
        "entry_point": FORMAT.require_name(row),
        "statement": "\n\n".join(text for text in (docstring, buggy) if text),
        "solutions": [
            *row_fields.read_programs([row.get("solution")]),
            *row_fields.read_programs([buggy], "WA"),
        ],
    }


FORMAT = Format(
    name="quixbugs",
    names=("name",),
    holds_problem=has_keys("buggy_program", "tests"),
    read_fields=_read_fields,
    uses=frozenset({"buggy_program", "docstring", "solution"}),
    judges=frozenset({"tests"}),
)
