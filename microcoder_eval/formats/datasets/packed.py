"""Unpacks LiveCodeBench's private tests: base64, zlib, and a pickle of one string.

A pickle is a program. This one may hold nothing but the text: its operations are read against a
list before anything runs, and the unpickler then refuses every name it could look up.
"""

from __future__ import annotations

import base64
import binascii
import io
import pickle
import pickletools
import zlib
from typing import Any, NoReturn

from microcoder_eval.errors import DataError

MAX_PACKED_BYTES = 1 << 30  # a line may have as much
MAX_TEXT_BYTES = 1 << 30  # the largest known problem unpacks to about 300 MB
# What a pickle of one str consists of, in any protocol; anything else is not a text. The memo's
# index is bounded below because the unpickler reserves memory for the largest one it is told.
_TEXT_OPERATIONS = frozenset(
    {"PROTO", "FRAME", "UNICODE", "BINUNICODE", "SHORT_BINUNICODE", "BINUNICODE8"}
    | {"MEMOIZE", "PUT", "BINPUT", "STOP"}
)


def unpack_text(packed: str) -> str:
    """The text in ``packed``. Raises DataError; never runs or imports what the data names."""
    if len(packed) > MAX_PACKED_BYTES:
        raise DataError(f"larger than {MAX_PACKED_BYTES >> 20} MiB")
    try:
        compressed = base64.b64decode(packed.encode("ascii"), validate=True)
    except (binascii.Error, UnicodeEncodeError):
        raise DataError("not base64") from None
    return _unpickle(_decompress(compressed))


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


class _TextUnpickler(pickle.Unpickler):
    def find_class(self, module_name: str, global_name: str, /) -> NoReturn:
        raise pickle.UnpicklingError(f"it asks for {module_name}.{global_name}")

    def persistent_load(self, pid: Any, /) -> NoReturn:
        raise pickle.UnpicklingError("it asks for an object from outside")


def _unpickle(data: bytes) -> str:
    try:
        for operation, argument, _ in pickletools.genops(data):
            if operation.name not in _TEXT_OPERATIONS:
                raise DataError(f"the pickle holds {operation.name}, only a text is allowed")
            if operation.name in ("PUT", "BINPUT") and int(argument or 0) > 255:
                raise DataError("the pickle's memo is larger than a text needs")
        value = _TextUnpickler(io.BytesIO(data)).load()
    except DataError:
        raise
    # The two readers of pickles answer broken data with nearly every exception there is.
    except Exception as error:
        raise DataError(f"not a pickle of a text ({type(error).__name__})") from None
    if type(value) is not str:
        raise DataError("the pickle holds something other than a text")
    return value
