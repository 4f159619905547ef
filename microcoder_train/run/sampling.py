"""Samples answers and has them judged: in training, in evaluations and in the probe."""

from __future__ import annotations

import math
import threading
import time
from collections.abc import Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor

from microcoder_train.environment.prompts import Prompt
from microcoder_train.environment.reward import PendingReward, RewardJudge
from microcoder_train.rollout import Engine
from microcoder_train.samples import Episode, Request, Sample

from .signals import Interrupted


def sample_and_judge(
    engine: Engine, reward_judge: RewardJudge, prompts: Sequence[Prompt],
    stream: Sequence[int | str], *, n: int, temperature: float, max_tokens: int,
    top_p: float = 1.0, shadow: bool = False, holds_back: bool = False,
    lengths: Mapping[str, float] | None = None, unwanted: threading.Event | None = None,
) -> tuple[list[list[Episode]], float]:  # fmt: skip
    """Sample ``n`` answers to each prompt, and judge them.

    stream: names the random draws, with the problem's id.
    shadow, holds_back: see RewardJudge.submit.
    lengths: the lengths of earlier answers, by problem. Problems with the longest answers start
        first, so that no engine waits for a long answer at the end.
    unwanted: set once the samples are no longer wanted.

    Returns the groups, in order, and the seconds of waiting for the judge after the last token. A
    separate thread feeds the judge, so that decoding texts and sending them to workers does not
    delay the engine.
    """
    prompts_by_id = {prompt.problem.problem_id: prompt for prompt in prompts}
    requests = [
        Request(name, prompt.ids, n, temperature, max_tokens, (*stream, name), top_p)
        for name, prompt in prompts_by_id.items()
    ]
    known = lengths or {}
    longest_first = sorted(requests, key=lambda r: -known.get(r.problem_id, math.inf))
    pending: dict[tuple[str, int], Future[PendingReward]] = {}
    feeder = ThreadPoolExecutor(1)

    def submit_sample(sample: Sample) -> None:
        if unwanted is not None and unwanted.is_set():
            raise Interrupted
        prompt = prompts_by_id[sample.request.problem_id]
        pending[sample.request.problem_id, sample.index] = feeder.submit(
            reward_judge.submit, sample, prompt, shadow=shadow, holds_back=holds_back
        )

    try:
        engine.generate(longest_first, submit_sample)
        generated_at = time.perf_counter()
        groups = [
            [reward_judge.finish(pending[name, i].result()) for i in range(n)]
            for name in prompts_by_id
        ]
    finally:
        feeder.shutdown(cancel_futures=True)
    return groups, time.perf_counter() - generated_at
