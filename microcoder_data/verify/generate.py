"""Generates missing expected outputs with right programs that agree."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from contextlib import suppress
from typing import Any

from microcoder_data.rows import Row, get_kind
from microcoder_eval.audit.runner import Runner
from microcoder_eval.compare import make_comparer
from microcoder_eval.conversion import normalize_newlines
from microcoder_eval.errors import DataError
from microcoder_eval.records import Limits, Solution
from microcoder_sandbox import codec

CALL_PREAMBLE = (
    "from typing import *\nfrom collections import *\nfrom heapq import *\nfrom bisect import *\n"
    "from itertools import *\nfrom functools import *\nfrom math import inf, gcd, sqrt\n"
)
# Arguments and the result are encoded as the typed codec does. The result follows a marker, since
# the program may print before.
_CALL_ENCODER = """

def _microcoder_encode_call(names, entry, arguments):
    import math
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
    owner, _, name = entry.rpartition(".")
    if not owner and hasattr(names.get("Solution"), name):
        owner = "Solution"  # a bare name also names a method
    target = getattr(names[owner](), name) if owner else names[name]
    return encode(target(*decode(arguments)))
"""
_CALL = """
import json as _microcoder_json, sys as _microcoder_sys
print("\\n\\x1eanswer " + _microcoder_json.dumps(_microcoder_encode_call(
    globals(), ENTRY, _microcoder_json.loads(_microcoder_sys.stdin.read()))))
"""


def make_call_encoder() -> str:
    """Code of ``_microcoder_encode_call(names, entry, arguments)``: the encoded result of a call,
    where names are the globals of a program."""
    return _CALL_ENCODER


def generate_output(
    runner: Runner,
    row: Row,
    input_value: Any,
    programs: Sequence[Solution],
    limits: Limits,
    agreeing: int,
) -> tuple[Any, str | None]:
    """Return (the output for one input, None), or (None, the reason why there is none).

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
    stdout = runner.run_program(
        f"{CALL_PREAMBLE}{code}{_CALL_ENCODER}{call}", json.dumps(input_value), limits
    )
    _, marker, answer = (stdout or "").rpartition("\n\x1eanswer ")
    if marker:
        with suppress(ValueError, DataError):
            yield codec.from_json(json.loads(answer))


def are_same(first: Any, second: Any) -> bool:
    comparison = make_comparer("calibrated")
    if isinstance(first, str) and isinstance(second, str):
        return comparison.compare_text(first.encode(), second.encode()).method is not None
    return comparison.compare_value(first, second).method is not None
