"""The commands ``run`` and ``eval``: what they print before and after the loop."""

from __future__ import annotations

import json
import tempfile
from pathlib import Path

from microcoder_train.config_layers import Settings
from microcoder_train.learner.memory import explain_memory_errors
from microcoder_train.parallel import join_processes
from microcoder_train.run.console import CURVES
from microcoder_train.run.evaluate import (
    compute_evaluation_metrics,
    evaluate,
    list_token_budgets,
    write_samples,
)
from microcoder_train.run.log import select_curve
from microcoder_train.run.sampling import open_sampling
from microcoder_train.run.settings import resolve_tiny
from microcoder_train.run.signals import Interrupted
from microcoder_train.run.trainer import MEMORY_SETTINGS, Trainer

from .estimate import estimate


@join_processes()
def train(settings: Settings, out: Path, resume: str) -> int:
    """Train, on all ranks that torchrun started; returns 0, or 130 after a signal."""
    trainer = Trainer(settings, out, resume)
    record = trainer.record
    if record.is_writer:
        (out / "config.toml").write_text(settings.to_toml(), encoding="utf-8")
    if trainer.resumed_from is not None:
        record.print_text(f"going on from {trainer.resumed_from.folder}")
    if trainer.step >= settings.config.train.steps:
        record.print_text(f"all {trainer.step} steps are done; a larger train.steps goes on")
    else:
        with explain_memory_errors(
            "measuring a few tokens", f"rollout.max_sequences, {MEMORY_SETTINGS}"
        ):
            record.print_text(estimate(trainer))
    try:
        trainer.run()
    except Interrupted:
        where = f"stopped after step {trainer.step}, saved"
        record.print_text(f"microcoder-train: {where}; the same command goes on")
        return 130
    if not record.is_writer:
        return 0
    for name, label in CURVES.items():
        if values := list(select_curve(record.history, name).values()):
            print(f"{label:<16} {values[0]:8.3g} → {values[-1]:8.3g}")
    print(f"model: {out / 'checkpoints' / f'step_{trainer.step:06d}' / 'hf'}")
    print(f"figures: microcoder-train plot {out}")
    return 0


def evaluate_model(settings: Settings, samples: str | None, *, as_json: bool) -> int:
    """Print the evaluation of model.path on data.eval at every token budget; returns 0.

    samples: a file for the judgements. as_json: print one JSON object.
    """
    if samples:
        Path(samples).touch()  # an unwritable file must fail before the work
    with tempfile.TemporaryDirectory() as folder:
        config = resolve_tiny(settings.config, Path(folder))
        budgets = list_token_budgets(config)
        results: dict[str, dict[str, float]] = {}
        all_groups = []
        sampling = open_sampling(config, "eval", max(budgets), Path(folder))
        with sampling as (engine, eval_prompts):
            for max_tokens in budgets:
                groups = evaluate(engine, eval_prompts, config, max_tokens)
                metrics = compute_evaluation_metrics(groups, eval_prompts, families=True)
                results[str(max_tokens)] = metrics
                all_groups += groups
    if samples:
        write_samples(all_groups, Path(samples))
    if as_json:
        print(json.dumps(results))
        return 0
    for budget, values in results.items():
        print(f"at {budget} tokens, n={config.eval.n}, T={config.eval.temperature:g}")
        for name, value in values.items():
            print(f"  {name:<40} {value:.4f}")
    return 0
