"""Sampling with transformers alone: own loop, since ``generate`` has no per-sample finish, seed or
temperature. For machines without a GPU, for tests, and as the engine others are compared with.

Each prompt is prefilled once for its group. Finished rows are reported at once and dropped. The
noise of a sample comes from its own name, so it does not depend on what it is batched with.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import torch
from torch import Tensor, nn
from torch.nn.utils.rnn import pad_sequence
from transformers import DynamicCache, PreTrainedModel

from microcoder_train import counter
from microcoder_train.parallel import whole
from microcoder_train.samples import Finish, Request, Sample


@dataclass(slots=True)
class _Row:
    """One response in the making."""

    request: Request
    index: int
    noise: torch.Generator
    ids: list[int] = field(default_factory=list)
    logps: list[float] = field(default_factory=list)


class HfEngine:
    """Samples from the trainer's own module, or from a copy of it in another dtype.

    stop_ids: a response ends with the first of these. max_sequences: rows in memory at once.
    """

    def __init__(
        self,
        model: PreTrainedModel,
        stop_ids: frozenset[int],
        *,
        max_sequences: int = 128,
        dtype: torch.dtype | None = None,
    ) -> None:
        own = dtype is not None and dtype != model.dtype
        self._model = copy.deepcopy(model).to(dtype).requires_grad_(False) if own else model
        self._stop_ids = stop_ids
        self._max_sequences = max_sequences
        self._version = 0

    def sync(self, model: nn.Module, version: int) -> dict[str, float]:
        """Copy the weights, unless they are shared."""
        self._version = version
        if model is not self._model:
            held = self._model.state_dict()
            with torch.no_grad():
                for name, value in model.state_dict().items():
                    held[name].copy_(whole(value))
        return {}

    def close(self) -> None:
        """Nothing is held that memory management does not free."""

    def generate(self, requests: Sequence[Request], on_finish: Callable[[Sample], None]) -> None:
        """Sample every request; see Engine."""
        training = self._model.training
        self._model.eval()
        try:
            with torch.no_grad():  # inference tensors in a model's caches would break training
                rows = [(request, i) for request in requests for i in range(request.n)]
                for first in range(0, len(rows), self._max_sequences):
                    self._sample(rows[first : first + self._max_sequences], on_finish)
        finally:
            self._model.train(training)

    def _sample(
        self, batch: Sequence[tuple[Request, int]], on_finish: Callable[[Sample], None]
    ) -> None:
        device = self._model.device
        rows = [
            _Row(request, i, torch.Generator(device).manual_seed(counter.key(*request.stream, i)))
            for request, i in batch
        ]
        logits_BV, cache, seen_BS = self._prefill([request for request, _ in batch])
        while True:
            chosen = _choose(logits_BV, rows)
            keep = [i for i, row in enumerate(rows) if not self._finished(row)]
            for i in sorted(set(range(len(rows))) - set(keep)):
                on_finish(self._done(rows[i]))
            if not keep:
                return
            if len(keep) < len(rows):
                index = torch.tensor(keep, device=device)
                cache.batch_select_indices(index)
                seen_BS, chosen = seen_BS[index], chosen[index]
                rows = [rows[i] for i in keep]
            position_B1 = seen_BS.sum(dim=1, keepdim=True)
            seen_BS = torch.cat([seen_BS, torch.ones_like(position_B1)], dim=1)
            logits_BV = self._forward(chosen[:, None], seen_BS, position_B1, cache)

    def _prefill(self, requests: Sequence[Request]) -> tuple[Tensor, DynamicCache, Tensor]:
        """One row a prompt, padded on the left, then a copy of its state for every sample."""
        place = {request: row for row, request in enumerate(dict.fromkeys(requests))}
        prompts = [torch.tensor(request.prompt_ids) for request in place]
        ones = [torch.ones_like(prompt) for prompt in prompts]
        ids_PS, seen_PS = (
            pad_sequence(rows, batch_first=True, padding_side="left").to(self._model.device)
            for rows in (prompts, ones)
        )
        position_PS = (seen_PS.cumsum(dim=1) - 1).clamp(min=0)
        cache = DynamicCache(config=self._model.config)
        logits_PV = self._forward(ids_PS, seen_PS, position_PS, cache)
        owner_B = torch.tensor([place[request] for request in requests], device=ids_PS.device)
        cache.batch_select_indices(owner_B)
        return logits_PV[owner_B], cache, seen_PS[owner_B]

    def _forward(
        self, ids_BS: Tensor, seen_BS: Tensor, position_BS: Tensor, cache: DynamicCache
    ) -> Tensor:
        state = {"past_key_values": cache, "use_cache": True, "logits_to_keep": 1}
        seen = {"attention_mask": seen_BS, "position_ids": position_BS}
        return self._model(input_ids=ids_BS, **seen, **state).logits[:, -1].float()

    def _finished(self, row: _Row) -> bool:
        return row.ids[-1] in self._stop_ids or len(row.ids) == row.request.max_tokens

    def _done(self, row: _Row) -> Sample:
        finish: Finish = "stop" if row.ids[-1] in self._stop_ids else "length"
        return row.request.answered(row.index, row.ids, row.logps, finish, self._version)


def _choose(logits_BV: Tensor, rows: Sequence[_Row]) -> Tensor:
    """The next token of each row, noted there with its log-probability.

    Gumbel: argmax(logits / T + noise) is a draw from softmax(logits / T). The log-probability is
    of the whole distribution at T, which is what the loss needs; top_p (evaluation) only limits
    the choice.
    """
    asked_B1 = torch.tensor([[row.request.temperature] for row in rows], device=logits_BV.device)
    logp_BV = (logits_BV / torch.where(asked_B1 == 0, 1.0, asked_B1)).log_softmax(dim=-1)
    noise_BV = torch.empty_like(logp_BV)
    for i, row in enumerate(rows):
        torch.rand(logp_BV.shape[1], generator=row.noise, out=noise_BV[i])
    noise_BV = -(-noise_BV.log()).log()
    scores_BV = _nucleus(logp_BV, rows) + torch.where(asked_B1 == 0, 0.0, noise_BV)
    chosen_B = scores_BV.argmax(dim=-1)
    logps = logp_BV.gather(1, chosen_B[:, None])[:, 0].tolist()
    for row, token, logp in zip(rows, chosen_B.tolist(), logps, strict=True):
        row.ids.append(token)
        row.logps.append(logp)
    return chosen_B


def _nucleus(logp_BV: Tensor, rows: Sequence[_Row]) -> Tensor:
    """-inf for tokens outside the smallest set whose probability reaches top_p."""
    if all(row.request.top_p == 1 for row in rows):
        return logp_BV
    top_p_B1 = torch.tensor([[row.request.top_p] for row in rows], device=logp_BV.device)
    sorted_BV, order_BV = logp_BV.sort(dim=-1, descending=True)
    before_BV = sorted_BV.exp().cumsum(dim=-1) - sorted_BV.exp()
    outside_BV = (before_BV >= top_p_B1).scatter(1, order_BV, before_BV >= top_p_B1)
    return logp_BV.masked_fill(outside_BV, -torch.inf)
