"""The judge as a library: ``judge``, ``run``, and the warm pool ``Judge`` that they share.

Safe from any thread, from asyncio, from a daemonic process and from a fork of the caller;
importing this starts nothing and touches nothing of the caller's.
"""

from __future__ import annotations

import inspect
import os
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import CancelledError, Future
from dataclasses import replace
from functools import partial
from importlib import import_module
from queue import SimpleQueue
from typing import Any, NoReturn, TypedDict, TypeVar, Unpack, cast

from microcoder_sandbox import SandboxUnavailableError, make_plan

from .arguments import (
    SolutionLike,
    TestsLike,
    check_pair,
    check_program,
    choose_solution,
    explain_failure,
    read_problem,
    read_solution,
    refuse_swapped,
)
from .conversion import make_payload, make_program_request, make_solution_request
from .errors import JudgeError
from .forksafe import ForkSafeLock
from .judgements import RunResult, make_judgement, make_run_result
from .languages import find_language, suggest_language
from .lru import LruCache
from .pool.base import BasePool
from .pool.cores import usable_cores
from .pool.holder import PoolHolder
from .pool.pool import Pool
from .pool.stats import JudgeStats
from .pool.tasks import CLOSED, Task
from .pool.verdict_store import VerdictStore, describe_judge, open_store
from .records import Judgement, Limits, sha256_of
from .settings import POOL_OPTIONS, JudgeKeywords, JudgeOptions, refuse_misplaced
from .version import list_installed_versions
from .worker.messages import Reply, SolutionRequest

__all__ = ["Judge", "RunResult", "SolutionLike", "TestsLike", "judge", "run"]

MAX_POOLS = 3


class SolutionKeywords(TypedDict, total=False):
    """What callers may say of a solution and its tests; the function ``judge`` describes each."""

    code: str | None
    response: str | None
    problem_id: str | None
    kind: str | None
    entry_point: str | None
    language: str


Function = TypeVar("Function", bound=Callable[..., Any])


class Judge:
    """A warm pool of judge workers. ``help(judge)`` says what each keyword means.

    options: the options, checked.
    layers: the layers of isolation, and whether each holds.
    packages: the packages that programs may import and that are installed, with their folders.

    Raises JudgeError when it cannot start here, and what JudgeOptions raises.
    """

    __signature__ = inspect.signature(JudgeOptions)  # for help(): names, types and defaults

    def __init__(self, **keywords: Unpack[JudgeKeywords]) -> None:
        options = JudgeOptions.from_keywords(**keywords)
        if options.cache is not None:
            open_store(options.cache)
        self.options = options
        self._hash_seed = 0
        plan_options: dict[str, Any] = {
            "packages": options.packages,
            "min_level": options.min_level,
            "max_level": options.max_level,
        }
        try:
            plan = make_plan(**plan_options)
        except SandboxUnavailableError as error:
            raise JudgeError(str(error)) from error
        make_pool: Callable[[], BasePool]
        workers, max_pending = options.workers, options.max_pending
        if options.engine == "ray":
            from .pool.ray.pool import RayPool

            make_pool = partial(RayPool, plan_options, workers, max_pending, plan.packages)
        else:
            prepare = partial(_prepare_first_judgement, options.packages)
            make_pool = partial(Pool, plan, workers or usable_cores(), max_pending, prepare)
        self._holder = self._hold_pool(make_pool)
        self.sandbox_level = self._pool.level
        self.layers = self._pool.layers
        self.packages = dict(plan.packages)

    def _hold_pool(self, make_pool: Callable[[], BasePool]) -> PoolHolder:
        return PoolHolder(make_pool)

    @property
    def _pool(self) -> BasePool:
        return self._holder.pool

    @property
    def config_sha256(self) -> str:
        """Hash of the options that can change a verdict."""
        return self.options.config_sha256

    @property
    def stream_window(self) -> int:
        """How many tasks keep every worker busy: more of them only wait."""
        return self._pool.stream_window

    def with_changes(self, **keywords: Unpack[JudgeKeywords]) -> Judge:
        """Return a judge with the same workers and options, but for these; None means the
        default. Raises TypeError for options of the pool (POOL_OPTIONS)."""
        if pool_options := POOL_OPTIONS & keywords.keys():
            raise TypeError(f"only a new Judge has other {', '.join(sorted(pool_options))}")
        options = JudgeOptions.from_keywords(**keywords)
        values = {name: getattr(options, name) for name in keywords}
        return self._with(replace(self.options, **values))

    def with_hash_seed(self, hash_seed: int) -> Judge:
        """Return a judge with the same workers and options that runs Python programs under another
        hash seed. A program whose answer depends on the order of a set of texts may then get
        another verdict."""
        other = self._with(self.options)
        other._hash_seed = hash_seed
        return other

    def _with(self, options: JudgeOptions) -> Judge:
        other = Judge.__new__(Judge)
        vars(other).update(vars(self))
        other.options = options
        return other

    @property
    def workers(self) -> int:
        """How many processes judge; with Ray those of all nodes in use at the moment."""
        return self._pool.workers

    def __reduce__(self) -> NoReturn:
        raise TypeError("a Judge cannot be sent to another process: make one there")

    def __repr__(self) -> str:
        """Return the options that differ from the defaults, and what runs."""
        changes = ", ".join(self.options.list_changes())
        return f"Judge({changes}), workers: {self.workers}, level: {self.sandbox_level}"

    def stats(self) -> JudgeStats:
        """Return what this judge and all made of it by ``with_changes`` have done, and do now."""
        pool = self._holder.provide_pool()
        return self._holder.stats.make_stats(pool.workers, pool.outstanding, pool.queued)

    def __enter__(self) -> Judge:
        return self

    def __exit__(self, error_type: object, *_: object) -> None:
        self.close(cancel=error_type is not None)

    def close(self, cancel: bool = False) -> None:
        """End the workers; with ``cancel`` without waiting for what is queued."""
        self._pool.close(cancel)

    def judge(
        self,
        solution: SolutionLike | None = None,
        tests: TestsLike | None = None,
        **names: Unpack[SolutionKeywords],
    ) -> Judgement:
        """Judge one solution and wait for it.

        Raises JudgeError in a callback of a future of this Judge, as do ``ajudge``, ``map``,
        ``stream`` and ``run``: there use ``submit``.
        """
        self._holder.provide_pool().refuse_wait_in_callback()
        judgement: Judgement = _wait_for_result(self.submit(solution, tests, **names))
        return judgement

    def submit(
        self,
        solution: SolutionLike | None = None,
        tests: TestsLike | None = None,
        **names: Unpack[SolutionKeywords],
    ) -> Future[Judgement]:
        """Queue one solution, as ``judge`` takes it; blocks while ``max_pending`` are
        outstanding."""
        task, pool = self._make_task(solution, tests, names), self._holder.provide_pool()
        try:
            if not self._join_equal_task(task):
                pool.submit(task)
        except BaseException:
            task.future.cancel()  # equal tasks may follow this one
            raise
        return task.future

    async def ajudge(
        self,
        solution: SolutionLike | None = None,
        tests: TestsLike | None = None,
        **names: Unpack[SolutionKeywords],
    ) -> Judgement:
        """Judge one solution, as ``judge`` takes it, without blocking the event loop.

        If it is cancelled, a program that waits is dropped; one that runs goes on to its end.
        """
        # Late: asyncio is a third of what importing this module would cost.
        import asyncio

        from .pool import event_loop

        pool = self._holder.provide_pool()
        pool.refuse_wait_in_callback()
        task = self._make_task(solution, tests, names)
        try:
            if not self._join_equal_task(task):
                await event_loop.wait_for(pool.request_admission(task))
                pool.enqueue(task)
            judgement: Judgement = await event_loop.wait_for(task.future)
        except asyncio.CancelledError:
            current_task = asyncio.current_task()
            if (
                task.future.cancelled()
                and current_task is not None
                and not current_task.cancelling()
            ):
                raise JudgeError(CLOSED) from None  # it was not the caller who cancelled
            raise
        finally:
            task.future.cancel()  # unless it is done: equal tasks may follow this one
        return judgement

    def map(self, pairs: Iterable[tuple[SolutionLike, TestsLike]]) -> Iterator[Judgement]:
        """Judge pairs of (solution, tests); results in the order of the pairs.

        While an early pair takes long, later ones are judged, and their results wait in memory,
        however many they are; ``stream`` gives each at once.
        """
        judgements: dict[int, Judgement] = {}
        next_index = 0
        for index, judgement in self.stream(pairs):
            judgements[index] = judgement
            while next_index in judgements:
                yield judgements.pop(next_index)
                next_index += 1

    def stream(
        self, pairs: Iterable[tuple[SolutionLike, TestsLike]]
    ) -> Iterator[tuple[int, Judgement]]:
        """Judge pairs; yields (index of the pair, judgement) as they finish.

        Takes pairs from the iterable only as fast as they are judged. What is not judged when the
        caller leaves is cancelled.
        """
        self._holder.provide_pool().refuse_wait_in_callback()
        index_by_future: dict[Future[Judgement], int] = {}
        finished: SimpleQueue[Future[Judgement]] = SimpleQueue()

        def take_finished() -> tuple[int, Judgement]:
            future = finished.get()
            return index_by_future.pop(future), _wait_for_result(future)

        try:
            for index, pair in enumerate(pairs):
                try:
                    future = self.submit(*check_pair(pair))
                except Exception as error:
                    error.add_note(f"item {index} of the pairs, counted from 0")
                    raise
                index_by_future[future] = index
                future.add_done_callback(finished.put)
                while len(index_by_future) >= self.stream_window:
                    yield take_finished()
            while index_by_future:
                yield take_finished()
        finally:
            for future in index_by_future:
                future.cancel()

    def run(
        self,
        code: str | bytes,
        stdin: str | bytes = "",
        limits: Limits | Mapping[str, Any] | None = None,
        *,
        language: str = "python",
        arguments: Sequence[str] = (),
        files: Mapping[str, str] | None = None,
    ) -> RunResult:
        """Run a program without tests. arguments: its command line. files: {name: text} of the
        files beside it: modules in Python, units and headers elsewhere.

        Raises JudgeError when the sandbox failed, ValueError for an unknown language or an invalid
        limit, TypeError if there is no program."""
        check_program(code, stdin)
        if find_language(language) is None:
            raise ValueError(f'language "{language}" is not supported{suggest_language(language)}')
        pool = self._holder.provide_pool()
        pool.refuse_wait_in_callback()
        request = make_program_request(
            code,
            stdin,
            language,
            Limits.coerce(limits).fill_from(self.options.limits),
            self.options.get_time_scale(language),
            arguments,
            files,
        )
        finish = partial(make_run_result, as_text=isinstance(stdin, str))
        task = Task(request, None, finish)
        pool.submit(task)
        result: RunResult = _wait_for_result(task.future)
        return result

    def _join_equal_task(self, task: Task) -> bool:
        """Whether this task need not run: another task of the same program and problem, or an
        earlier run, answers it. Raises JudgeError when closed."""
        self._pool.check_open()
        request, problem = task.request, task.problem
        if not self.options.reuse or problem is None:
            return False
        assert isinstance(request, SolutionRequest)
        # Keep only the digest: the cache outlives its programs, which may be large.
        solution = request.solution
        texts = [solution.code, solution.response, solution.language, solution.file]
        program_sha256 = sha256_of([*texts, dict(solution.files), request.hash_seed])
        if self._holder.dedup.join((problem.key, program_sha256), task):
            return True
        if self.options.cache is None:
            return False
        languages = (solution.language, *problem.languages)
        judge_parts = describe_judge(self.sandbox_level, self.options.packages, languages)
        key = sha256_of([problem.key, program_sha256, judge_parts])
        return self._look_up(task, key, open_store(self.options.cache))

    def _look_up(self, task: Task, key: str, store: VerdictStore) -> bool:
        """Whether an earlier run answers this task; if not, its verdict is kept for later ones."""
        if (reply := store.get(key)) is not None:
            self._holder.stats.count_look_up()
            task.answer(reply)
            return True
        task.reply_callbacks.append(partial(store.put, key))
        return False

    def _make_task(
        self,
        solution: SolutionLike | None,
        tests: TestsLike | None,
        names: SolutionKeywords,
    ) -> Task:
        if misplaced := [name for name in names if name not in SolutionKeywords.__annotations__]:
            refuse_misplaced(misplaced)
        chosen = choose_solution(solution, names.get("code"), names.get("response"))
        refuse_swapped(chosen, tests)
        problem = read_problem(
            tests,
            problem_id=names.get("problem_id"),
            kind=names.get("kind"),
            entry_point=names.get("entry_point"),
        )
        solution_record = read_solution(chosen, problem, names.get("language", "python"))
        options = self.options
        payload = make_payload(problem, options, solution_record.language)
        request = make_solution_request(payload.key, solution_record, self._hash_seed)
        start = time.monotonic()

        def finish(reply: Reply) -> Judgement:
            judgement = make_judgement(problem, solution_record, reply, options)
            self._holder.stats.add(judgement, time.monotonic() - start)
            return explain_failure(judgement, chosen)

        return Task(request, payload, finish)


def _prepare_first_judgement(packages: tuple[str, ...]) -> None:
    """Import the readers of problems that are not records, and look up the versions of packages.
    This takes as long as the start of the first worker, during which it runs."""
    import_module("microcoder_eval.formats")
    list_installed_versions(packages)


def _wait_for_result(future: Future[Any]) -> Any:
    """Return the result of a future that the caller cannot have cancelled. Raises JudgeError if the
    judge was closed."""
    try:
        return future.result()
    except CancelledError:
        raise JudgeError(CLOSED) from None


_shared_judges: LruCache[tuple[Any, ...], Judge] = LruCache(MAX_POOLS)
_shared_judges_lock = ForkSafeLock()
os.register_at_fork(after_in_child=_shared_judges.clear)  # they are the parent's


def get_shared_judge(options: JudgeOptions) -> Judge:
    """Return a judge with these options, on a pool that all callers in this process share.

    Judges share a pool if their options of the pool are equal (packages, level, workers). All other
    options travel with the problems, so that limits for each problem cost nothing. The MAX_POOLS
    used last are kept; another one ends with the last judge that uses it.
    """
    pool_options = {name: getattr(options, name) for name in sorted(POOL_OPTIONS)}
    key = tuple(pool_options.values())
    with _shared_judges_lock:
        judge = _shared_judges.get(key)
        if judge is None:
            # Let go of an old pool first: the processes of both may be too many.
            _shared_judges.make_room()
            judge = Judge(**cast(JudgeKeywords, pool_options))
            _shared_judges.put(key, judge)
    return judge._with(options)


def _document_options(function: Function) -> Function:
    """Add the options of a judge to a function's help and signature."""
    signature = inspect.signature(function)
    own_parameters = [p for p in signature.parameters.values() if p.kind is not p.VAR_KEYWORD]
    options = [
        parameter.replace(kind=parameter.KEYWORD_ONLY)
        for parameter in inspect.signature(JudgeOptions).parameters.values()
    ]
    full_signature = signature.replace(parameters=[*own_parameters, *options])
    function.__signature__ = full_signature  # type: ignore[attr-defined]
    _, _, option_lines = (JudgeOptions.__doc__ or "").partition("\n\n")
    function.__doc__ = "\n".join(
        (inspect.cleandoc(function.__doc__ or ""), inspect.cleandoc(option_lines))
    )
    return function


@_document_options
def judge(
    solution: SolutionLike | None = None,
    tests: TestsLike | None = None,
    *,
    code: str | None = None,
    response: str | None = None,
    problem_id: str | None = None,
    kind: str | None = None,
    entry_point: str | None = None,
    language: str = "python",
    **keywords: Unpack[JudgeKeywords],
) -> Judgement:
    """Judge one solution against the tests of one problem.

    solution: {"code": …} is a program, {"response": …} a model's answer; a str that compiles is
        a program, any other a model's answer. ``code=`` or ``response=`` can be given instead.
    tests: a Problem, its dict, a list of {"input", "output"}, {"inputs": […], "outputs": […]}, or
        a path.
    problem_id: which of several problems that a path holds (default: the only one).
    kind: "stdin", "call" or "assert" (default: the tests decide).
    entry_point: the function that call tests call: "name" or "Solution.name" (default: the
        problem's).
    language: that of the program (default "python").

    Returns a Judgement; ``.reward`` is 1.0, 0.0, or None when the judge itself failed.
    Raises DataError for unusable tests, TypeError for arguments of another kind, JudgeError when
    the judge cannot start at all.

    More keywords, each with its unit and default:
    """
    return get_shared_judge(JudgeOptions.from_keywords(**keywords)).judge(
        solution,
        tests,
        code=code,
        response=response,
        problem_id=problem_id,
        kind=kind,
        entry_point=entry_point,
        language=language,
    )


@_document_options
def run(
    code: str | bytes,
    stdin: str | bytes = "",
    *,
    language: str = "python",
    arguments: Sequence[str] = (),
    files: Mapping[str, str] | None = None,
    **keywords: Unpack[JudgeKeywords],
) -> RunResult:
    """Execute a program in the sandbox: standard output, standard error, exit, times, memory.

    code, stdin: text or bytes. language: that of the program (default "python"). arguments: its
    command line. files: {name: text} of the files beside it: modules in Python, units and headers
    elsewhere.
    Returns a RunResult. Raises JudgeError when the sandbox cannot start or fails, TypeError for a
    program or input of another kind; never for what the program does.

    More keywords, each with its unit and default; those about comparing have no effect here:
    """
    return get_shared_judge(JudgeOptions.from_keywords(**keywords)).run(
        code, stdin, language=language, arguments=arguments, files=files
    )
