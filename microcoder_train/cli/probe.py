"""``microcoder-train probe``: which temperature to train at, from the diversity of samples."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

from matplotlib.figure import Figure

from microcoder_train import counter
from microcoder_train.config import Settings
from microcoder_train.data import Template, read_prompts
from microcoder_train.diversity import ProbeRow, choose_temperature, mean_diversity, uninformative
from microcoder_train.evaluate import accuracy, sample_and_judge
from microcoder_train.metrics import without_stop
from microcoder_train.policy import load_model, memory_hint
from microcoder_train.reward import Grader
from microcoder_train.rollout.hf import HfEngine
from microcoder_train.schedule import staged
from microcoder_train.trainer import resolved

TEMPERATURES = tuple(round(0.2 * i, 1) for i in range(1, 11))
PROMPTS = 64
SAMPLES = 8  # the paper's; diversity depends on how many responses are pooled
# Where the paper's runs settle (figure 3: .60 to .70), unless guard.converged says otherwise.
CONVERGED = 0.65


def probe(settings: Settings, out: Path) -> int:
    """Sample at each temperature, write probe.json and probe.png; 0, or 1 when none qualifies."""
    out.mkdir(parents=True, exist_ok=True)
    config = resolved(settings.config, out)
    model, tokenizer = load_model(config.model)
    template = Template(config.data, tokenizer)
    train = read_prompts(config.data.train, "data.train", config.data, template)
    order = counter.permutation(len(train.prompts), config.train.seed, "probe")[:PROMPTS]
    prompts = [train.prompts[i] for i in order]
    stops = template.stop_ids()
    engine = HfEngine(model, stops, max_sequences=config.rollout.max_sequences)
    max_tokens = int(staged(config.rollout.response_length).largest)
    rows: list[ProbeRow] = []
    print("    T  diversity  accuracy  length  truncated")
    short = False
    with (
        Grader(config.reward, template) as grader,
        memory_hint("sampling", "rollout.max_sequences"),
    ):
        for temperature in TEMPERATURES:
            groups, _ = sample_and_judge(
                engine, grader, prompts, (config.train.seed, "probe"),
                n=SAMPLES, temperature=temperature, max_tokens=max_tokens,
            )  # fmt: skip
            texts = [[without_stop(graded.sample.ids, stops) for graded in g] for g in groups]
            samples = [graded.sample for group in groups for graded in group]
            short = short or uninformative([ids for group in texts for ids in group])
            rows.append(
                ProbeRow(
                    temperature,
                    mean_diversity(texts),
                    accuracy(groups)["accuracy"],
                    sum(len(sample.ids) for sample in samples) / len(samples),
                    sum(sample.truncated for sample in samples) / len(samples),
                )
            )
            print(_line(rows[-1]), flush=True)
    converged = config.guard.converged or CONVERGED
    chosen, why = choose_temperature(rows, converged)
    if short:
        print("fewer than half the responses have 16 tokens: 4-gram diversity says little here")
    print(f"chosen: T {chosen.temperature:g}, {why}" if chosen else why)
    if config.guard.converged is None:
        print(f"convergence at {CONVERGED} is the paper's for Qwen3; yours is guard.converged")
    result = {
        "temperature": chosen.temperature if chosen else None,
        "why": why,
        "converged": converged,
        "rows": [{k: None if math.isnan(v) else v for k, v in asdict(row).items()} for row in rows],
    }
    (out / "probe.json").write_text(json.dumps(result, indent=1))
    _draw(rows, converged, chosen, out / "probe.png")
    return 0 if chosen else 1


def _line(row: ProbeRow) -> str:
    return (
        f"{row.temperature:5.1f}  {row.diversity:9.3f}  {row.accuracy:8.3f}  {row.length:6.0f}"
        f"  {row.truncated:9.1%}"
    )


def _draw(rows: Sequence[ProbeRow], converged: float, chosen: ProbeRow | None, file: Path) -> None:
    figure = Figure(figsize=(12, 3.4))
    axes = figure.subplots(1, 3)
    temperatures = [row.temperature for row in rows]
    for axis, name in zip(axes, ("diversity", "accuracy", "length"), strict=True):
        axis.plot(temperatures, [getattr(row, name) for row in rows], marker="o")
        axis.set_xlabel("temperature")
        axis.set_title(name)
        axis.grid(alpha=0.3)
        if chosen is not None:
            axis.axvline(chosen.temperature, color="C2", linestyle="--")
    axes[0].axhline(converged, color="C3", linestyle=":")
    figure.tight_layout()
    figure.savefig(file, dpi=130)
