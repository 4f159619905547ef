"""The judge as a library: ``judge``, ``run`` and the warm pool ``Judge``.

Safe from any thread, from asyncio, from a daemonic process and from a fork of the caller;
importing this starts nothing and touches nothing of the caller's.
"""

from __future__ import annotations

import json
import os
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, wait
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, Unpack

from microcoder_sandbox import codec
from microcoder_sandbox.cage import make_plan
from microcoder_sandbox.outcome import CageUnavailableError, Phase

from .cores import usable_cores
from .errors import DataError, JudgeError
from .languages import NAMES, find_language
from .link import ProblemPayload, Task
from .memo import Memo
from .pool import Pool
from .records import (
    DEFAULT_MEMORY_MB,
    DEFAULT_TIME_S,
    MIN_OUTPUT_MB,
    Judgement,
    Kind,
    Limits,
    Problem,
    Solution,
    Status,
    TestResult,
    Verdict,
    sha256_of,
)
from .settings import DEFAULT_PACKAGES, JudgeOptions, Settings
from .version import __version__

if TYPE_CHECKING:
    from .ray_pool import RayPool

ENGINES = ("local", "ray")
MEMORY_METHOD = "maxrss"
_PROBLEM_BYTES, _TEST_BYTES = 2048, 320  # what a worker's objects for them take, besides the texts
SolutionLike = Solution | Mapping[str, Any] | str
TestsLike = Problem | Mapping[str, Any] | Sequence[Mapping[str, Any]] | str | os.PathLike[str]


@dataclass(frozen=True, slots=True)
class RunResult:
    """What a program did: ``run``'s answer.

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


class Judge:
    """A warm pool of judge workers.

    workers: processes, one busy core each (default: the cores this process may use).
    engine: "local", or "ray": the nodes of a Ray cluster, `workers` on each (default: its cores).
    max_pending: how many solutions may be queued or running before ``submit`` blocks.
    The other keywords are those of ``judge``; max_level holds the isolation below what it could
    be, for tests. testlib: the path of testlib.h, or of its folder, for checkers that include it.
    reuse: judge identical programs of a problem once (False: each time anew, to find flaky ones).
    adaptive: under "first_failure", run those tests first that other programs failed.
    profile is not available yet.
    Raises JudgeError when it cannot start here.
    """

    def __init__(
        self,
        workers: int | None = None,
        engine: str = "local",
        max_pending: int = 1024,
        *,
        limits: Limits | None = None,
        compare: str | Mapping[str, Any] = "calibrated",
        stop: str = "first_failure",
        isolation: str | None = None,
        packages: Sequence[str] = DEFAULT_PACKAGES,
        ignore_checkers: bool = False,
        time_scale: float = 1.0,
        min_level: int = 3,
        allow_unsafe: bool = False,
        adaptive: bool = False,
        profile: str | None = None,
        testlib: str | None = None,
        reuse: bool = True,
        max_level: int = 4,
    ) -> None:
        if engine not in ENGINES:
            raise ValueError(f'engine must be one of {", ".join(ENGINES)}, not "{engine}"')
        if profile:
            raise ValueError("profile: not available in this version")
        if workers is not None and workers < 1:
            raise ValueError(f"workers must be 1 or more, not {workers}")
        if max_pending < 1:
            raise ValueError(f"max_pending must be 1 or more, not {max_pending}")
        self.settings = Settings(
            compare=compare,
            stop=stop,
            isolation=isolation or "batch",
            limits=limits or Limits(),
            packages=tuple(packages),
            ignore_checkers=ignore_checkers,
            testlib=None if testlib is None else testlib_text(testlib),
            time_scale=time_scale,
            min_level=min_level,
            allow_unsafe=allow_unsafe,
            adaptive=adaptive,
        )
        _check_comparer(compare)
        self.config_sha256 = self.settings.config_sha256
        try:
            plan = make_plan(packages, min_level=min_level, max_level=max_level)
        except CageUnavailableError as error:
            raise JudgeError(str(error)) from error
        habits = {"stop": stop, "isolation": self.settings.isolation, "adaptive": adaptive}
        self._start: Callable[[], Pool | RayPool]
        if engine == "ray":
            from .ray_pool import RayPool

            cage = {"packages": packages, "min_level": min_level, "max_level": max_level}
            self._start = partial(RayPool, cage, habits, workers, max_pending, plan.packages)
        else:
            self._start = partial(Pool, plan, habits, workers or usable_cores(), max_pending)
        self._pool = self._start()
        self._reuse = reuse
        self._memo = Memo(self._pool.put)
        self.sandbox_level = self._pool.level
        self.layers = self._pool.layers
        self.packages = dict(plan.packages)

    @property
    def workers(self) -> int:
        """How many processes judge; with Ray those of all nodes in use at the moment."""
        return self._pool.workers

    def __enter__(self) -> Judge:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close(cancel=kind is not None)

    def close(self, cancel: bool = False) -> None:
        """End the workers; with ``cancel`` without waiting for what is queued."""
        self._pool.close(cancel)

    def judge(self, solution: SolutionLike, tests: TestsLike, **names: Any) -> Judgement:
        """Judge one solution and wait for it.

        names: problem_id, kind, entry_point, language; see the function ``judge``.
        """
        return self.submit(solution, tests, **names).result()

    def submit(self, solution: SolutionLike, tests: TestsLike, **names: Any) -> Future[Judgement]:
        """Queue one solution; blocks while ``max_pending`` are outstanding."""
        task, pool = self._task(solution, tests, **names), self._pool_here()
        if not self._answered(task):
            pool.submit(task)
        return task.future

    async def ajudge(self, solution: SolutionLike, tests: TestsLike, **names: Any) -> Judgement:
        """Judge one solution without blocking the event loop."""
        import asyncio  # late: a third of what importing this module would cost

        task, pool = self._task(solution, tests, **names), self._pool_here()
        if not self._answered(task) and not pool.submit(task, wait=False):
            await asyncio.to_thread(pool.submit, task)
        judgement: Judgement = await asyncio.wrap_future(task.future)
        return judgement

    def map(self, pairs: Iterable[tuple[SolutionLike, TestsLike]]) -> Iterator[Judgement]:
        """Judge pairs of (solution, tests); results in the order of the pairs."""
        finished: dict[int, Judgement] = {}
        expected = 0
        for index, judgement in self.stream(pairs):
            finished[index] = judgement
            while expected in finished:
                yield finished.pop(expected)
                expected += 1

    def stream(
        self, pairs: Iterable[tuple[SolutionLike, TestsLike]]
    ) -> Iterator[tuple[int, Judgement]]:
        """Judge pairs; yields (index of the pair, judgement) as they finish.

        Takes pairs from the iterable only as fast as they are judged.
        """
        running: dict[Future[Judgement], int] = {}
        for index, (solution, tests) in enumerate(pairs):
            running[self.submit(solution, tests)] = index
            while len(running) >= 4 * self.workers + 8:
                yield from _finished(running)
        while running:
            yield from _finished(running)

    def run(
        self,
        code: str | bytes,
        stdin: str | bytes = "",
        limits: Limits | None = None,
        *,
        language: str = "python",
    ) -> RunResult:
        """Just execute a program. Raises JudgeError when the cage failed, ValueError for a
        language that is not known."""
        if find_language(language) is None:
            raise ValueError(f'language must be one of {", ".join(NAMES)}, not "{language}"')
        own = self.settings.limits if limits is None else limits.over(self.settings.limits)
        time_s, wall_s, memory_mb = _resolved(own, self.settings.time_scale)
        output = own.output_mb if own.output_mb is not None else MIN_OUTPUT_MB
        message = {
            "code": code.encode("utf-8", "surrogatepass") if isinstance(code, str) else code,
            "stdin": stdin.encode("utf-8", "surrogatepass") if isinstance(stdin, str) else stdin,
            "limits": (time_s, wall_s, int(memory_mb * 2**20), int(output * 2**20)),
            "folder_bytes": int((own.files_mb or 0) * 2**20),
            "language": language,
        }
        task = Task("run", message, None, partial(_run_result, as_text=isinstance(stdin, str)))
        self._pool_here().submit(task)
        result: RunResult = task.future.result()
        return result

    def _answered(self, task: Task) -> bool:
        """Whether another task of the same program and problem answers this one."""
        if not self._reuse or task.problem is None:
            return False
        # The digest: the memo outlives its programs, and a client of a server may send large ones.
        asked = sha256_of(task.message)
        return self._memo.join((task.problem.key, asked), task)

    def _pool_here(self) -> Pool | RayPool:
        """The pool; in a fork of the process that made it, one of its own."""
        if self._pool.abandoned:
            with _shared_lock:
                if self._pool.abandoned:
                    self._pool = self._start()
                    self._memo = Memo(self._pool.put)
        return self._pool

    def _task(
        self,
        solution: SolutionLike,
        tests: TestsLike,
        *,
        problem_id: str | None = None,
        kind: str | None = None,
        entry_point: str | None = None,
        language: str = "python",
    ) -> Task:
        problem = as_problem(tests, problem_id=problem_id, kind=kind, entry_point=entry_point)
        asked = as_solution(solution, problem.problem_id, language)
        payload = ProblemPayload(
            problem.tests_sha256, payload_size(problem), lambda: self._payload(problem)
        )
        message = {
            "code": asked.code,
            "response": asked.response,
            "language": asked.language,
        }
        return Task(
            "judge", message, payload, lambda answer: self._judgement(problem, asked, answer)
        )

    def _payload(self, problem: Problem) -> dict[str, Any]:
        settings = self.settings
        limits = settings.limits.over(problem.limits)
        time_s, wall_s, memory_mb = _resolved(limits, settings.time_scale)
        use_checker = problem.checker is not None and not settings.ignore_checkers
        return {
            "kind": str(problem.kind),
            "entry_point": problem.entry_point,
            "starter_code": problem.starter_code,
            "test_code": problem.test_code,
            "test_style": problem.test_style,
            "tests": [_plain_test(problem.kind, test) for test in problem.tests],
            "compare": dict(problem.checker)
            if use_checker and problem.checker
            else (
                settings.compare if isinstance(settings.compare, str) else dict(settings.compare)
            ),
            "interactor": dict(problem.interactor) if problem.interactor else None,
            "time_s": time_s,
            "wall_s": wall_s,
            "memory_mb": memory_mb,
            "output_mb": limits.output_mb,
            "files_mb": limits.files_mb,
            "testlib": settings.testlib if _includes_testlib(problem) else None,
        }

    def _judgement(self, problem: Problem, solution: Solution, answer: dict[str, Any]) -> Judgement:
        """The worker's plain answer as a record; the contract's rules on status and score."""
        return judgement_of(problem, solution, answer, self.settings, self.config_sha256)


def judgement_of(
    problem: Problem,
    solution: Solution,
    answer: dict[str, Any],
    settings: Settings,
    config_sha256: str,
) -> Judgement:
    """Verdict, status and score from test results (design: "Judgement")."""
    tests, error = _tests_of(answer)
    flags = tuple(answer.get("flags", ()))
    if problem.multiple_answers_suspected is not None:
        flags = (*flags, "multiple_answers_suspected")
    verdict, status, score = _conclude(tests, error, flags, settings.stop, answer)
    if error is None and answer.get("results") is None:
        error = "no finished program"
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
        sandbox_level=answer.get("level", 0),
        memory_method=MEMORY_METHOD,
        isolation=settings.isolation,
        tests_sha256=problem.tests_sha256,
        code_sha256=answer.get("code_sha256", ""),
        config_sha256=config_sha256,
        version=__version__,
        meta=solution.meta,
    )


def _tests_of(answer: dict[str, Any]) -> tuple[tuple[TestResult | None, ...], str | None]:
    error = answer.get("error")
    rows = answer.get("results") or ()
    results = [TestResult(Verdict(row[0]), *row[1:]) if row else None for row in rows]
    failed = [test for test in results if test and test.verdict is Verdict.JE]
    if failed and error is None:
        error = failed[0].detail
    missing = max(0, answer.get("count", len(results)) - len(results))
    return (*results, *[None] * missing), error


def _conclude(
    tests: tuple[TestResult | None, ...],
    error: str | None,
    flags: tuple[str, ...],
    stop: str,
    answer: dict[str, Any],
) -> tuple[Verdict, Status, float | None]:
    if error is not None:
        return Verdict.JE, Status.ERROR, None
    if answer["results"] is None:
        return Verdict.CE, Status.INCOMPLETE, 0.0
    ran = [test for test in tests if test is not None]
    verdict = next((t.verdict for t in ran if t.verdict is not Verdict.AC), Verdict.AC)
    if not ran:
        return Verdict.JE, Status.ERROR, None
    if verdict is Verdict.AC:
        return verdict, Status.CORRECT, 1.0
    passed = sum(test.verdict is Verdict.AC for test in ran)
    score = 0.0 if stop == "first_failure" else passed / len(tests)
    return verdict, Status.INCOMPLETE if "truncated" in flags else Status.INCORRECT, score


def _finished(running: dict[Future[Judgement], int]) -> Iterator[tuple[int, Judgement]]:
    done, _ = wait(running, return_when=FIRST_COMPLETED)
    for future in sorted(done, key=running.__getitem__):
        yield running.pop(future), future.result()


def _resolved(limits: Limits, scale: float) -> tuple[float, float, float]:
    time_s = (limits.time_s or DEFAULT_TIME_S) * scale
    wall_s = limits.wall_s * scale if limits.wall_s else max(3 * time_s, time_s + 2)
    return time_s, wall_s, limits.memory_mb or DEFAULT_MEMORY_MB


def _plain_test(kind: Kind, test: Any) -> tuple[Any, ...]:
    if kind is Kind.STDIN:
        return (
            unix_lines(test.input).encode("utf-8", "surrogatepass"),
            test.output.encode("utf-8", "surrogatepass"),
        )
    return (codec.to_json(test.input), codec.to_json(test.kwargs), codec.to_json(test.output))


def unix_lines(text: str) -> str:
    """An input stored with DOS line ends (all, or all but the last) as judges give it to
    programs: with line feeds. One that mixes them, or holds a lone CR, stays as it is."""
    pairs = text.count("\r\n")
    last_is_bare = text.endswith("\n") and not text.endswith("\r\n")
    if not pairs or text.count("\r") != pairs or text.count("\n") - pairs != last_is_bare:
        return text
    return text.replace("\r\n", "\n")


def payload_size(problem: Problem) -> int:
    """About how many bytes a worker holds for this problem."""
    texts = problem.size if problem.kind is Kind.STDIN else 2 * problem.size
    return texts + _PROBLEM_BYTES + _TEST_BYTES * len(problem.tests)


def testlib_text(path: str | os.PathLike[str]) -> str:
    """The text of testlib.h, given its path or its folder's. Raises DataError."""
    file = Path(path)
    file = file / "testlib.h" if file.is_dir() else file
    try:
        return file.read_text(encoding="utf-8", errors="surrogateescape")
    except OSError as error:
        raise DataError(f"testlib: {file} cannot be read: {error.strerror}") from error


def _includes_testlib(problem: Problem) -> bool:
    checker, interactor = problem.checker or {}, problem.interactor or {}
    if interactor.get("protocol") == "testlib":
        return True
    return "source" in checker and checker.get("protocol") != "python"


def _check_comparer(compare: str | Mapping[str, Any]) -> None:
    from .compare import comparer

    comparer(compare)


def as_problem(
    tests: TestsLike,
    *,
    problem_id: str | None = None,
    kind: str | None = None,
    entry_point: str | None = None,
) -> Problem:
    """A Problem from whatever a caller holds: a record, its JSON form, a list of tests, a path."""
    if isinstance(tests, Problem):
        return tests
    from .formats import open_problems, problem_from

    named = {"problem_id": problem_id, "kind": kind, "entry_point": entry_point}
    given = {key: value for key, value in named.items() if value is not None}
    if isinstance(tests, Mapping):
        return problem_from({"problem_id": "problem", **tests, **given})
    if isinstance(tests, (str, os.PathLike)):
        with open_problems(Path(tests)) as problems:
            if problem_id is None and len(problems) != 1:
                raise ValueError(f"{tests} holds {len(problems)} problems: say which, problem_id=")
            return problems.get(problem_id if problem_id is not None else next(iter(problems.ids)))
    return problem_from({"problem_id": "problem", "tests": list(tests), **given})


def as_solution(solution: SolutionLike, problem_id: str, language: str) -> Solution:
    """A Solution from a record, its JSON form, or a text (a program if it compiles, else a
    model's answer)."""
    if isinstance(solution, Solution):
        return solution
    if isinstance(solution, str):
        field = "code" if _is_program(solution, language) else "response"
        solution = {field: solution}
    from .formats import solution_from

    line = {"problem_id": problem_id, "language": language, **solution}
    return solution_from(line, default_id=f"{problem_id}#1")


def _is_program(text: str, language: str) -> bool:
    """Python is asked by compiling; any other language's program holds no fence."""
    from .extract import compiles, extract

    known = find_language(language)
    if known is None or not known.compiled:
        return compiles(text)
    return extract(text, language).code is None and "<think>" not in text


def _run_result(answer: dict[str, Any], as_text: bool) -> RunResult:
    if "error" in answer:
        raise JudgeError(answer["error"])
    outcome = answer["outcome"]
    stdout, stderr = outcome["stdout"], outcome["stderr"]
    code = os.waitstatus_to_exitcode(outcome["status"])
    if code > 0 and outcome["phase"] == Phase.COMPILE_FAILED:
        code = 1  # as python's own; the child's number for it is between us and the cage
    if as_text:
        stdout, stderr = stdout.decode("utf-8", "replace"), stderr.decode("utf-8", "replace")
    return RunResult(
        stdout=stdout,
        stderr=stderr,
        exit=code,
        cpu_s=outcome["cpu_s"],
        wall_s=outcome["wall_s"],
        memory_mb=outcome["peak_memory"] / 2**20,
        killed=outcome["killed"],
        sandbox_level=answer["level"],
    )


_shared: dict[tuple[int, str], Judge] = {}
_shared_lock = threading.Lock()


def shared_judge(**settings: Any) -> Judge:
    """The lazily started pool behind ``judge`` and ``run``: one per process and settings."""
    plain = {k: list(v) if isinstance(v, tuple) else v for k, v in settings.items()}
    key = (os.getpid(), json.dumps(plain, sort_keys=True, default=repr))
    with _shared_lock:
        held = _shared.get(key)
        if held is None:
            for stale in [k for k in _shared if k[0] != os.getpid()]:
                del _shared[stale]
            held = _shared[key] = Judge(**settings)
        return held


def _fresh_lock() -> None:
    global _shared_lock
    _shared_lock = threading.Lock()  # a fork may have copied it locked


os.register_at_fork(after_in_child=_fresh_lock)


def judge(
    solution: SolutionLike,
    tests: TestsLike,
    *,
    problem_id: str | None = None,
    kind: str | None = None,
    entry_point: str | None = None,
    language: str = "python",
    **settings: Unpack[JudgeOptions],
) -> Judgement:
    """Judge one solution against the tests of one problem.

    solution: {"code": …} is a program, {"response": …} a model's answer; a str that compiles is
    a program, any other a model's answer. tests: a Problem, its dict, a list of
    {"input", "output"}, or a path (holding several problems: problem_id says which).
    settings: limits, compare, stop, isolation, packages, ignore_checkers, time_scale, min_level,
    allow_unsafe; see ``Judge``.
    Returns a Judgement; ``.reward`` is 1.0, 0.0, or None when the judge itself failed.
    Raises DataError for unusable tests, JudgeError when the judge cannot start at all.
    """
    return shared_judge(**settings).judge(
        solution,
        tests,
        problem_id=problem_id,
        kind=kind,
        entry_point=entry_point,
        language=language,
    )


def run(
    code: str | bytes,
    stdin: str | bytes = "",
    *,
    language: str = "python",
    limits: Limits | None = None,
    packages: Sequence[str] = DEFAULT_PACKAGES,
    min_level: int = 3,
    allow_unsafe: bool = False,
) -> RunResult:
    """Execute a program in the cage: standard output, standard error, exit, times, memory.

    Raises JudgeError when the cage cannot be had or fails; never for what the program does.
    """
    pool = shared_judge(packages=tuple(packages), min_level=min_level, allow_unsafe=allow_unsafe)
    return pool.run(code, stdin, limits, language=language)
