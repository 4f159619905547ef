"""A client of an OpenAI-compatible endpoint that caches every usable answer in a file.

A line of the cache is {"key", "answer"}; the key is the hash of the request body. A request whose
answer is cached is never sent, so a run with a complete cache needs no network. Answers that the
caller cannot use are not cached.
"""

from __future__ import annotations

import fcntl
import http.client
import json
import os
import re
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from email.utils import parsedate_to_datetime
from functools import cache
from typing import Any, TypeVar

from microcoder_eval.errors import DataError, MicrocoderError
from microcoder_eval.formats import error_text
from microcoder_eval.results.files import OutputError

from .recipe import Endpoint
from .rows import hash_bytes

_PAUSE_S, _LONGEST_PAUSE_S = 1.0, 30.0  # before the second try, doubled before each further one
# After this many failed requests in a row, the endpoint is not asked again in this run: each
# further request would cost its time-outs.
_MAX_FAILURES = 20
# Of the 4xx: the same request may succeed later.
_PASSING_STATUSES = frozenset({408, 409, 425, 429})
_ADVICE = {
    401: "; the variable that key_env names must hold a valid key",
    403: "; the key may not use this model",
    404: '; url ends before /chat/completions, as ".../v1", and model is one that it serves',
}
_LONGEST_WAIT_S = 600.0  # that Retry-After may ask for
_THINKING = re.compile(r".*</think(?:ing)?>", re.DOTALL)  # up to its last end
Answer = TypeVar("Answer")


class EndpointError(MicrocoderError):
    """The endpoint cannot be reached, refuses the request, or sends no usable answer. This says
    nothing about the problem; another run may ask again.

    is_final: the same request would fail again now. retry_after_s: the pause that the endpoint asks
    for.
    """

    def __init__(self, message: str, *, is_final: bool = False, retry_after_s: float = 0) -> None:
        super().__init__(message)
        self.is_final = is_final
        self.retry_after_s = retry_after_s


class Client:
    """Sends requests to one endpoint. Safe from any thread; processes share the cache file."""

    def __init__(self, settings: Endpoint) -> None:
        """Read the cache. Raises DataError when it cannot be read."""
        self._settings = settings
        self._lock = threading.Lock()
        self._answers = _read_cache(settings.cache)
        self._tokens = 0  # of all requests and answers
        self._failures = 0  # requests in a row without a usable answer

    def ask(
        self,
        messages: Sequence[Mapping[str, str]],
        parse: Callable[[str], Answer],
        schema: Mapping[str, Any] | None = None,
    ) -> Answer:
        """Return the result of ``parse`` on the model's answer. schema: JSON Schema of the answer.
        Raises EndpointError; ``parse`` raises it for an answer that cannot be used."""
        request_body: dict[str, Any] = {
            "model": self._settings.model,
            "messages": [dict(message) for message in messages],
            "temperature": self._settings.temperature,
            "max_tokens": self._settings.max_tokens,
        }
        if schema is not None:
            form = {"name": "answer", "schema": dict(schema), "strict": True}
            request_body["response_format"] = {"type": "json_schema", "json_schema": form}
        key = hash_bytes(json.dumps(request_body, sort_keys=True).encode())
        with self._lock:
            cached_answer = self._answers.get(key)
        if cached_answer is not None:
            # An earlier version may have cached an answer that is unusable now.
            with suppress(EndpointError):
                return parse(cached_answer)
        try:
            answer = self._send_with_retries(request_body)
            result = parse(answer)
        except EndpointError:
            with self._lock:
                self._failures += 1
            raise
        with self._lock:
            self._failures = 0
            self._answers[key] = answer
            self._append_to_cache(key, answer)
        return result

    def _send_with_retries(self, request_body: Mapping[str, Any]) -> str:
        """Return the answer, after ``tries`` tries at most. Raises EndpointError."""
        tries, pause_s = 0, _PAUSE_S
        while True:
            self._check_may_ask()
            try:
                return self._send_once(request_body)
            except EndpointError as error:
                tries += 1
                wait_s = max(error.retry_after_s, pause_s)
                if error.is_final or wait_s > _LONGEST_WAIT_S or tries == self._settings.tries:
                    raise
                time.sleep(wait_s)
                pause_s = min(_LONGEST_PAUSE_S, 2 * pause_s)

    def _check_may_ask(self) -> None:
        """Raise EndpointError where the tokens are used up or too many requests failed."""
        limit = self._settings.max_total_tokens
        if limit is not None and self._tokens >= limit:
            reason = f"{self._tokens} of {limit} tokens (max_total_tokens) are used"
        elif self._failures >= _MAX_FAILURES:
            reason = f"{_MAX_FAILURES} requests in a row got no usable answer"
        else:
            return
        raise EndpointError(f"{self._settings.url}: not asked any more, {reason}")

    def _send_once(self, request_body: Mapping[str, Any]) -> str:
        request = self._make_request(request_body)
        raw = self._receive(request)
        usage = None
        try:
            response = json.loads(raw)
            choice, usage = response["choices"][0], response.get("usage")
            answer, is_cut = choice["message"]["content"], choice.get("finish_reason") == "length"
        except (ValueError, LookupError, TypeError, AttributeError):
            answer = None
        with self._lock:
            self._tokens += _count_tokens(usage) or (len(str(request.data)) + len(raw)) // 4
        if not isinstance(answer, str):
            excerpt = error_text.shorten(raw[:200].decode("utf-8", "replace"), 200)
            raise EndpointError(f"{self._settings.url}: no answer in its response: {excerpt}")
        if is_cut:
            detail = f"the answer was cut after {self._settings.max_tokens} tokens (max_tokens)"
            raise EndpointError(f"{detail}: {error_text.shorten(answer, 80)!r}", is_final=True)
        return _THINKING.sub("", answer, count=1)

    def _make_request(self, request_body: Mapping[str, Any]) -> urllib.request.Request:
        headers = {"Content-Type": "application/json"}
        if self._settings.key_env:
            key = os.environ.get(self._settings.key_env)
            if not key:
                message = f"the variable {self._settings.key_env} holds no key"
                raise EndpointError(message, is_final=True)
            headers["Authorization"] = f"Bearer {key}"
        return urllib.request.Request(
            self._settings.url.rstrip("/") + "/chat/completions",
            data=json.dumps(request_body).encode(),
            headers=headers,
        )

    def _receive(self, request: urllib.request.Request) -> bytes:
        """Return the body of the response. Raises EndpointError."""
        try:
            with urllib.request.urlopen(request, timeout=self._settings.timeout_s) as response:
                return bytes(response.read())
        except urllib.error.HTTPError as error:
            raise _describe_refusal(self._settings.url, error) from error
        except (OSError, http.client.HTTPException) as error:  # URLError among them
            reason = getattr(error, "reason", error) or type(error).__name__
            raise EndpointError(
                f"{self._settings.url} cannot be reached ({reason}); a cache that holds "
                "all answers needs no network"
            ) from error

    def _append_to_cache(self, key: str, answer: str) -> None:
        line = json.dumps({"key": key, "answer": answer}).encode() + b"\n"
        try:
            with open(self._settings.cache, "a+b") as file:
                fcntl.flock(file, fcntl.LOCK_EX)  # until it is closed
                size = file.seek(0, os.SEEK_END)
                file.seek(max(0, size - 1))
                # A kill may have left the last line without its end.
                file.write(line if file.read(1) in (b"", b"\n") else b"\n" + line)
        except OSError as error:
            raise OutputError(
                f"the cache {self._settings.cache} cannot be written: {error.strerror}"
            ) from error


@cache
def open_client(settings: Endpoint, stage: str) -> Client:
    """Return the client of a stage: one in each process, so that the bounds are those of a stage.
    Raises DataError."""
    return Client(settings)


def _count_tokens(usage: Any) -> int:
    """Return the tokens that a response says it took; 0 where it does not."""
    count = usage.get("total_tokens") if isinstance(usage, dict) else None
    return count if isinstance(count, int) and count > 0 else 0


def _describe_refusal(url: str, error: urllib.error.HTTPError) -> EndpointError:
    """Return the failure that a status other than 200 means."""
    body = b""
    with suppress(OSError, http.client.HTTPException):
        body = error.read(400)
    excerpt = error_text.shorten(body.decode("utf-8", "replace"), 200)
    return EndpointError(
        f"{url}: HTTP {error.code}: {excerpt}{_ADVICE.get(error.code, '')}",
        is_final=400 <= error.code < 500 and error.code not in _PASSING_STATUSES,
        retry_after_s=_read_retry_after(error.headers.get("Retry-After")),
    )


def _read_retry_after(value: str | None) -> float:
    """Return the seconds that a header names, as a number or as a date; 0 where it names none."""
    if value is None:
        return 0.0
    if value.strip().isdecimal():
        return float(value)
    try:
        return max(0.0, parsedate_to_datetime(value).timestamp() - time.time())
    except ValueError:
        return 0.0


def _read_cache(path: str) -> dict[str, str]:
    """Return the cached answers. Lines that a kill left incomplete are skipped."""
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
