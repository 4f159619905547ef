"""Responds to errors: the status and the reason of each."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from fastapi import Request, Response
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException

from microcoder_eval.errors import DataError, JudgeError

from .json_body import AsciiJsonResponse
from .request_bounds import RefusedError

_MAX_ERRORS = 5  # errors reported for one body
_RETRY_SECONDS = 1
_MESSAGES = {"extra_forbidden": "unknown key"}  # by pydantic's type of error
ERRORS = (HTTPException, RequestValidationError, RefusedError, JudgeError, DataError)


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
                {"loc": fault["loc"], "msg": _MESSAGES.get(fault["type"], fault["msg"])}
                for fault in faults
            ]
        case RefusedError():
            status, detail, headers = error.status, str(error), error.headers
        case JudgeError():  # which says nothing about the program
            status, detail = 503, f"the judge failed: {error}"
        case _:
            status, detail = 422, str(error)
    if status in (503, 504):
        headers = {**(headers or {}), "Retry-After": str(_RETRY_SECONDS)}
    return AsciiJsonResponse({"detail": detail}, status, headers=headers)
