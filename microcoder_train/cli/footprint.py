"""Computes what a GPU will hold, part by part, from the model's configuration before it is
loaded."""

from __future__ import annotations

import warnings
import weakref
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any
from unittest.mock import patch

import torch
from torch._subclasses.fake_tensor import FakeTensorMode
from torch.utils._python_dispatch import TorchDispatchMode
from torch.utils._pytree import tree_leaves
from transformers import AutoModelForCausalLM, PreTrainedModel, masking_utils

from microcoder_train.algorithm.grpo import compute_logprobs
from microcoder_train.config import Config, Rollout
from microcoder_train.learner.scorer import checkpoint_layers
from microcoder_train.rollout.vllm import GPU_SHARE

H200_BYTES = 150e9  # where there is no GPU to ask


@dataclass(frozen=True, slots=True)
class MemoryParts:
    """The bytes that a process holds, part by part.

    cache: the engine's keys and values.
    micro_batch: a pass over it, without weights and gradients.
    checkpoint: its copy in host memory, of the first process only, while it is written in the
        background.
    """

    weights: float
    gradients: float
    optimizer: float
    engine_weights: float
    reference_weights: float
    cache: float
    micro_batch: float
    checkpoint: float

    def sum_peak(self, rollout: Rollout) -> float:
        """Return the larger of the sums while the model learns and while the engine samples.

        vLLM sleeps while the model learns, unless rollout.engine.enable_sleep_mode=false; the hf
        engine keeps its weights then. A checkpoint is in host memory, and left out.
        """
        resident = self.weights + self.optimizer + self.reference_weights
        learning, sampling = self.gradients + self.micro_batch, self.cache
        if rollout.backend != "vllm":
            return resident + self.engine_weights + max(learning, sampling)
        sampling += self.engine_weights
        stays_awake = rollout.engine.get("enable_sleep_mode") is False
        return resident + (learning + sampling if stays_awake else max(learning, sampling))


class LiveTensorBytes(TorchDispatchMode):
    """Counts the bytes of the live tensors that are made inside the context, and their peak.

    known: tensors from before, whose views are no new memory.
    """

    def __init__(self, known: Iterable[torch.Tensor]) -> None:
        super().__init__()  # type: ignore[no-untyped-call]
        self.live = self.peak = 0
        self._known = {tensor.untyped_storage()._cdata for tensor in known}

    def __torch_dispatch__(
        self, function: Any, types: Any, args: Any = (), kwargs: Any = None
    ) -> Any:
        result = function(*args, **(kwargs or {}))
        for leaf in tree_leaves(result):
            if isinstance(leaf, torch.Tensor):
                self._count(leaf.untyped_storage())
        self.peak = max(self.peak, self.live)
        return result

    def _count(self, storage: torch.UntypedStorage) -> None:
        if storage._cdata not in self._known:
            self._known.add(storage._cdata)
            self.live += storage.nbytes()
            weakref.finalize(storage, self._drop, storage._cdata, storage.nbytes())

    def _drop(self, key: int, size: int) -> None:
        self._known.discard(key)
        self.live -= size


def measure_pass_bytes(
    config: Config, model_config: Any, rows: int, length: int, processes: int = 1
) -> int:
    """Return the peak of a forward and backward pass over rows of a length, without the weights and
    their gradients: activations, logits, casts of weights.

    The pass runs with fake tensors, which have shapes but no memory.
    """
    use_bfloat16 = config.model.autocast == "bfloat16"
    # Sharded weights are gathered in bfloat16, layer by layer; else autocast casts them.
    dtype = "bfloat16" if use_bfloat16 and processes > 1 else config.model.master_dtype
    # A run needs no mask for a row that is one sequence, but transformers cannot see this in
    # tensors without values.
    is_one = patch.object(masking_utils, "find_packed_sequence_indices", lambda positions: None)
    with FakeTensorMode(), warnings.catch_warnings(), is_one:
        warnings.simplefilter("ignore")
        model = AutoModelForCausalLM.from_config(model_config, dtype=getattr(torch, dtype))
        if config.model.activation_checkpointing:
            checkpoint_layers(model)
        for parameter in model.parameters():
            parameter.register_post_accumulate_grad_hook(_drop_gradient)
        ids = torch.zeros(rows, length, dtype=torch.long)
        temperatures = torch.ones(rows * length, dtype=torch.float64)
        with LiveTensorBytes([*model.parameters(), *model.buffers()]) as live_bytes:
            with torch.autocast("cpu", dtype=torch.bfloat16, enabled=use_bfloat16):
                hidden = model.base_model(input_ids=ids, use_cache=False).last_hidden_state
                logps, _ = compute_logprobs(
                    model.get_output_embeddings(), hidden.flatten(0, 1), ids.flatten(),
                    temperatures, config.train.logits_chunk,
                )  # fmt: skip
            logps.sum().backward()
    return live_bytes.peak


def _drop_gradient(parameter: torch.Tensor) -> None:
    parameter.grad = None


def measure_memory(
    config: Config, model: PreTrainedModel, length: int, prompt_length: int, processes: int
) -> MemoryParts:
    """Return what a process will hold; the model may be on the meta device.

    length, prompt_length: the tokens of the longest response and of a prompt.
    """
    weights = sum(parameter.numel() for parameter in model.parameters())
    trained = sum(p.numel() for p in model.parameters() if p.requires_grad)
    size = model.dtype.itemsize
    trained_size = 4 if config.model.lora_rank else size
    backend, engine_size = config.rollout.backend, getattr(torch, config.engine_dtype).itemsize
    is_copy = processes > 1 or config.rollout.dtype == "bfloat16"
    has_own_weights = backend == "vllm" or (backend == "hf" and is_copy)
    longest = prompt_length + length
    answers = config.train.train_batch_size * config.rollout.n
    rows = max(1, min(answers, config.train.tokens_per_micro_batch // longest))
    engine_weights = weights * engine_size * has_own_weights
    cache = float(compute_cache_bytes(config, model.config, longest, processes))
    if backend == "vllm":  # in its share of a GPU; answers that do not fit wait
        gpu_bytes = torch.cuda.mem_get_info()[1] if torch.cuda.is_available() else H200_BYTES
        share = config.rollout.engine.get("gpu_memory_utilization", GPU_SHARE)
        cache = min(cache, max(share * gpu_bytes - engine_weights, 0.0))
    optimizer = 2 * trained * trained_size / processes  # two moments of each weight
    return MemoryParts(
        weights=weights * size / processes,
        gradients=trained * trained_size / processes,
        optimizer=optimizer,
        engine_weights=engine_weights,
        reference_weights=weights * size * bool(config.loss.beta),
        cache=cache * (backend != "server"),
        micro_batch=measure_pass_bytes(config, model.config, rows, longest, processes),
        # The merged weights, and beside the moments the trained weights in their own dtype.
        checkpoint=weights * engine_size + optimizer * 3 / 2,
    )


def compute_cache_bytes(config: Config, model_config: Any, length: int, processes: int) -> int:
    """Return the bytes of keys and values of all responses sampled together, at full length."""
    rows = config.train.train_batch_size * config.rollout.n // processes
    rows = min(rows, config.rollout.max_sequences)
    heads = getattr(model_config, "num_key_value_heads", None) or model_config.num_attention_heads
    width = getattr(model_config, "head_dim", None)
    width = width or model_config.hidden_size // model_config.num_attention_heads
    size: int = getattr(torch, config.engine_dtype).itemsize
    return 2 * int(model_config.num_hidden_layers) * heads * width * size * rows * length
