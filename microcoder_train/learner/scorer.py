"""A model and its head as one module: the log-probabilities of responses."""

from __future__ import annotations

import copy
import inspect
from typing import Any

import torch
from torch import Tensor, nn
from transformers import DynamicCache, PreTrainedModel

from microcoder_train.algorithm.grpo import compute_logprobs

from .batching import SharedPrompts, TensorBatch


class Scorer(nn.Module):
    """A model and its head, which is applied in chunks, as one module that can be sharded.

    gathered_dtype: the dtype of computation for sharded weights; None means that of the weights.
    """

    def __init__(self, model: Any, chunk: int, gathered_dtype: torch.dtype | None = None) -> None:
        super().__init__()
        self.model, self._chunk, self._gathered_dtype = model, chunk, gathered_dtype

    @property
    def computing_dtype(self) -> torch.dtype:
        """The dtype of log-probabilities without autocast; flash kernels have no float32."""
        implementation = str(getattr(self.model.config, "_attn_implementation", ""))
        own = torch.bfloat16 if "flash" in implementation else self.model.dtype
        return self._gathered_dtype or own

    def forward(self, rows: TensorBatch) -> tuple[Tensor, Tensor]:
        """(log-probabilities, entropies) of the rows' N tokens; see grpo.compute_logprobs."""
        return compute_logprobs(
            self.model.get_output_embeddings(), self.compute_hidden_states(rows),
            rows.targets_N, rows.temperature_N, self._chunk,
        )  # fmt: skip

    def compute_hidden_states(self, rows: TensorBatch) -> Tensor:
        """Return the last hidden states that predict the rows' tokens, N x H."""
        if isinstance(rows.inputs, SharedPrompts):
            return self._continue_prompts(rows.inputs)
        hidden_BSH = self._run_base_model(rows.inputs.ids_BS, None, rows.inputs.positions_BS, None)
        return hidden_BSH[rows.inputs.predicting_BS]

    def _continue_prompts(self, rows: SharedPrompts) -> Tensor:
        """Compute each prompt once. Its rows continue from its keys and values, where autograd sums
        their gradients."""
        prompt_mask_PS, prompt_index_B = rows.prompt_mask_PS, rows.prompt_index_B
        position_PS = (prompt_mask_PS.cumsum(dim=1) - 1).clamp(min=0)
        prompt_length_B1 = prompt_mask_PS.sum(dim=1)[prompt_index_B, None]
        response_T = torch.arange(rows.input_ids_BT.shape[1], device=prompt_index_B.device)
        position_BT = prompt_length_B1 + response_T
        mask_BS = torch.cat([prompt_mask_PS[prompt_index_B], rows.mask_BT.long()], dim=1)
        cache = PromptCache(config=self.model.config)
        prompt_PSH = self._run_base_model(rows.prompt_ids_PS, prompt_mask_PS, position_PS, cache)
        cache = cache.select_rows(prompt_index_B)
        hidden_BTH = self._run_base_model(rows.input_ids_BT, mask_BS, position_BT, cache)
        # FSDP gathers weights for the backward pass only where the output has a gradient.
        return (hidden_BTH + 0 * prompt_PSH[0, -1, 0])[rows.mask_BT]

    def _run_base_model(
        self, ids: Tensor, attention_mask: Tensor | None, positions: Tensor | None,
        cache: DynamicCache | None,
    ) -> Tensor:  # fmt: skip
        # use_cache is not needed: it only creates a cache if none is given, and checkpointing
        # refuses it.
        model = self.model.base_model
        hidden: Tensor = model(
            input_ids=ids, attention_mask=attention_mask, position_ids=positions,
            use_cache=False, **{find_cache_keyword(model): cache},
        ).last_hidden_state  # fmt: skip
        return hidden


def find_cache_keyword(model: nn.Module) -> str:
    """Return the name of the cache argument: transformers 5.24 renamed it and warns about the old
    name."""
    parameters = inspect.signature(model.forward).parameters
    return "cache" if "cache" in parameters else "past_key_values"


class PromptCache(DynamicCache):
    """The keys and values of prompts, from which rows continue.

    A layer that is recomputed for its backward pass changes nothing here.
    """

    _prompt_index_B: Tensor | None = None

    def select_rows(self, prompt_index_B: Tensor) -> PromptCache:
        """Return the cache from which B rows continue, each from its prompt. The original does not
        change."""
        rows = copy.copy(self)
        rows._prompt_index_B = prompt_index_B
        return rows

    def update(
        self, key_states: Tensor, value_states: Tensor, layer_idx: int, *args: Any, **kwargs: Any
    ) -> tuple[Tensor, Tensor]:
        """Return the keys and values that a layer attends to."""
        layer, index_B = self.layers[layer_idx], self._prompt_index_B
        if index_B is not None:
            # Not batch_select_indices: its gradient is summed in an order that varies.
            keys = torch.cat([layer.keys.index_select(0, index_B), key_states], dim=-2)
            values = torch.cat([layer.values.index_select(0, index_B), value_states], dim=-2)
            return keys, values
        if not layer.is_initialized:
            super().update(key_states, value_states, layer_idx, *args, **kwargs)
        return key_states, value_states


def checkpoint_layers(model: PreTrainedModel) -> None:
    """Keep only the inputs of a layer for the backward pass, which recomputes the rest."""
    # transformers 5.20 renamed the method of 5.17 to 5.19, and warns about the old name.
    enable = model.gradient_checkpointing_enable
    getattr(model, "activation_checkpointing_enable", enable)()
    # Otherwise layers drop the cache, since recomputing would update most caches twice.
    for module in model.modules():
        module._can_checkpoint_with_cache = True
    model.train()  # layers are not checkpointed in evaluation mode


def compile_layers(model: PreTrainedModel) -> None:
    """Compile each layer, for rows of any number and length."""
    layers = model._no_split_modules or ()
    for module in model.modules():
        if type(module).__name__ in layers:
            module.compile(dynamic=True)
