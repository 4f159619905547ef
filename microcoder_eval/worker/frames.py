"""Frames between a caller and its workers: bytes with their length before them (messages.py)."""

from __future__ import annotations

import socket
import struct
from collections.abc import Callable

_HEADER = struct.Struct("<Q")


class PeerGoneError(Exception):
    """The other end has closed or died."""


def give_up() -> None:
    """The default ``on_timeout``: do not wait any longer. Raises PeerGoneError."""
    raise PeerGoneError("no answer")


def send(connection: socket.socket, data: bytes, on_timeout: Callable[[], None] = give_up) -> None:
    """Send one frame. Raises PeerGoneError.

    on_timeout: called each time the socket's timeout passes without a byte taken; it raises
    PeerGoneError, or returns to wait on.
    """
    for part in (_HEADER.pack(len(data)), data):
        view = memoryview(part)
        while view:
            view = view[_retry_on_timeout(connection.send, view, on_timeout) :]


def receive(connection: socket.socket, on_timeout: Callable[[], None] = give_up) -> bytes:
    """Receive one frame. Raises PeerGoneError; ``on_timeout`` as for ``send``."""
    (size,) = _HEADER.unpack(_receive_exactly(connection, _HEADER.size, on_timeout))
    return _receive_exactly(connection, size, on_timeout)


def _receive_exactly(connection: socket.socket, size: int, on_timeout: Callable[[], None]) -> bytes:
    data = bytearray(size)
    view = memoryview(data)
    while view:
        count = _retry_on_timeout(connection.recv_into, view, on_timeout)
        if count == 0:
            raise PeerGoneError("closed")
        view = view[count:]
    return bytes(data)


def _retry_on_timeout(
    transfer: Callable[[memoryview], int], view: memoryview, on_timeout: Callable[[], None]
) -> int:
    while True:
        try:
            return transfer(view)
        except TimeoutError:
            on_timeout()
        except OSError as error:
            raise PeerGoneError(str(error)) from error
