"""What the paper's model needs on GPUs of 80 GB, by the trainer's own estimate.

    python benchmarks/qwen3_memory.py

Qwen3-4B's shape without its weights; no GPU and no memory are needed. Saves a record.
"""

from __future__ import annotations

import sys
from datetime import UTC, datetime

import common
import torch
from transformers import Qwen3Config, Qwen3ForCausalLM

from microcoder_train.cli.memory import memory_parts, sum_parts
from microcoder_train.config import load

SHAPE = Qwen3Config(
    vocab_size=151_936, hidden_size=2560, intermediate_size=9728, num_hidden_layers=36,
    num_attention_heads=32, num_key_value_heads=8, head_dim=128, tie_word_embeddings=True,
)  # fmt: skip
PROMPT, ANSWER = 600, 8192  # tokens
VARIANTS = {
    "as it stands": [],
    "activation checkpointing": ["model.activation_checkpointing=true"],
    "and 32 sequences at once": [
        "model.activation_checkpointing=true", "rollout.max_sequences=32",
    ],
    "and bfloat16 weights with LoRA": [
        "model.activation_checkpointing=true", "rollout.max_sequences=32",
        "model.master_dtype=bfloat16", "model.lora_rank=16",
    ],
}  # fmt: skip


def main() -> int:
    """Print and save the gigabytes of each GPU."""
    with torch.device("meta"):
        model = Qwen3ForCausalLM(SHAPE)
    rows = []
    for name, overrides in VARIANTS.items():
        config = load(None, "paper", ["rollout.backend=vllm", *overrides]).config
        model = model.to(getattr(torch, config.model.master_dtype))
        # Adapters of rank 16 are .8 % of the weights: none is counted as trained.
        model.requires_grad_(not config.model.lora_rank)
        gigabytes = [
            sum_parts(config, memory_parts(config, model, ANSWER, PROMPT, processes)) / 1e9
            for processes in (1, 4, 8)
        ]
        rows.append([name, *(f"{value:.0f}" for value in gigabytes)])
    print(common.format_table(["GB a GPU", "1 GPU", "4 GPUs", "8 GPUs"], rows))
    record = {
        "commit": common.read_commit(), "model": "Qwen3-4B's shape", "prompt": PROMPT,
        "answer": ANSWER, "overrides": VARIANTS, "gigabytes": rows,
    }  # fmt: skip
    stamp = datetime.now(UTC).strftime("%Y-%m-%d-%H%M%S")
    common.save(common.RESULTS / f"qwen3_memory-{stamp}.json", record)
    return 0


if __name__ == "__main__":
    sys.exit(main())
