"""Some training steps on one GPU or several, measured; ends with a record in JSON.

    python examples/gpu/measure.py --out runs/gpu [--model FOLDER] [key=value ...]

vLLM samples in the trainer's process. Without --model it is a random model of Qwen3-0.6B's shape,
whose answers are noise, nearly all of full length: every row is forwarded all the same, so times
and memory are those of a model that learns. With --trl TRL's GRPOTrainer takes as many steps
afterwards, on the same GPU. --dry-run: two steps of a tiny model with the hf engine, wherever there
is no GPU.

The record has, as medians over the steps but the first: seconds, tokens/s of sampling and of the
update, the share of the GPU's arithmetic that the update reaches, and how far the engine's
log-probabilities are from the trainer's; and the peak memory of each phase on this process's GPU
(of the whole process on a CPU, which cannot be reset), beside what --dry-run tells. It is in --out,
and of a GPU also in benchmarks/results.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import sys
import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import asdict
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

import torch
from transformers import PreTrainedModel, Qwen3Config, Qwen3ForCausalLM

from microcoder_train.cli.footprint import measure_memory
from microcoder_train.config_layers import load_settings
from microcoder_train.learner.advantages import Advantages
from microcoder_train.parallel import barrier, join_processes, rank, world_size
from microcoder_train.run.metrics import read_memory_metrics
from microcoder_train.run.signals import Interrupted, Stop
from microcoder_train.run.step_sampler import StepSamples
from microcoder_train.run.tiny import tiny_model, tiny_tokenizer, write_tiny
from microcoder_train.run.trainer import Trainer
from microcoder_train.samples import Episode

RESULTS = Path(__file__).resolve().parents[2] / "benchmarks" / "results"
PACKAGES = ("microcoder", "torch", "transformers", "vllm", "trl")
FIGURES = (
    "timing_s/step", "timing_s/sync", "timing_s/gen", "timing_s/reward_wait", "timing_s/update",
    "perf/gen_tok_s", "perf/train_tok_s", "perf/mfu", "rollout/logp_diff_mean",
    "rollout/logp_diff_max", "sync/check_maxdiff", "sync/check_meandiff",
)  # fmt: skip
SETTINGS = (
    "eval.at_start=false", "data.eval=", "guard.no_signal_steps=1000000",
    "train.skip_zero_advantages=false", "checkpoint.every=1000000", "checkpoint.keep_best=false",
)  # fmt: skip


class MeasuredTrainer(Trainer):
    """A trainer that notes the peak memory of sampling and of the update."""

    peaks_gb: dict[str, float]

    def sample(self, stop: Stop) -> StepSamples:
        result = super().sample(stop)
        self._note_peak("sampling, with the push of weights")
        return result

    def learn(
        self, groups: Sequence[Sequence[Episode]], advantages: Advantages
    ) -> dict[str, float]:
        metrics = super().learn(groups, advantages)
        self._note_peak("update")
        return metrics

    def _note_peak(self, phase: str) -> None:
        memory = read_memory_metrics()
        peak = memory.get("mem/gpu_gb", memory["mem/rss_gb"])
        self.peaks_gb[phase] = max(peak, self.peaks_gb.get(phase, 0.0))
        if torch.cuda.is_available():
            torch.cuda.reset_peak_memory_stats()


def main() -> int:
    """Measure, write the record, and print it. Returns 2 where there is no GPU to measure on."""
    options = parse_options()
    if not options.dry_run and not torch.cuda.is_available():
        print(
            "measure.py: torch finds no CUDA GPU (microcoder-train doctor says what it finds); "
            "--dry-run takes two steps of a tiny model on the CPU",
            file=sys.stderr,
        )
        return 2
    out = Path(options.out)
    with join_processes():
        is_writer, processes = rank() == 0, world_size()  # vLLM's end also ends the group
        if is_writer:
            prepare_task(out, options)
        barrier()
        ours = measure_ours(out, options)
        record = {
            "machine": describe_machine(), "processes": processes,
            "model": options.model or ("tiny" if options.dry_run else "random, Qwen3-0.6B's shape"),
            "versions": read_versions(), "settings": options.overrides, "microcoder": ours,
            "trl": measure_trl(out, options) if options.trl and processes == 1 else "not asked for",
        }  # fmt: skip
        if is_writer:
            files = [out / "record.json"]
            if not options.dry_run:
                files.append(RESULTS / f"gpu-{datetime.now(UTC):%Y-%m-%d-%H%M%S}.json")
            for file in files:
                file.write_text(json.dumps(record, indent=1) + "\n")
            print(json.dumps(record, indent=1))
    return 0


def parse_options() -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--out", default="runs/gpu", help="a new folder (%(default)s)")
    parser.add_argument("--model", help="a Hugging Face folder; data.train=FILE must be given, too")
    parser.add_argument("--steps", type=int, default=20)
    parser.add_argument("--tokens", type=int, default=8192, help="of the longest answer")
    parser.add_argument("--trl", action="store_true", help="also as many steps of TRL's trainer")
    parser.add_argument("--dry-run", action="store_true", help="a tiny model, also without a GPU")
    parser.add_argument("overrides", nargs="*", metavar="key=value", help="settings of the run")
    options = parser.parse_intermixed_args()
    if options.dry_run:
        options.steps, options.tokens = 2, 8
    return options


def prepare_task(out: Path, options: argparse.Namespace) -> None:
    """Write the problems and, without --model, the model with random weights."""
    write_tiny(out / "task", 0)
    if options.model:
        return
    model: PreTrainedModel = tiny_model(0)
    if not options.dry_run:
        torch.manual_seed(0)
        config = Qwen3Config(
            vocab_size=151_936, hidden_size=1024, intermediate_size=3072, num_hidden_layers=28,
            num_attention_heads=16, num_key_value_heads=8, head_dim=128, tie_word_embeddings=True,
            max_position_embeddings=40_960, pad_token_id=0, bos_token_id=None, eos_token_id=1,
        )  # fmt: skip
        model = Qwen3ForCausalLM(config)
    model.save_pretrained(out / "model")
    tiny_tokenizer().save_pretrained(out / "model")


def measure_ours(out: Path, options: argparse.Namespace) -> dict[str, Any]:
    """The figures of our trainer."""
    settings = [
        *SETTINGS,
        f"model.path={options.model or out / 'model'}",
        f"data.train={out / 'task' / 'train.jsonl'}",
        f"rollout.backend={'hf' if options.dry_run else 'vllm'}",
        f"rollout.dtype={'master' if options.dry_run else 'bfloat16'}",
        f"model.autocast={'none' if options.dry_run else 'bfloat16'}",
        f"model.activation_checkpointing={str(not options.dry_run).lower()}",
        f"model.compile={str(not options.dry_run).lower()}",
        f"rollout.response_length={options.tokens}",
        "train.train_batch_size=8",
        f"train.steps={options.steps}",
        *options.overrides,
    ]
    trainer = MeasuredTrainer(load_settings(None, "tiny", settings), out / "run")
    trainer.peaks_gb = {"loading": read_memory_metrics().get("mem/gpu_gb", 0.0)}
    with suppress(Interrupted):  # the record is then of the steps that were taken
        trainer.run()
    history = trainer.record.history
    lines = [line for line in history if line["step"] > 1] or history
    values = {name: [line[name] for line in lines if name in line] for name in FIGURES}
    medians = {name: statistics.median(series) for name, series in values.items() if series}
    prompt_length = len(trainer.train_prompts.prompts[0].ids)
    shape = (options.tokens, prompt_length, world_size())
    parts = measure_memory(trainer.config, trainer.policy.model, *shape)
    peak_gb = parts.sum_peak(trainer.config.rollout) / 1e9
    estimate = {"parts": asdict(parts), "peak_gb": peak_gb}
    return {"medians": medians, "peaks_gb": trainer.peaks_gb, "told_before": estimate}


def measure_trl(out: Path, options: argparse.Namespace) -> dict[str, Any] | str:
    """The seconds of TRL's steps at the same batch, or why there are none."""
    try:
        from datasets import Dataset
        from trl import GRPOConfig, GRPOTrainer
    except ImportError as error:
        return f"not installed: {error}"
    problems = (out / "task" / "train.jsonl").read_text().splitlines()
    prompts = [json.loads(line)["starter_code"] for line in problems]
    colocated = {} if options.dry_run else {"use_vllm": True, "vllm_mode": "colocate"}
    config = GRPOConfig(
        output_dir=str(out / "trl"), max_steps=options.steps, num_generations=8,
        per_device_train_batch_size=64, max_completion_length=options.tokens, beta=0.0,
        use_cpu=options.dry_run, bf16=not options.dry_run, gradient_checkpointing=False,
        report_to="none", save_strategy="no", disable_tqdm=True, **colocated,
    )  # fmt: skip
    trainer = GRPOTrainer(
        model=str(options.model or out / "model"),
        reward_funcs=lambda completions, **_: [float(i % 2) for i in range(len(completions))],
        args=config,
        train_dataset=Dataset.from_list([{"prompt": prompt} for prompt in prompts]),
    )
    started_at = time.perf_counter()
    trainer.train()
    seconds = (time.perf_counter() - started_at) / options.steps
    return {"seconds_per_step": seconds, "peak_gb": read_memory_metrics().get("mem/gpu_gb", 0.0)}


def describe_machine() -> dict[str, Any]:
    """The GPUs and the cores."""
    gpus = [torch.cuda.get_device_name(i) for i in range(torch.cuda.device_count())]
    return {"gpus": gpus, "cuda": torch.version.cuda, "cores": len(os.sched_getaffinity(0))}


def read_versions() -> dict[str, str]:
    """The versions of the packages that are installed."""
    versions = {}
    for name in PACKAGES:
        try:
            versions[name] = version(name)
        except PackageNotFoundError:
            versions[name] = "not installed"
    return versions


if __name__ == "__main__":
    sys.exit(main())
