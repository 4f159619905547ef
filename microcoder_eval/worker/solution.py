"""In a worker: one solution as all of its tests see it, and its tests as kinds yield them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import TypeAlias

from microcoder_eval.languages import Language
from microcoder_eval.points import list_needed_tests, may_be_full
from microcoder_eval.records import TestResult
from microcoder_eval.solution_points import list_outcomes
from microcoder_sandbox import Program, ResourceLimits, record

from .expectations import Expectation
from .judge_programs.checked_outputs import CheckerBudget
from .messages import SolutionRequest
from .prepared_problem import PreparedProblem
from .program_files import ProgramFiles
from .retry import retry_test
from .text_programs import TextProgram, WorkerContext
from .verdicts import TestRun, TestVerdict, decide_verdict

Build: TypeAlias = tuple[ProgramFiles, Language]  # files, and the language that they are built as


class SolutionRun:
    """One solution and the tests of its problem.

    checker, interactor: the problem's own, None where it has none.
    batch: whether several tests may share a child, if the program is plain.
    order: the tests by index, as they are run.
    stops_early: whether they stop once the solution cannot pass.
    alone, hash_seed: see ``SolutionRequest``.
    """

    def __init__(
        self,
        context: WorkerContext,
        problem: PreparedProblem,
        request: SolutionRequest,
        test_count: int,
    ) -> None:
        resolved = problem.resolved
        self.context = context
        self.sandbox = context.sandbox
        self.checker = problem.get_checker(context)
        self.interactor = problem.get_interactor(context)
        self.checker_budget = CheckerBudget()
        self.problem = problem
        self.alone = request.alone
        self.hash_seed = request.hash_seed
        self.batch = resolved.batch and not request.alone and not problem.limits.folder_bytes
        self.order: Sequence[int] = range(test_count)
        # With points, run all tests that the points depend on, not only those up to a failure.
        self._keeps_points = bool(problem.groups) and resolved.stop == "first_failure"
        self.stops_early = resolved.stop != "never" and not self._keeps_points
        if resolved.adaptive and self.stops_early and problem.tests:
            counts = problem.failure_counts
            self.order = sorted(problem.tests_by_size, key=lambda index: -counts[index])

    def select_needed(self, indices: list[int], results: Sequence[TestResult | None]) -> list[int]:
        """Return the tests to be run that the points still need, given the results so far."""
        if not self._keeps_points:
            return indices
        needed_indices = self.list_needed(results)
        return [index for index in indices if index in needed_indices]

    def is_lost(self, results: Sequence[TestResult | None]) -> bool:
        """Whether the tests end here, after a failed one. With points, they end once the others
        cannot give all of them."""
        if not self.stops_early or not self.problem.groups:
            return self.stops_early
        outcomes = list_outcomes(results, len(self.problem.tests))
        objective = self.problem.definition.objective
        has_scores = self.checker is not None or self.interactor is not None
        return not may_be_full(self.problem.groups, outcomes, objective, has_scores=has_scores)

    def list_needed(self, results: Sequence[TestResult | None]) -> set[int]:
        """Return the tests that have not run and that the points need."""
        outcomes = list_outcomes(results, len(self.problem.tests))
        return list_needed_tests(self.problem.groups, outcomes)

    def make_limits(self, expected_bytes: int = 0) -> ResourceLimits:
        """Return the limits of one test. expected_bytes: the size of its expected output."""
        return self.problem.make_limits(expected_bytes, self.alone)


@record
class TestCase:
    """One test of a program.

    run: runs the program once, in a child of its own. load_input: returns the bytes that a batch
    child reads for this test: the text, or the encoded call.
    """

    run: Callable[[], TestRun]
    limits: ResourceLimits
    expectation: Expectation
    load_input: Callable[[], bytes] = bytes  # by default empty

    def judge(self, run: SolutionRun) -> TestVerdict:
        """Run it in a child of its own; repeat a run whose outcome the machine caused."""
        return retry_test(run.sandbox, self.run, partial(self.decide_verdict, run))

    def decide_verdict(self, run: SolutionRun, test_run: TestRun) -> TestVerdict:
        """Return the verdict on one run. Raises SandboxError when the program was not started."""
        time_limit = run.problem.limits.cpu_seconds
        outcome, earlier = test_run.outcome, test_run.comparison
        return decide_verdict(outcome, self.limits, time_limit, self.expectation, earlier=earlier)


@record
class TestSeries:
    """Tests of one program that run one after another.

    indices: the tests' indices, in the order of their runs.
    make_case: makes the test of an index when it is due.
    program: the program of which one child may run several of these tests, None if each needs a
        child of its own.
    is_call: whether the tests call a function.
    run_together: runs all of these tests in one process, in their order, as their author does;
        called once the first one has passed, with whether the program is plain. It returns None if
        that decides nothing.
    """

    indices: Sequence[int]
    make_case: Callable[[int], TestCase]
    program: Program | None = None
    is_call: bool = False
    run_together: Callable[[bool], TestVerdict | None] | None = None


@record
class ProblemKind:
    """A kind of problem, as ``kinds`` lists them. Each function may raise UnjudgeableError.

    list_series: yields the tests of a program.
    count_tests: counts them, run or not; by default those that the problem stores.
    add_code: returns what is built of a program's files; by default these alone.
    check_compile_error: raises where it is the problem's fault that a program does not compile; it
        is given the compiler's message.
    """

    list_series: Callable[[SolutionRun, TextProgram], Iterator[TestSeries]]
    count_tests: Callable[[PreparedProblem], int] = lambda problem: len(problem.tests)
    add_code: Callable[[PreparedProblem, ProgramFiles, Language], Build] = (
        lambda _problem, files, language: (files, language)
    )
    check_compile_error: Callable[[SolutionRun, str], None] = lambda _run, _message: None
