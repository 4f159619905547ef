"""Two steps of TRL's GRPO on a tiny model, as docs/stacks/trl.md has them: grpo.py FOLDER.

One reward is a function, one a coroutine; one problem's checker is broken, so that the judge fails.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT), str(ROOT / "sandbox")]
BROKEN = {"source": "raise ValueError('broken')\n"}


def rows() -> list[dict[str, Any]]:
    """A program behind "#7" must print 7 % 2; behind "##7" nobody can be judged."""
    return [
        {
            "prompt": f"{mark}{digit}",
            "tests": json.dumps([{"input": "", "output": f"{digit % 2}\n"}]),
            "checker": BROKEN if mark == "##" else None,
        }
        for digit in range(10)
        for mark in ("#", "##")
    ]


def teach_syntax(model: Any, tokenizer: Any) -> None:
    """Programs that print 0 or 1, whatever was asked: right one time in two."""
    import torch

    noise = torch.Generator().manual_seed(1)
    optimizer = torch.optim.AdamW(model.parameters(), lr=3e-3)
    for _ in range(60):
        draws = torch.randint(20, (32, 2), generator=noise).tolist()
        texts = [
            f"{'#' * (1 + asked % 2)}{asked // 2}\nprint({said % 2})</s>" for asked, said in draws
        ]
        ids = torch.tensor(tokenizer(texts).input_ids)
        logits = model(input_ids=ids[:, :-1]).logits[:, 1:]  # the digit asked for is not taught
        loss = torch.nn.functional.cross_entropy(logits.flatten(0, 1), ids[:, 2:].flatten())
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()


def main(folder: str) -> None:
    """Train, and hold what was logged against what the judge must have said."""
    from datasets import Dataset
    from trl import GRPOConfig, GRPOTrainer
    from trl.trainer.utils import is_async_callable

    from microcoder_eval.integrations.trl import AsyncReward, Reward
    from microcoder_train.run.tiny import tiny_model, tiny_tokenizer

    tokenizer, model = tiny_tokenizer("\nprint(", ")"), tiny_model(seed=1)
    teach_syntax(model, tokenizer)
    before = {name: value.clone() for name, value in model.state_dict().items()}
    args = GRPOConfig(
        output_dir=folder,
        max_steps=2,
        per_device_train_batch_size=32,
        num_generations=8,
        max_completion_length=5,
        shuffle_dataset=False,  # both kinds of rows in each step
        learning_rate=1e-3,
        logging_steps=1,
        save_strategy="no",
        report_to="none",
        use_cpu=True,
        disable_tqdm=True,
        seed=1,
    )
    page = (ROOT / "docs" / "stacks" / "trl.md").read_text(encoding="utf-8")
    block = page.partition("```python\n")[2].partition("```")[0]
    both = block.replace("reward_funcs=reward,", "reward_funcs=[reward, beside],")
    # One problem's checker is broken on purpose: far more failures than a run should bear.
    both = both.replace("trainer = ", "reward = Reward(max_judge_errors=1)\ntrainer = ")
    assert both != block
    names: dict[str, Any] = {
        "GRPOTrainer": GRPOTrainer,
        "model": model,
        "tokenizer": tokenizer,
        "dataset": Dataset.from_list(rows()),
        "args": args,
        "Reward": Reward,
        "beside": AsyncReward("beside", limits={"time_s": 2}, max_judge_errors=1),
    }
    exec(both, names)
    trainer = names["trainer"]
    assert trainer.reward_func_names == ["microcoder", "beside"]
    assert [is_async_callable(one) for one in trainer.reward_funcs] == [False, True]
    trainer.train()
    logged = [line for line in trainer.state.log_history if "rewards/microcoder/mean" in line]
    assert len(logged) == 2, trainer.state.log_history
    for line in logged:
        assert 0 < line["rewards/microcoder/mean"] < 1, line
        assert line["rewards/beside/mean"] == line["rewards/microcoder/mean"], line
        assert 0.2 < line["judge_error"] <= 0.5, line  # nobody asks a checker without a program
    after = model.state_dict()
    assert any(not value.equal(before[name]) for name, value in after.items())
    print(f"{len(logged)} steps")


if __name__ == "__main__":
    main(sys.argv[1])
