"""Memory and time of a run, told before it."""

from __future__ import annotations

import gc
import itertools
import re
from pathlib import Path

import pytest
import torch
from torch.profiler import ProfilerActivity, profile
from transformers import AutoConfig, AutoModelForCausalLM, PreTrainedModel

from microcoder_train.algorithm.grpo import compute_logprobs
from microcoder_train.cli.estimate import estimate
from microcoder_train.cli.footprint import compute_cache_bytes, measure_pass_bytes
from microcoder_train.config import Config
from microcoder_train.config_layers import load_settings
from microcoder_train.errors import TrainError
from microcoder_train.learner.memory import explain_memory_errors
from microcoder_train.learner.scorer import checkpoint_layers
from microcoder_train.rollout.vllm import GPU_SHARE
from microcoder_train.run.trainer import MEMORY_SETTINGS, Trainer
from tests.commands import Command
from tests.train.digits import Make


def test_the_estimate_says_steps_time_and_memory(settings: Make, tmp_path: Path) -> None:
    trainer = Trainer(settings("train.steps=40"), tmp_path)
    trainer.reward_judge.close()
    before = [parameter.clone() for parameter in trainer.policy.parameters]
    text = estimate(trainer)
    assert text.startswith("40 steps take at most about ")
    assert text.endswith(" GB")
    assert all(map(torch.equal, before, trainer.policy.parameters))


AUTOCASTS = ("none", "bfloat16")


CHECKPOINTING: tuple[list[str], ...] = ([], ["model.activation_checkpointing=true"])


SHAPES = {
    "qwen3": {"hidden_size": 128, "intermediate_size": 384, "num_key_value_heads": 2},
    "llama": {"hidden_size": 192, "intermediate_size": 512, "num_key_value_heads": 4},
    "gemma": {"hidden_size": 96, "intermediate_size": 640, "num_key_value_heads": 1},
}


# Each pair of a family, a setting and a type of numbers once.
PASSES = [
    (family, words, AUTOCASTS[(number + number // 2) % 2])
    for number, (family, words) in enumerate(itertools.product(SHAPES, CHECKPOINTING))
]


def run_model(model: PreTrainedModel, ids: torch.Tensor, config: Config) -> None:
    """A forward and backward pass as an update makes it."""
    use_bfloat16 = config.model.autocast == "bfloat16"
    with torch.autocast("cpu", torch.bfloat16, enabled=use_bfloat16):
        hidden = model.base_model(input_ids=ids, use_cache=False).last_hidden_state
        logps, _ = compute_logprobs(
            model.get_output_embeddings(), hidden.flatten(0, 1), ids.flatten(),
            torch.ones(ids.numel()), config.train.logits_chunk,
        )  # fmt: skip
    logps.sum().backward()


@pytest.mark.filterwarnings("ignore:.*Profiler clears events")  # of torch 2.11, once
@pytest.mark.parametrize(("family", "words", "autocast"), PASSES)
def test_the_estimate_of_a_pass_is_what_torch_allocates(
    family: str, words: list[str], autocast: str
) -> None:
    """Told from shapes alone; torch's own record of a real pass is within 5 %."""
    shape = AutoConfig.for_model(
        family, **SHAPES[family], vocab_size=999, num_hidden_layers=2, num_attention_heads=4,
        head_dim=32,
    )  # fmt: skip
    settings = [f"model.autocast={autocast}", "train.logits_chunk=100", *words]
    config = load_settings(None, "grpo", settings).config
    model = AutoModelForCausalLM.from_config(shape)
    if config.model.activation_checkpointing:
        checkpoint_layers(model)
    for parameter in model.parameters():
        parameter.grad = torch.zeros_like(parameter)
    gc.collect()  # what earlier tests left is not freed during the pass
    with profile(activities=[ProfilerActivity.CPU], profile_memory=True) as record:
        run_model(model, torch.zeros(2, 120, dtype=torch.long), config)
    events = record.profiler.kineto_results.events()  # type: ignore[union-attr]
    changes = [event for event in events if event.name() == "[memory]"]
    changes.sort(key=lambda event: event.start_ns())
    peak = max(itertools.accumulate(event.nbytes() for event in changes))
    assert measure_pass_bytes(config, shape, 2, 120) == pytest.approx(peak, rel=0.05)


def test_a_dry_run_tells_memory_and_time_before_anything_is_loaded(command: Command) -> None:
    """Of Qwen3-4B's configuration alone: there are no weights in the folder."""
    AutoConfig.for_model(
        "qwen3", vocab_size=151_936, hidden_size=2560, intermediate_size=9728,
        num_hidden_layers=36, num_attention_heads=32, num_key_value_heads=8, head_dim=128,
        tie_word_embeddings=True,
    ).save_pretrained(".")  # fmt: skip
    words = ("--preset=qwen3_4b", "model.path=.", "--dry-run", "--gpus=8")
    code, output, _ = command(*words)
    assert code == 0
    sizes = dict(re.findall(r"^(\S.*?)  +([\d.]+) GB$", output, re.MULTILINE))
    assert float(sizes["weights"]) == pytest.approx(4.02 * 4 / 8, rel=0.02)
    assert float(sizes["optimizer"]) == pytest.approx(4.02 * 8 / 8, rel=0.02)
    # Weights in bfloat16 to read, and an eighth of those in float32 with their moments.
    host_size = float(sizes["a checkpoint, in host memory"])
    assert host_size == pytest.approx(4.02 * (2 + 12 / 8), rel=0.02)
    # Of 64 answers at once these are 97 GB, more than vLLM's share of a GPU of 150 GB.
    engine_sizes = [float(sizes[f"the engine's {name}"]) for name in ("weights", "keys and values")]
    assert sum(engine_sizes) == pytest.approx(GPU_SHARE * 150, abs=0.2)
    assert "a step at most: update" in output
    # vLLM sleeps while the model learns, so its cache and what learning needs are never both there.
    peaks = [float(re.findall(r"at the peak +([\d.]+) GB", output)[0])]
    awake = command(*words, "rollout.engine.enable_sleep_mode=false")[1]
    peaks += map(float, re.findall(r"at the peak +([\d.]+) GB", awake))
    learning = float(sizes["gradients"]) + float(sizes["a pass over a micro-batch"])
    assert peaks[1] - peaks[0] == pytest.approx(learning, abs=0.3)


def test_the_estimate_counts_the_keys_and_values_of_what_is_sampled() -> None:
    # Qwen3-4B: 36 layers of 8 heads of 128, 2 bytes, keys and values: 147,456 bytes a token.
    model = AutoConfig.for_model(
        "qwen3", hidden_size=2560, num_hidden_layers=36, num_attention_heads=32,
        num_key_value_heads=8, head_dim=128,
    )  # fmt: skip
    config = load_settings(None, None, ["rollout.max_sequences=128"]).config
    assert compute_cache_bytes(config, model, 10240, 1) == 128 * 10240 * 147_456  # 193 GB


def test_running_out_of_memory_names_the_knobs() -> None:
    with pytest.raises(TrainError) as error, explain_memory_errors("updating", MEMORY_SETTINGS):
        torch.empty(1 << 50)
    assert str(error.value) == (
        "out of memory while updating: lower train.tokens_per_micro_batch or train.logits_chunk, "
        "or set model.activation_checkpointing=true"
    )


def test_a_dry_run_tries_the_loss_before_it_looks_at_a_model(command: Command) -> None:
    loss = "loss.function=tests.train.learner.test_loss:{}"
    tiny = ("--preset=tiny", "--dry-run")
    code, _, error = command(*tiny, loss.format("with_wrong_sign"))
    assert code == 2
    assert "makes right answers rarer" in error
    assert "is made by the run" in command(*tiny, loss.format("with_much_entropy"))[2]


def test_no_figure_of_a_small_model_is_0(command: Command) -> None:
    AutoConfig.for_model(
        "qwen3", vocab_size=1000, hidden_size=64, intermediate_size=128, num_hidden_layers=2,
        num_attention_heads=2, num_key_value_heads=1, head_dim=32,
    ).save_pretrained(".")  # fmt: skip
    output = command("--preset=qwen3_4b", "model.path=.", "--dry-run", "--gpus=1")[1]
    assert re.search(r"\(0\.0\d+ PFLOP .* reads [.\d]*[1-9][.\d]* GB", output), output
