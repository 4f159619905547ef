"""Replaces FastAPI's reading and writing of JSON, because bodies may be hostile.

The parser of problem files reads the bodies: it refuses deep nesting, very long integers and bytes
that are not UTF-8, with a reason. Responses are ASCII, so that half of a surrogate pair, which a
request may hold as an escape, can be sent back as one.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any

from fastapi import Request, Response
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from fastapi.routing import APIRoute
from starlette.exceptions import HTTPException

from microcoder_eval.errors import DataError, JudgeError
from microcoder_eval.formats import jsontext

from .options import MAX_INLINE_BYTES
from .request_slots import RefusedError

_MAX_ERRORS = 5  # errors reported for one body
RETRY_SECONDS = 1


class AsciiJsonResponse(JSONResponse):
    """A JSON response in ASCII."""

    def render(self, content: Any) -> bytes:
        """Encode the response."""
        return json.dumps(content, ensure_ascii=True, separators=(",", ":")).encode()


class JsonRequest(Request):
    """A request whose body ``parse_body`` reads."""

    async def json(self) -> Any:
        """Parse the body. Raises HTTPException (400)."""
        raw = await self.body()
        if len(raw) <= MAX_INLINE_BYTES:
            return parse_body(raw)
        return await asyncio.to_thread(parse_body, raw)


class JsonRoute(APIRoute):
    """A route whose requests are JsonRequests."""

    def get_route_handler(self) -> Callable[[Request], Awaitable[Response]]:
        """Wrap FastAPI's handler."""
        handle = super().get_route_handler()

        async def handle_json_request(request: Request) -> Response:
            response: Response = await handle(JsonRequest(request.scope, request.receive))
            return response

        return handle_json_request


def parse_body(raw: bytes) -> Any:
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


async def respond_to_error(_request: Request, error: Exception) -> Response:
    """Respond with the status and the reason of any error in ``ERRORS``."""
    headers: Mapping[str, str] | None = None
    detail: Any
    match error:
        case HTTPException(status_code=404):
            status, detail = 404, "this path is not served; /openapi.json lists those that are"
        case HTTPException():
            status, detail, headers = error.status_code, error.detail, error.headers
        case RequestValidationError():  # without the values at fault, which may be large
            status = 422
            faults: Sequence[Any] = error.errors()[:_MAX_ERRORS]
            detail = [
                {"loc": fault["loc"], "msg": _WORDS.get(fault["type"], fault["msg"])}
                for fault in faults
            ]
        case RefusedError():
            status, detail, headers = error.status, str(error), error.headers
        case JudgeError():  # which says nothing about the program
            status, detail = 503, f"the judge failed: {error}"
        case _:
            status, detail = 422, str(error)
    if status in (503, 504):
        headers = {**(headers or {}), "Retry-After": str(RETRY_SECONDS)}
    return AsciiJsonResponse({"detail": detail}, status, headers=headers)


_WORDS = {"extra_forbidden": "unknown key"}  # by pydantic's type of error
ERRORS = (HTTPException, RequestValidationError, RefusedError, JudgeError, DataError)
