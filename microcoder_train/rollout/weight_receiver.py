"""What vLLM's workers run to take over the weights that ``sync`` pushes.

vLLM imports this module: in the trainer's process for ``vllm``, in each server's for ``server``.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from torch import Tensor


class WeightReceiver:
    """A mix-in of vLLM's worker, whose methods ``collective_rpc`` calls."""

    model_runner: Any

    def take_weights(self, weights: str | Iterable[tuple[str, Tensor]]) -> None:
        """Replace all weights by (Hugging Face name, tensor) pairs, which are taken one by one, or
        by a safetensors file.
        """
        pairs = _read_weights(weights) if isinstance(weights, str) else iter(weights)
        self.model_runner.reload_weights(weights_iterator=pairs)
        for _ in pairs:  # every rank must gather every weight, even one that this model leaves out
            pass
        _repack_tied_head(self.model_runner.get_model())

    def engine_settings(self) -> dict[str, Any]:
        """Return the options the server was started with, which the trainer checks."""
        model = self.model_runner.model_config
        return {
            "dtype": str(model.dtype).removeprefix("torch."),
            "logprobs_mode": model.logprobs_mode,
            "max_model_len": model.max_model_len,
        }


RECEIVER = f"{__name__}.{WeightReceiver.__name__}"  # vLLM's worker_extension_cls


def _read_weights(file: str) -> Iterator[tuple[str, Tensor]]:
    from safetensors import safe_open

    with safe_open(file, framework="pt") as tensors:
        for name in tensors.keys():  # noqa: SIM118 - not a dictionary
            yield name, tensors.get_tensor(name)


def _repack_tied_head(model: Any) -> None:
    """Renew the packed copy of the embedding that a tied head has on CPU.

    vLLM's ``reload_weights`` does not.
    """
    from vllm.model_executor.layers.utils import dispatch_cpu_unquantized_gemm
    from vllm.platforms import current_platform

    if not (current_platform.is_cpu() and model.config.tie_word_embeddings):
        return
    model.lm_head.weight = model.model.embed_tokens.weight
    dispatch_cpu_unquantized_gemm(model.lm_head, remove_weight=False)
