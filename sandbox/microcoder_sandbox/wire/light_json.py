"""In host, guest and test runner: JSON by the C parts of the json package alone.

The package itself would import re and more, and each child copies pages that its server has loaded.
The functions are bound at import, before any program runs: patching json changes nothing here.
The host takes them for speed: the package makes a new encoder for each value.
"""

from __future__ import annotations

import _json
from builtins import len  # as it is now, whatever a program assigns later

from .light_record import Any


class _Context:
    strict = True
    object_hook = object_pairs_hook = None
    array_hook = None  # from Python 3.15
    parse_float = float
    parse_int = int
    parse_constant = float
    memo: dict[str, str] = {}  # noqa: RUF012 - the C scanner asks for exactly this


def _refuse(value: Any) -> Any:
    raise TypeError(f"not JSON: {type(value).__name__}")


_c_json: Any = _json  # typed for the json package's own use of it

# (text, start) -> (value, end); raises StopIteration, ValueError or RecursionError.
_scan = _c_json.make_scanner(_Context())
# (value, 0) -> pieces of text; raises TypeError on what is no JSON value.
_encode = _c_json.make_encoder(
    None, _refuse, _json.encode_basestring_ascii, None, ":", ",", False, False, True
)


def dumps(value: Any) -> bytes:
    """Return a tree of JSON values as text. Raises TypeError on any other."""
    return "".join(_encode(value, 0)).encode()


def loads(text: str) -> Any:
    """Return the value of one JSON text, which a program may have written. Raises ValueError where
    it is not one value, whole and with nothing around it, and RecursionError."""
    try:
        value, end = _scan(text, 0)
    except StopIteration:
        raise ValueError("no JSON value") from None
    if end != len(text):
        raise ValueError("text after the JSON value")
    return value
