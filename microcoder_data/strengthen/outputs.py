"""Makes the outputs of many inputs in one run of a right program, and recognises strange outputs.

One run for each input would take most of the stage's time, since many programs import large
modules. The outputs of one process for several inputs may depend on their order. So an output
counts only after the judge has run the unchanged program on that input alone.
"""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from microcoder_data.rows import Row, get_kind
from microcoder_data.verify.generate import CALL_PREAMBLE, make_call_encoder
from microcoder_data.verify.steps import OUT_OF_STEPS
from microcoder_eval.audit.runner import Runner
from microcoder_eval.compare import Comparer, make_comparer
from microcoder_eval.records import Limits, Solution
from microcoder_sandbox import codec

_OUTPUT_MB = 64.0
_PIPE_BYTES = 1 << 16
_AT_ONCE = 64  # inputs of one process; if it does not end, each half gets its own process
# If answers have at most this many different words (negative numbers), others are strange.
_MAX_NAMED = 4
_TEXT_DRIVER = """
import io, json, os, sys
_source, _inputs, _outputs = {source!r}, json.load(sys.stdin), []
_stdout, _code = sys.stdout, compile(_source, "<program>", "exec")
for _text in _inputs:
    _out, _in = os.pipe()  # for programs that read open(0): long texts have a run each
    os.set_blocking(_in, False)
    os.write(_in, _text.encode())
    os.close(_in)
    if _out:  # it is 0 where the last program has closed that
        os.dup2(_out, 0)
        os.close(_out)
    sys.stdin = io.TextIOWrapper(io.BytesIO(_text.encode()))
    sys.stdout = io.TextIOWrapper(io.BytesIO())
    _names, _ok = {{"__name__": "__main__"}}, False
    try:
        exec(_code, _names)
        _ok = True
    except SystemExit as _end:
        _ok = None if _end.code == {spent!r} else not _end.code
    except BaseException:
        pass
    sys.stdout.flush()
    _output = sys.stdout.buffer.getvalue().decode("utf-8", "replace") if _ok else None
    _outputs.append((_output, list(_names.get("_microcoder_visits", {{}}).items()), _ok is None))
sys.stdout = _stdout
print("\\x1eanswers " + json.dumps(_outputs))
"""
_CALL_DRIVER = """
{preamble}
import io as _io, json as _json, sys as _sys
_source, _inputs, _outputs = {source!r}, _json.load(_sys.stdin), []
_stdout, _sys.stdout = _sys.stdout, _io.StringIO()
_code = compile(_source, "<program>", "exec")
for _arguments in _inputs:
    _output, _names, _spent = [], dict(globals()), False
    try:
        exec(_code, _names)
        _output.append(_microcoder_encode_call(_names, {entry!r}, _arguments))
    except SystemExit as _end:
        _spent = _end.code == {spent!r}
    except BaseException:
        pass
    _visits = list(_names.get("_microcoder_visits", {{}}).items())
    _outputs.append((_output[0] if _output else None, _visits, _spent))
_sys.stdout = _stdout
print("\\x1eanswers " + _json.dumps(_outputs))
"""


@dataclass(frozen=True, slots=True)
class Output:
    """A program's output for an input. value: in the form that a row holds; None if the program
    failed.

    visits: (place in the program, bit length of how often it was entered), for a program that
    counts visits. is_spent: whether it ran out of steps or its process did not end.
    """

    value: Any = None
    visits: frozenset[tuple[int, int]] = frozenset()
    is_spent: bool = False


def make_outputs(
    runner: Runner, row: Row, program: Solution, inputs: Sequence[Any], limits: Limits
) -> list[Output]:
    """Return the output of each input. limits: of one input. Raises JudgeError."""
    limits = replace(limits, output_mb=_OUTPUT_MB)
    is_text = get_kind(row) == "stdin"
    if is_text:
        code = _TEXT_DRIVER.format(source=program.code, spent=OUT_OF_STEPS)
    else:
        entry = str(row.get("entry_point", "")).replace("()", "")
        preamble = CALL_PREAMBLE + make_call_encoder()
        arguments = {"source": program.code, "entry": entry, "spent": OUT_OF_STEPS}
        code = _CALL_DRIVER.format(preamble=preamble, **arguments)

    def run_together(values: Sequence[Any]) -> list[Output]:
        """Return the outputs of one process. If it does not end, run each half of the inputs in its
        own."""
        batch_limits = replace(limits, time_s=(limits.time_s or 1.0) * 3)
        answers = _read_outputs(runner.run_program(code, json.dumps(values), batch_limits) or "")
        if len(answers) == len(values):
            return answers
        half = len(values) // 2
        if not half:
            return [Output(is_spent=True)]
        return [*run_together(values[:half]), *run_together(values[half:])]

    outputs: dict[int, Output] = {}
    places = []
    for place, value in enumerate(inputs):
        if is_text and len(value.encode()) >= _PIPE_BYTES:
            stdout = runner.run_program(program.code or "", value, limits)
            outputs[place] = Output(stdout, is_spent=stdout is None)
        else:
            places.append(place)
    for start in range(0, len(places), _AT_ONCE):
        part = places[start : start + _AT_ONCE]
        outputs |= zip(part, run_together([inputs[place] for place in part]), strict=True)
    return [outputs[place] for place in range(len(inputs))]


def _read_outputs(stdout: str) -> list[Output]:
    """Return the outputs that a driver wrote; an empty list if the driver did not end."""
    _, marker, answers = stdout.rpartition("\x1eanswers ")
    try:
        return [
            Output(
                value,
                frozenset((int(place), int(count).bit_length()) for place, count in pairs),
                bool(is_spent),
            )
            for value, pairs, is_spent in (json.loads(answers) if marker else ())
        ]
    except (ValueError, TypeError):
        return []


def find_kills(
    runner: Runner,
    row: Row,
    program: Solution,
    tests: Sequence[Mapping[str, Any]],
    limits: Limits,
) -> set[int]:
    """Return the tests on which a program crashes or gives a wrong answer.

    Running out of steps is no kill, since it depends on more than the program. If the problem's
    checker is a program, it does not run: then only crashes count.
    """
    checker = row.get("checker") or "calibrated"
    has_program = isinstance(checker, Mapping) and "name" not in checker
    comparer = make_comparer("calibrated" if has_program else checker)
    outputs = make_outputs(runner, row, program, [test["input"] for test in tests], limits)
    return {
        place
        for place, (test, output) in enumerate(zip(tests, outputs, strict=True))
        if not output.is_spent
        and (output.value is None or not (has_program or _agree(comparer, test, output.value)))
    }


def _agree(comparer: Comparer, test: Mapping[str, Any], value: Any) -> bool:
    expected = test["output"]
    if isinstance(test["input"], str):
        comparison = comparer.compare_text(str(value).encode(), str(expected).encode())
    else:
        comparison = comparer.compare_value(codec.from_json(value), codec.from_json(expected))
    return comparison.method is not None


class AnswerKinds:
    """The kinds of value that occur in answers: tokens of a text, or values in nested lists.

    On an input that the statement rules out, a right program often gives an answer that it never
    gives otherwise: -1, inf, nothing. Answers with such new kinds are not believed.
    """

    def __init__(self, answers: Iterable[Any]) -> None:
        """Learn from the answers of tests."""
        kinds = {kind for answer in answers for kind in _list_kinds(answer)}
        counts = Counter(name for name, value in kinds if value)
        self._kinds = kinds
        self._free = {name for name, count in counts.items() if count > _MAX_NAMED}

    def include(self, answer: Any) -> bool:
        """Whether all kinds of value in an answer are known."""
        return all(kind in self._kinds or kind[0] in self._free for kind in _list_kinds(answer))


def _list_kinds(answer: Any) -> Iterator[tuple[str, str]]:
    """Yield (kind, value) of each value. The value is "" except for words and negative numbers: a
    particular one of these may stand for "impossible"."""
    if isinstance(answer, str):
        tokens = answer.split()
        yield from map(_find_token_kind, tokens) if tokens else (("empty", ""),)
    elif isinstance(answer, list):
        yield from (kind for item in answer for kind in _list_kinds(item))
    elif isinstance(answer, float) and math.isfinite(answer):
        yield "decimal", ""
    elif isinstance(answer, int | float) and not isinstance(answer, bool):
        yield _find_token_kind(repr(answer))
    else:
        yield type(answer).__name__, ""


def _find_token_kind(token: str) -> tuple[str, str]:
    digits = token.removeprefix("-")
    if digits.isdigit():
        return ("negative", token) if token != digits else ("number", "")
    if digits.replace(".", "", 1).isdigit():
        return "decimal", ""
    return "word", token.lower()
