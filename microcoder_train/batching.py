"""Responses as rows of a tensor: cut into micro-batches by tokens, padded on the right."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import torch
from torch import Tensor
from torch.nn.utils.rnn import pad_sequence

from microcoder_train.samples import Sample


@dataclass(frozen=True, slots=True)
class Row:
    """One response as the loss sees it. counted: whether its tokens are in the loss mask."""

    prompt_ids: tuple[int, ...]
    ids: tuple[int, ...]
    rollout_logps: tuple[float, ...]
    temperature: float
    advantage: float
    counted: bool = True

    @classmethod
    def of(cls, sample: Sample, advantage: float, *, counted: bool = True) -> Row:
        """The row of a sample."""
        own = (sample.prompt_ids, sample.ids, sample.logps, sample.temperature)
        return cls(*own, advantage, counted)

    @property
    def length(self) -> int:
        """Tokens of prompt and response."""
        return len(self.prompt_ids) + len(self.ids)


@dataclass(frozen=True, slots=True)
class Padded:
    """B rows, S tokens of prompt and response, T of the response.

    predicts_BS: True where the next token belongs to the response. Row by row its N positions
    stand in the order of mask_BT's.
    """

    ids_BS: Tensor
    seen_BS: Tensor
    predicts_BS: Tensor
    mask_BT: Tensor
    targets_N: Tensor
    temperature_N: Tensor
    rollout_logp_BT: Tensor
    advantages_B: Tensor
    counted_BT: Tensor


def micro_batches(rows: Sequence[Row], tokens: int) -> list[list[int]]:
    """Indices of rows in batches of at most ``tokens`` padded tokens, similar lengths together.

    A row longer than that is a batch of its own.
    """
    batches: list[list[int]] = []
    widest = 0
    for i in sorted(range(len(rows)), key=lambda i: (-rows[i].length, i)):
        if not batches or (len(batches[-1]) + 1) * widest > tokens:
            batches.append([])
            widest = rows[i].length
        batches[-1].append(i)
    return batches


def pad(rows: Sequence[Row], device: torch.device) -> Padded:
    """Rows as tensors."""

    def matrix(lists: Sequence[Sequence[float]], dtype: torch.dtype) -> Tensor:
        tensors = [torch.tensor(values, dtype=dtype) for values in lists]
        return pad_sequence(tensors, batch_first=True).to(device)

    predicts = [[*[0] * (len(row.prompt_ids) - 1), *[1] * len(row.ids), 0] for row in rows]
    tokens = [token for row in rows for token in row.ids]
    temperatures = [row.temperature for row in rows for _ in row.ids]
    mask_BT = matrix([[1] * len(row.ids) for row in rows], torch.bool)
    counted_B1 = torch.tensor([[row.counted] for row in rows], device=device)
    return Padded(
        ids_BS=matrix([(*row.prompt_ids, *row.ids) for row in rows], torch.int64),
        seen_BS=matrix([[1] * row.length for row in rows], torch.int64),
        predicts_BS=matrix(predicts, torch.bool),
        mask_BT=mask_BT,
        targets_N=torch.tensor(tokens, device=device),
        temperature_N=torch.tensor(temperatures, dtype=torch.float64, device=device),
        rollout_logp_BT=matrix([row.rollout_logps for row in rows], torch.float64),
        advantages_B=torch.tensor(
            [row.advantage for row in rows], dtype=torch.float64, device=device
        ),
        counted_BT=mask_BT & counted_B1,
    )
