"""Damage that tests, limits and starter code show by themselves, without any program."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any

from microcoder_eval.data.reasons import Found
from microcoder_eval.data.rows import Row, kind_of, tests_of, text_of
from microcoder_eval.data.syntax import parsed

from .examples import Example

# "1 2 3 ..." where nothing else in the text has dots in a row: cut for display.
_CUT = re.compile(
    r"[\w,] ?(?:\.{3}|…)\s*\Z|\[(?:\.{3}|truncated)\]\s*\Z|<truncated>|"
    r"\.{3} ?\(\d+ more\b"
)
_DOTS = re.compile(r"\.{2,}|…")
_CRASHED = re.compile(
    r"Traceback \(most recent call last\)|\bSegmentation fault\b|\bcore dumped\b|"
    r"\A\s*(?:(?:Time|Memory|Output) Limit Exceeded|Runtime Error|Internal Error)\s*\Z|"
    r"<[\w. <>]+ at 0x[0-9a-f]+>",
    re.IGNORECASE,
)
_UNPRINTABLE = re.compile(r"[\x00-\x08\x0e-\x19\x1b-\x1f\x7f\ufeff]")  # \x1a ends files of DOS
_FILE_NAME = re.compile(r"\s*\S*[\w-]\.(?:in|out|ans|txt|dat|inp|input|output)\s*")
_FEW = 3  # tests from which they show a habit
_MOST_SECONDS, _MOST_MB = 300, 64 * 1024  # more is milliseconds, or bytes
# What may follow starter code: a body, or the rest of its last line.
_ENDS = ("", "\n pass", "\n    pass", "\n        pass", "0", " 0)", " 0]", "0}")


def look(row: Row, statement: str, examples: Sequence[Example]) -> Iterator[Found]:
    """Everything damaged in a problem that the judge can read. statement: in clean form."""
    kind, tests = kind_of(row), [one for one in tests_of(row) if "input" in one]
    if kind != "assert" and (why := _damaged(tests, statement)) is not None:
        yield Found("damaged_test", why)
    if (
        kind == "stdin"
        and _answers_stand_in(tests)
        and not _answers_stand_in(
            [{"input": one.input, "output": one.output} for one in examples], 1
        )
    ):
        yield Found("answer_in_input", "the last lines of every input are its expected output")
    types = {_type_of(one["output"]) for one in tests if "output" in one} - {None}
    if kind == "call" and len(types) > 1:
        yield Found("mixed_outputs", " and ".join(sorted(map(str, types))))
    yield from _limits(row)
    starter = text_of(row, "starter_code")
    if starter.strip() and not _is_python(starter):
        yield Found("broken_starter", "no Python begins like the starter code")


def _damaged(tests: Sequence[Row], statement: str) -> str | None:
    """Why a test cannot be what it was, or None."""
    names = sum(isinstance(one["input"], str) and bool(_FILE_NAME.fullmatch(one["input"]))
                for one in tests)  # fmt: skip
    if names == len(tests) >= _FEW:
        return f"the inputs are names of files, such as {tests[0]['input'].strip()!r:.40}"
    cut = [number for number, one in enumerate(tests, 1) if any(map(_is_cut, _texts(one)))]
    dotted = sum(any(map(_DOTS.search, _texts(one))) for one in tests)
    if cut and dotted <= len(tests) / 2:
        return f"test {cut[0]} ends in dots: it was cut for display"
    for number, one in enumerate(tests, 1):
        found = _CRASHED.search(str(one.get("output")))
        if found and found[0].strip().lower() not in statement.lower():
            return f"test {number} expects {found[0].strip()!r:.50}"
        if isinstance(one["input"], str) and (found := _UNPRINTABLE.search(one["input"])):
            return f"the input of test {number} has the character {found[0]!r}"
    return None


def _texts(test: Row) -> list[str]:
    return [value for key in ("input", "output") if isinstance(value := test.get(key), str)]


def _is_cut(text: str) -> bool:
    return bool(_CUT.search(text)) and len(_DOTS.findall(text)) <= 1


def _answers_stand_in(tests: Sequence[Row], least: int = _FEW) -> bool:
    """Whether each input ends with the lines of its expected output, and not all are the same."""
    if len(tests) < least or len({str(one.get("output")) for one in tests}) < min(least, 2):
        return False
    return all(_ends_with(_lines(one["input"]), _lines(one.get("output"))) for one in tests)


def _lines(value: Any) -> list[str]:
    return [" ".join(line.split()) for line in str(value).strip().split("\n")]


def _ends_with(lines: list[str], answer: list[str]) -> bool:
    return len(lines) > len(answer) and lines[-len(answer) :] == answer and any(answer)


def _type_of(value: Any) -> str | None:
    """What could not well be meant beside another: text or number; None for anything else."""
    if isinstance(value, str):
        return "text"
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    return "a number" if is_number else None


def _limits(row: Row) -> Iterator[Found]:
    limits = row.get("limits")
    if not isinstance(limits, dict):
        return
    for key, most, told in (
        ("time_s", _MOST_SECONDS, "milliseconds"),
        ("memory_mb", _MOST_MB, "bytes"),
    ):
        value = limits.get(key)
        if isinstance(value, int | float) and value > most:
            yield Found("implausible_limits", f"{key} is {value:g}, as if in {told}")


def _is_python(code: str) -> bool:
    """Whether it is the start of a Python program."""
    return any(
        parsed((code.rstrip() if end.startswith("\n") else code) + end) is not None for end in _ENDS
    )
