"""vLLM servers: tokens in, tokens out over HTTP, weights through a file that all of them can read.

Every push has a name of its own, and every answer says under which name its tokens were sampled.
So a server that missed a push (it was down; somebody else uses it) is known by its answers: they
are thrown away, others are asked, and it is not asked again before it has taken the weights.
"""

from __future__ import annotations

import time
import uuid
from collections import Counter, deque
from collections.abc import Callable, Collection, Sequence
from pathlib import Path
from queue import SimpleQueue
from threading import Thread
from typing import Any

import torch
from safetensors.torch import save_file
from torch import nn

from microcoder_eval.log import logger
from microcoder_train.config import Rollout
from microcoder_train.errors import ConfigError, EngineError
from microcoder_train.rollout import wire
from microcoder_train.rollout.sync import RECEIVER, PushedEngine, named_weights
from microcoder_train.rollout.vllm import FIXED, sampling
from microcoder_train.samples import Request, Sample

TRIES = 4  # of one sample
PAUSES_S = (0, 1, 2)  # before a server that failed is asked whether it is still there
LOOK_S = 10.0  # it may take for that answer
NO_LOGPROB = -9999.0  # vLLM's, where it has none
_Job = tuple[Request, int]
_log = logger("servers")


class ServerEngine(PushedEngine):
    """Samples from servers that the user started (see ``serve_command``).

    longest: tokens of the longest prompt and answer together. folder: where weights are written
    for them. Raises ConfigError for a server that is not there or was started otherwise.
    """

    def __init__(
        self, settings: Rollout, path: str, stop_ids: frozenset[int],
        *, longest: int, dtype: str, folder: Path,
    ) -> None:  # fmt: skip
        super().__init__(dtype, settings.sync_tolerance)
        self._settings, self._stop_ids, self._folder = settings, stop_ids, folder.resolve()
        self._faults = dict.fromkeys(settings.servers, "it has no weights yet")
        self._name = ""  # of the last push
        command = serve_command(path, longest, dtype)
        self._longest = min(self._look(url, longest, command) for url in self._faults)

    def sync(self, model: nn.Module, version: int) -> dict[str, float]:
        """Push to every server, lost ones too, and verify each that took it.

        Raises EngineError when none did, SyncError when one samples from other weights.
        """
        return {**super().sync(model, version), "sync/servers": float(len(self._ready()))}

    def generate(self, requests: Sequence[Request], on_finish: Callable[[Sample], None]) -> None:
        """Sample every request; see Engine. Raises EngineError when no server is left."""
        self._spread(requests, on_finish, self._faults)

    def close(self) -> None:
        """The servers stay: they are the user's."""

    def _ask(self, requests: Sequence[Request], on_finish: Callable[[Sample], None]) -> None:
        for url in self._ready():
            self._spread(requests, on_finish, [url])

    def _look(self, url: str, longest: int, command: str) -> int:
        """How long a sequence of a server may be."""
        try:
            body = {"method": "engine_settings"}
            found = self._exchange(url, "/collective_rpc", wire.Settings, body).results[0]
        except (wire.ServerError, EngineError) as error:
            raise ConfigError(f"rollout.servers: {error}. Start it so: {command}") from error
        fits = found.max_model_len >= longest and found.logprobs_mode == FIXED["logprobs_mode"]
        if not fits or found.dtype != self._dtype:
            raise ConfigError(f"rollout.servers: {url} has {found}. Start it so: {command}")
        return found.max_model_len

    def _push(self, model: nn.Module) -> None:
        self._name = uuid.uuid4().hex
        self._folder.mkdir(parents=True, exist_ok=True)
        file = self._folder / f"{self._name}.safetensors"
        weights = named_weights(model, getattr(torch, self._dtype))
        answers: SimpleQueue[Any] = SimpleQueue()
        try:
            save_file({name: weight.contiguous() for name, weight in weights}, file)
            for url in self._faults:
                _begin(answers, url, self._hand_over, url, file)
            for _ in self._faults:
                url, answer = answers.get()
                if not isinstance(answer, wire.ServerError | EngineError | None):
                    raise answer
                self._note(url, str(answer or ""))
        finally:
            file.unlink(missing_ok=True)

    def _hand_over(self, url: str, file: Path) -> None:
        body = {"method": "take_weights", "args": [str(file)]}
        self._exchange(url, "/collective_rpc", wire.Done, body)
        self._exchange(url, "/update_weight_version", wire.Done, {"new_version": self._name})

    def _ready(self) -> list[str]:
        ready = [url for url, fault in self._faults.items() if not fault]
        if not ready:
            raise EngineError(
                f"no server of rollout.servers is left ({'; '.join(self._faults.values())}). Start "
                "them again and repeat the command: the run goes on from its last checkpoint"
            )
        return ready

    def _spread(
        self, requests: Sequence[Request], on_finish: Callable[[Sample], None],
        urls: Collection[str],
    ) -> None:  # fmt: skip
        """A sample is asked of one server at a time, and handed on once, by this thread."""
        for request in requests:
            self._check_length(request)
        waiting = deque((request, i) for request in requests for i in range(request.n))
        failed: Counter[_Job] = Counter()
        flying: Counter[str] = Counter()
        answers: SimpleQueue[Any] = SimpleQueue()
        while waiting or flying.total():
            ready = [url for url in self._ready() if url in urls]
            if not ready:
                return  # lost while it was being verified
            room = len(ready) * self._settings.max_sequences - sum(flying[url] for url in ready)
            for _ in range(min(room, len(waiting))):
                job, url = waiting.popleft(), min(ready, key=flying.__getitem__)
                flying[url] += 1
                _begin(answers, (job, url), self._sample, job, url)
            (job, url), answer = answers.get()
            flying[url] -= 1
            if isinstance(answer, wire.ServerError):
                failed[job] += 1
                self._mark(url, answer, last=failed[job] == TRIES)
                waiting.appendleft(job)
            elif isinstance(answer, Exception):
                raise answer
            else:
                on_finish(answer)

    def _mark(self, url: str, error: wire.ServerError, *, last: bool) -> None:
        """Ask a server no more, unless it still holds the weights (or soon does again)."""
        if last:
            raise EngineError(f"{TRIES} attempts at one sample failed; the last: {error}")
        for pause in PAUSES_S if not self._faults[url] else ():
            time.sleep(pause)
            try:
                held = wire.exchange(url, "/weight_info", wire.Weights, None, LOOK_S)
            except wire.ServerError:
                continue
            if held.weight_version == self._name:
                return
            break
        self._note(url, str(error))

    def _note(self, url: str, fault: str) -> None:
        if fault and fault != self._faults[url]:
            _log.warning("a server is not used before the next push of weights: %s", fault)
        self._faults[url] = fault

    def _sample(self, job: _Job, url: str) -> Sample:
        request, index = job
        body = {
            "token_ids": request.prompt_ids,
            "sampling_params": sampling(request, self._stop_ids),
            "cache_salt": self._name,  # a state computed by older weights has another
        }
        (choice,) = self._exchange(url, "/inference/v1/generate", wire.Generated, body).choices
        if [span.version for span in choice.weight_versions] != [self._name]:
            raise wire.ServerError(f"{url} sampled from other weights than those pushed last")
        if choice.finish_reason == "abort":  # it is being shut down
            raise wire.ServerError(f"{url} gave a request up")
        ids, logps = choice.token_ids, [token.logprob for token in choice.logprobs.content]
        stopped = not self._stop_ids.isdisjoint(ids[-1:])
        ended = stopped if choice.finish_reason == "stop" else len(ids) == request.max_tokens
        known = all(NO_LOGPROB < logp < 0.01 for logp in logps)  # .01: rounding
        if not (ended and known and ids == tuple(t.token_id for t in choice.logprobs.content)):
            raise EngineError(f"{url} answered what cannot be: {choice}")
        return request.answered(index, ids, logps, choice.finish_reason, self._version)

    def _exchange(self, url: str, path: str, form: type[wire.Form], body: Any = None) -> wire.Form:
        return wire.exchange(url, path, form, body, self._settings.timeout_s)


def _begin(answers: SimpleQueue[Any], key: Any, call: Callable[..., Any], *words: Any) -> None:
    """Call in a thread; what it returns or raises is put into ``answers``, behind the key."""

    def work() -> None:
        try:
            answers.put((key, call(*words)))
        except Exception as error:  # whatever it is, it is for the thread that waits
            answers.put((key, error))

    Thread(target=work, daemon=True).start()  # a run that ends waits for no server


def serve_command(path: str, longest: int, dtype: str) -> str:
    """What starts a server fit for training, on this machine and a port of one's choice."""
    return (
        f"VLLM_SERVER_DEV_MODE=1 python -m vllm.entrypoints.openai.api_server --model {path} "
        f"--dtype {dtype} --max-model-len {longest} --logprobs-mode {FIXED['logprobs_mode']} "
        f"--worker-extension-cls {RECEIVER} --skip-tokenizer-init --enable-scale-out "
        "--host 127.0.0.1 --port 8001"
    )
