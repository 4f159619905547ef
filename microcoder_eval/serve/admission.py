"""Admission control: refuses requests before anything parses them.

    token -> if POST: JSON, body within bounds, a free slot -> the application -> metrics

It is ASGI middleware, so waiting requests are held as bytes, and parsed only once they have a slot.
"""

from __future__ import annotations

import asyncio
import base64
import binascii
import hmac
import time

from starlette.datastructures import Headers
from starlette.requests import Request
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from .access_log import AccessLog
from .body import DisconnectedError, charge_parsing, discard_body, is_disconnected, read_body
from .connections import Connection, Connections, find_connection
from .error_responses import respond_to_error
from .options import MAX_HEAD_BYTES, MIB, Options
from .request_bounds import RefusedError, RequestSlots

_MAX_HEAD_FIELDS = 100
# These paths need no token: process monitors call them, and they reveal little.
_PUBLIC_PATHS = frozenset({"/health", "/v1/ping"})


class AdmissionMiddleware:
    """Middleware around an ASGI application.

    unanswered_count: accepted requests that ended without a response.
    """

    def __init__(
        self,
        application: ASGIApp,
        options: Options,
        slots: RequestSlots,
        connections: Connections,
        paths: frozenset[str],
        access_log: AccessLog | None,
    ) -> None:
        self._application = application
        self._token = options.token and options.token.encode()
        self._paths = paths
        self._access_log = access_log
        self._max_body_bytes = int(options.body_mb * MIB)
        self._slots = slots
        self.connections = connections
        self.unanswered_count = 0

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":  # no web sockets, and nothing to do on start-up and shutdown
            return
        path = scope["path"] if scope["path"] in self._paths else "other"
        status: int | None = None
        start = time.monotonic()

        async def send_and_note_status(message: Message) -> None:
            nonlocal status
            status = message.get("status", status)
            await send(message)

        connection = find_connection(scope)
        try:
            async with connection.hold_request():
                await self._answer(scope, receive, send_and_note_status, connection)
        except DisconnectedError:
            status = 499  # nginx's status for a client that disconnected; for the metrics
        except asyncio.CancelledError:  # the server stops; if raised, uvicorn logs a traceback
            self.unanswered_count += 1
            if status is None:
                error = RefusedError("stopping", 503, "the server stops: try again")
                response = await respond_to_error(Request(scope), error)
                await response(scope, receive, send_and_note_status)
        finally:
            status = status or 500
            seconds = time.monotonic() - start
            metrics = self.connections.metrics
            metrics.requests.labels(path, str(status)).inc()
            metrics.seconds.labels(path).observe(seconds)
            if self._access_log is not None:
                self._access_log.record(scope, status, seconds)

    async def _answer(
        self, scope: Scope, receive: Receive, send: Send, connection: Connection
    ) -> None:
        """Answer a request, or refuse it in the form of the application's errors."""
        headers = Headers(scope=scope)
        try:
            self._check_head(scope, headers)
            if scope["method"] != "POST":
                connection.stop_waiting()
                await self._application(scope, receive, send)
                return
            self._slots.refuse_if_full()
            content = await read_body(headers, receive, self._max_body_bytes, connection.memory)
            connection.stop_waiting()
            async with self._slots.hold_slot():
                if await is_disconnected(receive):
                    raise DisconnectedError
                await charge_parsing(content, connection.memory)
                await self._application(scope, _replay_body(content, receive), send)
        except RefusedError as error:
            self.connections.metrics.refused.labels(error.reason).inc()
            if connection.awaits_body:
                await discard_body(headers, receive)
            response = await respond_to_error(Request(scope), error)
            await response(scope, receive, send)

    def _check_head(self, scope: Scope, headers: Headers) -> None:
        """Raise RefusedError if a head is too large, lacks the token, or does not announce JSON."""
        size = sum(len(name) + len(value) for name, value in headers.raw)
        size += len(scope["raw_path"]) + len(scope["query_string"])
        if size > MAX_HEAD_BYTES or len(headers) > _MAX_HEAD_FIELDS:
            raise RefusedError("head", 431, "the head is too large", connection="close")
        sent = _read_token(headers.get("authorization", "").encode("latin-1"))
        # The check takes the same time for all wrong tokens of one length.
        if scope["path"] not in _PUBLIC_PATHS and not hmac.compare_digest(
            sent, self._token or sent
        ):
            detail = "the token is missing or wrong: Authorization: Bearer TOKEN"
            raise RefusedError("token", 401, detail, **{"www-authenticate": "Bearer"})
        # This also stops web pages in a browser: without CORS they cannot send JSON.
        media_type = headers.get("content-type", "").partition(";")[0].strip().lower()
        if scope["method"] == "POST" and media_type != "application/json":
            detail = "send JSON, with Content-Type: application/json"
            raise RefusedError("content_type", 415, detail)


def _read_token(authorization: bytes) -> bytes:
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


def _replay_body(content: bytes, receive: Receive) -> Receive:
    """Return a ``receive`` that first yields the body, which was already read."""
    messages: list[Message] = [{"type": "http.request", "body": content, "more_body": False}]

    async def receive_next() -> Message:
        return messages.pop() if messages else await receive()

    return receive_next
