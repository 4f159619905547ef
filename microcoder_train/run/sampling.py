"""Samples answers and has them judged: in training, in evaluations and in the probe."""

from __future__ import annotations

import math
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Literal

from microcoder_train.config import Config
from microcoder_train.environment.prompts import Prompt, PromptSet, Template, read_prompts
from microcoder_train.environment.reward import PendingReward, RewardJudge, SecondJudgement
from microcoder_train.learner.memory import explain_memory_errors
from microcoder_train.learner.pretrained import load_model
from microcoder_train.learner.scorer import Scorer
from microcoder_train.rollout import Engine
from microcoder_train.rollout.factory import open_engine
from microcoder_train.samples import Episode, Request, Sample, Sampling

from .signals import Interrupted


class JudgedEngine:
    """An engine, and the judge of what it samples."""

    def __init__(self, engine: Engine, reward_judge: RewardJudge) -> None:
        self.reward_judge = reward_judge
        self._engine = engine
        self._is_stopped = threading.Event()

    def stop(self) -> None:
        """Have ``sample`` raise Interrupted at its next sample, in whatever thread it runs."""
        self._is_stopped.set()

    def sample(
        self, prompts: Sequence[Prompt], sampling: Sampling, second: SecondJudgement | None = None,
        lengths: Mapping[str, float] | None = None,
    ) -> tuple[list[list[Episode]], float]:  # fmt: skip
        """Sample answers to each prompt, and judge them.

        second: see RewardJudge.submit.
        lengths: the lengths of earlier answers, by problem. Problems with the longest answers start
            first, so that no engine waits for a long answer at the end.

        Returns the groups, in order, and the seconds of waiting for the judge after the last token.
        A separate thread feeds the judge, so that decoding texts and sending them to workers does
        not delay the engine.
        """
        prompts_by_id = {prompt.problem.problem_id: prompt for prompt in prompts}
        earlier = lengths or {}
        longest_first = sorted(prompts_by_id, key=lambda name: -earlier.get(name, math.inf))
        requests = [Request(name, prompts_by_id[name].ids, sampling) for name in longest_first]
        pending: dict[tuple[str, int], Future[PendingReward]] = {}
        feeder = ThreadPoolExecutor(1)

        def submit_sample(sample: Sample) -> None:
            if self._is_stopped.is_set():
                raise Interrupted
            name = sample.request.problem_id
            pending[name, sample.index] = feeder.submit(
                self.reward_judge.submit, sample, prompts_by_id[name], second
            )

        try:
            self._engine.generate(requests, submit_sample)
            generated_at = time.perf_counter()
            groups = [
                [self.reward_judge.finish(pending[name, i].result()) for i in range(sampling.n)]
                for name in prompts_by_id
            ]
        finally:
            feeder.shutdown(cancel_futures=True)
        return groups, time.perf_counter() - generated_at


@contextmanager
def open_sampling(
    config: Config, name: Literal["train", "eval"], longest_response: int, out: Path
) -> Iterator[tuple[JudgedEngine, PromptSet]]:
    """Yield an engine with the model's weights, judged, and the prompts of data.train or data.eval,
    for commands that do not train."""
    # An untrained adapter changes nothing, and hf/ of a checkpoint has its adapter merged.
    model, tokenizer = load_model(config.model.model_copy(update={"lora_rank": None}))
    template = Template(config.data, tokenizer)
    prompts = read_prompts(name, template, config.reward)
    stop_ids = template.find_stop_ids(model.generation_config.eos_token_id)
    hint = explain_memory_errors("sampling", "rollout.max_sequences")
    with RewardJudge(config.reward, template) as reward_judge, hint:
        engine = open_engine(config, model, stop_ids, prompts.prompts, longest_response, out)
        try:
            engine.sync(Scorer(model, config.train.logits_chunk), 0)
            yield JudgedEngine(engine, reward_judge), prompts
        finally:
            engine.close()
