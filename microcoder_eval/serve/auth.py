"""Checks the token of a request.

It is sent as ``Authorization: Bearer TOKEN``, or as the password of Basic authorization: clients
without support for tokens (verl's) send that for a URL http://any:TOKEN@host:port/run_code.
"""

from __future__ import annotations

import base64
import binascii
import hmac


class TokenAuth:
    """Admits requests with the right token; all requests if the server has no token."""

    def __init__(self, token: str | None) -> None:
        self._token = None if token is None else token.encode()

    def admits(self, authorization: bytes | None) -> bool:
        """Whether the header has the token. All wrong tokens of one length take the same time."""
        if self._token is None:
            return True
        return hmac.compare_digest(_read_token(authorization or b""), self._token)


def _read_token(authorization: bytes) -> bytes:
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
