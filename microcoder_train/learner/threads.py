"""How many threads torch computes with on the CPU.

The judge's workers and other processes need cores too. The threads of one operation wait for each
other. If one of them gets no core, all stop, and a small model's step takes ten times as long. So
more threads are used only if a measurement at the start shows that they pay.
"""

from __future__ import annotations

import os
import time

import torch
from transformers import PreTrainedModel

MIN_SPEEDUP = 1.25  # for twice the threads
_TOKENS, _REPETITIONS = 64, 3


def set_threads(model: PreTrainedModel, thread_count: int | None) -> str | None:
    """Set torch's number of threads for a model on the CPU. Returns a description of the choice;
    None if nothing was chosen.

    thread_count: the user's own number, for any device. Without it, OMP_NUM_THREADS decides
    (torchrun sets it). Without both, the number is doubled while that makes a forward pass
    MIN_SPEEDUP times faster.
    """
    if thread_count is not None:
        torch.set_num_threads(thread_count)
        return f"torch's threads: {thread_count} (train.threads, or the checkpoint's)"
    if model.device.type != "cpu" or "OMP_NUM_THREADS" in os.environ:
        return None
    threads, seconds = 1, _time_forward(model, 1)
    first_seconds, cores = seconds, len(os.sched_getaffinity(0))
    while 2 * threads <= cores:
        more_seconds = _time_forward(model, 2 * threads)
        # Measured again: others may have used the cores the first time.
        if more_seconds * MIN_SPEEDUP > min(seconds, _time_forward(model, threads)):
            break
        threads, seconds = 2 * threads, more_seconds
    torch.set_num_threads(threads)
    speedup = f", {first_seconds / seconds:.1f} times as fast as with one" if threads > 1 else ""
    return (
        f"torch computes with {threads} of {cores} cores{speedup} "
        "(measured now; train.threads sets the number)"
    )


@torch.no_grad()
def _time_forward(model: PreTrainedModel, threads: int) -> float:
    """Return the seconds of the fastest of a few forward passes, after one to warm up."""
    torch.set_num_threads(threads)
    ids = torch.zeros((1, _TOKENS), dtype=torch.long)
    times = []
    for _ in range(1 + _REPETITIONS):
        started_at = time.perf_counter()
        model(input_ids=ids, use_cache=False)
        times.append(time.perf_counter() - started_at)
    return min(times[1:])
