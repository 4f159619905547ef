"""Measures how often a small model solves the one-line problems.

    python benchmarks/mini_rates.py MODEL_FOLDER [--out FILE] [--n 16] [--temperature 0.6]

MODEL_FOLDER is a Hugging Face folder. Each prompt is the problem's starter_code; an answer ends at
its first newline (at most 48 tokens) and is judged as starter_code + answer. FILE gets a line for
each problem and is also the checkpoint: problems in it with the same prompt are not run again.
Needs torch and transformers besides what the judge needs.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import sys
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

REPOSITORY = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(REPOSITORY), str(REPOSITORY / "sandbox")]

from microcoder_eval import Judge  # noqa: E402

MINI = REPOSITORY / "datasets" / "microcoder-mini"
NEW_TOKENS = 48
PROMPTS_AT_ONCE = 8


class Sampler:
    """A model that completes prompts by one line; it imports torch."""

    def __init__(self, folder: str, seed: int) -> None:
        import torch
        from transformers import AutoModelForCausalLM, AutoTokenizer

        self._torch = torch
        self._tokenizer = AutoTokenizer.from_pretrained(folder, padding_side="left")
        model = AutoModelForCausalLM.from_pretrained(folder, dtype=torch.bfloat16)
        self._model = model.eval()
        self._random = torch.Generator().manual_seed(seed)
        size = model.get_input_embeddings().num_embeddings
        texts = self._tokenizer.batch_decode([[token] for token in range(size)])
        stops = [token for token, text in enumerate(texts) if "\n" in text]
        self._stop = torch.zeros(size, dtype=torch.bool)
        self._stop[[*stops, self._tokenizer.eos_token_id]] = True

    def complete(self, prompts: list[str], n: int, temperature: float) -> list[list[str | None]]:
        """Sample n answers to each prompt, cut at the newline; None: an answer without an end."""
        torch = self._torch
        with torch.inference_mode():
            batch = self._tokenizer(prompts, return_tensors="pt", padding=True)
            mask = batch["attention_mask"].repeat_interleave(n, 0)
            place = (batch["attention_mask"].cumsum(1) - 1).clamp(min=0)
            out = self._model(**batch, position_ids=place, logits_to_keep=1, use_cache=True)
            cache = out.past_key_values
            cache.batch_repeat_interleave(n)
            logits = out.logits[:, -1].repeat_interleave(n, 0)
            place = place[:, -1:].repeat_interleave(n, 0)
            live = torch.arange(len(prompts) * n)
            tokens: list[list[int]] = [[] for _ in live]
            finished: set[int] = set()
            for _ in range(NEW_TOKENS):
                odds = torch.softmax(logits.float() / temperature, -1)
                token = torch.multinomial(odds, 1, generator=self._random)
                for row, token_id in zip(live.tolist(), token[:, 0].tolist(), strict=True):
                    tokens[row].append(token_id)
                going = ~self._stop[token[:, 0]]
                finished.update(live[~going].tolist())
                if not going.any():
                    break
                if not going.all():
                    keep = going.nonzero()[:, 0]
                    live, mask, place, token = live[keep], mask[keep], place[keep], token[keep]
                    cache.batch_select_indices(keep)
                mask = torch.cat([mask, torch.ones_like(token)], 1)
                place = place + 1
                out = self._model(
                    token, attention_mask=mask, position_ids=place, past_key_values=cache
                )
                logits = out.logits[:, -1]
        texts = self._tokenizer.batch_decode(tokens, skip_special_tokens=True)
        lines = [t.partition("\n")[0] if k in finished else None for k, t in enumerate(texts)]
        return [lines[k : k + n] for k in range(0, len(lines), n)]


def read(path: Path) -> list[dict[str, Any]]:
    """Read the rows of a JSONL file; none if it is missing."""
    return [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []


def prompt_hash(problem: dict[str, Any]) -> str:
    """Hash the prompt, to find out whether a rate was measured on it."""
    return hashlib.sha256(problem["starter_code"].encode()).hexdigest()[:16]


def batches(problems: list[dict[str, Any]]) -> Iterator[list[dict[str, Any]]]:
    """Group problems with prompts of similar length, to reduce padding."""
    problems = sorted(problems, key=lambda problem: len(problem["starter_code"]))
    starts = list(range(0, len(problems), PROMPTS_AT_ONCE))
    Random(1).shuffle(starts)  # a part of the run is then a fair sample
    for start in starts:
        yield problems[start : start + PROMPTS_AT_ONCE]


def measure(
    sampler: Sampler, judge: Judge, batch: list[dict[str, Any]], n: int, temperature: float
) -> Iterator[dict[str, Any]]:
    """Yield a row of results for each problem. Raises RuntimeError if the judge fails."""
    answers = sampler.complete([problem["starter_code"] for problem in batch], n, temperature)
    for problem, texts in zip(batch, answers, strict=True):
        finished = Counter(text for text in texts if text is not None)
        pending = {
            text: judge.submit({"code": problem["starter_code"] + text}, problem)
            for text in finished
        }
        rewards = {text: future.result().reward for text, future in pending.items()}
        if None in rewards.values():
            raise RuntimeError(f"the judge failed on {problem['problem_id']}")
        solved = sum(finished[text] for text, reward in rewards.items() if reward == 1.0)
        yield {
            "problem_id": problem["problem_id"],
            "pass_rate": solved / n,
            "n": n,
            "temperature": temperature,
            "model": "SmolLM2-135M-Instruct",
            "prompt_sha256": prompt_hash(problem),
            "unfinished": n - finished.total(),
            "commonest": finished.most_common(2),
        }


def main() -> None:
    """Measure the problems that FILE lacks, then write it in their order."""
    options = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    options.add_argument("model")
    options.add_argument("--out", type=Path, default=MINI / "pass_rates.jsonl")
    options.add_argument("--n", type=int, default=16)
    options.add_argument("--temperature", type=float, default=0.6)
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--seconds", type=float, default=3600.0, help="stop after this long")
    args = options.parse_args()
    problems = [
        row for split in ("train", "heldout") for row in read(MINI / f"tier_a_{split}.jsonl")
    ]
    rates = {(row["problem_id"], row["prompt_sha256"]): row for row in read(args.out)}
    missing = [p for p in problems if (p["problem_id"], prompt_hash(p)) not in rates]
    sampler = Sampler(args.model, args.seed) if missing else None
    began = time.monotonic()
    with Judge(workers=1) as judge, args.out.open("a") as file:
        for batch in batches(missing):
            if sampler is None or time.monotonic() - began > args.seconds:
                break
            for row in measure(sampler, judge, batch, args.n, args.temperature):
                rates[row["problem_id"], row["prompt_sha256"]] = row
                file.write(json.dumps(row) + "\n")
            file.flush()
    results = [rates.get((p["problem_id"], prompt_hash(p))) for p in problems]
    rows = [row for row in results if row is not None]
    args.out.write_text("".join(json.dumps(row) + "\n" for row in rows))
    rates = [row["pass_rate"] for row in rows]
    between = sum(0.05 < rate < 0.95 for rate in rates)
    print(f"{len(rows)} of {len(problems)} problems, mean {sum(rates) / len(rates):.3f}")
    print(f"{between / len(rates):.1%} between .05 and .95; never {rates.count(0.0)}")


if __name__ == "__main__":
    main()
