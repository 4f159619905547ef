"""Programs of plain statements, each of which would show a value that an earlier test left."""

from __future__ import annotations

from hypothesis import strategies as st

from microcoder_eval.plain.gate import is_plain
from tests.files import read_table

_TABLE = read_table(__file__)


def _compose(parts: list[tuple[str, int]]) -> str:
    body = "".join(text.format(i=i, n=n) for i, (text, n) in enumerate(parts))
    return f"{_TABLE['head']}{body}\nprint(total + int(input()), len(total_list), len(table))\n"


def plain_programs() -> st.SearchStrategy[str]:
    """Programs that may share a child; their output depends on their input and on nothing else."""
    parts = st.tuples(st.sampled_from(_TABLE["statements"]), st.integers(1, 9))
    composed = st.lists(parts, min_size=1, max_size=8).map(_compose)
    return composed.filter(lambda program: is_plain(program.encode(), call=False))
