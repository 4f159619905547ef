"""verl's reward manager with the configuration of docs/stacks/verl.md: verl_manager.py

Needs the whole of verl. Three answers go through NaiveRewardManager.run_single, the tokens' way.
"""

from __future__ import annotations

import asyncio
import json
import sys
from pathlib import Path
from typing import Any

import numpy as np
import torch
from omegaconf import OmegaConf
from verl import DataProto
from verl.trainer.ppo.reward import load_reward_manager

PAGE = Path(__file__).resolve().parents[2] / "docs" / "stacks" / "verl.md"
TESTS = [{"input": "3\n", "output": "6\n"}]
BROKEN = {"tests": TESTS, "checker": {"source": "def check(): pass"}}
RIGHT, WRONG = (f"```python\nprint({n} * int(input()))\n```" for n in (2, 3))


class Bytes:
    """A tokenizer whose tokens are bytes."""

    def decode(self, ids: torch.Tensor, skip_special_tokens: bool) -> str:
        return bytes(ids.tolist()).decode()


def row(answer: str, truth: Any) -> DataProto:
    """One sample as the rollout hands it on."""
    ids = torch.tensor([list(answer.encode())])
    return DataProto.from_dict(
        tensors={"responses": ids, "attention_mask": torch.ones_like(ids)},
        non_tensors={
            "data_source": np.array(["taco"], dtype=object),
            "reward_model": np.array([{"ground_truth": json.dumps(truth)}], dtype=object),
            "extra_info": np.array([{}], dtype=object),
        },
    )


async def main() -> list[Any]:
    """What comes out for the function and for the coroutine."""
    block = PAGE.read_text(encoding="utf-8").partition("```yaml\n")[2].partition("```")[0]
    config = OmegaConf.create(block)
    config.reward.reward_manager = {"source": "register", "name": "naive"}
    answers = []
    for name in ("compute_score", "acompute_score"):
        config.reward.custom_reward_function.name = name
        manager = load_reward_manager(config, Bytes())
        rows = [row(RIGHT, TESTS), row(WRONG, TESTS), row(RIGHT, BROKEN)]
        answers.append(await asyncio.gather(*map(manager.run_single, rows)))
    return answers


json.dump(asyncio.run(main()), sys.stdout)
