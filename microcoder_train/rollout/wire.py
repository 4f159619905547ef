"""One exchange with a vLLM server; its answers are checked, never guessed."""

from __future__ import annotations

import json
from http.client import HTTPException
from typing import Any, Literal, TypeVar
from urllib.error import HTTPError
from urllib.request import ProxyHandler, Request, build_opener

from pydantic import BaseModel, Field, ValidationError

from microcoder_train.errors import EngineError

_OPENER = build_opener(ProxyHandler({}))  # servers of one's own stand behind no proxy


class ServerError(Exception):
    """A server did not do what it was asked; it may when asked again, or another may."""


class Done(BaseModel):
    """Any object: that it came is all there is to know."""


class EngineSettings(BaseModel):
    """WeightReceiver.engine_settings."""

    dtype: str
    logprobs_mode: str
    max_model_len: int


class Settings(BaseModel):
    """The same, of every worker."""

    results: list[EngineSettings] = Field(min_length=1)


class Weights(BaseModel):
    """weight_version: the name of the weights a server holds."""

    weight_version: str


class Token(BaseModel):
    """A sampled token and its log-probability."""

    token_id: int
    logprob: float


class Tokens(BaseModel):
    """As many as there are token_ids."""

    content: list[Token]


class Span(BaseModel):
    """version: the name of the weights that some tokens in a row were sampled from."""

    version: str


class Choice(BaseModel):
    """One response."""

    token_ids: tuple[int, ...]
    logprobs: Tokens
    finish_reason: Literal["stop", "length", "abort"]
    weight_versions: list[Span]


class Generated(BaseModel):
    """/inference/v1/generate."""

    choices: tuple[Choice]


Form = TypeVar("Form", bound=BaseModel)


def exchange(url: str, path: str, form: type[Form], body: Any, timeout_s: float) -> Form:
    """What the server at ``url`` answers to a POST, or to a GET where there is no body.

    Raises ServerError when it does not answer or fails, EngineError when it refuses or says what
    is no ``form``: asking again would not help.
    """
    text = None if body is None else json.dumps(body).encode()
    request = Request(url + path, text, {"Content-Type": "application/json"})
    try:
        with _OPENER.open(request, timeout=timeout_s) as response:
            answer: bytes = response.read()
    except HTTPError as error:
        said = f"{path}: HTTP {error.code}: {error.read(300).decode(errors='replace')}"
        raise (ServerError if error.code >= 500 else EngineError)(f"{url}{said}") from error
    except (OSError, HTTPException) as error:
        raise ServerError(f"{url}{path}: {error or type(error).__name__}") from error
    try:
        return form.model_validate_json(answer)
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(map(str, first["loc"]))
        shown = answer[:200].decode(errors="replace")
        raise EngineError(f"{url}{path}: {place}: {first['msg']}, in: {shown}") from None
