"""Our own format: recognises its objects, and parses them into Problems and Solutions.

Other formats are first rewritten into this one, so that all rules are here.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from types import SimpleNamespace
from typing import Any

from microcoder_eval.compare import parse_kattis_flags
from microcoder_eval.errors import ComparerError, DataError
from microcoder_eval.formats.datasets.format import Format, Row, has_keys, normalize_ids
from microcoder_eval.languages import TEST_LANGUAGES, find_language, suggest_language
from microcoder_eval.points import GRADER, TestGroup, parse_groups, walk_groups
from microcoder_eval.records import Kind, Limits, Problem, Solution, Test
from microcoder_sandbox import codec

from . import error_text, lines, problem_programs
from .assertions import require_assertion
from .datasets import deepcoder, test_forms, usual_names
from .datasets.row_fields import get_first_object

_CALL_OF_CLASS = re.compile(r"^([^\W\d]\w*)\(\s*\)\.")
_TEST_REQUIREMENT = (
    'each test needs "input" (a text, or the list of arguments of a function) and "output"'
)
_ONE_TEST = 'a list: "tests": [{"input": …, "output": …}]'
_LANGUAGE_ALIASES = ("lang", "programming_language")
# The kinds of problems that may have these keys; any may have the others.
_KINDS = {
    "checker": (Kind.STDIN, Kind.CALL),
    "groups": (Kind.STDIN, Kind.CALL),
    "interactor": (Kind.STDIN,),
    "includes": (Kind.STDIN,),
}


def _holds_problem(row: Row) -> bool:
    # problem_id is not enough: callers add one to rows of other formats.
    is_text = "name" in row and isinstance(row.get("tests"), str)  # MultiPL-E, QuixBugs
    has_native_tests = "tests" in row and not is_text and not deepcoder.holds_problem(row)
    has_lists = all(isinstance(row.get(key), list) for key in ("inputs", "outputs"))
    return "problem_id" in row and (has_native_tests or has_lists or "test_code" in row)


FORMAT = Format(
    name="native",
    names=("problem_id", "id"),
    holds_problem=_holds_problem,
    read_fields=lambda row: test_forms.pair_lists(normalize_ids(usual_names.rename_problem(row))),
    holds_solution=has_keys("problem_id", one_of=("code", "response")),
    rewrite_solutions=lambda row, _: [normalize_ids(usual_names.rename_solution(row))],
    uses=frozenset({*lines.PROBLEM_KEYS, "inputs", "outputs", "fn_name"}),
    judges=frozenset({"tests", "test_code", "checker", "interactor", "grader"}),
)


def parse_problem(obj: Mapping[str, Any]) -> Problem:
    """Parse a problem. Raises DataError that names the problem."""
    try:
        line = lines.read_line(
            obj, lines.PROBLEM_KEYS, 'each problem needs "problem_id" and "tests"'
        )
        return _build_problem(line)
    except DataError as error:
        problem_id = obj.get("problem_id")
        if not isinstance(problem_id, str) or not problem_id:
            raise
        name = error_text.shorten(problem_id, 80)
        raise DataError(f'problem "{name}": {error.message}') from None


def _build_problem(line: SimpleNamespace) -> Problem:
    kind = _detect_kind(line)
    if kind is Kind.ASSERT:
        if line.test_language not in (None, *TEST_LANGUAGES):
            raise DataError(f'"test_language" must be one of {", ".join(TEST_LANGUAGES)}')
        if line.test_language is None:
            require_assertion(line.test_code or "")
    for key, kinds in _KINDS.items():
        if getattr(line, key) not in (None, {}) and kind not in kinds:
            raise DataError(f'"{key}": only {" and ".join(kinds)} problems have it, this is {kind}')
    checker = problem_programs.read_checker(line.checker)
    interactor = problem_programs.read_interactor(line.interactor)
    grader = problem_programs.read_program(line.grader, "grader")
    groups = _read_groups(line)
    _check_graded_groups(groups, grader)
    if checker is not None and interactor is not None and not interactor.get("checked"):
        raise DataError('"checker": beside an interactor it needs "checked": true in "interactor"')
    tests = () if kind is Kind.ASSERT else _read_tests(line.tests or [], kind)
    _check_test_args(tests, checker, interactor, kind)
    code, limits = line.starter_code, line.limits or {}
    starters = {} if code is None or isinstance(code, str) else _read_starter_codes(code)
    return Problem(
        problem_id=line.problem_id,
        kind=kind,
        tests=tests,
        entry_point=_read_entry_point(line.entry_point, kind),
        test_code=line.test_code,
        test_style=line.test_style,
        limits=Limits(**{name: float(n) for name, n in limits.items() if n is not None}),
        checker=checker,
        interactor=interactor,
        includes=problem_programs.read_includes(line.includes),
        statement=line.statement,
        starter_code=code if isinstance(code, str) else starters.get("python"),
        starter_codes=starters,
        test_language=line.test_language if kind is Kind.ASSERT else None,
        platform=line.platform,
        difficulty=_read_difficulty(line.difficulty),
        date=line.date,
        solutions=_read_solutions(line.solutions or []),
        meta=_read_meta(line.extra),
        groups=groups,
        grader=grader,
        objective=line.objective or "max",
    )


def _read_starter_codes(codes: Mapping[str, str]) -> Mapping[str, str]:
    """Return {language: text} of starter code in several languages."""
    # A set may have starter code in languages that are not judged.
    languages = [(find_language(name), text) for name, text in codes.items()]
    return {language.name: text for language, text in languages if language is not None}


def _read_groups(line: SimpleNamespace) -> tuple[TestGroup, ...]:
    if line.groups is None:
        if line.objective is not None:
            raise DataError('"objective" needs "groups": without them there are no points')
        return ()
    return parse_groups(line.groups, len(line.tests or []))


def _check_graded_groups(groups: tuple[TestGroup, ...], grader: Mapping[str, Any] | None) -> None:
    graded = (group for group in walk_groups(groups) if GRADER in (group.accept, group.aggregation))
    for group in graded:
        if grader is None:
            raise DataError(f'group "{group.name}": "grader" needs the problem\'s "grader"')
        if group.accept != GRADER:
            raise DataError(f'group "{group.name}": the aggregation "grader" needs that "accept"')


def _detect_kind(line: SimpleNamespace) -> Kind:
    if line.kind is not None:
        kind = Kind(line.kind)
    elif line.test_code is not None:
        kind = Kind.ASSERT
    elif line.tests:
        # If it is neither list nor string, _read_tests raises a precise error.
        is_call = isinstance(get_first_object(line.tests).get("input"), list)
        kind = Kind.CALL if is_call else Kind.STDIN
    else:
        hint = "one of them" if "output" not in line.extra else _ONE_TEST
        hint += error_text.suggest_key(line.extra, ("tests", "test_code"))
        raise DataError(f'there is neither a test in "tests" nor "test_code"; give {hint}')
    if kind is Kind.ASSERT and not (line.test_code or "").strip():
        raise DataError('kind "assert" needs "test_code" with at least one assertion')
    if line.tests and (line.test_code or "").strip():
        raise DataError(
            f'both "tests" and "test_code", of which kind "{kind}" reads one; keep the one that '
            "judges, or make two problems"
        )
    if kind is not Kind.ASSERT and not line.tests:
        raise DataError(f'there is no test in "tests"; kind "{kind}" needs at least one')
    return kind


def _read_tests(objects: list[Any], kind: Kind) -> tuple[Test, ...]:
    tests: list[Test] = []
    read_test = _read_text_test if kind is Kind.STDIN else _read_call
    for number, obj in enumerate(objects, start=1):
        _check_test(obj, number)
        try:
            tests.append(read_test(obj))
        except ValueError as error:  # a DataError, or one of the codec
            raise DataError(f"test {number}: {error}") from None
    return tuple(tests)


def _read_text_test(obj: Mapping[str, Any]) -> Test:
    args = obj.get("checker_args")
    return Test(
        _read_text(obj["input"], "input"),
        _read_text(obj["output"], "output"),
        checker_args=None if args is None else lines.check_args(args, "checker_args"),
    )


def _check_test_args(
    tests: tuple[Test, ...],
    checker: Mapping[str, Any] | None,
    interactor: Mapping[str, Any] | None,
    kind: Kind,
) -> None:
    """Refuse arguments of tests that nothing reads: the tests would be judged without them."""
    if interactor is not None or all(test.checker_args is None for test in tests):
        return
    spec = checker or {}
    if "source" in spec and kind is Kind.STDIN:
        return
    if spec.get("name") not in ("kattis", "kattis_default"):
        raise DataError(
            '"checker_args" of a test need an interactor, a checker with "source", or the '
            'checker "kattis"'
        )
    for test in tests:
        try:
            parse_kattis_flags(test.checker_args or ())
        except ComparerError as error:
            raise DataError(f'"checker_args": {error}') from None


def _check_test(obj: Any, number: int) -> None:
    if type(obj) is not dict and not isinstance(obj, Mapping):  # most are, and the rest is slow
        is_assertion = isinstance(obj, str) and "assert" in obj
        hint = 'assertions go into "test_code", as one text' if is_assertion else _TEST_REQUIREMENT
        raise DataError(f"test {number} is {error_text.describe_value(obj)}; {hint}")
    for key in ("input", "output"):
        if key not in obj:
            raise DataError(
                f'test {number} has no "{key}" ({error_text.describe_keys(obj)}); '
                f"{_TEST_REQUIREMENT}"
            )


def _read_solutions(objects: list[Any]) -> tuple[Mapping[str, Any], ...]:
    for number, obj in enumerate(objects, start=1):
        if not isinstance(obj, dict):
            raise error_text.wrong_value(f"solution {number} must be an object", obj)
    return tuple(objects)


def _read_text(value: Any, key: str) -> str:
    if not isinstance(value, str):
        hint = '; functions are tested with kind "call" and a list of arguments'
        raise error_text.wrong_value(f'"{key}" must be a string for kind "stdin"', value, hint)
    if not value.isascii():
        lines.check_encodable(value, key)
    return value


def _read_call(obj: Mapping[str, Any]) -> Test:
    arguments = _decode_value(obj, "input")
    if not isinstance(arguments, list):
        requirement = '"input" must be the list of arguments for kind "call"'
        raise error_text.wrong_value(requirement, obj["input"])
    test = Test(arguments, _decode_value(obj, "output"))
    try:  # report values that cannot be sent to the sandbox (nested too deeply) here, not later
        codec.to_json([test.input, test.output])
    except codec.NotEncodableError as error:
        raise DataError(str(error)) from None
    return test


def _decode_value(obj: Mapping[str, Any], key: str) -> Any:
    try:
        return codec.from_json(obj[key])
    except ValueError as error:
        raise DataError(f'"{key}": {error}') from None


def _read_entry_point(name: str | None, kind: Kind) -> str | None:
    if name is not None:
        name = _CALL_OF_CLASS.sub(r"\1.", name.strip()) or None
    if kind is not Kind.CALL:
        return name
    if name is None:
        raise DataError(
            'kind "call" needs "entry_point", the function to call: "name" or "Solution.name"; '
            "for a program that reads standard input, each input is one text"
        )
    parts = name.split(".")
    if len(parts) > 2 or not all(map(str.isidentifier, parts)):
        raise DataError(
            f'"entry_point" must be "name" or "Solution.name", not "{error_text.shorten(name, 60)}"'
        )
    return name


def _read_difficulty(value: Any) -> str | None:
    # Codeforces has numbers, other sets words; reports group by the text.
    if isinstance(value, str):
        return value
    if value is None:
        return None
    if isinstance(value, int | float) and not isinstance(value, bool):
        return str(value) if abs(value) < 1e15 else error_text.describe_value(value)
    raise error_text.wrong_value('"difficulty" must be a string', value)


def _read_meta(extra: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the unknown keys, merged with an object "meta", so that written records read equal.

    Raises DataError for values that cannot be written to the results.
    """
    meta = dict(extra)
    inner = meta.get("meta")
    if isinstance(inner, dict):
        del meta["meta"]
        meta = {**inner, **meta}
    if not meta:
        return meta
    try:
        codec.to_json({"meta": meta})
    except codec.NotEncodableError as error:
        raise DataError(f"the keys that are carried along: {error}") from None
    return meta


def _replace_surrogates(obj: Mapping[str, Any]) -> dict[str, Any]:
    """Replace half surrogate pairs in a program: a candidate's text is judged, never refused."""
    texts = {key: obj[key] for key in ("code", "response") if isinstance(obj.get(key), str)}
    return {**obj, **{key: text.encode("utf-8", "replace").decode() for key, text in texts.items()}}


def parse_solution(
    obj: Mapping[str, Any], default_id: str | None, language: str = "python"
) -> Solution:
    """Parse a solution. default_id, language: used if it names none; "lang" names its language,
    too. Raises DataError."""
    requirement = 'each solution needs "problem_id", and "code" or "response"'
    line = lines.read_line(_replace_surrogates(obj), lines.SOLUTION_KEYS, requirement)
    solution_id = line.solution_id or default_id
    if solution_id is None:
        raise DataError('no "solution_id", and no place in a file to make one from')
    if line.code is None and line.response is None:
        raise DataError(
            f'neither "code" (a program) nor "response" (a model\'s answer) '
            f"({error_text.describe_keys(obj)}); give one of them"
            f"{error_text.suggest_key(line.extra, ('code', 'response'))}"
        )
    if line.code is not None and line.response is not None:
        raise DataError(
            'both "code" and "response"; keep "code" to judge the program as it is, '
            'or "response" to extract it from the answer'
        )
    name = line.language or _find_alias(line) or language
    chosen_language = find_language(name)
    if chosen_language is None:
        short_name = error_text.shorten(name, 40)
        raise DataError(f'language "{short_name}" is not supported{suggest_language(name)}')
    if line.files and chosen_language.is_one_file:
        raise DataError(
            f'"files": a program in {chosen_language.name} is one file here; '
            f'put the others into "code"'
        )
    return Solution(
        problem_id=line.problem_id,
        solution_id=solution_id,
        code=line.code,
        response=line.response,
        language=chosen_language.name,
        meta=_read_meta(line.extra),
        file="" if not line.file else lines.check_file_name(line.file, "file"),
        files=dict(line.files or {}),
    )


def _find_alias(line: SimpleNamespace) -> str | None:
    """Return the language under keys that other formats use, so that no program is judged as one in
    another language."""
    extra = line.extra
    name = next((extra[key] for key in _LANGUAGE_ALIASES if extra.get(key)), None)
    if name is not None and not isinstance(name, str):
        raise error_text.wrong_value('"lang" must be the name of a language', name)
    return name
