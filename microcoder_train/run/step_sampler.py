"""The samples of one step: its prompts, their answers, and the judgements on them."""

from __future__ import annotations

import itertools
import time
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, wait
from typing import NamedTuple

from microcoder_train import parallel
from microcoder_train.algorithm import counter
from microcoder_train.config import Config
from microcoder_train.environment.prompts import Prompt, PromptSet
from microcoder_train.environment.reward_hacking import choose_honeypots
from microcoder_train.learner.memory import explain_memory_errors
from microcoder_train.samples import Episode, Sampling

from .metrics import has_signal, measure_guards
from .sampling import JudgedEngine
from .signals import Stop

Groups = list[list[Episode]]


class StepSamples(NamedTuple):
    """What a step learns from. groups: those of ``prompts``, in order. honeypot_groups: answers to
    honeypots, from which nothing is learned."""

    prompts: list[Prompt]
    groups: Groups
    honeypot_groups: Groups
    metrics: dict[str, float]


class _Draw(NamedTuple):
    """Groups of one rank or of all, and the seconds that this rank has sampled and waited for the
    judge."""

    groups: Groups
    sampling_seconds: float
    judge_seconds: float


class StepSampler:
    """Samples and judges the groups of each step; with ``rollout.max_staleness`` those of the next
    step while the model learns.

    lengths: for each problem, the longest answer when it was last sampled.
    """

    def __init__(
        self, config: Config, engine: JudgedEngine, prompts: PromptSet, lengths: dict[str, float]
    ) -> None:
        self.lengths = lengths
        self._config = config
        self._engine = engine
        self._prompts = prompts
        self._executor = ThreadPoolExecutor(1)  # for the next step
        self._ahead: Future[_Draw] | None = None

    def wait(self) -> None:
        """Wait until the engine is idle."""
        if self._ahead is not None:
            wait([self._ahead])

    def close(self) -> None:
        """End what is sampled ahead."""
        self._engine.stop()
        self._executor.shutdown(cancel_futures=True)

    def sample(self, step: int, stop: Stop) -> StepSamples:
        """Return the groups of a step. Collective: every rank calls it and gets the same groups."""
        config, draws = self._config, list[_Draw]()
        prompts, honeypots = self._choose_prompts(step)
        ahead, self._ahead = self._ahead, None

        def draw(prompts: list[Prompt], ahead: Future[_Draw] | None = None) -> Groups:
            with (
                stop.interrupt_at_once(),
                explain_memory_errors("sampling", "rollout.max_sequences"),
            ):
                shard = ahead.result() if ahead else self._sample_shard(prompts, step)
            draws.append(shard._replace(groups=parallel.gather_shards(shard.groups)))
            return draws[-1].groups

        all_groups = draw([*prompts, *honeypots], ahead)
        groups, honeypot_groups = all_groups[: len(prompts)], all_groups[len(prompts) :]
        guard = measure_guards(groups, honeypot_groups)  # of all, before some are drawn again
        counts = self._redraw(step, prompts, groups, draw) if config.rollout.resample else {}
        if config.rollout.max_staleness and step + 1 < config.train.steps:
            next_prompts = [p for part in self._choose_prompts(step + 1) for p in part]
            self._ahead = self._executor.submit(self._sample_shard, next_prompts, step + 1)
        metrics = self._measure(step, groups, draws) | counts | guard
        return StepSamples(prompts, groups, honeypot_groups, metrics)

    def _measure(self, step: int, groups: Groups, draws: Sequence[_Draw]) -> dict[str, float]:
        temperature, max_tokens = self._get_settings(step)
        sampling_seconds, judge_seconds = parallel.max_over_ranks(
            sum(one.sampling_seconds for one in draws), sum(one.judge_seconds for one in draws)
        )
        episodes = [episode for one in draws for group in one.groups for episode in group]
        stale = [step - episode.sample.version for group in groups for episode in group]
        return {
            "sched/temperature": temperature,
            "sched/max_tokens": float(max_tokens),
            "timing_s/gen": sampling_seconds,
            "timing_s/reward_wait": judge_seconds,
            "perf/gen_tok_s": sum(len(one.sample.ids) for one in episodes) / sampling_seconds,
            "rollout/staleness": sum(stale) / len(stale),
        }

    def _choose_prompts(self, step: int) -> tuple[list[Prompt], list[Prompt]]:
        """Return the prompts of a step, and its honeypots."""
        train, seed = self._config.train, self._config.train.seed
        prompts = self._prompts.batch(step, train.train_batch_size, seed)
        share = self._config.guard.honeypots
        return prompts, choose_honeypots(self._prompts.prompts, prompts, share, seed, step)

    def _get_settings(self, step: int) -> tuple[float, int]:
        """Return the temperature and the largest number of tokens of a step."""
        rollout = self._config.rollout
        return rollout.temperatures.compute_value(step), int(rollout.lengths.compute_value(step))

    def _sample_shard(self, prompts: list[Prompt], step: int) -> _Draw:
        """Sample and judge this rank's prompts. No other rank is involved, so a thread may call
        this."""
        started_at = time.perf_counter()
        temperature, max_tokens = self._get_settings(step)
        shard_prompts = parallel.rank_shard(prompts)
        stream = (self._config.train.seed, "sample", step)
        sampling = Sampling(self._config.rollout.n, temperature, max_tokens, stream)
        groups, judge_seconds = self._engine.sample(
            shard_prompts, sampling, "held_back", self.lengths
        )
        return _Draw(groups, time.perf_counter() - started_at - judge_seconds, judge_seconds)

    def _redraw(
        self, step: int, prompts: list[Prompt], groups: Groups,
        draw: Callable[[list[Prompt]], Groups],
    ) -> dict[str, float]:  # fmt: skip
        """Replace groups without signal, in place, by groups of other prompts that have a signal.

        Bounded by rollout.resample rounds. Every rank draws the same prompts.
        """
        names = {prompt.problem.problem_id for prompt in prompts}
        seed = self._config.train.seed
        shuffled = counter.shuffle(self._prompts.prompts, seed, "resample", step)
        others = (prompt for prompt in shuffled if prompt.problem.problem_id not in names)
        candidate_count = replacement_count = 0
        for _ in range(self._config.rollout.resample):
            places = [i for i, group in enumerate(groups) if not has_signal(group)]
            candidates = list(itertools.islice(others, len(places)))
            if not candidates:
                break
            candidate_count += len(candidates)
            pairs = zip(candidates, draw(candidates), strict=True)
            replacements = [pair for pair in pairs if has_signal(pair[1])]
            for i, pair in zip(places, replacements, strict=False):
                prompts[i], groups[i] = pair
                replacement_count += 1
        return {"group/redrawn": float(candidate_count), "group/replaced": float(replacement_count)}
