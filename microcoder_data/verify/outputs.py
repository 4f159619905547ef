"""Makes the outputs of a program for many inputs in few runs, and missing expected outputs.

One run for each input would take most of the time, since many programs import large modules. The
outputs of one process for several inputs may depend on their order. So an output counts only after
the judge has run the unchanged program on that input alone.
"""

from __future__ import annotations

import inspect
import json
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any

from microcoder_data.rows import Row, get_kind
from microcoder_eval.audit.trials import Runner
from microcoder_eval.compare import Comparer, make_comparer
from microcoder_eval.conversion import normalize_newlines
from microcoder_eval.records import Limits, Solution
from microcoder_sandbox import codec, program_names

_OUTPUT_MB = 64.0
_PIPE_BYTES = 1 << 16
_AT_ONCE = 64  # inputs of one process
_AT_ONCE_FACTOR = 2  # times the limit of one input, for all inputs of a process
_MAX_FAILURES = 5  # inputs on which a process does not end; most of the others may be as slow
_DRIVER = """
import io, json, os, sys, {modules}
entry, inputs, stdout = {entry!r}, json.load(sys.stdin), sys.stdout
code, codec, start = compile({source!r}, "<program>", "exec"), {{}}, {{"__name__": "__main__"}}
exec({codec!r}, codec)
if entry:
    exec({names!r}, names := {{}})
    start["__builtins__"] = names["gather_names"]()[0]

def feed(text):
    output, input = os.pipe()  # for programs that read open(0): long texts have a run each
    os.set_blocking(input, False)
    os.write(input, text.encode())
    os.close(input)
    if output:  # it is 0 where the last program has closed that
        os.dup2(output, 0)
        os.close(output)
    sys.stdin = io.TextIOWrapper(io.BytesIO(text.encode()))

def call(names, arguments):
    owner, _, name = entry.rpartition(".")
    if not owner and hasattr(names.get("Solution"), name):
        owner = "Solution"  # a bare name also names a method
    target = getattr(names[owner](), name) if owner else names[name]
    return codec["to_json"](target(*codec["from_json"](arguments)))

for value in inputs:
    names, output, has_ended = dict(start), None, False
    sys.stdout = io.TextIOWrapper(io.BytesIO())
    try:
        if not entry:
            feed(value)
        exec(code, names)
        output = call(names, value) if entry else None
        has_ended = True
    except SystemExit as end:
        has_ended = not entry and not end.code
    except BaseException:
        pass
    if has_ended and not entry:
        sys.stdout.flush()
        output = sys.stdout.buffer.getvalue().decode("utf-8", "replace")
    visits = list(names.get("_microcoder_visits", {{}}).items())
    print("\\n" + {mark!r} + json.dumps((output, has_ended, visits)), file=stdout, flush=True)
"""
_MARK = "\x1eanswer "  # of a line that the driver writes


@dataclass(frozen=True, slots=True)
class Output:
    """A program's output for an input. value: in the form that a row holds.

    has_ended: whether the program ended without an error; otherwise there is no value. visits:
    (place in the program, bit length of how often it was entered), for a program that counts its
    steps.
    """

    value: Any = None
    has_ended: bool = False
    visits: frozenset[tuple[int, int]] = frozenset()


def make_outputs(
    runner: Runner, row: Row, program: Solution, inputs: Sequence[Any], limits: Limits
) -> list[Output]:
    """Return the output of each input. limits: of one input. Raises JudgeError."""
    limits = replace(limits, output_mb=_OUTPUT_MB)
    is_text = get_kind(row) == "stdin"
    code = _DRIVER.format(
        source=program.code or "",
        entry=None if is_text else str(row.get("entry_point", "")).replace("()", ""),
        codec=inspect.getsource(codec),
        names=inspect.getsource(program_names),
        modules=", ".join(program_names.SOURCES),
        mark=_MARK,
    )

    def run_alone(text: str) -> Output:
        stdout = runner.run_program(program.code or "", text, limits, program.language)
        return Output(stdout, has_ended=stdout is not None)

    batch_limits = replace(limits, time_s=(limits.time_s or 1.0) * _AT_ONCE_FACTOR)
    failures = 0

    def run_together(values: Sequence[Any]) -> list[Output]:
        """Return the outputs of one process. If it does not end, the next begins with the input at
        which it stopped; if this is the first, the input has no output."""
        nonlocal failures
        outputs: list[Output] = []
        while len(outputs) < len(values) and failures < _MAX_FAILURES:
            rest = values[len(outputs) :]
            outcome = runner.judge.run(code, json.dumps(rest), batch_limits)
            answers = _read_outputs(outcome.stdout)[: len(rest)]
            failures += not answers
            outputs += answers or [Output()]
        return outputs + [Output()] * (len(values) - len(outputs))

    outputs: dict[int, Output] = {}
    places = []
    for place, value in enumerate(inputs):
        if is_text and (program.language != "python" or len(value.encode()) >= _PIPE_BYTES):
            outputs[place] = run_alone(normalize_newlines(value))
        else:
            places.append(place)
    for start in range(0, len(places), _AT_ONCE):
        part = places[start : start + _AT_ONCE]
        values = [inputs[place] for place in part]
        together = run_together(list(map(normalize_newlines, values)) if is_text else values)
        outputs |= zip(part, together, strict=True)
    return [outputs[place] for place in range(len(inputs))]


def _read_outputs(stdout: str) -> list[Output]:
    """Return the outputs that a driver wrote before it ended."""
    outputs = []
    for line in stdout.split("\n"):
        # The program may write such a line, too.
        with suppress(ValueError, TypeError, OverflowError, RecursionError):
            if line.startswith(_MARK):
                value, has_ended, pairs = json.loads(line.removeprefix(_MARK))
                visits = frozenset((int(place), int(count).bit_length()) for place, count in pairs)
                outputs.append(Output(value, bool(has_ended), visits))
    return outputs


def _agree(comparer: Comparer, row: Row, expected: Any, value: Any) -> bool:
    """Whether two outputs, as a row of this kind holds them, are the same answer. Blanks matter in
    a text that a call returns, as they do to the judge."""
    if get_kind(row) == "stdin":
        return comparer.compare_text(value.encode(), expected.encode()).method is not None
    pair = codec.from_json(value), codec.from_json(expected)
    return comparer.compare_value(*pair).method is not None


def generate_outputs(
    runner: Runner,
    row: Row,
    inputs: Sequence[Any],
    programs: Sequence[Solution],
    limits: Limits,
    agreeing: int,
) -> tuple[list[Any], tuple[int, str] | None]:
    """Return (the expected outputs, None), or the place of an input that has none, and why.

    programs: right ones. ``agreeing`` of them must succeed, and all that succeed must agree.
    """
    outputs = [make_outputs(runner, row, program, inputs, limits) for program in programs]
    comparer = make_comparer("calibrated")
    answers = []
    for place in range(len(inputs)):
        values = [of_program[place].value for of_program in outputs if of_program[place].has_ended]
        if len(values) < agreeing:
            return [], (place, f"{len(values)} right programs succeed, {agreeing} must")
        for other in values[1:]:
            if not _agree(comparer, row, values[0], other):
                reason = f"right programs disagree: {values[0]!r:.60} and {other!r:.60}"
                return [], (place, reason)
        answers.append(values[0])
    return answers, None
