"""A step's groups as figures; names are verl's where it has them (spec 1.9)."""

from __future__ import annotations

import math
import resource
from collections import Counter
from collections.abc import Mapping, Sequence

import torch

from microcoder_eval.records import Status, Verdict
from microcoder_train.config import Guard
from microcoder_train.credit import Credit
from microcoder_train.diversity import mean_diversity, uninformative
from microcoder_train.samples import Graded


def step_metrics(
    groups: Sequence[Sequence[Graded]],
    credit: Credit,
    stop_ids: frozenset[int],
    difficulties: Sequence[str | None],
) -> dict[str, float]:
    """What was sampled, how it was judged, and what became of it. Shares are of all samples."""
    samples = [graded for group in groups for graded in group]
    texts = [[without_stop(graded.sample.ids, stop_ids) for graded in g] for g in groups]
    scored = credit.rewards_PG[credit.valid_PG]
    return {
        "critic/rewards/mean": scored.mean().item() if len(scored) else math.nan,
        **_lengths(samples),
        "diversity/d4": mean_diversity(texts),
        "diversity/g": float(len(groups[0])),
        "diversity/uninformative": float(uninformative([ids for g in texts for ids in g])),
        **_judgements(samples),
        "group/all_zero_frac": _share(~credit.mixed_P & (credit.rewards_PG.amax(1) == 0)),
        "group/all_one_frac": _share(~credit.mixed_P & (credit.rewards_PG.amax(1) > 0)),
        "group/mixed_frac": _share(credit.mixed_P),
        "mask/truncated_frac": _share(credit.truncated_PG),
        "mask/eligible_frac": _share(credit.truncated_PG & credit.eligible_PG),
        "mask/repeat_frac": _share(credit.repeating_PG),
        "mask/applied_frac": _share(credit.masked_PG),
        **_by_difficulty(groups, difficulties),
    }


def mismatch_alarms(found: Mapping[str, float], guard: Guard) -> list[str]:
    """Where the engine's probabilities are not the trainer's, though its weights should be.

    The ratio's mean is 1 when they agree; 0 stands for a step without a forwarded token.
    """
    gap, ratio = found["rollout/logp_diff_mean"], found["rollout/is_ratio_mean"]
    said = []
    if gap > guard.logp_diff:
        said.append(
            f"engine and trainer differ by {gap:.2g} in log-probability (mean over tokens, "
            f"guard.logp_diff={guard.logp_diff:g}; at most {found['rollout/logp_diff_max']:.2g})"
        )
    if ratio and not 1 / guard.is_ratio <= ratio <= guard.is_ratio:
        said.append(
            f"trainer's to engine's probability is {ratio:.2f} in the mean "
            f"(guard.is_ratio={guard.is_ratio:g})"
        )
    return said


def memory_metrics() -> dict[str, float]:
    """Peaks of this process so far, in GB; ``resource`` counts in KiB."""
    found = {"mem/rss_gb": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024 / 1e9}
    if torch.cuda.is_available():
        found["mem/gpu_gb"] = torch.cuda.max_memory_allocated() / 1e9
    return found


def pass_rates(groups: Sequence[Sequence[Graded]]) -> dict[str, list[int]]:
    """For each problem: how many samples passed, of how many that were judged."""
    rates = {}
    for group in groups:
        judged = [g.judgement.passed for g in group if g.judgement.status is not Status.ERROR]
        rates[group[0].sample.problem_id] = [sum(judged), len(judged)]
    return rates


def _lengths(samples: Sequence[Graded]) -> dict[str, float]:
    lengths = [len(graded.sample.ids) for graded in samples]
    found = {
        "response_length/mean": sum(lengths) / len(lengths),
        "response_length/max": float(max(lengths)),
        "response_length/min": float(min(lengths)),
        "response_length/clip_ratio": sum(g.sample.truncated for g in samples) / len(samples),
    }
    for status in (Status.CORRECT, Status.INCORRECT, Status.INCOMPLETE):
        part = [len(g.sample.ids) for g in samples if g.judgement.status is status]
        found[f"response_length/{status}"] = sum(part) / len(part) if part else math.nan
    return found


def _judgements(samples: Sequence[Graded]) -> dict[str, float]:
    statuses = Counter(graded.judgement.status for graded in samples)
    flags = Counter(flag for graded in samples for flag in graded.judgement.flags)
    late = sum(graded.judgement.verdict is Verdict.TLE for graded in samples)
    return {
        **{f"reward/{status}_frac": statuses[status] / len(samples) for status in Status},
        "reward/timeout_frac": late / len(samples),
        # What a model that games its reward would set off; see the judge's flags.
        "reward/flagged_frac": sum(bool(g.judgement.flags) for g in samples) / len(samples),
        **{f"reward/flag/{flag}": count / len(samples) for flag, count in sorted(flags.items())},
    }


def _by_difficulty(
    groups: Sequence[Sequence[Graded]], difficulties: Sequence[str | None]
) -> dict[str, float]:
    lengths: dict[str, list[int]] = {}
    for group, difficulty in zip(groups, difficulties, strict=True):
        if difficulty is not None:
            lengths.setdefault(difficulty, []).extend(len(graded.sample.ids) for graded in group)
    return {
        f"response_length/difficulty/{name}": sum(found) / len(found)
        for name, found in sorted(lengths.items())
    }


def without_stop(ids: Sequence[int], stop_ids: frozenset[int]) -> Sequence[int]:
    """A response for diversity: every finished one ends alike."""
    return ids[:-1] if ids and ids[-1] in stop_ids else ids


def _share(flags: torch.Tensor) -> float:
    return flags.double().mean().item()
