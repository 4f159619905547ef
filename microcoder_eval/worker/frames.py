"""Length-prefixed messages between a caller and its workers.

marshal: both ends are this package in the same interpreter, and no judged program ever holds
either end; what a program wrote travels inside as plain bytes and numbers.
"""

from __future__ import annotations

import marshal
import socket
import struct
from collections.abc import Callable
from typing import Any

_HEADER = struct.Struct("<Q")


class PeerGoneError(Exception):
    """The other end has closed or died."""


def give_up() -> None:
    """What to do when the other end is silent for the socket's timeout: not wait any longer."""
    raise PeerGoneError("no answer")


def send(
    connection: socket.socket, message: Any, when_silent: Callable[[], None] = give_up
) -> None:
    """Send one message whole. Raises PeerGoneError.

    when_silent: called each time the socket's timeout passes without a byte taken; it raises
    PeerGoneError, or returns to wait on.
    """
    data = marshal.dumps(message)
    for part in (_HEADER.pack(len(data)), data):
        view = memoryview(part)
        while view:
            view = view[_patiently(connection.send, view, when_silent) :]


def receive(connection: socket.socket, when_silent: Callable[[], None] = give_up) -> Any:
    """Receive one message. Raises PeerGoneError; ``when_silent`` as for ``send``."""
    (size,) = _HEADER.unpack(_exactly(connection, _HEADER.size, when_silent))
    return marshal.loads(_exactly(connection, size, when_silent))


def _exactly(connection: socket.socket, size: int, when_silent: Callable[[], None]) -> bytes:
    data = bytearray(size)
    view = memoryview(data)
    while view:
        count = _patiently(connection.recv_into, view, when_silent)
        if count == 0:
            raise PeerGoneError("closed")
        view = view[count:]
    return bytes(data)


def _patiently(
    transfer: Callable[[memoryview], int], view: memoryview, when_silent: Callable[[], None]
) -> int:
    while True:
        try:
            return transfer(view)
        except TimeoutError:
            when_silent()
        except OSError as error:
            raise PeerGoneError(str(error)) from error
