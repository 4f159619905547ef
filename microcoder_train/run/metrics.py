"""The metrics of a step's groups, by verl's names where verl has them."""

from __future__ import annotations

import math
import resource
from collections import Counter
from collections.abc import Sequence

import torch

from microcoder_eval.records import Status, Verdict
from microcoder_train.algorithm.diversity import (
    average_diversities,
    is_uninformative,
    measure_diversity,
)
from microcoder_train.learner.advantages import Advantages
from microcoder_train.parallel import gather_shards, rank_shard
from microcoder_train.samples import Episode


def compute_step_metrics(
    groups: Sequence[Sequence[Episode]], advantages: Advantages, difficulties: Sequence[str | None]
) -> dict[str, float]:
    """Return the metrics of the samples, judgements and advantages; shares are of all samples.
    Collective: every rank calls it."""
    samples = [episode for group in groups for episode in group]
    texts = strip_stops(groups)
    valid_rewards = advantages.rewards_PG[advantages.valid_PG]
    return {
        "critic/rewards/mean": valid_rewards.mean().item() if len(valid_rewards) else math.nan,
        **_measure_lengths(samples),
        "diversity/d4": measure_mean_diversity(texts),
        "diversity/g": float(len(groups[0])),
        "diversity/uninformative": float(is_uninformative([ids for g in texts for ids in g])),
        **_measure_judgements(samples),
        "group/all_zero_frac": _average(advantages.equal_P & (advantages.rewards_PG == 0).all(1)),
        "group/all_one_frac": _average(advantages.equal_P & (advantages.rewards_PG.amax(1) > 0)),
        "group/mixed_frac": _average(advantages.mixed_P),
        "mask/truncated_frac": _average(advantages.truncated_PG),
        "mask/eligible_frac": _average(advantages.truncated_PG & advantages.eligible_PG),
        "mask/repeat_frac": _average(advantages.repeating_PG),
        "mask/applied_frac": _average(advantages.masked_PG),
        **_measure_by_difficulty(groups, difficulties),
    }  # fmt: skip


def measure_guards(
    groups: Sequence[Sequence[Episode]], honeypots: Sequence[Sequence[Episode]]
) -> dict[str, float]:
    """Return metrics of unearned rewards: attacks on the judge, and passes of the visible tests
    only."""
    metrics = {}
    episodes = [episode for group in honeypots for episode in group]
    if judged := [e.judgement.passed for e in episodes if e.judgement.status is not Status.ERROR]:
        metrics["reward/hack_rate"] = mean(judged)
    both = [
        e
        for group in groups
        for e in group
        if e.hidden_passed is not None and e.judgement.status is not Status.ERROR
    ]
    if both:
        visible = mean([e.judgement.passed for e in both])
        everything = mean([e.judgement.passed and e.hidden_passed for e in both])
        metrics["reward/visible_minus_hidden"] = visible - everything
    return metrics


def read_memory_metrics() -> dict[str, float]:
    """Return the peak memory of this process so far, in GB."""
    metrics = {"mem/rss_gb": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024 / 1e9}
    if torch.cuda.is_available():
        metrics["mem/gpu_gb"] = torch.cuda.max_memory_allocated() / 1e9
    return metrics


def count_passed(group: Sequence[Episode]) -> tuple[int, int]:
    """Return the numbers of samples that passed and that were judged."""
    outcomes = [e.judgement.passed for e in group if e.judgement.status is not Status.ERROR]
    return sum(outcomes), len(outcomes)


def has_signal(group: Sequence[Episode]) -> bool:
    """Whether the rewards of a group differ."""
    return len({episode.reward for episode in group} - {None}) > 1


def mean(values: Sequence[float | bool | None]) -> float:
    """Return the mean, with 0 for None; NaN without values."""
    return sum(float(value or 0) for value in values) / len(values) if values else math.nan


def _measure_lengths(samples: Sequence[Episode]) -> dict[str, float]:
    lengths = [len(episode.sample.ids) for episode in samples]
    metrics = {
        "response_length/mean": mean(lengths), "response_length/max": float(max(lengths)),
        "response_length/min": float(min(lengths)),
        "response_length/clip_ratio": mean([e.sample.truncated for e in samples]),
    }  # fmt: skip
    for status in (Status.CORRECT, Status.INCORRECT, Status.INCOMPLETE):
        lengths = [len(e.sample.ids) for e in samples if e.judgement.status is status]
        metrics[f"response_length/{status}"] = mean(lengths)
    return metrics


def _measure_judgements(samples: Sequence[Episode]) -> dict[str, float]:
    statuses = Counter(episode.judgement.status for episode in samples)
    flags = Counter(flag for episode in samples for flag in episode.judgement.flags)
    return {
        **{f"reward/{status}_frac": statuses[status] / len(samples) for status in Status},
        "reward/timeout_frac": mean([e.judgement.verdict is Verdict.TLE for e in samples]),
        # The judge's flags hint at reward hacking.
        "reward/flagged_frac": mean([bool(e.judgement.flags) for e in samples]),
        **{f"reward/flag/{flag}": count / len(samples) for flag, count in sorted(flags.items())},
    }


def _measure_by_difficulty(
    groups: Sequence[Sequence[Episode]], difficulties: Sequence[str | None]
) -> dict[str, float]:
    lengths: dict[str, list[int]] = {}
    for group, difficulty in zip(groups, difficulties, strict=True):
        if difficulty is not None:
            lengths.setdefault(difficulty, []).extend(len(episode.sample.ids) for episode in group)
    return {f"response_length/difficulty/{k}": mean(v) for k, v in sorted(lengths.items())}


def measure_mean_diversity(groups: Sequence[Sequence[Sequence[int]]]) -> float:
    """Return the mean of D over the queries; every rank must call it and computes its share."""
    values = [measure_diversity(responses) for responses in rank_shard(groups)]
    return average_diversities(gather_shards(values))


def strip_stops(groups: Sequence[Sequence[Episode]]) -> list[list[Sequence[int]]]:
    """Return the tokens of each response without its stop token, which would lower diversity."""
    return [[episode.sample.text_ids for episode in group] for group in groups]


def _average(flags: torch.Tensor) -> float:
    """Return the share that is set."""
    return flags.double().mean().item()
