"""Applies the user's own filters: functions in Python files, which a recipe names as
``rules.py:keep``.

A function takes a problem's row. It keeps the problem by returning None or True, and drops it by
returning False, why (a text), or why and evidence (a text and an object).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from copy import deepcopy
from functools import cache
from pathlib import Path
from typing import Any

from microcoder_data.rows import Row
from microcoder_eval.audit.findings import Finding
from microcoder_eval.errors import DataError
from microcoder_eval.formats.source import check_readable


def split_name(name: str) -> tuple[str, str]:
    """Return the path and the function that a name such as "rules.py:keep" stands for."""
    path, _, function_name = name.rpartition(":")
    return path, function_name


@cache
def load_filter(name: str) -> Callable[[Row], Any]:
    """Return the function of that name. Raises DataError."""
    path, function_name = split_name(name)
    check_readable(path)
    names: dict[str, Any] = {"__name__": "own_filter", "__file__": path}
    try:
        exec(compile(Path(path).read_bytes(), path, "exec"), names)
    except Exception as error:
        raise DataError(f"{type(error).__name__}: {error}", path) from error
    function: Callable[[Row], Any] | None = names.get(function_name)
    if not callable(function):
        raise DataError(f'it defines no function "{function_name}"', path)
    return function


def apply_filters(names: Sequence[str], row: Row) -> Iterator[Finding]:
    """Yield the objections of each function to a problem. Raises what the functions raise, and
    TypeError for an invalid answer."""
    for name in names:
        answer = load_filter(name)(deepcopy(row))
        if answer is None or answer is True:
            continue
        is_pair = isinstance(answer, tuple) and len(answer) == 2
        reason, evidence = answer if is_pair else (answer, {})
        function_name = split_name(name)[1]
        reason = "it returned False" if reason is False else reason
        if not isinstance(reason, str) or not isinstance(evidence, Mapping):
            detail = "must return None, a bool, a text, or a text and an object of evidence"
            raise TypeError(f"the filter {function_name} {detail}, not {answer!r:.80}")
        yield Finding("own_filter", f"{function_name}: {reason}", dict(evidence))
