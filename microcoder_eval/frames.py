"""Length-prefixed messages between a caller and its workers.

marshal: both ends are this package in the same interpreter, and no judged program ever holds
either end; what a program wrote travels inside as plain bytes and numbers.
"""

from __future__ import annotations

import marshal
import socket
import struct
from typing import Any

_HEADER = struct.Struct("<Q")


class PeerGoneError(Exception):
    """The other end has closed or died."""


def send(connection: socket.socket, message: Any) -> None:
    """Send one message whole. Raises PeerGoneError."""
    data = marshal.dumps(message)
    try:
        connection.sendall(_HEADER.pack(len(data)))
        connection.sendall(data)
    except OSError as error:
        raise PeerGoneError(str(error)) from error


def receive(connection: socket.socket) -> Any:
    """Receive one message. Raises PeerGoneError."""
    (size,) = _HEADER.unpack(_exactly(connection, _HEADER.size))
    return marshal.loads(_exactly(connection, size))


def _exactly(connection: socket.socket, size: int) -> bytes:
    data = bytearray(size)
    view = memoryview(data)
    while view:
        try:
            count = connection.recv_into(view)
        except OSError as error:
            raise PeerGoneError(str(error)) from error
        if count == 0:
            raise PeerGoneError("closed")
        view = view[count:]
    return bytes(data)
