"""The judge as the reward: a finished sample is judged while others are still being sampled.

A failure of the judge (JE) gives no reward, never 0. Judgements are cached by problem and program
across steps: late in a run most programs repeat.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from concurrent.futures import CancelledError, Future
from dataclasses import dataclass, replace
from functools import partial

from microcoder_eval import Judge, Limits
from microcoder_eval.conversion import make_judgement
from microcoder_eval.errors import JudgeError
from microcoder_eval.extract import extract
from microcoder_eval.lru import LruCache
from microcoder_eval.pool.cores import usable_cores
from microcoder_eval.records import Judgement, Problem, Solution, Status
from microcoder_eval.results.error_share import JUDGE_ERROR_WINDOW, ErrorShare
from microcoder_eval.worker.messages import FailureReply
from microcoder_train.config import Reward
from microcoder_train.parallel import local_processes
from microcoder_train.samples import Episode, Sample

from .data import Prompt, Template

MAX_PENDING = 1 << 20  # submit() runs in the engine's thread and must not block
_CacheKey = tuple[str | bool | None, ...]


@dataclass(frozen=True, slots=True)
class Pending:
    """A sample that is being judged."""

    sample: Sample
    text: str
    judgement: Future[Judgement]
    shadow: Future[Judgement] | None
    wait: Callable[[Future[Judgement]], Judgement]
    by_points: bool = False

    def result(self) -> Episode:
        """Wait for the judgement, which may be shared, and add this sample's ids and text to it.

        Raises JudgeError where the judge fails on too many samples."""
        judgement, sample = self.wait(self.judgement), self.sample
        name = f"{judgement.problem_id}#{sample.index + 1}"
        meta = {"response": self.text, "finish": sample.finish, "tokens": len(sample.ids)}
        judgement = replace(judgement, solution_id=name, meta={**judgement.meta, **meta})
        shadow = self.shadow.result() if self.shadow is not None else None
        is_shadow_judged = shadow is not None and shadow.status is not Status.ERROR
        shadow_passed = shadow.passed if shadow is not None and is_shadow_judged else None
        return Episode(sample, self.text, judgement, shadow_passed, self.by_points)


class Grader:
    """Submits samples to a pool of judge workers. Close it, or use it in ``with``."""

    def __init__(self, settings: Reward, template: Template) -> None:
        self._template = template
        self._settings = settings
        open_judge = partial(
            Judge,
            workers=settings.workers or max(1, usable_cores() // local_processes()),
            max_pending=MAX_PENDING,
            limits=Limits(time_s=settings.time_limit),
            time_scale=settings.time_scale,
            min_level=settings.min_level,
            allow_unsafe=settings.min_level == 1,
            reuse=settings.cache,  # the judge's own cache, of the last thousand programs
        )
        self._judge = open_judge(compare=settings.compare)
        self._shadow = open_judge(compare="lcb", ignore_checkers=True) if settings.shadow else None
        self._cache: LruCache[_CacheKey, Future[Judgement]] = LruCache(settings.cache_size)
        self._lock = threading.Lock()
        self._errors = ErrorShare(settings.max_judge_errors, JUDGE_ERROR_WINDOW)
        self.requests = 0
        self.cache_hits = 0

    def __enter__(self) -> Grader:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Stop the judge's workers."""
        self._judge.close()
        if self._shadow is not None:
            self._shadow.close()

    def submit(self, sample: Sample, prompt: Prompt, *, shadow: bool = False) -> Pending:
        """Start judging a sample and return at once.

        shadow: also judge it with the lcb comparer, if the settings open one.
        """
        judge_input = self._template.judge_input(sample, prompt)
        judgement = self._submit_cached(judge_input, prompt.problem)
        shadow_judgement = None
        if shadow and self._shadow is not None:
            shadow_judgement = self._shadow.submit(judge_input, prompt.problem)
        return Pending(
            sample,
            self._template.text(sample),
            judgement,
            shadow_judgement,
            partial(self._wait, prompt.problem),
            by_points=self._settings.reward == "points",
        )

    def _wait(self, problem: Problem, future: Future[Judgement]) -> Judgement:
        """A judgement; a judge that fails as a whole is a JE of this sample, too."""
        try:
            judgement = future.result()
        except (JudgeError, CancelledError) as error:
            solution = Solution(
                solution_id=f"{problem.problem_id}#1", problem_id=problem.problem_id
            )
            reply = FailureReply(str(error) or type(error).__name__)
            judgement = make_judgement(problem, solution, reply, self._judge.options)
        self._errors.add(judgement)
        return replace(judgement, problem_id=problem.problem_id)  # equal problems share one

    def _submit_cached(self, judge_input: Mapping[str, str], problem: Problem) -> Future[Judgement]:
        self.requests += 1
        if not self._settings.cache:
            return self._judge.submit(judge_input, problem)
        key = (problem.tests_sha256, *_program_key(judge_input))
        with self._lock:
            if future := self._cache.get(key):
                self.cache_hits += 1
                return future
        future = self._judge.submit(judge_input, problem)
        with self._lock:
            self._cache.put(key, future)
        future.add_done_callback(partial(self._remove_failure, key))
        return future

    def _remove_failure(self, key: _CacheKey, future: Future[Judgement]) -> None:
        if future.exception() is not None or future.result().status is Status.ERROR:
            with self._lock:
                self._cache.pop(key)


def _program_key(judge_input: Mapping[str, str]) -> _CacheKey:
    if "code" in judge_input:
        return (judge_input["code"], False)
    extraction = extract(judge_input["response"])
    return (extraction.code, extraction.truncated)
