"""The border of the server: what comes in, and what is refused before anything reads it.

    count -> token -> POST? JSON, body within bounds, a turn -> the application -> count

ASGI middleware, so that a body is not parsed before its turn: waiting requests are plain bytes.
"""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any

from .body import Body, BodyError, GoneError, Headers, Store, discard, header, is_gone
from .metrics import Metrics
from .options import MIB, Options
from .token import Guard
from .turns import RefusedError, Turns

Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
Application = Callable[[MutableMapping[str, Any], Receive, Send], Awaitable[None]]
SEND_SECONDS = (
    30.0  # for one piece of an answer: a client that reads nothing keeps its turn so long
)
OPEN_PATHS = frozenset({"/health", "/v1/ping"})  # asked by what watches processes; they tell little


class Border:
    """Around an ASGI application. dropped: requests that were ended without an answer."""

    def __init__(
        self, application: Application, options: Options, metrics: Metrics, paths: frozenset[str]
    ) -> None:
        self._application = application
        self._guard = Guard(options.token)
        self._paths = paths
        self._most = int(options.body_mb * MIB)
        self.store = Store(int(options.held_mb * MIB))
        self.turns = Turns(options.at_once, options.queue, options.wait_s)
        self.metrics = metrics
        self.dropped = 0

    async def __call__(self, scope: MutableMapping[str, Any], receive: Receive, send: Send) -> None:
        if scope["type"] != "http":  # there are no web sockets, and nothing to do at start and end
            return
        path = scope["path"] if scope["path"] in self._paths else "other"
        answer = Answer(send)
        started = time.monotonic()
        try:
            await self._pass(scope, receive, answer)
        except GoneError:
            answer.status = 499  # as nginx calls it; nobody reads it but the metrics
        except asyncio.CancelledError:
            self.dropped += 1
            raise
        finally:
            self.metrics.requests.labels(path, str(answer.status or 500)).inc()
            self.metrics.seconds.labels(path).observe(time.monotonic() - started)

    async def _pass(
        self, scope: MutableMapping[str, Any], receive: Receive, answer: Answer
    ) -> None:
        headers: Headers = scope["headers"]
        authorization = header(headers, b"authorization")
        if scope["path"] not in OPEN_PATHS and not self._guard.admits(authorization):
            await discard(headers, receive)
            self.metrics.refused.labels("token").inc()
            await answer.refuse(401, "a token is needed", (b"www-authenticate", b"Bearer"))
        elif scope["method"] != "POST":
            await self._application(scope, receive, answer)
        elif not is_json(header(headers, b"content-type")):
            # Also what keeps pages in a browser from posting here: they may not send JSON unasked.
            await discard(headers, receive)
            self.metrics.refused.labels("content_type").inc()
            await answer.refuse(415, "send JSON, with Content-Type: application/json")
        else:
            await self._serve(scope, receive, answer)

    async def _serve(
        self, scope: MutableMapping[str, Any], receive: Receive, answer: Answer
    ) -> None:
        body = Body(self.store, self._most)
        try:
            self.turns.refuse_if_full()
            content = await body.read(scope["headers"], receive)
            async with self.turns.turn():
                if await is_gone(receive):
                    raise GoneError
                await self._application(scope, replayed(content, receive), answer)
        except (RefusedError, BodyError) as error:
            self.metrics.refused.labels(error.reason).inc()
            if not isinstance(error, RefusedError) or error.reason == "queue_full":
                await discard(scope["headers"], receive)
            retry_s = error.retry_s if isinstance(error, RefusedError) else self.turns.retry_s()
            later = [(b"retry-after", b"%d" % retry_s)] if error.status in (503, 504) else []
            await answer.refuse(error.status, str(error), *later)
        finally:
            body.release()


class Answer:
    """What is sent back, piece by piece. status: None until there is one."""

    def __init__(self, send: Send) -> None:
        self._send = send
        self.status: int | None = None

    async def __call__(self, message: Message) -> None:
        """Send one piece. Raises TimeoutError when the client does not take it."""
        if message["type"] == "http.response.start":
            self.status = message["status"]
        async with asyncio.timeout(SEND_SECONDS):
            await self._send(message)

    async def refuse(self, status: int, detail: str, *headers: tuple[bytes, bytes]) -> None:
        """Send a whole answer that says why not, in the form that FastAPI's have."""
        content = json.dumps({"detail": detail}).encode()
        fields = [(b"content-type", b"application/json"), (b"content-length", b"%d" % len(content))]
        start = {"type": "http.response.start", "status": status, "headers": [*fields, *headers]}
        await self(start)
        await self({"type": "http.response.body", "body": content})


def is_json(content_type: bytes | None) -> bool:
    """Whether a Content-Type says JSON."""
    kind = (content_type or b"").partition(b";")[0].strip().lower()
    return kind == b"application/json"


def replayed(content: bytes, receive: Receive) -> Receive:
    """``receive`` with the body that has been read already in front."""
    first: list[Message] = [{"type": "http.request", "body": content, "more_body": False}]

    async def again() -> Message:
        return first.pop() if first else await receive()

    return again
