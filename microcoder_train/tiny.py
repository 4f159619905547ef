"""A model and problems made on the spot, for a first run that downloads nothing.

The task: a comment shows two digits, the program must print the second. The model (some 100,000
random weights) is warmed up on the syntax alone, with random digits, so that it is right one time
in ten: what it learns after that it learns from the judge.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import torch
from tokenizers import Regex, Tokenizer, decoders, models, pre_tokenizers
from torch.nn.functional import cross_entropy
from transformers import LlamaConfig, LlamaForCausalLM, PreTrainedTokenizerFast

from microcoder_train import counter

DIGITS = "0123456789"
WORDS = ["<pad>", "</s>", *DIGITS, "#", "\n", "print(", ")", " ", "+"]
HELD_OUT = 20
WARM_UP_STEPS, WARM_UP_LR = 80, 3e-3


def tiny_tokenizer() -> PreTrainedTokenizerFast:
    """One token a digit or mark, and "print("."""
    tokenizer = Tokenizer(models.WordLevel({word: i for i, word in enumerate(WORDS)}, "<pad>"))
    tokenizer.pre_tokenizer = pre_tokenizers.Split(Regex(r"print\(|\n|."), "isolated")
    tokenizer.decoder = decoders.Fuse()
    return PreTrainedTokenizerFast(
        tokenizer_object=tokenizer, eos_token="</s>", pad_token="<pad>", unk_token="<pad>"
    )


def tiny_model(seed: int, vocabulary: int = len(WORDS)) -> LlamaForCausalLM:
    """Two layers of width 64 with random weights."""
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(counter.key(seed, "tiny model"))
        return LlamaForCausalLM(
            LlamaConfig(
                vocab_size=vocabulary,
                hidden_size=64,
                intermediate_size=128,
                num_hidden_layers=2,
                num_attention_heads=4,
                num_key_value_heads=4,
                max_position_embeddings=256,
                tie_word_embeddings=True,
                pad_token_id=0,
                bos_token_id=None,
                eos_token_id=1,
            )
        )


def warm_up(model: LlamaForCausalLM, tokenizer: PreTrainedTokenizerFast, seed: int) -> None:
    """Teach syntax only: every digit, asked or answered, is drawn at random."""
    noise = torch.Generator().manual_seed(counter.key(seed, "tiny warm-up"))
    optimizer = torch.optim.AdamW(model.parameters(), lr=WARM_UP_LR)
    for _ in range(WARM_UP_STEPS):
        digits = torch.randint(10, (32, 3), generator=noise).tolist()
        texts = [f"#{a}{b}\nprint({c})</s>" for a, b, c in digits]
        ids_BT = torch.tensor(tokenizer(texts).input_ids)
        logits = model(input_ids=ids_BT[:, :-1]).logits
        start = len(tokenizer("#00\nprint(").input_ids) - 1  # only the answer is taught
        loss = cross_entropy(logits[:, start:].flatten(0, 1), ids_BT[:, start + 1 :].flatten())
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()


def tiny_problems() -> list[dict[str, Any]]:
    """A hundred problems, one for each pair of digits."""
    return [
        {
            "problem_id": f"tiny-{a}{b}",
            "kind": "stdin",
            "statement": f"Print the last digit of {a}{b}.",
            "starter_code": f"#{a}{b}\nprint(",
            "tests": [{"input": f"{a}{b}\n", "output": f"{b}\n"}],
            "limits": {"time_s": 2},
            "platform": "tiny",
            "difficulty": "easy",
            "family": f"digit {b}",
        }
        for a in DIGITS
        for b in DIGITS
    ]


def write_tiny(folder: Path, seed: int) -> None:
    """Model, training and held-out problems under ``folder``, unless they are there already."""
    if (folder / "done").exists():
        return
    tokenizer, model = tiny_tokenizer(), tiny_model(seed)
    warm_up(model, tokenizer, seed)
    model.save_pretrained(folder / "model")
    tokenizer.save_pretrained(folder / "model")
    problems = tiny_problems()
    order = counter.permutation(len(problems), seed, "tiny split")
    for name, part in (("eval", order[:HELD_OUT]), ("train", order[HELD_OUT:])):
        lines = [json.dumps(problems[i]) + "\n" for i in sorted(part)]
        (folder / f"{name}.jsonl").write_text("".join(lines), encoding="utf-8")
    (folder / "done").touch()
