"""JSON in and out, in FastAPI's places: bodies are hostile, answers may hold any text.

Bodies are read by the reader that reads files of problems: deep nesting, endless numbers and bytes
that are not UTF-8 are refused with a reason. Answers are ASCII: half of a surrogate pair, legal in
a request as an escape, goes back as one.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable, Sequence
from typing import Any

from fastapi import HTTPException, Request, Response
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from fastapi.routing import APIRoute

from microcoder_eval.errors import DataError, JudgeError
from microcoder_eval.formats import jsontext

_TOLD_ERRORS = 5  # of a body that has many
_AT_ONCE_BYTES = 1 << 16  # a larger body is read beside the event loop


class Json(JSONResponse):
    """An answer in ASCII."""

    def render(self, content: Any) -> bytes:
        """The bytes of the answer."""
        return json.dumps(content, ensure_ascii=True, separators=(",", ":")).encode()


class JsonRequest(Request):
    """A request whose body is read with bounds."""

    async def json(self) -> Any:
        """The body's value. Raises HTTPException (400)."""
        raw = await self.body()
        if len(raw) <= _AT_ONCE_BYTES:
            return parsed(raw)
        return await asyncio.to_thread(parsed, raw)


class JsonRoute(APIRoute):
    """A path whose requests are JsonRequests."""

    def get_route_handler(self) -> Callable[[Request], Awaitable[Response]]:
        """As FastAPI's own, with the other kind of request."""
        handle = super().get_route_handler()

        async def with_bounds(request: Request) -> Response:
            answer: Response = await handle(JsonRequest(request.scope, request.receive))
            return answer

        return with_bounds


def parsed(raw: bytes) -> Any:
    """The value in a body. Raises HTTPException (400) saying what is wrong with it."""
    try:
        return jsontext.parse_text(raw.decode("utf-8"))
    except UnicodeDecodeError as error:
        reason = f"not UTF-8 (byte 0x{raw[error.start]:02x} at position {error.start + 1})"
    except json.JSONDecodeError as error:
        reason = f"not JSON ({error.msg} at character {error.pos + 1})"
    except DataError as error:
        reason = error.message
    raise HTTPException(400, f"the body cannot be read: {reason}")


async def tell_status(_request: Request, error: HTTPException) -> Response:
    """The status with its reason, in ASCII."""
    return Json({"detail": error.detail}, error.status_code, headers=error.headers)


async def tell_wrong_fields(_request: Request, error: RequestValidationError) -> Response:
    """422 with the first faults, without what was sent: it may be large, or no text at all."""
    faults: Sequence[Any] = error.errors()
    told = [{key: fault[key] for key in ("loc", "msg", "type")} for fault in faults[:_TOLD_ERRORS]]
    return Json({"detail": told}, 422)


async def tell_wrong_data(_request: Request, error: DataError) -> Response:
    """422 with the reason."""
    return Json({"detail": str(error)}, 422)


async def tell_no_judge(_request: Request, error: JudgeError) -> Response:
    """503: nothing is known of the program that was sent."""
    return Json({"detail": f"the judge failed: {error}"}, 503, headers={"Retry-After": "5"})
