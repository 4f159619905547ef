"""``judge`` and ``run``: the judge without a pool to look after.

Pools are shared. One is made for what only a pool can have (its packages, level, workers); all
other options travel with the problems, so that limits for each problem cost nothing. The pools used
last are kept, MAX_POOLS at most; one that is in use is never closed.
"""

from __future__ import annotations

import inspect
import json
import os
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, TypeVar, Unpack, cast

from .api import Judge, RunResult, SolutionLike, TestsLike
from .lru import LruCache
from .records import Judgement
from .settings import POOL_OPTIONS, JudgeKeywords, JudgeOptions

MAX_POOLS = 3
Function = TypeVar("Function", bound=Callable[..., Any])


@dataclass(slots=True)
class _SharedJudge:
    """A judge whose pool is shared, and how many callers use it now."""

    judge: Judge
    users: int = 0


class SharedPools:
    """The pools of this process that callers share, by the options of a pool. Safe from any
    thread."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._pools: LruCache[str, _SharedJudge] = LruCache(
            MAX_POOLS,
            on_evict=lambda _key, shared: shared.judge.close(),
            may_evict=lambda _key, shared: not shared.users,
        )

    def acquire(self, options: Mapping[str, Any]) -> _SharedJudge:
        """Return the judge whose pool has these options, and count one more user of it. Starts a
        pool if there is none."""
        json_options = {k: list(v) if isinstance(v, tuple) else v for k, v in options.items()}
        key = json.dumps(json_options, sort_keys=True, default=repr)
        with self._lock:
            shared = self._pools.get(key)
            if shared is None:
                # Close an old pool first: the processes of both may be too many.
                self._pools.make_room()
                shared = _SharedJudge(Judge(**cast(JudgeKeywords, options)))
                self._pools.put(key, shared)
            shared.users += 1
            return shared

    def release(self, shared: _SharedJudge) -> None:
        """Count one user less."""
        with self._lock:
            shared.users -= 1


_pools = SharedPools()


def _renew_pools() -> None:
    global _pools
    _pools = SharedPools()  # those of a fork's parent are the parent's, and their lock may be held


os.register_at_fork(after_in_child=_renew_pools)


@contextmanager
def shared_judge(**keywords: Unpack[JudgeKeywords]) -> Iterator[Judge]:
    """Yield a judge with these options, for the length of a block; its pool is started if need
    be."""
    shared = _pools.acquire({k: value for k, value in keywords.items() if k in POOL_OPTIONS})
    try:
        options = {k: value for k, value in keywords.items() if k not in POOL_OPTIONS}
        yield shared.judge.with_options(**cast(JudgeKeywords, options))
    finally:
        _pools.release(shared)


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
    solution: SolutionLike,
    tests: TestsLike,
    *,
    problem_id: str | None = None,
    kind: str | None = None,
    entry_point: str | None = None,
    language: str = "python",
    **keywords: Unpack[JudgeKeywords],
) -> Judgement:
    """Judge one solution against the tests of one problem.

    solution: {"code": …} is a program, {"response": …} a model's answer; a str that compiles is
        a program, any other a model's answer.
    tests: a Problem, its dict, a list of {"input", "output"}, {"inputs": […], "outputs": […]}, or
        a path.
    problem_id: of a path that holds several problems (default: the only one).
    kind: "stdin", "call" or "assert" (default: as the tests look).
    entry_point: the function that call tests call: "name" or "Solution.name" (default: the
        problem's).
    language: of the program (default "python").

    Returns a Judgement; ``.reward`` is 1.0, 0.0, or None when the judge itself failed.
    Raises DataError for unusable tests, TypeError for arguments of another kind, JudgeError when
    the judge cannot start at all.

    More keywords, each with its unit and default:
    """
    with shared_judge(**keywords) as pooled_judge:
        return pooled_judge.judge(
            solution,
            tests,
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
    **keywords: Unpack[JudgeKeywords],
) -> RunResult:
    """Execute a program in the sandbox: standard output, standard error, exit, times, memory.

    code, stdin: text or bytes. language: of the program (default "python").
    Returns a RunResult. Raises JudgeError when the sandbox cannot be had or fails, TypeError for a
    program or input of another kind; never for what the program does.

    More keywords, each with its unit and default; those of comparing mean nothing here:
    """
    with shared_judge(**keywords) as pooled_judge:
        return pooled_judge.run(code, stdin, language=language)
