"""The truncation mask where it acts: answers must grow past half the limit, many are cut off.

    python benchmarks/mask_task.py --out runs/mask [--seeds 0 1 2] [--steps 60]

A tiny model must print numbers of at least so many digits, up to three quarters of the limit;
after its warm start answers are a sixth of the limit long. Arms: no mask, conditional at rho .1,
.2, .3, every truncated answer (the paper's figure 2). Half an hour on two quiet cores; resumable:
the same command goes on, and --steps may grow.

What the paper reports and is looked for here: more masking, faster growth; .3 about as fast as
all; more masking, less diversity. Where answers grow and are cut off is steps 11 to 20 (chosen on
seed 0, while seed 1 was run): there length and diversity are compared.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from pathlib import Path

import torch
from publication import format_figure, format_table, save_record
from torch.nn.functional import cross_entropy

from microcoder_train.algorithm import counter
from microcoder_train.config_layers import load_settings
from microcoder_train.run.log import read_metrics
from microcoder_train.run.tiny import DIGITS, MARKS, tiny_model, tiny_tokenizer
from microcoder_train.run.trainer import Trainer

LIMIT = 32
GROWTH = slice(10, 20)  # steps in which answers grow into the limit
LONGEST_TAUGHT = 14
ARMS = {
    "none": ["mask.mode=none"],
    "conditional .1": ["mask.mode=conditional", "mask.rho=0.1"],
    "conditional .2": ["mask.mode=conditional", "mask.rho=0.2"],
    "conditional .3": ["mask.mode=conditional", "mask.rho=0.3"],
    "all": ["mask.mode=all"],
}
CHECKER = (
    "def check(input, output, expected):\n"
    "    return output.strip().isdigit() and len(output.strip()) >= int(expected)\n"
)


def main() -> int:
    """Run every arm and seed, print the table, and save the record."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", default="runs/mask")
    parser.add_argument("--seeds", type=int, nargs="+", default=[0, 1, 2])
    parser.add_argument("--steps", type=int, default=60)
    args = parser.parse_args()
    out = Path(args.out)
    figures: dict[str, list[dict[str, float]]] = {}
    for seed in args.seeds:
        prepare_task(out / f"task_s{seed}", seed)
        for arm, overrides in ARMS.items():
            run = out / f"{arm.replace(' ', '_')}_s{seed}"
            _run_arm(run, out / f"task_s{seed}", seed, args.steps, overrides)
            figures.setdefault(arm, []).append(_compute_figures(run))
            print(arm, seed, json.dumps(figures[arm][-1]), flush=True)
    print(_format_table(figures))
    save_record("mask_task", {"steps": args.steps, "arms": figures})
    return 0


def prepare_task(
    folder: Path, seed: int, digits_per_level: int = 2, longest: int = LONGEST_TAUGHT,
    *, mixed: bool = False,
) -> None:  # fmt: skip
    """Make the problems, and the model, trained on numbers of 1 to ``longest`` digits.

    digits_per_level: how many more digits a problem asks for than that of the digit before. mixed:
    the rows of a batch differ in length. Otherwise the last batches decide how long answers are.
    """
    if (folder / "done").exists():
        return
    tokenizer, model = tiny_tokenizer("\nprint(", ")"), tiny_model(seed)
    noise = torch.Generator().manual_seed(counter.seed_for(seed, "mask warm-up"))
    optimizer = torch.optim.AdamW(model.parameters(), lr=3e-3)
    for _ in range(150):
        lengths = torch.randint(1, longest + 1, (32 if mixed else 1,), generator=noise).expand(32)
        rows = torch.randint(1, 10, (32, int(lengths.max()) + 2), generator=noise).tolist()
        texts = [
            f"{MARKS[row[0]]}{row[1]}\nprint({''.join(map(str, row[2 : 2 + length]))})</s>"
            for row, length in zip(rows, lengths.tolist(), strict=True)
        ]
        ids_BT = tokenizer(texts, padding=True, return_tensors="pt").input_ids
        logits = model(input_ids=ids_BT[:, :-1]).logits[:, 2:]
        targets = ids_BT[:, 3:].flatten()
        loss = cross_entropy(logits.flatten(0, 1), targets, ignore_index=tokenizer.pad_token_id)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    model.save_pretrained(folder / "model")
    tokenizer.save_pretrained(folder / "model")
    problems = [
        {
            "problem_id": f"mask-{i}-{digit}",
            "kind": "stdin",
            "starter_code": f"{mark}{digit}\nprint(",
            "tests": [{"input": f"{i}", "output": str(digits_per_level * int(digit) + 6)}],
            "checker": {"source": CHECKER, "language": "python", "protocol": "python"},
        }
        for i, mark in enumerate(MARKS)
        for digit in DIGITS[1:]
    ]
    lines = "".join(json.dumps(problem) + "\n" for problem in problems)
    (folder / "train.jsonl").write_text(lines, encoding="utf-8")
    (folder / "done").touch()


def _run_arm(run: Path, task: Path, seed: int, steps: int, overrides: Sequence[str]) -> None:
    settings = load_settings(
        None,
        "tiny",
        [
            f"model.path={task / 'model'}",
            f"data.train={task / 'train.jsonl'}",
            "data.eval=",
            f"rollout.response_length={LIMIT}",
            "mask.window=8",
            "optim.lr=1e-3",
            f"train.steps={steps}",
            f"train.seed={seed}",
            "checkpoint.every=50",
            "checkpoint.keep_last=1",
            "guard.no_signal_steps=1000",
            *overrides,
        ],
    )
    Trainer(settings, run).run()


def _compute_figures(run: Path) -> dict[str, float]:
    lines = [line for line in read_metrics(run) if line["step"] > 0]
    last = lines[-25:]

    def compute_mean(name: str, of: Sequence[dict[str, float]]) -> float:
        return sum(line[name] for line in of) / len(of)

    lengths = [line["response_length/mean"] for line in lines]
    half = next((i + 1 for i, length in enumerate(lengths) if length > LIMIT / 2), len(lines) + 1)
    return {
        "reward": compute_mean("critic/rewards/mean", last),
        "peak_reward": max(line["critic/rewards/mean"] for line in lines),
        "steps": len(lines),
        "length_first": lengths[0],
        "length_growing": compute_mean("response_length/mean", lines[GROWTH]),
        "length_last": compute_mean("response_length/mean", last),
        "steps_to_half_the_limit": half,
        "diversity_growing": compute_mean("diversity/d4", lines[GROWTH]),
        "diversity": compute_mean("diversity/d4", last),
        "truncated_growing": compute_mean("mask/truncated_frac", lines[GROWTH]),
        "truncated": compute_mean("mask/truncated_frac", last),
        "most_truncated": max(line["mask/truncated_frac"] for line in lines),
        "applied_growing": compute_mean("mask/applied_frac", lines[GROWTH]),
        "applied": compute_mean("mask/applied_frac", lines),
    }


def _format_table(figures: dict[str, list[dict[str, float]]]) -> str:
    names = list(next(iter(figures.values()))[0])
    rows = [
        [
            arm,
            *(format_figure(sum(seed[name] for seed in seeds) / len(seeds)) for name in names),
        ]
        for arm, seeds in figures.items()
    ]
    return format_table(["mask", *names], rows)


if __name__ == "__main__":
    raise SystemExit(main())
