"""What callers hand to the judge, as records: programs, answers, problems, lists of tests, paths.

Whatever else they hand to it raises one sentence that says what is accepted.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from microcoder_sandbox import record

from .errors import DataError
from .judgements import NO_PROGRAM
from .languages import SUFFIXES, find_language
from .log import warn_caller
from .recent_problems import recent_problems
from .records import Judgement, Kind, Problem, Solution

SolutionLike = Solution | Mapping[str, Any] | str
TestsLike = Problem | Mapping[str, Any] | Sequence[Mapping[str, Any]] | str | os.PathLike[str]

_SOLUTION_FORMS = 'a text, {"code": program}, {"response": a model\'s answer}, or a Solution'
_TESTS_FORMS = (
    'a list of {"input", "output"}, {"inputs": […], "outputs": […]}, a problem as a dict, '
    '{"test_code": assertions}, a Problem, or the path of a file of problems'
)
_SUFFIXES = frozenset({*map(str.lower, SUFFIXES), ".txt", ".jsonl"})
_SWAPPED = "the arguments look swapped: the solution comes first, then the tests"
# Keys of problems and solutions that are in our own format and hold nothing to warn of.
_OWN_PROBLEM_KEYS = frozenset({"problem_id", "kind", "tests"})
_OWN_CALL_KEYS = _OWN_PROBLEM_KEYS | {"entry_point"}
_OWN_TEST_KEYS = {"input", "output"}
_OWN_SOLUTION_KEYS = frozenset({"problem_id", "code", "response", "language"})
_TEST_KEYS = frozenset({"tests", "test_code", "inputs", "outputs", "input", "output"})


def choose_solution(
    solution: SolutionLike | None, code: str | None, response: str | None
) -> SolutionLike:
    """Return the one of the three that is given. Raises TypeError for none or several."""
    fields = {"code": code, "response": response}
    texts = {name: text for name, text in fields.items() if text is not None}
    if (solution is not None) + len(texts) != 1:
        raise TypeError("give one of solution, code= (a program) and response= (a model's answer)")
    return texts if solution is None else solution


def refuse_swapped(solution: object, tests: object) -> None:
    """Raise TypeError if the tests are given in place of the solution."""
    if _looks_like_tests(solution) and _looks_like_solution(tests):
        raise TypeError(_SWAPPED)


def _looks_like_tests(value: object) -> bool:
    if isinstance(value, Mapping):
        return bool(_TEST_KEYS & value.keys()) and not {"code", "response"} & value.keys()
    return isinstance(value, Problem | list | tuple)


def _looks_like_solution(value: object) -> bool:
    if isinstance(value, Mapping):
        return bool({"code", "response"} & value.keys())
    return isinstance(value, str | Solution)


def read_problem(
    tests: TestsLike | None,
    *,
    problem_id: str | None = None,
    kind: str | None = None,
    entry_point: str | None = None,
) -> Problem:
    """Return the Problem that a caller means. Raises TypeError for anything else, DataError for a
    problem that cannot be used, ValueError for a file of several without problem_id."""
    if isinstance(tests, Problem):
        return tests
    if isinstance(tests, str | os.PathLike):
        return _read_problem_file(tests, problem_id)
    keywords = {"problem_id": problem_id, "kind": kind, "entry_point": entry_point}
    overrides = {key: value for key, value in keywords.items() if value is not None}
    read = partial(_read_row, overrides=overrides)
    return recent_problems.parse_or_reuse(tests, tuple(keywords.values()), read)


def _read_row(tests: object, overrides: Mapping[str, Any]) -> Problem:
    from .formats import native, problem_from

    fields = tests if isinstance(tests, Mapping) else {"tests": _list_tests(tests)}
    fields = {**fields, **overrides}
    row = {"problem_id": "problem", **fields}
    if _is_in_own_format(row):
        return native.parse_problem(row)
    _warn_of_misplaced_keys(fields)
    return problem_from(row)


def _is_in_own_format(row: Mapping[str, Any]) -> bool:
    """Whether there is no other format to detect, and no misplaced key to warn of."""
    tests = row.get("tests")
    first = tests[0] if isinstance(tests, list) and tests else None
    has_own_test = isinstance(first, dict) and first.keys() == _OWN_TEST_KEYS
    own_keys = _OWN_CALL_KEYS if row.get("kind") == Kind.CALL else _OWN_PROBLEM_KEYS
    return has_own_test and row.keys() <= own_keys and isinstance(row["problem_id"], str)


def _warn_of_misplaced_keys(tests: Mapping[str, Any]) -> None:
    """Warn of keys of a problem that are not read at their place, as its format says."""
    if "tests" not in tests and "test_code" not in tests:
        return
    from .formats.problems import find_warnings

    for warning in find_warnings(tests, None):
        warn_caller(f"a problem's {warning}")


def _list_tests(tests: object) -> list[Any]:
    if isinstance(tests, bytes | bytearray) or not isinstance(tests, Sequence):
        raise TypeError(f"tests must be {_TESTS_FORMS}, not {_describe_type(tests)}")
    return list(tests)


def _read_problem_file(path: str | os.PathLike[str], problem_id: str | None) -> Problem:
    from .formats import open_problems

    if isinstance(path, str) and path.lstrip()[:1] in ("[", "{"):
        raise TypeError(f"tests must be {_TESTS_FORMS}, not a JSON text: json.loads reads it")
    if isinstance(path, str) and ("\n" in path or not path):
        raise TypeError(f"tests must be {_TESTS_FORMS}, not a text")
    if not os.path.exists(path):
        raise DataError(f"no such file; tests must be {_TESTS_FORMS}", os.fspath(path))
    with open_problems(Path(path)) as problems:
        if problem_id is not None:
            return problems.get(problem_id)
        if problems.only_id is not None:
            return problems.get(problems.only_id)
        if not len(problems) and problems.bad:
            raise DataError(
                f"no usable problem: {problems.bad[0].reason}", str(problems.bad[0].file)
            )
        count = len(problems) + len(problems.bad)
        raise ValueError(f"{path} holds {count} problems: say which, problem_id=")


@record
class _OneProblem:
    """The problem that a solution is for, where a set of problems is asked for."""

    problem: Problem

    def get(self, problem_id: str, /) -> Problem:
        if problem_id != self.problem.problem_id:
            raise DataError(f'the tests are of "{self.problem.problem_id}", not of "{problem_id}"')
        return self.problem

    def __contains__(self, problem_id: object, /) -> bool:
        return problem_id == self.problem.problem_id


def read_solution(solution: SolutionLike, problem: Problem, language: str) -> Solution:
    """Return the Solution that a caller means; a text is a program if it compiles, else a model's
    answer.

    Raises TypeError for anything else, DataError for a solution that cannot be used.
    """
    if isinstance(solution, Solution):
        return solution
    if isinstance(solution, str):
        _refuse_path(solution)
        field = "code" if _is_program(solution, language) else "response"
        solution = {field: solution}
    from .formats import native, solution_from

    name = problem.problem_id
    row = {"problem_id": name, **_check_mapping(solution)}
    if row.keys() <= _OWN_SOLUTION_KEYS and isinstance(row["problem_id"], str):
        return native.parse_solution(row, f"{name}#1", language)
    _warn_of_close_keys(row)
    return solution_from(
        row, default_id=f"{name}#1", language=language, problems=_OneProblem(problem)
    )


def _warn_of_close_keys(row: Mapping[str, Any]) -> None:
    from .formats.misplaced import find_misspelt_solution_keys

    for _, sentence in find_misspelt_solution_keys(row):
        warn_caller(f"a solution's {sentence}")


def _check_mapping(solution: object) -> Mapping[str, Any]:
    if isinstance(solution, Mapping):
        return solution
    hint = ": read the file and pass its text" if isinstance(solution, os.PathLike) else ""
    raise TypeError(f"a solution must be {_SOLUTION_FORMS}, not {_describe_type(solution)}{hint}")


def _refuse_path(text: str) -> None:
    """Raise TypeError for the name of a file in place of a program: x.py is Python, too."""
    is_name = len(text) < 1000 and not any(c in text for c in " \n(=")
    suffix = Path(text).suffix if is_name else ""
    if suffix.lower() in _SUFFIXES or (suffix and os.path.isfile(text)):
        raise TypeError(f'"{text}" is the name of a file: read the file and pass its text')


def _is_program(text: str, language: str) -> bool:
    """Whether a text is a program: in Python if it compiles, elsewhere if it holds no fence."""
    from .extract import extract
    from .syntax import compiles

    language_record = find_language(language)
    if language_record is None or not language_record.compiled:
        return compiles(text)
    return extract(text, language).code is None and "<think>" not in text


def explain_failure(judgement: Judgement, solution: SolutionLike) -> Judgement:
    """Return the judgement, with the syntax error of a text that was meant to be a program."""
    if judgement.error != NO_PROGRAM or not isinstance(solution, str):
        return judgement
    from .extract import explain_no_program

    return replace(judgement, error=explain_no_program(solution) or judgement.error)


def check_pair(pair: object) -> tuple[SolutionLike, TestsLike]:
    """Raise TypeError unless ``pair`` is (solution, tests)."""
    if not isinstance(pair, tuple | list) or len(pair) != 2:
        raise TypeError(f"each item must be a pair (solution, tests), not {_describe_type(pair)}")
    return pair[0], pair[1]


def check_program(code: object, stdin: object) -> None:
    """Raise TypeError unless a program and its input are text or bytes."""
    for name, value in (("code", code), ("stdin", stdin)):
        if not isinstance(value, str | bytes):
            hint = ": read the file and pass its text" if isinstance(value, os.PathLike) else ""
            raise TypeError(f"{name} must be text or bytes, not {_describe_type(value)}{hint}")
    if isinstance(code, str):
        _refuse_path(code)


def _describe_type(value: object) -> str:
    if value is None:
        return "None"
    name = type(value).__name__
    return f"{'an' if name[0] in 'aeiouAEIOU' else 'a'} {name}"
