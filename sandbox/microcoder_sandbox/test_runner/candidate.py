"""The candidate's process at the other end of the pipes: it answers requests until it ends."""

from __future__ import annotations

from typing import Any

from microcoder_sandbox.wire import frames

from .failures import Failures
from .replacement import Streams


class Candidate:
    """Sends requests and receives replies. In between the candidate may use the tests' streams."""

    def __init__(self, read_fd: int, write_fd: int, failures: Failures) -> None:
        self._read_fd, self._write_fd = read_fd, write_fd
        self._failures = failures
        self._streams = Streams(failures.refuse)

    def exchange(self, request: dict[str, Any]) -> dict[str, Any]:
        """Return the reply to a request. Raises CandidateDiedError, UnsupportedError."""
        if self._streams.is_asked:
            reason = "what replaces input or sys.stdin uses the program"
            raise self._failures.refuse(reason)
        streams = self._streams.list_replaced()
        message = {**request, "streams": streams} if streams else request
        while True:
            reply = self._send(message)
            try:
                self._streams.write(reply.get("printed", []), streams)
                if "asks" not in reply:
                    return reply
                message = self._streams.answer(reply["asks"], streams)
            except ValueError as error:
                raise self._failures.mark_dead(str(error)) from error

    def _send(self, message: dict[str, Any]) -> dict[str, Any]:
        """Send a message; return the next one that comes."""
        try:
            frames.write_frame(self._write_fd, message)
            frame = frames.read_frame(self._read_fd)
        except OSError as error:
            raise self._failures.mark_dead("it ended before the tests did") from error
        except (ValueError, RecursionError, MemoryError) as error:
            raise self._failures.mark_dead(str(error)) from error
        if frame is None:
            raise self._failures.mark_dead("it ended before the tests did")
        if type(frame[0]) is not dict:
            raise self._failures.mark_dead("its reply is malformed")
        reply: dict[str, Any] = frame[0]
        return reply
