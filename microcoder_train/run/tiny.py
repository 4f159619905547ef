"""A generated model and problems, for a first run without downloads.

The task is to write a string that contains the digit of a comment at least a given number of times;
the program counts it and prints the result. Longer strings pass more often, but too long ones are
cut off. The model (about 80,000 random weights) is first taught the syntax, with random strings
that hold the digit a little more often than chance. It learns everything else from the judge.
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import torch
from tokenizers import Regex, Tokenizer, decoders, models, pre_tokenizers
from torch import Tensor
from torch.nn.functional import cross_entropy
from transformers import LlamaConfig, LlamaForCausalLM, PreTrainedTokenizerFast

from microcoder_train.algorithm import counter

DIGITS = "0123456789"
MARKS = ["#", "##", "#:", "#!", "#-", "#=", "#~", "#.", "#,", "#+"]  # comments of one token each
OPENING, CLOSING = '\nprint("', '".count(input()) >= int(input()))'
DIFFICULTIES = {"easy": 3, "medium": 6, "hard": 9}  # how often the string must contain the digit
VOCABULARY_SIZE = 26
HELD_OUT = 20  # problems for evaluation
WARM_UP_STEPS, WARM_UP_LR = 200, 3e-3
SHORTEST_TAUGHT, LONGEST_TAUGHT = 8, 36  # digits; preset tiny cuts an answer off at 32 tokens
# Share of the taught digits that equal the comment's, in addition to those equal by chance.
HINT = 0.08


def tiny_tokenizer(opening: str = OPENING, closing: str = CLOSING) -> PreTrainedTokenizerFast:
    """Return a tokenizer with one token per digit or mark, and one for each text around the
    answer's digits."""
    vocabulary = ["<pad>", "</s>", *DIGITS, *MARKS, opening, closing, "\n", " "]
    tokenizer = Tokenizer(
        models.WordLevel({token: i for i, token in enumerate(vocabulary)}, "<pad>")
    )
    pattern = Regex(rf"{re.escape(opening)}|{re.escape(closing)}|#[^0-9]?|\n|.")
    tokenizer.pre_tokenizer = pre_tokenizers.Split(pattern, "isolated")
    tokenizer.decoder = decoders.Fuse()
    return PreTrainedTokenizerFast(
        tokenizer_object=tokenizer, eos_token="</s>", pad_token="<pad>", unk_token="<pad>"
    )


def tiny_model(seed: int) -> LlamaForCausalLM:
    """Return a model of two layers of width 64 with random weights."""
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(counter.seed_for(seed, "tiny model"))
        return LlamaForCausalLM(
            LlamaConfig(
                vocab_size=VOCABULARY_SIZE, hidden_size=64, intermediate_size=128,
                num_hidden_layers=2, num_attention_heads=4, num_key_value_heads=4,
                max_position_embeddings=256, tie_word_embeddings=True,
                initializer_range=0.05,  # at .02 some seeds never learn
                pad_token_id=0, bos_token_id=None, eos_token_id=1,
            )
        )  # fmt: skip


def warm_up(model: LlamaForCausalLM, tokenizer: PreTrainedTokenizerFast, seed: int) -> None:
    """Teach the syntax: strings of random digits and lengths, closed and ended."""
    noise = torch.Generator().manual_seed(counter.seed_for(seed, "tiny warm-up"))
    optimizer = torch.optim.AdamW(model.parameters(), lr=WARM_UP_LR)
    size = (32, LONGEST_TAUGHT)
    for _ in range(WARM_UP_STEPS):
        heads = torch.randint(10, (32, 2), generator=noise)
        lengths = torch.randint(SHORTEST_TAUGHT, LONGEST_TAUGHT + 1, (32,), generator=noise)
        is_hint = torch.rand(size, generator=noise) < HINT
        digits = torch.where(is_hint, heads[:, 1:], torch.randint(10, size, generator=noise))
        tensors = (heads, digits, lengths)
        texts = [
            f"{MARKS[mark]}{digit}{OPENING}{''.join(map(str, row[:length]))}{CLOSING}\n"
            for (mark, digit), row, length in zip(*map(Tensor.tolist, tensors), strict=True)
        ]
        ids_BT = tokenizer(texts, padding=True, return_tensors="pt").input_ids
        logits_BTV = model(input_ids=ids_BT[:, :-1]).logits
        response = slice(2, None)  # tokens after the prompt
        targets = ids_BT[:, 1:][:, response].flatten()
        loss = cross_entropy(logits_BTV[:, response].flatten(0, 1), targets, ignore_index=0)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()


def tiny_problems() -> list[dict[str, Any]]:
    """Return a hundred problems: each digit with each mark. The mark decides how often the digit
    must occur."""
    levels = list(DIFFICULTIES.items())
    return [
        {
            "problem_id": f"tiny-{digit}-{i}", "kind": "stdin",
            "statement": f"Print a string with the digit {digit} {count} times. Mark {i}.",
            "starter_code": f"{mark}{digit}{OPENING}",
            "tests": [{"input": f"{digit}\n{count}\n{mark}\n", "output": "True\n"}],
            "limits": {"time_s": 2},
            "platform": "tiny", "difficulty": difficulty, "family": f"marks {i}",
        }
        for i, mark in enumerate(MARKS)
        for digit in DIGITS
        for difficulty, count in [levels[i % len(levels)]]
    ]  # fmt: skip


def write_tiny(folder: Path, seed: int) -> None:
    """Write the model and the training and held-out problems to ``folder``, unless they exist."""
    if (folder / "done").exists():
        return
    tokenizer, model = tiny_tokenizer(), tiny_model(seed)
    threads = torch.get_num_threads()
    torch.set_num_threads(1)  # on a busy machine two take minutes; see learner/threads
    warm_up(model, tokenizer, seed)
    torch.set_num_threads(threads)
    model.save_pretrained(folder / "model")
    tokenizer.save_pretrained(folder / "model")
    problems = tiny_problems()
    order = counter.permutation(len(problems), seed, "tiny split")
    for name, indices in (("eval", order[:HELD_OUT]), ("train", order[HELD_OUT:])):
        lines = [json.dumps(problems[i]) + "\n" for i in sorted(indices)]
        (folder / f"{name}.jsonl").write_text("".join(lines), encoding="utf-8")
    (folder / "done").touch()
