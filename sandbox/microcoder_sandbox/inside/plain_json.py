"""Reading and writing JSON by the C parts of the json package alone.

The package itself would import re and more, and every page of a fork server is paid for by each
test. Bound at import, before any program runs: patching json changes nothing here.
"""

from __future__ import annotations

import _json

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


class _Context:
    strict = True
    object_hook = object_pairs_hook = None
    parse_float = float
    parse_int = int
    parse_constant = float
    memo: dict[str, str] = {}  # noqa: RUF012 - the C scanner asks for exactly this


def _refuse(value: Any) -> Any:
    raise TypeError(f"not plain: {type(value).__name__}")


_parts: Any = _json  # typed for the json package's own use of it

# (text, start) -> (value, end); raises StopIteration, ValueError or RecursionError.
scan = _parts.make_scanner(_Context())
# (value, 0) -> pieces of text; raises TypeError on what is not plain.
encode = _parts.make_encoder(
    {}, _refuse, _json.encode_basestring_ascii, None, ":", ",", False, False, True
)
