"""An engine on transformers alone: for machines without a GPU, for tests, and as the reference.

It has its own loop, since ``generate`` has no callback, seed or temperature per sample. Each prompt
is prefilled once for its group, and finished rows leave the batch at once. The noise of a sample
depends on its name alone, not on the other rows of its batch.
"""

from __future__ import annotations

import copy
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import torch
from torch import Tensor
from torch.nn.utils.rnn import pad_sequence
from transformers import DynamicCache, PreTrainedModel

from microcoder_train.errors import TrainError
from microcoder_train.learner.scorer import Scorer, find_cache_keyword
from microcoder_train.parallel import full_tensor
from microcoder_train.samples import Finish, Request, Sample

from . import Engine


@dataclass(slots=True)
class _PartialSample:
    """An unfinished response."""

    request: Request
    index: int
    generator: torch.Generator
    ids: list[int] = field(default_factory=list)
    logps: list[float] = field(default_factory=list)


class HfEngine(Engine):
    """Samples from the trainer's module, or from a copy of it in another dtype.

    stop_ids: tokens that end a response. max_sequences: rows in one batch.
    """

    def __init__(
        self, model: PreTrainedModel, stop_ids: frozenset[int], *, max_sequences: int = 128,
        dtype: torch.dtype | None = None,
    ) -> None:  # fmt: skip
        is_copy = dtype is not None and dtype != model.dtype
        self._model = copy.deepcopy(model).to(dtype).requires_grad_(False) if is_copy else model
        self._stop_ids = stop_ids
        self._max_sequences = max_sequences
        self._version = 0

    def sync(self, scorer: Scorer, version: int) -> dict[str, float]:
        """Copy the weights, unless the engine shares the trainer's module."""
        self._version = version
        if scorer.model is not self._model:
            weights = self._model.state_dict()
            with torch.no_grad():
                for name, value in scorer.model.state_dict().items():
                    weights[name].copy_(full_tensor(value))
        return {}

    def generate(self, requests: Sequence[Request], on_finish: Callable[[Sample], None]) -> None:
        """Sample every request; see Engine."""
        training = self._model.training
        self._model.eval()
        try:
            # Not inference_mode: inference tensors left in a model's caches would break training.
            with torch.no_grad():
                rows = [(request, i) for request in requests for i in range(request.sampling.n)]
                for first in range(0, len(rows), self._max_sequences):
                    self._sample(rows[first : first + self._max_sequences], on_finish)
        finally:
            self._model.train(training)

    def _sample(
        self, batch: Sequence[tuple[Request, int]], on_finish: Callable[[Sample], None]
    ) -> None:
        device = self._model.device
        rows = []
        for request, i in batch:
            generator = torch.Generator(device).manual_seed(request.make_seed(i))
            rows.append(_PartialSample(request, i, generator))
        logits_BV, cache, mask_BS = self._prefill([request for request, _ in batch])
        while True:
            tokens_B = _sample_tokens(logits_BV, rows)
            remaining = []
            for i, row in enumerate(rows):
                finish: Finish = "stop" if row.ids[-1] in self._stop_ids else "length"
                if finish == "stop" or len(row.ids) == row.request.sampling.max_tokens:
                    tokens = (tuple(row.ids), tuple(row.logps))
                    on_finish(Sample(row.request, row.index, *tokens, finish, self._version))
                else:
                    remaining.append(i)
            if not remaining:
                return
            if len(remaining) < len(rows):
                index = torch.tensor(remaining, device=device)
                cache.batch_select_indices(index)
                mask_BS, tokens_B = mask_BS[index], tokens_B[index]
                rows = [rows[i] for i in remaining]
            position_B1 = mask_BS.sum(dim=1, keepdim=True)
            mask_BS = torch.cat([mask_BS, torch.ones_like(position_B1)], dim=1)
            logits_BV = self._forward(tokens_B[:, None], mask_BS, position_B1, cache)

    def _prefill(self, requests: Sequence[Request]) -> tuple[Tensor, DynamicCache, Tensor]:
        """Compute each prompt once, padded on the left, and copy its state for every sample."""
        device = self._model.device
        prompt_index = {request: row for row, request in enumerate(dict.fromkeys(requests))}
        prompts = [torch.tensor(request.prompt_ids) for request in prompt_index]
        ids_PS, mask_PS = (
            pad_sequence(rows, batch_first=True, padding_side="left").to(device)
            for rows in (prompts, [torch.ones_like(prompt) for prompt in prompts])
        )
        position_PS = (mask_PS.cumsum(dim=1) - 1).clamp(min=0)
        cache = DynamicCache(config=self._model.config)
        logits_PV = self._forward(ids_PS, mask_PS, position_PS, cache)
        indices = [prompt_index[request] for request in requests]
        prompt_index_B = torch.tensor(indices, device=device)
        cache.batch_select_indices(prompt_index_B)
        return logits_PV[prompt_index_B], cache, mask_PS[prompt_index_B]

    def _forward(
        self, ids_BS: Tensor, mask_BS: Tensor, position_BS: Tensor, cache: DynamicCache
    ) -> Tensor:
        inputs = {"attention_mask": mask_BS, "position_ids": position_BS}
        cache_options = {find_cache_keyword(self._model): cache, "use_cache": True}
        output = self._model(input_ids=ids_BS, logits_to_keep=1, **inputs, **cache_options)
        return output.logits[:, -1].float()


def _sample_tokens(logits_BV: Tensor, rows: Sequence[_PartialSample]) -> Tensor:
    """Draw the next token of each row and append it there with its log-probability.

    Gumbel noise: argmax(logits / T + noise) is a draw from softmax(logits / T). The log-probability
    is that of the whole distribution at T, as the loss needs it. top_p, which only evaluation sets,
    limits which token is drawn.
    """
    temperatures = [[row.request.sampling.temperature] for row in rows]
    temperature_B1 = torch.tensor(temperatures, device=logits_BV.device)
    greedy_B1 = temperature_B1 == 0
    logp_BV = (logits_BV / torch.where(greedy_B1, 1.0, temperature_B1)).log_softmax(dim=-1)
    noise_BV = torch.empty_like(logp_BV)
    for i, row in enumerate(rows):
        torch.rand(logp_BV.shape[1], generator=row.generator, out=noise_BV[i])
    noise_BV = -(-noise_BV.log()).log()
    scores_BV = _mask_nucleus(logp_BV, rows) + torch.where(greedy_B1, 0.0, noise_BV)
    tokens_B = scores_BV.argmax(dim=-1)
    logps = logp_BV.gather(1, tokens_B[:, None])[:, 0].tolist()
    for row, token, logp in zip(rows, tokens_B.tolist(), logps, strict=True):
        if math.isnan(logp):
            raise TrainError(
                f"the model's logits are not finite after {len(row.ids)} tokens of a response to "
                f"{row.request.problem_id}: its weights are damaged, or rollout.dtype overflows"
            )
        row.ids.append(token)
        row.logps.append(logp)
    return tokens_B


def _mask_nucleus(logp_BV: Tensor, rows: Sequence[_PartialSample]) -> Tensor:
    """Set tokens outside the smallest set with probability top_p to -inf."""
    if all(row.request.sampling.top_p == 1 for row in rows):
        return logp_BV
    top_p_B1 = torch.tensor([[row.request.sampling.top_p] for row in rows], device=logp_BV.device)
    sorted_BV, order_BV = logp_BV.sort(dim=-1, descending=True)
    is_outside_BV = sorted_BV.exp().cumsum(dim=-1) - sorted_BV.exp() >= top_p_B1
    outside_BV = is_outside_BV.scatter(1, order_BV, is_outside_BV)
    return logp_BV.masked_fill(outside_BV, -torch.inf)
