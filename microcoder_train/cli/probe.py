"""The command ``probe``: chooses the temperature of training by the diversity of samples."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path

from microcoder_eval.results.files import replace_file
from microcoder_train.algorithm import counter, diversity
from microcoder_train.config_layers import Settings
from microcoder_train.environment.prompts import PromptSet
from microcoder_train.run.evaluate import compute_evaluation_metrics
from microcoder_train.run.log import replace_nan
from microcoder_train.run.metrics import strip_stops
from microcoder_train.run.sampling import open_sampling
from microcoder_train.run.settings import resolve_tiny
from microcoder_train.samples import Sampling

TEMPERATURES = tuple(round(diversity.LOWEST_CHOSEN + 0.2 * i, 1) for i in range(6))  # to 2.0
PROMPTS = 64
SAMPLES = 8  # as in the paper: diversity depends on the number of pooled responses
CONVERGED = 0.65  # the paper's runs (figure 3: .60 to .70); guard.converged overrides it


def probe(settings: Settings, out: Path) -> int:
    """Sample at each temperature, and write probe.json.

    Returns 0, or 1 if no temperature qualifies.
    """
    out.mkdir(parents=True, exist_ok=True)
    config = resolve_tiny(settings.config, out)
    max_tokens = int(config.rollout.lengths.largest)
    rows: list[diversity.ProbeRow] = []
    has_short_responses = False
    with open_sampling(config, "train", max_tokens, out) as (engine, train):
        prompts = counter.shuffle(train.prompts, config.train.seed, "probe")[:PROMPTS]
        print("    T  diversity  accuracy  length  truncated")
        for temperature in TEMPERATURES:
            sampling = Sampling(SAMPLES, temperature, max_tokens, (config.train.seed, "probe"))
            groups, _ = engine.sample(prompts, sampling)
            metrics = compute_evaluation_metrics(groups, PromptSet(tuple(prompts)))
            names = ("diversity", "accuracy", "length", "truncated_frac")
            row = diversity.ProbeRow(temperature, *(metrics[name] for name in names))
            rows.append(row)
            texts = [ids for group in strip_stops(groups) for ids in group]
            has_short_responses |= diversity.is_uninformative(texts)
            print(
                f"{temperature:5.1f}  {row.diversity:9.3f}  {row.accuracy:8.3f}  "
                f"{row.length:6.0f}  {row.truncated:9.1%}", flush=True,
            )  # fmt: skip
    converged = config.guard.converged or CONVERGED
    best, reason = diversity.choose_temperature(rows, converged)
    if has_short_responses:
        print("fewer than half the responses have 16 tokens: 4-gram diversity says little here")
    print(f"chosen: T {best.temperature:g}, {reason}" if best else reason)
    if config.guard.converged is None:
        print(f"convergence at {CONVERGED} is the paper's for Qwen3; yours is guard.converged")
    result = {
        "temperature": best.temperature if best else None, "why": reason, "converged": converged,
        "rows": [replace_nan(asdict(row)) for row in rows],
    }  # fmt: skip
    with replace_file(out / "probe.json") as temporary_path:
        temporary_path.write_text(json.dumps(result, indent=1))
    return 0 if best else 1
