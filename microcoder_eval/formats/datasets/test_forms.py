"""Reads tests in the forms of APPS and of the sets made from it.

    {"inputs": [...], "outputs": [...], "fn_name": ...}     two lists
    {"input": [...], "output": [...]}                       the same, as columns of a table
    [{"input": ..., "output": ...}, ...]                    one object a test
        with "type": "stdin_stdout" | "function_call", "fn_name"   PrimeIntellect
        with "testtype": "stdin" | "functional", "metadata"        LiveCodeBench
    {"functional": ...}, ["assert ...", ...], test code         code instead of pairs
    {"test_code", "entry_point", "import_prefix"}               Skywork-OR1
    [{"assert_code": ...}, ...]                                 ROLL, with the other keys of Skywork

Source: hendrycks/apps (README, eval/testing_util.py) and FlagOpen/TACO, whose judge is the same;
PrimeIntellect, DeepCoder and rLLM; SkyworkAI/Skywork-OR1 (verl/utils/reward_score/livecodebench)
and alibaba/ROLL (roll/pipeline/rlvr/rewards), whose programs may use what "import_prefix" imports.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any

from microcoder_eval.errors import DataError
from microcoder_eval.formats import error_text, jsontext
from microcoder_sandbox import codec

from . import unread
from .format import Row
from .row_fields import collect_unused, get_first_object, parse_text, read_json

_CLASS_SOLUTION = re.compile(r"^class\s+Solution\b", re.MULTILINE)
_CASE_KEYS = frozenset({"type", "testtype", "fn_name"})
_LISTS = ("inputs", "outputs", "fn_name")
_TEST_CODES = ("functional", "assert_case", "pytest", "test_code")
_PROGRAM_KEYS = {"entry_point": "entry_point", "import_prefix": "starter_code"}  # beside test code
_TESTS_KEY = re.compile(r"(?i)(inputs?|outputs?|tests?|test_cases|test_code|checker)$")
_LIST_OF = re.compile(r"(?:typing\.)?(List|list|Optional)\s*\[\s*")


def pair_tests(tests: Any, where: str, keys: tuple[str, str] = ("input", "output")) -> list[Any]:
    """Return one object for each test, from a list of them or from two lists. The keys of an object
    are those of the lists in the singular. Raises DataError."""
    if isinstance(tests, list):
        return tests
    if not isinstance(tests, Mapping):
        raise error_text.wrong_value(f"{where} must hold tests", tests)
    first, second = (tests.get(key) for key in keys)
    if not (isinstance(first, list) and isinstance(second, list)):
        raise error_text.wrong_value(
            f'{where} needs lists in "{keys[0]}" and "{keys[1]}"',
            second if isinstance(first, list) else first,
            row=tests,
        )
    one, other = (key.removesuffix("s") for key in keys)
    if len(first) != len(second):
        raise DataError(f"{where} has {len(first)} {one}s and {len(second)} {other}s")
    return [{one: a, other: b} for a, b in zip(first, second, strict=True)]


def read_inputs_outputs(value: Any, row: Row, where: str) -> dict[str, Any]:
    """Return kind, tests and entry_point of {"inputs", "outputs", "fn_name"}. The row may name the
    function, too, as its "entry_point". Raises DataError."""
    if value is None:
        raise DataError(f"{where} is missing ({error_text.describe_keys(row)})")
    if not isinstance(value, Mapping):
        raise error_text.wrong_value(f"{where} must hold an object", value)
    others = [key for key in value if key not in _LISTS and _TESTS_KEY.search(key) and value[key]]
    if others:
        raise DataError(
            f'{where}: "{others[0]}" is not read; the tests are those of "inputs" and "outputs"'
        )
    tests = pair_tests(value, where, ("inputs", "outputs"))
    entry_point = None if row.get("kind") == "stdin" else row.get("entry_point")
    function = value.get("fn_name") or entry_point
    return _build_test_fields(tests, function, row.get("starter_code"), where)


def read_tests(value: Any, row: Row, where: str) -> dict[str, Any]:
    """Return kind, tests and entry_point, or test_code, of tests in any form that sets write: lists
    of inputs and outputs, cases, assertions, test code, also as text. Raises DataError."""
    value = parse_tests(value, where)
    code = _read_test_code(value, where)
    return {"kind": "assert", **code} if code else read_test_fields(value, row, where)


def read_own_tests(value: Any, row: Row, where: str) -> dict[str, Any]:
    """Return tests in any form as the reader of our own format takes them, which decides what kind
    they are. Raises DataError."""
    value = parse_tests(value, where)
    if code := _read_test_code(value, where):
        return code
    if are_cases(value):
        return read_test_fields(value, row, where)
    is_two_lists = isinstance(value, Mapping) and "inputs" in value
    return {"tests": value if is_two_lists else pair_tests(value, where)}


def parse_tests(value: Any, where: str) -> Any:
    """Return the tests of a text; test code as it is. Raises DataError."""
    is_text = isinstance(value, str) and not unread.is_test_code(value)
    return parse_text(value, where) if is_text else value


def _read_test_code(value: Any, where: str) -> dict[str, Any]:
    """Return the test code of tests and what stands beside it, nothing if they are pairs. Raises
    DataError if they have both."""
    first = get_first_object(value)
    if "assert_code" in first:
        value = {
            **first,
            "test_code": [get_first_object([one]).get("assert_code") for one in value],
        }
    fields = {}
    if isinstance(value, Mapping):
        code = next(filter(None, map(value.get, _TEST_CODES)), None)
        if code is not None:
            _refuse_other_tests(value, where)
        fields = {our: value[key] for key, our in _PROGRAM_KEYS.items() if value.get(key)}
        value = code
    if isinstance(value, list) and value and all(isinstance(one, str) for one in value):
        value = "\n".join(value)
    return {"test_code": value, **fields} if isinstance(value, str) else {}


def _refuse_other_tests(tests: Row, where: str) -> None:
    """Raise DataError where test code and pairs are both there: only one of them is judged."""
    for key in ("inputs", "outputs"):
        value = tests.get(key)
        if isinstance(value, list) and any(value):
            raise DataError(
                f'{where} has both test code ({", ".join(_TEST_CODES)}) and "{key}"; keep one'
            )


def are_cases(tests: Any) -> bool:
    """Whether these are tests that name their kind; tests of our own format do not."""
    return not _CASE_KEYS.isdisjoint(get_first_object(tests))


def read_test_fields(tests: Any, row: Row, where: str) -> dict[str, Any]:
    """Return kind, tests and entry_point of a list of cases, or of {"inputs", "outputs"}.

    Raises DataError.
    """
    if not isinstance(tests, list):
        return read_inputs_outputs(tests, row, where)
    for number, case in enumerate(tests, start=1):
        if not isinstance(case, Mapping):
            raise DataError(
                f"{where}: test {number} is {error_text.describe_value(case)}, not an object"
            )
    function = _find_function(tests, row, where)
    return _build_test_fields(tests, function, row.get("starter_code"), where)


def _find_function(cases: Sequence[Row], row: Row, where: str) -> Any:
    metadata = read_json(row, "metadata") if row.get("metadata") else None
    functions = {name for case in cases if (name := _read_function_name(case)) is not None}
    if len(functions) > 1:
        raise DataError(f"{where} calls several functions: {', '.join(sorted(functions))}")
    if functions:
        return functions.pop()
    if isinstance(metadata, Mapping) and metadata.get("func_name"):
        return metadata["func_name"]
    kinds = [kind for case in cases for kind in (case.get("testtype"), case.get("type"))]
    if "functional" in kinds or "function_call" in kinds:
        raise DataError(f'{where} calls a function, but neither "fn_name" nor "func_name" names it')
    return None


def _read_function_name(case: Row) -> str | None:
    metadata, name = case.get("metadata"), case.get("fn_name")
    if not name and isinstance(metadata, Mapping):
        name = metadata.get("func_name")
    if name and not isinstance(name, str):
        raise error_text.wrong_value('"fn_name" must be text', name)
    return name or None


def pair_lists(row: Row) -> Row:
    """Return a problem with its tests as objects, where they are two lists, "inputs" and
    "outputs", in "tests" or in the problem itself; else the problem as it is. Raises DataError."""
    lists = row.get("tests", row)
    if "test_code" in row or not isinstance(lists, Mapping) or not {*_LISTS[:2]} <= lists.keys():
        return row
    fields = read_inputs_outputs(lists, row, "tests")
    if fields["kind"] == "stdin":  # its reader says what another kind lacks
        fields["kind"] = row.get("kind") or "stdin"
    return {**collect_unused(row, _LISTS), **fields}


def _build_test_fields(
    tests: Sequence[Row], function: Any, starter: Any, where: str
) -> dict[str, Any]:
    """Return kind, tests and entry_point of tests with "input" and "output". Raises DataError.

    function: what the tests call; without one they are texts for standard input and output.
    """
    for number, test in enumerate(tests, start=1):
        missing_key = next((key for key in ("input", "output") if key not in test), None)
        if missing_key is not None:
            keys = error_text.describe_keys(test)
            raise DataError(f'{where}: test {number} has no "{missing_key}" ({keys})')
    if not function:
        return {
            "kind": "stdin",
            "tests": [
                {"input": _join_lines(t["input"]), "output": _join_lines(t["output"])}
                for t in tests
            ],
        }
    if not isinstance(function, str):
        raise error_text.wrong_value(f"{where}: the function's name must be text", function)
    return {
        "kind": "call",
        "entry_point": _qualify_function(function, starter),
        "tests": _read_calls(tests, _read_result_depth(starter, function)),
    }


def _qualify_function(function: str, starter: Any) -> str:
    """Return "Solution.function" if the starter code has a class Solution, else the function."""
    has_class = isinstance(starter, str) and _CLASS_SOLUTION.search(starter)
    return f"Solution.{function}" if has_class and "." not in function else function


def _join_lines(value: Any) -> Any:
    """Join the text of standard input or output if it is a list of lines."""
    if isinstance(value, list) and all(isinstance(line, str) for line in value):
        return "".join(line if line.endswith("\n") else f"{line}\n" for line in value)
    return value


def _read_calls(tests: Sequence[Any], depth: int | None) -> list[dict[str, Any]]:
    """Read the arguments and results of calls.

    Text holds one JSON value in each line, as in LiveCodeBench. Other values are converted as the
    judges of these sets do: an expected list of one item stands for the item, and keys of the
    first argument and of the result become integers if all can.
    """
    outputs = [t["output"] for t in tests if not isinstance(t["input"], str)]
    is_wrapped = _are_wrapped(outputs, depth)
    calls: list[dict[str, Any]] = []
    for number, test in enumerate(tests, start=1):
        arguments, expected = test["input"], test["output"]
        try:
            if isinstance(arguments, str):
                lines = filter(str.strip, arguments.split("\n"))
                arguments = list(map(jsontext.parse_text, lines))
                expected = jsontext.parse_text(expected) if isinstance(expected, str) else expected
            else:
                if isinstance(arguments, list) and arguments:
                    arguments = [_convert_integer_keys(arguments[0]), *arguments[1:]]
                expected = _convert_integer_keys(expected[0] if is_wrapped else expected)
            # Encode the value: it may hold data that looks like a tag of the codec.
            calls.append({"input": codec.to_json(arguments), "output": codec.to_json(expected)})
        except json.JSONDecodeError as error:
            raise DataError(
                f"test {number} must hold one JSON value a line ({error.msg}: "
                f'"{error_text.shorten(error.doc, 40)}")'
            ) from None
        except codec.NotEncodableError as error:
            raise DataError(f"test {number}: {error}") from None
    return calls


def _are_wrapped(outputs: Sequence[Any], depth: int | None) -> bool:
    """Whether all expected values are lists of one item, of which the function returns the item."""
    if not outputs or not all(isinstance(value, list) and len(value) == 1 for value in outputs):
        return False
    return depth is None or min(map(_measure_depth, outputs)) > depth


def _measure_depth(value: Any) -> int:
    depth = 0
    while isinstance(value, list):
        depth += 1
        value = value[0] if value else None
    return depth


def _read_result_depth(starter: Any, function: str) -> int | None:
    """Return the depth of lists in the result's annotation; None if the starter code has none."""
    if not isinstance(starter, str):
        return None
    name = re.escape(function.rpartition(".")[2])
    match = re.search(rf"def\s+{name}\s*\([^)]*\)\s*->\s*([^:\n]+):", starter)
    if match is None:
        return None
    depth, annotation = 0, match[1].strip()
    while opening := _LIST_OF.match(annotation):
        depth += opening[1] != "Optional"
        annotation = annotation[opening.end() :]
    return depth + (annotation in ("List", "list"))


def _convert_integer_keys(value: Any) -> Any:
    if not isinstance(value, dict) or not value:
        return value
    try:
        return {int(key): item for key, item in value.items()}
    except ValueError:
        return value
