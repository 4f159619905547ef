"""Weights from the trainer to vLLM, and the proof that they arrived.

Weights out of step ruin a run in silence: sampling goes on, learning does not. So after every push
the engine samples a few tokens, the trainer scores them, and a difference ends the run.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import torch
from torch import Tensor, nn

from microcoder_train import counter
from microcoder_train.batching import Row, pad
from microcoder_train.errors import ConfigError, SyncError
from microcoder_train.parallel import whole
from microcoder_train.policy import Scorer
from microcoder_train.samples import Request, Sample

RECEIVER = "microcoder_train.rollout.sync.WeightReceiver"  # vLLM's worker_extension_cls
# Not 1, or probabilities that leave the temperature out would pass.
TEMPERATURE = 1.2
PROMPTS, SAMPLES, NEW_TOKENS = 2, 2, 16
LOGITS_CHUNK = 1024
PROMPT_TOKENS = 144  # more than a block of the prefix cache (128 on CPU): a stale one shows


# How far apart log-probabilities of the same token may be; their mean, a tenth of it. SmolLM2-135M:
# float32 engines were seen at 4e-5 (mean 3e-6), bfloat16 ones at .29 (.02), and float32 ones whose
# head had the weights of the step before at .97 (.08).
FLOAT32_TOLERANCE, BFLOAT16_TOLERANCE = 1e-3, 1.0
# Times the tolerance, for rolled weights: they give wild logits, and rounding grows with them. The
# same in bfloat16 was at 3.1 (.75) in step, at 30 (15) with the head of the step before.
REHEARSED = 40


class PushedEngine(ABC):
    """An engine with weights of its own: pushed to it, and verified after every push."""

    _longest: int  # tokens a sequence may have

    def __init__(self, dtype: str, tolerance: float | None) -> None:
        self._dtype = dtype
        own = FLOAT32_TOLERANCE if dtype == "float32" else BFLOAT16_TOLERANCE
        self._tolerance = tolerance or own
        self._version = 0
        self._tried = False

    def sync(self, model: nn.Module, version: int) -> dict[str, float]:
        """Push the weights and verify; the first time a rehearsal goes before. Raises SyncError."""
        if not self._tried:
            with rehearsal(model):
                self._push(model)
                verify_sync(self._ask, model, REHEARSED * self._tolerance, self._longest)
            self._tried = True
        self._push(model)
        self._version = version
        return verify_sync(self._ask, model, self._tolerance, self._longest)

    @abstractmethod
    def generate(self, requests: Sequence[Request], on_finish: Callable[[Sample], None]) -> None:
        """Sample every request; see Engine."""

    @abstractmethod
    def _push(self, model: nn.Module) -> None:
        """Weights in, and whatever was cached under the old ones forgotten."""

    def _ask(self, requests: Sequence[Request], on_finish: Callable[[Sample], None]) -> None:
        """Sample the questions of verify_sync."""
        self.generate(requests, on_finish)

    def _check_length(self, request: Request) -> None:
        if len(request.prompt_ids) + request.max_tokens > self._longest:
            raise ConfigError(
                f"{request.problem_id}: a prompt of {len(request.prompt_ids)} tokens and "
                f"{request.max_tokens} more do not fit into {self._longest}, the engine's longest"
            )


class WeightReceiver:
    """Mixed by vLLM into its worker, which is what ``self`` is."""

    model_runner: Any

    def take_weights(self, weights: str | Iterable[tuple[str, Tensor]]) -> int:
        """Replace all weights: pairs under Hugging Face names, or a safetensors file of them.

        Returns how many came.
        """
        pairs = list(_read(weights) if isinstance(weights, str) else weights)
        self.model_runner.reload_weights(weights_iterator=iter(pairs))
        _repack_tied_head(self.model_runner.get_model())
        return len(pairs)

    def engine_settings(self) -> dict[str, Any]:
        """How the engine was started, for a trainer that did not start it."""
        model = self.model_runner.model_config
        return {
            "dtype": str(model.dtype).removeprefix("torch."),
            "logprobs_mode": model.logprobs_mode,
            "max_model_len": model.max_model_len,
        }


def named_weights(model: nn.Module, dtype: torch.dtype) -> Iterator[tuple[str, Tensor]]:
    """Every weight once (a tied head is its embedding), whole, in the engine's dtype."""
    for name, weight in model.named_parameters():
        yield name, whole(weight.detach()).to(dtype)


def verify_sync(
    generate: Callable[[Sequence[Request], Callable[[Sample], None]], None],
    model: nn.Module,
    tolerance: float,
    longest: int,
) -> dict[str, float]:
    """Score tokens the engine samples with the trainer's model; what they differ by.

    tolerance: of one token; a tenth of it for their mean. longest: tokens a sequence of this engine
    may have. Raises SyncError beyond the tolerance.
    """
    samples: list[Sample] = []
    generate(_questions(model, longest), samples.append)
    rows = [Row.of(sample, advantage=0.0) for sample in samples]
    sampled_N = torch.tensor([logp for row in rows for logp in row.rollout_logps])
    gap_N = (score(model, rows) - sampled_N).abs()
    largest, mean = gap_N.max().item(), gap_N.mean().item()
    if not (largest <= tolerance and mean <= tolerance / 10):  # "not": a NaN is no agreement
        raise SyncError(
            f"the engine's weights are not the trainer's: the log-probabilities of {len(gap_N)} "
            f"tokens it sampled differ by {largest:.2g} at most, {mean:.2g} in the mean (allowed: "
            f"{tolerance:g} and {tolerance / 10:g}, rollout.sync_tolerance). Training on such "
            "samples fails without a sign, so the run stops; rollout.backend=hf needs no sync"
        )
    return {"sync/check_maxdiff": largest, "sync/check_meandiff": mean}


@contextmanager
def rehearsal(model: nn.Module) -> Iterator[None]:
    """While entered every weight matrix is another: rolled by one column, undone bit by bit.

    A step at lr 1e-6 changes log-probabilities by less than rounding does; whether a push reaches
    every weight is seen when all of them change, so an engine is tried so before it is used.
    """
    try:
        _roll(model, 1)
        yield
    finally:
        _roll(model, -1)


@torch.no_grad()
def _roll(model: nn.Module, by: int) -> None:
    for weight in model.parameters():
        local = weight.to_local() if hasattr(weight, "to_local") else weight
        local.copy_(local.roll(by, -1))


def _questions(model: nn.Module, longest: int) -> list[Request]:
    """The same prompts each time, of random tokens: what is cached of them is cached by now."""
    length = max(1, min(PROMPT_TOKENS, longest - NEW_TOKENS))
    new = min(NEW_TOKENS, longest - length)
    vocabulary = int(model.config.vocab_size)  # type: ignore[union-attr, arg-type]
    asked = []
    for i in range(PROMPTS):
        ids = (int(counter.uniform("sync", i, place) * vocabulary) for place in range(length))
        asked.append(Request(f"sync {i}", tuple(ids), SAMPLES, TEMPERATURE, new, ("sync", i)))
    return asked


@torch.no_grad()
def score(model: nn.Module, rows: Sequence[Row]) -> Tensor:
    """Log-probabilities of the rows' tokens, one row after the other."""
    training = model.training
    model.eval()
    padded = pad(rows, next(model.parameters()).device)
    logp_N, _ = Scorer(model, LOGITS_CHUNK, shared=False)(padded)
    model.train(training)
    return logp_N.cpu()


def _read(file: str) -> Iterator[tuple[str, Tensor]]:
    from safetensors import safe_open

    with safe_open(file, framework="pt") as held:
        for name in held.keys():  # noqa: SIM118 - not a dictionary
            yield name, held.get_tensor(name)


def _repack_tied_head(model: Any) -> None:
    """On CPU the head keeps a packed copy of the embedding, which ``reload_weights`` leaves."""
    from vllm.model_executor.layers.utils import dispatch_cpu_unquantized_gemm
    from vllm.platforms import current_platform

    if not (current_platform.is_cpu() and model.config.tie_word_embeddings):
        return
    model.lm_head.weight = model.model.embed_tokens.weight
    dispatch_cpu_unquantized_gemm(model.lm_head, remove_weight=False)
