"""Between the records that users hold and the messages of workers, in both directions."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from microcoder_sandbox import Outcome, Phase, ResourceLimits, codec, record

from .errors import JudgeError
from .points import encode_groups
from .pool.problems import ProblemPayload, SharedProblem, write_tests
from .records import (
    DEFAULT_MEMORY_MB,
    DEFAULT_TIME_S,
    HIGHEST_LIMIT,
    MIN_OUTPUT_MB,
    NOT_RUN,
    Judgement,
    Kind,
    Limits,
    Problem,
    Solution,
    Status,
    TestResult,
    Verdict,
)
from .results.scoring import NO_POINTS, score_tests
from .settings import JudgeOptions
from .version import __version__, list_installed_versions
from .worker.messages import (
    PYTHON_NAME,
    FailureReply,
    HoldProblem,
    ProblemSpec,
    ProgramReply,
    ProgramRequest,
    Reply,
    SolutionReply,
    TestLimits,
    TextTest,
    ValueTest,
    WorkerOptions,
    encode,
)
from .worker.program_files import includes_testlib

MEMORY_METHOD = "maxrss"
LIMITS_DERIVED = "limits_derived"  # the key of a problem whose limit comes from its programs
NO_PROGRAM = "no finished program"  # the error of an answer without one
_MISSING_MODULE = "ModuleNotFoundError: No module named '{}'"  # the last line of a traceback
_MIB = 1 << 20
SHARED_BYTES = 4 * _MIB  # of text tests, from which on workers share them
_PROBLEM_BYTES, _TEST_BYTES = 2048, 320  # what a worker's objects for them take, besides the texts


@record
class RunResult:
    """What a program did: the result of ``run``.

    stdout, stderr: text where the input was given as text (what is not UTF-8 replaced), bytes
    where it was bytes. exit: an exit code, or minus a signal's number. killed: the limit at
    which it was stopped ("cpu", "wall", "memory", "output"), else None.
    """

    stdout: Any
    stderr: Any
    exit: int
    cpu_s: float
    wall_s: float
    memory_mb: float
    killed: str | None
    sandbox_level: int


def make_payload(
    problem: Problem, options: JudgeOptions, language: str = "python"
) -> ProblemPayload:
    """Return a problem in the form that workers receive, for programs in one language. Problems
    that are judged alike have the same key."""
    time_scale = options.get_time_scale(language)
    key = f"{problem.tests_sha256} {options.config_sha256} {time_scale}"

    def encode_problem() -> bytes:
        return encode(HoldProblem(key, make_problem_spec(problem, options, time_scale)))

    def share_problem() -> SharedProblem:
        file, extents = write_tests(_iterate_text_tests(problem, options))
        spec = make_problem_spec(replace(problem, tests=()), options, time_scale)
        return SharedProblem(encode(HoldProblem(key, spec, extents)), file)

    is_shared = problem.kind is Kind.STDIN and problem.size >= SHARED_BYTES
    programs = filter(None, (problem.checker, problem.interactor, problem.grader))
    languages = tuple([str(program.get("language") or "python") for program in programs])
    return ProblemPayload(
        key,
        estimate_size(problem),
        encode_problem,
        languages,
        share_problem if is_shared else None,
    )


def make_problem_spec(problem: Problem, options: JudgeOptions, time_scale: float) -> ProblemSpec:
    """Return a problem with its tests encoded, and the options that concern workers."""
    checker = None if options.ignore_checkers else problem.checker
    compare = checker or options.compare
    return ProblemSpec(
        kind=problem.kind,
        tests=_encode_tests(problem, options),
        entry_point=problem.entry_point,
        starter_code=problem.starter_code,
        test_code=problem.test_code,
        compare=compare if isinstance(compare, str) else dict(compare),
        interactor=dict(problem.interactor) if problem.interactor else None,
        testlib=options.testlib if needs_testlib(problem.checker, problem.interactor) else None,
        includes={language: dict(files) for language, files in problem.includes.items()},
        limits=_resolve_limits(options.limits.fill_from(problem.limits), time_scale),
        options=WorkerOptions(
            stop_early=options.stop != "never",
            batch=options.isolation == "batch",
            adaptive=options.adaptive,
            keep_points=options.stop != "passed_only",
        ),
        groups=encode_groups(problem.groups),
        grader=dict(problem.grader) if problem.grader else None,
        starter_codes=dict(problem.starter_codes),
        test_language=problem.test_language,
    )


def _resolve_limits(limits: Limits, scale: float) -> TestLimits:
    time_s = min((limits.time_s or DEFAULT_TIME_S) * scale, HIGHEST_LIMIT)
    return TestLimits(
        time_s=time_s,
        wall_s=limits.wall_s * scale if limits.wall_s else max(3 * time_s, time_s + 2),
        memory_bytes=int((limits.memory_mb or DEFAULT_MEMORY_MB) * _MIB),
        output_bytes=None if limits.output_mb is None else int(limits.output_mb * _MIB),
        folder_bytes=int((limits.files_mb or 0) * _MIB),
    )


def _encode_tests(
    problem: Problem, options: JudgeOptions
) -> tuple[TextTest, ...] | tuple[ValueTest, ...]:
    if problem.kind is Kind.STDIN:
        return tuple(_iterate_text_tests(problem, options))
    return tuple(
        ValueTest(codec.to_json(test.input), codec.to_json(test.kwargs), codec.to_json(test.output))
        for test in problem.tests
    )


def _iterate_text_tests(problem: Problem, options: JudgeOptions) -> Iterator[TextTest]:
    passes_args = problem.interactor is not None or not options.ignore_checkers
    for test in problem.tests:
        yield TextTest(
            encode_text(normalize_newlines(test.input)),
            encode_text(test.output),
            test.checker_args if passes_args else None,
        )


def encode_text(text: str) -> bytes:
    """UTF-8, of texts that hold half a surrogate pair, too."""
    return text.encode("utf-8", "surrogatepass")


def normalize_newlines(text: str) -> str:
    """Return an input stored with DOS line ends (all, or all but the last) as judges give it to
    programs: with line feeds. One that mixes them, or holds a lone CR, stays as it is."""
    crlf_count = text.count("\r\n")
    last_is_bare = text.endswith("\n") and not text.endswith("\r\n")
    if (
        not crlf_count
        or text.count("\r") != crlf_count
        or text.count("\n") - crlf_count != last_is_bare
    ):
        return text
    return text.replace("\r\n", "\n")


def estimate_size(problem: Problem) -> int:
    """About how many bytes a worker holds for this problem."""
    texts = problem.size if problem.kind is Kind.STDIN else 2 * problem.size
    return texts + _PROBLEM_BYTES + _TEST_BYTES * len(problem.tests)


def needs_testlib(*programs: Mapping[str, Any] | None) -> bool:
    """Whether a checker or interactor includes testlib.h and does not bring it along."""
    return any(
        "source" in program
        and "testlib.h" not in (program.get("files") or {})
        and includes_testlib([program["source"], *(program.get("files") or {}).values()])
        for program in programs
        if program
    )


def make_program_request(
    code: str | bytes,
    stdin: str | bytes,
    language: str,
    limits: Limits,
    time_scale: float,
    arguments: Sequence[str] = (),
    files: Mapping[str, str] | None = None,
) -> ProgramRequest:
    """Return a run of a program without a test."""
    test_limits = _resolve_limits(limits, time_scale)
    output_bytes = test_limits.output_bytes
    return ProgramRequest(
        code=encode_text(code) if isinstance(code, str) else code,
        stdin=encode_text(stdin) if isinstance(stdin, str) else stdin,
        language=language,
        limits=ResourceLimits(
            cpu_seconds=test_limits.time_s,
            wall_seconds=test_limits.wall_s,
            memory_bytes=test_limits.memory_bytes,
            output_bytes=int(MIN_OUTPUT_MB * _MIB) if output_bytes is None else output_bytes,
        ),
        folder_bytes=test_limits.folder_bytes,
        arguments=tuple(arguments),
        files=dict(files or {}),
    )


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
        flags = (*flags, "multiple_answers_suspected")
    if missing_package := _find_missing_package(tests, options.packages):
        flags = (*flags, f"missing_package:{missing_package}")
    is_unfinished = isinstance(reply, SolutionReply) and reply.results is None
    points = NO_POINTS
    if problem.groups and error is None:
        grades = reply.grades if isinstance(reply, SolutionReply) else {}
        tests, points = score_tests(problem, tests, grades, is_unfinished=is_unfinished)
    if error is not None:
        verdict, status, score = Verdict.JE, Status.ERROR, None
    elif is_unfinished:
        verdict, status, score = Verdict.CE, Status.INCOMPLETE, 0.0
        error = NO_PROGRAM
    else:
        verdict, status, score = _decide_judgement(tests, flags, points.is_full)
    if verdict is Verdict.TLE and LIMITS_DERIVED in problem.meta:
        flags = (*flags, "derived_limit")
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


def _find_missing_package(tests: tuple[TestResult, ...], packages: Sequence[str]) -> str | None:
    """Return the package that a program may import and failed to, since it is not installed
    here."""
    details = {test.detail for test in tests if test.verdict is Verdict.RE}
    return next((name for name in packages if _MISSING_MODULE.format(name) in details), None)


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
    """has_full_points: None: the problem has no points, or they are not known."""
    verdicts = [test.verdict for test in tests if test.verdict is not None]
    if not verdicts:
        return Verdict.JE, Status.ERROR, None
    verdict = next((v for v in verdicts if v is not Verdict.AC), Verdict.AC)
    if has_full_points if has_full_points is not None else verdict is Verdict.AC:
        return Verdict.AC, Status.CORRECT, 1.0
    if verdict is Verdict.AC:  # each test is accepted, and the sum is not the best possible
        verdict = Verdict.WA
    status = Status.INCOMPLETE if "truncated" in flags else Status.INCORRECT
    return verdict, status, _compute_score(verdicts, len(tests))


def _compute_score(verdicts: list[Verdict], test_count: int) -> float | None:
    """Return the share of tests passed. None: not known, as tests did not run that might have
    passed."""
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
    stdout: str | bytes = outcome.stdout
    stderr: str | bytes = outcome.stderr
    if as_text:
        stdout = outcome.stdout.decode("utf-8", "replace")
        stderr = outcome.stderr.decode("utf-8", "replace")
    return RunResult(
        stdout=stdout,
        stderr=stderr,
        exit=_read_exit_code(outcome),
        cpu_s=outcome.cpu_s,
        wall_s=outcome.wall_s,
        memory_mb=(outcome.peak_memory or 0) / _MIB,
        killed=None if outcome.killed is None else str(outcome.killed),
        sandbox_level=reply.level,
    )


def _read_exit_code(outcome: Outcome) -> int:
    exit_code = outcome.exit_code
    if exit_code > 0 and outcome.phase is Phase.COMPILE_FAILED:
        return 1  # as python's own; the child's number for it is between us and the sandbox
    return exit_code
