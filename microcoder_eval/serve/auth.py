"""Whether a request shows the right token.

``Authorization: Bearer TOKEN``, or Basic with the token as password: clients that know nothing of
tokens (verl's) send that when it stands in the URL, http://any:TOKEN@host:port/run_code.
"""

from __future__ import annotations

import base64
import binascii
import hmac


class Guard:
    """Lets pass who shows the token; everybody where there is none."""

    def __init__(self, token: str | None) -> None:
        self._token = None if token is None else token.encode()

    def admits(self, authorization: bytes | None) -> bool:
        """Whether this header will do. Takes the same time for all wrong tokens of a length."""
        if self._token is None:
            return True
        return hmac.compare_digest(_shown(authorization or b""), self._token)


def _shown(authorization: bytes) -> bytes:
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
