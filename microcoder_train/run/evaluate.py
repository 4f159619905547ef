"""Evaluation: avg@n and pass@k of a model on held-out problems.

Random draws do not depend on the step, so evaluations of a run can be compared. Samples that the
judge failed on are not counted.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from pathlib import Path

from microcoder_eval.records import Status
from microcoder_train.config import Config
from microcoder_train.environment.prompts import PromptSet, select_group_keys
from microcoder_train.parallel import rank_shard
from microcoder_train.samples import Episode, Sampling

from .log import write_lines
from .metrics import count_passed, mean, measure_mean_diversity, strip_stops
from .sampling import JudgedEngine


def list_token_budgets(config: Config) -> list[int]:
    """Return the token budgets of an evaluation; the first one's accuracy is ``eval/accuracy``."""
    setting = config.eval.response_length
    if setting is None:
        return [int(config.rollout.lengths.largest)]
    return [setting] if isinstance(setting, int) else list(setting)


def evaluate(
    engine: JudgedEngine, eval_prompts: PromptSet, config: Config, max_tokens: int
) -> list[list[Episode]]:
    """Sample and judge the held-out problems of this rank, each ``eval.n`` times."""
    settings, stream = config.eval, (config.train.seed, "eval")
    sampling = Sampling(settings.n, settings.temperature, max_tokens, stream, settings.top_p)
    return engine.sample(rank_shard(eval_prompts.prompts), sampling, "shadow")[0]


def compute_evaluation_metrics(
    groups: Sequence[Sequence[Episode]], eval_prompts: PromptSet, *, families: bool = False
) -> dict[str, float]:
    """Return the metrics of an evaluation, in total and by platform and difficulty.

    families: also by family, which may be hundreds. Collective: every rank calls it.
    """
    episodes = [episode for group in groups for episode in group]
    metrics = {
        **measure_accuracy(groups),
        "length": mean([len(episode.sample.ids) for episode in episodes]),
        "truncated_frac": mean([episode.sample.truncated for episode in episodes]),
        "error_frac": mean([episode.judgement.status is Status.ERROR for episode in episodes]),
        "diversity": measure_mean_diversity(strip_stops(groups)),
    }
    groups_by_key: dict[str, list[Sequence[Episode]]] = defaultdict(list)
    for prompt, group in zip(eval_prompts.prompts, groups, strict=True):
        for name, value in select_group_keys(prompt.problem).items():
            if families or name != "family":
                groups_by_key[f"{name}/{value}"].append(group)
    for name, key_groups in groups_by_key.items():
        metrics[f"accuracy/{name}"] = measure_accuracy(key_groups)["accuracy"]
    shadows = [[e for e in group if e.shadow_passed is not None] for group in groups]
    if any(shadows):  # averaged over problems, like the accuracy
        shares = [mean([e.shadow_passed for e in group]) for group in shadows if group]
        judged = [e for g in shadows for e in g if e.judgement.status is not Status.ERROR]
        metrics["accuracy_lcb"] = mean(shares)
        metrics["disagree_frac"] = mean([e.shadow_passed != e.judgement.passed for e in judged])
    return metrics


def measure_accuracy(groups: Iterable[Sequence[Episode]]) -> dict[str, float]:
    """Return accuracy (avg@n: the mean over problems of the share that passes) and pass@n."""
    counts = [(passed, n) for passed, n in map(count_passed, groups) if n]
    k = max((n for _, n in counts), default=0)
    passes = mean([passed > 0 for passed, _ in counts])
    return {"accuracy": mean([passed / n for passed, n in counts]), f"pass@{k}": passes}


def write_samples(groups: Iterable[Sequence[Episode]], file: Path) -> None:
    """Write one judgement per line with the response in its meta, as microcoder-data reads it."""
    write_lines(file, (episode.judgement.to_dict() for group in groups for episode in group))
