"""Assert problems: literal comparisons are calls; the rest is test code in another process.

candidate's child  <== pipes ==>  test code's child (another fork server, which never runs
(serves calls)                    solutions) -> one report frame -> here

Whether test code can run like this is decided before any candidate runs: by the plan, and by a dry
run without a candidate. The dry run also shows whether the test code calls a candidate at all.
Beside a candidate, a value that cannot be sent between the processes is the candidate's failure.
A run that calls nothing of the candidate is its failure too.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache, partial
from typing import Any

from microcoder_eval.compare.values import format_value
from microcoder_eval.errors import UnjudgeableError
from microcoder_eval.languages import PYTHON, Language
from microcoder_eval.plain.gate import is_plain
from microcoder_eval.plain.state import keeps_state
from microcoder_eval.python_tests.assert_plan import AssertPlan, CallTest, Relation
from microcoder_eval.python_tests.given_names import GivenNames, add_imports, find_given_names
from microcoder_eval.python_tests.planning import plan
from microcoder_eval.python_tests.unsupported import NEEDS_IN_PROCESS
from microcoder_eval.records import Verdict
from microcoder_eval.records.flags import NOT_CALLED, TESTS_FAILED
from microcoder_eval.syntax import parse_structure
from microcoder_eval.worker.expectations import Comparison, Expectation, bound_nodes, expect_value
from microcoder_eval.worker.prepared_problem import PreparedProblem
from microcoder_eval.worker.program_files import ProgramFiles
from microcoder_eval.worker.solution import Build, ProblemKind, SolutionRun, TestCase, TestSeries
from microcoder_eval.worker.text_programs import TextProgram
from microcoder_eval.worker.verdicts import (
    TestRun,
    TestVerdict,
    describe_end,
    require_confined,
    was_killed_externally,
)
from microcoder_sandbox import (
    CallJob,
    Outcome,
    Program,
    ResourceLimits,
    RunnerReport,
    SandboxError,
    codec,
    make_pair_requests,
    protocol,
)

from .call import make_call_case
from .dry_runs import explain_unasked, make_test_job, require_runnable

_MAX_SHOWN = 100  # characters of a value in a verdict's detail
_CANNOT_CROSS = "result cannot be transferred"


_cached_plan = lru_cache(maxsize=8)(plan)  # the plan of long test code is large
_cached_names = lru_cache(maxsize=8)(find_given_names)


def _get_names(problem: PreparedProblem) -> GivenNames:
    definition = problem.definition
    return _cached_names(definition.test_code or "", definition.entry_point, problem.starter_code)


def _get_plan(problem: PreparedProblem) -> AssertPlan:
    """Return the plan of a problem. Raises UnjudgeableError when it cannot be judged out of
    process."""
    definition = problem.definition
    assert_plan = _cached_plan(
        definition.test_code or "", definition.entry_point, problem.starter_code
    )
    if assert_plan.unsupported is not None:
        raise UnjudgeableError(f"{NEEDS_IN_PROCESS}: {assert_plan.unsupported}")
    return assert_plan


def count_tests(problem: PreparedProblem) -> int:
    """Return how many tests the problem has."""
    assert_plan = _get_plan(problem)
    return len(assert_plan.tests) + (assert_plan.test_source is not None)


def _add_given_imports(problem: PreparedProblem, files: ProgramFiles, language: Language) -> Build:
    """Return a program with what the problem's text imports for it. Raises UnjudgeableError for
    other languages than Python."""
    if language is not PYTHON:
        raise UnjudgeableError(
            f"the problem's tests are in Python, and the program is in {language.name}"
        )
    source = add_imports(files.source, _get_names(problem).imports)
    return replace(files, source=source), language


def list_series(run: SolutionRun, text_program: TextProgram) -> Iterator[TestSeries]:
    """Yield the calls, then the remaining test code as one test."""
    program = text_program.python_program
    assert program is not None
    if not _get_names(run.problem).has_leetcode_names:
        program = replace(program, traits=program.traits | protocol.LACKS_PROGRAM_NAMES)
    assert_plan = _get_plan(run.problem)
    if assert_plan.test_source is not None:
        whole = assert_plan.together
        if whole is not None and _may_keep_state(program):
            yield _make_shared_series(run, program, whole, len(assert_plan.tests) + 1)
            return
        require_runnable(run, assert_plan)

    limits = run.make_limits()

    def make_case(index: int) -> TestCase:
        return _make_call_case(run, program, limits, index, assert_plan.tests[index])

    call_count = len(assert_plan.tests)
    run_together = None
    if assert_plan.together is not None and assert_plan.test_source is None:
        run_together = partial(_run_together, run, program, assert_plan.together)
    yield TestSeries(range(call_count), make_case, program, is_call=True, run_together=run_together)
    if assert_plan.test_source is not None:
        yield TestSeries(
            range(call_count, call_count + 1),
            lambda _index: _make_test_code_case(run, program, assert_plan),
        )


def _make_call_case(
    run: SolutionRun, program: Program, limits: ResourceLimits, index: int, test: CallTest
) -> TestCase:
    def make_job() -> CallJob:
        return CallJob(
            test.entry.replace("()", ""),
            class_first="class Solution" in run.problem.starter_code or "." in test.entry,
            args=codec.to_json(list(test.args)),
            kwargs=codec.to_json(dict(test.kwargs)),
            hints=run.problem.starter_hints,
            is_assertion=True,
            is_truth=test.relation in (Relation.TRUTHY, Relation.FALSY),
        )

    return make_call_case(run, program, limits, index, make_job, expect_relation(test))


def _may_keep_state(program: Program) -> bool:
    try:
        parse_structure(program.source.decode(errors="replace"))  # no child has compiled it yet
        return not is_plain(program.source, call=True) or keeps_state(program.source)
    except RecursionError:
        return True
    except (SyntaxError, ValueError):
        return False  # the first call tells what is wrong


def _make_shared_series(
    run: SolutionRun, program: Program, whole: AssertPlan, count: int
) -> TestSeries:
    """Return the tests of a program that may keep something from call to call, where calls and
    other test code alternate: one run of the whole test code decides all of them."""
    case = _make_test_code_case(run, program, whole)
    runs: list[TestRun] = []

    def run_whole() -> TestRun:
        runs.append(case.run())
        return runs[-1]

    def share_run() -> TestRun:
        outcome = runs[-1].outcome._replace(cpu_s=0.0, wall_s=0.0)
        return replace(runs[-1], outcome=outcome)

    return TestSeries(
        range(count), lambda _index: replace(case, run=share_run if runs else run_whole)
    )


def _run_together(
    run: SolutionRun, program: Program, whole: AssertPlan, is_plain: bool
) -> TestVerdict | None:
    """Run the whole test code for a program that may keep something from call to call. The limits
    of memory and output, which are those of one call, decide nothing if it reaches them."""
    if is_plain and not keeps_state(program.source):
        return None
    try:
        test_verdict = _make_test_code_case(run, program, whole).judge(run)
    except UnjudgeableError:
        return None
    deciding = (Verdict.AC, Verdict.WA, Verdict.RE, Verdict.TLE)
    is_decided = test_verdict.result.verdict in deciding
    cannot_cross = (test_verdict.result.detail or "").startswith(_CANNOT_CROSS)
    return test_verdict if is_decided and not cannot_cross else None


def _make_test_code_case(run: SolutionRun, program: Program, assert_plan: AssertPlan) -> TestCase:
    limits = run.make_limits()
    tests_limits = ResourceLimits(
        cpu_seconds=2 * limits.cpu_seconds + 5,
        wall_seconds=limits.wall_seconds + 5,
        memory_bytes=1 << 30,
        output_bytes=limits.output_bytes,
    )
    dry_run = require_runnable(run, assert_plan)
    job = make_test_job(run.problem, assert_plan, dry_run)
    must_answer = dry_run.reaches_candidate or not assert_plan.tests

    def run_pair() -> TestRun:
        requests = make_pair_requests(program, job, limits, tests_limits)
        candidate, tests_outcome = run.sandbox.run_together(*requests)
        require_confined(tests_outcome)
        if was_killed_externally(tests_outcome):
            raise SandboxError("the test code's process was ended from outside")
        if must_answer and not (tests_outcome.asked_candidate or dry_run.reaches_candidate):
            raise UnjudgeableError(explain_unasked(tests_outcome))
        return TestRun(candidate, read_report(tests_outcome, must_answer))

    return TestCase(run_pair, limits, Expectation(needs_result=True))


def expect_relation(test: CallTest) -> Expectation:
    """Expect a value in the relation that an assertion wrote down."""

    def accept(actual: Any) -> Comparison:
        if test.holds(actual):
            return Comparison(Verdict.AC, None, f"python_{test.relation}")
        return Comparison(Verdict.WA, f"{test.source}: got {_format_value(actual)}")

    return expect_value(accept, partial(bound_nodes, test.expected))


def _format_value(value: Any) -> str:
    text = format_value(value)
    return text if len(text) <= _MAX_SHOWN else f"{text[:_MAX_SHOWN]}…"


def read_report(tests_outcome: Outcome, must_answer: bool) -> Comparison:
    """Return what the report of the test code's process says of a candidate that ended without a
    fault. must_answer: whether the tests pass only a program that answered."""
    report = RunnerReport.decode(tests_outcome.result)
    if report is None and not tests_outcome.asked_candidate:
        detail = "the tests ended before they called the program"
        return Comparison(Verdict.WA, detail, flags=(NOT_CALLED,))
    if report is None:
        # Test code is trusted, so something that it received from the candidate has ended it.
        detail = f"the results end the test code: {describe_end(tests_outcome)}"
        return Comparison(Verdict.WA, detail, flags=(TESTS_FAILED,))
    if report.unsupported:
        return Comparison(Verdict.RE, f"{_CANNOT_CROSS}: {report.error}", flags=(TESTS_FAILED,))
    if report.passed and (report.candidate_answered or not must_answer):
        return Comparison(Verdict.AC, None, "assertions")
    if report.passed or not tests_outcome.asked_candidate:
        detail = "the tests called nothing of the program"
        return Comparison(Verdict.WA, detail, flags=(NOT_CALLED,))
    error = report.error or ""
    if report.candidate_died:
        return Comparison(Verdict.RE, error, flags=(TESTS_FAILED,))
    assertion = report.failed_assertion
    detail = f"{assertion}: {error}" if assertion else error
    if error.startswith("AssertionError"):
        return Comparison(Verdict.WA, detail)
    verdict = Verdict.MLE if error.startswith("MemoryError") else Verdict.RE
    return Comparison(Verdict.WA if report.exited else verdict, detail, flags=(TESTS_FAILED,))


KIND = ProblemKind(list_series, count_tests, _add_given_imports)
