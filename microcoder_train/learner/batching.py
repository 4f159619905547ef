"""Responses as rows of tensors: split into micro-batches by tokens, and padded."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import torch
from torch import Tensor
from torch.nn.utils.rnn import pad_sequence

from microcoder_train.samples import Sample


@dataclass(frozen=True, slots=True)
class TrainingSample:
    """One response for the loss. counted: whether its tokens are in the loss mask."""

    prompt_ids: tuple[int, ...]
    ids: tuple[int, ...]
    rollout_logps: tuple[float, ...]
    temperature: float
    advantage: float
    counted: bool = True

    @classmethod
    def from_sample(
        cls, sample: Sample, advantage: float, *, counted: bool = True
    ) -> TrainingSample:
        """Return the training sample of a rollout's sample."""
        tokens = (sample.prompt_ids, sample.ids, sample.logps)
        return cls(*tokens, sample.temperature, advantage, counted)

    @property
    def length(self) -> int:
        """The number of tokens of prompt and response."""
        return len(self.prompt_ids) + len(self.ids)


@dataclass(frozen=True, slots=True)
class PaddedBatch:
    """B rows with P different prompts and T tokens of the response.

    prompt_ids_PS: without the last token, padded on the left. prompt_index_B: the prompt of each
    row. input_ids_BT: the prompt's last token and the response without its last, so that position t
    predicts token t. N: the positions in mask_BT, row by row.
    """

    prompt_ids_PS: Tensor
    prompt_mask_PS: Tensor
    prompt_index_B: Tensor
    input_ids_BT: Tensor
    mask_BT: Tensor
    targets_N: Tensor
    temperature_N: Tensor
    rollout_logp_BT: Tensor
    advantages_B: Tensor
    counted_BT: Tensor


def split_micro_batches(
    rows: Sequence[TrainingSample], tokens: int, *, shared: bool = True
) -> list[list[int]]:
    """Split rows, as indices, into batches of at most ``tokens`` padded tokens.

    Batches hold rows of similar length or of the same prompt, whichever needs fewer tokens. A row
    longer than ``tokens`` is a batch of its own. shared: a prompt counts once per batch.
    """
    by_length = sorted(range(len(rows)), key=lambda i: (-rows[i].length, i))
    by_prompt: dict[tuple[int, ...], list[int]] = {}
    for i in by_length:
        by_prompt.setdefault(rows[i].prompt_ids, []).append(i)
    prompt_numbers = {i: number for number, group in enumerate(by_prompt.values()) for i in group}

    def count_padded_tokens(batch: Sequence[int]) -> int:
        prompts = len({prompt_numbers[i] for i in batch}) if shared else len(batch)
        longest_prompt = max(len(rows[i].prompt_ids) for i in batch)
        return prompts * longest_prompt + len(batch) * max(len(rows[i].ids) for i in batch)

    def pack_groups(groups: Iterable[list[int]]) -> list[list[int]]:
        batches: list[list[int]] = []
        for group in groups:
            for part in [group] if count_padded_tokens(group) <= tokens else [[i] for i in group]:
                if batches and count_padded_tokens(batches[-1] + part) <= tokens:
                    batches[-1] += part
                else:
                    batches.append(list(part))
        return batches

    plans = [pack_groups([i] for i in by_length), pack_groups(by_prompt.values())]
    return min(plans, key=lambda plan: sum(map(count_padded_tokens, plan)))


def pad(rows: Sequence[TrainingSample], device: torch.device) -> PaddedBatch:
    """Rows as tensors on a device."""

    def matrix(lists: Sequence[Sequence[float]], dtype: torch.dtype, side: str = "right") -> Tensor:
        tensors = [torch.tensor(values, dtype=dtype) for values in lists]
        return pad_sequence(tensors, batch_first=True, padding_side=side).to(device)

    prompt_index = {ids: i for i, ids in enumerate(dict.fromkeys(row.prompt_ids for row in rows))}
    # One masked token on the left: the context of a prompt of one token must not be empty.
    contexts = [(0, *ids[:-1]) for ids in prompt_index]
    masks = [[0, *[1] * len(ids[:-1])] for ids in prompt_index]
    tokens = [token for row in rows for token in row.ids]
    temperatures = [row.temperature for row in rows for _ in row.ids]
    advantages = [row.advantage for row in rows]
    mask_BT = matrix([[1] * len(row.ids) for row in rows], torch.bool)
    counted_B1 = torch.tensor([[row.counted] for row in rows], device=device)
    return PaddedBatch(
        prompt_ids_PS=matrix(contexts, torch.int64, "left"),
        prompt_mask_PS=matrix(masks, torch.int64, "left"),
        prompt_index_B=torch.tensor([prompt_index[row.prompt_ids] for row in rows], device=device),
        input_ids_BT=matrix([(row.prompt_ids[-1], *row.ids[:-1]) for row in rows], torch.int64),
        mask_BT=mask_BT,
        targets_N=torch.tensor(tokens, device=device),
        temperature_N=torch.tensor(temperatures, dtype=torch.float64, device=device),
        rollout_logp_BT=matrix([row.rollout_logps for row in rows], torch.float64),
        advantages_B=torch.tensor(advantages, dtype=torch.float64, device=device),
        counted_BT=mask_BT & counted_B1,
    )
