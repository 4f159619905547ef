"""What users hold as messages to workers: a problem with its tests, and a program to run."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from microcoder_sandbox import ResourceLimits, codec

from .pool.payloads import ProblemPayload, SharedProblem, write_tests
from .records import HIGHEST_LIMIT, MIN_OUTPUT_MB, Kind, Limits, Problem, Solution, choose_wall_s
from .settings import JudgeOptions
from .worker.messages import (
    HoldProblem,
    ProgramRequest,
    ResolvedProblem,
    SolutionRequest,
    TextTest,
    ValueTest,
    encode,
)
from .worker.program_files import includes_testlib

_MIB = 1 << 20
SHARED_BYTES = 4 * _MIB  # of text tests, from which on workers share them
_PROBLEM_BYTES, _TEST_BYTES = 2048, 320  # what a worker's objects for them take, besides the texts


def make_payload(
    problem: Problem, options: JudgeOptions, language: str = "python"
) -> ProblemPayload:
    """Return a problem in the form that workers receive, for programs in one language. Problems
    that are judged alike have the same key."""
    time_scale = options.get_time_scale(language)
    key = f"{problem.tests_sha256} {options.config_sha256} {time_scale}"

    def encode_problem() -> bytes:
        return encode(HoldProblem(key, resolve_problem(problem, options, time_scale)))

    def share_problem() -> SharedProblem:
        file, extents = write_tests(_iterate_text_tests(problem, options))
        resolved = resolve_problem(replace(problem, tests=()), options, time_scale)
        return SharedProblem(encode(HoldProblem(key, resolved, extents)), file)

    is_shared = problem.kind is Kind.STDIN and problem.size >= SHARED_BYTES
    texts = problem.size if problem.kind is Kind.STDIN else 2 * problem.size
    programs = filter(None, (problem.checker, problem.interactor, problem.grader))
    languages = tuple([str(program.get("language") or "python") for program in programs])
    return ProblemPayload(
        key,
        # About how many bytes a worker holds for it.
        texts + _PROBLEM_BYTES + _TEST_BYTES * len(problem.tests),
        encode_problem,
        languages,
        share_problem if is_shared else None,
    )


def resolve_problem(problem: Problem, options: JudgeOptions, time_scale: float) -> ResolvedProblem:
    """Return a problem with its tests encoded, and the options that concern workers."""
    checker = None if options.ignore_checkers else problem.checker
    compare = checker or options.compare
    # Only what judging looks at: a caller's values may be of types that workers do not know.
    sent = Problem(
        "",
        problem.kind,
        entry_point=problem.entry_point,
        test_code=problem.test_code,
        interactor=dict(problem.interactor) if problem.interactor else None,
        includes={language: dict(files) for language, files in problem.includes.items()},
        starter_code=problem.starter_code,
        starter_codes=dict(problem.starter_codes),
        test_language=problem.test_language,
        groups=problem.groups,
        objective=problem.objective,
        grader=dict(problem.grader) if problem.grader else None,
    )
    return ResolvedProblem(
        sent,
        _encode_tests(problem, options),
        _resolve_limits(options.limits.fill_from(problem.limits), time_scale),
        compare if isinstance(compare, str) else dict(compare),
        options.testlib if needs_testlib(problem.checker, problem.interactor) else None,
        stop=options.stop,
        batch=options.isolation == "batch",
        adaptive=options.adaptive,
    )


def _resolve_limits(limits: Limits, scale: float) -> ResourceLimits:
    time_s = min(limits.effective_time_s * scale, HIGHEST_LIMIT)
    return ResourceLimits(
        cpu_seconds=time_s,
        wall_seconds=limits.wall_s * scale if limits.wall_s else choose_wall_s(time_s),
        memory_bytes=int(limits.effective_memory_mb * _MIB),
        output_bytes=0 if limits.output_mb is None else max(1, int(limits.output_mb * _MIB)),
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
    """Return a text in UTF-8, also one that holds half a surrogate pair."""
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


def needs_testlib(*programs: Mapping[str, Any] | None) -> bool:
    """Whether a checker or interactor includes testlib.h and does not bring it along."""
    return any(
        "source" in program
        and "testlib.h" not in (program.get("files") or {})
        and includes_testlib([program["source"], *(program.get("files") or {}).values()])
        for program in programs
        if program
    )


def make_solution_request(key: str, solution: Solution, hash_seed: int) -> SolutionRequest:
    """Return the request to judge a solution for the problem of that key."""
    texts = (solution.code, solution.response, solution.language)
    files = dict(solution.files)
    sent = Solution("", "", *texts, file=solution.file, files=files)  # without a caller's values
    return SolutionRequest(key, sent, hash_seed=hash_seed)


def make_program_request(
    code: str | bytes,
    stdin: str | bytes,
    language: str,
    limits: Limits,
    time_scale: float,
    arguments: Sequence[str],
    files: Mapping[str, str] | None,
) -> ProgramRequest:
    """Return the request for a run of a program without a test."""
    resolved = _resolve_limits(limits, time_scale)
    return ProgramRequest(
        code=encode_text(code) if isinstance(code, str) else code,
        stdin=encode_text(stdin) if isinstance(stdin, str) else stdin,
        language=language,
        limits=replace(resolved, output_bytes=resolved.output_bytes or int(MIN_OUTPUT_MB * _MIB)),
        arguments=tuple(arguments),
        files=dict(files or {}),
    )
