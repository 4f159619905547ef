"""Applies the user's own filters: functions in Python files, which a recipe names as
``rules.py:keep``.

A function takes a problem's row. It keeps the problem by returning None or True, and drops it by
returning False, why (a text), or why and evidence (a text and an object).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from copy import deepcopy

from microcoder_data.rows import Row
from microcoder_data.user_code import load_function
from microcoder_eval.audit.findings import Finding


def apply_filters(names: Sequence[str], row: Row) -> Iterator[Finding]:
    """Yield the objections of each function to a problem. Raises what the functions raise, and
    TypeError for an invalid answer."""
    for name in names:
        answer = load_function(name)(deepcopy(row))
        if answer is None or answer is True:
            continue
        is_pair = isinstance(answer, tuple) and len(answer) == 2
        reason, evidence = answer if is_pair else (answer, {})
        function_name = name.rpartition(":")[2]
        reason = "it returned False" if reason is False else reason
        if not isinstance(reason, str) or not isinstance(evidence, Mapping):
            detail = "must return None, a bool, a text, or a text and an object of evidence"
            raise TypeError(f"the filter {function_name} {detail}, not {answer!r:.80}")
        yield Finding("own_filter", f"{function_name}: {reason}", dict(evidence))
