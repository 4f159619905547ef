"""What a worker's reply means: the verdict, status and score of a solution, or a program's run.

A solution's verdict is that of its first test that is not accepted, AC if all are. Where tests give
points, all points are AC. An answer without a program is CE.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from microcoder_sandbox import Phase, record

from .errors import JudgeError
from .languages import PYTHON, find_language
from .missing_packages import find_missing_module, find_missing_name
from .records import NOT_RUN, Judgement, Problem, Solution, Status, TestResult, Verdict
from .records.flags import ANSWERS_SUSPECTED, DERIVED_LIMIT, MISSING_PACKAGE, TRUNCATED
from .settings import JudgeOptions
from .solution_points import NO_POINTS, score_tests
from .version import __version__, list_installed_versions
from .worker.messages import PYTHON_NAME, FailureReply, ProgramReply, Reply, SolutionReply

MEMORY_METHOD = "maxrss"
LIMITS_DERIVED = "limits_derived"  # the key of a problem whose limit comes from its programs
NO_PROGRAM = "no finished program"  # the error of an answer without one
_MIB = 1 << 20


@record
class RunResult:
    """What a program did: the result of ``run``.

    stdout, stderr: text where the input was given as text (what is not UTF-8 replaced), bytes where
        it was bytes.
    exit: an exit code, or minus a signal's number.
    killed: the limit at which it was stopped ("cpu", "wall", "memory", "output"), else None.
    """

    stdout: Any
    stderr: Any
    exit: int
    cpu_s: float
    wall_s: float
    memory_mb: float
    killed: str | None
    sandbox_level: int


def make_judgement(
    problem: Problem, solution: Solution, reply: Reply, options: JudgeOptions
) -> Judgement:
    """Return a worker's reply as the verdict, status and score of a solution."""
    tests: tuple[TestResult, ...] = ()
    flags: tuple[str, ...] = ()
    code_sha256, error = "", None
    if isinstance(reply, FailureReply):
        error = reply.reason
    else:
        assert isinstance(reply, SolutionReply)
        tests, flags, code_sha256 = _list_tests(reply), reply.flags, reply.code_sha256
        error = next((t.detail for t in tests if t.verdict is Verdict.JE), None)
    if problem.multiple_answers_suspected is not None:
        flags = (*flags, ANSWERS_SUSPECTED)
    if missing_package := _find_missing_package(tests, solution, options.packages):
        flags = (*flags, MISSING_PACKAGE + missing_package)
    lacks_program = isinstance(reply, SolutionReply) and reply.results is None
    points = NO_POINTS
    if problem.groups and error is None:
        grades = reply.grades if isinstance(reply, SolutionReply) else {}
        tests, points = score_tests(problem, tests, grades, lacks_program=lacks_program)
    if error is not None:
        verdict, status, score = Verdict.JE, Status.ERROR, None
    elif lacks_program:
        verdict, status, score = Verdict.CE, Status.INCOMPLETE, 0.0
        error = NO_PROGRAM
    else:
        verdict, status, score = _decide_judgement(tests, flags, points.is_full)
    if verdict is Verdict.TLE and LIMITS_DERIVED in problem.meta:
        flags = (*flags, DERIVED_LIMIT)
    return Judgement(
        problem_id=problem.problem_id,
        solution_id=solution.solution_id,
        verdict=verdict,
        passed=verdict is Verdict.AC,
        score=score,
        status=status,
        tests=tests,
        error=error,
        flags=flags,
        sandbox_level=reply.level,
        memory_method=MEMORY_METHOD,
        isolation=options.isolation,
        tests_sha256=problem.tests_sha256,
        code_sha256=code_sha256,
        config_sha256=options.config_sha256,
        version=__version__,
        versions=_list_versions(reply, options),
        settings=options.changed_settings,
        meta=solution.meta,
        points=points.points,
        max_points=points.max_points,
        groups=points.groups,
    )


def _find_missing_package(
    tests: Sequence[TestResult], solution: Solution, packages: Sequence[str]
) -> str | None:
    """Return a package that the program imports and that is not installed here: of Python one that
    programs may import."""
    if find_language(solution.language) is PYTHON:
        modules = {find_missing_module(test.detail) for test in tests if test.verdict is Verdict.RE}
        return next((name for name in packages if name in modules), None)
    for name in filter(None, (find_missing_name(test.detail or "") for test in tests)):
        if not name.startswith((".", "/")) and name in (solution.find_code() or ""):
            return name
    return None


def _list_versions(reply: Reply, options: JudgeOptions) -> Mapping[str, str]:
    """Return the versions of what ran a program, and of the packages that it may have imported."""
    toolchain = reply.toolchain if isinstance(reply, SolutionReply) else ""
    name, _, number = toolchain.rpartition(" ")
    packages = list_installed_versions(options.packages) if name == PYTHON_NAME else {}
    return {name: number, **packages} if name else {}


def _list_tests(reply: SolutionReply) -> tuple[TestResult, ...]:
    """Return the results of all tests, those that did not run included."""
    results = [result or NOT_RUN for result in reply.results or ()]
    return (*results, *[NOT_RUN] * max(0, reply.test_count - len(results)))


def _decide_judgement(
    tests: tuple[TestResult, ...], flags: tuple[str, ...], has_full_points: bool | None
) -> tuple[Verdict, Status, float | None]:
    """Return the verdict, the status and the score. has_full_points: whether all points were
    reached, None if the problem has none or they are not known."""
    verdicts = [test.verdict for test in tests if test.verdict is not None]
    if not verdicts:
        return Verdict.JE, Status.ERROR, None
    verdict = next((v for v in verdicts if v is not Verdict.AC), Verdict.AC)
    is_correct = verdict is Verdict.AC if has_full_points is None else has_full_points
    if is_correct:
        return Verdict.AC, Status.CORRECT, 1.0
    if verdict is Verdict.AC:  # each test is accepted, and the sum is not the best possible
        verdict = Verdict.WA
    status = Status.INCOMPLETE if TRUNCATED in flags else Status.INCORRECT
    return verdict, status, _compute_score(verdicts, len(tests))


def _compute_score(verdicts: list[Verdict], test_count: int) -> float | None:
    """Return the share of tests passed, None if tests did not run that might have passed."""
    if Verdict.CE in verdicts:
        return 0.0
    if len(verdicts) < test_count:
        return None
    return sum(verdict is Verdict.AC for verdict in verdicts) / test_count


def make_run_result(reply: Reply, *, as_text: bool) -> RunResult:
    """Return a worker's reply as what a program did. Raises JudgeError when the sandbox failed."""
    if isinstance(reply, FailureReply):
        raise JudgeError(reply.reason)
    assert isinstance(reply, ProgramReply)
    outcome = reply.outcome
    exit_code = outcome.exit_code
    if exit_code > 0 and outcome.phase is Phase.COMPILE_FAILED:
        exit_code = 1  # Python's own; the child's status is only for the sandbox
    stdout: str | bytes = outcome.stdout
    stderr: str | bytes = outcome.stderr
    if as_text:
        stdout = outcome.stdout.decode("utf-8", "replace")
        stderr = outcome.stderr.decode("utf-8", "replace")
    return RunResult(
        stdout=stdout,
        stderr=stderr,
        exit=exit_code,
        cpu_s=outcome.cpu_s,
        wall_s=outcome.wall_s,
        memory_mb=(outcome.peak_memory or 0) / _MIB,
        killed=None if outcome.killed is None else str(outcome.killed),
        sandbox_level=reply.level,
    )
