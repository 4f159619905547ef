"""In a worker: one solution against the tests of its problem, start to end.

Kinds yield the test cases. Here they are run, in batches or alone; runs with no usable outcome are
repeated, and the tests end where the options say so.
"""

from __future__ import annotations

import sys
from contextlib import closing
from dataclasses import replace

from microcoder_eval.errors import CompileError
from microcoder_eval.extract import extract
from microcoder_eval.languages import PYTHON, Language, find_language
from microcoder_eval.misfits import describe_misfit, find_misfit
from microcoder_eval.points import Grade
from microcoder_eval.program_hash import code_sha256
from microcoder_eval.records import TestResult, Verdict
from microcoder_eval.records.flags import OTHER_LANGUAGE, RERUN_ALONE, TRUNCATED
from microcoder_sandbox import find_toolchain

from .batching import Batch
from .error_lines import MAX_DETAIL_CHARS
from .expectations import Comparison
from .kinds import find_kind
from .messages import PYTHON_NAME, SolutionReply, SolutionRequest
from .prepared_problem import PreparedProblem
from .program_files import ProgramFiles, gather_files
from .solution import ProblemKind, SolutionRun, TestSeries
from .text_programs import WorkerContext, prepare_text_program
from .verdicts import TestVerdict, judge_without_run

_PYTHON = f"{PYTHON_NAME} {'.'.join(map(str, sys.version_info[:3]))}"


def judge_solution(
    context: WorkerContext, problem: PreparedProblem, request: SolutionRequest
) -> SolutionReply:
    """Judge one solution. Raises SandboxError when the judge itself failed, UnjudgeableError."""
    solution = request.solution
    code = solution.code
    flags: tuple[str, ...] = ()
    if code is None:
        extraction = extract(solution.response or "", solution.language)
        code = extraction.code
        flags += (TRUNCATED,) if extraction.truncated else ()
        if extraction.other_language:
            flags += (OTHER_LANGUAGE + extraction.other_language,)
    if request.alone:
        flags += (RERUN_ALONE,)
    if code is None:
        return SolutionReply(context.sandbox.level, None, flags, code_sha256("", "python"))
    language = find_language(solution.language) or PYTHON  # readers refuse all others
    files = gather_files(language, code, solution.file, solution.files, problem.definition.includes)
    kind = find_kind(problem.definition, language)
    test_count = kind.count_tests(problem)
    run = SolutionRun(context, problem, request, test_count)
    results = _run_tests(run, kind, files, language)
    if results.is_compile_error() and (misfit := find_misfit(code, language.name)):
        results.explain_compile_error(misfit)
    grades: dict[str, Grade] = {}
    if problem.definition.grader is not None and not run.list_needed(results.by_index):
        # Late, as the rarer kinds: each worker stays smaller.
        from .judge_programs.graders import grade_groups

        grades, grader_flags = grade_groups(
            context, problem.definition.grader, problem.groups, results.by_index, test_count
        )
        results.flags += grader_flags
    return SolutionReply(
        context.sandbox.level,
        tuple(results.by_index),
        (*flags, *results.flags),
        code_sha256(code, language.name, solution.file, solution.files),
        results.contended,
        test_count,
        _describe_toolchain(language),
        grades,
    )


def _describe_toolchain(language: Language) -> str:
    """Return name and version of what compiles or runs programs in a language."""
    if language is PYTHON:
        return _PYTHON
    toolchain = find_toolchain(language.toolchain)
    return "" if toolchain is None else toolchain.version


class TestResults:
    """The results of one solution's tests, by index."""

    def __init__(self, problem: PreparedProblem) -> None:
        self.by_index: list[TestResult | None] = []
        self.flags: list[str] = []
        self.contended = False
        self._problem = problem

    def record(self, index: int, test_verdict: TestVerdict) -> Verdict | None:
        """Keep the result of one test; returns its verdict."""
        missing_count = index + 1 - len(self.by_index)
        self.by_index += [None] * missing_count
        result = _apply_score(self._problem, index, test_verdict)
        self.by_index[index] = result
        self.contended |= test_verdict.contended
        self.flags += [flag for flag in test_verdict.flags if flag not in self.flags]
        if result.verdict is not Verdict.AC:
            self._problem.failure_counts[index] += 1
        return result.verdict

    def is_compile_error(self) -> bool:
        """Whether the program does not compile, or lacks its entry point."""
        return any(result and result.verdict is Verdict.CE for result in self.by_index)

    def explain_compile_error(self, misfit: str) -> None:
        """Add what the text seems to be, a flag of ``misfits``, to the flags and the message."""
        self.flags.append(misfit)
        note = f"; {describe_misfit(misfit)}"
        for index, result in enumerate(self.by_index):
            if result is not None and result.verdict is Verdict.CE:
                detail = (result.detail or "")[: MAX_DETAIL_CHARS - len(note)] + note
                self.by_index[index] = replace(result, detail=detail)

    def has_failure(self) -> bool:
        """Whether a test that was run failed."""
        return any(result and result.verdict is not Verdict.AC for result in self.by_index)


def _apply_score(problem: PreparedProblem, index: int, test_verdict: TestVerdict) -> TestResult:
    """Return the test's result with the points that its checker gave.

    A partial score is a wrong answer if the problem has no points, or if the score is a share and
    the test has no points to take it of.
    """
    result, score = test_verdict.result, test_verdict.comparison.score
    if score is None:
        return result
    if problem.groups and not score.is_share:
        return replace(result, points=score.value)
    test_points = problem.passing_points.get(index)
    if test_points is None:
        return replace(result, verdict=Verdict.WA, matched_by=None) if score.is_partial else result
    return replace(result, points=score.value * test_points)


def _run_tests(
    run: SolutionRun, kind: ProblemKind, files: ProgramFiles, language: Language
) -> TestResults:
    """Run the tests in order; stop at a compile error or, where one is enough, a failure."""
    results = TestResults(run.problem)
    try:
        build = kind.add_code(run.problem, files, language)
        program = prepare_text_program(run.context, *build, hash_seed=run.hash_seed)
    except CompileError as error:
        kind.check_compile_error(run, str(error))
        for index in run.order[:1]:
            results.record(index, judge_without_run(Comparison(Verdict.CE, str(error))))
        return results
    with closing(program):
        for series in kind.list_series(run, program):
            if not _SeriesRun(run, series, results).run_tests():
                break
    return results


class _SeriesRun:
    """The tests of one series for one solution, as far as they have to run."""

    def __init__(self, run: SolutionRun, series: TestSeries, results: TestResults) -> None:
        self._run = run
        self._series = series
        self._results = results
        self._batch = None if series.program is None else Batch(run, series, series.program)
        self._pending = list(series.indices)

    def run_tests(self) -> bool:
        """Run the tests; return whether further series are to be run."""
        if self._pending and not self._run_next():
            return False
        failure = self._run_together()
        is_too_slow = failure is not None and failure.result.verdict is Verdict.TLE
        # Alone, a later call would fail because it lacks what earlier ones left.
        while self._pending and (failure is None or is_too_slow or not self._run.stops_early):
            if not self._run_next():
                return False
        if failure is None or self._results.has_failure():
            return True
        if is_too_slow and not self._are_fast():
            return True  # the time of one call is too short for all of them
        # Each call passes in a process of its own, and not all of them in one.
        self._results.record(self._series.indices[-1], failure)
        return not self._run.stops_early

    def _run_together(self) -> TestVerdict | None:
        """Run all tests in one process where their author does. If they pass, record this for the
        tests that are left; else return the failure, if there is one."""
        run_together = self._series.run_together
        if run_together is None or self._batch is None or self._results.has_failure():
            return None
        test_verdict = run_together(self._batch.is_plain())
        if test_verdict is None or test_verdict.result.verdict is not Verdict.AC:
            return test_verdict
        while self._pending:
            self._results.record(self._pending.pop(0), _share(test_verdict))
        return None

    def _run_next(self) -> bool:
        """Run the next test, or several in one child; return whether further ones are to be run. If
        points are kept, drop tests that the points no longer depend on."""
        test_verdicts = self._judge_next()
        for test_verdict in test_verdicts:
            verdict = self._results.record(self._pending.pop(0), test_verdict)
            is_failure = verdict is not Verdict.AC
            if verdict is Verdict.CE or (is_failure and self._run.is_lost(self._results.by_index)):
                return False
        if test_verdicts[-1].result.verdict is not Verdict.AC:
            self._pending = self._run.select_needed(self._pending, self._results.by_index)
        return True

    def _judge_next(self) -> list[TestVerdict]:
        """Return the verdicts on the next test, or on several from it on."""
        refusal = self._run.checker_budget.refuse_test()
        if refusal is not None:
            return [judge_without_run(refusal)]
        test_verdicts = [] if self._batch is None else self._batch.run_tests(self._pending)
        return test_verdicts or [self._series.make_case(self._pending[0]).judge(self._run)]

    def _are_fast(self) -> bool:
        """Whether all tests together take less than half of what one test may."""
        results = map(self._results.by_index.__getitem__, self._series.indices)
        run_results = [result for result in results if result]
        limits = self._run.make_limits()
        return (
            sum(result.cpu_s for result in run_results) < limits.cpu_seconds / 2
            and sum(result.wall_s for result in run_results) < limits.wall_seconds / 2
        )


def _share(test_verdict: TestVerdict) -> TestVerdict:
    """Return the verdict for one of several tests that ran together; what they used is not known
    of each."""
    return replace(test_verdict, result=replace(test_verdict.result, cpu_s=0.0, wall_s=0.0))
