"""What ``run`` and ``eval`` do around the loop: what is said before and after."""

from __future__ import annotations

import json
import tempfile
from math import isnan, nan
from pathlib import Path

from microcoder_train.config import Settings
from microcoder_train.console import CURVES, sparkline
from microcoder_train.data import Template, read_prompts
from microcoder_train.errors import ConfigError
from microcoder_train.estimate import estimate
from microcoder_train.evaluate import budgets, evaluate, figures, write_samples
from microcoder_train.parallel import processes
from microcoder_train.policy import load_model, memory_hint
from microcoder_train.reward import Grader
from microcoder_train.rollout.hf import HfEngine
from microcoder_train.signals import Interrupted
from microcoder_train.trainer import MEMORY_KNOBS, Trainer, resolved


@processes()
def train(settings: Settings, out: Path, resume: str) -> int:
    """Train, with the others where torchrun started several; 0, or 130 when asked to stop."""
    trainer = Trainer(settings, out, resume)
    if trainer.writes:
        (out / "config.toml").write_text(settings.text(), encoding="utf-8")
    if trainer.held is not None:
        trainer.progress.say(f"going on from {trainer.held.folder}")
    if trainer.step >= settings.config.train.steps:
        trainer.progress.say(f"all {trainer.step} steps are done; a larger train.steps goes on")
    else:
        with memory_hint("measuring a few tokens", f"rollout.max_sequences, {MEMORY_KNOBS}"):
            trainer.progress.say(estimate(trainer))
    try:
        trainer.run()
    except Interrupted:
        trainer.progress.say(
            f"microcoder-train: stopped after step {trainer.step}, saved; the same command goes on"
        )
        return 130
    if not trainer.writes:
        return 0
    for name, label in CURVES.items():
        values = [value for line in trainer.history if not isnan(value := line.get(name, nan))]
        if values:
            print(f"{label:<16} {values[0]:8.3g} → {values[-1]:8.3g}  {sparkline(values)}")
    print(f"model: {out / 'checkpoints' / f'step_{trainer.step:06d}' / 'hf'}")
    print(f"figures: microcoder-train plot {out}")
    return 0


def evaluate_model(settings: Settings, samples: str | None, *, as_json: bool) -> int:
    """avg@n and pass@k of model.path on data.eval, by every trait and at every token budget."""
    if samples:
        Path(samples).touch()  # said now, not when all is judged
    with tempfile.TemporaryDirectory() as folder:
        config = resolved(settings.config, Path(folder))
        if not config.data.eval:
            raise ConfigError("data.eval is not set: a JSONL file of problems to evaluate on")
        model, tokenizer = load_model(config.model)
        template = Template(config.data, tokenizer)
        held_out = read_prompts(config.data.eval, "data.eval", config.data, template)
    engine = HfEngine(model, template.stop_ids(), max_sequences=config.rollout.max_sequences)
    found: dict[str, dict[str, float]] = {}
    every = []
    with (
        Grader(config.reward, template) as grader,
        memory_hint("sampling", "rollout.max_sequences"),
    ):
        for max_tokens in budgets(config):
            groups = evaluate(engine, grader, held_out, config, max_tokens)
            found[str(max_tokens)] = figures(groups, held_out, families=True)
            every += groups
    if samples:
        write_samples(every, Path(samples))
    if as_json:
        print(json.dumps(found))
        return 0
    for budget, values in found.items():
        print(f"at {budget} tokens, n={config.eval.n}, T={config.eval.temperature:g}")
        for name, value in values.items():
            print(f"  {name:<40} {value:.4f}")
    return 0
