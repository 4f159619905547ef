"""Whether a problem is complete and agrees with itself: tests, signature, examples."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence
from functools import cache
from typing import Any

from microcoder_eval.audit import Examiner, Name
from microcoder_eval.compare import comparer
from microcoder_eval.data.reasons import Found
from microcoder_eval.data.rows import Row, kind_of, problem_of, tests_of, text_of
from microcoder_eval.data.syntax import parsed
from microcoder_eval.errors import DataError
from microcoder_eval.records import Problem
from microcoder_sandbox import codec

from . import damage, promised
from .examples import Example, of_function, of_program
from .instruction import arities

_AUDITED = {
    Name.CONTRADICTORY_TESTS: "contradictory_tests",
    Name.TRIVIAL_TESTS: "constant_answer",
    Name.DUPLICATE_TESTS: "duplicate_tests",
    Name.MULTIPLE_ANSWERS_SUSPECTED: "multiple_answers_suspected",
    Name.UNJUDGEABLE: "unjudgeable",
}
_INPUT = re.compile(
    r"\binputs?\b|\b(?:first|second|next|single|only|each) lines?\b|\bgiven\b|\bread\b|\bstdin\b",
    re.IGNORECASE,
)
_OUTPUT = re.compile(
    r"\boutputs?\b|\bprint\b|\bwrite\b|\bdisplay\b|\breturn|\breport\b|\bstdout\b", re.IGNORECASE
)
_CALLED = re.compile(r"^[ \t]*>>>[ \t]*(?!print\b)([A-Za-z_]\w*)\(", re.MULTILINE)
_NAMED = re.compile(
    r"\b(?:write|implement|complete|create|define) (?:an? |the |this |your )*(?:python )?"
    r"(?:function|method)s?,? (?:named |called )?`([A-Za-z_]\w*)(?:\([^`\n]*\))?`",
    re.IGNORECASE,
)
_LIMITS = re.compile(r"[≤<]|<=|\bat most\b|\bup to\b|\bno more than\b|\bbetween\b|\bconstraints?\b",
                     re.IGNORECASE)  # fmt: skip


@cache
def _examiner() -> Examiner:
    return Examiner()


def look(row: Row, statement: str, min_tests: int) -> tuple[list[Found], list[Example]]:
    """What is wrong or missing, and the statement's examples.

    statement: in clean form, without the instruction.
    """
    found = list(_tests(row, min_tests))
    examples: list[Example] = []
    if any(one.name in ("no_tests", "test_without_input", "no_entry_point") for one in found):
        return found, examples
    try:
        problem = problem_of(filled(row))
    except DataError as error:
        return [*found, Found("invalid_problem", error.message)], examples
    found += _audited(problem)
    if any(one.name == "unjudgeable" for one in found):
        return found, examples
    found += _signature(row, statement)
    if statement:
        found += _sections(statement, kind_of(row))
        examples = examples_of(row, statement)
        found += _aligned(problem, row, examples)
        found += _calls_another(row, statement)
        found += filter(None, [promised.broken(row, statement)])
    found += damage.look(row, statement, examples)
    return found, examples


def filled(row: Row) -> Row:
    """The row with something where outputs are missing, so that the rest can be read."""
    if kind_of(row) == "assert" or not isinstance(row.get("tests"), list):
        return row
    empty: Any = "" if kind_of(row) == "stdin" else None
    tests = [
        {**test, "output": empty} if isinstance(test, dict) and "output" not in test else test
        for test in row["tests"]
    ]
    return {**row, "tests": tests}


def _tests(row: Row, min_tests: int) -> Iterator[Found]:
    kind = kind_of(row)
    if kind == "assert":
        if not text_of(row, "test_code").strip():
            yield Found("no_tests", "the test code is empty")
        return
    tests = tests_of(row)
    if not tests:
        yield Found("no_tests", "there is no list of tests, or an empty one")
        return
    without = [number for number, test in enumerate(tests, 1) if "input" not in test]
    if without:
        yield Found("test_without_input", f"test {without[0]}", {"tests": without[:20]})
    if kind == "call" and not text_of(row, "entry_point").strip():
        yield Found("no_entry_point", 'tests give arguments, and "entry_point" names no function')
    missing = [number for number, test in enumerate(tests, 1) if "output" not in test]
    if missing:
        yield Found("missing_output", f"test {missing[0]}", {"tests": missing[:20]})
    if kind == "stdin":
        yield from _texts(tests)
    if any(_is_nan(test.get("output")) for test in tests):
        yield Found("not_a_number", "an expected output is NaN")
    if len(tests) < min_tests:
        yield Found("few_tests", f"{len(tests)}, fewer than {min_tests}")


def _texts(tests: list[Row]) -> Iterator[Found]:
    """Line ends that differ between tests, and outputs that got lost."""
    inputs = [str(test.get("input")) for test in tests]
    dos = [number for number, text in enumerate(inputs, 1) if "\r\n" in text]
    unix = [number for number, text in enumerate(inputs, 1) if "\n" in text.replace("\r\n", "")]
    if dos and unix:
        yield Found("mixed_line_ends", f"test {dos[0]}, unlike test {unix[0]}")
    outputs = [str(test["output"]).strip() for test in tests if "output" in test]
    if any(outputs) and not all(outputs):
        yield Found("empty_output", f"{outputs.count('')} of {len(outputs)} tests")


def _is_nan(output: Any) -> bool:
    words = output.split() if isinstance(output, str) else []
    return output == {"$float": "nan"} or any(word.lower() == "nan" for word in words)


def _audited(problem: Problem) -> Iterator[Found]:
    """What the judge's audit sees without running anything."""
    missing = not any(test.output for test in problem.tests)
    for finding in _examiner().look(problem, ()):
        name = _AUDITED.get(finding.name)
        if name == "constant_answer" and missing:
            continue  # all outputs are still to be made
        if name is not None:
            yield Found(name, finding.detail, {"tests": finding.evidence.get("tests")})


def _signature(row: Row, statement: str) -> Iterator[Found]:
    """The entry point, where code shows it, and the numbers of its arguments."""
    name = text_of(row, "entry_point").rpartition(".")[2]
    if kind_of(row) == "stdin" or not name:
        return
    shown = text_of(row, "starter_code") or (statement if statement.startswith("```python") else "")
    code = shown.removeprefix("```python\n").removesuffix("\n```")
    counts = arities(row)
    if code and "def " in code and not re.search(rf"\b(?:def|class)\s+{re.escape(name)}\b", code):
        yield Found("entry_point_not_in_starter", f'the code shown defines no "{name}"')
        return
    takes = _takes(code, name)
    if takes is not None:
        bad = [count for count in counts if not takes[0] <= count <= takes[1]]
        if bad:
            most = "any number of" if takes[1] > 255 else str(takes[1])
            yield Found("wrong_arity", f"a test gives {bad[0]} arguments, the code takes {most}")
    elif len(set(counts)) > 1 and kind_of(row) == "call" and not _optional(row, name):
        told = " and ".join(map(str, sorted(set(counts))))
        yield Found("arity_mismatch", f"tests give {told} arguments")


def _takes(code: str, name: str) -> tuple[int, int] | None:
    """The least and most arguments that the code shown takes; None where it cannot be read."""
    whole = code.rstrip().endswith(("pass", "...", '"""'))
    tree = parsed(code if whole else code + "\n pass")
    tree = tree or parsed(code.rstrip() + "\n        pass")
    if tree is None:
        return None
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef) and node.name == name:
            given = [*node.args.posonlyargs, *node.args.args]
            count = len(given) - (bool(given) and given[0].arg == "self")
            most = 10_000 if node.args.vararg or node.args.kwarg else count
            return count - len(node.args.defaults), most + len(node.args.kwonlyargs)
    return None


def _optional(row: Row, name: str) -> bool:
    """Whether a known program takes some of its arguments optionally."""
    known = row.get("solutions")
    codes = [text_of(row, "statement")] + [
        str(one.get("code")) for one in known if isinstance(one, dict)
    ] if isinstance(known, list) else [text_of(row, "statement")]  # fmt: skip
    return any(re.search(rf"def\s+{re.escape(name)}\s*\([^)]*[=*]", code) for code in codes)


def _sections(statement: str, kind: str) -> Iterator[Found]:
    if kind != "stdin":
        return
    if not _INPUT.search(statement):
        yield Found("no_input_section", "no word about the input")
    if not _OUTPUT.search(statement):
        yield Found("no_output_section", "no word about the output")
    if not _LIMITS.search(statement):
        yield Found("no_limits_told", "no limit of any number")


def examples_of(row: Row, statement: str) -> list[Example]:
    """The examples a statement shows, by the problem's kind."""
    if kind_of(row) == "stdin":
        return of_program(statement)
    return of_function(statement, text_of(row, "entry_point"))


def _aligned(problem: Problem, row: Row, examples: Sequence[Example]) -> Iterator[Found]:
    """Examples against tests: the same input must have the same output."""
    if not problem.tests or not examples:
        return
    checker = problem.checker
    if checker and "source" in checker:
        return  # many answers are right, and only the checker knows
    by = comparer(checker or "calibrated")
    known = [given for given in tests_of(row) if "input" in given]
    outputs = {
        _key(test.input): test if "output" in given else None
        for test, given in zip(problem.tests, known, strict=True)
    }
    unknown = 0
    for number, example in enumerate(examples, 1):
        if _key(example.input) not in outputs:
            unknown += 1
            continue
        test = outputs[_key(example.input)]
        if test is None:
            continue  # its output is still to be made
        if isinstance(example.input, str):
            same = by.text(example.output.encode(), test.output.encode()).method is not None
        else:
            same = by.value(example.output, test.output).method is not None
        if not same:
            told = f"example {number} says {example.output!r:.60}, the test {test.output!r:.60}"
            yield Found("example_contradicts_tests", told, {"example": number})
            return
    if unknown:
        yield Found("example_not_in_tests", f"{unknown} of {len(examples)} examples")
    if unknown == len(examples) and (why := _other_shape(problem, examples)):
        yield Found("examples_of_another_problem", why)


def _calls_another(row: Row, statement: str) -> Iterator[Found]:
    """Doctests that call a function, but never the one that is asked for."""
    name = text_of(row, "entry_point").rpartition(".")[2]
    called = set(_CALLED.findall(statement))
    if name and called and name not in called and kind_of(row) != "stdin":
        told = f"examples call {sorted(called)[0]}, the tests {name}"
        yield Found("examples_of_another_problem", told)
    named = set(_NAMED.findall(statement))
    if name and named and not re.search(rf"\b{re.escape(name)}\b", statement):
        told = f"it asks for {sorted(named)[0]}, the tests call {name}"
        yield Found("names_another_function", told)


def _key(given: Any) -> Any:
    return tuple(given.split()) if isinstance(given, str) else repr(codec.to_json(given))


def _other_shape(problem: Problem, examples: Sequence[Example]) -> str | None:
    """Whether no example's first line has as many words as every test's has."""
    if problem.kind != "stdin" or len(problem.tests) < 3:
        return None
    shapes = {len(test.input.strip().partition("\n")[0].split()) for test in problem.tests}
    shown = {len(example.input.strip().partition("\n")[0].split()) for example in examples}
    if len(shapes) == 1 and len(shown) == 1 and shapes != shown:
        return f"tests start with {shapes.pop()} words in a line, examples with {shown.pop()}"
    return None
