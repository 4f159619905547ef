"""A client of an OpenAI-compatible endpoint that caches every answer in a file.

A line of the cache is {"key", "answer"}; the key is the hash of the request body. A request whose
answer is cached is never sent, so a run with a complete cache needs no network.
"""

from __future__ import annotations

import fcntl
import json
import os
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

from microcoder_eval.errors import DataError, MicrocoderError
from microcoder_eval.formats import error_text

from .recipe import Endpoint
from .rows import hash_bytes

_RETRIED_STATUSES = frozenset({408, 409, 425, 429, 500, 502, 503, 504})
_PAUSE_S = 1.0


class EndpointError(MicrocoderError):
    """The endpoint cannot be reached, refuses the request, or sends no valid answer."""


class Client:
    """Sends requests to one endpoint. Safe from any thread; processes share the cache file."""

    def __init__(self, settings: Endpoint) -> None:
        """Raises DataError when the cache cannot be read."""
        self._settings = settings
        self._lock = threading.Lock()
        self._answers = _read_cache(settings.cache)

    def ask(self, messages: Sequence[Mapping[str, str]]) -> str:
        """The model's answer. Raises EndpointError."""
        request_body = {
            "model": self._settings.model,
            "messages": [dict(message) for message in messages],
            "temperature": self._settings.temperature,
            "max_tokens": self._settings.max_tokens,
        }
        key = hash_bytes(json.dumps(request_body, sort_keys=True).encode())
        with self._lock:
            if key in self._answers:
                return self._answers[key]
        answer = self._send_with_retries(request_body)
        with self._lock:
            self._answers[key] = answer
            self._append_to_cache(key, answer)
        return answer

    def _send_with_retries(self, request_body: Mapping[str, Any]) -> str:
        for remaining_tries in range(self._settings.tries - 1, -1, -1):
            try:
                return self._send_once(request_body)
            except urllib.error.HTTPError as error:
                message = f"HTTP {error.code}: {error_text.shorten(_read_error_body(error), 200)}"
                if error.code not in _RETRIED_STATUSES or not remaining_tries:
                    raise EndpointError(f"{self._settings.url}: {message}") from error
            except OSError as error:  # URLError among them
                if not remaining_tries:
                    reason = getattr(error, "reason", error)
                    raise EndpointError(
                        f"{self._settings.url} cannot be reached ({reason}); a cache that holds "
                        "all answers needs no network"
                    ) from error
            time.sleep(_PAUSE_S)
        raise AssertionError("the last try returns or raises")

    def _send_once(self, request_body: Mapping[str, Any]) -> str:
        headers = {"Content-Type": "application/json"}
        if self._settings.key_env:
            key = os.environ.get(self._settings.key_env)
            if not key:
                raise EndpointError(f"the variable {self._settings.key_env} holds no key")
            headers["Authorization"] = f"Bearer {key}"
        request = urllib.request.Request(
            self._settings.url.rstrip("/") + "/chat/completions",
            data=json.dumps(request_body).encode(),
            headers=headers,
        )
        with urllib.request.urlopen(request, timeout=self._settings.timeout_s) as response:
            raw = response.read()
        try:
            answer = json.loads(raw)["choices"][0]["message"]["content"]
        except (ValueError, LookupError, TypeError):
            answer = None
        if not isinstance(answer, str):
            excerpt = error_text.shorten(raw[:200].decode("utf-8", "replace"), 200)
            raise EndpointError(f"{self._settings.url}: no answer in its response: {excerpt}")
        return answer

    def _append_to_cache(self, key: str, answer: str) -> None:
        line = json.dumps({"key": key, "answer": answer}).encode() + b"\n"
        try:
            descriptor = os.open(
                self._settings.cache, os.O_RDWR | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC, 0o666
            )
            try:
                fcntl.flock(descriptor, fcntl.LOCK_EX)
                os.write(descriptor, line)
            finally:
                os.close(descriptor)
        except OSError as error:
            raise EndpointError(
                f"the cache {self._settings.cache} cannot be written: {error.strerror}"
            ) from error


@cache
def open_client(settings: Endpoint) -> Client:
    """The client of an endpoint, one in each process. Raises DataError as Client does."""
    return Client(settings)


def _read_error_body(error: urllib.error.HTTPError) -> str:
    try:
        return error.read(400).decode("utf-8", "replace")
    except OSError:
        return ""


def _read_cache(path: str) -> dict[str, str]:
    """The cached answers. Lines that a kill left incomplete are skipped."""
    answers: dict[str, str] = {}
    try:
        with open(path, "rb") as file:
            for line in file:
                try:
                    record = json.loads(line)
                    answers[str(record["key"])] = str(record["answer"])
                except (ValueError, LookupError, TypeError):
                    continue
    except FileNotFoundError:
        return {}
    except OSError as error:
        raise DataError(f"the cache cannot be read: {error.strerror}", path) from error
    return answers
