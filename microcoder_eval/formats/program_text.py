"""The text of a program that is a file."""

from __future__ import annotations

import io
import tokenize


def decode_python(program: bytes) -> str:
    """Decode as Python does, by the encoding that one of the first two lines names (PEP 263).

    Raises SyntaxError for an encoding that does not exist, UnicodeDecodeError.
    """
    encoding, _ = tokenize.detect_encoding(io.BytesIO(program).readline)
    return program.decode(encoding)
