"""A task whose programs have three tokens: print the digit that a comment shows.

For tests that need no more than a model, problems and judgements that differ.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import torch
from torch.nn.functional import cross_entropy
from transformers import AutoTokenizer

from microcoder_train.algorithm import counter
from microcoder_train.config import Data
from microcoder_train.config_layers import Settings
from microcoder_train.environment.prompts import Template
from microcoder_train.run.tiny import DIGITS, HELD_OUT, MARKS, tiny_model, tiny_tokenizer
from microcoder_train.samples import Finish, Request, Sample, Sampling

Make = Callable[..., Settings]  # of the fixture "settings"
SETTINGS = ("rollout.response_length=4", "optim.lr=1e-3")  # of preset tiny, for this task


class DigitTemplate(Template):
    """Completions of the model in a folder, and answers as it would give them."""

    def __init__(self, folder: Path) -> None:
        self.tokenizer = AutoTokenizer.from_pretrained(folder / "model")
        super().__init__(Data(template="completion"), self.tokenizer)

    def answer(self, text: str, name: str = "seven", index: int = 0) -> Sample:
        """A response to the problem of that name: cut off unless it ends by itself."""
        finish = "stop" if text.endswith(("</s>", "\n")) else "length"
        return make_sample(self.tokenizer(text).input_ids, finish, name=name, index=index)


def make_sample(
    ids: Sequence[int], finish: Finish, max_tokens: int | None = None,
    *, name: str = "seven", index: int = 0,
) -> Sample:  # fmt: skip
    """A response of these tokens, as many as it may have unless ``max_tokens`` says otherwise."""
    request = Request(name, (12, 9, 22), Sampling(1, 1.0, max_tokens or len(ids), ()))
    return Sample(request, index, tuple(ids), (-1.0,) * len(ids), finish, version=0)


def list_folder_words(folder: Path) -> list[str]:
    """The settings that name the model and problems in a folder, and one worker."""
    names = {"model.path": "model", "data.train": "train.jsonl", "data.eval": "eval.jsonl"}
    return [*(f"{key}={folder / name}" for key, name in names.items()), "reward.workers=1"]


def list_small_words(tiny: Path) -> list[str]:
    """The words of a small run with the model and problems in a folder."""
    return [
        "--preset=tiny",
        *list_folder_words(tiny),
        "train.train_batch_size=4",
        "train.ppo_mini_batch_size=4",
        "eval.n=2",
        *SETTINGS,
    ]


def write_digits(folder: Path, seed: int) -> None:
    """The model, which knows the syntax alone, and the problems: each digit with each mark."""
    tokenizer, model = tiny_tokenizer("\nprint(", ")"), tiny_model(seed)
    noise = torch.Generator().manual_seed(counter.seed_for(seed, "tiny warm-up"))
    optimizer = torch.optim.AdamW(model.parameters(), lr=3e-3)
    for _ in range(80):
        draws = torch.randint(10, (32, 3), generator=noise).tolist()
        texts = [f"{MARKS[i]}{shown}\nprint({printed})</s>" for i, shown, printed in draws]
        ids_BT = torch.tensor(tokenizer(texts).input_ids)
        logits_BTV = model(input_ids=ids_BT[:, :-1]).logits
        response = slice(-3, None)  # tokens after the prompt
        loss = cross_entropy(logits_BTV[:, response].flatten(0, 1), ids_BT[:, response].flatten())
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    model.save_pretrained(folder / "model")
    tokenizer.save_pretrained(folder / "model")
    problems = digit_problems()
    order = counter.permutation(len(problems), seed, "tiny split")
    for name, indices in (("eval", order[:HELD_OUT]), ("train", order[HELD_OUT:])):
        lines = [json.dumps(problems[i]) + "\n" for i in sorted(indices)]
        (folder / f"{name}.jsonl").write_text("".join(lines), encoding="utf-8")


def digit_problems() -> list[dict[str, Any]]:
    """A hundred problems: each digit with each mark."""
    return [
        {
            "problem_id": f"tiny-{digit}-{i}",
            "kind": "stdin",
            "statement": f"Print the digit of the comment, {digit}, behind mark {i}.",
            "starter_code": f"{mark}{digit}\nprint(",
            "tests": [{"input": f"{mark}{digit}", "output": f"{digit}\n"}],
            "limits": {"time_s": 2},
            "platform": "tiny",
            "difficulty": "easy",
            "family": f"marks {i}",
        }
        for i, mark in enumerate(MARKS)
        for digit in DIGITS
    ]
