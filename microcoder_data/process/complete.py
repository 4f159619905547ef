"""Checks that a problem is complete and consistent: tests, signature, examples."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from microcoder_data.rows import (
    Row,
    find_function,
    get_function_name,
    get_kind,
    get_tests,
    get_text,
)
from microcoder_eval.audit.examiner import check_tests_without_programs
from microcoder_eval.audit.findings import Finding
from microcoder_eval.compare import make_comparer
from microcoder_eval.errors import DataError
from microcoder_eval.formats.native import parse_problem
from microcoder_eval.records import Problem
from microcoder_sandbox import codec

from . import bounds, damage
from .examples import Example, parse_call_examples, parse_program_examples
from .instruction import list_arities

# With one of these findings nothing else can be checked.
_FATAL_NAMES = ("no_tests", "test_without_input", "no_entry_point")
_DECIMAL = re.compile(r"-?\d+\.\d+")
_MIN_DIGITS = 2  # after the point, of a number that may be rounded
_DOCTEST_CALL = re.compile(r"^[ \t]*>>>[ \t]*(?!print\b)([A-Za-z_]\w*)\(", re.MULTILINE)


def list_findings(row: Row, statement: str, min_tests: int) -> tuple[list[Finding], list[Example]]:
    """Return what is wrong or missing, and the statement's examples.

    statement: cleaned, without the instruction.
    """
    findings = list(_check_tests(row, min_tests))
    if any(finding.name in _FATAL_NAMES for finding in findings):
        return findings, []
    try:
        problem = parse_problem(fill_outputs(row))
    except DataError as error:
        return [*findings, Finding("invalid_problem", error.message)], []
    findings += _check_audit(problem)
    if any(finding.name == "unjudgeable" for finding in findings):
        return findings, []
    findings += _check_signature(row, statement)
    examples: list[Example] = []
    if statement:
        if get_kind(row) == "stdin":
            examples = parse_program_examples(statement)
        else:
            examples = parse_call_examples(statement, get_function_name(row))
        findings += _check_examples(problem, row, examples)
        findings += _check_called_name(row, statement)
        findings += filter(None, [bounds.check_bounds(row, statement, examples)])
    findings += damage.list_findings(row, statement, examples)
    return findings, examples


def fill_outputs(row: Row) -> Row:
    """Return the row with a placeholder for each missing output, so that it can be parsed."""
    if get_kind(row) == "assert" or not isinstance(row.get("tests"), list):
        return row
    empty: Any = "" if get_kind(row) == "stdin" else None
    tests = [
        {**test, "output": empty} if isinstance(test, dict) and "output" not in test else test
        for test in row["tests"]
    ]
    return {**row, "tests": tests}


def _check_tests(row: Row, min_tests: int) -> Iterator[Finding]:
    kind = get_kind(row)
    if kind == "assert":
        if not get_text(row, "test_code").strip():
            yield Finding("no_tests", "the test code is empty")
        return
    tests = get_tests(row)
    if not tests:
        what = '"tests" must be a list of objects with "input" and "output"'
        yield Finding("no_tests", what if row.get("tests") else "there are no tests")
        return
    yield from _check_keys(tests, "input", "test_without_input")
    if kind == "call" and not get_text(row, "entry_point").strip():
        yield Finding("no_entry_point", 'tests give arguments, and "entry_point" names no function')
    yield from _check_keys(tests, "output", "missing_output")
    outputs = [str(test["output"]).strip() for test in tests if "output" in test]
    if kind == "stdin" and any(outputs) and not all(outputs):
        yield Finding("empty_output", f"{outputs.count('')} of {len(outputs)} tests")
    if len(tests) < min_tests:
        yield Finding("few_tests", f"{len(tests)}, fewer than {min_tests}")


def _check_keys(tests: list[Row], key: str, name: str) -> Iterator[Finding]:
    numbers = [number for number, test in enumerate(tests, 1) if key not in test]
    if numbers:
        yield Finding(name, f"test {numbers[0]}", {"tests": numbers[:20]})


def _check_audit(problem: Problem) -> Iterator[Finding]:
    """Yield what the judge's audit finds without running programs; of its evidence, the tests."""
    has_outputs = any(test.output for test in problem.tests)  # else verify generates all outputs
    for finding in check_tests_without_programs(problem, with_tolerance=False):
        tests = finding.evidence.get("tests")
        if finding.name != "trivial_tests":
            yield replace(finding, evidence={} if tests is None else {"tests": tests})
        elif has_outputs and isinstance(tests, int) and tests < damage.MIN_TESTS:
            yield Finding("few_tests", finding.detail)  # samples, often: no pattern yet
        elif has_outputs:
            yield replace(finding, evidence={"tests": tests})


def _check_signature(row: Row, statement: str) -> Iterator[Finding]:
    """Yield a finding if the shown code does not define the entry point, or if tests give a wrong
    or varying number of arguments."""
    name = get_function_name(row)
    if get_kind(row) == "stdin" or not name:
        return
    source = get_text(row, "starter_code") or (
        statement if statement.startswith("```python") else ""
    )
    code = source.removeprefix("```python\n").removesuffix("\n```")
    counts = list_arities(row)
    if code and "def " in code and not re.search(rf"\b(?:def|class)\s+{re.escape(name)}\b", code):
        yield Finding("entry_point_not_in_starter", f'the code shown defines no "{name}"')
        return
    arity_range = _read_arity_range(code, name)
    if arity_range is not None:
        low, high = arity_range
        bad_count = next((count for count in counts if not low <= count <= high), None)
        if bad_count is not None:
            most = "or more" if high > 255 else f"to {high}"
            takes = str(low) if low == high else f"{low} {most}"
            detail = f"a test gives {bad_count} arguments, the code takes {takes}"
            yield Finding("wrong_arity", detail)
        return
    if len(set(counts)) > 1 and get_kind(row) == "call":
        numbers = " and ".join(map(str, sorted(set(counts))))
        yield Finding("arity_mismatch", f"tests give {numbers} arguments")


def _read_arity_range(code: str, name: str) -> tuple[int, int] | None:
    """Return the least and most arguments that ``name`` takes.

    None where the code does not parse or does not define ``name``.
    """
    function = find_function(code, name)
    if function is None:
        return None
    arguments = function.args
    parameters = [*arguments.posonlyargs, *arguments.args]
    count = len(parameters) - (bool(parameters) and parameters[0].arg == "self")
    maximum = 10_000 if arguments.vararg or arguments.kwarg else count
    return count - len(arguments.defaults), maximum + len(arguments.kwonlyargs)


def _check_examples(problem: Problem, row: Row, examples: Sequence[Example]) -> Iterator[Finding]:
    """Compare examples with tests: equal inputs must have equal outputs."""
    if not problem.tests or not examples:
        return
    checker = problem.checker
    if checker and "source" in checker:
        return  # several answers may be right
    comparison = make_comparer(checker or "calibrated")
    row_tests = [row_test for row_test in get_tests(row) if "input" in row_test]
    outputs = {
        _make_key(test.input): test if "output" in row_test else None
        for test, row_test in zip(problem.tests, row_tests, strict=True)
    }
    unknown_count = 0
    for number, example in enumerate(examples, 1):
        if _make_key(example.input) not in outputs:
            unknown_count += 1
            continue
        test = outputs[_make_key(example.input)]
        if test is None:
            continue  # verify generates its output
        if isinstance(example.input, str):
            result = comparison.compare_text(example.output.encode(), test.output.encode())
        else:
            result = comparison.compare_value(example.output, test.output)
        if result.method is None and not _is_rounded(example.output, test.output):
            detail = f"example {number} says {example.output!r:.60}, the test {test.output!r:.60}"
            yield Finding("example_contradicts_tests", detail, {"example": number})
            return
    if unknown_count:
        yield Finding("example_not_in_tests", f"{unknown_count} of {len(examples)} examples")
    if unknown_count == len(examples) and (reason := _compare_shapes(problem, examples)):
        yield Finding("examples_of_another_problem", reason)


def _is_rounded(shown: Any, exact: Any) -> bool:
    """Whether an example shows the output of a test with fewer digits: 0.33333 for 1/3."""
    if isinstance(shown, str) and isinstance(exact, str):
        words, exact_words = ([_read_decimal(word) for word in text.split()]
                              for text in (shown, exact))  # fmt: skip
        return _is_rounded(words, exact_words)
    if isinstance(shown, list | tuple) and isinstance(exact, list | tuple):
        return len(shown) == len(exact) and all(map(_is_rounded, shown, exact))
    if isinstance(shown, float) and isinstance(exact, float) and shown != exact:
        digits, difference = len(repr(shown).partition(".")[2]), abs(shown - exact)
        is_cut = abs(shown) < abs(exact) and difference < 10.0**-digits
        return digits >= _MIN_DIGITS and (is_cut or difference < 0.501 * 10.0**-digits)
    return bool(shown == exact)


def _read_decimal(word: str) -> Any:
    """Return the number of a word with a decimal point; other words as bytes, to compare alone."""
    return float(word) if _DECIMAL.fullmatch(word) else word.encode("utf-8", "surrogatepass")


def _check_called_name(row: Row, statement: str) -> Iterator[Finding]:
    """Yield a finding if doctests never call the entry point, and nothing else names it: as
    ``is_even`` or ``isEven``."""
    name = get_function_name(row)
    called_names = set(_DOCTEST_CALL.findall(statement))
    is_named = name.replace("_", "").lower() in statement.replace("_", "").lower()
    if called_names and not is_named and get_kind(row) != "stdin":
        detail = f"examples call {sorted(called_names)[0]}, the tests {name}"
        yield Finding("examples_of_another_problem", detail)


def _make_key(value: Any) -> Any:
    return tuple(value.split()) if isinstance(value, str) else repr(codec.to_json(value))


def _compare_shapes(problem: Problem, examples: Sequence[Example]) -> str | None:
    """Describe how the word counts of first lines, or the types of arguments, differ between tests
    and examples; None if they do not."""
    if problem.kind == "stdin" and len(problem.tests) < 3:
        return None
    test_shapes, example_shapes = (
        {_describe_shape(item.input) for item in items} for items in (problem.tests, examples)
    )
    if len(test_shapes) == 1 and len(example_shapes) == 1 and test_shapes != example_shapes:
        return f"tests start with {test_shapes.pop()}, examples with {example_shapes.pop()}"
    return None


def _describe_shape(value: Any) -> str:
    if isinstance(value, str):
        return f"{len(value.strip().partition(chr(10))[0].split())} words in a line"
    return ", ".join(type(argument).__name__ for argument in value)
