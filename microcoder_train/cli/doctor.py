"""The command ``doctor``: checks with a tiny model whether everything that a run needs works
here."""

from __future__ import annotations

import math
import os
import tempfile
from collections.abc import Callable
from pathlib import Path

import psutil
import torch

from microcoder_eval import Judge
from microcoder_train.config_layers import load_settings
from microcoder_train.run.settings import list_versions
from microcoder_train.run.signals import Stop
from microcoder_train.run.trainer import Trainer

SOLUTION = {"code": "print(int(input()) + 1)"}
TESTS = [{"input": "1\n", "output": "2\n"}]


def diagnose() -> int:
    """Print each check and its result; returns 0, or 1 if one fails."""
    checks: dict[str, Callable[[], str]] = {
        "versions": lambda: ", ".join(map(" ".join, list_versions().items())),
        "device": _describe_device, "judge": _check_judge, "one step on a tiny model": _check_step,
    }  # fmt: skip
    is_healthy = True
    for name, check in checks.items():
        try:
            print(f"ok    {name}: {check()}", flush=True)
        except Exception as error:  # any failure is a result of the check
            is_healthy = False
            print(f"FAIL  {name}: {type(error).__name__}: {error}", flush=True)
    return 0 if is_healthy else 1


def _describe_device() -> str:
    memory = psutil.virtual_memory().total / 1e9
    cores = len(os.sched_getaffinity(0))
    cpu = f"{cores} cores, {memory:.0f} GB, torch uses {torch.get_num_threads()} threads"
    if not torch.cuda.is_available():
        return f"no GPU; {cpu}"
    gpu = torch.cuda.get_device_properties(0)
    return f"{gpu.name}, {gpu.total_memory / 1e9:.0f} GB; {cpu}"


def _check_judge() -> str:
    with Judge(workers=1) as judge:
        reward = judge.judge(SOLUTION, TESTS).reward
        if reward != 1.0:
            raise RuntimeError(f"a right program got reward {reward}")
        return f"isolation level {judge.sandbox_level}, reward of a right program {reward:g}"


def _check_step() -> str:
    with tempfile.TemporaryDirectory() as folder:
        trainer = Trainer(load_settings(None, "tiny", ["data.eval="]), Path(folder))
        with trainer.reward_judge, Stop() as stop:
            samples = trainer.sample(stop)
            advantages = trainer.compute_advantages(samples.groups)
            stats = samples.metrics | trainer.learn(samples.groups, advantages)
    if not math.isfinite(stats["actor/grad_norm"]):
        raise RuntimeError(f"the gradient's norm is {stats['actor/grad_norm']}")
    seconds = sum(stats[f"timing_s/{name}"] for name in ("gen", "reward_wait", "update"))
    return (
        f"{seconds:.1f} s, gradient norm {stats['actor/grad_norm']:.3g}, engine and trainer differ "
        f"by at most {stats['rollout/logp_diff_max']:.1g} in log-probability"
    )
