"""Computes what a GPU will hold, part by part, from the model's configuration before it is
loaded."""

from __future__ import annotations

import copy
import warnings
import weakref
from typing import Any
from unittest.mock import patch

import torch
from torch._subclasses.fake_tensor import FakeTensorMode
from torch.utils._python_dispatch import TorchDispatchMode
from torch.utils._pytree import tree_leaves
from transformers import AutoModelForCausalLM, PreTrainedModel, masking_utils

from microcoder_train.config import Config
from microcoder_train.learner.scorer import checkpoint_layers

TRIED_TOKENS = 512
LEARNING = ("gradients", "weights cast to bfloat16", "activations of a micro-batch", "logits")


class LiveBytes(TorchDispatchMode):
    """Counts the bytes of the live tensors that are made inside the context, and their peak."""

    def __init__(self) -> None:
        super().__init__()  # type: ignore[no-untyped-call]
        self.live = self.peak = 0
        self._known: set[int] = set()

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


def activation_bytes(config: Config, model_config: Any, tokens: int) -> float:
    """Return the peak of a forward and backward pass over tokens, without head and weights.

    The pass runs with fake tensors, which have shapes but no memory, on one layer and on two. Every
    further layer adds what the second one added.
    """
    one, two = (_try_layers(config, model_config, layers) for layers in (1, 2))
    layers = int(model_config.num_hidden_layers)
    return (one + (layers - 1) * (two - one)) * tokens / TRIED_TOKENS


def _try_layers(config: Config, model_config: Any, layers: int) -> float:
    model_config = copy.deepcopy(model_config)
    if getattr(model_config, "layer_types", None):
        model_config.layer_types = model_config.layer_types[:layers]
    model_config.num_hidden_layers = layers
    use_bfloat16 = config.model.autocast == "bfloat16"
    dtype = getattr(torch, config.model.master_dtype)
    with FakeTensorMode(), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        model = AutoModelForCausalLM.from_config(model_config, dtype=dtype)
        if config.model.activation_checkpointing:
            checkpoint_layers(model)
        for parameter in model.parameters():
            parameter.grad = torch.zeros_like(parameter)
        # At one token, the peak is almost only the casts of the weights; the difference is the
        # tokens' part.
        peaks = [_measure_peak(model, tokens, use_bfloat16) for tokens in (1, 1 + TRIED_TOKENS)]
    return float(peaks[1] - peaks[0])


def _measure_peak(model: PreTrainedModel, tokens: int, use_bfloat16: bool) -> int:
    ids = torch.zeros(1, tokens, dtype=torch.long)
    # A run needs no mask for a row that is one sequence, but transformers cannot see this in
    # tensors without values.
    is_one = patch.object(masking_utils, "find_packed_sequence_indices", lambda positions: None)
    with is_one, LiveBytes() as bytes_made:
        with torch.autocast("cpu", dtype=torch.bfloat16, enabled=use_bfloat16):
            hidden = model.base_model(input_ids=ids, use_cache=False).last_hidden_state
        hidden.sum().backward()
    return bytes_made.peak


def memory_parts(
    config: Config, model: PreTrainedModel, length: int, prompt_length: int, processes: int
) -> dict[str, float]:
    """Return the bytes of each part that a process holds; the model may be on the meta device.

    length, prompt_length: of the longest response and of a prompt, in tokens.
    """
    weights = sum(parameter.numel() for parameter in model.parameters())
    trained = sum(p.numel() for p in model.parameters() if p.requires_grad)
    size = torch.finfo(model.dtype).bits // 8
    trained_size = 4 if config.model.lora_rank else size
    is_bfloat16 = config.rollout.dtype == "bfloat16"
    engine_size = 2 if is_bfloat16 else size
    backend = config.rollout.backend
    casts = config.model.autocast == "bfloat16"
    has_own_weights = backend == "vllm" or (backend == "hf" and (is_bfloat16 or processes > 1))
    longest = prompt_length + length
    step_tokens = config.train.train_batch_size * config.rollout.n * longest
    tokens = max(longest, min(step_tokens, config.train.tokens_per_micro_batch))
    vocabulary, chunk = model.config.vocab_size, config.train.logits_chunk
    cache = cache_bytes(config, model.config, longest, processes) if backend != "server" else 0
    return {
        "weights": weights * size / processes,
        "gradients": trained * trained_size / processes,
        "optimizer": 2 * trained * trained_size / processes,
        # Sharded weights are gathered in bfloat16, layer by layer. Otherwise autocast keeps the
        # casts of all weights.
        "weights cast to bfloat16": 2 * weights * (casts and processes == 1),
        "the engine's weights": weights * engine_size * has_own_weights,
        "the reference's weights": weights * size * bool(config.loss.beta),
        "the engine's keys and values": cache,
        "activations of a micro-batch": activation_bytes(config, model.config, tokens),
        "logits": 6 * chunk * vocabulary * 4,  # logits, scaled logits, their gradients
    }


def sum_parts(config: Config, parts: dict[str, float]) -> float:
    """Return the peak: the larger of the sums while the model learns and while the engine samples.

    vLLM sleeps while the model learns, unless rollout.engine.enable_sleep_mode=false; the hf engine
    keeps its weights then.
    """
    sampling, learning = parts["the engine's keys and values"], sum(parts[n] for n in LEARNING)
    vllm = config.rollout.backend == "vllm"
    stays_awake = vllm and config.rollout.engine.get("enable_sleep_mode") is False
    if vllm:
        sampling += parts["the engine's weights"]
    resident = sum(parts.values()) - parts["the engine's keys and values"] - learning
    resident -= parts["the engine's weights"] if vllm else 0
    return resident + (sampling + learning if stays_awake else max(sampling, learning))


def cache_bytes(config: Config, model: Any, length: int, processes: int) -> int:
    """Return the bytes of keys and values of all responses sampled together, at full length."""
    rows = config.train.train_batch_size * config.rollout.n // processes
    rows = min(rows, config.rollout.max_sequences)
    heads = getattr(model, "num_key_value_heads", None) or model.num_attention_heads
    width = getattr(model, "head_dim", None) or model.hidden_size // model.num_attention_heads
    own = getattr(torch, config.model.master_dtype)
    size = 2 if config.rollout.dtype == "bfloat16" else torch.finfo(own).bits // 8
    return 2 * int(model.num_hidden_layers) * heads * width * size * rows * length
