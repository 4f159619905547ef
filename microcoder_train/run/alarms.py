"""What a run tells a person about the step that it finished, and when it should stop."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from microcoder_train.algorithm import diversity
from microcoder_train.config import Guard
from microcoder_train.samples import Episode

from .log import select_curve

History = Sequence[Mapping[str, Any]]  # metrics of each step, the last one the newest


def find_alarms(
    history: History, groups: Sequence[Sequence[Episode]], stop_ids: frozenset[int], guard: Guard
) -> dict[str, str]:
    """Return the alarms of the newest step by their kind; groups: its samples."""
    alarms = _find_diversity_alarms(history, guard) | find_mismatch_alarms(history[-1], guard)
    if all(episode.sample.truncated for group in groups for episode in group):
        max_tokens = groups[0][0].sample.request.sampling.max_tokens
        alarms["no end"] = (
            f"no response ended by itself in {max_tokens} tokens: "
            f"raise rollout.response_length, unless the model never samples its end token "
            f"({', '.join(map(str, sorted(stop_ids)[:8]))})"
        )
    if history[-1].get("actor/skipped"):
        alarms["skipped"] = (
            "an update had no finite gradient and was skipped; the mean loss of the step is "
            f"{history[-1]['actor/pg_loss']:g}"
        )
    elif not math.isfinite(history[-1]["actor/pg_loss"]):
        alarms["loss"] = "the mean loss of the step is not finite, though its gradient is"
    if math.isnan(history[-1]["actor/clipfrac_low"]):
        alarms["ratio of the loss"] = "the ratio that loss.function returns is not a number"
    scores = select_curve(history, "eval/accuracy")
    accuracies = list(scores.values())
    since_best = len(accuracies) - 1 - accuracies.index(max(accuracies)) if accuracies else 0
    if since_best >= guard.patience and history[-1]["step"] in scores:
        alarms["accuracy"] = f"no better evaluation for {since_best} evaluations"
        if history[-1].get("diversity/slope", 0.0) < 0:
            alarms["accuracy"] += ", and diversity falls: such runs do not recover (paper, 2.5)"
    return alarms


def _find_diversity_alarms(history: History, guard: Guard) -> dict[str, str]:
    steps = [line for line in history if "diversity/d4" in line]
    diversities, rewards = (
        [line[name] for line in steps] for name in ("diversity/d4", "critic/rewards/mean")
    )
    alarms = diversity.find_alarms(diversities, guard.converged, rewards)
    if history[-1]["diversity/uninformative"]:
        note = " (most responses are too short for informative 4-grams)"
        alarms = {kind: text + note for kind, text in alarms.items()}
    return alarms


def find_mismatch_alarms(metrics: Mapping[str, float], guard: Guard) -> dict[str, str]:
    """Return alarms, by kind, for an engine whose probabilities differ from the trainer's.

    The mean ratio is 1 if they agree, and 0 in a step without a forwarded token.
    """
    gap, ratio = metrics["rollout/logp_diff_mean"], metrics["rollout/is_ratio_mean"]
    messages = {}
    if gap > guard.logp_diff:
        messages["difference"] = (
            f"engine and trainer differ by {gap:.2g} in log-probability (mean over tokens, "
            f"guard.logp_diff={guard.logp_diff:g}; at most {metrics['rollout/logp_diff_max']:.2g})"
        )
    if ratio and not 1 / guard.is_ratio <= ratio <= guard.is_ratio:
        messages["ratio"] = (
            f"trainer's to engine's probability is {ratio:.2f} in the mean "
            f"(guard.is_ratio={guard.is_ratio:g})"
        )
    return messages


def find_stop_reason(history: History, guard: Guard) -> str | None:
    """Return why the run should stop, if no group of the last steps had a learning signal."""
    recent = [line for line in history if line["step"] > 0][-guard.no_signal_steps :]
    if len(recent) < guard.no_signal_steps or any(line["group/mixed_frac"] for line in recent):
        return None
    zero = sum(line["group/all_zero_frac"] for line in recent) / len(recent)
    return (
        f"no learning signal for {len(recent)} steps: in every group all rewards are equal "
        f"({zero:.0%} of groups all wrong, {1 - zero:.0%} all right or not judged). All "
        "wrong: easier problems, a longer rollout.response_length, another data.template, and "
        "a lower optim.lr if there was reward before; "
        "all right: harder problems; either: a higher rollout.temperature, a larger "
        "rollout.n"
    )
