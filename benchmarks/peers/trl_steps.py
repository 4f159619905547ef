"""Steps of TRL's GRPOTrainer, its generation by transformers, on the same prompts."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import torch
from datasets import Dataset
from steps import Clock, choose_reward, read_job_file
from transformers import AutoModelForCausalLM, AutoTokenizer, TrainerCallback
from trl import GRPOConfig, GRPOTrainer


class Gate(TrainerCallback):
    """A step of the benchmark: one generation with its updates."""

    def __init__(self, clock: Clock, updates: int, tokens: int) -> None:
        self._clock, self._updates, self._tokens = clock, updates, tokens

    def on_step_begin(self, args: Any, state: Any, control: Any, **_: Any) -> None:
        if state.global_step % self._updates == 0:
            self._clock.wait()

    def on_step_end(self, args: Any, state: Any, control: Any, **_: Any) -> None:
        if state.global_step % self._updates == 0:
            self._clock.report_step(self._tokens)


def main() -> None:
    """Load the trainer, then take a step for each line of input."""
    clock, settings = Clock(), read_job_file()
    rows = [json.loads(line) for line in Path(settings["problems"]).open()]
    samples, tokens = settings["samples"], settings["tokens"]
    total = len(rows) * samples

    def rewards(completion_ids: list[list[int]], **_: Any) -> list[float]:
        if any(len(ids) != tokens for ids in completion_ids):
            raise RuntimeError("an answer ended early")
        return [choose_reward(i % samples) for i in range(len(completion_ids))]

    config = GRPOConfig(
        output_dir=settings["folder"],
        per_device_train_batch_size=settings["rows"],
        gradient_accumulation_steps=total // settings["updates"] // settings["rows"],
        steps_per_generation=total // settings["rows"],
        num_generations=samples,
        max_completion_length=tokens,
        generation_kwargs={"min_new_tokens": tokens},
        temperature=1.0,
        beta=0.0,
        epsilon=0.2,
        epsilon_high=0.28,
        loss_type="dapo",
        learning_rate=settings["lr"],
        lr_scheduler_type="constant",
        weight_decay=0.01,
        max_grad_norm=1.0,
        max_steps=1_000_000,
        bf16=settings["dtype"] == "bfloat16",
        gradient_checkpointing=False,  # as our trainer
        shuffle_dataset=False,
        use_cpu=True,
        dataloader_pin_memory=False,
        report_to="none",
        save_strategy="no",
        logging_strategy="no",
        disable_tqdm=True,
    )
    trainer = GRPOTrainer(
        model=AutoModelForCausalLM.from_pretrained(settings["model"], dtype=torch.float32),
        reward_funcs=rewards,
        args=config,
        train_dataset=Dataset.from_list([{"prompt": row["starter_code"]} for row in rows]),
        processing_class=AutoTokenizer.from_pretrained(settings["model"]),
        callbacks=[Gate(clock, settings["updates"], total * tokens)],
    )
    clock.say(loaded=True)
    trainer.train()


if __name__ == "__main__":
    main()
