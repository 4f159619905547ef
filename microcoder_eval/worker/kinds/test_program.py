"""Assert problems whose test code is compiled together with the program and runs in its process.

Every verdict carries the flag ``tests_in_process``: the expected values are in the program's
process, and a program that is written to deceive its tests can.
"""

from __future__ import annotations

import re
import secrets
from collections.abc import Iterator
from dataclasses import replace

from microcoder_eval.errors import UnjudgeableError
from microcoder_eval.languages import TEST_LANGUAGES, Language
from microcoder_eval.records import Verdict
from microcoder_eval.worker.drivers.tests import KEY_CHARS, make_test_program
from microcoder_eval.worker.problem import PreparedProblem
from microcoder_eval.worker.program_files import ProgramFiles
from microcoder_eval.worker.test_cases import SolutionRun, TestCase, TestSeries
from microcoder_eval.worker.text_programs import TextProgram
from microcoder_eval.worker.verdicts import Comparison, Expectation, get_last_line
from microcoder_sandbox import Outcome

IN_PROCESS = "tests_in_process"
_SILENT = "javascript_silent"
# A header of C++, a package of Java.
_MISSING = re.compile(r"fatal error: ([\w./+-]+): No such file|package ([\w.]+) does not exist")
# How a failed assertion is told by the libraries that tests use. It says WA instead of RE only.
_FAILED = re.compile(rb"assertion|AssertionError|--- FAIL|panicked at", re.IGNORECASE)


def add_tests(
    problem: PreparedProblem, files: ProgramFiles, language: Language
) -> tuple[ProgramFiles, Language]:
    """Return the program with the tests, and how both are built. Raises UnjudgeableError."""
    spec = problem.spec
    build = TEST_LANGUAGES[spec.test_language or ""]
    if build.name != language.name:
        raise UnjudgeableError(
            f"the problem's tests are in {build.name}, and the program is in {language.name}; a "
            f'program in {build.name} says so by "language": "{build.name}", '
            f"or --language {build.name}"
        )
    program = make_test_program(
        spec.test_language or "", files.source, spec.test_code or "", problem.starter_code
    )
    return replace(program, others={**files.others, **program.others}), build


def refuse_missing(problem: PreparedProblem, message: str) -> None:
    """Raise UnjudgeableError where a compiler misses what the problem itself includes or imports:
    no program for it compiles here."""
    match = _MISSING.search(message)
    spec = problem.spec
    if match is None or spec.test_language is None:
        return
    name = next(filter(None, match.groups()))
    # The whole directive: a program that includes what is nowhere is at fault itself.
    directive = rf'#\s*include\s*[<"]{re.escape(name)}[>"]|import\s+{re.escape(name)}\.'
    if re.search(directive, f"{problem.starter_code}\n{spec.test_code}"):
        raise UnjudgeableError(f"the problem needs {name}, which this machine does not have")


def list_series(run: SolutionRun, program: TextProgram) -> Iterator[TestSeries]:
    """All test code as one test."""
    limits = run.make_limits()
    expectation = KeyExpectation(is_silent=run.problem.spec.test_language == _SILENT)

    def run_once() -> Outcome:
        expectation.key = secrets.token_hex(KEY_CHARS // 2).encode()
        return program.run(expectation.key, limits, run.problem.limits.folder_bytes)

    def run_tests() -> Outcome:
        outcome = run_once()
        output = outcome.stderr[-4096:] + outcome.stdout[-4096:]
        expectation.failure = ""
        if outcome.killed is None and outcome.status and _FAILED.search(output):
            expectation.failure = _find_failure(output)
            return outcome._replace(status=0)
        return outcome

    yield TestSeries(range(1), lambda _index: TestCase(run_tests, limits, expectation))


def _find_failure(output: bytes) -> str:
    lines = output.decode("utf-8", "replace").splitlines()
    return next((line.strip() for line in lines if _FAILED.search(line.encode())), "failed")


class KeyExpectation(Expectation):
    """The key at the end of standard output, which is written when the tests have returned.

    is_silent: tests fail where anything else is printed. failure: how an assertion failed, ""
    where none did.
    """

    flags = (IN_PROCESS,)

    def __init__(self, *, is_silent: bool) -> None:
        self._is_silent = is_silent
        self.key = b""
        self.failure = ""

    def compare(self, outcome: Outcome) -> Comparison:
        """See Expectation."""
        if self.failure:
            return Comparison(Verdict.WA, self.failure)
        if self._is_silent and (outcome.stderr or outcome.stdout.strip() != self.key):
            text = outcome.stderr or outcome.stdout.replace(self.key, b"")
            if text:
                return Comparison(Verdict.WA, f"the tests print: {get_last_line(text)}")
        if not outcome.stdout.endswith(self.key):
            return Comparison(Verdict.RE, "the program ended before its tests did")
        return Comparison(Verdict.AC, None, "tests")
