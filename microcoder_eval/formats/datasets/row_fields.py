"""Tests of inputs and outputs as APPS and its heirs write them, and what else their rows share.

    {"inputs": [...], "outputs": [...], "fn_name": ...}     two lists
    {"input": [...], "output": [...]}                       the same, as columns of a table
    [{"input": ..., "output": ...}, ...]                    one object a test

Source: hendrycks/apps (README, eval/testing_util.py) and FlagOpen/TACO, whose judge does the same.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping, Sequence
from typing import Any

from microcoder_eval.errors import DataError
from microcoder_eval.formats import jsontext, words
from microcoder_sandbox import codec

_CLASS_SOLUTION = re.compile(r"^class\s+Solution\b", re.MULTILINE)
_LIST_OF = re.compile(r"(?:typing\.)?(List|list|Optional)\s*\[\s*")


def object_in(row: Mapping[str, Any], key: str) -> Any:
    """The value under ``key``, read as JSON where it is text. Raises DataError."""
    value = row.get(key)
    if not isinstance(value, str):
        return value
    try:
        return jsontext.parse_text(value)
    except json.JSONDecodeError as error:
        raise DataError(f'"{key}" does not hold JSON ({error.msg})') from None


def text_in(row: Mapping[str, Any], key: str) -> str:
    """The text under ``key``. Raises DataError where there is none."""
    value = row.get(key)
    if isinstance(value, str) and value.strip():
        return value
    raise DataError(
        f'"{key}" must be text that is not empty, not {words.described(value)} '
        f"({words.keys_of(row)})"
    )


def pairs(held: Any, where: str, keys: tuple[str, str] = ("input", "output")) -> list[Any]:
    """One object a test, from a list of them or from two lists. Raises DataError."""
    if isinstance(held, list):
        return held
    if not isinstance(held, Mapping):
        raise DataError(f"{where} must hold tests, not {words.described(held)}")
    inputs, outputs = (held.get(key) for key in keys)
    if not isinstance(inputs, list) or not isinstance(outputs, list):
        named = " and ".join(f'"{key}"' for key in keys)
        raise DataError(f"{where} needs lists in {named} ({words.keys_of(held)})")
    if len(inputs) != len(outputs):
        raise DataError(f"{where} has {len(inputs)} inputs and {len(outputs)} outputs")
    return [{"input": i, "output": o} for i, o in zip(inputs, outputs, strict=True)]


def tests_of(held: Any, starter: Any, where: str) -> dict[str, Any]:
    """kind, tests and entry_point of {"inputs", "outputs", "fn_name"}. Raises DataError."""
    if not isinstance(held, Mapping):
        raise DataError(f"{where} must hold an object, not {words.described(held)}")
    return asked(pairs(held, where, ("inputs", "outputs")), held.get("fn_name"), starter, where)


def asked(tests: Sequence[Any], function: Any, starter: Any, where: str) -> dict[str, Any]:
    """kind, tests and entry_point of tests each with "input" and "output". Raises DataError.

    function: what they call; None or empty: they are texts for standard input and output.
    """
    for number, test in enumerate(tests, start=1):
        if not isinstance(test, Mapping) or "input" not in test or "output" not in test:
            raise DataError(
                f'{where}: test {number} needs "input" and "output" ({words.keys_of(test)})'
            )
    if not function:
        return {
            "kind": "stdin",
            "tests": [{"input": lines(t["input"]), "output": lines(t["output"])} for t in tests],
        }
    if not isinstance(function, str):
        told = words.described(function)
        raise DataError(f"{where}: the function's name must be text, not {told}")
    starter = starter if isinstance(starter, str) else ""
    in_class = "." not in function and _CLASS_SOLUTION.search(starter)
    return {
        "kind": "call",
        "entry_point": f"Solution.{function}" if in_class else function,
        "tests": _calls(tests, _depth_of_result(starter, function)),
    }


def lines(value: Any) -> Any:
    """Text of standard input or output: as it is, or a list of lines."""
    if isinstance(value, list) and all(isinstance(line, str) for line in value):
        return "".join(line if line.endswith("\n") else f"{line}\n" for line in value)
    return value


def _calls(tests: Sequence[Any], depth: int | None) -> list[dict[str, Any]]:
    """Text holds one JSON value a line, as in LiveCodeBench. Anything else is the value itself,
    but for what the judges of these sets do to it: they take an expected list of one for what is
    in it, and read the keys of the first argument and of the result as integers where they can."""
    outputs = [t["output"] for t in tests if not isinstance(t["input"], str)]
    wrapped = _wrapped(outputs, depth)
    calls: list[dict[str, Any]] = []
    for number, test in enumerate(tests, start=1):
        given, expected = test["input"], test["output"]
        try:
            if isinstance(given, str):
                given = [jsontext.parse_text(line) for line in given.split("\n") if line.strip()]
                expected = jsontext.parse_text(expected) if isinstance(expected, str) else expected
            else:
                if isinstance(given, list) and given:
                    given = [_integer_keys(given[0]), *given[1:]]
                expected = _integer_keys(expected[0] if wrapped else expected)
            # As values: data that looks like one of our tags must not be taken for one.
            calls.append({"input": codec.to_json(given), "output": codec.to_json(expected)})
        except json.JSONDecodeError as error:
            raise DataError(
                f"test {number} must hold one JSON value a line ({error.msg}: "
                f'"{words.brief(error.doc, 40)}")'
            ) from None
        except codec.NotEncodableError as error:
            raise DataError(f"test {number}: {error}") from None
    return calls


def _wrapped(outputs: Sequence[Any], depth: int | None) -> bool:
    """Whether expected values stand in a list of one: all do, and the result is no such list."""
    if not outputs or not all(isinstance(value, list) and len(value) == 1 for value in outputs):
        return False
    return depth is None or min(map(_depth, outputs)) > depth


def _depth(value: Any) -> int:
    depth = 0
    while isinstance(value, list):
        depth += 1
        value = value[0] if value else None
    return depth


def _depth_of_result(starter: str, function: str) -> int | None:
    """How many lists deep the starter code says the result is; None: it does not say."""
    name = re.escape(function.rpartition(".")[2])
    found = re.search(rf"def\s+{name}\s*\([^)]*\)\s*->\s*([^:\n]+):", starter)
    if found is None:
        return None
    depth, left = 0, found[1].strip()
    while opened := _LIST_OF.match(left):
        depth += opened[1] != "Optional"
        left = left[opened.end() :]
    return depth + (left in ("List", "list"))


def _integer_keys(value: Any) -> Any:
    if not isinstance(value, dict) or not value:
        return value
    try:
        return {int(key): item for key, item in value.items()}
    except ValueError:
        return value


def programs(value: Any, verdict: str = "AC") -> list[dict[str, Any]]:
    """Reference solutions: programs in a list, also as JSON text, or one program."""
    if isinstance(value, str):
        try:
            value = jsontext.parse_text(value)
        except json.JSONDecodeError:
            value = [value]
    if not isinstance(value, list):
        return []
    return [
        {"code": code, "verdict": verdict}
        for code in value
        if isinstance(code, str) and code.strip()
    ]


def name_of(row: Mapping[str, Any], keys: tuple[str, ...], prefix: str, statement: Any) -> str:
    """The problem's name: the first of ``keys`` that has one, else made from its statement.

    Not from its place in the file: solutions would be judged against another problem, unnoticed,
    as soon as a line is added or dropped. Raises DataError where neither can serve.
    """
    for key in keys:
        value = row.get(key)
        if isinstance(value, str) and value:
            return value
        if isinstance(value, int) and not isinstance(value, bool) and value.bit_length() < 64:
            return str(value)
    try:
        text = statement if isinstance(statement, str) else json.dumps(statement, sort_keys=True)
    except (ValueError, TypeError, RecursionError) as error:
        raise DataError(f"neither a name nor a statement to make one from: {error}") from None
    return f"{prefix}/{hashlib.sha256(text.encode('utf-8', 'surrogatepass')).hexdigest()[:16]}"


def rest(row: Mapping[str, Any], used: set[str]) -> dict[str, Any]:
    """What is carried along."""
    return {key: value for key, value in row.items() if key not in used}


def optional_text(value: Any) -> str | None:
    """Text that says something, or None."""
    return value if isinstance(value, str) and value.strip() else None
