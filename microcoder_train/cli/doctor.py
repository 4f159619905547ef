"""``microcoder-train doctor``: does everything a run needs work here? Tries it on a tiny model."""

from __future__ import annotations

import math
import os
import tempfile
from collections.abc import Callable
from pathlib import Path

import psutil
import torch

from microcoder_eval import Judge
from microcoder_train.config import load
from microcoder_train.signals import Stop
from microcoder_train.trainer import Trainer, versions

ANSWER = {"code": "print(int(input()) + 1)"}
TESTS = [{"input": "1\n", "output": "2\n"}]


def doctor() -> int:
    """Print what was tried and what it gave; 0, or 1 when something fails."""
    checks: dict[str, Callable[[], str]] = {
        "versions": _versions,
        "device": _device,
        "judge": _judge,
        "one step on a tiny model": _step,
    }
    healthy = True
    for name, check in checks.items():
        try:
            print(f"ok    {name}: {check()}", flush=True)
        except Exception as error:  # whatever it is, it is what the user wants to know
            healthy = False
            print(f"FAIL  {name}: {type(error).__name__}: {error}", flush=True)
    return 0 if healthy else 1


def _versions() -> str:
    return ", ".join(f"{name} {version}" for name, version in versions().items())


def _device() -> str:
    memory = psutil.virtual_memory().total / 1e9
    cores, threads = len(os.sched_getaffinity(0)), torch.get_num_threads()
    cpu = f"{cores} cores, {memory:.0f} GB, torch uses {threads} threads"
    if not torch.cuda.is_available():
        return f"no GPU; {cpu}"
    card = torch.cuda.get_device_properties(0)
    return f"{card.name}, {card.total_memory / 1e9:.0f} GB; {cpu}"


def _judge() -> str:
    with Judge(workers=1) as judge:
        reward = judge.judge(ANSWER, TESTS).reward
        if reward != 1.0:
            raise RuntimeError(f"a right program got reward {reward}")
        return f"isolation level {judge.sandbox_level}, reward of a right program {reward:g}"


def _step() -> str:
    with tempfile.TemporaryDirectory() as folder:
        trainer = Trainer(load(None, "tiny", ["data.eval="]), Path(folder))
        with trainer.grader, Stop() as stop:
            _, groups, found = trainer.sample(stop)
            found |= trainer.learn(groups, trainer.credit(groups))
    if not math.isfinite(found["actor/grad_norm"]):
        raise RuntimeError(f"the gradient's norm is {found['actor/grad_norm']}")
    seconds = sum(found[f"timing_s/{name}"] for name in ("gen", "reward_wait", "update"))
    return (
        f"{seconds:.1f} s, gradient norm {found['actor/grad_norm']:.3g}, engine and trainer differ "
        f"by at most {found['rollout/logp_diff_max']:.1g} in log-probability"
    )
