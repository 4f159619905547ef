"""Missing expected outputs, from right programs that agree."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from microcoder_eval.api import unix_lines
from microcoder_eval.compare import comparer
from microcoder_eval.data.rows import Row, kind_of
from microcoder_eval.errors import DataError
from microcoder_eval.records import Limits, Solution
from microcoder_sandbox import codec

from .runner import Runner

_PREAMBLE = (
    "from typing import *\nfrom collections import *\nfrom heapq import *\nfrom bisect import *\n"
    "from itertools import *\nfrom functools import *\nfrom math import inf, gcd, sqrt\n"
)
# Values cross as our typed codec writes them. What it prints before is the program's own business.
_CALL = """

def _microcoder_call(entry):
    import json, math, sys
    def plain(v):
        if v is None or type(v) in (bool, int, str): return v
        if type(v) is float:
            return v if math.isfinite(v) else {"$float": str(v)}
        if type(v) is list: return [plain(i) for i in v]
        if type(v) is tuple: return {"$tuple": [plain(i) for i in v]}
        if type(v) in (set, frozenset):
            return {"$" + type(v).__name__: sorted(map(plain, v), key=repr)}
        if type(v) is dict:
            if all(type(k) is str and not k.startswith("$") for k in v):
                return {k: plain(i) for k, i in v.items()}
            return {"$dict": [[plain(k), plain(i)] for k, i in v.items()]}
        raise TypeError("no plain form: " + type(v).__name__)
    def made(v):
        if type(v) is list: return [made(i) for i in v]
        if type(v) is not dict: return v
        if len(v) == 1:
            (tag, inner), = v.items()
            if tag == "$tuple": return tuple(made(inner))
            if tag == "$set": return set(made(inner))
            if tag == "$frozenset": return frozenset(made(inner))
            if tag == "$float": return float(inner)
            if tag == "$int": return int(inner, 16)
            if tag == "$dict": return {made(k): made(i) for k, i in inner}
        return {k: made(i) for k, i in v.items()}
    arguments = made(json.loads(sys.stdin.read()))
    owner, _, name = entry.rpartition(".")
    target = getattr(globals()[owner](), name) if owner else globals()[name]
    print("\\n\\x1eanswer " + json.dumps(plain(target(*arguments))))

_microcoder_call(ENTRY)
"""


def answers(
    runner: Runner,
    row: Row,
    given: Any,
    programs: Sequence[Solution],
    limits: Limits,
    agreeing: int,
) -> tuple[Any, str | None]:
    """(the output for one input, None), or (None, why there is none).

    programs: right ones. All that end well must agree, and ``agreeing`` of them must end well.
    The output is as it stands in a row: text, or a value as the codec writes it.
    """
    found: list[Any] = []
    for program in programs:
        output = _one(runner, row, given, program, limits)
        if output is not None:
            found.append(output)
    if len(found) < agreeing:
        return None, f"{len(found)} right programs end well, {agreeing} must"
    for other in found[1:]:
        if not _same(found[0][0], other[0]):
            return None, f"right programs disagree: {found[0][0]!r:.60} and {other[0]!r:.60}"
    value = found[0][0]
    return (
        value if isinstance(value, str) and kind_of(row) == "stdin" else codec.to_json(value)
    ), None


def _one(
    runner: Runner, row: Row, given: Any, program: Solution, limits: Limits
) -> tuple[Any] | None:
    """The output in a tuple, None where the program does not end well."""
    code = program.code
    if code is None:
        return None
    if kind_of(row) == "stdin":
        printed = runner.output(code, unix_lines(given), limits, program.language)
        return None if printed is None else (printed,)
    call = _CALL.replace("ENTRY", repr(str(row.get("entry_point", "")).replace("()", "")))
    printed = runner.output(f"{_PREAMBLE}{code}{call}", json.dumps(given), limits)
    _, mark, answer = (printed or "").rpartition("\n\x1eanswer ")
    if not mark:
        return None
    try:
        return (codec.from_json(json.loads(answer)),)
    except (ValueError, DataError):
        return None


def _same(one: Any, other: Any) -> bool:
    by = comparer("calibrated")
    if isinstance(one, str) and isinstance(other, str):
        return by.text(one.encode(), other.encode()).method is not None
    return by.value(one, other).method is not None
