"""Unpacks LiveCodeBench's private tests: base64, zlib, and a pickle of one string.

A pickle is a program. This one may only make a string: its operations are checked against a list
before it runs, and the unpickler refuses to look up names.
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

MAX_PACKED_BYTES = 1 << 30  # the default bound on a line
MAX_TEXT_BYTES = 1 << 30  # the largest known problem unpacks to about 300 MB
# The operations in a pickle of one str, in any protocol. _unpickle also bounds the memo's index,
# since the unpickler allocates memory for the largest index.
_TEXT_OPERATIONS = frozenset(
    {"PROTO", "FRAME", "UNICODE", "BINUNICODE", "SHORT_BINUNICODE", "BINUNICODE8"}
    | {"MEMOIZE", "PUT", "BINPUT", "STOP"}
)


def unpack_text(packed: str) -> str:
    """Unpack the text in ``packed``. Raises DataError; runs and imports nothing from the data."""
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
    except Exception as error:  # the two readers of pickles raise nearly anything for broken data
        raise DataError(f"not a pickle of a text ({type(error).__name__})") from None
    if type(value) is not str:
        raise DataError("the pickle holds something other than a text")
    return value
