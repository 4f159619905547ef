"""Responses as rows of tensors: split into micro-batches by tokens, and padded."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

import torch
from torch import Tensor
from torch.nn.utils.rnn import pad_sequence

from microcoder_train.config import Config
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
        tokens = (sample.request.prompt_ids, sample.ids, sample.logps)
        return cls(*tokens, sample.request.sampling.temperature, advantage, counted)

    @property
    def length(self) -> int:
        """The number of tokens of prompt and response."""
        return len(self.prompt_ids) + len(self.ids)


Layout = Literal["rows", "packed", "shared"]
MIN_SHARED = 0.25  # prompts are shared if that saves at least this share of the tokens


@dataclass(frozen=True, slots=True)
class Sequences:
    """Prompts and responses without their last token, with no mask: attention is causal.

    Layout "rows": a row each, padded on the right, where causal attention never looks. Layout
    "packed": all in one row; positions_BS start at 0 for each, which tells transformers where it
    begins.
    predicting_BS: the positions that predict a token of the response, in the order of the rows.
    """

    ids_BS: Tensor
    positions_BS: Tensor | None
    predicting_BS: Tensor


@dataclass(frozen=True, slots=True)
class SharedPrompts:
    """P different prompts and the B responses that continue from them; needs an explicit mask.

    prompt_ids_PS: without the last token, padded on the left.
    prompt_index_B: the prompt of each row.
    input_ids_BT: the prompt's last token and the response without its last, so that position t
        predicts token t.
    """

    prompt_ids_PS: Tensor
    prompt_mask_PS: Tensor
    prompt_index_B: Tensor
    input_ids_BT: Tensor
    mask_BT: Tensor


@dataclass(frozen=True, slots=True)
class TensorBatch:
    """B rows and the T tokens of their responses. N: the positions in mask_BT, row by row.

    lengths: those that the model computes, without padding: of sequences, or prompts and responses.
    """

    inputs: Sequences | SharedPrompts
    mask_BT: Tensor
    targets_N: Tensor
    temperature_N: Tensor
    rollout_logp_BT: Tensor
    advantages_B: Tensor
    counted_BT: Tensor
    lengths: tuple[int, ...]


def skips_zero_advantages(config: Config) -> bool:
    """Whether rows with advantage 0 are left out. They have no gradient if there is no KL term."""
    return config.train.skip_zero_advantages and config.loss.beta == 0


def measure_sharing(rows: Sequence[TrainingSample]) -> tuple[int, int]:
    """Return how many tokens shared prompts save, and how many there are without sharing."""
    prompts = {row.prompt_ids for row in rows}
    saved = sum(len(row.prompt_ids) for row in rows) - sum(map(len, prompts))
    return saved, sum(row.length for row in rows)


def split_micro_batches(
    rows: Sequence[TrainingSample], max_tokens: int, layout: Layout = "shared"
) -> list[list[int]]:
    """Split rows, as indices, into batches of at most ``max_tokens`` tokens, padding included.

    Batches hold rows of similar length. If prompts are shared, batches of rows with the same prompt
    are used instead where they need fewer tokens. A row longer than ``max_tokens`` is a batch of
    its own.
    """
    by_length = sorted(range(len(rows)), key=lambda i: (-rows[i].length, i))
    by_prompt: dict[tuple[int, ...], list[int]] = {}
    for i in by_length:
        by_prompt.setdefault(rows[i].prompt_ids, []).append(i)
    prompt_numbers = {i: number for number, group in enumerate(by_prompt.values()) for i in group}

    def count_tokens(batch: Sequence[int]) -> int:
        if layout == "packed":
            return sum(rows[i].length for i in batch)
        if layout == "rows":
            return len(batch) * max(rows[i].length for i in batch)
        prompts = len({prompt_numbers[i] for i in batch})
        longest_prompt = max(len(rows[i].prompt_ids) for i in batch)
        return prompts * longest_prompt + len(batch) * max(len(rows[i].ids) for i in batch)

    def pack_groups(groups: Iterable[list[int]]) -> list[list[int]]:
        batches: list[list[int]] = []
        for group in groups:
            for part in [group] if count_tokens(group) <= max_tokens else [[i] for i in group]:
                if batches and count_tokens(batches[-1] + part) <= max_tokens:
                    batches[-1] += part
                else:
                    batches.append(list(part))
        return batches

    plans = [pack_groups([i] for i in by_length)]
    if layout == "shared":
        plans.append(pack_groups(by_prompt.values()))
    return min(plans, key=lambda plan: sum(map(count_tokens, plan)))


def make_batch(
    rows: Sequence[TrainingSample], device: torch.device, layout: Layout = "rows"
) -> TensorBatch:
    """Return rows as tensors on a device."""
    tokens = [token for row in rows for token in row.ids]
    temperatures = [row.temperature for row in rows for _ in row.ids]
    advantages = [row.advantage for row in rows]
    mask_BT = _make_matrix([[1] * len(row.ids) for row in rows], torch.bool, device)
    counted_B1 = torch.tensor([[row.counted] for row in rows], device=device)
    inputs: Sequences | SharedPrompts
    if layout == "shared":
        inputs = _share_prompts(rows, mask_BT, device)
        lengths = [*map(len, {row.prompt_ids for row in rows}), *(len(row.ids) for row in rows)]
    else:
        inputs = _join_sequences(rows, device, packs=layout == "packed")
        lengths = [row.length for row in rows]
    return TensorBatch(
        inputs=inputs,
        mask_BT=mask_BT,
        targets_N=torch.tensor(tokens, device=device),
        temperature_N=torch.tensor(temperatures, dtype=torch.float64, device=device),
        rollout_logp_BT=_make_matrix([row.rollout_logps for row in rows], torch.float64, device),
        advantages_B=torch.tensor(advantages, dtype=torch.float64, device=device),
        counted_BT=mask_BT & counted_B1,
        lengths=tuple(lengths),
    )


def _join_sequences(
    rows: Sequence[TrainingSample], device: torch.device, *, packs: bool
) -> Sequences:
    ids = [(*row.prompt_ids, *row.ids[:-1]) for row in rows]
    flags = [(*[0] * (len(row.prompt_ids) - 1), *[1] * len(row.ids)) for row in rows]
    positions = None
    if packs:
        starts = [range(len(sequence)) for sequence in ids]
        positions = _make_matrix([[i for start in starts for i in start]], torch.int64, device)
        ids, flags = ([tuple(value for row in part for value in row)] for part in (ids, flags))
    matrices = (_make_matrix(ids, torch.int64, device), _make_matrix(flags, torch.bool, device))
    return Sequences(matrices[0], positions, matrices[1])


def _share_prompts(
    rows: Sequence[TrainingSample], mask_BT: Tensor, device: torch.device
) -> SharedPrompts:
    prompt_index = {ids: i for i, ids in enumerate(dict.fromkeys(row.prompt_ids for row in rows))}
    # One masked token on the left: the context of a prompt of one token must not be empty.
    contexts = [(0, *ids[:-1]) for ids in prompt_index]
    masks = [[0, *[1] * len(ids[:-1])] for ids in prompt_index]
    inputs = [(row.prompt_ids[-1], *row.ids[:-1]) for row in rows]
    return SharedPrompts(
        prompt_ids_PS=_make_matrix(contexts, torch.int64, device, "left"),
        prompt_mask_PS=_make_matrix(masks, torch.int64, device, "left"),
        prompt_index_B=torch.tensor([prompt_index[row.prompt_ids] for row in rows], device=device),
        input_ids_BT=_make_matrix(inputs, torch.int64, device),
        mask_BT=mask_BT,
    )


def _make_matrix(
    lists: Sequence[Sequence[float]], dtype: torch.dtype, device: torch.device, side: str = "right"
) -> Tensor:
    tensors = [torch.tensor(values, dtype=dtype) for values in lists]
    return pad_sequence(tensors, batch_first=True, padding_side=side).to(device)
