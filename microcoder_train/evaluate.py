"""avg@n and pass@k of a model on held-out problems, in training and as ``microcoder-train eval``.

The noise of an evaluation does not depend on the step: before and after are compared on the same
draws. Judge's failures are in no denominator.
"""

from __future__ import annotations

import json
import math
import time
from collections import defaultdict
from collections.abc import Iterable, Sequence
from pathlib import Path

from microcoder_eval.records import Status
from microcoder_eval.results import judgement_to_json
from microcoder_eval.summary import pass_at_k
from microcoder_train.config import Config
from microcoder_train.data import Prompt, PromptSet, traits
from microcoder_train.diversity import mean_diversity
from microcoder_train.parallel import my_part
from microcoder_train.reward import Grader, Pending
from microcoder_train.rollout import Engine
from microcoder_train.samples import Graded, Request, Sample
from microcoder_train.schedule import staged


def budgets(config: Config) -> list[int]:
    """The token budgets to evaluate at; the first gives ``eval/accuracy``."""
    asked = config.eval.response_length
    if asked is None:
        return [int(staged(config.rollout.response_length).largest)]
    return [asked] if isinstance(asked, int) else list(asked)


def sample_and_judge(
    engine: Engine, grader: Grader, prompts: Sequence[Prompt], stream: Sequence[int | str],
    *, n: int, temperature: float, max_tokens: int, top_p: float = 1.0, shadow: bool = False,
) -> tuple[list[list[Graded]], float]:  # fmt: skip
    """n samples of each prompt with their judgements, in order, and the seconds of waiting for the
    judge after the last token. stream: names the randomness, together with the problem."""
    own = {prompt.problem.problem_id: prompt for prompt in prompts}
    requests = [
        Request(name, prompt.ids, n, temperature, max_tokens, (*stream, name), top_p)
        for name, prompt in own.items()
    ]
    pending: dict[tuple[str, int], Pending] = {}

    def hand_over(sample: Sample) -> None:
        judged = grader.submit(sample, own[sample.problem_id], shadow=shadow)
        pending[sample.problem_id, sample.index] = judged

    engine.generate(requests, hand_over)
    last_token = time.perf_counter()
    groups = [[pending[name, i].result() for i in range(n)] for name in own]
    return groups, time.perf_counter() - last_token


def evaluate(
    engine: Engine,
    grader: Grader,
    held_out: PromptSet,
    config: Config,
    max_tokens: int,
) -> list[list[Graded]]:
    """config.eval.n samples of every problem (of this process's part of them), judged."""
    settings = config.eval
    groups, _ = sample_and_judge(
        engine, grader, my_part(held_out.prompts), (config.train.seed, "eval"), n=settings.n,
        temperature=settings.temperature, max_tokens=max_tokens, top_p=settings.top_p,
        shadow=config.reward.shadow,
    )  # fmt: skip
    return groups


def figures(
    groups: Sequence[Sequence[Graded]], held_out: PromptSet, *, families: bool = False
) -> dict[str, float]:
    """The evaluation as metrics; see spec 1.8. Keys without prefix. families: by family, too,
    which may be hundreds."""
    samples = [graded for group in groups for graded in group]
    found = {
        **accuracy(groups),
        "length": _mean([len(graded.sample.ids) for graded in samples]),
        "truncated_frac": _mean([graded.sample.truncated for graded in samples]),
        "error_frac": _mean([graded.judgement.status is Status.ERROR for graded in samples]),
        "diversity": mean_diversity([[graded.sample.ids for graded in g] for g in groups]),
    }
    parts: dict[str, list[Sequence[Graded]]] = defaultdict(list)
    for prompt, group in zip(held_out.prompts, groups, strict=True):
        named = traits(prompt.problem)
        for name, value in named.items():
            if families or name != "family":
                parts[f"{name}/{value}"].append(group)
        if "platform" in named and "difficulty" in named:
            parts[f"{named['platform']}×{named['difficulty']}"].append(group)
    for name, part in parts.items():
        found[f"accuracy/{name}"] = accuracy(part)["accuracy"]
    shadowed = [graded for graded in samples if graded.shadow_passed is not None]
    if shadowed:
        found["accuracy_lcb"] = _mean([graded.shadow_passed for graded in shadowed])
        found["disagree_frac"] = _mean(
            [graded.shadow_passed != graded.judgement.passed for graded in shadowed]
        )
    return found


def accuracy(groups: Iterable[Sequence[Graded]]) -> dict[str, float]:
    """accuracy: avg@n, the mean over problems of the share of samples that pass. pass@k: k = n."""
    judged = [
        [graded.judgement.passed for graded in group if graded.judgement.status != Status.ERROR]
        for group in groups
    ]
    judged = [passed for passed in judged if passed]
    most = max(map(len, judged), default=0)
    return {
        "accuracy": _mean([_mean(passed) for passed in judged]),
        f"pass@{most}": _mean([pass_at_k(len(p), sum(p), len(p)) for p in judged]),
    }


def write_samples(groups: Iterable[Sequence[Graded]], file: Path) -> None:
    """One Judgement a line, the response in its meta; microcoder-data reads pass rates here."""
    with file.open("w", encoding="utf-8") as out:
        for group in groups:
            for graded in group:
                out.write(json.dumps(judgement_to_json(graded.judgement)) + "\n")


def _mean(values: Sequence[float | bool | None]) -> float:
    return sum(float(value or 0) for value in values) / len(values) if values else math.nan
