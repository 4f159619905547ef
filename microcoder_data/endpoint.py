"""An OpenAI-compatible endpoint whose answers are kept: the same question is asked once, ever.

The cache is a file of {"key", "answer"}, the key being the hash of all that was sent but the key of
the account. With a cache that holds all answers nothing is sent, and no network is needed.
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
from typing import Any

from microcoder_eval.errors import DataError, MicrocoderError
from microcoder_eval.formats import words

from .recipe import Endpoint
from .rows import digest

_RETRIED = frozenset({408, 409, 425, 429, 500, 502, 503, 504})
_PAUSE_S = 1.0


class EndpointError(MicrocoderError):
    """The endpoint cannot be reached, refuses, or says what is no answer."""


class Client:
    """Asks one endpoint. Safe from any thread; processes share the cache file."""

    def __init__(self, settings: Endpoint) -> None:
        """Raises DataError when the cache cannot be read."""
        self._settings = settings
        self._lock = threading.Lock()
        self._answers = _read(settings.cache)

    def ask(self, messages: Sequence[Mapping[str, str]]) -> str:
        """The model's answer. Raises EndpointError."""
        asked = {
            "model": self._settings.model,
            "messages": [dict(message) for message in messages],
            "temperature": self._settings.temperature,
            "max_tokens": self._settings.max_tokens,
        }
        key = digest(json.dumps(asked, sort_keys=True).encode())
        with self._lock:
            if key in self._answers:
                return self._answers[key]
        answer = self._sent(asked)
        with self._lock:
            self._answers[key] = answer
            self._keep(key, answer)
        return answer

    def _sent(self, asked: Mapping[str, Any]) -> str:
        for left in range(self._settings.tries - 1, -1, -1):
            try:
                return self._once(asked)
            except urllib.error.HTTPError as error:
                said = f"HTTP {error.code}: {words.brief(_body(error), 200)}"
                if error.code not in _RETRIED or not left:
                    raise EndpointError(f"{self._settings.url}: {said}") from error
            except (urllib.error.URLError, OSError) as error:
                if not left:
                    reason = getattr(error, "reason", error)
                    raise EndpointError(
                        f"{self._settings.url} cannot be reached ({reason}); a cache that holds "
                        "all answers needs no network"
                    ) from error
            time.sleep(_PAUSE_S)
        raise AssertionError("the last try returns or raises")

    def _once(self, asked: Mapping[str, Any]) -> str:
        headers = {"Content-Type": "application/json"}
        if self._settings.key_env:
            key = os.environ.get(self._settings.key_env)
            if not key:
                raise EndpointError(f"the variable {self._settings.key_env} holds no key")
            headers["Authorization"] = f"Bearer {key}"
        request = urllib.request.Request(
            self._settings.url.rstrip("/") + "/chat/completions",
            data=json.dumps(asked).encode(),
            headers=headers,
        )
        with urllib.request.urlopen(request, timeout=self._settings.timeout_s) as response:
            raw = response.read()
        try:
            answer = json.loads(raw)["choices"][0]["message"]["content"]
        except (ValueError, LookupError, TypeError):
            answer = None
        if not isinstance(answer, str):
            said = words.brief(raw[:200].decode("utf-8", "replace"), 200)
            raise EndpointError(f"{self._settings.url}: no answer in what it said: {said}")
        return answer

    def _keep(self, key: str, answer: str) -> None:
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


def _body(error: urllib.error.HTTPError) -> str:
    try:
        return error.read(400).decode("utf-8", "replace")
    except OSError:
        return ""


def _read(path: str) -> dict[str, str]:
    """The answers kept so far; a line torn by a kill is none."""
    answers: dict[str, str] = {}
    try:
        with open(path, "rb") as file:
            for line in file:
                try:
                    kept = json.loads(line)
                    answers[str(kept["key"])] = str(kept["answer"])
                except (ValueError, LookupError, TypeError):
                    continue
    except FileNotFoundError:
        return {}
    except OSError as error:
        raise DataError(f"the cache cannot be read: {error.strerror}", path) from error
    return answers
