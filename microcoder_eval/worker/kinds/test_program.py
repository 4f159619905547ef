"""Assert problems whose test code is compiled together with the program and runs in its process.

If each assertion compares a call with a value, the test code reports what the call returns, in one
process for each, and the values are compared here (``foreign_tests``). Other test code compares in
the program's process, where a program can be written to deceive it. Verdicts of such test code
carry the flag ``in_process_tests``.
"""

from __future__ import annotations

import json
import re
import secrets
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from typing import Any

from microcoder_eval.errors import CompileError, UnjudgeableError
from microcoder_eval.foreign_tests.expected import ANY_TYPE, Expected
from microcoder_eval.foreign_tests.rewrite import ReportedTests, rewrite_tests
from microcoder_eval.languages import TEST_LANGUAGES, Language
from microcoder_eval.missing_packages import find_missing_name
from microcoder_eval.records import Verdict
from microcoder_eval.records.flags import IN_PROCESS_TESTS
from microcoder_eval.worker.drivers.call_messages import MARK
from microcoder_eval.worker.drivers.tests import (
    CRATES,
    KEY_CHARS,
    DatasetTests,
    make_package_check,
    make_syntax_check,
    make_test_program,
)
from microcoder_eval.worker.error_lines import find_error_line, find_failed_assertion
from microcoder_eval.worker.expectations import Comparison, Expectation, bound_nodes, expect_value
from microcoder_eval.worker.prepared_problem import PreparedProblem
from microcoder_eval.worker.program_files import ProgramFiles
from microcoder_eval.worker.solution import Build, ProblemKind, SolutionRun, TestCase, TestSeries
from microcoder_eval.worker.text_programs import TextProgram, WorkerContext
from microcoder_eval.worker.verdicts import TestRun
from microcoder_sandbox import Outcome, ResourceLimits, codec

_SILENT = "javascript_silent"


def _get_reported(problem: PreparedProblem) -> ReportedTests | None:
    """Return the problem's tests so that they report values; None where that cannot be done."""
    return rewrite_tests(problem.definition.test_language or "", problem.definition.test_code or "")


def count_tests(problem: PreparedProblem) -> int:
    """Return how many tests there are: the values that are reported, or all test code as one."""
    reported = _get_reported(problem)
    return 1 if reported is None else len(reported.expected)


def _add_tests(problem: PreparedProblem, files: ProgramFiles, language: Language) -> Build:
    """Return the program with the tests, and how both are built. Raises UnjudgeableError."""
    definition = problem.definition
    build = TEST_LANGUAGES[definition.test_language or ""]
    if build.name != language.name:
        raise UnjudgeableError(
            f"the problem's tests are in {build.name}, and the program is in {language.name}; a "
            f'program in {build.name} says so by "language": "{build.name}", '
            f"or --language {build.name}"
        )
    reported = _get_reported(problem)
    source = (definition.test_code or "") if reported is None else reported.source
    tests = DatasetTests(source, reported is not None, problem.starter_code)
    program = make_test_program(definition.test_language or "", files.source, tests)
    return replace(program, others={**files.others, **program.others}), build


def _refuse_broken_tests(run: SolutionRun, message: str) -> None:
    """Raise UnjudgeableError if no program for the problem compiles: a package is missing, or the
    grammar of the test code is wrong. message: why a program does not compile."""
    problem = run.problem
    _refuse_missing(run.context, problem, message)
    if problem.tests_error is None:
        problem.tests_error = _find_syntax_error(run.context, problem)
    if problem.tests_error:
        raise UnjudgeableError(f"the test code does not compile: {problem.tests_error}")


def _find_syntax_error(context: WorkerContext, problem: PreparedProblem) -> str:
    """Return what a compiler says of the test code, read without any program; "" if its grammar is
    right, or a program may decide that. Test code may end what the starter code begins."""
    tests, starter = problem.definition.test_code or "", problem.starter_code
    errors = []
    for text in (tests, f"{starter}\n{tests}"):
        check = make_syntax_check(TEST_LANGUAGES[problem.definition.test_language or ""], text)
        if check is None:
            return ""
        try:
            context.binaries.get(*check)
            return ""
        except CompileError as error:
            errors.append(str(error))
    return errors[0]


def _refuse_missing(context: WorkerContext, problem: PreparedProblem, message: str) -> None:
    """Raise UnjudgeableError if the compiler, or Node, does not find a package that the problem
    itself includes or imports. No program for that problem runs here. The program may have written
    the message (``#error``), so the package is looked for without it."""
    name = find_missing_name(message)
    definition = problem.definition
    if name is None:
        return
    # Look for the whole directive: a program that includes a missing header by itself is at fault.
    text = f"{problem.starter_code}\n{definition.test_code}"
    pattern = re.escape(name)
    directive = (
        rf'#\s*include\s*[<"]{pattern}[>"]|import\s+{pattern}\.'
        rf"|(?:require\(|from|import)\s*[\"']{pattern}[\"']"
    )
    # Crates are only looked for in the tests: Rust's starter code may name some without using them.
    # The name before :: may also be a module that a program has to define.
    crate = rf"\bextern\s+crate\s+{pattern}\b"
    crate += rf"|\b{pattern}\s*::|\buse\s+{pattern}\b" if name in CRATES else ""
    if not re.search(directive, text) and not re.search(crate, definition.test_code or ""):
        return
    language = TEST_LANGUAGES[definition.test_language or ""]
    try:
        context.binaries.get(*make_package_check(language, name))
    except CompileError:
        reason = f"the problem needs {name}, which this machine does not have"
        raise UnjudgeableError(reason) from None


def list_series(run: SolutionRun, program: TextProgram) -> Iterator[TestSeries]:
    """Yield a test for each value that is reported, or all test code as one."""
    reported = _get_reported(run.problem)
    if reported is not None:
        expected = reported.expected
        yield TestSeries(
            range(len(expected)), lambda index: _make_case(run, program, index, expected[index])
        )
        return
    limits, is_silent = run.make_limits(), _is_silent(run)

    def run_tests() -> TestRun:
        key = secrets.token_hex(KEY_CHARS // 2).encode()
        outcome = _run_program(run, program, key, limits)
        if outcome.killed is None and outcome.status:
            assertion = find_failed_assertion(outcome.stderr, outcome.stdout[-4096:])
            if assertion:
                return TestRun(outcome._replace(status=0), Comparison(Verdict.WA, assertion))
        return TestRun(outcome, _judge_by_key(outcome, key, is_silent=is_silent))

    expectation = Expectation(flags=(IN_PROCESS_TESTS,))
    yield TestSeries(range(1), lambda _index: TestCase(run_tests, limits, expectation))


def _run_program(
    run: SolutionRun, program: TextProgram, stdin: bytes, limits: ResourceLimits
) -> Outcome:
    """Run the program with its tests. Raises UnjudgeableError for a package that the tests load and
    that is missing: JavaScript looks for packages only now."""
    outcome = program.run(stdin, limits)
    if outcome.killed is None and outcome.status:
        _refuse_missing(run.context, run.problem, outcome.stderr.decode("utf-8", "replace"))
    return outcome


def _is_silent(run: SolutionRun) -> bool:
    return run.problem.definition.test_language == _SILENT


def _make_case(run: SolutionRun, program: TextProgram, index: int, expected: Expected) -> TestCase:
    limits = run.make_limits()

    def run_once() -> TestRun:
        outcome = _run_program(run, program, b"%d" % index, limits)
        before, mark, report = outcome.stdout.rpartition(MARK)
        printed = (before.strip() or outcome.stderr) if _is_silent(run) else b""
        accept = partial(_compare_reported, expected, printed)
        expectation = expect_value(accept, partial(bound_nodes, expected.value))
        outcome = outcome._replace(result=report if mark else b"")
        return TestRun(outcome, expectation.compare(outcome))

    return TestCase(run_once, limits, Expectation(needs_result=True))


def _judge_by_key(outcome: Outcome, key: bytes, *, is_silent: bool) -> Comparison:
    """Expect the key on standard output, which is written when the tests have returned; a program
    may print more at its own end. is_silent: whether tests fail if anything else is printed."""
    if is_silent and (outcome.stderr or outcome.stdout.strip() != key):
        text = outcome.stderr or outcome.stdout.replace(key, b"")
        if text:
            return Comparison(Verdict.WA, f"the tests print: {find_error_line(text)}")
    if key not in outcome.stdout:
        return Comparison(Verdict.RE, "the program ended before its tests did")
    return Comparison(Verdict.AC, None, "tests")


def _compare_reported(expected: Expected, printed: bytes, actual: Any) -> Comparison:
    """Compare a value that the test code reports. printed: what the tests may not print."""
    type_text = ""
    if expected.type_text:  # Go reports the type, too
        if not isinstance(actual, list) or len(actual) != 2:
            return Comparison(Verdict.RE, "the result was not sent whole")
        type_text, actual = actual
    if printed:
        return Comparison(Verdict.WA, f"the tests print: {find_error_line(printed)}")
    is_type_right = expected.type_text in ("", ANY_TYPE, type_text)
    if is_type_right and expected.accepts(actual):
        return Comparison(Verdict.AC, None, "tests")
    got = f"{type_text} {_format_value(actual)}".strip()
    return Comparison(Verdict.WA, f"{expected.source}: got {got}")


def _format_value(value: Any) -> str:
    """Return a value as JSON, which other languages than Python write like it, shortened."""
    try:
        text = json.dumps(codec.to_json(value))
    except (ValueError, TypeError):
        text = type(value).__name__
    return text if len(text) <= 100 else f"{text[:100]}…"


KIND = ProblemKind(list_series, count_tests, _add_tests, _refuse_broken_tests)
