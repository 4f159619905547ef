"""Responses as rows of a tensor: cut into micro-batches by tokens, padded on the right."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
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
    """B rows that go on from P different prompts, T tokens of the response.

    prompt_ids_PS: without the last token, padded on the left. prompt_B: which of them is a row's.
    ids_BT: the prompt's last token and the response without its last, so that position t predicts
    token t. Of the positions that mask_BT holds, row by row, there are N.
    """

    prompt_ids_PS: Tensor
    prompt_seen_PS: Tensor
    prompt_B: Tensor
    ids_BT: Tensor
    mask_BT: Tensor
    targets_N: Tensor
    temperature_N: Tensor
    rollout_logp_BT: Tensor
    advantages_B: Tensor
    counted_BT: Tensor


def micro_batches(rows: Sequence[Row], tokens: int, *, shared: bool = True) -> list[list[int]]:
    """Indices of rows in batches of at most ``tokens`` padded tokens.

    Rows of similar length together, or those of one prompt: whichever takes fewer tokens. A row
    longer than ``tokens`` is a batch of its own. shared: a prompt counts once in a batch.
    """
    by_length = sorted(range(len(rows)), key=lambda i: (-rows[i].length, i))
    by_prompt: dict[tuple[int, ...], list[int]] = {}
    for i in by_length:
        by_prompt.setdefault(rows[i].prompt_ids, []).append(i)
    prompt = {i: number for number, group in enumerate(by_prompt.values()) for i in group}

    def padded(batch: Sequence[int]) -> int:
        prompts = len({prompt[i] for i in batch}) if shared else len(batch)
        widest = max(len(rows[i].prompt_ids) for i in batch)
        return prompts * widest + len(batch) * max(len(rows[i].ids) for i in batch)

    def cut(groups: Iterable[list[int]]) -> list[list[int]]:
        batches: list[list[int]] = []
        for group in groups:
            for part in [group] if padded(group) <= tokens else [[i] for i in group]:
                if batches and padded(batches[-1] + part) <= tokens:
                    batches[-1] += part
                else:
                    batches.append(list(part))
        return batches

    plans = [cut([i] for i in by_length), cut(by_prompt.values())]
    return min(plans, key=lambda plan: sum(map(padded, plan)))


def pad(rows: Sequence[Row], device: torch.device) -> Padded:
    """Rows as tensors."""

    def matrix(lists: Sequence[Sequence[float]], dtype: torch.dtype, side: str = "right") -> Tensor:
        tensors = [torch.tensor(values, dtype=dtype) for values in lists]
        return pad_sequence(tensors, batch_first=True, padding_side=side).to(device)

    place = {ids: i for i, ids in enumerate(dict.fromkeys(row.prompt_ids for row in rows))}
    # One more on the left, never seen, so that a prompt of one token leaves something to pass on.
    contexts = [(0, *ids[:-1]) for ids in place]
    seen = [[0, *[1] * len(ids[:-1])] for ids in place]
    tokens = [token for row in rows for token in row.ids]
    temperatures = [row.temperature for row in rows for _ in row.ids]
    mask_BT = matrix([[1] * len(row.ids) for row in rows], torch.bool)
    counted_B1 = torch.tensor([[row.counted] for row in rows], device=device)
    return Padded(
        prompt_ids_PS=matrix(contexts, torch.int64, "left"),
        prompt_seen_PS=matrix(seen, torch.int64, "left"),
        prompt_B=torch.tensor([place[row.prompt_ids] for row in rows], device=device),
        ids_BT=matrix([(row.prompt_ids[-1], *row.ids[:-1]) for row in rows], torch.int64),
        mask_BT=mask_BT,
        targets_N=torch.tensor(tokens, device=device),
        temperature_N=torch.tensor(temperatures, dtype=torch.float64, device=device),
        rollout_logp_BT=matrix([row.rollout_logps for row in rows], torch.float64),
        advantages_B=torch.tensor(
            [row.advantage for row in rows], dtype=torch.float64, device=device
        ),
        counted_BT=mask_BT & counted_B1,
    )
