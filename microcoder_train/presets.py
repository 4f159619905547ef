"""Named settings: the algorithms that the paper compares, and a first run.

All but tiny differ in the algorithm only: KL term, clip, mask, where the temperature comes from.
"dapo" is the paper's DAPO (section 5: no KL term, high clip), without dynamic sampling or overlong
shaping. "paper" is the paper's algorithm at the temperature of its Qwen3 runs. "microcoder", the
default, takes the temperature from a probe.
"""

from __future__ import annotations

from typing import Any

DEFAULT_PRESET = "microcoder"
_FIXED = {"rollout.temperature": 1.2}
# The defaults are the paper's settings (its section 5). Presets add what a GPU of 80 GB or more
# needs.
_GPU = {
    **_FIXED, "rollout.backend": "vllm", "model.activation_checkpointing": True,
    "model.compile": True, "guard.honeypots": 0.01,
}  # fmt: skip
PRESETS: dict[str, dict[str, Any]] = {
    "grpo": {**_FIXED, "loss.beta": 0.001, "loss.eps_high": 0.2, "mask.mode": "none"},
    "dapo": {**_FIXED, "mask.mode": "none"},
    "microcoder": {},
    "paper": _FIXED,
    "qwen3_1.7b": {**_GPU, "model.path": "Qwen/Qwen3-1.7B"},
    "qwen3_4b": {**_GPU, "model.path": "Qwen/Qwen3-4B-Instruct-2507"},
    "qwen3_4b_32k": {
        **_GPU, "model.path": "Qwen/Qwen3-4B-Instruct-2507", "rollout.response_length": 32_768,
        "train.tokens_per_micro_batch": 36_864,
    },
    "tiny": {
        "model.path": "tiny", "model.autocast": "none",
        "data.train": "tiny", "data.eval": "tiny", "data.template": "completion",
        "loss.correction": "off", "optim.lr": 7e-4, "mask.window": 8,
        "rollout.dtype": "master", "rollout.temperature": 1.0, "rollout.response_length": 32,
        "train.steps": 100, "train.train_batch_size": 16, "train.ppo_mini_batch_size": 8,
        "eval.temperature": 1.0, "eval.top_p": 1.0, "checkpoint.every": 50,
    },
}  # fmt: skip
