"""Makes the outputs of many inputs in one run of a right program, and knows strange ones.

A run for each input would cost most of the time of the stage, since many programs import much.
What one process gives for several inputs may depend on their order, so nobody believes it: each
output counts only after the judge has run the unchanged program on its input alone.
"""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from microcoder_data.rows import Row, get_kind
from microcoder_data.verify.generate import CALL_PREAMBLE, make_call_encoder
from microcoder_eval.audit.runner import Runner
from microcoder_eval.records import Limits, Solution

_OUTPUT_MB = 64.0
_PIPE_BYTES = 1 << 16
_AT_ONCE = 16  # inputs of a process: all of them lose their outputs where one takes too long
_MAX_NAMED = 4  # different words (negative numbers) up to which an answer must be one of them
_TEXT_DRIVER = """
import io, json, os, sys
_source, _inputs, _outputs = {source!r}, json.load(sys.stdin), []
_stdout = sys.stdout
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
    _names = {{"__name__": "__main__"}}
    try:
        exec(compile(_source, "<program>", "exec"), _names)
        _ok = True
    except SystemExit as _end:
        _ok = not _end.code
    except BaseException:
        _ok = False
    sys.stdout.flush()
    _output = sys.stdout.buffer.getvalue().decode("utf-8", "replace") if _ok else None
    _outputs.append((_output, list(_names.get("_microcoder_visits", {{}}).items())))
sys.stdout = _stdout
print("\\x1eanswers " + json.dumps(_outputs))
"""
_CALL_DRIVER = """
{preamble}
import io as _io, json as _json, sys as _sys
_source, _inputs, _outputs = {source!r}, _json.load(_sys.stdin), []
_stdout, _sys.stdout = _sys.stdout, _io.StringIO()
for _arguments in _inputs:
    _output, _names = None, dict(globals())
    try:
        exec(compile(_source, "<program>", "exec"), _names)
        _output = _microcoder_encode_call(_names, {entry!r}, _arguments)
    except BaseException:
        pass
    _outputs.append((_output, list(_names.get("_microcoder_visits", {{}}).items())))
_sys.stdout = _stdout
print("\\x1eanswers " + _json.dumps(_outputs))
"""


@dataclass(frozen=True, slots=True)
class Output:
    """What a program makes of an input. value: in the form that a row holds; None: it failed.

    visits: (place in the program, how often it was entered, as a number of bits), of a program that
    counts them.
    """

    value: Any = None
    visits: frozenset[tuple[int, int]] = frozenset()


def make_outputs(
    runner: Runner, row: Row, program: Solution, inputs: Sequence[Any], limits: Limits
) -> list[Output]:
    """Return the output of each input. limits: of one input. Raises JudgeError."""
    limits = replace(limits, output_mb=_OUTPUT_MB)
    is_text = get_kind(row) == "stdin"
    is_long = [is_text and len(value.encode()) >= _PIPE_BYTES for value in inputs]
    outputs = [
        Output(runner.run_program(program.code or "", value, limits)) if is_alone else Output()
        for value, is_alone in zip(inputs, is_long, strict=True)
    ]
    if is_text:
        code = _TEXT_DRIVER.format(source=program.code)
    else:
        entry = str(row.get("entry_point", "")).replace("()", "")
        preamble = CALL_PREAMBLE + make_call_encoder()
        code = _CALL_DRIVER.format(preamble=preamble, source=program.code, entry=entry)
    limits = replace(limits, time_s=(limits.time_s or 1.0) * 3)
    places = [place for place, is_alone in enumerate(is_long) if not is_alone]
    for start in range(0, len(places), _AT_ONCE):
        part = places[start : start + _AT_ONCE]
        stdin = json.dumps([inputs[place] for place in part])
        answers = _read_outputs(runner.run_program(code, stdin, limits) or "")
        for place, answer in zip(part, answers, strict=False):
            outputs[place] = answer
    return outputs


def _read_outputs(stdout: str) -> list[Output]:
    """Return what a driver wrote; nothing where it did not end."""
    _, marker, answers = stdout.rpartition("\x1eanswers ")
    try:
        return [
            Output(
                value, frozenset((int(place), int(count).bit_length()) for place, count in pairs)
            )
            for value, pairs in (json.loads(answers) if marker else ())
        ]
    except (ValueError, TypeError):
        return []


class AnswerKinds:
    """The kinds of value that occur in answers: of texts token by token, else in nested lists.

    A right program that is given an input which the statement rules out often falls through to an
    answer that it never gives otherwise: -1, inf, nothing. Answers of such kinds are not believed.
    """

    def __init__(self, answers: Iterable[Any]) -> None:
        """Learn from the answers of tests."""
        kinds = {kind for answer in answers for kind in _list_kinds(answer)}
        counts = Counter(name for name, value in kinds if value)
        self._kinds = kinds
        self._free = {name for name, count in counts.items() if count > _MAX_NAMED}

    def include(self, answer: Any) -> bool:
        """Whether an answer has kinds of value that are known."""
        return all(kind in self._kinds or kind[0] in self._free for kind in _list_kinds(answer))


def _list_kinds(answer: Any) -> Iterator[tuple[str, str]]:
    """(kind, value) of each value; the value is "" but for words and negative numbers, of which
    few may stand for "impossible"."""
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
