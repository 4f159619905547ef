"""Generates missing expected outputs with right programs that agree."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from contextlib import suppress
from typing import Any

from microcoder_data.rows import Row, get_kind
from microcoder_eval.compare import make_comparer
from microcoder_eval.conversion import normalize_newlines
from microcoder_eval.errors import DataError
from microcoder_eval.records import Limits, Solution
from microcoder_sandbox import codec

from .runner import Runner

_PREAMBLE = (
    "from typing import *\nfrom collections import *\nfrom heapq import *\nfrom bisect import *\n"
    "from itertools import *\nfrom functools import *\nfrom math import inf, gcd, sqrt\n"
)
# Arguments and the result are encoded as the typed codec does. The result follows a marker, since
# the program may print before.
_CALL = """

def _microcoder_call(entry):
    import json, math, sys
    def encode(v):
        if v is None or type(v) in (bool, int, str): return v
        if type(v) is float:
            return v if math.isfinite(v) else {"$float": str(v)}
        if type(v) is list: return [encode(i) for i in v]
        if type(v) is tuple: return {"$tuple": [encode(i) for i in v]}
        if type(v) in (set, frozenset):
            return {"$" + type(v).__name__: sorted(map(encode, v), key=repr)}
        if type(v) is dict:
            if all(type(k) is str and not k.startswith("$") for k in v):
                return {k: encode(i) for k, i in v.items()}
            return {"$dict": [[encode(k), encode(i)] for k, i in v.items()]}
        raise TypeError("no plain form: " + type(v).__name__)
    def decode(v):
        if type(v) is list: return [decode(i) for i in v]
        if type(v) is not dict: return v
        if len(v) == 1:
            (tag, inner), = v.items()
            if tag == "$tuple": return tuple(decode(inner))
            if tag == "$set": return set(decode(inner))
            if tag == "$frozenset": return frozenset(decode(inner))
            if tag == "$float": return float(inner)
            if tag == "$int": return int(inner, 16)
            if tag == "$dict": return {decode(k): decode(i) for k, i in inner}
        return {k: decode(i) for k, i in v.items()}
    arguments = decode(json.loads(sys.stdin.read()))
    owner, _, name = entry.rpartition(".")
    if not owner and name not in globals():
        owner = "Solution"  # a bare name also names a method, as the judge reads it
    target = getattr(globals()[owner](), name) if owner else globals()[name]
    print("\\n\\x1eanswer " + json.dumps(encode(target(*arguments))))

_microcoder_call(ENTRY)
"""


def generate_output(
    runner: Runner,
    row: Row,
    input_value: Any,
    programs: Sequence[Solution],
    limits: Limits,
    agreeing: int,
) -> tuple[Any, str | None]:
    """(the output for one input, None), or (None, why there is none).

    programs: right ones. ``agreeing`` of them must succeed, and all that succeed must agree. The
    output has the form that a row holds: text, or a value as the codec encodes it.
    """
    outputs: list[Any] = []
    for program in programs:
        outputs.extend(run_reference(runner, row, input_value, program, limits))
    if len(outputs) < agreeing:
        return None, f"{len(outputs)} right programs succeed, {agreeing} must"
    for other in outputs[1:]:
        if not are_same(outputs[0], other):
            return None, f"right programs disagree: {outputs[0]!r:.60} and {other!r:.60}"
    return (outputs[0] if get_kind(row) == "stdin" else codec.to_json(outputs[0])), None


def run_reference(
    runner: Runner, row: Row, input_value: Any, program: Solution, limits: Limits
) -> Iterator[Any]:
    """Yield the output of a right program; nothing where it fails."""
    code = program.code
    if code is None:
        return
    if get_kind(row) == "stdin":
        stdout = runner.run_program(code, normalize_newlines(input_value), limits, program.language)
        if stdout is not None:
            yield stdout
        return
    call = _CALL.replace("ENTRY", repr(str(row.get("entry_point", "")).replace("()", "")))
    stdout = runner.run_program(f"{_PREAMBLE}{code}{call}", json.dumps(input_value), limits)
    _, marker, answer = (stdout or "").rpartition("\n\x1eanswer ")
    if marker:
        with suppress(ValueError, DataError):
            yield codec.from_json(json.loads(answer))


def are_same(first: Any, second: Any) -> bool:
    comparison = make_comparer("calibrated")
    if isinstance(first, str) and isinstance(second, str):
        return comparison.compare_text(first.encode(), second.encode()).method is not None
    return comparison.compare_value(first, second).method is not None
