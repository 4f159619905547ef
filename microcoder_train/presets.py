"""Named settings: what each algorithm of the paper's comparison changes, and a first run.

"dapo" is the paper's DAPO (section 5: no KL term, high clip): no dynamic sampling, no overlong
shaping. "paper" is the paper's own run; "microcoder", the default, adds a correction for engines
whose probabilities are not quite the trainer's, and takes its temperature from a probe.
"""

from __future__ import annotations

from typing import Any

DEFAULT_PRESET = "microcoder"
_OFF = {"loss.correction": "off", "rollout.temperature": 1.2}
PRESETS: dict[str, dict[str, Any]] = {
    "grpo": {**_OFF, "loss.beta": 0.001, "loss.eps_high": 0.2, "mask.mode": "none"},
    "dapo": {**_OFF, "mask.mode": "none"},
    "microcoder": {},
    "paper": {**_OFF, "rollout.response_length": 4096, "eval.response_length": [4096, 8192]},
    "tiny": {
        "model.path": "tiny",
        "model.autocast": "none",
        "data.train": "tiny",
        "data.eval": "tiny",
        "data.template": "completion",
        "loss.correction": "off",
        "rollout.dtype": "master",
        "rollout.temperature": 1.0,
        "rollout.response_length": 4,
        "optim.lr": 1e-3,
        "train.steps": 100,
        "train.train_batch_size": 16,
        "train.ppo_mini_batch_size": 8,
        "eval.temperature": 1.0,
        "eval.top_p": 1.0,
        "checkpoint.every": 50,
    },
}
