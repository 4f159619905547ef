"""Frames between a caller and its workers: bytes with their length before them (messages.py)."""

from __future__ import annotations

import array
import socket
import struct
from collections import deque
from collections.abc import Callable
from functools import partial
from typing import TypeVar

Argument = TypeVar("Argument")
Transferred = TypeVar("Transferred", bytes, int)

_HEADER = struct.Struct("<Q")
_CHUNK_BYTES = 1 << 16  # sent in one call, or asked for in one
_DESCRIPTOR_BYTES = socket.CMSG_SPACE(array.array("i").itemsize)  # of the one that may come


class PeerGoneError(Exception):
    """The other end has closed or died."""


def give_up() -> None:
    """Stop waiting: the default ``on_timeout``. Raises PeerGoneError."""
    raise PeerGoneError("no answer")


def send(
    connection: socket.socket,
    *frames: bytes,
    on_timeout: Callable[[], None] = give_up,
    descriptor: int | None = None,
) -> None:
    """Send frames, small ones in one call: each call wakes the other end. Raises PeerGoneError.

    on_timeout: called each time the socket's timeout passes without a byte taken; it raises
    PeerGoneError, or returns to go on waiting. descriptor: a file that the other end gets, too.
    """
    parts = [part for data in frames for part in (_HEADER.pack(len(data)), data)]
    if sum(map(len, parts)) <= _CHUNK_BYTES:
        parts = [b"".join(parts)]
    for part in parts:
        view = memoryview(part)
        if descriptor is not None:
            send_file = partial(socket.send_fds, connection, fds=[descriptor])
            view = view[_transfer(send_file, [view], on_timeout) :]
            descriptor = None
        while view:
            view = view[_transfer(connection.send, view, on_timeout) :]


class FrameReader:
    """Receives frames from a connection. Bytes that came with a frame are kept for the next.

    descriptors: the descriptors of files that came with frames, in their order.
    """

    def __init__(self, connection: socket.socket) -> None:
        self._connection = connection
        self._bytes = b""
        self.descriptors: deque[int] = deque()

    @property
    def is_empty(self) -> bool:
        """Whether nothing of the next frame has come yet."""
        return not self._bytes

    def receive(self, on_timeout: Callable[[], None] = give_up) -> bytes:
        """Receive one frame. Raises PeerGoneError; ``on_timeout`` as for ``send``."""
        while len(self._bytes) < _HEADER.size:
            self._bytes += _transfer(self._receive_chunk, _CHUNK_BYTES, on_timeout)
        (size,) = _HEADER.unpack_from(self._bytes)
        end = _HEADER.size + size
        data, self._bytes = self._bytes[_HEADER.size : end], self._bytes[end:]
        return data if len(data) == size else self._receive_rest(data, size, on_timeout)

    def _receive_chunk(self, size: int) -> bytes:
        flags = socket.MSG_CMSG_CLOEXEC
        chunk, ancillary, _, _ = self._connection.recvmsg(size, _DESCRIPTOR_BYTES, flags)
        for _, _, data in ancillary:
            self.descriptors.extend(array.array("i", data))
        return chunk

    def _receive_rest(self, start: bytes, size: int, on_timeout: Callable[[], None]) -> bytes:
        data = bytearray(size)
        data[: len(start)] = start
        view = memoryview(data)[len(start) :]
        while view:
            view = view[_transfer(self._connection.recv_into, view, on_timeout) :]
        return bytes(data)


def _transfer(
    call: Callable[[Argument], Transferred], argument: Argument, on_timeout: Callable[[], None]
) -> Transferred:
    """Return what a call of the socket sent or received; nothing at all is the end. Raises
    PeerGoneError."""
    while True:
        try:
            if transferred := call(argument):
                return transferred
            raise PeerGoneError("closed")
        except TimeoutError:
            on_timeout()
        except OSError as error:
            raise PeerGoneError(str(error)) from error
