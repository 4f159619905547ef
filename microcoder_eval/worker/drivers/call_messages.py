"""The arguments of a call as drivers read them from standard input.

One letter for each value, then its text and a space: ``n`` null, ``t`` true, ``f`` false, ``i``
integer, ``d`` real number, ``l`` list (the count of its items, which follow), ``m`` map (the count
of its entries; key and value of each follow). ``s`` is a text: the count of its bytes in UTF-8, a
colon, the bytes.

Drivers need no parser of JSON for it. What they write is one line after the mark 0x1e: ``V`` and
the value as JSON with the tags of the sandbox's ``codec``, ``X`` or ``A`` and the reason why
there is none, ``N`` and what was looked for if there is nothing to call.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from microcoder_eval.errors import UnjudgeableError

MARK, NO_ENTRY = b"\x1e", b"N"


def encode_arguments(arguments: list[Any]) -> bytes:
    """Return the list of arguments. Raises UnjudgeableError for a value that only Python has."""
    return b"".join(_encode(arguments))


def _encode(value: Any) -> Iterable[bytes]:
    if value is None or isinstance(value, bool):
        yield b"n " if value is None else b"t " if value else b"f "
    elif isinstance(value, int):
        yield b"i%s " % str(value).encode()
    elif isinstance(value, float):
        yield b"d%s " % repr(value).encode()
    elif isinstance(value, str):
        data = value.encode("utf-8", "surrogatepass")
        yield b"s%d:%s" % (len(data), data)
    elif isinstance(value, dict):
        yield b"m%d " % len(value)
        for pair in value.items():
            for item in pair:
                yield from _encode(item)
    elif isinstance(value, (list, tuple, set, frozenset)):
        yield b"l%d " % len(value)
        for item in value:
            yield from _encode(item)
    else:
        raise UnjudgeableError(
            f"an argument of type {type(value).__name__} can only be passed to Python"
        )
