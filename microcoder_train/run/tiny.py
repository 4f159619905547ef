"""A generated model and problems, for a first run without downloads.

The task: a comment shows a digit next to a mark, and the program must print it. The model (about
80,000 random weights) is first taught only the syntax, with random digits, so that one program in
ten is right. All else it learns from the judge.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import torch
from tokenizers import Regex, Tokenizer, decoders, models, pre_tokenizers
from torch.nn.functional import cross_entropy
from transformers import LlamaConfig, LlamaForCausalLM, PreTrainedTokenizerFast

from microcoder_train.algorithm import counter

DIGITS = "0123456789"
MARKS = ["#", "##", "#:", "#!", "#-", "#=", "#~", "#.", "#,", "#+"]  # comments of one token each
VOCABULARY = ["<pad>", "</s>", *DIGITS, *MARKS, "\nprint(", ")", "\n", " "]
HELD_OUT = 20  # problems for evaluation
WARM_UP_STEPS, WARM_UP_LR = 80, 3e-3


def tiny_tokenizer() -> PreTrainedTokenizerFast:
    """A tokenizer with one token per digit or mark: prompts and programs have three tokens."""
    tokenizer = Tokenizer(
        models.WordLevel({token: i for i, token in enumerate(VOCABULARY)}, "<pad>")
    )
    tokenizer.pre_tokenizer = pre_tokenizers.Split(Regex(r"\nprint\(|#[^0-9]?|\n|."), "isolated")
    tokenizer.decoder = decoders.Fuse()
    return PreTrainedTokenizerFast(
        tokenizer_object=tokenizer, eos_token="</s>", pad_token="<pad>", unk_token="<pad>"
    )


def tiny_model(seed: int, vocabulary: int = len(VOCABULARY)) -> LlamaForCausalLM:
    """Two layers of width 64 with random weights."""
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(counter.seed_for(seed, "tiny model"))
        return LlamaForCausalLM(
            LlamaConfig(
                vocab_size=vocabulary, hidden_size=64, intermediate_size=128,
                num_hidden_layers=2, num_attention_heads=4, num_key_value_heads=4,
                max_position_embeddings=256, tie_word_embeddings=True,
                initializer_range=0.05,  # at .02 some seeds never learn
                pad_token_id=0, bos_token_id=None, eos_token_id=1,
            )
        )  # fmt: skip


def warm_up(model: LlamaForCausalLM, tokenizer: PreTrainedTokenizerFast, seed: int) -> None:
    """Teach only the syntax: the digits of prompts and programs are random."""
    noise = torch.Generator().manual_seed(counter.seed_for(seed, "tiny warm-up"))
    optimizer = torch.optim.AdamW(model.parameters(), lr=WARM_UP_LR)
    for _ in range(WARM_UP_STEPS):
        draws = torch.randint(10, (32, 3), generator=noise).tolist()
        texts = [f"{MARKS[i]}{shown}\nprint({printed})</s>" for i, shown, printed in draws]
        ids_BT = torch.tensor(tokenizer(texts).input_ids)
        logits_BTV = model(input_ids=ids_BT[:, :-1]).logits
        response = slice(-3, None)  # tokens after the prompt
        loss = cross_entropy(logits_BTV[:, response].flatten(0, 1), ids_BT[:, response].flatten())
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()


def tiny_problems() -> list[dict[str, Any]]:
    """A hundred problems: each digit with each mark."""
    return [
        {
            "problem_id": f"tiny-{digit}-{i}", "kind": "stdin",
            "statement": f"Print the digit of the comment, {digit}, behind mark {i}.",
            "starter_code": f"{mark}{digit}\nprint(",
            "tests": [{"input": f"{mark}{digit}", "output": f"{digit}\n"}],
            "limits": {"time_s": 2},
            "platform": "tiny", "difficulty": "easy", "family": f"marks {i}",
        }
        for i, mark in enumerate(MARKS)
        for digit in DIGITS
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
