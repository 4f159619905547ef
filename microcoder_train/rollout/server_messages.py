"""Requests to a vLLM server, and its replies as checked records."""

from __future__ import annotations

import json
from http.client import HTTPException
from typing import Any, Literal, TypeVar
from urllib.error import HTTPError
from urllib.request import ProxyHandler, Request, build_opener

from pydantic import AliasPath, BaseModel, Field, ValidationError

from microcoder_train.errors import EngineError

_OPENER = build_opener(ProxyHandler({}))  # the user's own servers need no proxy


class ServerError(Exception):
    """A request failed; a second try, or another server, may succeed."""


class EngineSettings(BaseModel):
    """The result of WeightReceiver.engine_settings."""

    dtype: str
    logprobs_mode: str
    max_model_len: int


class EngineSettingsReply(BaseModel):
    """The settings of each worker of a server."""

    results: list[EngineSettings] = Field(min_length=1)


class WeightInfo(BaseModel):
    """weight_version: the name of the server's weights."""

    weight_version: str


class Token(BaseModel):
    """A sampled token and its log-probability."""

    token_id: int
    logprob: float


class Span(BaseModel):
    """version: the name of the weights that a run of tokens was sampled from."""

    version: str


class Choice(BaseModel):
    """One response. tokens: one for each of token_ids."""

    token_ids: tuple[int, ...]
    tokens: list[Token] = Field(validation_alias=AliasPath("logprobs", "content"))
    finish_reason: Literal["stop", "length", "abort"]
    weight_versions: list[Span]


class GenerateReply(BaseModel):
    """The reply of /inference/v1/generate."""

    choices: tuple[Choice]


ReplyModel = TypeVar("ReplyModel", bound=BaseModel)


def send_request(
    url: str, path: str, model: type[ReplyModel], body: Any, timeout_s: float
) -> ReplyModel:
    """Return the server's reply to a POST of ``body``, or to a GET if ``body`` is None.

    Raises ServerError if there is no reply or an internal error. Raises EngineError if the server
    refuses or the reply is no ``model``: a second try would not help.
    """
    content = None if body is None else json.dumps(body).encode()
    request = Request(url + path, content, {"Content-Type": "application/json"})
    try:
        with _OPENER.open(request, timeout=timeout_s) as response:
            reply: bytes = response.read()
    except HTTPError as error:
        message = f"{path}: HTTP {error.code}: {error.read(300).decode(errors='replace')}"
        raise (ServerError if error.code >= 500 else EngineError)(f"{url}{message}") from error
    except (OSError, HTTPException) as error:
        raise ServerError(f"{url}{path}: {error or type(error).__name__}") from error
    try:
        return model.model_validate_json(reply)
    except ValidationError as error:
        first_error = error.errors()[0]
        location = ".".join(map(str, first_error["loc"]))
        excerpt = reply[:200].decode(errors="replace")
        raise EngineError(f"{url}{path}: {location}: {first_error['msg']}, in: {excerpt}") from None
