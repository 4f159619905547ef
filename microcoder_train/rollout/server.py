"""vLLM servers as an engine: tokens over HTTP, weights through a file that all servers can read.

Every push names its weights, and every reply names the weights that sampled its tokens. So a server
that missed a push is detected (it was down, or another run uses it). Its replies are discarded,
other servers sample instead, and it gets no request until it takes the next push.
"""

from __future__ import annotations

import shlex
import time
import uuid
from collections import Counter, deque
from collections.abc import Callable, Collection, Sequence
from pathlib import Path
from queue import SimpleQueue
from threading import Thread
from typing import Any

import torch
from pydantic import RootModel
from safetensors.torch import save_file
from torch import nn

from microcoder_eval.log import get_logger
from microcoder_train.config import Rollout
from microcoder_train.errors import ConfigError, EngineError
from microcoder_train.learner.scorer import Scorer
from microcoder_train.samples import Request, Sample

from .server_messages import (
    EngineSettingsReply,
    GenerateReply,
    ReplyModel,
    ServerError,
    WeightInfo,
    send_request,
)
from .sync import PushedEngine, iterate_weights
from .vllm import REQUIRED_OPTIONS, make_sampling_fields
from .weight_receiver import RECEIVER

MAX_TRIES = 4  # per sample
PAUSES_S = (0, 1, 2)  # before each check whether a server that failed is alive
CHECK_TIMEOUT_S = 10.0  # of that check, and of the one at the start
NO_LOGPROB = -9999.0  # vLLM's value for a missing one
_Job = tuple[Request, int]
_log = get_logger("servers")


class ServerEngine(PushedEngine):
    """Samples from servers that the user started with ``make_serve_command``.

    max_sequence_tokens: tokens of the longest prompt plus response. folder: where the files of
    weights lie. Raises ConfigError if a server does not answer or has other options.
    """

    def __init__(
        self, settings: Rollout, path: str, stop_ids: frozenset[int],
        *, max_sequence_tokens: int, dtype: str, folder: Path,
    ) -> None:  # fmt: skip
        super().__init__(dtype, settings.sync_tolerance)
        self._settings, self._stop_ids, self._folder = settings, stop_ids, folder.resolve()
        self._faults = dict.fromkeys(settings.servers, "it has no weights yet")
        self._weights_name = ""  # the name of the weights pushed last
        command = make_serve_command(path, max_sequence_tokens, dtype)
        self._max_sequence_tokens = min(
            self._check_server(url, max_sequence_tokens, command) for url in self._faults
        )

    def sync(self, scorer: Scorer, version: int) -> dict[str, float]:
        """Push to every server, including lost ones, and verify those that took the weights.

        Raises EngineError if none did, SyncError if one samples from other weights.
        """
        return {**super().sync(scorer, version), "sync/servers": float(len(self._ready_urls()))}

    def generate(self, requests: Sequence[Request], on_finish: Callable[[Sample], None]) -> None:
        """Sample every request; see Engine. Raises EngineError if no server is left."""
        self._distribute(requests, on_finish, self._faults)

    def _sample_for_check(
        self, requests: Sequence[Request], on_finish: Callable[[Sample], None]
    ) -> None:
        for url in self._ready_urls():
            self._distribute(requests, on_finish, [url])

    def _check_server(self, url: str, max_sequence_tokens: int, command: str) -> int:
        """Check a server's options; returns the largest number of tokens of a sequence."""
        try:
            call = (url, "/collective_rpc", EngineSettingsReply, {"method": "engine_settings"})
            reply = send_request(*call, CHECK_TIMEOUT_S)
        except (ServerError, EngineError) as error:
            raise ConfigError(f"rollout.servers: {error}. Start it with: {command}") from error
        settings = reply.results[0]
        options = (settings.dtype, settings.logprobs_mode)
        is_short = settings.max_model_len < max_sequence_tokens
        if is_short or options != (self._dtype, REQUIRED_OPTIONS["logprobs_mode"]):
            raise ConfigError(f"rollout.servers: {url} has {settings}. Start it with: {command}")
        return settings.max_model_len

    def _push(self, model: nn.Module) -> None:
        self._weights_name = uuid.uuid4().hex
        self._folder.mkdir(parents=True, exist_ok=True)
        file = self._folder / f"{self._weights_name}.safetensors"
        weights = iterate_weights(model, getattr(torch, self._dtype))
        replies: SimpleQueue[Any] = SimpleQueue()
        try:
            save_file({name: weight.contiguous() for name, weight in weights}, file)
            for url in self._faults:
                _start_call(replies, url, self._send_weights, url, file)
            for _ in self._faults:
                url, reply = replies.get()
                if not isinstance(reply, ServerError | EngineError | None):
                    raise reply
                self._set_fault(url, str(reply or ""))
        finally:
            file.unlink(missing_ok=True)

    def _send_weights(self, url: str, file: Path) -> None:
        weights, version = [str(file)], {"new_version": self._weights_name}
        call = {"method": "take_weights", "args": weights}
        self._exchange(url, "/collective_rpc", RootModel[dict[str, Any]], call)
        self._exchange(url, "/update_weight_version", RootModel[dict[str, Any]], version)

    def _ready_urls(self) -> list[str]:
        urls = [url for url, fault in self._faults.items() if not fault]
        if not urls:
            raise EngineError(
                f"no server of rollout.servers is left ({'; '.join(self._faults.values())}). Start "
                "them again and repeat the command: the run goes on from its last checkpoint"
            )
        return urls

    def _distribute(
        self, requests: Sequence[Request], on_finish: Callable[[Sample], None],
        urls: Collection[str],
    ) -> None:  # fmt: skip
        """Send each sample to one server at a time and report it once, in this thread."""
        for request in requests:
            self._check_length(request)
        queue = deque((request, i) for request in requests for i in range(request.sampling.n))
        failures: Counter[_Job] = Counter()
        in_flight: Counter[str] = Counter()
        suspects: dict[str, str] = {}  # how servers failed, until their check has ended
        replies: SimpleQueue[Any] = SimpleQueue()
        while queue or in_flight.total():
            ready_urls = [url for url in self._ready_urls() if url in urls]
            if not ready_urls:
                return  # the server was lost during its verification
            usable_urls = [url for url in ready_urls if url not in suspects]
            capacity = len(usable_urls) * self._settings.max_sequences
            capacity -= sum(in_flight[url] for url in usable_urls)
            for _ in range(min(capacity, len(queue))):
                job, url = queue.popleft(), min(usable_urls, key=in_flight.__getitem__)
                in_flight[url] += 1
                _start_call(replies, (job, url), self._sample, job, url)
            (job, url), reply = replies.get()
            if isinstance(reply, str):
                del suspects[url]
                self._set_fault(url, reply)
                continue
            in_flight[url] -= 1
            if isinstance(reply, ServerError):
                failures[job] += 1
                if failures[job] == MAX_TRIES:
                    raise EngineError(
                        f"{MAX_TRIES} attempts at one sample failed; the last: {reply}"
                    )
                queue.appendleft(job)
                if not (self._faults[url] or url in suspects):
                    suspects[url] = str(reply)
                    # Not here: its pauses would hold up the replies of the other servers.
                    _start_call(replies, (job, url), self._find_fault, url, reply)
            elif isinstance(reply, Exception):
                raise reply
            else:
                on_finish(reply)
        for url, fault in suspects.items():  # all is sampled: nobody waits for their checks
            self._set_fault(url, fault)

    def _find_fault(self, url: str, error: ServerError) -> str:
        """Check a server that failed: return "" if it has the weights, else the error as text."""
        for pause in PAUSES_S:
            time.sleep(pause)
            try:
                info = send_request(url, "/weight_info", WeightInfo, None, CHECK_TIMEOUT_S)
            except ServerError:
                continue
            return "" if info.weight_version == self._weights_name else str(error)
        return str(error)

    def _set_fault(self, url: str, fault: str) -> None:
        if fault and fault != self._faults[url]:
            _log.warning("a server is not used before the next push of weights: %s", fault)
        self._faults[url] = fault

    def _sample(self, job: _Job, url: str) -> Sample:
        request, index = job
        body = {
            "token_ids": request.prompt_ids,
            "sampling_params": make_sampling_fields(request.sampling, self._stop_ids),
            "cache_salt": self._weights_name,  # no cached state of older weights is used
        }
        (choice,) = self._exchange(url, "/inference/v1/generate", GenerateReply, body).choices
        if [span.version for span in choice.weight_versions] != [self._weights_name]:
            raise ServerError(f"{url} sampled from other weights than those pushed last")
        if choice.finish_reason == "abort":  # the server shuts down
            raise ServerError(f"{url} gave a request up")
        ids, tokens = choice.token_ids, choice.tokens
        logps = tuple(token.logprob for token in tokens)
        has_stop = not self._stop_ids.isdisjoint(ids[-1:])
        is_full = len(ids) == request.sampling.max_tokens
        is_finished = has_stop if choice.finish_reason == "stop" else is_full
        has_logprobs = all(NO_LOGPROB < logp < 0.01 for logp in logps)  # .01: rounding
        has_same_ids = ids == tuple(token.token_id for token in tokens)
        if not (is_finished and has_logprobs and has_same_ids):
            raise EngineError(f"{url} answered what cannot be: {choice}")
        return Sample(request, index, ids, logps, choice.finish_reason, self._version)

    def _exchange(
        self, url: str, path: str, model: type[ReplyModel], body: Any = None
    ) -> ReplyModel:
        return send_request(url, path, model, body, self._settings.timeout_s)


def _start_call(
    replies: SimpleQueue[Any], key: Any, call: Callable[..., Any], *arguments: Any
) -> None:
    """Call in a thread and put (key, result or exception) into ``replies``."""

    def run_call() -> None:
        try:
            replies.put((key, call(*arguments)))
        except Exception as error:  # the waiting thread raises it
            replies.put((key, error))

    Thread(target=run_call, daemon=True).start()  # daemon: a run ends without it


def make_serve_command(path: str, max_sequence_tokens: int, dtype: str) -> str:
    """Return the shell command that starts a suitable server on this machine."""
    return (
        f"VLLM_SERVER_DEV_MODE=1 python -m vllm.entrypoints.openai.api_server "
        f"--model {shlex.quote(path)} --dtype {dtype} --max-model-len {max_sequence_tokens} "
        f"--logprobs-mode {REQUIRED_OPTIONS['logprobs_mode']} --worker-extension-cls {RECEIVER} "
        "--skip-tokenizer-init --enable-scale-out --host 127.0.0.1 --port 8001"
    )
