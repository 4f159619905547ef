"""Pushes weights from the trainer to vLLM and verifies that they arrived.

An engine with outdated weights ruins a run without an error. So after every push the engine samples
a few tokens, the trainer scores them, and a difference ends the run.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

import torch
from torch import Tensor, nn

from microcoder_train.algorithm import counter
from microcoder_train.errors import ConfigError, SyncError
from microcoder_train.learner.batching import TrainingSample, make_batch
from microcoder_train.learner.lora import merge_weight
from microcoder_train.learner.scorer import Scorer
from microcoder_train.parallel import max_over_ranks
from microcoder_train.samples import Request, Sample, Sampling

from . import Engine

TEMPERATURE = 1.2  # at 1, an engine that ignores the temperature would pass
PROMPTS, SAMPLES, NEW_TOKENS = 2, 2, 16
PROMPT_TOKENS = 144  # more than a block of the prefix cache (128 on CPU), to find a stale block
# Allowed difference of a token's log-probability for up to 30 layers; a tenth of it for the mean.
# Largest (mean) differences measured on SmolLM2-135M, which has 30 layers: float32 4e-5 (3e-6),
# bfloat16 .29 (.02), and float32 with the previous step's head .97 (.08). On GPUs vLLM's kernels
# round the factors of float32 products to TF32: 1e-3 (2e-4) on a model of two layers.
TOLERANCES = {"float64": 1e-3, "float32": 1e-3, "tf32": 1e-2, "bfloat16": 1.0}
TOLERANCE_LAYERS = 30
# The tolerance grows by this factor for rolled weights, since their logits are large, and so is
# rounding. Measured in bfloat16: 3.1 (.75); with the previous step's head 30 (15).
ROLLED_FACTOR = 40


class PushedEngine(Engine, ABC):
    """An engine with its own weights, which are pushed to it and verified after every push."""

    _max_sequence_tokens: int

    def __init__(self, dtype: str, tolerance: float | None) -> None:
        self._dtype, self._tolerance = dtype, tolerance
        self._version = 0
        self._parity_checked = False

    def sync(self, scorer: Scorer, version: int) -> dict[str, float]:
        """Push the weights and verify them, after a parity check the first time.

        Raises SyncError.
        """
        tolerance = self._tolerance or compute_tolerance(scorer, self._dtype)
        if not self._parity_checked:
            with roll_weights(scorer.model):
                self._push_and_verify(scorer, ROLLED_FACTOR * tolerance)
            self._parity_checked = True
        self._version = version
        return self._push_and_verify(scorer, tolerance)

    def _push_and_verify(self, scorer: Scorer, tolerance: float) -> dict[str, float]:
        self._push(scorer.model)
        return verify_sync(self._sample_for_check, scorer, tolerance, self._max_sequence_tokens)

    @abstractmethod
    def _push(self, model: nn.Module) -> None:
        """Load the weights into the engine and drop what it cached with the old ones."""

    def _sample_for_check(
        self, requests: Sequence[Request], on_finish: Callable[[Sample], None]
    ) -> None:
        """Sample the requests of verify_sync."""
        self.generate(requests, on_finish)

    def _check_length(self, request: Request) -> None:
        if len(request.prompt_ids) + request.sampling.max_tokens > self._max_sequence_tokens:
            raise ConfigError(
                f"{request.problem_id}: a prompt of {len(request.prompt_ids)} tokens and "
                f"{request.sampling.max_tokens} more do not fit into "
                f"{self._max_sequence_tokens}, the engine's longest"
            )


def iterate_weights(model: nn.Module, dtype: torch.dtype) -> Iterator[tuple[str, Tensor]]:
    """Yield every weight once (a tied head is its embedding), gathered, merged, and in the engine's
    dtype."""
    for name, weight in model.named_parameters():
        if merged := merge_weight(model, name, weight):
            yield merged[0], merged[1].to(dtype)


def compute_tolerance(scorer: Scorer, engine_dtype: str) -> float:
    """Return the allowed difference between a log-probability of the engine and the trainer's.

    The coarser of the two dtypes decides. The rounding errors of layers are independent, so their
    sum grows with the square root of the number of layers.
    """
    layers = scorer.model.config.num_hidden_layers
    dtypes = [engine_dtype, str(scorer.computing_dtype).removeprefix("torch.")]
    if scorer.model.device.type == "cuda":
        dtypes.append("tf32")
    return max(TOLERANCES[dtype] for dtype in dtypes) * max(1.0, layers / TOLERANCE_LAYERS) ** 0.5


def verify_sync(
    generate: Callable[[Sequence[Request], Callable[[Sample], None]], None], scorer: Scorer,
    tolerance: float, max_sequence_tokens: int,
) -> dict[str, float]:  # fmt: skip
    """Compare log-probabilities of tokens that the engine samples with the trainer's.

    tolerance: the allowed difference of one token; the mean may differ by a tenth of it.
    max_sequence_tokens: the largest number of tokens of a sequence. Every rank verifies its own
    engine. Returns metrics. Raises SyncError, on every rank, where one of them is beyond the
    tolerance.
    """
    samples: list[Sample] = []
    generate(_make_check_requests(scorer.model, max_sequence_tokens), samples.append)
    rows = [TrainingSample.from_sample(sample, advantage=0.0) for sample in samples]
    sampled_N = torch.tensor([logp for row in rows for logp in row.rollout_logps])
    gap_N = (score_rows(scorer, rows) - sampled_N).abs().nan_to_num(nan=torch.inf)
    largest, mean = max_over_ranks(gap_N.max().item(), gap_N.mean().item())
    if largest > tolerance or mean > tolerance / 10:
        raise SyncError(
            f"the engine's weights are not the trainer's: the log-probabilities of {len(gap_N)} "
            f"tokens it sampled differ by {largest:.2g} at most, {mean:.2g} in the mean (allowed: "
            f"{tolerance:g} and {tolerance / 10:g}, rollout.sync_tolerance). Training on such "
            "samples fails without a sign, so the run stops; rollout.backend=hf needs no sync"
        )
    return {"sync/check_maxdiff": largest, "sync/check_meandiff": mean}


@contextmanager
def roll_weights(model: nn.Module) -> Iterator[None]:
    """Roll every weight matrix by one column inside the context; afterwards it is bitwise the same.

    A step at lr 1e-6 changes log-probabilities by less than rounding. With all weights rolled, one
    push shows whether every weight reaches the engine.
    """
    try:
        _roll(model, 1)
        yield
    finally:
        _roll(model, -1)


@torch.no_grad()
def _roll(model: nn.Module, columns: int) -> None:
    for weight in model.parameters():
        local = weight.to_local() if hasattr(weight, "to_local") else weight
        local.copy_(local.roll(columns, -1))


def _make_check_requests(model: nn.Module, max_sequence_tokens: int) -> list[Request]:
    """Return prompts of random tokens. They are the same at every push, so that a stale prefix
    cache would be used and found."""
    length = max(1, min(PROMPT_TOKENS, max_sequence_tokens - NEW_TOKENS))
    new_tokens = min(NEW_TOKENS, max_sequence_tokens - length)
    vocabulary = int(model.config.vocab_size)  # type: ignore[union-attr, arg-type]
    prompts = [
        tuple(int(counter.uniform("sync", i, position) * vocabulary) for position in range(length))
        for i in range(PROMPTS)
    ]
    sampling = Sampling(SAMPLES, TEMPERATURE, new_tokens, ("sync",))
    return [Request(f"sync {i}", ids, sampling) for i, ids in enumerate(prompts)]


@torch.no_grad()
def score_rows(scorer: Scorer, rows: Sequence[TrainingSample]) -> Tensor:
    """Return the log-probabilities of the rows' tokens, row by row; every rank must call it."""
    model, training = scorer.model, scorer.training
    scorer.eval()
    is_bfloat16 = scorer.computing_dtype == torch.bfloat16
    with torch.autocast(model.device.type, dtype=torch.bfloat16, enabled=is_bfloat16):
        logp_N, _ = scorer(make_batch(rows, model.device))
    scorer.train(training)
    return logp_N.cpu()
