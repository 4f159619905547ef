"""Replaces FastAPI's reading and writing of JSON, because bodies may be hostile.

The parser of problem files reads the bodies: it refuses deep nesting, very long integers and bytes
that are not UTF-8, with a reason. Responses are ASCII, so that half of a surrogate pair, which a
request may hold as an escape, can be sent back as one.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable
from typing import Any

from fastapi import Request, Response
from fastapi.responses import JSONResponse
from fastapi.routing import APIRoute
from starlette.exceptions import HTTPException

from microcoder_eval.errors import DataError
from microcoder_eval.formats import jsontext

from .options import MAX_INLINE_BYTES


class AsciiJsonResponse(JSONResponse):
    """A JSON response in ASCII."""

    def render(self, content: Any) -> bytes:
        """Encode the response."""
        return json.dumps(content, ensure_ascii=True, separators=(",", ":")).encode()


class JsonRequest(Request):
    """A request whose body ``_parse_body`` reads."""

    async def json(self) -> Any:
        """Parse the body. Raises HTTPException (400)."""
        raw = await self.body()
        if len(raw) <= MAX_INLINE_BYTES:
            return _parse_body(raw)
        return await asyncio.to_thread(_parse_body, raw)


class JsonRoute(APIRoute):
    """A route whose requests are JsonRequests."""

    def get_route_handler(self) -> Callable[[Request], Awaitable[Response]]:
        """Wrap FastAPI's handler."""
        handle = super().get_route_handler()

        async def handle_json_request(request: Request) -> Response:
            response: Response = await handle(JsonRequest(request.scope, request.receive))
            return response

        return handle_json_request


def _parse_body(raw: bytes) -> Any:
    """Parse a body. Raises HTTPException (400) with the reason."""
    try:
        return jsontext.parse_text(raw.decode("utf-8"))
    except UnicodeDecodeError as error:
        reason = f"not UTF-8 (byte 0x{raw[error.start]:02x} at position {error.start + 1})"
    except json.JSONDecodeError as error:
        reason = f"not JSON ({error.msg} at character {error.pos + 1})"
    except DataError as error:
        reason = error.message
    raise HTTPException(400, f"the body cannot be read: {reason}")
