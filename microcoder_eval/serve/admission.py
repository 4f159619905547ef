"""Admission control: refuses requests before anything parses them.

    token -> if POST: JSON, body within bounds, a free slot -> the application -> metrics

It is ASGI middleware, so waiting requests are held as bytes, and parsed only once they have a slot.
"""

from __future__ import annotations

import asyncio
import base64
import binascii
import hmac
import json
import time
from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any

from .access_log import AccessLog
from .body import (
    Body,
    ByteBudget,
    DisconnectedError,
    Headers,
    discard_body,
    find_header,
    is_disconnected,
)
from .connections import find_connection
from .limiter import RefusedError, RequestLimiter
from .metrics import Metrics
from .options import MIB, Options

Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
Application = Callable[[MutableMapping[str, Any], Receive, Send], Awaitable[None]]
_MAX_HEAD_BYTES, _MAX_HEAD_FIELDS = 1 << 14, 100
# These paths need no token: process monitors call them, and they reveal little.
PUBLIC_PATHS = frozenset({"/health", "/v1/ping"})


class AdmissionMiddleware:
    """Middleware around an ASGI application.

    unanswered_count: accepted requests that ended without a response.
    """

    def __init__(
        self,
        application: Application,
        options: Options,
        limiter: RequestLimiter,
        metrics: Metrics,
        paths: frozenset[str],
        access_log: AccessLog | None = None,
    ) -> None:
        self._application = application
        self._token = options.token
        self._paths = paths
        self._access_log = access_log
        self._max_body_bytes = int(options.body_mb * MIB)
        self.budget = ByteBudget(int(options.held_mb * MIB))
        self.limiter = limiter
        self.metrics = metrics
        self.unanswered_count = 0

    async def __call__(self, scope: MutableMapping[str, Any], receive: Receive, send: Send) -> None:
        if scope["type"] != "http":  # no web sockets, and nothing to do on start-up and shutdown
            return
        path = scope["path"] if scope["path"] in self._paths else "other"
        response = ResponseSender(send)
        connection = find_connection(scope)
        connection.start_request()
        start = time.monotonic()
        try:
            await self._admit(scope, receive, response)
        except DisconnectedError:
            response.status = 499  # nginx's status for a client that disconnected; for the metrics
        except asyncio.CancelledError:
            self.unanswered_count += 1
            raise
        finally:
            connection.end_request()
            status, seconds = response.status or 500, time.monotonic() - start
            self.metrics.requests.labels(path, str(status)).inc()
            self.metrics.seconds.labels(path).observe(seconds)
            if self._access_log is not None:
                self._access_log.record(scope, status, seconds)

    async def _admit(
        self, scope: MutableMapping[str, Any], receive: Receive, response: ResponseSender
    ) -> None:
        headers: Headers = scope["headers"]
        if is_too_large(scope):
            self.metrics.refused.labels("head").inc()
            await response.refuse(431, "the head is too large", (b"connection", b"close"))
            return
        is_public = self._token is None or scope["path"] in PUBLIC_PATHS
        if not is_public and not self._has_token(headers):
            await discard_body(headers, receive)
            self.metrics.refused.labels("token").inc()
            await response.refuse(401, "a token is needed", (b"www-authenticate", b"Bearer"))
        elif scope["method"] != "POST":
            find_connection(scope).keep()
            await self._application(scope, receive, response)
        elif not is_json(find_header(headers, b"content-type")):
            # This also stops web pages in a browser: without CORS they cannot send JSON.
            await discard_body(headers, receive)
            self.metrics.refused.labels("content_type").inc()
            await response.refuse(415, "send JSON, with Content-Type: application/json")
        else:
            await self._admit_post(scope, receive, response)

    def _has_token(self, headers: Headers) -> bool:
        """Whether a request has the token. The check takes the same time for all wrong tokens of
        one length."""
        sent = read_token(find_header(headers, b"authorization") or b"")
        return hmac.compare_digest(sent, (self._token or "").encode())

    async def _admit_post(
        self, scope: MutableMapping[str, Any], receive: Receive, response: ResponseSender
    ) -> None:
        body = Body(self.budget, self._max_body_bytes)
        try:
            self.limiter.refuse_if_full()
            content = await body.read(scope["headers"], receive)
            find_connection(scope).keep()
            async with self.limiter.hold_slot():
                if await is_disconnected(receive):
                    raise DisconnectedError
                await body.charge_parsing(content)
                await self._application(scope, replay_body(content, receive), response)
        except RefusedError as error:
            self.metrics.refused.labels(error.reason).inc()
            if not body.complete:
                await discard_body(scope["headers"], receive)
            retry_header = (b"retry-after", b"%d" % self.limiter.retry_s())
            headers = [retry_header] if error.status in (503, 504) else []
            await response.refuse(error.status, str(error), *headers)
        finally:
            body.release()


class ResponseSender:
    """Sends the messages of a response. status: None until the response starts."""

    def __init__(self, send: Send) -> None:
        self._send = send
        self.status: int | None = None

    async def __call__(self, message: Message) -> None:
        """Send one message. The connection is lost if the client does not read it."""
        if message["type"] == "http.response.start":
            self.status = message["status"]
        await self._send(message)

    async def refuse(self, status: int, detail: str, *headers: tuple[bytes, bytes]) -> None:
        """Send a complete response with the reason, in the form of FastAPI's errors."""
        content = json.dumps({"detail": detail}).encode()
        content_headers = [
            (b"content-type", b"application/json"),
            (b"content-length", b"%d" % len(content)),
        ]
        start = {
            "type": "http.response.start",
            "status": status,
            "headers": [*content_headers, *headers],
        }
        await self(start)
        await self({"type": "http.response.body", "body": content})


def read_token(authorization: bytes) -> bytes:
    """Return the token of ``Authorization: Bearer TOKEN``, or the password of Basic authorization.
    Clients without support for tokens, such as verl's, send the latter for
    http://any:TOKEN@host:port/run_code."""
    scheme, _, value = authorization.strip().partition(b" ")
    value = value.strip()
    if scheme.lower() == b"bearer":
        return value
    if scheme.lower() != b"basic":
        return b""
    try:
        return base64.b64decode(value, validate=True).partition(b":")[2]
    except binascii.Error:
        return b""


def is_too_large(scope: MutableMapping[str, Any]) -> bool:
    """Whether a head takes more memory than an unread request may take."""
    headers: list[tuple[bytes, bytes]] = scope["headers"]
    size = len(scope["raw_path"]) + sum(len(name) + len(value) for name, value in headers)
    return size + len(scope["query_string"]) > _MAX_HEAD_BYTES or len(headers) > _MAX_HEAD_FIELDS


def is_json(content_type: bytes | None) -> bool:
    """Whether a Content-Type says JSON."""
    media_type = (content_type or b"").partition(b";")[0].strip().lower()
    return media_type == b"application/json"


def replay_body(content: bytes, receive: Receive) -> Receive:
    """Return a ``receive`` that first yields the body, which was already read."""
    messages: list[Message] = [{"type": "http.request", "body": content, "more_body": False}]

    async def receive_next() -> Message:
        return messages.pop() if messages else await receive()

    return receive_next
