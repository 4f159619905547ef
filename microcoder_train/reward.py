"""The judge as the reward: each finished sample is judged while others are still being sampled.

A judge's failure (JE) is a sample without a reward, never a 0. Verdicts are remembered by problem
and program, across steps: late in a run most answers have been seen before.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Mapping
from concurrent.futures import Future
from dataclasses import dataclass, replace

from microcoder_eval import Judge, Limits
from microcoder_eval.cores import usable_cores
from microcoder_eval.extract import extract
from microcoder_eval.records import Judgement, Problem, Status
from microcoder_train.config import Reward
from microcoder_train.data import Prompt, Template
from microcoder_train.parallel import processes_here
from microcoder_train.samples import Graded, Sample

PENDING = 1 << 20  # submitting must never wait for the judge: the thread is the engine's


@dataclass(frozen=True, slots=True)
class Pending:
    """A sample whose judgement is on its way."""

    sample: Sample
    text: str
    judgement: Future[Judgement]
    shadow: Future[Judgement] | None

    def result(self) -> Graded:
        """Wait for the judgement; the sample's own name and text are put on it."""
        judgement, sample = self.judgement.result(), self.sample
        name = f"{judgement.problem_id}#{sample.index + 1}"
        meta = {"response": self.text, "finish": sample.finish, "tokens": len(sample.ids)}
        own = replace(judgement, solution_id=name, meta={**judgement.meta, **meta})
        shadow = None if self.shadow is None else self.shadow.result().passed
        return Graded(sample, self.text, own, shadow)


class Grader:
    """Hands samples to a pool of judge workers. Close it, or use it in ``with``."""

    def __init__(self, settings: Reward, template: Template) -> None:
        self._template = template
        self._settings = settings
        keywords = {
            "workers": settings.workers or max(1, usable_cores() // processes_here()),
            "max_pending": PENDING,
            "limits": Limits(time_s=settings.time_limit),
            "time_scale": settings.time_scale,
            "min_level": settings.min_level,
            "allow_unsafe": settings.min_level == 1,
            "reuse": settings.cache,  # the judge has a memory of its own, of the last thousand
        }
        self._judge = Judge(compare=settings.compare, **keywords)  # type: ignore[arg-type]
        self._shadow = (
            Judge(compare="lcb", ignore_checkers=True, **keywords)  # type: ignore[arg-type]
            if settings.shadow
            else None
        )
        self._known: OrderedDict[tuple[str | bool | None, ...], Future[Judgement]] = OrderedDict()
        self._lock = threading.Lock()
        self.asked = 0
        self.remembered = 0

    def __enter__(self) -> Grader:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """End the workers."""
        self._judge.close()
        if self._shadow is not None:
            self._shadow.close()

    def submit(self, sample: Sample, prompt: Prompt, *, shadow: bool = False) -> Pending:
        """Start judging a sample; returns at once. shadow: by the lcb comparer, too, if it runs."""
        answer = self._template.answer(sample, prompt)
        text = self._template.text(sample)
        judgement = self._judged(answer, prompt.problem)
        other = self._shadow.submit(answer, prompt.problem) if shadow and self._shadow else None
        return Pending(sample, text, judgement, other)

    def _judged(self, answer: Mapping[str, str], problem: Problem) -> Future[Judgement]:
        self.asked += 1
        if not self._settings.cache:
            return self._judge.submit(answer, problem)
        name = (problem.tests_sha256, *_program(answer))
        with self._lock:
            known = self._known.get(name)
            if known is not None:
                self._known.move_to_end(name)
                self.remembered += 1
                return known
        future = self._judge.submit(answer, problem)
        with self._lock:
            self._known[name] = future
            if len(self._known) > self._settings.cache_size:
                self._known.popitem(last=False)
        future.add_done_callback(lambda done: self._forget_failure(name, done))
        return future

    def _forget_failure(self, name: tuple[str | bool | None, ...], done: Future[Judgement]) -> None:
        if done.exception() is not None or done.result().status is Status.ERROR:
            with self._lock:
                self._known.pop(name, None)


def _program(answer: Mapping[str, str]) -> tuple[str | bool | None, ...]:
    if "code" in answer:
        return (answer["code"], False)
    found = extract(answer["response"])
    return (found.code, found.truncated)
