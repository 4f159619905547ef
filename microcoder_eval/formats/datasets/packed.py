"""Unpacks LiveCodeBench's private tests: base64, zlib, and a pickle of one string.

A pickle is a program. This one is never run: its operations are listed, and the string is the
argument of one of them.
"""

from __future__ import annotations

import base64
import binascii
import pickletools
import zlib

from microcoder_eval.errors import DataError

MAX_PACKED_BYTES = 1 << 30  # the default bound on a line
MAX_TEXT_BYTES = 1 << 30  # the largest known problem unpacks to about 300 MB
# The operations in a pickle of one str, in any protocol.
_TEXTS = frozenset({"UNICODE", "BINUNICODE", "SHORT_BINUNICODE", "BINUNICODE8"})
_OTHERS = frozenset({"PROTO", "FRAME", "MEMOIZE", "PUT", "BINPUT", "STOP"})


def unpack_text(packed: str) -> str:
    """Unpack the text in ``packed``. Raises DataError; runs and imports nothing from the data."""
    if len(packed) > MAX_PACKED_BYTES:
        raise DataError(f"larger than {MAX_PACKED_BYTES >> 20} MiB")
    try:
        compressed = base64.b64decode(packed.encode("ascii"), validate=True)
    except (binascii.Error, UnicodeEncodeError):
        raise DataError("not base64") from None
    return _find_text(_decompress(compressed))


def _decompress(compressed: bytes) -> bytes:
    inflater = zlib.decompressobj()
    try:
        data = inflater.decompress(compressed, MAX_TEXT_BYTES + 1)
    except zlib.error as error:
        raise DataError(f"the zlib data is corrupt ({error})") from None
    if len(data) > MAX_TEXT_BYTES:
        raise DataError(f"decompresses to more than {MAX_TEXT_BYTES >> 20} MiB")
    if not inflater.eof:
        raise DataError("the zlib data is cut off")
    return data


def _find_text(data: bytes) -> str:
    """Return the only text in a pickle."""
    texts = []
    try:
        for operation, argument, _ in pickletools.genops(data):
            if operation.name in _TEXTS:
                texts.append(str(argument))
            elif operation.name not in _OTHERS:
                raise DataError(f"the pickle holds {operation.name}, only a text is allowed")
    except DataError:
        raise
    except Exception as error:  # the reader of pickles raises nearly anything for broken data
        raise DataError(f"not a pickle of a text ({type(error).__name__})") from None
    if len(texts) != 1:
        raise DataError("the pickle holds something other than a text")
    return texts[0]
