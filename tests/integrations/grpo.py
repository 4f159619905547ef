"""Two steps of TRL's GRPO on a tiny model with the judge as its rewards: grpo.py FOLDER.

One reward is a function, one a coroutine; one problem's checker is broken, so that the judge fails.
"""

from __future__ import annotations

import json
import math
import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT), str(ROOT / "sandbox")]
MARKS = ("#", "##")
BROKEN = {"source": "def check(input, output, expected):\n    raise ValueError('broken')\n"}


def rows() -> list[dict[str, Any]]:
    """ "#3" must be continued by a program that prints 3; nobody can be judged on "##…"."""
    return [
        {
            "prompt": f"{mark}{digit}",
            "tests": json.dumps([{"input": "", "output": f"{digit}\n"}]),
            "checker": BROKEN if mark == "##" else None,
        }
        for mark in MARKS
        for digit in range(10)
    ]


def main(folder: str) -> None:
    """Train, and hold what was logged against what the judge must have said."""
    from datasets import Dataset
    from trl import GRPOConfig, GRPOTrainer

    from microcoder_eval.integrations.trl import AsyncReward, reward
    from microcoder_train.tiny import tiny_model, tiny_tokenizer, warm_up

    tokenizer, model = tiny_tokenizer(), tiny_model(seed=1)
    warm_up(model, tokenizer, seed=1)
    before = {name: value.clone() for name, value in model.state_dict().items()}
    trainer = GRPOTrainer(
        model=model,
        processing_class=tokenizer,
        reward_funcs=[reward, AsyncReward("beside", limits={"time_s": 2})],
        train_dataset=Dataset.from_list(rows()),
        args=GRPOConfig(
            output_dir=folder,
            max_steps=2,
            per_device_train_batch_size=32,
            num_generations=8,
            max_completion_length=4,
            learning_rate=1e-3,
            logging_steps=1,
            save_strategy="no",
            report_to="none",
            use_cpu=True,
            disable_tqdm=True,
            seed=1,
        ),
    )
    trainer.train()
    logged = [line for line in trainer.state.log_history if "rewards/microcoder/mean" in line]
    assert len(logged) == 2, trainer.state.log_history
    for line in logged:
        mean = line["rewards/microcoder/mean"]
        assert mean == line["rewards/beside/mean"] or math.isnan(mean)
        assert 0 <= line["judge_error"] <= 1
    assert any(0 < line["rewards/microcoder/mean"] < 1 for line in logged), logged
    assert any(line["judge_error"] > 0 for line in logged), logged
    after = model.state_dict()
    assert any(not value.equal(before[name]) for name, value in after.items())
    print(f"{len(logged)} steps")


if __name__ == "__main__":
    main(sys.argv[1])
